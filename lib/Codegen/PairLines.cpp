//===- PairLines.cpp - Tiles of neighbouring lines ------------------------===//
//
// A tile register has 16 rows. Where a line of an image has no more, its tile
// meets each tile of weights once, and the weights, which come from the second
// cache, take longer than the products:
//
//   for line:                         for line by 2:
//     for step:                         for step:
//       tile += A[line] * B               B is loaded
//                                         tile0 += A[line] * B
//                                         tile1 += A[line + 1] * B
//
// The loop over lines is unrolled, and its loops over the steps become one.
// With a tile of one column there are four lines.
//
//===----------------------------------------------------------------------===//

#include "PairLines.h"
#include "Buffers.h"
#include "NarrowContraction.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

namespace {
/// A loop around the loops over the steps of one product.
class LinesLoop {
public:
  /// None where iterations may depend on each other, or share no operand.
  static std::optional<LinesLoop> match(const NarrowContraction &product);

  /// Computes iterations side by side; whether there are several.
  bool pair();

  Operation *getLoop() { return loop; }

private:
  bool climb(Operation *inner);
  bool visit(Block &body, Operation *nest);
  bool isApart(vector::TransferReadOp read, vector::TransferWriteOp write);
  bool isIndependent();

  scf::ForOp loop;
  /// Those over the steps, innermost first.
  SmallVector<scf::ForOp> steps;
  /// Iterations that there are registers for.
  int64_t most = 1;
  SmallVector<vector::TransferReadOp> reads;
  SmallVector<vector::TransferWriteOp> writes;
};
} // namespace

/// Collects what the ops of `body` but `nest` read and write; whether they do
/// nothing else. What is written before the nest would come before what the
/// line before it writes behind. Without a nest all of it is behind one.
bool LinesLoop::visit(Block &body, Operation *nest) {
  return llvm::all_of(body, [&](Operation &op) {
    if (&op == nest)
      return true;
    // Rows that have no place in a result are not written.
    if (auto branch = dyn_cast<scf::IfOp>(op);
        branch && !branch.elseBlock() &&
        (!nest || nest->isBeforeInBlock(branch)))
      return visit(*branch.thenBlock(), /*nest=*/nullptr);
    if (op.getNumRegions() != 0)
      return false;
    if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
      writes.push_back(write);
      return !nest || nest->isBeforeInBlock(write);
    }
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      reads.push_back(read);
      return true;
    }
    return isMemoryEffectFree(&op);
  });
}

/// Goes up from the product, through the loops over the steps, to the loop
/// whose iterations write results.
bool LinesLoop::climb(Operation *inner) {
  auto outer = dyn_cast<scf::ForOp>(inner->getParentOp());
  if (!outer || !outer.getInductionVar().getType().isIndex() ||
      !outer.getStaticTripCount() || !visit(*outer.getBody(), inner))
    return false;
  if (outer.getNumResults() == 0) {
    loop = outer;
    return true;
  }
  steps.push_back(outer);
  return outer.getNumResults() == 1 && writes.empty() && climb(outer);
}

/// Whether each place in `memory`, of its own for each element, is the same in
/// all iterations of `loop`.
static bool isFixed(Value memory, scf::ForOp loop) {
  if (!loop.isDefinedOutsideOfLoop(memory))
    return false;
  while (isa_and_present<memref::SubViewOp, memref::ExpandShapeOp,
                         memref::CollapseShapeOp, memref::CastOp>(
      memory.getDefiningOp()))
    memory = memory.getDefiningOp()->getOperand(0);
  auto type = dyn_cast<MemRefType>(memory.getType());
  return type && type.getLayout().isIdentity() && getRoot(memory) == memory;
}

/// Whether each iteration reads and writes a place of its own, the same for
/// both: the loop's variable says which element of a dimension it is in.
bool LinesLoop::isApart(vector::TransferReadOp read,
                        vector::TransferWriteOp write) {
  const Value line = loop.getInductionVar();
  if (read.getBase() != write.getBase() ||
      read.getVectorType() != write.getVectorType() ||
      read.getPermutationMap() != write.getPermutationMap() ||
      !llvm::equal(read.getIndices(), write.getIndices()))
    return false;
  for (auto [dim, index] : llvm::enumerate(write.getIndices()))
    if (index == line && !write.getPermutationMap().isFunctionOfDim(dim))
      return isFixed(write.getBase(), loop);
  Value memory = write.getBase();
  while (auto view = memory.getDefiningOp<memref::SubViewOp>()) {
    memory = view.getSource();
    for (auto [start, size] :
         llvm::zip_equal(view.getMixedOffsets(), view.getMixedSizes()))
      if (start == OpFoldResult(line) && isConstantIntValue(size, 1))
        return isFixed(memory, loop);
  }
  return false;
}

/// Whether no iteration reads what another one writes.
bool LinesLoop::isIndependent() {
  return llvm::all_of(writes, [&](vector::TransferWriteOp write) {
    Value written = getRoot(write.getBase());
    return isOwnBuffer(written) &&
           llvm::all_of(reads, [&](vector::TransferReadOp read) {
             Value other = getRoot(read.getBase());
             return other == written ? isApart(read, write)
                                     : isOwnBuffer(other);
           });
  });
}

/// Whether `value` is another one in another iteration of `loop`, within which
/// all other loops have the same bounds.
static bool dependsOn(Value value, scf::ForOp loop) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  return failed(getBackwardSlice(value, &slice, options)) ||
         llvm::any_of(slice, [&](Operation *op) {
           return llvm::is_contained(op->getOperands(), loop.getInductionVar());
         });
}

std::optional<LinesLoop> LinesLoop::match(const NarrowContraction &product) {
  LinesLoop lines;
  lines.most = countPairedLines(product.rows, product.columns);
  // Without a loop over steps, each line would still read for itself.
  if (lines.most == 1 || !lines.climb(product.op) || lines.steps.empty() ||
      lines.writes.empty() || !lines.isIndependent() ||
      dependsOn(product.rhs, lines.loop))
    return std::nullopt;
  for (scf::ForOp inner : lines.steps)
    for (Value bound :
         {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      if (!lines.loop.isDefinedOutsideOfLoop(bound))
        return std::nullopt;
  return lines;
}

bool LinesLoop::pair() {
  bool changed = false;
  std::optional<int64_t> start = getConstantIntValue(loop.getLowerBound()),
                         step = getConstantIntValue(loop.getStep());
  const std::optional<APInt> trips = loop.getStaticTripCount();
  if (!start || !step || !trips)
    return false;
  for (int64_t left = trips->getSExtValue(); left > 1;) {
    const int64_t lines = std::min(left, most), rest = left % lines;
    OpBuilder b(loop->getContext());
    scf::ForOp remainder;
    if (rest != 0) {
      // What is left over follows.
      b.setInsertionPointAfter(loop);
      remainder = cast<scf::ForOp>(b.clone(*loop));
      b.setInsertionPoint(loop);
      *start += (left - rest) * *step;
      Value middle = arith::ConstantIndexOp::create(b, loop.getLoc(), *start);
      loop.setUpperBound(middle);
      remainder.setLowerBound(middle);
      changed = true;
    }
    changed |= succeeded(loopUnrollJamByFactor(loop, lines));
    loop = remainder;
    left = rest;
  }
  return changed;
}

bool sched::pairLines(Operation *function,
                      ArrayRef<NarrowContraction> products) {
  // Several products may be in one loop, but only one has loops over steps.
  llvm::MapVector<Operation *, LinesLoop> found;
  for (const NarrowContraction &product : products)
    if (std::optional<LinesLoop> lines = LinesLoop::match(product))
      found.insert({lines->getLoop(), *lines});
  bool changed = false;
  for (auto &[loop, lines] : found)
    changed |= lines.pair();
  return changed;
}
