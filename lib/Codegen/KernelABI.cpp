//===- KernelABI.cpp - Buffers for arguments and results ------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sched {
#define GEN_PASS_DEF_KERNELABIPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// The buffer of a tensor; null, after an error at `loc`, if it has none.
static MemRefType getBufferType(Location loc, Type type, StringRef what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape() &&
      MemRefType::isValidElementType(tensor.getElementType()))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  emitError(loc)
      << what << " has type " << type
      << "; expected a ranked tensor of static shape: pass linalg on "
         "tensors with constant sizes";
  return {};
}

/// Fails at an op that does more than compute on tensors: what else it does
/// could happen at another time, more often, or on several threads.
static LogicalResult checkEffects(func::FuncOp function) {
  WalkResult result = function.getBody().walk([&](Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      auto callee =
          dyn_cast_if_present<FunctionOpInterface>(call.resolveCallable());
      op->emitError(callee && callee.isExternal()
                        ? "calls a function that has no body here; expected "
                          "ops on tensors only: compute it outside of @"
                        : "calls a function that cannot be inlined; expected "
                          "no recursion and one block a function in @")
          << function.getName();
      return WalkResult::interrupt();
    }
    if (hasUnknownEffects(op) &&
        !isa<bufferization::BufferizableOpInterface>(op)) {
      op->emitOpError("has no lowering for a CPU; expected ops of linalg, "
                      "tensor, vector, scf, arith and math in @")
          << function.getName();
      return WalkResult::interrupt();
    }
    auto effecting = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effecting)
      return WalkResult::advance();
    SmallVector<MemoryEffects::EffectInstance> effects;
    effecting.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (!effect.getValue() && isa<MemoryEffects::Write>(effect.getEffect())) {
        op->emitOpError("has side effects; expected ops on tensors only: move "
                        "it out of @")
            << function.getName();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Writes `value` to `output`. A result that is only viewed in another shape at
/// the end is written in its own, through a view of the buffer: bufferization
/// looks for the tensor that the result starts from in the buffer's shape only,
/// and would else compute it elsewhere and copy.
static void materialize(OpBuilder &builder, Location loc, Value value,
                        Value output) {
  Block *body = output.getParentBlock();
  OpBuilder views = OpBuilder::atBlockBegin(body);
  while (value.hasOneUse()) {
    Operation *reshape = value.getDefiningOp();
    if (!isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            reshape))
      break;
    Value source = reshape->getOperand(0);
    auto type = cast<RankedTensorType>(source.getType());
    if (!type.hasStaticShape())
      break;
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape))
      output =
          memref::ExpandShapeOp::create(views, loc, type.getShape(), output,
                                        collapse.getReassociationIndices());
    else
      output = memref::CollapseShapeOp::create(
          views, loc, output,
          cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices());
    value = source;
  }
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), value, output,
      /*restrict=*/true, /*writable=*/true);
}

static LogicalResult convert(func::FuncOp function) {
  if (failed(checkEffects(function)))
    return failure();
  if (!function.getBody().hasOneBlock())
    return emitError(function.getLoc(),
                     "has control flow between blocks; expected one "
                     "block of structured ops");
  Block &body = function.getBody().front();
  auto ret = cast<func::ReturnOp>(body.getTerminator());
  OpBuilder builder(function.getContext());
  SmallVector<Type> types;
  SmallVector<MemRefType> results;
  for (BlockArgument argument : body.getArguments()) {
    if (argument.getType().isIntOrIndexOrFloat()) {
      types.push_back(argument.getType());
      continue;
    }
    types.push_back(
        getBufferType(argument.getLoc(), argument.getType(),
                      "argument " + std::to_string(argument.getArgNumber())));
    if (!types.back())
      return failure();
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    results.push_back(
        getBufferType(function.getLoc(), type, "result " + std::to_string(i)));
    if (!results.back())
      return failure();
    types.push_back(results.back());
  }

  const unsigned inputs = body.getNumArguments();
  builder.setInsertionPointToStart(&body);
  for (unsigned i = 0; i != inputs; ++i) {
    BlockArgument argument = body.getArgument(i);
    auto buffer = dyn_cast<MemRefType>(types[i]);
    if (!buffer)
      continue;
    Type tensorType = argument.getType();
    argument.setType(buffer);
    auto tensor = bufferization::ToTensorOp::create(
        builder, argument.getLoc(), tensorType, argument,
        /*restrict=*/true, /*writable=*/false);
    argument.replaceAllUsesExcept(tensor.getResult(), tensor);
  }
  builder.setInsertionPoint(ret);
  SmallVector<BlockArgument> outputs;
  for (MemRefType type : results)
    outputs.push_back(body.addArgument(type, function.getLoc()));
  for (auto [value, output] : llvm::zip_equal(ret.getOperands(), outputs))
    materialize(builder, ret.getLoc(), value, output);
  ret->setOperands({});

  SmallVector<DictionaryAttr> attributes(types.size(),
                                         builder.getDictionaryAttr({}));
  for (unsigned i = 0, e = types.size(); i != e; ++i) {
    if (!isa<MemRefType>(types[i]))
      continue;
    NamedAttrList list;
    list.append(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    if (i < inputs)
      list.append(LLVM::LLVMDialect::getReadonlyAttrName(),
                  builder.getUnitAttr());
    attributes[i] = list.getDictionary(builder.getContext());
  }
  function.setType(builder.getFunctionType(types, {}));
  function.setAllArgAttrs(attributes);
  function.removeResAttrsAttr();
  return success();
}

namespace {
struct KernelABI : sched::impl::KernelABIPassBase<KernelABI> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isDeclaration() &&
          failed(convert(function)))
        return signalPassFailure();
  }
};
} // namespace
