//===- PayloadModel.cpp - The nest of an untouched payload ----------------===//

#include "PayloadModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "SchedOpt/Support/ImageBorder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CastInterfaces.h"
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
    // A dimension that has another loop of the op already, as that of a vector
    // read along rows and along columns, has no second one.
    forEach([&](std::optional<uint8_t> &loop, auto &dims, unsigned i) {
      if (!loop && i < dims.size() && !llvm::is_contained(loops, dims[i]))
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

  /// A dimension that `reshape` leaves alone is the same before and after.
  void assign(tensor::CollapseShapeOp reshape) {
    auto &before = tensors[reshape.getSrc()];
    const auto after = tensors.lookup(reshape.getResult());
    before.resize(reshape.getSrcType().getRank());
    for (auto [i, group] : llvm::enumerate(reshape.getReassociationIndices()))
      if (group.size() == 1 && i < after.size())
        before[group.front()] = after[i];
  }

  ArrayRef<uint8_t> getLoops(linalg::LinalgOp op) { return assigned[op]; }

private:
  ProgramBuilder &builder;
  unsigned count = 0;
  llvm::DenseMap<Value, SmallVector<std::optional<uint8_t>>> tensors;
  llvm::DenseMap<Operation *, SmallVector<uint8_t>> assigned;
};

} // namespace

/// Whether `op` reduces two operands of which each has a parallel loop of its
/// own, so that either is read many times; or reads overlapping windows.
static bool isContraction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2)
    return false;
  if (!op.hasOnlyProjectedPermutations())
    return true;
  bool own[2] = {false, false};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type != utils::IteratorType::parallel)
      continue;
    const bool lhs = maps[0].isFunctionOfDim(loop),
               rhs = maps[1].isFunctionOfDim(loop);
    own[0] |= lhs && !rhs;
    own[1] |= rhs && !lhs;
  }
  return own[0] && own[1];
}

/// Whether all that uses `op` is reductions that start from it.
static bool startsReductions(linalg::LinalgOp op) {
  return !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return user && user.getNumReductionLoops() > 0 && user.isDpsInit(&use);
  });
}

static BlockKind getKind(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return BlockKind::Fill;
  if (op.getNumReductionLoops() == 0)
    return BlockKind::Elementwise;
  return isContraction(op) ? BlockKind::Contraction : BlockKind::Reduction;
}

static double getBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return double(type.getNumElements()) *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// See LoopNestPlan::externalBytes.
static double countExternalBytes(func::FuncOp payload,
                                 ArrayRef<linalg::LinalgOp> ops) {
  llvm::SmallDenseSet<Value> read;
  for (linalg::LinalgOp op : ops)
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          op.payloadUsesValueFromOperand(&operand) &&
          !operand.get().getDefiningOp<linalg::LinalgOp>())
        read.insert(operand.get());
  double bytes = 0;
  for (Value tensor : read)
    bytes += getBytes(tensor);
  for (Value result : payload.getBody().front().getTerminator()->getOperands())
    if (isa<RankedTensorType>(result.getType()))
      bytes += 2 * getBytes(result);
  return bytes;
}

/// What `argument` of an op's body is, if an instruction multiplies such.
static std::optional<NarrowType> getNarrowType(BlockArgument argument) {
  const Type type = argument.getType();
  if (type.isBF16())
    return NarrowType::BFloat;
  if (type.isF16())
    return NarrowType::Half;
  if (type.isInteger(8))
    return llvm::any_of(argument.getUsers(), llvm::IsaPred<arith::ExtUIOp>)
               ? NarrowType::UnsignedByte
               : NarrowType::SignedByte;
  if (type.isInteger(16) &&
      llvm::any_of(argument.getUsers(), llvm::IsaPred<arith::ExtSIOp>))
    return NarrowType::Short;
  return std::nullopt;
}

/// Whether `op` multiplies, and only an addition uses that.
static bool isAddedProduct(Operation *op) {
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(op) && op->hasOneUse() &&
         isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(
             *op->user_begin());
}

static void countOp(Operation &op, BlockPlan &block) {
  if (isa<arith::ConstantOp>(op))
    return;
  ++block.flopsPerPoint;
  if (isa<linalg::IndexOp>(op))
    return;
  PointOps &ops = block.ops;
  if (isa<math::MathDialect>(op.getDialect()))
    ++block.callsPerPoint;
  else if (isa<arith::MulFOp, arith::MulIOp>(op))
    ops.muls += !isAddedProduct(&op);
  else if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op))
    ++(llvm::any_of(op.getOperands(),
                    [](Value operand) {
                      return isAddedProduct(operand.getDefiningOp());
                    })
           ? ops.mulAdds
           : ops.addSubs);
  else if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
               arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp,
               arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    ++ops.divs;
  else if (isa<CastOpInterface>(op))
    ++ops.casts;
  else
    ++ops.compares;
}

namespace {
/// Numbers the tensors of a payload. What an op writes is what it starts from,
/// and a reshape is the same tensor.
class BufferTable {
public:
  explicit BufferTable(ProgramBuilder &builder) : builder(builder) {}

  uint16_t get(Value value) {
    for (;;) {
      Operation *op = value.getDefiningOp();
      if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
        value = op->getOperand(0);
      else if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
        value = linalgOp.getTiedOpOperand(cast<OpResult>(value))->get();
      else
        break;
    }
    auto [known, isNew] = numbers.try_emplace(value, 0);
    if (isNew)
      known->second = builder.addBuffer();
    return known->second;
  }

private:
  ProgramBuilder &builder;
  llvm::DenseMap<Value, uint16_t> numbers;
};
} // namespace

/// Of a tensor without gaps.
static SmallVector<int64_t> getDenseStrides(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t stride = 1;
  SmallVector<int64_t> strides(type.getRank());
  for (int64_t i = type.getRank(); i-- > 0; stride *= type.getDimSize(i))
    strides[i] = stride;
  return strides;
}

/// Whether `value` is made of others by copies alone that are no views, as a
/// padded image is.
static bool isCopied(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::ExtractSliceOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tensor::PadOp, tensor::InsertSliceOp>(op);
}

BlockPlan sched::makeBlock(linalg::LinalgOp op, ArrayRef<uint8_t> loops,
                           ProgramBuilder &builder, StridesFn getStrides,
                           llvm::function_ref<uint16_t(Value)> getBuffer) {
  BlockPlan block;
  block.kind = getKind(op);
  block.dims.assign(loops.begin(), loops.end());
  for (Operation &inner : op.getBlock()->without_terminator())
    countOp(inner, block);
  block.isInteger =
      isa<IntegerType>(getElementTypeOrSelf(op->getResult(0).getType()));
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AccessPlan access;
    access.elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    access.narrow = getNarrowType(op.getMatchingBlockArgument(&operand));
    access.isWrite = op.isDpsInit(&operand);
    if (access.narrow && isCopied(operand.get()))
      access.copied = builder.constant(1).reg;
    access.buffer = getBuffer(operand.get());
    const SmallVector<int64_t> strides = getStrides(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, result] : llvm::enumerate(map.getResults())) {
      auto terms = getAffineTerms(result);
      if (!terms)
        continue;
      for (auto [number, term] : llvm::enumerate(*terms)) {
        if (number > 0)
          access.overlaps |= 1u << (access.dims.size() - 1);
        access.dims.push_back(loops[term.loop]);
        access.strides.push_back(
            builder.constant(strides[i] * term.coefficient).reg);
      }
    }
    block.accesses.push_back(std::move(access));
  }
  return block;
}

/// The structured op whose result `value` is, perhaps reshaped; null if none.
static linalg::LinalgOp getProducer(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<linalg::LinalgOp>(op);
}

/// The ops whose results a contraction reads as an input, and what those read.
static llvm::DenseSet<Operation *>
collectProducers(ArrayRef<linalg::LinalgOp> ops) {
  llvm::DenseSet<Operation *> producers;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    const bool reduces = isContraction(op);
    if (!reduces && !producers.contains(op))
      continue;
    for (Value input :
         reduces ? op.getDpsInputs() : SmallVector<Value>(op->getOperands()))
      if (auto producer = getProducer(input))
        producers.insert(producer);
  }
  return producers;
}

/// Of `taps` taps of a window, for which of `rows` there are pixels in an image
/// of `size` behind `low` zeros; empty where leaving out the others is not
/// worth while (Codegen/SkipBorder.cpp).
static SmallVector<BorderPlan::Range, 3>
findInside(int64_t rows, AffineTerm row, int64_t taps, AffineTerm tap,
           int64_t low, int64_t size) {
  SmallVector<BorderPlan::Range, 3> inside;
  if (rows == 1 || taps > kMostTaps || row.coefficient <= 0)
    return inside;
  int64_t all = 0;
  for (int64_t i = 0; i != taps; ++i) {
    // Where the first row of this tap is in the image.
    const int64_t first = i * tap.coefficient - low;
    inside.push_back({findRow(0, first, row.coefficient, rows),
                      findRow(size, first, row.coefficient, rows)});
    all += inside.back().countIn(0, rows);
  }
  if (!isWorthSkipping(rows * taps - all, rows * taps))
    inside.clear();
  return inside;
}

/// Whether `op` widens `input` and another operand, whose layout is free, of
/// signed bytes.
static bool multipliesPackedBytes(linalg::LinalgOp op, OpOperand &input,
                                  func::FuncOp payload) {
  auto isSignedBytes = [&](OpOperand *operand) {
    return getElementTypeOrSelf(operand->get()).isInteger(8) &&
           llvm::all_of(op.getMatchingBlockArgument(operand).getUsers(),
                        llvm::IsaPred<arith::ExtSIOp>);
  };
  return isSignedBytes(&input) &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *other) {
           auto argument = dyn_cast<BlockArgument>(other->get());
           return other != &input && argument && isSignedBytes(other) &&
                  argument.getOwner() == &payload.getBody().front() &&
                  payload.getArgAttr(argument.getArgNumber(),
                                     schedule::kLayoutFreeAttrName);
         });
}

/// The borders of the padded images that `op`, a convolution of what it sums
/// up, reads.
static SmallVector<BorderPlan, 1> findBorders(linalg::LinalgOp op,
                                              ArrayRef<uint8_t> loops,
                                              func::FuncOp payload) {
  SmallVector<BorderPlan, 1> borders;
  const auto types = op.getIteratorTypesArray();
  const auto extents = op.getStaticLoopRanges();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto argument = dyn_cast<BlockArgument>(input->get());
    if (!argument || argument.getOwner() != &payload.getBody().front())
      continue;
    // Products of what is converted in another way are left as they are.
    const bool isWidened = getElementTypeOrSelf(argument.getType()) !=
                           getElementTypeOrSelf(op->getResult(0).getType());
    const bool isSigned =
        isWidened && multipliesPackedBytes(op, *input, payload);
    if (isWidened && !isSigned &&
        !llvm::all_of(op.getMatchingBlockArgument(input).getUsers(),
                      llvm::IsaPred<arith::ExtFOp, arith::ExtUIOp>))
      continue;
    auto zeros = payload.getArgAttrOfType<DenseI64ArrayAttr>(
        argument.getArgNumber(), schedule::kBorderAttrName);
    const auto type = cast<RankedTensorType>(argument.getType());
    if (!zeros || zeros.size() != 2 * type.getRank())
      continue;
    auto tapRows = payload.getArgAttrOfType<DenseI64ArrayAttr>(
        argument.getArgNumber(), schedule::kTapRowsAttrName);
    const auto indices = op.getMatchingIndexingMap(input).getResults();
    for (auto [i, expr] : llvm::enumerate(indices)) {
      const int64_t low = zeros[2 * i], high = zeros[2 * i + 1];
      int64_t size = type.getDimSize(i) - low - high;
      AffineExpr pixel = expr;
      if (tapRows && int64_t(i) == tapRows[0] + 1) {
        pixel = expr * tapRows[1] + indices[i - 1] * tapRows[2];
        size = tapRows[3];
      }
      const auto terms = getAffineTerms(pixel);
      if (!terms || terms->size() != 2 || low + high == 0)
        continue;
      AffineTerm row = terms->front(), tap = terms->back();
      if (types[row.loop] == utils::IteratorType::reduction)
        std::swap(row, tap);
      if (types[row.loop] == types[tap.loop])
        continue;
      auto inside =
          findInside(extents[row.loop], row, extents[tap.loop], tap, low, size);
      if (!inside.empty())
        borders.push_back(
            {loops[row.loop], loops[tap.loop], inside, isWidened, isSigned});
    }
  }
  return borders;
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
  // Without one, each op finds the dimensions of what it reads, and what a
  // reduction starts from those of the reduction.
  DimensionTable table(state.builder);
  const bool isStaged = llvm::none_of(ops, isContraction);
  for (bool anchors : {true, false}) {
    for (linalg::LinalgOp op : ops)
      if ((isStaged ? !startsReductions(op) : isContraction(op)) == anchors)
        table.assign(op);
    // Those of the anchors' operands.
    if (anchors && !isStaged)
      payload.walk<WalkOrder::PreOrder, ReverseIterator>(
          [&](tensor::CollapseShapeOp op) { table.assign(op); });
  }
  // What feeds a contraction comes first in the nest: fusing an init with its
  // contraction moves it past what stands between them.
  llvm::DenseMap<Operation *, uint16_t> blocks;
  const llvm::DenseSet<Operation *> producers =
      isStaged ? llvm::DenseSet<Operation *>() : collectProducers(ops);
  BufferTable buffers(state.builder);
  for (bool first : {true, false})
    for (linalg::LinalgOp op : ops)
      if (producers.contains(op) == first)
        blocks[op] = state.builder.addBlock(
            makeBlock(op, table.getLoops(op), state.builder, getDenseStrides,
                      [&](Value tensor) { return buffers.get(tensor); }));
  if (isStaged)
    state.builder.setStaged(countExternalBytes(payload, ops));
  for (linalg::LinalgOp op : ops) {
    state.payloadBlocks.push_back(blocks[op]);
    state.builder.getBlock(blocks[op]).name =
        "block" + std::to_string(state.payloadOps.size());
    state.payloadOps.push_back(op->getName().getStringRef().str());
    if (!isContraction(op))
      continue;
    state.builder.getBlock(blocks[op]).borders =
        findBorders(op, table.getLoops(op), payload);
    state.layoutFreeOperands.clear();
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      if (auto producer = getProducer(operand))
        state.builder.getBlock(blocks[producer]).feeds = number;
      auto argument = dyn_cast<BlockArgument>(operand);
      state.layoutFreeOperands.push_back(
          argument && argument.getOwner() == &payload.getBody().front() &&
          payload.getArgAttr(argument.getArgNumber(),
                             schedule::kLayoutFreeAttrName));
    }
  }
  return success();
}
