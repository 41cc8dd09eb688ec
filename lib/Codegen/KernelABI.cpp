//===- KernelABI.cpp - Buffers for arguments and results ------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace sched {
#define GEN_PASS_DEF_KERNELABIPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// The buffer of a tensor; null, after an error at `loc`, if it has none.
static MemRefType getBufferType(Location loc, Type type, StringRef what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
      MemRefType::isValidElementType(tensor.getElementType()))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  emitError(loc)
      << what << " has type " << type
      << "; expected a dense ranked tensor of static shape: pass linalg on "
         "tensors with constant sizes";
  return {};
}

/// Whether something reads a tensor that `op` makes, or `op` reads one for it.
static bool isOnTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return (llvm::any_of(op->getOperandTypes(), isTensor) ||
          llvm::any_of(op->getResultTypes(), isTensor)) &&
         !isOpTriviallyDead(op);
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
    if ((hasUnknownEffects(op) || isOnTensors(op)) &&
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

static bool isReshape(Operation *op) {
  return isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
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
    if (!isReshape(reshape))
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

/// What the tensor `value` is a later state of, as the op that makes it names
/// it; null if it begins there.
static OpOperand *getEarlierState(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  Operation *op = result.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return &insert.getDestMutable();
  if (auto write = dyn_cast<DestinationStyleOpInterface>(op))
    return write.getTiedOpOperand(result);
  if (isa<scf::ForOp, scf::ForallOp>(op))
    return cast<LoopLikeOpInterface>(op).getTiedLoopInit(result);
  return isReshape(op) ? &op->getOpOperand(0) : nullptr;
}

/// Whether the op of `use` writes all of a tensor and reads none of it.
static bool overwrites(OpOperand *use) {
  if (auto op = dyn_cast<linalg::LinalgOp>(use->getOwner()))
    return !op.payloadUsesValueFromOperand(use) &&
           op.getMatchingIndexingMap(use).isPermutation();
  auto write = dyn_cast<vector::TransferWriteOp>(use->getOwner());
  return write && !write.getMask() && !write.hasOutOfBoundsDim() &&
         write.getVectorType().getNumElements() ==
             cast<RankedTensorType>(use->get().getType()).getNumElements();
}

/// Lets `value`, a result that updates an argument, as the cache of a decoder's
/// keys, begin as a copy of it. Bufferization, which must not write to the
/// argument, would make the copy elsewhere and copy the result once more. Of an
/// argument that the first op writes all of, nothing is copied.
static void beginAsCopy(Value value) {
  OpOperand *use = getEarlierState(value), *first = nullptr;
  for (; use; use = getEarlierState(use->get())) {
    // The view that is updated is copied: others may read the argument.
    if (!isReshape(use->getOwner()))
      first = use;
    if (use->get().getDefiningOp<bufferization::ToTensorOp>())
      break;
  }
  if (!use || !first)
    return;
  Value before = first->get();
  auto type = cast<RankedTensorType>(before.getType());
  OpBuilder builder(first->getOwner());
  const Location loc = first->getOwner()->getLoc();
  Value start = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  if (!overwrites(first))
    start = linalg::CopyOp::create(builder, loc, before, start).getResult(0);
  first->set(start);
}

/// Gives each op that writes to an empty tensor, or to a fill of one, such a
/// tensor of its own. Bufferization puts one of them where a result goes, and
/// the others would be written there, too.
static void splitSharedStarts(func::FuncOp function) {
  SmallVector<Operation *> starts;
  function.walk([&](Operation *op) {
    if (isa<linalg::FillOp, tensor::EmptyOp>(op) && op->getNumResults() == 1)
      starts.push_back(op);
  });
  // The fills of an empty tensor first, as their copies use it, too.
  for (Operation *op : llvm::reverse(starts)) {
    SmallVector<OpOperand *> uses =
        llvm::map_to_vector(op->getUses(), [](OpOperand &use) { return &use; });
    for (OpOperand *use : llvm::drop_begin(uses, uses.empty() ? 0 : 1)) {
      OpBuilder builder(op);
      use->set(builder.clone(*op)->getResult(0));
    }
  }
}

/// Adds the tensors to `seen` whose buffer `value` may be in. Returns whether
/// any of them was there.
static bool collectStarts(Value value, llvm::DenseSet<Value> &seen) {
  llvm::SetVector<Value> chain;
  chain.insert(value);
  for (unsigned i = 0; i != chain.size(); ++i) {
    auto result = dyn_cast<OpResult>(chain[i]);
    if (!result)
      continue;
    Operation *op = result.getOwner();
    if (auto write = dyn_cast<DestinationStyleOpInterface>(op)) {
      chain.insert(write.getTiedOpOperand(result)->get());
      continue;
    }
    // Of any other op, all that it could return.
    for (Value operand : op->getOperands())
      if (isa<TensorType>(operand.getType()))
        chain.insert(operand);
  }
  bool isShared = false;
  for (Value start : chain)
    isShared |= !seen.insert(start).second;
  return isShared;
}

/// The results as they are written, where none is in the buffer of another:
/// they are written one after the other, at the end.
static SmallVector<Value> separateResults(OpBuilder &builder,
                                          func::ReturnOp ret) {
  SmallVector<Value> results(ret.getOperands());
  llvm::DenseSet<Value> seen;
  for (auto [value, returned] : llvm::zip_equal(results, ret.getOperands()))
    // One that is returned twice is in its own buffer, whichever that is.
    if (Value &first =
            results[llvm::find(ret.getOperands(), returned).getIndex()];
        &first != &value)
      value = first;
    else if (collectStarts(value, seen))
      value = bufferization::AllocTensorOp::create(
          builder, ret.getLoc(), cast<RankedTensorType>(value.getType()),
          /*dynamicSizes=*/ValueRange(), /*copy=*/value);
  return results;
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
  for (Value value : ret.getOperands())
    beginAsCopy(value);
  builder.setInsertionPoint(ret);
  SmallVector<Value> values(ret.getOperands());
  if (values.size() > 1) {
    splitSharedStarts(function);
    values = separateResults(builder, ret);
  }
  SmallVector<BlockArgument> outputs;
  for (MemRefType type : results)
    outputs.push_back(body.addArgument(type, function.getLoc()));
  for (auto [value, output] : llvm::zip_equal(values, outputs))
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
