//===- JoinedElements.cpp - Elements of tensors that have parts -----------===//
//
// Pads, inserted slices, concatenations and the like: which part an element is
// of is decided where it is read.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace sched;

Value ElementReader::readPadded(Operation *op, ArrayRef<Value> from,
                                Lanes lanes, Value guard) {
  auto pad = cast<tensor::PadOp>(op);
  const Value padding = pad.getConstantPaddingValue();
  if (!padding) {
    op->emitError("a kernel can pad by one value only: expected a constant or "
                  "a value from outside of the region");
    return {};
  }
  SmallVector<Value> indices(from);
  Value inside;
  if (!enterPad(pad, indices, lanes, inside))
    return lanes.width > 1 ? readLanes(pad.getResult(), from, lanes, guard)
                           : Value();
  const Value fill = getScalar(padding);
  const Value elements =
      read(pad.getSource(), indices, lanes, state.index.both(guard, inside));
  if (!fill || !elements)
    return {};
  return state.index.select(inside, elements,
                            inside ? splat(fill, lanes.width) : elements);
}

Value ElementReader::readInserted(Operation *op, ArrayRef<Value> from,
                                  Lanes lanes, Value guard) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  if (lanes.width > 1)
    return readLanes(insert.getResult(), from, lanes, guard);
  IndexMath &index = state.index;
  const llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<Value> indices;
  Value inside;
  for (int64_t dim = 0; dim != int64_t(from.size()); ++dim) {
    const std::optional<int64_t> stride =
        getConstantIntValue(insert.getMixedStrides()[dim]);
    if (!stride || *stride < 1) {
      op->emitError("a kernel can insert slices of constant strides above 0 "
                    "only");
      return {};
    }
    Value place =
        index.subtract(from[dim], getScalar(insert.getMixedOffsets()[dim]));
    const Value size = getScalar(insert.getMixedSizes()[dim]);
    if (*stride != 1) {
      // Between its elements, the slice leaves the others.
      inside = index.both(inside, index.less(index.remainder(place, *stride),
                                             index.constant(1)));
      place = index.divide(place, *stride);
    }
    inside = index.both(inside, index.within(place, size));
    if (!dropped[dim])
      indices.push_back(place);
  }
  const Value inner =
      read(insert.getSource(), indices, lanes, index.both(guard, inside));
  if (!inside || !inner)
    return inner;
  const Value outer = read(insert.getDest(), from, lanes, guard);
  return outer ? index.select(inside, inner, outer) : Value();
}

Value ElementReader::readConcatenated(tensor::ConcatOp op, ArrayRef<Value> from,
                                      Lanes lanes, Value guard) {
  IndexMath &index = state.index;
  const int64_t dim = op.getDim();
  // Lanes of one part each, or one by one.
  if (lanes.width > 1 && lanes.dim == dim) {
    bool isWhole = index.getPowerDivisor(from[dim], lanes.width) == lanes.width;
    for (Value input : op.getInputs())
      isWhole &= cast<RankedTensorType>(input.getType()).getDimSize(dim) %
                     lanes.width ==
                 0;
    if (!isWhole)
      return readLanes(op.getResult(), from, lanes, guard);
  }
  int64_t begin = 0;
  Value result;
  for (Value input : op.getInputs()) {
    const int64_t size =
        cast<RankedTensorType>(input.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size)) {
      op.emitError("a kernel can concatenate tensors of constant sizes only");
      return {};
    }
    SmallVector<Value> indices(from);
    indices[dim] = index.subtract(from[dim], index.constant(begin));
    const Value inside = index.within(indices[dim], index.constant(size));
    const Value elements =
        read(input, indices, lanes, index.both(guard, inside));
    if (!elements)
      return {};
    result = result ? index.select(inside, elements, result) : elements;
    begin += size;
  }
  return result;
}

Value ElementReader::readGenerated(Operation *op, ArrayRef<Value> from,
                                   Lanes lanes, Value guard) {
  const Value tensor = op->getResult(0);
  if (lanes.width > 1)
    return readLanes(tensor, from, lanes, guard);
  if (auto list = dyn_cast<tensor::FromElementsOp>(op)) {
    const Value place = state.index.linearize(
        from, cast<RankedTensorType>(tensor.getType()).getShape());
    Value result;
    for (auto [number, element] : llvm::enumerate(list.getElements())) {
      const Value value = getScalar(element);
      if (!value)
        return {};
      result = result
                   ? state.index.select(
                         state.index.less(place, state.index.constant(number)),
                         result, value)
                   : value;
    }
    return result;
  }
  Block &body = op->getRegion(0).front();
  llvm::DenseMap<Value, Value> values;
  for (auto [argument, place] : llvm::zip_equal(body.getArguments(), from))
    values[argument] = place;
  for (Operation &inner : body.without_terminator())
    if (failed(emitScalarOp(&inner, 1, values, guard)))
      return {};
  const Value yielded = body.getTerminator()->getOperand(0);
  const Value value = values.lookup(yielded);
  return value ? value : getScalar(yielded);
}
