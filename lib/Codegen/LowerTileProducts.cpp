//===- LowerTileProducts.cpp - Products in tile registers -----------------===//
//
// Finds contractions of groups (NarrowContraction.h) that are as large as tile
// registers, and writes them with upstream's dialect amx. Sums stay in tiles
// from one product to the next (CarryParts.h); elsewhere they are vectors, and
// pass through memory. Operands are read where they are: the last tile of rows
// begins earlier where they are no multiple of one, and computes some of them
// again. Fewer rows than a tile has are a lower tile, if all products of the
// function have as many; else they are copied into one. So are too few steps,
// and where these are shared evenly, there are no others.
// Low tiles are computed beside those of neighbouring lines (PairLines.cpp);
// fetched are, of a large right-hand side, the tiles of the next step, and of a
// large result, the lines that the next tile stores (PrefetchResults.cpp).
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "CarryParts.h"
#include "MatrixTransfers.h"
#include "NarrowContraction.h"
#include "PairLines.h"
#include "PrefetchResults.h"
#include "SchedOpt/Codegen/Passes.h"
#include "TileShape.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_LOWERTILEPRODUCTSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Where buffers on the stack are allocated once, not in each iteration.
static Operation *getStackScope(Operation *op) {
  do
    op = op->getParentOp();
  while (!op->hasTrait<OpTrait::AutomaticAllocationScope>() ||
         isa<scf::ForOp>(op));
  return op;
}

static Value createBuffer(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                          Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(
      &getStackScope(&*b.getInsertionPoint())->getRegion(0).front());
  return memref::AllocaOp::create(b, MemRefType::get(shape, element),
                                  b.getI64IntegerAttr(64));
}

/// Whether `op` does with memory what the ops in it do and nothing else, as a
/// loop.
static bool isOfItsBody(Operation *op) {
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !isa<MemoryEffectOpInterface>(op);
}

/// Whether nothing writes to what `from` reads between it and `to`, which may
/// be in loops behind it.
static bool isUnchanged(vector::TransferReadOp from, Operation *to) {
  Operation *last = from->getBlock()->findAncestorOpInBlock(*to);
  if (!last)
    return false;
  Value root = getRoot(from.getBase());
  // Copies of parts of tiles are made on the stack.
  auto writesElsewhere = [&](Operation *op) {
    Value written;
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      written = write.getBase();
    else if (auto store = dyn_cast<amx::TileStoreOp>(op))
      written = store.getBase();
    if (!written)
      return false;
    written = getRoot(written);
    return written != root && (written.getDefiningOp<memref::AllocaOp>() ||
                               (isOwnBuffer(written) && isOwnBuffer(root)));
  };
  auto keeps = [&](Operation *op) {
    // Tiles that are made count as written, for upstream.
    return isMemoryEffectFree(op) || writesElsewhere(op) ||
           isa<vector::TransferReadOp, memref::LoadOp, memref::PrefetchOp,
               amx::TileLoadOp, amx::TileZeroOp, memref::AllocaOp>(op);
  };
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode()) {
    if (!op)
      return false;
    // What follows `to` in a loop comes before its next iteration.
    const WalkResult result = op->walk([&](Operation *inner) {
      return isOfItsBody(inner) || keeps(inner) ? WalkResult::advance()
                                                : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return false;
    if (op == last)
      return true;
  }
  return true;
}

static Value offset(ImplicitLocOpBuilder &b, Value index, int64_t by) {
  return by == 0 ? index
                 : arith::AddIOp::create(b, index,
                                         arith::ConstantIndexOp::create(b, by));
}

/// Whether `inner` is all of `outer`, by views that drop unit dimensions.
static bool isAllOf(Value inner, Value outer) {
  while (inner != outer) {
    auto view = inner.getDefiningOp<memref::SubViewOp>();
    if (!view || view.getType().getNumElements() !=
                     view.getSourceType().getNumElements())
      return false;
    inner = view.getSource();
  }
  return true;
}

template <typename Transfer> static bool transfersAll(Transfer op) {
  auto memory = dyn_cast<MemRefType>(op.getBase().getType());
  return memory && memory.hasStaticShape() && !op.getMask() &&
         !op.hasOutOfBoundsDim() &&
         memory.getNumElements() == op.getVectorType().getNumElements();
}

/// Removes what fills the sums' memory before `write` overwrites all of it: the
/// tiles began with the same values, and LLVM does not know what a tile's store
/// overwrites.
static void eraseFill(vector::TransferWriteOp write) {
  if (!transfersAll(write))
    return;
  Value root = getRoot(write.getBase());
  auto mayRead = [&](Operation *op) {
    WalkResult result = op->walk([&](Operation *inner) {
      if (isMemoryEffectFree(inner) || isOfItsBody(inner) ||
          isa<vector::TransferWriteOp, amx::TileStoreOp, amx::TileZeroOp,
              memref::AllocaOp, memref::PrefetchOp>(inner))
        return WalkResult::advance();
      // Arguments and allocations do not overlap.
      Value from;
      if (auto read = dyn_cast<vector::TransferReadOp>(inner))
        from = read.getBase();
      else if (auto load = dyn_cast<amx::TileLoadOp>(inner))
        from = load.getBase();
      return from && getRoot(from) != root ? WalkResult::advance()
                                           : WalkResult::interrupt();
    });
    return result.wasInterrupted();
  };
  for (Operation *op = write->getPrevNode(); op; op = op->getPrevNode()) {
    auto fill = dyn_cast<vector::TransferWriteOp>(op);
    if (fill && transfersAll(fill) &&
        isAllOf(write.getBase(), fill.getBase())) {
      fill.erase();
      return;
    }
    if (mayRead(op))
      return;
  }
}

/// The first row of tile `number` of `rows`: the last one ends with them.
static int64_t getFirstRow(int64_t number, int64_t rows) {
  return std::min(number * kTileEdge, std::max<int64_t>(0, rows - kTileEdge));
}

namespace {
/// A block of memory whose rows are tiles' rows.
struct Rows {
  Value memory;
  SmallVector<Value> indices;

  /// The indices of a tile in it.
  SmallVector<Value> at(ImplicitLocOpBuilder &b, int64_t row,
                        int64_t column) const {
    SmallVector<Value> moved(indices);
    moved.back() = offset(b, moved.back(), column);
    Value &last = moved[moved.size() - 2];
    last = offset(b, last, row);
    return moved;
  }

  /// Distance of the last dimension but one, in elements.
  Value getStride(ImplicitLocOpBuilder &b) const {
    SmallVector<int64_t> strides;
    int64_t start = 0;
    const auto type = cast<MemRefType>(memory.getType());
    if (failed(type.getStridesAndOffset(strides, start)))
      return Value();
    return arith::ConstantIndexOp::create(b, strides[strides.size() - 2]);
  }

  /// Rows of memory of static stride can be tiles.
  static bool fit(MemRefType type) {
    SmallVector<int64_t> strides;
    int64_t start = 0;
    return type.getRank() >= 2 &&
           succeeded(type.getStridesAndOffset(strides, start)) &&
           strides.back() == 1 && !ShapedType::isDynamic(strides.end()[-2]);
  }
};

/// Tiles that were read in place, by the vector, row and column that they are
/// of.
using ReadTiles = llvm::DenseMap<std::tuple<Value, int64_t, int64_t>, Value>;

/// Writes one contraction, in tiles of `tile`.
class Writer {
public:
  /// `minBytes`: of the pass.
  Writer(NarrowContraction product, TileShape tile, uint64_t minBytes,
         ReadTiles &known)
      : product(product), tile(tile), minBytes(minBytes), known(known),
        b(product.op.getLoc(), product.op) {}

  void write() {
    const int64_t tileRows = llvm::divideCeil(product.rows, kTileEdge),
                  tileColumns = product.columns / kTileEdge;
    const auto part = LLVM::LLVMX86AMXType::get(b.getContext());
    const SmallVector<Type> parts(tileRows * tileColumns, part);
    const auto type = amx::TileType::get(
        {tile.rows, kTileEdge}, getElementTypeOrSelf(product.op.getType()));
    SmallVector<Value> sums;
    for (Value value : takeApart(b, b.getLoc(), product.op.getAcc(), parts))
      sums.push_back(toTile(value, type));
    for (int64_t k = 0; k < product.groups; k += tile.groups) {
      SmallVector<Value> rhs(tileColumns);
      // Few tiles are alive at a time: a row of them, and all columns.
      for (int64_t m = 0; m != tileRows; ++m) {
        Value lhs = loadLhs(getFirstRow(m, product.rows), k);
        for (int64_t n = 0; n != tileColumns; ++n) {
          if (!rhs[n])
            rhs[n] = loadRhs(k, n * kTileEdge);
          Value &sum = sums[m * tileColumns + n];
          sum = multiply(lhs, rhs[n], sum);
        }
      }
    }
    for (Value &sum : sums)
      sum = UnrealizedConversionCastOp::create(b, part, sum).getResult(0);
    product.op.replaceAllUsesWith(
        putTogether(b, b.getLoc(), sums, product.op.getType()));
    product.op.erase();
  }

private:
  Value toTile(Value value, Type type) {
    return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
  }

  Value multiply(Value lhs, Value rhs, Value sum) {
    if (product.lhsType == NarrowType::BFloat ||
        product.lhsType == NarrowType::Half)
      return amx::TileMulFOp::create(b, sum.getType(), lhs, rhs, sum);
    return amx::TileMulIOp::create(b, sum.getType(), lhs, rhs, sum,
                                   product.lhsType == NarrowType::UnsignedByte,
                                   product.rhsType == NarrowType::UnsignedByte);
  }

  Value loadLhs(int64_t row, int64_t group) {
    return load(product.lhs, {tile.rows, tile.groups * product.steps},
                product.hasRows, row, std::min(kTileEdge, product.rows),
                group * product.steps,
                std::min(tile.groups, product.groups - group) * product.steps);
  }

  Value loadRhs(int64_t group, int64_t column) {
    return load(product.rhs, {tile.groups, kTileEdge * product.steps},
                product.hasGroups, group,
                std::min(tile.groups, product.groups - group),
                column * product.steps, kTileEdge * product.steps);
  }

  /// The tile of that shape with so many rows and columns of `operand`, from
  /// `row` and `column`. `isMatrix`: it has more than one row.
  Value load(Value operand, ArrayRef<int64_t> shape, bool isMatrix, int64_t row,
             int64_t rows, int64_t column, int64_t columns) {
    const auto type = cast<VectorType>(operand.getType());
    const Type element = type.getElementType();
    const auto tileType = amx::TileType::get(shape, element);
    MergedRead merged = type.getRank() == (isMatrix ? 3 : 2)
                            ? mergeRead(operand, b)
                            : MergedRead();
    if (merged && !isUnchanged(merged.read, product.op))
      merged = {};
    const bool isWhole = rows == shape[0] && columns == shape[1];
    if (merged && isWhole && isMatrix) {
      const Rows memory{merged.memory, merged.indices};
      if (Rows::fit(cast<MemRefType>(merged.memory.getType()))) {
        // Another product of the block may have it.
        Value &loaded = known[{operand, row, column}];
        if (!loaded || loaded.getParentBlock() != product.op->getBlock()) {
          if (operand == product.rhs)
            fetchNext(memory, row, column);
          loaded = amx::TileLoadOp::create(b, tileType, memory.memory,
                                           memory.at(b, row, column),
                                           memory.getStride(b));
        }
        return loaded;
      }
    }

    Value zero = arith::ConstantIndexOp::create(b, 0);
    const SmallVector<Value> start{zero, zero};
    Value buffer = createBuffer(b, shape, element);
    const SmallVector<bool> inBounds(2, true);
    // Rows that there are not make sums that nobody reads; steps would be
    // added.
    if (product.groups % tile.groups != 0)
      vector::TransferWriteOp::create(
          b,
          arith::ConstantOp::create(
              b, b.getZeroAttr(VectorType::get(shape, element))),
          buffer, start, ArrayRef(inBounds));
    Value part;
    if (merged) {
      // In the memory that was read, or in its only row.
      SmallVector<Value> indices(merged.indices);
      indices.back() = offset(b, indices.back(), column);
      if (isMatrix)
        indices.end()[-2] = offset(b, indices.end()[-2], row);
      const SmallVector<int64_t> read =
          isMatrix ? SmallVector<int64_t>{rows, columns}
                   : SmallVector<int64_t>{columns};
      part = vector::TransferReadOp::create(
          b, VectorType::get(read, element), merged.memory, indices,
          merged.read.getPadding(), ArrayRef(inBounds).take_back(read.size()));
    } else {
      const int64_t all =
          type.getNumElements() / (isMatrix ? type.getShape().front() : 1);
      Value rowsOf = vector::ShapeCastOp::create(
          b, VectorType::get({type.getNumElements() / all, all}, element),
          operand);
      part = vector::ExtractStridedSliceOp::create(b, rowsOf, {row, column},
                                                   {rows, columns}, {1, 1});
    }
    vector::TransferWriteOp::create(
        b, part, buffer, start,
        ArrayRef(inBounds).take_back(
            cast<VectorType>(part.getType()).getRank()));
    return amx::TileLoadOp::create(b, tileType, buffer, start);
  }

  /// Fetches the tile of the right-hand side that the next step reads, where
  /// this one reads `group` and `column`, into the first cache. A core gets
  /// lines in pairs.
  void fetchNext(const Rows &memory, int64_t group, int64_t column) {
    auto buffer = dyn_cast<MemRefType>(getRoot(memory.memory).getType());
    SmallVector<int64_t> strides;
    int64_t start = 0;
    const auto type = cast<MemRefType>(memory.memory.getType());
    if (minBytes == 0 || !buffer || !buffer.hasStaticShape() ||
        uint64_t(countBytes(buffer)) < minBytes ||
        failed(type.getStridesAndOffset(strides, start)))
      return;
    const int64_t elementBytes = type.getElementTypeBitWidth() / 8;
    for (int64_t i = 0; i != tile.groups; ++i) {
      const int64_t line =
          (i * strides.end()[-2] + column) * elementBytes / kLineBytes;
      if (line % 2 == 0)
        memref::PrefetchOp::create(
            b, memory.memory, memory.at(b, group + product.groups + i, column),
            /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
    }
  }

  NarrowContraction product;
  TileShape tile;
  uint64_t minBytes;
  ReadTiles &known;
  ImplicitLocOpBuilder b;
};

/// Writes what is left of the casts between tiles of `height` rows and vectors.
class SumsWriter {
public:
  SumsWriter(UnrealizedConversionCastOp op, int64_t height)
      : op(op), height(height), b(op.getLoc(), op) {}

  void write() {
    if (op.getNumOperands() == 1 && isa<VectorType>(op.getOperand(0).getType()))
      split();
    else if (op.getNumResults() == 1 &&
             isa<VectorType>(op.getResult(0).getType()))
      join();
  }

private:
  static int64_t countRows(VectorType type) {
    return type.getRank() == 1 ? 1 : type.getShape().front();
  }

  /// Calls `visit` with each tile's number, row and column.
  template <typename Visit> void forTiles(VectorType type, Visit visit) {
    const int64_t columns = type.getShape().back() / kTileEdge;
    for (int64_t i = 0, e = getTiles().size(); i != e; ++i)
      visit(i, getFirstRow(i / columns, countRows(type)),
            i % columns * kTileEdge);
  }

  ValueRange getTiles() {
    return isa<VectorType>(op->getResult(0).getType())
               ? ValueRange(op.getOperands())
               : ValueRange(op.getResults());
  }

  amx::TileType getTileType(VectorType type) {
    return amx::TileType::get({height, kTileEdge}, type.getElementType());
  }

  /// Rows of whole tiles that can be read or written in place.
  template <typename Transfer> bool isInPlace(Transfer transfer) {
    const VectorType type = transfer.getVectorType();
    auto memory = dyn_cast<MemRefType>(transfer.getBase().getType());
    return memory && Rows::fit(memory) && type.getRank() == 2 &&
           countRows(type) >= height && !transfer.getMask() &&
           !transfer.hasOutOfBoundsDim() &&
           transfer.getPermutationMap().isMinorIdentity();
  }

  /// A buffer for whole tiles, and the part of it that a vector is.
  Rows createSumsBuffer(VectorType type) {
    const int64_t columns = type.getShape().back();
    const int64_t rows = std::max(height, countRows(type));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    return {createBuffer(b, {rows, columns}, type.getElementType()),
            {zero, zero}};
  }

  void split() {
    Value vector = op.getOperand(0);
    const auto type = cast<VectorType>(vector.getType());
    const amx::TileType tile = getTileType(type);
    auto replace = [&](auto make) {
      forTiles(type, [&](int64_t i, int64_t row, int64_t column) {
        Value result = make(row, column);
        op.getResult(i).replaceAllUsesWith(
            UnrealizedConversionCastOp::create(b, op.getResult(i).getType(),
                                               result)
                .getResult(0));
      });
      op.erase();
    };
    if (matchPattern(vector, m_Zero()) ||
        matchPattern(vector, m_AnyZeroFloat()))
      return replace([&](int64_t, int64_t) -> Value {
        return amx::TileZeroOp::create(b, tile);
      });
    Rows rows;
    auto read = vector.getDefiningOp<vector::TransferReadOp>();
    if (read && isInPlace(read) && isUnchanged(read, op)) {
      rows = {read.getBase(), SmallVector<Value>(read.getIndices())};
    } else {
      rows = createSumsBuffer(type);
      const SmallVector<bool> inBounds(type.getRank(), true);
      vector::TransferWriteOp::create(b, vector, rows.memory, rows.indices,
                                      ArrayRef(inBounds));
    }
    replace([&](int64_t row, int64_t column) -> Value {
      return amx::TileLoadOp::create(
          b, tile, rows.memory, rows.at(b, row, column), rows.getStride(b));
    });
  }

  void join() {
    Value vector = op.getResult(0);
    const auto type = cast<VectorType>(vector.getType());
    auto store = [&](const Rows &rows) {
      forTiles(type, [&](int64_t i, int64_t row, int64_t column) {
        Value tile = UnrealizedConversionCastOp::create(b, getTileType(type),
                                                        getTiles()[i])
                         .getResult(0);
        amx::TileStoreOp::create(b, rows.memory, rows.at(b, row, column), tile,
                                 rows.getStride(b));
      });
    };
    for (Operation *user : llvm::make_early_inc_range(vector.getUsers())) {
      auto write = dyn_cast<vector::TransferWriteOp>(user);
      if (!write || write.getValueToStore() != vector || !isInPlace(write))
        continue;
      b.setInsertionPoint(write);
      eraseFill(write);
      store({write.getBase(), SmallVector<Value>(write.getIndices())});
      write.erase();
    }
    if (!vector.use_empty()) {
      b.setInsertionPoint(op);
      const Rows rows = createSumsBuffer(type);
      store(rows);
      const SmallVector<bool> inBounds(type.getRank(), true);
      vector.replaceAllUsesWith(
          vector::TransferReadOp::create(b, type, rows.memory, rows.indices,
                                         std::nullopt, ArrayRef(inBounds)));
    }
    op.erase();
  }

  UnrealizedConversionCastOp op;
  int64_t height;
  ImplicitLocOpBuilder b;
};

struct LowerTileProducts
    : sched::impl::LowerTileProductsPassBase<LowerTileProducts> {
  using LowerTileProductsPassBase::LowerTileProductsPassBase;

  void runOnOperation() override {
    if (collectProducts().empty())
      return;
    makeMatrixTransfers(getOperation());
    readOnce();
    SmallVector<NarrowContraction> products = collectProducts();
    if (pairLines(getOperation(), products)) {
      readOnce();
      products = collectProducts();
    }
    prefetchResults(getOperation(), products, minBytes);
    const TileShape shape = chooseTileShape(products);
    ReadTiles known;
    for (const NarrowContraction &product : products)
      Writer(product, shape, minBytes, known).write();
    for (UnrealizedConversionCastOp op : carryParts(getOperation()))
      SumsWriter(op, shape.rows).write();
  }

private:
  /// Makes one of reads of the same place, and of its addresses.
  void readOnce() {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  SmallVector<NarrowContraction> collectProducts() {
    DotProducts dots;
    llvm::append_range(dots.features, instructions);
    return collectTileProducts(getOperation(), dots);
  }
};
} // namespace
