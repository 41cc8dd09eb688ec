//===- KeptDimensions.cpp - Results of reductions that keep dimensions ----===//
//
// A sum of rows of 2x64x300 may be 2x64x1, indexed by zero where it was
// reduced, as frontends write means, norms and poolings. Stages and
// contractions are indexed by loops alone: the sum becomes 2x64, by upstream's
// transformation, and so do the elementwise ops that follow it, whose loop over
// the dimension goes too. Only what comes from such a reduction changes; other
// dimensions of one element, such as a batch, stay what contractions around
// expect.
//
//===----------------------------------------------------------------------===//

#include "KeptDimensions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace sched;

/// Dimensions of one element that `expand` adds.
static llvm::SmallBitVector getAddedDims(tensor::ExpandShapeOp expand) {
  const ArrayRef<int64_t> shape = expand.getResultType().getShape();
  llvm::SmallBitVector added(shape.size());
  if (expand.getSrcType().getRank() == 0)
    return added.set();
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    // The one that is not of one element, or the first, was there before.
    auto kept =
        llvm::find_if(group, [&](int64_t dim) { return shape[dim] > 1; });
    if (kept == group.end())
      kept = group.begin();
    for (int64_t dim : group)
      if (dim != *kept)
        added.set(dim);
  }
  return added;
}

static bool isKept(linalg::GenericOp op, OpOperand &output) {
  auto type = cast<RankedTensorType>(output.get().getType());
  return llvm::any_of(
      llvm::zip_equal(op.getMatchingIndexingMap(&output).getResults(),
                      type.getShape()),
      [](auto dim) { return std::get<0>(dim) == 0 && std::get<1>(dim) == 1; });
}

void sched::foldReshape(RewriterBase &rewriter,
                        tensor::CollapseShapeOp reshape) {
  const RankedTensorType type = reshape.getResultType();
  const Location loc = reshape.getLoc();
  Value source = reshape.getSrc();
  auto createEmpty = [&]() -> Value {
    return tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                   type.getElementType());
  };
  rewriter.setInsertionPoint(reshape);
  Value folded;
  if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>();
      expand && expand.getSrcType() == type)
    folded = expand.getSrc();
  else if (source.getDefiningOp<tensor::EmptyOp>())
    folded = createEmpty();
  else if (auto fill = source.getDefiningOp<linalg::FillOp>())
    folded = linalg::FillOp::create(rewriter, loc, fill.value(), createEmpty())
                 .getResult(0);
  if (!folded)
    return;
  rewriter.replaceOp(reshape, folded);
  // A fill that nothing reads would be a task.
  if (auto fill = source.getDefiningOp<linalg::FillOp>();
      fill && fill->use_empty())
    rewriter.eraseOp(fill);
}

void sched::foldReshapes(RewriterBase &rewriter, ArrayRef<Value> values) {
  for (Value value : values)
    if (auto reshape = value.getDefiningOp<tensor::CollapseShapeOp>()) {
      auto expand = reshape.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
      foldReshape(rewriter, reshape);
      if (expand && expand->use_empty())
        rewriter.eraseOp(expand);
    }
}

FailureOr<linalg::GenericOp> sched::dropUnitDims(RewriterBase &rewriter,
                                                 linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  auto dropped =
      linalg::dropUnitDims(rewriter, op, linalg::ControlDropUnitDims());
  if (failed(dropped))
    return failure();
  rewriter.replaceOp(op, dropped->replacements);
  // A start value that is the same everywhere needs no reshape.
  auto result = cast<linalg::GenericOp>(dropped->resultOp.getOperation());
  if (auto reshape =
          result.getOutputs()[0].getDefiningOp<tensor::CollapseShapeOp>())
    foldReshape(rewriter, reshape);
  return result;
}

namespace {
/// Takes the ops of one function in program order.
class Dropper {
public:
  explicit Dropper(MLIRContext *context) : rewriter(context) {}

  /// Whether `op` changed.
  bool run(linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return false;
    bool drops = llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
      return isKept(op, output);
    });
    const AffineMap result = op.getIndexingMapsArray().back();
    const SmallVector<int64_t> extents = op.getStaticLoopRanges();
    SmallVector<unsigned> loops;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!made.contains(input->get()))
        continue;
      const AffineMap map = op.getMatchingIndexingMap(input);
      for (unsigned dim :
           getAddedDims(input->get().getDefiningOp<tensor::ExpandShapeOp>())
               .set_bits()) {
        AffineExpr index = map.getResult(dim);
        drops |= index == 0;
        // Where the input is indexed by zero, the loop that the result has
        // there.
        if (index == 0 && result.getNumResults() == map.getNumResults())
          index = result.getResult(dim);
        auto loop = dyn_cast<AffineDimExpr>(index);
        if (loop && extents[loop.getPosition()] == 1 &&
            op.isAllParallelLoops() &&
            !llvm::is_contained(loops, loop.getPosition()))
          loops.push_back(loop.getPosition());
      }
    }
    return (drops || !loops.empty()) && drop(op, std::move(loops));
  }

  /// Each would count as one more reader of what it reshapes. Comes last.
  void eraseUnused() {
    for (Value value : made)
      if (value.use_empty())
        rewriter.eraseOp(value.getDefiningOp());
    made.clear();
  }

private:
  /// Drops `loops`, and dimensions that are indexed by zero.
  bool drop(linalg::GenericOp op, SmallVector<unsigned> loops) {
    // Upstream wants at least one loop to be considered: of these, none has one
    // iteration.
    if (loops.empty())
      for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
        if (extent != 1)
          loops.push_back(loop);
    linalg::ControlDropUnitDims control;
    control.controlFn = [&](Operation *) { return loops; };
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, op, control);
    if (failed(dropped))
      return false;
    rewriter.replaceOp(op, dropped->replacements);
    for (Value value : dropped->replacements)
      if (value.getDefiningOp<tensor::ExpandShapeOp>())
        made.insert(value);
    for (Value operand : SmallVector<Value>(dropped->resultOp->getOperands()))
      if (auto reshape = operand.getDefiningOp<tensor::CollapseShapeOp>())
        foldReshape(rewriter, reshape);
    return true;
  }

  IRRewriter rewriter;
  /// What gives results of changed ops the dimensions again.
  llvm::DenseSet<Value> made;
};
} // namespace

bool sched::dropKeptDimensions(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  Dropper dropper(function.getContext());
  bool isChanged = false;
  for (linalg::GenericOp op : ops)
    isChanged |= dropper.run(op);
  dropper.eraseUnused();
  return isChanged;
}

void sched::shareReshapes(func::FuncOp function) {
  llvm::DenseMap<Value, SmallVector<tensor::CollapseShapeOp>> known;
  function.walk([&](tensor::CollapseShapeOp op) {
    auto &others = known[op.getSrc()];
    auto *same = llvm::find_if(others, [&](tensor::CollapseShapeOp other) {
      return other.getType() == op.getType() &&
             other->getBlock() == op->getBlock() &&
             other.getReassociation() == op.getReassociation();
    });
    if (same == others.end()) {
      others.push_back(op);
      return;
    }
    op.replaceAllUsesWith(same->getResult());
    op.erase();
  });
}
