//===- ReadGathered.cpp - What is looked up is read where it is -----------===//
//
// A step before Decompose.cpp. What a schedule computes from looked-up rows
// reads them as vectors, once they have all been copied side by side: a row
// goes through memory twice more than it has to. Here each vector is read from
// the table, at the place that is looked up for its row, and there is no copy.
// So it is with single elements, of which a vector is gathered.
// Read next: GatherLines.cpp, which copies rows that something else reads.
//
//===----------------------------------------------------------------------===//

#include "MoveLines.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sched {
#define GEN_PASS_DEF_READGATHEREDPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Rows that a vector has at most: each is a read of its own.
static constexpr int64_t kMostRows = 64;

namespace {
/// A vector of looked-up rows. Its first `rowDims` dimensions are rows, the
/// others lie in a line.
struct RowsRead {
  vector::TransferReadOp op;
  int64_t rowDims = 0;

  ArrayRef<int64_t> rows() const {
    vector::TransferReadOp read = op;
    return read.getVectorType().getShape().take_front(rowDims);
  }
};
} // namespace

/// None where `op` is not known to read whole vectors of rows that are there.
static std::optional<RowsRead> getRowsRead(Operation *op,
                                           const LineGather &gather) {
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (!read || read.getBase() != gather.op->getResult(0) || read.getMask() ||
      read.isMasked() || read.getVectorType().isScalable())
    return std::nullopt;
  // A product reads each row many times, and its copy is in a cache.
  if (llvm::any_of(read->getUsers(), llvm::IsaPred<vector::ContractionOp>))
    return std::nullopt;
  RowsRead rows{read};
  int64_t last = -1;
  for (auto [dim, expr] :
       llvm::enumerate(read.getPermutationMap().getResults())) {
    auto from = dyn_cast<AffineDimExpr>(expr);
    if (!from || int64_t(from.getPosition()) <= last)
      return std::nullopt;
    last = from.getPosition();
    if (last >= gather.outerDims)
      continue;
    if (!read.isDimInBounds(dim))
      return std::nullopt;
    ++rows.rowDims;
  }
  if (computeProduct(rows.rows()) > kMostRows)
    return std::nullopt;
  // Elements along a line, or whole vectors of such.
  const int64_t rank = read.getVectorType().getRank();
  if (gather.isOfElements() &&
      (rows.rowDims != rank - 1 || !read.isDimInBounds(rank - 1)))
    return std::nullopt;
  return rows;
}

/// `index + offset`.
static Value add(OpBuilder &builder, Location loc, Value index,
                 int64_t offset) {
  const AffineMap sum =
      AffineMap::get(1, 0, builder.getAffineDimExpr(0) + offset);
  return getValueOrCreateConstantIndexOp(
      builder, loc,
      affine::makeComposedFoldedAffineApply(builder, loc, sum,
                                            {getAsOpFoldResult(index)}));
}

/// Moves the builder out of loops that begin after `gather`, that run, and that
/// do not change `indices`.
static void leaveLoops(OpBuilder &builder, const LineGather &gather,
                       ValueRange indices) {
  while (auto loop = dyn_cast<scf::ForOp>(builder.getBlock()->getParentOp())) {
    auto trips = loop.getStaticTripCount();
    if (!trips || trips->isZero() || loop->isAncestor(gather.op) ||
        !llvm::all_of(indices, [&](Value index) {
          return loop.isDefinedOutsideOfLoop(index);
        }))
      return;
    builder.setInsertionPoint(loop);
  }
}

/// The part of `read` that is in the row at `numbers`, as a vector or, of rank
/// 0, an element.
static Value readRow(OpBuilder &builder, const LineGather &gather,
                     const RowsRead &rows, ArrayRef<int64_t> numbers) {
  vector::TransferReadOp read = rows.op;
  const Location loc = read.getLoc();
  const AffineMap map = read.getPermutationMap();
  const int64_t outer = gather.outerDims;
  const ValueRange indices = read.getIndices();
  SmallVector<Value> places;
  {
    OpBuilder::InsertionGuard guard(builder);
    leaveLoops(builder, gather, indices.take_front(outer));
    SmallVector<Value> loops(indices.take_front(outer));
    for (auto [dim, number] : llvm::enumerate(numbers)) {
      Value &loop = loops[map.getDimPosition(dim)];
      loop = add(builder, loc, loop, number);
    }
    places = findLine(builder, gather, loops);
  }
  const int64_t tableOuter = places.size();
  llvm::append_range(places, indices.drop_front(outer));
  tensor::ExtractOp extract = gather.extract;
  const VectorType whole = read.getVectorType();
  SmallVector<AffineExpr> dims;
  SmallVector<bool> inBounds;
  for (int64_t dim = rows.rowDims; dim != whole.getRank(); ++dim) {
    dims.push_back(
        builder.getAffineDimExpr(map.getDimPosition(dim) - outer + tableOuter));
    inBounds.push_back(read.isDimInBounds(dim));
  }
  auto type = VectorType::get(whole.getShape().drop_front(rows.rowDims),
                              whole.getElementType());
  Value part = vector::TransferReadOp::create(
      builder, loc, type, extract.getTensor(), places, read.getPadding(),
      AffineMap::get(places.size(), 0, dims, builder.getContext()),
      ArrayRef<bool>(inBounds));
  if (type.getRank() == 0 && rows.rowDims != 0)
    part = vector::ExtractOp::create(builder, loc, part, ArrayRef<int64_t>());
  return part;
}

/// The same of elements that are looked up one by one.
static Value readElements(OpBuilder &builder, const LineGather &gather,
                          const RowsRead &rows, ArrayRef<int64_t> numbers) {
  vector::TransferReadOp read = rows.op;
  SmallVector<Value> loops(read.getIndices());
  for (auto [dim, number] : llvm::enumerate(numbers)) {
    Value &loop = loops[read.getPermutationMap().getDimPosition(dim)];
    loop = add(builder, read.getLoc(), loop, number);
  }
  return gatherElements(builder, gather, loops,
                        read.getVectorType().getShape().back());
}

static void readFromTable(OpBuilder &builder, const LineGather &gather,
                          const RowsRead &rows) {
  vector::TransferReadOp read = rows.op;
  builder.setInsertionPoint(read);
  auto readNext = gather.isOfElements() ? readElements : readRow;
  Value result;
  if (rows.rowDims == 0) {
    result = readNext(builder, gather, rows, {});
  } else {
    const Location loc = read.getLoc();
    result = ub::PoisonOp::create(builder, loc, read.getVectorType());
    const SmallVector<int64_t> strides = computeStrides(rows.rows());
    for (int64_t row = 0; row != computeProduct(rows.rows()); ++row) {
      const SmallVector<int64_t> numbers = delinearize(row, strides);
      result = vector::InsertOp::create(
          builder, loc, readNext(builder, gather, rows, numbers), result,
          numbers);
    }
  }
  read.replaceAllUsesWith(result);
  read.erase();
}

namespace {
struct ReadGathered : sched::impl::ReadGatheredPassBase<ReadGathered> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<tensor::GatherOp> named;
    getOperation()->walk([&](tensor::GatherOp op) { named.push_back(op); });
    for (tensor::GatherOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)generalizeGather(rewriter, op);
    }
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      auto gather = matchAnyGather(op);
      if (!gather || op->use_empty())
        continue;
      SmallVector<RowsRead> reads;
      for (Operation *user : op->getUsers())
        if (auto read = getRowsRead(user, *gather))
          reads.push_back(*read);
      if (reads.size() != llvm::range_size(op->getUses()))
        continue;
      for (const RowsRead &read : reads)
        readFromTable(rewriter, *gather, read);
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
