//===- ContainerOps.cpp - Spaces, sketches, traces ------------------------===//

#include "ActionSupport.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// SpaceOp
//===----------------------------------------------------------------------===//

LogicalResult SpaceOp::verifyRegions() {
  if (getWorkloadAttr() && getMatcherAttr())
    return emitOpError("has a workload and a matcher; keep the one that says "
                       "what it is for");
  for (Operation &op : getBody().front())
    if (!isa<SketchOp, TraceOp>(op))
      return op.emitOpError("is not a sketch or a trace, which is all that a "
                            "space holds; move it out of space @")
             << getSymName();
  return success();
}

//===----------------------------------------------------------------------===//
// SketchOp
//===----------------------------------------------------------------------===//

ParseResult SketchOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void SketchOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(
      getBody().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {SymbolTable::getSymbolAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

// Before the ops inside are verified: upstream's that have regions take it for
// granted that all in these is theirs.
LogicalResult SketchOp::verify() {
  WalkResult result = (*this)->walk([&](Operation *op) {
    if (op == getOperation() ||
        !isa_and_present<ScheduleDialect>(op->getDialect()) ||
        isa<SketchOp, ChooseOp>(op->getParentOp()))
      return WalkResult::advance();
    return WalkResult(op->emitOpError("is inside of '")
                      << op->getParentOp()->getName()
                      << "'; move it in front of that, into the sketch or an "
                         "alternative of schedule.choose");
  });
  return failure(result.wasInterrupted());
}

LogicalResult SketchOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() == 0)
    return emitOpError("needs at least one argument, the root of the payload");
  for (BlockArgument argument : body.getArguments())
    if (!isa<transform::TransformHandleTypeInterface>(argument.getType()))
      return emitOpError("has argument #")
             << argument.getArgNumber() << " of type " << argument.getType()
             << "; expected a handle such as !transform.any_op";
  if (body.getTerminator()->getNumOperands())
    return body.getTerminator()->emitOpError("of a sketch yields nothing");
  llvm::StringMap<Operation *> seen;
  for (DecisionOpInterface decision : getDecisions()) {
    auto [it, isNew] = seen.try_emplace(decision.getDecisionName(), decision);
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic =
        decision->emitOpError("repeats the decision name '")
        << decision.getDecisionName() << "'; names are unique in a sketch";
    diagnostic.attachNote(it->second->getLoc()) << "first used here";
    return diagnostic;
  }
  return success();
}

SmallVector<DecisionOpInterface> SketchOp::getDecisions() {
  SmallVector<DecisionOpInterface> decisions;
  (*this)->walk<WalkOrder::PreOrder>(
      [&](DecisionOpInterface decision) { decisions.push_back(decision); });
  return decisions;
}

//===----------------------------------------------------------------------===//
// TraceOp
//===----------------------------------------------------------------------===//

/// `{mr = 6, i = [4, 8, 2]}`
static ParseResult parseTraceDecisions(OpAsmParser &parser,
                                       ArrayAttr &decisions) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    std::string name;
    SmallVector<int64_t> values;
    auto parseValue = [&] {
      return parser.parseInteger(values.emplace_back());
    };
    const SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&name) || parser.parseEqual())
      return failure();
    if (succeeded(parser.parseOptionalLSquare())) {
      if (parser.parseCommaSeparatedList(parseValue) || parser.parseRSquare())
        return failure();
    } else if (parseValue()) {
      return failure();
    }
    Attribute entry = DecisionAttr::getChecked(
        [&] { return parser.emitError(loc); }, parser.getContext(),
        StringRef(name), ArrayRef<int64_t>(values));
    if (!entry)
      return failure();
    entries.push_back(entry);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces,
                                     parseEntry))
    return failure();
  decisions = parser.getBuilder().getArrayAttr(entries);
  return success();
}

static void printTraceDecisions(OpAsmPrinter &printer, Operation *,
                                ArrayAttr decisions) {
  printer << '{';
  llvm::interleaveComma(decisions.getAsRange<DecisionAttr>(), printer,
                        [&](DecisionAttr decision) {
                          printer.printKeywordOrString(decision.getName());
                          printer << " = " << printValues(decision.getValues());
                        });
  printer << '}';
}

LogicalResult TraceOp::verify() {
  llvm::StringSet<> seen;
  for (DecisionAttr decision : getDecisions().getAsRange<DecisionAttr>())
    if (!seen.insert(decision.getName()).second)
      return emitOpError("decides '")
             << decision.getName() << "' twice; remove one of them";
  return success();
}

//===----------------------------------------------------------------------===//
// Shared by the op files: custom parts of the assembly
//===----------------------------------------------------------------------===//

/// `6` or `[4, 8, 2]`
static ParseResult parseDecisionValues(OpAsmParser &parser,
                                       DenseI64ArrayAttr &attribute) {
  SmallVector<int64_t> values;
  auto parseValue = [&] { return parser.parseInteger(values.emplace_back()); };
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseCommaSeparatedList(parseValue) || parser.parseRSquare())
      return failure();
  } else if (parseValue()) {
    return failure();
  }
  attribute = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

static void printDecisionValues(OpAsmPrinter &printer, Operation *,
                                DenseI64ArrayAttr values) {
  printer << printValues(values.asArrayRef());
}

/// `extent 128` or `extent(%m)`
static ParseResult
parseExtent(OpAsmParser &parser, IntegerAttr &extent,
            std::optional<OpAsmParser::UnresolvedOperand> &dynamicExtent) {
  if (parser.parseKeyword("extent"))
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    OpAsmParser::UnresolvedOperand operand;
    if (parser.parseOperand(operand) || parser.parseRParen())
      return failure();
    dynamicExtent = operand;
    return success();
  }
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  extent = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printExtent(OpAsmPrinter &printer, Operation *, IntegerAttr extent,
                        Value dynamicExtent) {
  printer << "extent";
  if (dynamicExtent)
    printer << '(' << dynamicExtent << ')';
  else
    printer << ' ' << extent.getInt();
}

#define GET_OP_CLASSES
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.cpp.inc"
