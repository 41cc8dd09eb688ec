//===- BlockGroups.cpp - What one kernel computes by default --------------===//
//
// A default, not a schedule: it is there so that whatever comes is computed, by
// enough blocks and with neighbouring threads at neighbouring addresses.
//
//===----------------------------------------------------------------------===//

#include "BlockGroups.h"
#include "ContractionLoops.h"
#include "SimtOptions.h"
#include "StageLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Blocks that keep a large GPU busy: two for each of 132 multiprocessors.
static constexpr int64_t kManyBlocks = 264;
/// Fewer do not.
static constexpr int64_t kFewBlocks = 32;
/// Elements that a block of 256 threads handles in vectors of four.
static constexpr int64_t kBlockElements = 1024;
/// Less work than this is done before a second kernel has started.
static constexpr int64_t kLittleWork = 16384;
/// Neighbours of which one access takes whole sectors of memory.
static constexpr int64_t kWarp = 32;

BlockWork sched::getBlockWork(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return BlockWork::Map;
  if (std::optional<ContractionLoops> loops = ContractionLoops::get(op)) {
    // One row or column needs no tile: threads share the sums.
    const SmallVector<int64_t> extents = op.getStaticLoopRanges();
    auto isOne = [&](unsigned loop) { return extents[loop] == 1; };
    const bool isThin =
        llvm::all_of(loops->m, isOne) || llvm::all_of(loops->n, isOne);
    return isThin && !op->hasAttr(SimtOptions::name) ? BlockWork::Reduction
                                                     : BlockWork::Contraction;
  }
  return op.hasOnlyProjectedPermutations() ? BlockWork::Reduction
                                           : BlockWork::Window;
}

bool sched::isCheap(linalg::LinalgOp op) {
  int64_t steps = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    const bool isArithmetic =
        isa<math::FmaOp, math::AbsFOp>(inner) ||
        (isa<arith::ArithDialect>(inner.getDialect()) &&
         !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
              arith::RemSIOp, arith::RemUIOp>(inner));
    if (!isArithmetic && !isa<linalg::IndexOp>(inner))
      return false;
    steps += isArithmetic && !inner.hasTrait<OpTrait::ConstantLike>();
  }
  return steps <= 4;
}

bool sched::isVirtual(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
          tensor::PadOp, tensor::ConcatOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::CastOp, tensor::SplatOp,
          tensor::GenerateOp, tensor::FromElementsOp, linalg::FillOp,
          linalg::TransposeOp, linalg::BroadcastOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() == 0 &&
         SimtOptions::getKeep(op) == SimtOptions::Keep::Recompute;
}

linalg::LinalgOp BlockGroup::find(BlockWork work) const {
  if (getBlockWork(root) == work)
    return root;
  for (linalg::LinalgOp producer : producers)
    if (getBlockWork(producer) == work)
      return producer;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Grouping
//===----------------------------------------------------------------------===//

/// Iterations of all loops of `op`.
static int64_t countIterations(linalg::LinalgOp op) {
  int64_t count = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    count *= extent;
  return count;
}

/// How many blocks there may be at most.
static int64_t countPoints(const BlockGroup &group,
                           const llvm::SmallBitVector &shared) {
  linalg::LinalgOp root = group.root;
  const SmallVector<int64_t> extents = root.getStaticLoopRanges();
  int64_t points = 1;
  for (unsigned loop : shared.set_bits())
    points *= extents[loop];
  return points;
}

namespace {
/// Decides whether one producer joins a group.
class Joining {
public:
  Joining(BlockGroup &group, linalg::LinalgOp producer)
      : group(group), producer(producer), shared(group.shared),
        loops(producer.getNumLoops(), -1) {}

  /// Adds the producer, or leaves the group as it is.
  bool join() {
    if (SimtOptions::getKeep(producer) == SimtOptions::Keep::Memory ||
        !followUses() || !isWorthwhile())
      return false;
    group.shared = shared;
    group.rootLoops[producer] = loops;
    group.producers.push_back(producer);
    return true;
  }

private:
  /// Relates the producer's loops to the root's, by every use. Fails where one
  /// is outside of the group, or does not say which elements it reads.
  bool followUses() {
    bool isFirst = true;
    for (OpResult result : producer->getResults()) {
      const AffineMap made = producer.getIndexingMapMatchingResult(result);
      if (!made.isProjectedPermutation())
        return false;
      for (OpOperand &use : result.getUses()) {
        if (!group.contains(use.getOwner()))
          return false;
        auto user = cast<linalg::LinalgOp>(use.getOwner());
        isWindowed |= getBlockWork(user) == BlockWork::Window;
        feedsContraction |= getBlockWork(user) == BlockWork::Contraction &&
                            !user.isDpsInit(&use);
        const AffineMap read = user.getMatchingIndexingMap(&use);
        SmallVector<int64_t> found(loops.size(), -1);
        const SmallVector<int64_t> &userLoops = group.rootLoops[user];
        for (auto [made, read] :
             llvm::zip_equal(made.getResults(), read.getResults())) {
          if (auto dim = dyn_cast<AffineDimExpr>(read))
            found[cast<AffineDimExpr>(made).getPosition()] =
                userLoops[dim.getPosition()];
        }
        if (isFirst)
          loops = found;
        for (auto [loop, other] : llvm::zip_equal(loops, found)) {
          if (loop == other)
            continue;
          // Two uses in different places: no block has both in its tile.
          if (getBlockWork(producer) != BlockWork::Map)
            return false;
          for (int64_t root : {loop, other})
            if (root >= 0)
              shared.reset(root);
          loop = -1;
        }
        isFirst = false;
      }
    }
    return !isFirst;
  }

  bool isWorthwhile() {
    const BlockWork work = getBlockWork(producer);
    linalg::LinalgOp contraction = group.find(BlockWork::Contraction);
    if (work == BlockWork::Map)
      return (!feedsContraction && !isWindowed) || isCheap(producer);
    // A block must not repeat a reduction that another one has done.
    llvm::SmallBitVector own(shared.size());
    for (int64_t loop : loops)
      if (loop >= 0)
        own.set(loop);
    shared &= own;
    if (work == BlockWork::Contraction)
      return !contraction && !group.find(BlockWork::Reduction) &&
             !group.find(BlockWork::Window) && shared.all();
    if (contraction || isWindowed || group.find(BlockWork::Window))
      return false;
    if (work == BlockWork::Window)
      return !group.find(BlockWork::Reduction) && shared.all();
    const int64_t before = countPoints(group, group.shared),
                  after = countPoints(group, shared);
    int64_t alone = 1;
    for (auto [extent, kind] : llvm::zip_equal(
             producer.getStaticLoopRanges(), producer.getIteratorTypesArray()))
      alone *= kind == utils::IteratorType::parallel ? extent : 1;
    // One block does all of it, with what others are made of at hand.
    int64_t inOneBlock =
        std::max(countIterations(producer), countIterations(group.root));
    for (linalg::LinalgOp other : group.producers)
      if (getBlockWork(other) != BlockWork::Map)
        inOneBlock += countIterations(other);
    return after >= kFewBlocks || (after == before && alone <= after) ||
           inOneBlock <= kLittleWork;
  }

  BlockGroup &group;
  linalg::LinalgOp producer;
  llvm::SmallBitVector shared;
  SmallVector<int64_t> loops;
  bool isWindowed = false, feedsContraction = false;
};
} // namespace

static BlockGroup startGroup(linalg::LinalgOp root) {
  BlockGroup group;
  group.root = root;
  SmallVector<int64_t> loops(root.getNumLoops());
  group.shared.resize(loops.size());
  for (auto [loop, kind] : llvm::enumerate(root.getIteratorTypesArray())) {
    const bool isParallel = kind == utils::IteratorType::parallel;
    loops[loop] = isParallel ? int64_t(loop) : -1;
    group.shared[loop] = isParallel;
  }
  group.rootLoops[root] = loops;
  return group;
}

SmallVector<BlockGroup> sched::groupForBlocks(Block &block) {
  SmallVector<linalg::LinalgOp> ops;
  for (Operation &op : llvm::reverse(block))
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && !isVirtual(&op))
      ops.push_back(linalgOp);
  SmallVector<BlockGroup> groups;
  llvm::SmallPtrSet<Operation *, 16> taken;
  for (auto [position, op] : llvm::enumerate(ops)) {
    if (!taken.insert(op).second)
      continue;
    BlockGroup group = startGroup(op);
    for (linalg::LinalgOp producer : llvm::drop_begin(ops, position + 1))
      if (!taken.contains(producer) && Joining(group, producer).join())
        taken.insert(producer);
    groups.push_back(std::move(group));
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Gives the innermost of `loops` (outermost first) as many elements of a
/// block's `budget` as they have, then the next.
static void spend(ArrayRef<int64_t> extents, ArrayRef<unsigned> loops,
                  int64_t budget, SmallVectorImpl<int64_t> &tile) {
  for (unsigned loop : llvm::reverse(loops)) {
    const int64_t size =
        extents[loop] <= budget
            ? extents[loop]
            : int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(budget, 1))));
    tile[loop] = size;
    budget /= std::max<int64_t>(size, 1);
  }
}

static int64_t countBlocks(ArrayRef<int64_t> extents, ArrayRef<int64_t> tile) {
  int64_t blocks = 1;
  for (auto [extent, size] : llvm::zip_equal(extents, tile))
    if (size != 0)
      blocks *= llvm::divideCeil(extent, size);
  return blocks;
}

/// The root's loops that go with `loops` of `op`, as far as blocks share them.
static SmallVector<unsigned>
getRootLoops(const BlockGroup &group, Operation *op, ArrayRef<unsigned> loops) {
  SmallVector<unsigned> result;
  const SmallVector<int64_t> &ofRoot = group.rootLoops.find(op)->second;
  for (unsigned loop : loops)
    if (ofRoot[loop] >= 0 && group.shared[ofRoot[loop]])
      result.push_back(ofRoot[loop]);
  return result;
}

/// Rows and columns of a product in squares.
static SmallVector<int64_t> tileContraction(const BlockGroup &group,
                                            linalg::LinalgOp op,
                                            ArrayRef<int64_t> extents) {
  const ContractionLoops loops = *ContractionLoops::get(op);
  SmallVector<unsigned> rows = getRootLoops(group, op, loops.m),
                        columns = getRootLoops(group, op, loops.n);
  llvm::sort(rows);
  llvm::sort(columns);
  SmallVector<int64_t> tile;
  for (const int64_t side : {64, 32, 16}) {
    tile.assign(extents.size(), 0);
    for (unsigned loop : group.shared.set_bits())
      tile[loop] = 1;
    spend(extents, rows, side, tile);
    spend(extents, columns, side, tile);
    if (countBlocks(extents, tile) >= kFewBlocks)
      break;
  }
  return tile;
}

/// The loop of `op` that steps through the largest operand's memory, or -1.
static int64_t getContiguousLoop(linalg::LinalgOp op) {
  int64_t loop = -1, most = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(operand);
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type || map.getNumResults() == 0 || type.getNumElements() <= most)
      continue;
    most = type.getNumElements();
    auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
    loop = dim ? int64_t(dim.getPosition()) : -1;
  }
  return loop;
}

SmallVector<int64_t> BlockGroup::chooseTile() const {
  linalg::LinalgOp op = root;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  const SmallVector<unsigned> loops(shared.set_bits_begin(),
                                    shared.set_bits_end());
  SmallVector<int64_t> tile(extents.size(), 0);
  if (loops.empty())
    return tile;
  if (linalg::LinalgOp contraction = find(BlockWork::Contraction)) {
    tile = tileContraction(*this, contraction, extents);
  } else if (linalg::LinalgOp reduction = find(BlockWork::Reduction);
             reduction && !matchCombiners(reduction).empty()) {
    // What a block has to read for each point of the shared loops.
    int64_t row = 1;
    for (linalg::LinalgOp member : producers)
      row = std::max(row, countIterations(member));
    row = std::max<int64_t>(
        std::max(row, countIterations(op)) / countPoints(*this, shared), 1);
    const int64_t inner = getContiguousLoop(reduction);
    const bool isColumn =
        inner >= 0 && reduction.getIteratorTypesArray()[inner] ==
                          utils::IteratorType::parallel;
    int64_t budget = std::max<int64_t>(2 * kBlockElements / row, 1);
    if (isColumn)
      budget = std::max(budget, kWarp);
    const int64_t least = isColumn ? kWarp : 1;
    do {
      spend(extents, loops, budget, tile);
      budget /= 2;
    } while (budget >= least && countBlocks(extents, tile) < kManyBlocks);
  } else {
    // Where one operand is read along another loop than the result is written,
    // a square has whole sectors of both.
    int64_t other = -1;
    const int64_t inner = loops.back();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      const AffineMap map = op.getMatchingIndexingMap(operand);
      if (map.getNumResults() == 0)
        continue;
      auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
      if (dim && map.isFunctionOfDim(inner) && dim.getPosition() != inner)
        other = dim.getPosition();
    }
    const bool isSerial = find(BlockWork::Window) || find(BlockWork::Reduction);
    int64_t budget = isSerial ? kBlockElements / 4 : kBlockElements;
    if (other >= 0 && shared[other] && extents[other] > 1 &&
        extents[inner] > 1) {
      for (unsigned loop : loops)
        tile[loop] = 1;
      tile[other] = std::min(extents[other], kWarp);
      tile[inner] = std::min(extents[inner], kWarp);
    } else {
      do {
        spend(extents, loops, budget, tile);
        budget /= 2;
      } while (budget >= (isSerial ? kWarp : 4 * kWarp) &&
               countBlocks(extents, tile) < kManyBlocks);
    }
  }
  // A loop that one tile covers is none of the loop over blocks.
  for (auto [size, extent] : llvm::zip_equal(tile, extents))
    if (size >= extent)
      size = 0;
  if (llvm::all_of(tile, [](int64_t size) { return size == 0; }))
    tile[loops.front()] = extents[loops.front()];
  return tile;
}
