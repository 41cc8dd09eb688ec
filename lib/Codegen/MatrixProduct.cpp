//===- MatrixProduct.cpp - Products of tiles by matrix instructions -------===//
//
// Each warp has a part of the block's tile, as squares of 16 rows and 8 columns
// of sums, in f32. Operands come from shared memory by ldmatrix, four 8 x 8
// matrices of 16-byte rows at a time, transposed on the way where K is not
// their inner dimension. Which thread has which element is PTX's:
// "Matrix Fragments for mma.m16n8k16" and "mma.m16n8k8" of its manual.
//
// Several warps may have the same squares, a slice of each tile's steps each:
// squares of a warp are more then, and loads fewer. Their sums meet in shared
// memory after the last step, where each slice adds up some of the squares.
//
//===----------------------------------------------------------------------===//

#include "BlockEmitter.h"
#include "TileProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Registers of a square's operands.
static constexpr int64_t kPartsOfRow = 4, kPartsOfColumn = 2;

namespace {
/// How warps share the rows or the columns.
struct WarpAxis {
  unsigned side = 0;
  int64_t warps = 1;
  /// Of one warp: elements, a multiple of `unit`.
  int64_t part = 0, unit = 16;
  /// The first element of the warp.
  Value start;
  /// Squares of the result that a warp has: all of its own, or those of its
  /// slice, from `firstKept` on.
  int64_t kept = 0;
  Value firstKept;
  /// Those of all slices, with what the last ones lack.
  int64_t places = 0;

  int64_t countSquares() const { return part / unit; }
};

class MatrixProduct final : public TileProduct {
public:
  explicit MatrixProduct(ContractionTile &tile)
      : tile(tile), state(tile.state), reader(tile.reader) {}

  LogicalResult plan();

  int64_t getCovered(unsigned side) const override {
    const WarpAxis &axis = x.side == side ? x : y;
    return axis.warps * axis.part;
  }
  FailureOr<SmallVector<Value>> start(Value init) override;
  LogicalResult multiply(const SharedTile &lhs, const SharedTile &rhs,
                         Value slot, SmallVector<Value> &sums) override;
  LogicalResult checkRows(const SharedTile &lhs,
                          const SharedTile &rhs) override;
  int64_t countParts() const override {
    return tile.k.extent / (steps * slices);
  }
  SmallVector<Value> loadPart(const SharedTile &lhs, const SharedTile &rhs,
                              Value slot, int64_t part) override;
  void multiplyPart(ArrayRef<Value> operands,
                    MutableArrayRef<Value> sums) override;
  LogicalResult finish(Value init, SmallVector<Value> &sums) override;
  int64_t countAtOnce() const override {
    return countRows() * countColumns() * countParts();
  }
  LogicalResult forEach(ArrayRef<Value> sums,
                        RegisterTensor::Body body) override;

private:
  InFlightDiagnostic report() { return tile.nest.shape.op->emitError(); }
  LogicalResult checkElements();
  SmallVector<Value> loadMatrices(const SharedTile &shared, Value slot,
                                  Value outer, Value k, int64_t count,
                                  bool outerFirst);
  Value prepare(Value part);
  void shareSquares();
  FailureOr<SmallVector<Value>> startFrom(Value init);
  int64_t countRows() const { return y.countSquares(); }
  int64_t countColumns() const { return x.countSquares(); }
  int64_t countThreads() const { return 32 * x.warps * y.warps * slices; }

  ContractionTile &tile;
  KernelState &state;
  ElementReader &reader;
  /// Columns of the result are the instruction's N, of 8; rows its M, of 16.
  WarpAxis x, y;
  /// Warps of the same squares; which one of them this is, and which squares.
  int64_t slices = 1;
  Value slice, warp, lane;
  Type element, sumType, resultType;
  /// Steps of K of an instruction, and elements of 16 bytes.
  int64_t steps = 16, line = 8;
};
} // namespace

LogicalResult MatrixProduct::checkElements() {
  const ContractionLoops &shape = tile.nest.shape;
  MLIRContext *context = state.builder.getContext();
  auto getElement = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  };
  element = getElement(shape.getOperand(0)->get());
  resultType = getElement(tile.nest.result);
  sumType = Float32Type::get(context);
  const bool isTf32 = tile.options.mma == SimtOptions::Mma::Tf32;
  const bool fits =
      isTf32 ? element.isF32() : element.isF16() || element.isBF16();
  bool good = fits && element == getElement(shape.getOperand(1)->get()) &&
              (resultType == sumType || resultType == element);
  for (const auto &casts : shape.casts)
    for (Operation *op : casts)
      good &= isa<arith::ExtFOp>(op);
  if (!good)
    return report() << "sched.simt: mma = " << int(tile.options.mma)
                    << " multiplies operands of "
                    << (isTf32 ? "f32" : "f16 or bf16, both the same,")
                    << " to sums of f32 or of that type; found " << element
                    << ", " << getElement(shape.getOperand(1)->get()) << " and "
                    << resultType;
  if (isTf32) {
    steps = 8;
    line = 4;
  }
  slices = tile.options.slices.value_or(1);
  if (tile.k.extent % (steps * slices) != 0) {
    InFlightDiagnostic error =
        report() << "sched.simt: mma needs tiles of the reduction that are "
                    "multiples of "
                 << steps * slices;
    if (slices != 1)
      error << " with " << slices << " slices";
    return error << "; found " << tile.k.extent;
  }
  for (unsigned entry = 0; entry != tile.options.pad.size(); ++entry)
    if (tile.options.pad[entry] % line != 0)
      return report() << "sched.simt: mma needs rows of shared memory that are "
                         "multiples of 16 bytes: expected pad to be a multiple "
                         "of "
                      << line << ", found " << tile.options.pad[entry];
  return success();
}

LogicalResult MatrixProduct::plan() {
  if (failed(checkElements()))
    return failure();
  const SimtOptions &options = tile.options;
  IndexMath &index = state.index;
  x.side = tile.columns;
  y.side = 1 - x.side;
  x.unit = 8;
  int64_t free = state.blockSize / 32 / slices;
  for (WarpAxis *axis : {&x, &y}) {
    const int64_t extent = tile.outer[axis->side].extent;
    // By default parts of about 32 columns.
    const int64_t wanted =
        llvm::divideCeil(extent, axis == &x ? 32 : axis->unit);
    axis->warps =
        options.warps.empty()
            ? std::min(free, int64_t(llvm::bit_floor(uint64_t(wanted))))
            : options.warps[axis == &x ? 1 : 0];
    free /= axis->warps;
    axis->part =
        llvm::alignTo(llvm::divideCeil(extent, axis->warps), axis->unit);
  }
  if (countThreads() > state.blockSize) {
    InFlightDiagnostic error = report() << "sched.simt asks for " << y.warps
                                        << " x " << x.warps << " warps";
    if (slices != 1)
      error << " of " << slices << " slices";
    return error << "; the block has " << state.blockSize << " threads";
  }
  lane = index.remainder(state.thread, 32);
  warp = index.divide(state.thread, 32);
  if (countThreads() < state.blockSize)
    warp = index.remainder(warp, countThreads() / 32);
  slice = index.divide(warp, x.warps * y.warps);
  if (slices != 1)
    warp = index.remainder(warp, x.warps * y.warps);
  const SmallVector<Value> own = index.delinearize(warp, {y.warps, x.warps});
  y.start = index.multiply(own[0], y.part);
  x.start = index.multiply(own[1], x.part);
  shareSquares();
  return success();
}

/// Which squares of the result a warp has: of slices each some columns or rows
/// of them, whichever leave fewer without one.
void MatrixProduct::shareSquares() {
  for (WarpAxis *axis : {&x, &y}) {
    axis->kept = axis->places = axis->countSquares();
    axis->firstKept = state.index.constant(0);
  }
  if (slices == 1)
    return;
  const int64_t byColumns = llvm::alignTo(countColumns(), slices) * countRows(),
                byRows = llvm::alignTo(countRows(), slices) * countColumns();
  WarpAxis &cut = byRows < byColumns ? y : x;
  cut.kept = llvm::divideCeil(cut.countSquares(), slices);
  cut.firstKept = state.index.multiply(slice, cut.kept);
  cut.places = cut.kept * slices;
}

LogicalResult MatrixProduct::forEach(ArrayRef<Value> sums,
                                     RegisterTensor::Body body) {
  IndexMath &index = state.index;
  const TileAxis &along = tile.outer[x.side], &across = tile.outer[y.side];
  const int64_t width = along.getWidth(2, index);
  const Value active = index.less(state.thread, index.constant(countThreads()));
  const Value row =
      index.add(index.add(y.start, index.multiply(y.firstKept, y.unit)),
                index.divide(lane, 4));
  const Value column =
      index.add(index.add(x.start, index.multiply(x.firstKept, x.unit)),
                index.multiply(index.remainder(lane, 4), 2));
  // The last slice may have fewer squares.
  auto exists = [&](const WarpAxis &axis, int64_t square) {
    return index.less(index.add(axis.firstKept, square),
                      index.constant(axis.countSquares()));
  };
  const int64_t dim = tile.getResultDim(x.side);
  struct Line {
    SmallVector<Value> places;
    Value inside;
  };
  // Two rows of each square, 8 apart.
  SmallVector<Line> rows;
  for (int64_t i = 0; i != 2 * y.kept; ++i) {
    Line line;
    line.places = across.split(index.add(row, i * 8), index);
    line.inside =
        index.both(exists(y, i / 2), across.within(line.places, index));
    rows.push_back(std::move(line));
  }
  for (int64_t square = 0; square != x.kept; ++square)
    for (int64_t begin = 0; begin != 2; begin += width) {
      Line line;
      line.places = along.split(index.add(column, square * 8 + begin), index);
      line.inside = index.both(active, along.within(line.places, index));
      line.inside = index.both(exists(x, square), line.inside);
      for (auto [i, each] : llvm::enumerate(rows)) {
        RegisterTensor::Group group;
        group.indices = x.side == 1
                            ? tile.getResultPlace(each.places, line.places)
                            : tile.getResultPlace(line.places, each.places);
        group.lanes = {width, width > 1 ? dim : -1};
        group.guard = index.both(each.inside, line.inside);
        if (!sums.empty()) {
          const int64_t first =
              ((i / 2) * x.kept + square) * 4 + (i % 2) * 2 + begin;
          group.elements = reader.join(sums.slice(first, width));
          if (resultType != sumType)
            group.elements = arith::TruncFOp::create(
                state.builder, state.loc,
                width == 1 ? resultType
                           : Type(VectorType::get(width, resultType)),
                group.elements);
        }
        if (failed(body(group)))
          return failure();
      }
    }
  return success();
}

FailureOr<SmallVector<Value>> MatrixProduct::start(Value init) {
  if (slices == 1)
    return startFrom(init);
  return SmallVector<Value>(countRows() * countColumns() * 4,
                            state.zero(sumType));
}

/// The elements of `init` that are a thread's of the result.
FailureOr<SmallVector<Value>> MatrixProduct::startFrom(Value init) {
  const int64_t count = y.kept * x.kept * 4;
  if (Value scalar = tile.getFillValue(init)) {
    if (resultType != sumType)
      scalar = arith::ExtFOp::create(state.builder, state.loc, sumType, scalar);
    return SmallVector<Value>(count, scalar);
  }
  SmallVector<Value> sums(count);
  const int64_t rows = 2 * y.kept;
  int64_t group = 0, column = 0;
  const LogicalResult done =
      forEach({}, [&](const RegisterTensor::Group &each) -> LogicalResult {
        const Value value =
            reader.read(init, each.indices, each.lanes, each.guard);
        if (!value)
          return failure();
        const int64_t row = group % rows;
        for (int64_t i = 0; i != each.lanes.width; ++i) {
          Value scalar = reader.extract(value, i);
          if (resultType != sumType)
            scalar = arith::ExtFOp::create(state.builder, state.loc, sumType,
                                           scalar);
          const int64_t place = column + i;
          sums[((row / 2) * x.kept + place / 2) * 4 + (row % 2) * 2 +
               place % 2] = scalar;
        }
        if (++group % rows == 0)
          column += each.lanes.width;
        return success();
      });
  if (failed(done))
    return failure();
  return sums;
}

LogicalResult MatrixProduct::finish(Value init, SmallVector<Value> &sums) {
  if (slices == 1)
    return success();
  const FailureOr<SmallVector<Value>> first = startFrom(init);
  if (failed(first))
    return failure();
  // A vector of each square, of one thread after another.
  constexpr int64_t kVector = 4, kSquare = 32 * kVector;
  IndexMath &index = state.index;
  const int64_t line = x.places, all = y.places * line * kSquare,
                warps = x.warps * y.warps;
  const Value memory = state.shared.allocate(slices * warps * all, sumType);
  const Value place =
      index.add(index.multiply(warp, all), index.multiply(lane, kVector));
  const Value active = index.less(state.thread, index.constant(countThreads()));
  const LogicalResult stored = emitWhere(state, active, [&] {
    const Value own = index.add(place, index.multiply(slice, warps * all));
    for (int64_t i = 0; i != countRows(); ++i)
      for (int64_t j = 0; j != countColumns(); ++j)
        reader.store(reader.join(ArrayRef(sums).slice(
                         (i * countColumns() + j) * kVector, kVector)),
                     memory, index.add(own, (i * line + j) * kSquare));
    return success();
  });
  state.barrier();
  const Value kept = index.add(
      place,
      index.multiply(index.add(index.multiply(y.firstKept, line), x.firstKept),
                     kSquare));
  sums = *first;
  for (int64_t i = 0; i != y.kept; ++i)
    for (int64_t j = 0; j != x.kept; ++j)
      for (int64_t from = 0; from != slices; ++from) {
        const Value part = reader.load(
            memory,
            index.add(kept, from * warps * all + (i * line + j) * kSquare),
            kVector);
        for (int64_t at = 0; at != kVector; ++at) {
          Value &sum = sums[(i * x.kept + j) * kVector + at];
          const Value term = reader.extract(part, at);
          // Nothing is added to zero.
          sum = from == 0 && matchPattern(sum, m_AnyZeroFloat())
                    ? term
                    : arith::AddFOp::create(state.builder, state.loc, sum, term)
                          .getResult();
        }
      }
  return stored;
}

/// As an operand of the instruction.
Value MatrixProduct::prepare(Value part) {
  OpBuilder &builder = state.builder;
  if (element.isF16())
    return part;
  if (element.isF32())
    return NVVM::ConvertFloatToTF32Op::create(
        builder, state.loc, builder.getI32Type(), part,
        NVVM::FPRoundingMode::RNA, NVVM::SaturationMode::NONE, false);
  return LLVM::BitcastOp::create(builder, state.loc, builder.getI32Type(),
                                 part);
}

/// Loads `count` matrices of 8 places along the axis and 16 bytes along K, for
/// which `outerFirst` says whether the second one is further along the axis, or
/// along K; the third and fourth are further along the other one.
SmallVector<Value> MatrixProduct::loadMatrices(const SharedTile &shared,
                                               Value slot, Value outer, Value k,
                                               int64_t count, bool outerFirst) {
  IndexMath &index = state.index;
  OpBuilder &builder = state.builder;
  SmallVector<Value> parts;
  const bool isTf32 = element.isF32();
  if (isTf32 && !shared.isKInner) {
    // Words cannot be transposed on the way: thread 4 * r + c reads element
    // (r, c) of each matrix itself.
    for (int64_t i = 0; i != count; ++i) {
      const int64_t first = i % 2, second = i / 2;
      const Value place =
          index.add(outer, index.add(index.divide(lane, 4),
                                     (outerFirst ? first : second) * 8));
      const Value step =
          index.add(k, index.add(index.remainder(lane, 4),
                                 (outerFirst ? second : first) * line));
      parts.push_back(prepare(memref::LoadOp::create(
          builder, state.loc, shared.memory,
          shared.getPosition(index, slot, place, step))));
    }
    return parts;
  }
  // Thread 8 * i + r gives the address of row r of matrix i.
  const Value row = index.remainder(lane, 8);
  const Value first = index.remainder(index.divide(lane, 8), 2),
              second = count == 2 ? index.constant(0) : index.divide(lane, 16);
  const Value outerPart = outerFirst ? first : second,
              kPart = outerFirst ? second : first;
  Value place = index.add(outer, index.multiply(outerPart, 8));
  Value step = index.add(k, index.multiply(kPart, line));
  (shared.isKInner ? place : step) =
      index.add(shared.isKInner ? place : step, row);
  const auto type = VectorType::get({count, 4 / (isTf32 ? 4 : 2)}, element);
  const Value loaded = nvgpu::LdMatrixOp::create(
      builder, state.loc, type, shared.memory,
      ValueRange(shared.getPosition(index, slot, place, step)),
      /*transpose=*/!shared.isKInner, uint32_t(count));
  for (int64_t i = 0; i != count; ++i) {
    Value part = vector::ExtractOp::create(builder, state.loc, loaded,
                                           ArrayRef<int64_t>{i});
    if (isTf32)
      part = reader.extract(part, 0);
    parts.push_back(prepare(part));
  }
  return parts;
}

LogicalResult MatrixProduct::checkRows(const SharedTile &lhs,
                                       const SharedTile &rhs) {
  if (lhs.row % line == 0 && rhs.row % line == 0)
    return success();
  return report() << "sched.simt: mma needs rows of shared memory that are "
                     "multiples of 16 bytes: expected tiles that are "
                     "multiples of "
                  << line;
}

/// Of each square of rows the four parts of its operand, then of each square of
/// columns its two.
SmallVector<Value> MatrixProduct::loadPart(const SharedTile &lhs,
                                           const SharedTile &rhs, Value slot,
                                           int64_t part) {
  IndexMath &index = state.index;
  const SharedTile &across = y.side == 0 ? lhs : rhs;
  const SharedTile &along = x.side == 0 ? lhs : rhs;
  const Value k =
      index.add(index.multiply(slice, tile.k.extent / slices), part * steps);
  SmallVector<Value> operands;
  for (int64_t i = 0; i != countRows(); ++i)
    llvm::append_range(operands,
                       loadMatrices(across, slot, index.add(y.start, i * 16), k,
                                    kPartsOfRow, /*outerFirst=*/true));
  // Two squares at a time.
  for (int64_t i = 0; i < countColumns(); i += 2)
    llvm::append_range(
        operands,
        loadMatrices(along, slot, index.add(x.start, i * 8), k,
                     kPartsOfColumn * std::min<int64_t>(2, countColumns() - i),
                     /*outerFirst=*/false));
  return operands;
}

void MatrixProduct::multiplyPart(ArrayRef<Value> operands,
                                 MutableArrayRef<Value> sums) {
  OpBuilder &builder = state.builder;
  const auto resultStruct = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(4, sumType));
  std::optional<std::array<NVVM::MMATypes, 2>> kinds;
  if (!element.isF16()) {
    const auto kind =
        element.isF32() ? NVVM::MMATypes::tf32 : NVVM::MMATypes::bf16;
    kinds = std::array<NVVM::MMATypes, 2>{kind, kind};
  }
  const std::array<NVVM::MMALayout, 2> layouts = {NVVM::MMALayout::row,
                                                  NVVM::MMALayout::col};
  const ArrayRef<Value> rows = operands.take_front(countRows() * kPartsOfRow),
                        columns = operands.drop_front(rows.size());
  for (int64_t i = 0; i != countRows(); ++i)
    for (int64_t j = 0; j != countColumns(); ++j) {
      const MutableArrayRef<Value> square =
          sums.slice((i * countColumns() + j) * 4, 4);
      const Value product = NVVM::MmaOp::create(
          builder, state.loc, resultStruct,
          rows.slice(i * kPartsOfRow, kPartsOfRow),
          columns.slice(j * kPartsOfColumn, kPartsOfColumn),
          ArrayRef<Value>(square), ArrayRef<int64_t>{16, 8, steps},
          std::nullopt, std::nullopt, kinds, layouts);
      for (auto [part, sum] : llvm::enumerate(square))
        sum = LLVM::ExtractValueOp::create(builder, state.loc, product,
                                           ArrayRef<int64_t>{int64_t(part)});
    }
}

LogicalResult MatrixProduct::multiply(const SharedTile &lhs,
                                      const SharedTile &rhs, Value slot,
                                      SmallVector<Value> &sums) {
  for (int64_t part = 0; part != countParts(); ++part)
    multiplyPart(loadPart(lhs, rhs, slot, part), sums);
  return success();
}

std::unique_ptr<TileProduct> sched::createMatrixProduct(ContractionTile &tile) {
  auto product = std::make_unique<MatrixProduct>(tile);
  if (failed(product->plan()))
    return nullptr;
  return product;
}
