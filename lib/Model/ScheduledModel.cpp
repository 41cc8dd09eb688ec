//===- ScheduledModel.cpp - The nest of scheduled code --------------------===//

#include "SchedOpt/Model/ScheduledModel.h"
#include "PayloadModel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;
using Kind = NestNode::Kind;

namespace {

/// A loop around an op, or a dimension of a parallel one.
struct SurroundingLoop {
  Value iv;
  int64_t trips;
  bool isParallel;
};

/// Follows tensors to where slices of them are taken.
class SliceReader {
public:
  /// The induction variables that say which part of `tensor`, along its
  /// dimension `dim`, it is of something larger.
  void collect(Value tensor, unsigned dim, llvm::SetVector<Value> &ivs) {
    // Loops of producers lead back to tensors seen before.
    if (!seen.insert({tensor, dim}).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      if (Value outside = getInit(argument))
        collect(outside, dim, ivs);
      return;
    }
    Operation *op = tensor.getDefiningOp();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      const unsigned from = getSourceDim(slice, dim);
      if (auto offset = dyn_cast<Value>(slice.getMixedOffsets()[from]))
        collectFrom(offset, ivs);
      collect(slice.getSource(), from, ivs);
    } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      collect(pad.getSource(), dim, ivs);
    } else if (auto renamed = dyn_cast<tensor::CastOp>(op)) {
      collect(renamed.getSource(), dim, ivs);
    } else if (auto producer = dyn_cast<linalg::LinalgOp>(op)) {
      AffineMap map =
          producer.getIndexingMapMatchingResult(cast<OpResult>(tensor));
      if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim)))
        collect(producer, loop.getPosition(), ivs);
    }
  }

  /// The same for a loop of `op`.
  void collect(linalg::LinalgOp op, unsigned loop,
               llvm::SetVector<Value> &ivs) {
    for (OpOperand &operand : op->getOpOperands())
      for (auto [i, result] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(result);
            dim && dim.getPosition() == loop)
          collect(operand.get(), i, ivs);
  }

  /// Elements between neighbours along each dimension, in what a slice is of.
  static SmallVector<int64_t> getStrides(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> strides(type.getRank(), 1);
    if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
      const SmallVector<int64_t> source = getStrides(slice.getSource());
      for (unsigned i = 0, e = strides.size(); i != e; ++i)
        strides[i] = source[getSourceDim(slice, i)];
      return strides;
    }
    int64_t stride = 1;
    for (int64_t i = type.getRank(); i-- > 0; stride *= type.getDimSize(i))
      strides[i] = stride;
    return strides;
  }

private:
  static unsigned getSourceDim(tensor::ExtractSliceOp slice, unsigned dim) {
    const llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (unsigned i = 0, e = dropped.size(); i != e; ++i)
      if (!dropped[i] && dim-- == 0)
        return i;
    llvm_unreachable("a slice has no more dimensions than its source");
  }

  /// What a tensor that a loop carries begins as; null elsewhere.
  static Value getInit(BlockArgument argument) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      OpOperand *init = loop.getTiedLoopInit(argument);
      return init ? init->get() : Value();
    }
    if (auto loop = dyn_cast<scf::ForallOp>(owner))
      if (argument.getArgNumber() >= loop.getRank())
        return loop.getTiedOpOperand(argument)->get();
    return Value();
  }

  static void collectFrom(Value index, llvm::SetVector<Value> &ivs) {
    if (isa<BlockArgument>(index)) {
      ivs.insert(index);
      return;
    }
    for (Value operand : index.getDefiningOp()->getOperands())
      collectFrom(operand, ivs);
  }

  llvm::DenseSet<std::pair<Value, unsigned>> seen;
};

class CodeReader {
public:
  CodeReader(ProgramBuilder &builder) : builder(builder) {}

  LogicalResult read(linalg::LinalgOp op) {
    FailureOr<SmallVector<SurroundingLoop>> loops = getLoops(op);
    if (failed(loops) || !op.hasPureTensorSemantics() || op.hasDynamicShape())
      return failure();
    const SmallVector<int64_t> tile = op.getStaticLoopRanges();
    // Which loop belongs to which dimension; what belongs to none repeats all.
    SmallVector<std::optional<unsigned>> owners(loops->size());
    for (unsigned dim = 0, e = tile.size(); dim != e; ++dim) {
      llvm::SetVector<Value> ivs;
      SliceReader().collect(op, dim, ivs);
      for (auto [owner, loop] : llvm::zip_equal(owners, *loops))
        if (!owner && ivs.contains(loop.iv))
          owner = dim;
    }
    SmallVector<int64_t> extents = tile;
    for (auto [owner, loop] : llvm::zip_equal(owners, *loops))
      if (owner)
        extents[*owner] *= loop.trips;
    SmallVector<uint8_t> dims;
    for (auto [i, extent] : llvm::enumerate(extents))
      dims.push_back(
          builder.addDim("d" + std::to_string(i), builder.constant(extent)));
    BlockPlan plan = makeBlock(op, dims, builder, SliceReader::getStrides,
                               [](Value) { return kNoBuffer; });
    plan.name = "block" + std::to_string(count++);
    const SmallVector<uint8_t> own = dims;
    for (auto [owner, loop] : llvm::zip_equal(owners, *loops))
      if (!owner)
        plan.dims.insert(
            plan.dims.begin(),
            builder.addDim("repeat", builder.constant(loop.trips)));
    SmallVector<uint8_t> repeats(plan.dims.begin(),
                                 plan.dims.end() - own.size());
    const uint16_t block = builder.addBlock(std::move(plan));
    for (auto [owner, loop] : llvm::zip_equal(owners, *loops)) {
      const uint8_t dim = owner ? own[*owner] : repeats.pop_back_val();
      int64_t left = loop.trips;
      if (owner)
        left = extents[*owner];
      const int64_t size = left / loop.trips;
      if (owner)
        extents[*owner] = size;
      auto node = builder.wrap(
          {block}, loop.isParallel ? Kind::Forall : Kind::Loop, dim,
          builder.constant(loop.isParallel ? loop.trips : size));
      if (!node) {
        llvm::consumeError(node.takeError());
        return failure();
      }
    }
    return success(builder.findProblem().empty());
  }

private:
  /// From the outermost inwards.
  static FailureOr<SmallVector<SurroundingLoop>> getLoops(Operation *op) {
    SmallVector<SurroundingLoop> loops;
    while ((op = op->getParentOp()) && !isa<func::FuncOp>(op)) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        std::optional<APInt> trips = loop.getStaticTripCount();
        if (!trips || trips->isZero())
          return failure();
        loops.push_back({loop.getInductionVar(), trips->getSExtValue(), false});
      } else if (auto parallel = dyn_cast<scf::ForallOp>(op)) {
        for (unsigned i = parallel.getRank(); i-- > 0;) {
          auto first = getConstantIntValue(parallel.getMixedLowerBound()[i]),
               last = getConstantIntValue(parallel.getMixedUpperBound()[i]),
               step = getConstantIntValue(parallel.getMixedStep()[i]);
          if (!first || !last || !step || *last <= *first || *step < 1)
            return failure();
          loops.push_back({parallel.getInductionVar(i),
                           llvm::divideCeilSigned(*last - *first, *step),
                           true});
        }
      } else {
        return failure();
      }
    }
    std::reverse(loops.begin(), loops.end());
    return loops;
  }

  ProgramBuilder &builder;
  unsigned count = 0;
};

} // namespace

FailureOr<Program> sched::readScheduledCode(func::FuncOp function,
                                            const Target &target,
                                            double flops) {
  ProgramBuilder builder;
  CodeReader reader(builder);
  bool isEmpty = true;
  WalkResult result = function.walk([&](linalg::LinalgOp op) {
    isEmpty = false;
    return WalkResult(reader.read(op));
  });
  if (isEmpty || result.wasInterrupted())
    return failure();
  return std::move(builder).finish(target, flops);
}
