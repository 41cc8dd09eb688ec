//===- TileAxis.cpp - Places in a contraction's tiles ---------------------===//
//
// What TileFetch.h says of axes, of a contraction's tile, and of a tile in
// shared memory. Read next: TileFetch.cpp, which fills the latter.
//
//===----------------------------------------------------------------------===//

#include "TileFetch.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace sched;

Value TileAxis::within(ValueRange places, IndexMath &index) const {
  Value inside;
  for (auto [place, size] : llvm::zip_equal(places, sizes))
    inside = index.both(inside, index.less(place, size));
  return inside;
}

SmallVector<Value> TileAxis::clamp(ValueRange places, int64_t width,
                                   IndexMath &index) const {
  SmallVector<Value> result;
  const std::optional<unsigned> innermost = getInnermost();
  for (auto [i, place] : llvm::enumerate(places))
    result.push_back(index.minimum(
        place, index.add(sizes[i], innermost == i ? -width : -1)));
  return result;
}

std::optional<unsigned> TileAxis::getInnermost() const {
  for (unsigned i = loops.size(); i-- > 0;)
    if (bounds[i] != 1)
      return i;
  return std::nullopt;
}

int64_t TileAxis::getWidth(int64_t limit, const IndexMath &index) const {
  const std::optional<unsigned> innermost = getInnermost();
  if (!innermost)
    return 1;
  // Rows of another length than a multiple only matter if there are several.
  while (limit > 1 && bounds[*innermost] != extent &&
         bounds[*innermost] % limit != 0)
    limit /= 2;
  return index.getPowerDivisor(sizes[*innermost], limit);
}

SmallVector<Value> ContractionTile::getResultPlace(ValueRange m,
                                                   ValueRange n) const {
  SmallVector<Value> places(nest.shape.op.getNumLoops(),
                            state.index.constant(0));
  for (auto [loop, place] : llvm::zip_equal(outer[0].loops, m))
    places[loop] = place;
  for (auto [loop, place] : llvm::zip_equal(outer[1].loops, n))
    places[loop] = place;
  SmallVector<Value> result;
  for (AffineExpr expr : nest.shape.getResultMap().getResults())
    result.push_back(places[cast<AffineDimExpr>(expr).getPosition()]);
  return result;
}

Value ContractionTile::getFillValue(Value init) const {
  while (auto slice = init.getDefiningOp<tensor::ExtractSliceOp>())
    init = slice.getSource();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill ? reader.getScalar(fill.value()) : Value();
}

int64_t ContractionTile::getResultDim(unsigned side) const {
  const std::optional<unsigned> innermost = outer[side].getInnermost();
  if (innermost)
    for (auto [i, expr] :
         llvm::enumerate(nest.shape.getResultMap().getResults()))
      if (cast<AffineDimExpr>(expr).getPosition() ==
          outer[side].loops[*innermost])
        return i;
  return -1;
}

Value SharedTile::getPosition(IndexMath &index, Value slot, Value outer,
                              Value k) const {
  const Value high = isKInner ? outer : k, low = isKInner ? k : outer;
  return index.add(index.multiply(slot, stage),
                   index.add(index.multiply(high, row), low));
}
