//===- FunctionInfo.cpp - What a tool calls of a payload ------------------===//

#include "FunctionInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;
using namespace sched;

EntryLookup sched::findEntry(ModuleOp module, StringRef name) {
  EntryLookup result;
  unsigned fitting = 0;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    result.names +=
        (result.names.empty() ? "@" : ", @") + function.getName().str();
    if (!name.empty() && function.getName() != name)
      continue;
    result.function = function;
    ++fitting;
  }
  if (fitting != 1)
    result.function = nullptr;
  return result;
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

static int64_t getReductionLength(func::FuncOp function) {
  int64_t total = 0;
  function->walk([&](linalg::LinalgOp op) {
    SmallVector<unsigned> dims;
    op.getReductionDims(dims);
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    int64_t length = 1;
    for (unsigned dim : dims)
      if (!ShapedType::isDynamic(extents[dim]))
        length *= std::max<int64_t>(1, extents[dim]);
    total += dims.empty() ? 0 : length;
  });
  function->walk([&](linalg::SoftmaxOp op) {
    const int64_t row = op.getInputOperandType().getDimSize(op.getDimension());
    total += ShapedType::isDynamic(row) ? 0 : row;
  });
  return std::max<int64_t>(1, total);
}

/// Whether the result may differ from what exact arithmetic gives.
static bool rounds(Operation *op) {
  if (isa<linalg::SoftmaxOp>(op))
    return true;
  return isa_and_present<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !isa<arith::ConstantOp, arith::ExtFOp, arith::SelectOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, arith::NegFOp, arith::BitcastOp, math::AbsFOp>(
             op);
}

static std::optional<ElementType> getPrecision(func::FuncOp function) {
  std::optional<ElementType> coarsest;
  function->walk([&](Operation *op) {
    if (!rounds(op) || op->getNumResults() != 1)
      return;
    std::string spelling;
    raw_string_ostream(spelling)
        << getElementTypeOrSelf(op->getResult(0).getType());
    std::optional<ElementType> type = parseElementType(spelling);
    if (type && isFloat(*type) &&
        (!coarsest || machineEpsilon(*type) > machineEpsilon(*coarsest)))
      coarsest = type;
  });
  return coarsest;
}

Expected<FunctionInfo> sched::describeFunction(func::FuncOp function) {
  FunctionInfo info;
  info.name = function.getName().str();
  auto add = [&](TypeRange types, bool isResult) -> Error {
    for (Type type : types) {
      Expected<TensorSpec> spec = describeTensor(type, isResult, info.name);
      if (!spec)
        return spec.takeError();
      info.tensors.push_back(std::move(*spec));
    }
    return Error::success();
  };
  if (Error error = add(function.getArgumentTypes(), /*isResult=*/false))
    return std::move(error);
  if (Error error = add(function.getResultTypes(), /*isResult=*/true))
    return std::move(error);
  info.reductionLength = getReductionLength(function);
  info.precision = getPrecision(function);
  return info;
}
