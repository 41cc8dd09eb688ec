//===- Payload.cpp - The function to time ---------------------------------===//

#include "Payload.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;

namespace sched::run {

static Expected<func::FuncOp> findEntry(ModuleOp module, StringRef entry) {
  SmallVector<func::FuncOp> functions;
  std::string names;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    names += (names.empty() ? "@" : ", @") + function.getName().str();
    if (entry.empty() || function.getName() == entry)
      functions.push_back(function);
  }
  if (functions.size() == 1)
    return functions.front();
  if (names.empty())
    return createStringError("found no public function with a body");
  if (entry.empty())
    return createStringError("found the functions " + names +
                             "; name one with --entry");
  return createStringError("found no function @" + entry + ", only " + names);
}

static Expected<TensorSpec> describeTensor(Type type, bool isResult,
                                           StringRef function) {
  std::string spelling, element;
  raw_string_ostream(spelling) << type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return createStringError("found " + spelling + " in the signature of @" +
                             function + ", expected tensors of static shape");
  raw_string_ostream(element) << tensor.getElementType();
  std::optional<ElementType> elementType = parseElementType(element);
  if (!elementType)
    return createStringError("found elements of " + element +
                             " in the signature of @" + function +
                             ", expected f16, bf16, f32, f64, i1 to i64 or "
                             "index");
  TensorSpec spec;
  spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  spec.elementType = *elementType;
  spec.isResult = isResult;
  return spec;
}

/// Adds what one op computes.
static void addWork(linalg::LinalgOp op, int64_t &reductions, double &flops) {
  double points = 1, reduced = 1;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool reduces = false;
  for (auto [extent, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), iterators)) {
    if (ShapedType::isDynamic(extent))
      return;
    points *= extent;
    if (iterator != utils::IteratorType::reduction)
      continue;
    reduces = true;
    reduced *= std::max<int64_t>(1, extent);
  }
  if (reduces)
    reductions += static_cast<int64_t>(reduced);
  for (Operation &inner : *op.getBlock())
    // Casts, comparisons of indices and constants are not what is counted.
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
            arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::SubIOp,
            arith::MulIOp>(inner) ||
        isa_and_nonnull<math::MathDialect>(inner.getDialect()))
      flops += points;
}

Expected<FunctionInfo> describeEntry(ModuleOp module, StringRef entry) {
  Expected<func::FuncOp> function = findEntry(module, entry);
  if (!function)
    return function.takeError();
  FunctionInfo info;
  info.name = function->getName().str();
  auto add = [&](TypeRange types, bool isResult) -> Error {
    for (Type type : types) {
      Expected<TensorSpec> spec = describeTensor(type, isResult, info.name);
      if (!spec)
        return spec.takeError();
      info.tensors.push_back(std::move(*spec));
    }
    return Error::success();
  };
  if (Error error = add(function->getArgumentTypes(), /*isResult=*/false))
    return std::move(error);
  if (Error error = add(function->getResultTypes(), /*isResult=*/true))
    return std::move(error);
  int64_t reductions = 0;
  function->walk(
      [&](linalg::LinalgOp op) { addWork(op, reductions, info.flops); });
  info.reductionLength = std::max<int64_t>(1, reductions);
  return info;
}

/// Whether `script` is for functions that outlining the tasks of `payload`
/// makes.
static bool needsOutlining(ModuleOp script, ModuleOp payload) {
  return script
      .walk([&](transform::MatchOp match) {
        DictionaryAttr attributes = match.getOpAttrsAttr();
        auto name = attributes ? attributes.getAs<StringAttr>("sym_name")
                               : StringAttr();
        return name && !payload.lookupSymbol(name) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

Error applyScript(ModuleOp payload, StringRef text, StringRef name) {
  OwningOpRef<ModuleOp> script = parseSourceString<ModuleOp>(
      text, ParserConfig(payload.getContext()), name);
  if (!script)
    return createStringError("the script '" + name + "' is not MLIR");
  constexpr StringLiteral kEntry =
      transform::TransformDialect::kTransformEntryPointSymbolName;
  transform::TransformOpInterface sequence;
  if (script->lookupSymbol(kEntry))
    sequence =
        transform::detail::findTransformEntryPoint(*script, ModuleOp(), kEntry);
  if (!sequence)
    return createStringError("the script '" + name + "' has no @" + kEntry);
  if (needsOutlining(*script, payload))
    if (Error error = outlineTasks(payload))
      return error;
  if (failed(transform::applyTransformNamedSequence(
          payload, sequence, *script,
          transform::TransformOptions().enableExpensiveChecks(false))))
    return createStringError("the script '" + name +
                             "' does not apply to the input");
  inlineTasks(payload);
  if (failed(verify(payload)))
    return createStringError("the script '" + name + "' made invalid IR");
  return Error::success();
}

} // namespace sched::run
