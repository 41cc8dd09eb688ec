//===- StageLayout.cpp - Which thread computes which elements -------------===//

#include "StageLayout.h"
#include "BlockGroups.h"
#include "ElementTypes.h"
#include "SimtOptions.h"
#include "SumsInPlace.h"
#include "TileSizes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace sched;

/// Threads of a block, where nothing says.
static constexpr int64_t kLeastThreads = 32, kMostThreads = 256;
/// Bytes that a thread moves at once at most.
static constexpr int64_t kVectorBytes = 16;

int64_t sched::getUnrollLimit(int64_t blockSize) {
  // A block's registers are 64 K: of those of a thread, half hold elements.
  return blockSize <= 256 ? 64 : blockSize <= 512 ? 48 : 24;
}

SmallVector<Combiner> sched::matchCombiners(linalg::LinalgOp op) {
  const ArrayRef<BlockArgument> sums = op.getRegionOutputArgs();
  SmallVector<Combiner> combiners;
  for (unsigned number = 0; number != sums.size(); ++number) {
    SmallVector<Operation *> ops;
    if (!matchReduction(sums, number, ops) || ops.size() != 1)
      return {};
    Operation *combiner = ops.front();
    const std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
    if (!neutral || !sums[number].hasOneUse() ||
        op.getBlock()->getTerminator()->getOperand(number) !=
            combiner->getResult(0))
      return {};
    combiners.push_back({combiner, *neutral});
  }
  return combiners;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Whether the attribute of `op` has the key of ops that are no contractions.
static bool hasVectorKey(Operation *op) {
  auto attr = op->getAttrOfType<DictionaryAttr>(SimtOptions::name);
  return attr && attr.contains("vector");
}

bool sched::isStage(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  switch (getBlockWork(linalgOp)) {
  case BlockWork::Contraction:
    return hasVectorKey(op);
  case BlockWork::Window:
  case BlockWork::Reduction:
    return true;
  case BlockWork::Map:
    return SimtOptions::getKeep(op) == SimtOptions::Keep::Shared;
  }
  llvm_unreachable("all kinds of work are handled");
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

namespace {
class Planner {
public:
  explicit Planner(scf::ForallOp loop) : loop(loop) {}

  FailureOr<StagePlan> run();

private:
  struct Stage {
    Operation *op;
    mutable linalg::LinalgOp linalgOp;
    /// What has a dimension for each loop: of a store, the tile.
    Value tile;
    SmallVector<int64_t> extents;
    /// Loops that one thread goes through in order.
    llvm::SmallBitVector serial;
    /// Those and the loops of windows, which are too small to be shared.
    llvm::SmallBitVector unshared;
    int64_t work = 1;
    bool hasThreads = false;
  };
  using Node = LoopNode;

  void collect();
  LogicalResult describe(Stage &stage);
  Node getNode(const Stage &stage, int64_t number) const {
    return getLoopNode(stage.op, number);
  }
  /// Whether the loop is one of a reduction.
  static bool isReduction(const Stage &stage, int64_t number) {
    return stage.linalgOp && stage.linalgOp.getIteratorTypesArray()[number] ==
                                 utils::IteratorType::reduction;
  }
  Node getClass(Node node) { return classes.getOrInsertLeaderValue(node); }
  /// The loop of the stage that walks through memory.
  int64_t getContiguousLoop(const Stage &stage);
  /// The widest vectors along a loop, where a stage has `least` threads.
  int64_t chooseVector(const Stage &stage, int64_t inner, int64_t least);
  LogicalResult layOutAsTold(Stage &stage);
  void layOut(Stage &stage);

  scf::ForallOp loop;
  StagePlan plan;
  SmallVector<Stage> stages;
  llvm::EquivalenceClasses<Node> classes;
  std::map<Node, LoopLayout> ofClass;
};
} // namespace

void Planner::collect() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      continue;
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      const AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        auto position = dyn_cast<AffineDimExpr>(expr);
        if (!position)
          continue;
        const Node node(&op, position.getPosition());
        classes.unionSets(node, Node(operand.get().getAsOpaquePointer(), dim));
        if (linalgOp.isDpsInit(&operand))
          classes.unionSets(
              node,
              Node(linalgOp.getTiedOpResult(&operand).getAsOpaquePointer(),
                   dim));
      }
    }
    if (isStage(&op))
      stages.push_back({&op, linalgOp, {}, {}, {}, {}});
  }
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      if (!comesFromContraction(insert.getSource()))
        stages.push_back({&op, {}, insert.getSource(), {}, {}, {}});
}

LogicalResult Planner::describe(Stage &stage) {
  if (!stage.linalgOp) {
    const auto type = cast<RankedTensorType>(stage.tile.getType());
    for (int64_t dim = 0; dim != type.getRank(); ++dim)
      stage.extents.push_back(getBound(stage.tile, dim));
    stage.serial.resize(type.getRank());
    stage.unshared.resize(type.getRank());
  } else {
    linalg::LinalgOp op = stage.linalgOp;
    stage.extents.assign(op.getNumLoops(), -1);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        for (auto [dim, expr] :
             llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
          if (auto position = dyn_cast<AffineDimExpr>(expr))
            if (int64_t &extent = stage.extents[position.getPosition()];
                extent < 0)
              extent = getBound(operand.get(), dim);
    stage.serial.resize(op.getNumLoops());
    stage.unshared.resize(op.getNumLoops());
    const bool isSerial =
        op.getNumReductionLoops() != 0 && matchCombiners(op).empty();
    for (auto [number, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction) {
        stage.serial[number] = isSerial;
        stage.unshared[number] =
            isSerial || getBlockWork(op) == BlockWork::Window;
      }
  }
  for (auto [number, extent] : llvm::enumerate(stage.extents)) {
    if (extent < 0)
      return stage.op->emitError("the size of dimension ")
             << number
             << " of a block's tile has no constant bound; expected tiles of "
                "constant size, or of the least of one and what is left";
    stage.work *= stage.unshared[number] ? 1 : extent;
  }
  return success();
}

int64_t Planner::getContiguousLoop(const Stage &stage) {
  int64_t found = -1, most = 0;
  if (!stage.linalgOp) {
    for (auto [number, extent] : llvm::enumerate(stage.extents))
      if (extent > 1)
        found = number;
    return found;
  }
  linalg::LinalgOp op = stage.linalgOp;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    int64_t elements = 1, last = -1;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      last = dim ? int64_t(dim.getPosition()) : -1;
      for (auto [number, extent] : llvm::enumerate(stage.extents))
        if (expr.isFunctionOfDim(number))
          elements *= extent;
    }
    if (last < 0 || stage.unshared[last] || stage.extents[last] == 1 ||
        elements <= most)
      continue;
    most = elements;
    found = last;
  }
  return found;
}

int64_t Planner::chooseVector(const Stage &stage, int64_t inner,
                              int64_t least) {
  // Every tensor that has this dimension last.
  const Node leader = getClass(getNode(stage, inner));
  int64_t bytes = 1, width = stage.extents[inner] & -stage.extents[inner];
  bool isMixed = false;
  auto look = [&](Value tensor, bool isRead) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type || type.getRank() == 0)
      return;
    const int64_t last = type.getRank() - 1;
    for (int64_t dim = 0; dim <= last; ++dim) {
      if (getClass({tensor.getAsOpaquePointer(), dim}) != leader)
        continue;
      // Vectors are inside of a tile, or outside.
      const int64_t divisor = getSizeDivisor(tensor, dim);
      width = std::min(width, divisor & -divisor);
      // Only what comes last is known to be aligned.
      if (dim != last && llvm::all_of(type.getShape().drop_front(dim + 1),
                                      [](int64_t size) { return size == 1; }))
        width = 1;
    }
    if (getClass({tensor.getAsOpaquePointer(), last}) != leader)
      return;
    const Type element = type.getElementType();
    isMixed |= !element.isIndex() && element.getIntOrFloatBitWidth() < 8;
    bytes = std::max(bytes, getElementBytes(element));
    if (isRead && !tensor.getDefiningOp<linalg::LinalgOp>())
      width = std::min(width, getAlignedWidth(tensor));
  };
  for (auto op : loop.getBody()->getOps<linalg::LinalgOp>())
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isIntOrIndexOrFloat())
        continue;
      else
        look(operand.get(), op.isDpsInput(&operand));
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
      look(insert.getSource(), /*isRead=*/true);
      const int64_t last = insert.getDestType().getRank() - 1;
      // The destination's lines have to begin where a vector does.
      if (last >= 0 && insert.getSourceType().getRank() > 0 &&
          getClass({insert.getSource().getAsOpaquePointer(),
                    insert.getSourceType().getRank() - 1}) == leader)
        width = std::min(width, getAlignedWidth(insert.getDestType(),
                                                insert.getMixedOffsets()[last],
                                                insert.getMixedSizes()[last]));
    }
  if (isMixed)
    return 1;
  width = std::min(width, kVectorBytes / bytes);
  // Many threads with narrow accesses are better than few with wide ones.
  while (width > 1 && stage.work / width < least)
    width /= 2;
  return std::max<int64_t>(width, 1);
}

LogicalResult Planner::layOutAsTold(Stage &stage) {
  Operation *told = stage.op;
  SmallVector<int64_t> loopOf(stage.extents.size());
  std::iota(loopOf.begin(), loopOf.end(), 0);
  if (!stage.linalgOp) {
    auto producer = stage.tile.getDefiningOp<linalg::LinalgOp>();
    if (!producer || getBlockWork(producer) != BlockWork::Map)
      return success();
    told = producer;
    const AffineMap map =
        producer.getIndexingMapMatchingResult(cast<OpResult>(stage.tile));
    if (!map.isPermutation())
      return success();
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      loopOf[dim] = cast<AffineDimExpr>(expr).getPosition();
  }
  FailureOr<SimtOptions> options = SimtOptions::get(told);
  if (failed(options))
    return failure();
  if (options->threads.empty())
    return success();
  const size_t count = cast<linalg::LinalgOp>(told).getNumLoops();
  if (options->along && *options->along >= int64_t(count))
    return told->emitError("sched.simt: along is ")
           << *options->along << "; expected a loop of the op, less than "
           << count;
  if (options->threads.size() != count)
    return told->emitError("sched.simt: threads has ")
           << options->threads.size() << " numbers; expected " << count
           << ", one for each loop of the op";
  // Neighbours in a warp are neighbours along the vectors; the other loops
  // follow, the innermost first.
  const size_t along = options->along.value_or(count - 1);
  SmallVector<int64_t> strides(count, 1);
  int64_t threads = count == 0 ? 1 : options->threads[along];
  for (size_t number = count; number-- != 0;) {
    if (number == along)
      continue;
    strides[number] = threads;
    threads *= options->threads[number];
  }
  StageLayout layout;
  for (auto [number, extent] : llvm::enumerate(stage.extents)) {
    const int64_t of = loopOf[number];
    LoopLayout loop{extent, options->threads[of], strides[of], 1};
    if (stage.serial[number] && loop.threads > 1)
      return told->emitError("sched.simt: ")
             << loop.threads << " threads share loop " << of
             << ", over which the op reduces in order; expected 1";
    if (of == int64_t(along) && !stage.serial[number]) {
      loop.vector =
          std::min<int64_t>(options->vector.value_or(1), extent & -extent);
      if (loop.vector > 1)
        loop.vector = std::min(loop.vector, chooseVector(stage, number, 1));
    }
    layout.loops.push_back(loop);
    const Node leader = getClass(getNode(stage, number));
    ofClass.try_emplace(leader, loop);
  }
  plan.layouts[stage.op] = layout;
  stage.hasThreads = true;
  return success();
}

void Planner::layOut(Stage &stage) {
  StageLayout layout;
  bool isKnown = false;
  llvm::SmallBitVector known(stage.extents.size());
  SmallVector<int64_t> refused;
  for (auto [number, extent] : llvm::enumerate(stage.extents)) {
    LoopLayout loop;
    loop.extent = extent;
    auto found = ofClass.find(getClass(getNode(stage, number)));
    if (found != ofClass.end() && found->second.extent == extent &&
        !(stage.unshared[number] &&
          (found->second.threads > 1 || found->second.vector > 1))) {
      loop = found->second;
      known.set(number);
      // No element has two vectors: along other loops it is one of many.
      if (layout.getVectorLoop() >= 0)
        loop.vector = 1;
      // Two loops that one dimension goes with: the first one has it.
      for (size_t other = 0; other != number; ++other)
        if (known[other] && layout.loops[other].threads > 1 &&
            layout.loops[other].stride == loop.stride)
          loop = {extent, 1, 1, 1};
      isKnown = true;
    }
    layout.loops.push_back(loop);
    if (!layout.hasOwnDigits()) {
      layout.loops.back() = {extent, 1, 1, 1};
      refused.push_back(number);
    }
  }
  // Loops of stages that had none in common are dealt out by the same threads:
  // what cannot be taken over gets those that are left below the others.
  int64_t left = std::numeric_limits<int64_t>::max(), below = 1;
  for (const LoopLayout &loop : layout.loops)
    if (loop.threads > 1)
      left = std::min(left, loop.stride);
  for (int64_t number : llvm::reverse(refused)) {
    LoopLayout &loop = layout.loops[number];
    loop.threads =
        std::min<int64_t>(llvm::bit_ceil(uint64_t(loop.extent)), left & -left);
    loop.stride = below;
    below *= loop.threads;
    left /= loop.threads;
  }
  if (!isKnown && !stage.extents.empty()) {
    const int64_t inner = getContiguousLoop(stage);
    int64_t threads = kLeastThreads;
    if (inner >= 0) {
      const int64_t width = chooseVector(stage, inner, 2 * kLeastThreads);
      layout.loops[inner].vector = width;
      const int64_t wanted = llvm::divideCeil(stage.work, width);
      threads = std::clamp<int64_t>(llvm::bit_ceil(uint64_t(wanted)),
                                    kLeastThreads, kMostThreads);
      // Rows that fit into the registers of more threads are read once.
      while (threads >= kMostThreads && threads < 1024 &&
             stage.work / threads > getUnrollLimit(threads))
        threads *= 2;
    }
    SmallVector<int64_t> order;
    if (inner >= 0)
      order.push_back(inner);
    // Reductions last, as threads that share one exchange their sums.
    for (const bool reduces : {false, true})
      for (int64_t number = stage.extents.size(); number-- != 0;)
        if (number != inner && !stage.unshared[number] &&
            isReduction(stage, number) == reduces)
          order.push_back(number);
    int64_t stride = 1;
    for (int64_t number : order) {
      LoopLayout &loop = layout.loops[number];
      loop.threads = std::min<int64_t>(
          llvm::bit_ceil(uint64_t(llvm::divideCeil(loop.extent, loop.vector))),
          threads / stride);
      loop.stride = stride;
      stride *= loop.threads;
    }
    for (auto [number, loop] : llvm::enumerate(layout.loops))
      ofClass.try_emplace(getClass(getNode(stage, number)), loop);
  }
  plan.layouts[stage.op] = layout;
}

FailureOr<StagePlan> Planner::run() {
  collect();
  for (Stage &stage : stages)
    if (failed(describe(stage)))
      return failure();
  for (Stage &stage : stages)
    if (failed(layOutAsTold(stage)))
      return failure();
  SmallVector<Stage *> order;
  for (Stage &stage : stages)
    if (!stage.hasThreads)
      order.push_back(&stage);
  // The largest one decides what is best for all.
  llvm::sort(order, [](const Stage *lhs, const Stage *rhs) {
    return lhs->work != rhs->work ? lhs->work > rhs->work : lhs < rhs;
  });
  for (Stage *stage : order)
    layOut(*stage);
  for (const Stage &stage : stages)
    if (const StageLayout &layout = plan.layouts[stage.op];
        !layout.hasOwnDigits() ||
        llvm::count_if(layout.loops, [](const LoopLayout &loop) {
          return loop.vector > 1;
        }) > 1)
      return stage.op->emitError(
          "shares two of its loops among the same threads, or has vectors "
          "along both; expected sched.simt of the block's ops to divide the "
          "dimensions that they have in common alike");
  for (const auto &[op, layout] : plan.layouts)
    for (const LoopLayout &loop : layout.loops)
      plan.blockSize = std::max(plan.blockSize, loop.threads * loop.stride);
  if (!stages.empty())
    plan.blockSize = std::max<int64_t>(llvm::alignTo(plan.blockSize, 32), 32);
  for (const Stage &stage : stages)
    plan.writtenOut[stage.op].resize(stage.extents.size());
  if (failed(keepResults(loop, plan,
                         [this](LoopNode node) { return getClass(node); })))
    return failure();
  return std::move(plan);
}

FailureOr<StagePlan> sched::planStages(scf::ForallOp loop) {
  return Planner(loop).run();
}
