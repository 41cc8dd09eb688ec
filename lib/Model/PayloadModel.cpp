//===- PayloadModel.cpp - The nest of an untouched payload ----------------===//

#include "PayloadModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

namespace {

/// Assigns a dimension of the nest to each loop of each op and each dimension
/// of the tensors between them.
class DimensionTable {
public:
  explicit DimensionTable(ProgramBuilder &builder) : builder(builder) {}

  /// Assigns every loop of `op`; loops that index a known tensor dimension get
  /// that one's.
  void assign(linalg::LinalgOp op) {
    SmallVector<std::optional<uint8_t>> loops(op.getNumLoops());
    auto forEach = [&](auto &&visit) {
      for (OpOperand &operand : op->getOpOperands()) {
        AffineMap map = op.getMatchingIndexingMap(&operand);
        SmallVector<Value> values{operand.get()};
        if (op.isDpsInit(&operand))
          values.push_back(op.getTiedOpResult(&operand));
        for (auto [i, result] : llvm::enumerate(map.getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(result))
            for (Value value : values)
              visit(loops[dim.getPosition()], tensors[value], i);
      }
    };
    forEach([](std::optional<uint8_t> &loop, auto &dims, unsigned i) {
      if (!loop && i < dims.size())
        loop = dims[i];
    });
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (auto [i, loop] : llvm::enumerate(loops))
      if (!loop)
        loop = builder.addDim("d" + std::to_string(count++),
                              builder.constant(extents[i]));
    forEach([](std::optional<uint8_t> &loop, auto &dims, unsigned i) {
      if (i >= dims.size())
        dims.resize(i + 1);
      if (!dims[i])
        dims[i] = loop;
    });
    assigned[op] = llvm::map_to_vector(loops, [](auto loop) { return *loop; });
  }

  ArrayRef<uint8_t> getLoops(linalg::LinalgOp op) { return assigned[op]; }

private:
  ProgramBuilder &builder;
  unsigned count = 0;
  llvm::DenseMap<Value, SmallVector<std::optional<uint8_t>>> tensors;
  llvm::DenseMap<Operation *, SmallVector<uint8_t>> assigned;
};

} // namespace

static BlockKind getKind(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return BlockKind::Fill;
  return op.getNumReductionLoops() > 0 ? BlockKind::Contraction
                                       : BlockKind::Elementwise;
}

static BlockPlan makeBlock(linalg::LinalgOp op, ArrayRef<uint8_t> loops,
                           ProgramBuilder &builder) {
  BlockPlan block;
  block.kind = getKind(op);
  block.dims.assign(loops.begin(), loops.end());
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!isa<arith::ConstantOp>(inner))
      ++block.flopsPerPoint;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AccessPlan access;
    access.elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    access.isWrite = op.isDpsInit(&operand);
    int64_t stride = 1;
    SmallVector<int64_t> strides(type.getRank());
    for (int64_t i = type.getRank(); i-- > 0; stride *= type.getDimSize(i))
      strides[i] = stride;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, result] : llvm::enumerate(map.getResults())) {
      auto terms = getAffineTerms(result);
      if (!terms)
        continue;
      for (AffineTerm term : *terms) {
        access.dims.push_back(loops[term.loop]);
        access.strides.push_back(
            builder.constant(strides[i] * term.coefficient).reg);
      }
    }
    block.accesses.push_back(std::move(access));
  }
  return block;
}

/// The ops whose results a contraction reads as an input, and what those read.
static llvm::DenseSet<Operation *>
collectProducers(ArrayRef<linalg::LinalgOp> ops) {
  llvm::DenseSet<Operation *> producers;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    const bool reduces = op.getNumReductionLoops() > 0;
    if (!reduces && !producers.contains(op))
      continue;
    for (Value input :
         reduces ? op.getDpsInputs() : SmallVector<Value>(op->getOperands()))
      if (auto producer = input.getDefiningOp<linalg::LinalgOp>())
        producers.insert(producer);
  }
  return producers;
}

LogicalResult sched::buildPayloadModel(func::FuncOp payload,
                                       ModelState &state) {
  SmallVector<linalg::LinalgOp> ops;
  payload.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureTensorSemantics())
      return op.emitOpError("works on buffers; the loop-nest model needs "
                            "structured ops on tensors");
    if (op.hasDynamicShape())
      return op.emitOpError("has a dynamic shape; the loop-nest model needs "
                            "static shapes");
  }
  // The anchor's loops come first, so that they carry the dimensions' order.
  DimensionTable table(state.builder);
  for (bool anchors : {true, false})
    for (linalg::LinalgOp op : ops)
      if ((op.getNumReductionLoops() > 0) == anchors)
        table.assign(op);
  // What feeds a contraction comes first in the nest: fusing an init with its
  // contraction moves it past what stands between them.
  llvm::DenseMap<Operation *, uint16_t> blocks;
  const llvm::DenseSet<Operation *> producers = collectProducers(ops);
  for (bool first : {true, false})
    for (linalg::LinalgOp op : ops)
      if (producers.contains(op) == first)
        blocks[op] = state.builder.addBlock(
            makeBlock(op, table.getLoops(op), state.builder));
  for (linalg::LinalgOp op : ops) {
    state.payloadBlocks.push_back(blocks[op]);
    state.builder.getBlock(blocks[op]).name =
        "block" + std::to_string(state.payloadOps.size());
    state.payloadOps.push_back(op->getName().getStringRef().str());
    if (op.getNumReductionLoops() == 0)
      continue;
    state.layoutFreeOperands.clear();
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      state.layoutFreeOperands.push_back(
          argument && argument.getOwner() == &payload.getBody().front() &&
          payload.getArgAttr(argument.getArgNumber(),
                             schedule::kLayoutFreeAttrName));
    }
  }
  return success();
}
