//===- PrefetchResults.cpp - Where the next sums go -----------------------===//
//
// A step of LowerTileProducts.cpp. Tile registers add up so fast that a
// product of few steps waits for its results: a line of the cache that is
// stored to has to be there first, and the rows of a tile are a few lines each,
// which processors foresee badly. So while a tile is computed, its steps fetch
// the lines that the next one will store.
//
//===----------------------------------------------------------------------===//

#include "PrefetchResults.h"
#include "NarrowContraction.h"
#include "Prefetch.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// The lines of sums of more steps are there in time: with 32 to 72 of them to
/// fetch, products took 1.02 to 1.06 of the time.
static constexpr int64_t kMostSteps = 16;

namespace {
/// The sums of a product, which `write` stores behind its steps.
struct StoredSums {
  vector::TransferWriteOp write;
  NarrowContraction product;
  /// The loops over the steps, innermost first.
  SmallVector<scf::ForOp> steps;

  static std::optional<StoredSums> match(vector::TransferWriteOp write,
                                         ArrayRef<NarrowContraction> products);
  /// Whether they begin with a constant: others were in their place before.
  bool areNew();
  void prefetchNext(uint64_t minBytes);
};
} // namespace

/// The one of `products` that `value` is computed of in its block.
static std::optional<NarrowContraction>
findProduct(Value value, Block *block, ArrayRef<NarrowContraction> products) {
  SmallVector<Value> values{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != block || !seen.insert(op).second)
      continue;
    const auto *product =
        llvm::find_if(products, [&](const NarrowContraction &other) {
          return op->isAncestor(other.op);
        });
    if (product != products.end())
      return *product;
    if (isa<scf::ForOp>(op) || isPure(op))
      llvm::append_range(values, op->getOperands());
  }
  return std::nullopt;
}

std::optional<StoredSums>
StoredSums::match(vector::TransferWriteOp write,
                  ArrayRef<NarrowContraction> products) {
  std::optional<NarrowContraction> product =
      findProduct(write.getVector(), write->getBlock(), products);
  if (!product)
    return std::nullopt;
  StoredSums sums{write, *product, {}};
  Operation *loop = product->op->getParentOp();
  for (; loop != write->getParentOp(); loop = loop->getParentOp()) {
    auto steps = dyn_cast<scf::ForOp>(loop);
    if (!steps)
      return std::nullopt;
    sums.steps.push_back(steps);
  }
  return sums.areNew() ? std::optional(sums) : std::nullopt;
}

bool StoredSums::areNew() {
  Value start = product.op.getAcc();
  for (scf::ForOp loop : steps) {
    auto carried = dyn_cast<BlockArgument>(start);
    if (!carried || carried.getOwner() != loop.getBody())
      break;
    start = loop.getTiedLoopInit(carried)->get();
  }
  return matchPattern(start, m_Constant());
}

void StoredSums::prefetchNext(uint64_t minBytes) {
  SmallVector<scf::ForOp> around;
  for (auto loop = dyn_cast<scf::ForOp>(write->getParentOp());
       loop && countTrips(loop);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    around.push_back(loop);
  if (around.empty())
    return;
  ArrayRef<scf::ForOp> loops = takeCountable(around);
  scf::ForOp first = around.front();
  const std::optional<TransferPlace> place =
      TransferPlace::get(write, loops.back());
  OpBuilder builder(product.op);
  const std::optional<Turn> turn = Turn::get(builder, steps);
  // Sums that the next iteration stores in the same place are in a cache, as
  // are those of the only one.
  if (!place || !turn || turn->count > kMostSteps ||
      llvm::all_of(loops,
                   [](scf::ForOp loop) { return *countTrips(loop) == 1; }) ||
      !place->dependsOn(first.getInductionVar()) ||
      !isInLargeBuffer(write, loops.back(), minBytes, /*anyRows=*/true))
    return;
  SmallVector<int64_t> shape(write.getIndices().size(), 1);
  for (auto [dim, extent] :
       llvm::zip_equal(write.getPermutationMap().getResults(),
                       write.getVectorType().getShape()))
    shape[cast<AffineDimExpr>(dim).getPosition()] = extent;
  LineGrid lines(
      VectorType::get(shape, write.getVectorType().getElementType()));
  const auto isLong = [](int64_t count) { return count > 1; };
  const ArrayRef<int64_t> counts(lines.counts);
  if (llvm::count_if(counts.drop_back(), isLong) > 1)
    return;

  // Before all reads: LLVM moves none across a prefetch.
  builder.setInsertionPointToStart(product.op->getBlock());
  const Location loc = write.getLoc();
  auto [buffer, indices] =
      place->clone(builder, getLater(builder, loc, loops, /*ahead=*/1));
  // Each step has some of the rows.
  if (const auto *rows = llvm::find_if(counts.drop_back(), isLong);
      rows != counts.end() - 1) {
    const int64_t dim = rows - counts.begin(),
                  share = llvm::divideCeil(*rows, turn->count);
    Value row = affine::AffineApplyOp::create(
        builder, loc,
        AffineMap::get(turn->operands.size(), 0, turn->number * share),
        turn->operands);
    Value last = arith::ConstantIndexOp::create(builder, loc, *rows - share);
    row = arith::MinUIOp::create(builder, loc, row, last);
    Value &index = indices[dim];
    index = arith::AddIOp::create(builder, loc, index, row);
    lines.counts[dim] = share;
  }
  lines.prefetch(builder, loc, buffer, indices, /*locality=*/3,
                 /*isWrite=*/true);
}

void sched::prefetchResults(Operation *root,
                            ArrayRef<NarrowContraction> products,
                            uint64_t minBytes) {
  if (minBytes == 0)
    return;
  SmallVector<StoredSums> all;
  root->walk([&](vector::TransferWriteOp write) {
    if (std::optional<StoredSums> sums = StoredSums::match(write, products))
      all.push_back(*sums);
  });
  for (StoredSums &sums : all)
    sums.prefetchNext(minBytes);
}
