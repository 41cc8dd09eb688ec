//===- ShortRows.cpp - Vectors whose rows are short -----------------------===//
//
// Sixteen pixels of three channels each are a vector of sixteen rows, of which
// each fills less than a quarter of a register, and LLVM computes them one by
// one. In memory they are one line. So they are computed as registers of that
// line, whatever row a lane is of:
//
//   vector<16x3xf32>  ->  three of vector<16xf32>
//
// What there is once for a row, as how opaque a pixel is, or once for all rows,
// as the mean of each channel, is shuffled into the lanes that it is for; so
// are planes of which each has one channel:
//
//   shuffle %opacity [0, 0, 0, 1, 1, 1, ...], ... [5, 5, 6, 6, 6, 7, ...], ...
//
// The last register of a line ends where the line does, and may begin in the
// one before.
//
//===----------------------------------------------------------------------===//

#include "ShortRows.h"
#include "LineView.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// A lane takes its element from one of so many registers at most: each one
/// more is a shuffle, and transposes of more rows have a better way.
static constexpr size_t kMostSources = 4;
/// Rows further apart than this, in elements, are read one by one.
static constexpr int64_t kMostApart = 8;
/// Elements of a vector that is taken apart, at most.
static constexpr int64_t kMostElements = 1024;
/// Narrow elements are shuffled in smaller registers, for which there are
/// instructions: bytes in those of 16 bytes, and pairs of bytes in half of one.
static constexpr int64_t kByteRegister = 16;

namespace {
/// Where the elements of a vector come from: from another one or an element, or
/// from lines of memory that a read goes through.
struct Spread {
  Value source;
  /// For each element of the vector, in row-major order, the element of the
  /// source, or of its lines, one after the other.
  SmallVector<int64_t> places;
  /// Of memory, the elements of each line; 0 for a source in registers.
  int64_t span = 0;
};

/// A part of a vector in row-major order: `count` elements from `first` on.
struct Part {
  int64_t first, count;
};

/// Takes one vector that is written, and all that it is computed from, apart
/// into registers.
class RowFlattener {
public:
  explicit RowFlattener(vector::TransferWriteOp write)
      : write(write), type(write.getVectorType()), builder(write) {}

  /// Whether it was done, with registers of `vectorBytes`.
  bool run(int64_t vectorBytes);

private:
  bool visit(Value value);
  bool visitNew(Value value);
  std::optional<Spread> getSpread(Value value) const;
  bool isTranspose();
  bool plan(int64_t vectorBytes);
  SmallVector<Part> getSources(const Spread &spread) const;

  ArrayRef<Value> flatten(Value value);
  SmallVector<Value> flattenNew(Value value);
  SmallVector<Value> gatherAll(const Spread &spread);
  Value takePart(const Spread &spread, const Part &part);
  Value gather(ArrayRef<Value> sources,
               ArrayRef<std::pair<size_t, int64_t>> places);
  Value viewLine(Location loc, Value base, ValueRange indices, int64_t line,
                 int64_t count);
  Value load(vector::TransferReadOp read, int64_t line, int64_t span,
             int64_t begin, int64_t count);

  vector::TransferWriteOp write;
  /// Of what is written: all vectors that are taken apart have its shape.
  VectorType type;
  OpBuilder builder;
  /// Of the widest element.
  unsigned bits = 8;
  /// Elements of a line: of all rows that follow one another in memory.
  int64_t lineLength = 0;
  int64_t lanes = 0;
  /// The first element of each register, in row-major order.
  SmallVector<int64_t> begins;
  llvm::DenseMap<Value, bool> visited;
  llvm::MapVector<Value, Spread> spreads;
  llvm::DenseMap<Value, SmallVector<Value>> done;
};
} // namespace

/// The elements of a row of vectors of `type`.
static int64_t getRowLength(VectorType type) { return type.getShape().back(); }

/// Whether `op` moves rows of elements that are side by side in memory.
template <typename TransferOp> static bool movesRows(TransferOp op) {
  const auto memory = dyn_cast<MemRefType>(op.getShapedType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return memory && !op.getMask() && !op.hasOutOfBoundsDim() &&
         op.getPermutationMap().isMinorIdentity() &&
         memory.getElementType() == op.getVectorType().getElementType() &&
         // Bits are stored as bytes, but not in vectors.
         !memory.getElementType().isInteger(1) &&
         succeeded(memory.getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic) && strides.back() == 1;
}

/// Elements from one row that `op`, which movesRows, moves to the next.
template <typename TransferOp> static int64_t getRowStride(TransferOp op) {
  return cast<MemRefType>(op.getShapedType())
      .getStridesAndOffset()
      .first.rbegin()[1];
}

/// Whether `type` has elements that registers hold as they are in memory, or
/// bits, which are not stored.
static bool hasLanes(Type type) {
  return type.isIntOrFloat() &&
         (type.getIntOrFloatBitWidth() % 8 == 0 || type.isInteger(1));
}

/// For each element of a vector of `shape`, the element of what is broadcast,
/// of shape `from`.
static SmallVector<int64_t> getBroadcastPlaces(ArrayRef<int64_t> shape,
                                               ArrayRef<int64_t> from) {
  SmallVector<int64_t> places;
  const SmallVector<int64_t> one(shape.size(), 1);
  for (SmallVector<int64_t> index : StaticTileOffsetRange(shape, one)) {
    int64_t place = 0;
    for (auto [size, at] :
         llvm::zip_equal(from, ArrayRef(index).take_back(from.size())))
      place = place * size + (size == 1 ? 0 : at);
    places.push_back(place);
  }
  return places;
}

/// The same of a transposed vector, of shape `shape` after `permutation`.
static SmallVector<int64_t> getTransposedPlaces(ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> permutation,
                                                ArrayRef<int64_t> from) {
  SmallVector<int64_t> places;
  const SmallVector<int64_t> one(shape.size(), 1), steps = computeStrides(from);
  for (SmallVector<int64_t> index : StaticTileOffsetRange(shape, one)) {
    int64_t place = 0;
    for (auto [dim, at] : llvm::enumerate(index))
      place += at * steps[permutation[dim]];
    places.push_back(place);
  }
  return places;
}

/// What `value` is made of by ops that only move elements, if it is of any.
std::optional<Spread> RowFlattener::getSpread(Value value) const {
  Spread spread{value, llvm::to_vector(llvm::seq(type.getNumElements()))};
  auto compose = [&](Value source, ArrayRef<int64_t> places) {
    for (int64_t &place : spread.places)
      place = places[place];
    spread.source = source;
  };
  while (Operation *op = spread.source.getDefiningOp()) {
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
      const auto from = dyn_cast<VectorType>(broadcast.getSourceType());
      compose(broadcast.getSource(),
              getBroadcastPlaces(broadcast.getResultVectorType().getShape(),
                                 from ? from.getShape() : ArrayRef<int64_t>()));
    } else if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
      compose(transpose.getVector(),
              getTransposedPlaces(transpose.getResultVectorType().getShape(),
                                  transpose.getPermutation(),
                                  transpose.getSourceVectorType().getShape()));
    } else if (auto cast = dyn_cast<vector::ShapeCastOp>(op)) {
      spread.source = cast.getSource();
    } else {
      break;
    }
  }
  if (spread.source == value)
    return std::nullopt;
  return spread;
}

/// Whether `value` can be taken apart, as far as its ops are concerned.
bool RowFlattener::visit(Value value) {
  auto [known, isNew] = visited.insert({value, false});
  return isNew ? visited[value] = visitNew(value) : known->second;
}

bool RowFlattener::visitNew(Value value) {
  const auto own = dyn_cast<VectorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || !own || own.isScalable() || own.getShape() != type.getShape() ||
      !hasLanes(own.getElementType()))
    return false;
  bits = std::max(bits, own.getElementTypeBitWidth());
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    if (!movesRows(read))
      return false;
    const int64_t row = getRowLength(own), stride = getRowStride(read);
    if (stride == row)
      return true;
    // Other elements in between.
    const int64_t rows = own.getDimSize(own.getRank() - 2);
    Spread spread{value, {}, (rows - 1) * stride + row};
    if (stride < row || stride > kMostApart)
      return false;
    for (int64_t index = 0, e = own.getNumElements() / row; index != e; ++index)
      for (int64_t element = 0; element != row; ++element)
        spread.places.push_back(index / rows * spread.span +
                                index % rows * stride + element);
    spreads.insert({value, std::move(spread)});
    return true;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  if (std::optional<Spread> spread = getSpread(value)) {
    const auto from = dyn_cast<VectorType>(spread->source.getType());
    if (from && from.isScalable())
      return false;
    spreads.insert({value, *std::move(spread)});
    return true;
  }
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isa<VectorType>(operand.getType()) || visit(operand);
         });
}

/// `source` without its innermost dimensions of one element, and at least one.
static VectorType dropUnits(VectorType source) {
  ArrayRef<int64_t> shape = source.getShape();
  while (shape.size() > 1 && shape.back() == 1)
    shape = shape.drop_back();
  return VectorType::get(shape.empty() ? ArrayRef<int64_t>(1) : shape,
                         source.getElementType());
}

/// The parts that the elements of `spread`, which has more than one, are taken
/// from: registers at most, and as wide as each other.
SmallVector<Part> RowFlattener::getSources(const Spread &spread) const {
  const VectorType source =
      dropUnits(cast<VectorType>(spread.source.getType()));
  const int64_t row = spread.span != 0 ? spread.span : getRowLength(source),
                rows = spread.span != 0 ? type.getNumElements() / lineLength
                                        : source.getNumElements() / row,
                count = std::min(row, lanes);
  SmallVector<Part> parts;
  for (int64_t first = 0; first != rows * row; first += row)
    for (int64_t begin = 0; begin < row; begin += count)
      parts.push_back({first + std::min(begin, row - count), count});
  return parts;
}

/// The part of `parts` that has `place`.
static size_t findPart(ArrayRef<Part> parts, int64_t place) {
  return llvm::find_if(parts,
                       [&](const Part &part) {
                         return part.first <= place &&
                                place < part.first + part.count;
                       }) -
         parts.begin();
}

/// Lays out the registers; whether that pays.
bool RowFlattener::plan(int64_t vectorBytes) {
  if (bits <= 16 && !spreads.empty())
    vectorBytes =
        bits == 8 ? kByteRegister : std::max(kByteRegister, vectorBytes / 2);
  const int64_t row = getRowLength(type), whole = vectorBytes * 8 / bits;
  lineLength = row * type.getDimSize(type.getRank() - 2);
  lanes = std::min(whole, lineLength);
  // The last register of a line is as wide as the others.
  if (row >= whole || !llvm::isPowerOf2_64(lanes))
    return false;
  for (int64_t line = 0; line != type.getNumElements(); line += lineLength)
    for (int64_t begin = 0; begin < lineLength; begin += lanes)
      begins.push_back(line + std::min(begin, lineLength - lanes));
  return llvm::all_of(spreads, [&](const auto &entry) {
    const Spread &spread = entry.second;
    if (!isa<VectorType>(spread.source.getType()))
      return true;
    const SmallVector<Part> parts = getSources(spread);
    return llvm::all_of(begins, [&](int64_t begin) {
      llvm::SmallSetVector<size_t, 4> used;
      for (int64_t place : ArrayRef(spread.places).slice(begin, lanes))
        used.insert(findPart(parts, place));
      return used.size() <= kMostSources;
    });
  });
}

/// The elements of `part`, which is one of those of `spread`.
Value RowFlattener::takePart(const Spread &spread, const Part &part) {
  Value source = spread.source;
  const Location loc = source.getLoc();
  if (spread.span != 0) {
    auto read = source.getDefiningOp<vector::TransferReadOp>();
    return load(read, part.first / spread.span, spread.span,
                part.first % spread.span, part.count);
  }
  const VectorType whole = dropUnits(cast<VectorType>(source.getType()));
  if (whole != source.getType())
    source = vector::ShapeCastOp::create(builder, loc, whole, source);
  SmallVector<int64_t> index =
      delinearize(part.first, computeStrides(whole.getShape()));
  const int64_t begin = index.pop_back_val();
  Value row = index.empty()
                  ? source
                  : vector::ExtractOp::create(builder, loc, source, index);
  if (part.count == getRowLength(whole))
    return row;
  return vector::ExtractStridedSliceOp::create(
      builder, loc, row, /*offsets=*/ArrayRef<int64_t>{begin},
      /*sizes=*/ArrayRef<int64_t>{part.count},
      /*strides=*/ArrayRef<int64_t>{1});
}

/// A register whose lanes have the elements at `places` of `sources`, which are
/// as wide as each other: the number of the source, and of its element.
Value RowFlattener::gather(ArrayRef<Value> sources,
                           ArrayRef<std::pair<size_t, int64_t>> places) {
  const Location loc = sources.front().getLoc();
  if (llvm::all_equal(places)) {
    auto [source, element] = places.front();
    const auto all = VectorType::get(
        lanes, cast<VectorType>(sources[source].getType()).getElementType());
    return vector::BroadcastOp::create(
        builder, loc, all,
        vector::ExtractOp::create(builder, loc, sources[source], element));
  }
  llvm::SmallSetVector<size_t, 4> used;
  for (auto [source, element] : places)
    used.insert(source);
  const int64_t count =
      cast<VectorType>(sources.front().getType()).getNumElements();
  // The first two at once.
  const size_t first = used[0], second = used[used.size() == 1 ? 0 : 1];
  SmallVector<int64_t> indices;
  for (auto [source, element] : places)
    indices.push_back(source == first    ? element
                      : source == second ? count + element
                                         : 0);
  Value result = vector::ShuffleOp::create(builder, loc, sources[first],
                                           sources[second], indices);
  for (size_t source :
       llvm::drop_begin(used, std::min<size_t>(2, used.size()))) {
    Value next = sources[source];
    // Upstream shuffles vectors of the same length in registers.
    SmallVector<int64_t> wide(lanes, 0);
    for (int64_t lane = 0; lane != count; ++lane)
      wide[lane] = lane;
    if (count != lanes)
      next = vector::ShuffleOp::create(builder, loc, next, next, wide);
    for (auto [lane, place] : llvm::enumerate(places))
      indices[lane] = place.first == source ? lanes + place.second : lane;
    result = vector::ShuffleOp::create(builder, loc, result, next, indices);
  }
  return result;
}

SmallVector<Value> RowFlattener::gatherAll(const Spread &spread) {
  if (!isa<VectorType>(spread.source.getType())) {
    const Type all = VectorType::get(lanes, spread.source.getType());
    return SmallVector<Value>(
        begins.size(),
        vector::BroadcastOp::create(builder, spread.source.getLoc(), all,
                                    spread.source));
  }
  const SmallVector<Part> parts = getSources(spread);
  SmallVector<Value> sources;
  for (const Part &part : parts)
    sources.push_back(takePart(spread, part));
  return llvm::map_to_vector(begins, [&](int64_t begin) {
    SmallVector<std::pair<size_t, int64_t>> places;
    for (int64_t place : ArrayRef(spread.places).slice(begin, lanes)) {
      const size_t part = findPart(parts, place);
      places.push_back({part, place - parts[part].first});
    }
    return gather(sources, places);
  });
}

/// `count` elements of the memory of `base`, from the first one of line `line`
/// of a vector at `indices` on.
Value RowFlattener::viewLine(Location loc, Value base, ValueRange indices,
                             int64_t line, int64_t count) {
  const auto memory = cast<MemRefType>(base.getType());
  const ArrayRef<int64_t> outer = type.getShape().drop_back(2);
  SmallVector<Value> at(indices);
  for (auto [dim, index] :
       llvm::enumerate(delinearize(line, computeStrides(outer)))) {
    Value &first = at[memory.getRank() - type.getRank() + dim];
    first = affine::makeComposedAffineApply(
        builder, loc, builder.getAffineDimExpr(0) + index, {first});
  }
  return sched::viewLine(builder, loc, base, at,
                         memory.getStridesAndOffset().first, count);
}

/// `count` elements, from the one at `begin` of line `line` on that `read` goes
/// through, which has `span`.
Value RowFlattener::load(vector::TransferReadOp read, int64_t line,
                         int64_t span, int64_t begin, int64_t count) {
  const Location loc = read.getLoc();
  Value memory = viewLine(loc, read.getBase(), read.getIndices(), line, span);
  return vector::LoadOp::create(
      builder, loc,
      VectorType::get(count, read.getVectorType().getElementType()), memory,
      arith::ConstantIndexOp::create(builder, loc, begin).getResult());
}

ArrayRef<Value> RowFlattener::flatten(Value value) {
  auto found = done.find(value);
  if (found != done.end())
    return found->second;
  SmallVector<Value> registers = flattenNew(value);
  return done[value] = std::move(registers);
}

SmallVector<Value> RowFlattener::flattenNew(Value value) {
  Operation *op = value.getDefiningOp();
  const Location loc = op->getLoc();
  const auto part = VectorType::get(
      lanes, cast<VectorType>(value.getType()).getElementType());
  SmallVector<Value> registers;
  auto spread = spreads.find(value);
  if (spread != spreads.end()) {
    builder.setInsertionPointAfter(op);
    return gatherAll(spread->second);
  }
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    builder.setInsertionPoint(op);
    for (int64_t begin : begins)
      registers.push_back(load(read, begin / lineLength, lineLength,
                               begin % lineLength, lanes));
    return registers;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    builder.setInsertionPoint(op);
    const auto elements = llvm::to_vector(
        cast<DenseElementsAttr>(constant.getValue()).getValues<Attribute>());
    for (int64_t begin : begins)
      registers.push_back(arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(part,
                                 ArrayRef(elements).slice(begin, lanes))));
    return registers;
  }
  SmallVector<SmallVector<Value>> operands(begins.size());
  for (Value operand : op->getOperands()) {
    SmallVector<Value> parts(begins.size(), operand);
    if (isa<VectorType>(operand.getType()))
      llvm::copy(flatten(operand), parts.begin());
    for (auto [own, part] : llvm::zip_equal(operands, parts))
      own.push_back(part);
  }
  builder.setInsertionPoint(op);
  for (ArrayRef<Value> own : operands)
    registers.push_back(
        mlir::clone(builder, op, TypeRange(part), own)->getResult(0));
  return registers;
}

/// Whether nothing is done but to exchange the dimensions of few rows, for
/// which there are instructions (TransposeTiles.cpp).
bool RowFlattener::isTranspose() {
  auto spread = spreads.find(write.getVector());
  return spread != spreads.end() && spread->second.span == 0 &&
         isa<VectorType>(spread->second.source.getType()) &&
         llvm::isPowerOf2_64(getRowLength(type));
}

bool RowFlattener::run(int64_t vectorBytes) {
  if (type.getRank() < 2 || type.isScalable() || !movesRows(write) ||
      getRowLength(type) < 2 || getRowStride(write) != getRowLength(type) ||
      type.getNumElements() > kMostElements || !visit(write.getVector()) ||
      isTranspose() || !plan(vectorBytes))
    return false;
  ArrayRef<Value> registers = flatten(write.getVector());
  const Location loc = write.getLoc();
  builder.setInsertionPoint(write);
  for (auto [value, begin] : llvm::zip_equal(registers, begins)) {
    Value line = viewLine(loc, write.getBase(), write.getIndices(),
                          begin / lineLength, lineLength);
    Value index =
        arith::ConstantIndexOp::create(builder, loc, begin % lineLength);
    vector::StoreOp::create(builder, loc, value, line, index);
  }
  write.erase();
  return true;
}

void sched::flattenShortRows(Operation *root, int64_t vectorBytes) {
  SmallVector<vector::TransferWriteOp> writes;
  root->walk([&](vector::TransferWriteOp write) { writes.push_back(write); });
  for (vector::TransferWriteOp write : writes)
    RowFlattener(write).run(vectorBytes);
}
