//===- Trace.cpp - A schedule as the values of its decisions --------------===//

#include "SchedOpt/Dialect/Schedule/IR/Trace.h"
#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::schedule;

const Trace::Decision *Trace::find(llvm::StringRef name) const {
  auto it = llvm::find_if(decisions,
                          [&](const Decision &d) { return d.name == name; });
  return it == decisions.end() ? nullptr : &*it;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Whether MLIR reads `name` back without quotes.
static bool isBare(llvm::StringRef name) {
  return !name.empty() &&
         (llvm::isAlpha(name.front()) || name.front() == '_') &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
         });
}

static void printName(llvm::raw_ostream &os, llvm::StringRef name) {
  if (isBare(name)) {
    os << name;
    return;
  }
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
}

std::string
mlir::schedule::printDecisions(llvm::ArrayRef<Trace::Decision> decisions) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(decisions, os, [&](const Trace::Decision &decision) {
    printName(os, decision.name);
    os << " = " << printValues(decision.values);
  });
  return text;
}

std::string mlir::schedule::printTrace(const Trace &trace) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "schedule.trace of @";
  printName(os, trace.sketch);
  os << " decisions {" << printDecisions(trace.decisions) << '}';
  return text;
}

namespace {
/// Reads the text of a trace from left to right. Records are read by the
/// thousand, so this is not MLIR's parser, which needs a context.
class TraceReader {
public:
  explicit TraceReader(llvm::StringRef text) : text(text), rest(text) {}

  llvm::Expected<Trace> read() {
    Trace trace;
    if (llvm::Error error = readAll(trace))
      return std::move(error);
    return trace;
  }

private:
  llvm::Error readAll(Trace &trace);
  llvm::Error readName(std::string &name, llvm::StringRef what);
  llvm::Error readInteger(int64_t &value);
  llvm::Error readValues(llvm::SmallVectorImpl<int64_t> &values);

  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }
  bool consume(llvm::StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  llvm::Error expect(llvm::StringRef token) {
    return consume(token) ? llvm::Error::success()
                          : fail("'" + token.str() + "'");
  }
  llvm::Error fail(const std::string &expected) {
    return llvm::createStringError(
        "trace: expected " + expected + " at column " +
        std::to_string(text.size() - rest.size() + 1));
  }

  llvm::StringRef text, rest;
};
} // namespace

llvm::Error TraceReader::readName(std::string &name, llvm::StringRef what) {
  skipSpace();
  if (!rest.consume_front("\"")) {
    llvm::StringRef bare = rest.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
    });
    if (!isBare(bare))
      return fail(what.str());
    name = bare.str();
    rest = rest.drop_front(bare.size());
    return llvm::Error::success();
  }
  name.clear();
  while (!rest.empty() && rest.front() != '"') {
    char c = rest.front();
    if (c == '\\' && rest.size() >= 2 && rest[1] == '\\') {
      rest = rest.drop_front();
    } else if (c == '\\') {
      if (rest.size() < 3 || !llvm::isHexDigit(rest[1]) ||
          !llvm::isHexDigit(rest[2]))
        return fail("two hexadecimal digits after '\\'");
      c = static_cast<char>(llvm::hexFromNibbles(rest[1], rest[2]));
      rest = rest.drop_front(2);
    }
    name += c;
    rest = rest.drop_front();
  }
  if (name.empty())
    return fail(what.str());
  return rest.consume_front("\"") ? llvm::Error::success() : fail("'\"'");
}

llvm::Error TraceReader::readInteger(int64_t &value) {
  skipSpace();
  llvm::StringRef before = rest;
  if (!rest.consumeInteger(10, value))
    return llvm::Error::success();
  rest = before;
  return fail("an integer of 64 bits");
}

llvm::Error TraceReader::readValues(llvm::SmallVectorImpl<int64_t> &values) {
  const bool isList = consume("[");
  do {
    if (llvm::Error error = readInteger(values.emplace_back()))
      return error;
  } while (isList && consume(","));
  return isList ? expect("]") : llvm::Error::success();
}

llvm::Error TraceReader::readAll(Trace &trace) {
  for (llvm::StringRef token : {"schedule.trace", "of", "@"})
    if (llvm::Error error = expect(token))
      return error;
  if (llvm::Error error = readName(trace.sketch, "the name of a sketch"))
    return error;
  for (llvm::StringRef token : {"decisions", "{"})
    if (llvm::Error error = expect(token))
      return error;
  llvm::StringSet<> seen;
  if (!consume("}")) {
    do {
      Trace::Decision decision;
      if (llvm::Error error = readName(decision.name, "the name of a decision"))
        return error;
      if (!seen.insert(decision.name).second)
        return llvm::createStringError("trace: '" + decision.name +
                                       "' is decided twice");
      if (llvm::Error error = expect("="))
        return error;
      if (llvm::Error error = readValues(decision.values))
        return error;
      trace.decisions.push_back(std::move(decision));
    } while (consume(","));
    if (llvm::Error error = expect("}"))
      return error;
  }
  skipSpace();
  return rest.empty() ? llvm::Error::success() : fail("the end");
}

llvm::Expected<Trace> mlir::schedule::parseTrace(llvm::StringRef text) {
  return TraceReader(text).read();
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

Trace mlir::schedule::getTrace(TraceOp op) {
  Trace trace;
  trace.sketch = op.getSketch().str();
  for (DecisionAttr entry : op.getDecisions().getAsRange<DecisionAttr>()) {
    Trace::Decision &decision = trace.decisions.emplace_back();
    decision.name = entry.getName().str();
    decision.values.assign(entry.getValues().begin(), entry.getValues().end());
  }
  return trace;
}

TraceOp mlir::schedule::createTrace(OpBuilder &builder, Location loc,
                                    const Trace &trace) {
  SmallVector<Attribute> entries;
  for (const Trace::Decision &decision : trace.decisions)
    entries.push_back(DecisionAttr::get(builder.getContext(), decision.name,
                                        decision.values));
  return TraceOp::create(builder, loc, trace.sketch,
                         builder.getArrayAttr(entries));
}

FailureOr<Trace> mlir::schedule::getTrace(SketchOp sketch) {
  FailureOr<SketchEvaluation> evaluation =
      evaluateSketch(sketch, getDecidedValues);
  if (failed(evaluation))
    return failure();
  if (evaluation->failedRequire)
    return emitFailedRequire(*evaluation);
  Trace trace;
  trace.sketch = sketch.getSymName().str();
  trace.decisions = std::move(evaluation->decisions);
  return trace;
}

/// The decision of the trace that the sketch does not have, if any.
static LogicalResult checkNames(SketchOp sketch, const Trace &trace,
                                Location loc) {
  llvm::StringSet<> names;
  SmallVector<StringRef> ordered;
  for (DecisionOpInterface decision : sketch.getDecisions()) {
    names.insert(decision.getDecisionName());
    ordered.push_back(decision.getDecisionName());
  }
  for (const Trace::Decision &decision : trace.decisions)
    if (!names.contains(decision.name))
      return emitError(loc)
             << "trace decides '" << decision.name << "', but sketch @"
             << sketch.getSymName() << " has the decisions ["
             << llvm::join(ordered, ", ")
             << "]; replay it on the sketch that it was made from";
  return success();
}

LogicalResult mlir::schedule::applyTrace(SketchOp sketch, const Trace &trace,
                                         Location loc) {
  if (failed(checkNames(sketch, trace, loc)))
    return failure();
  auto decide =
      [&](DecisionOpInterface op,
          const DecisionDomain &domain) -> FailureOr<SmallVector<int64_t>> {
    const Trace::Decision *decision = trace.find(op.getDecisionName());
    if (decision && findEntry(domain, decision->values))
      return llvm::to_vector(llvm::ArrayRef<int64_t>(decision->values));
    InFlightDiagnostic diagnostic = emitError(loc);
    if (!decision)
      diagnostic << "trace does not decide '" << op.getDecisionName()
                 << "' of sketch @" << sketch.getSymName()
                 << "; add a value of its domain " << printDomain(domain);
    else
      diagnostic << "trace decides '" << op.getDecisionName()
                 << "' = " << printValues(decision->values)
                 << ", which is outside of its domain " << printDomain(domain)
                 << "; choose one of its entries";
    diagnostic.attachNote(op->getLoc()) << "the decision is here";
    return failure();
  };
  FailureOr<SketchEvaluation> evaluation = evaluateSketch(sketch, decide);
  if (failed(evaluation))
    return failure();
  if (evaluation->failedRequire) {
    emitFailedRequire(*evaluation).attachNote(loc) << "of the trace here";
    return failure();
  }
  for (DecisionOpInterface decision : sketch.getDecisions())
    decision.setDecided(std::nullopt);
  for (auto [op, decision] :
       llvm::zip_equal(evaluation->decisionOps, evaluation->decisions))
    op.setDecided(ArrayRef<int64_t>(decision.values));
  return success();
}
