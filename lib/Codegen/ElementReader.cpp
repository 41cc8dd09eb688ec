//===- ElementReader.cpp - Elements of tensors, computed where needed -----===//
//
// Views and memory. What is computed is in InlinedElements.cpp.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "ElementTypes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace sched;

Value ElementReader::findCached(const Key &key) {
  for (Block *block = state.builder.getInsertionBlock(); block;) {
    if (auto found = cache.find(block); found != cache.end())
      if (auto value = found->second.find(key); value != found->second.end())
        return value->second;
    Operation *parent = block->getParentOp();
    block = parent && parent != state.kernel ? parent->getBlock() : nullptr;
  }
  return {};
}

void ElementReader::keep(Key key, Value value) {
  cache[state.builder.getInsertionBlock()][std::move(key)] = value;
}

Value ElementReader::getLaneIndex(Value index, int64_t lane) {
  if (lane == 0)
    return index;
  const Key key = {this, index.getAsOpaquePointer(),
                   reinterpret_cast<const void *>(lane)};
  if (const Value found = findCached(key))
    return found;
  const Value result = state.index.add(index, lane);
  keep(key, result);
  laneOf[result] = {index, lane};
  return result;
}

Value ElementReader::splat(Value scalar, int64_t width) {
  if (width == 1 || isa<VectorType>(scalar.getType()))
    return scalar;
  return vector::BroadcastOp::create(state.builder, state.loc,
                                     VectorType::get(width, scalar.getType()),
                                     scalar);
}

Value ElementReader::extract(Value vector, int64_t lane) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  if (auto joined = vector.getDefiningOp<vector::FromElementsOp>())
    return joined.getElements()[lane];
  return vector::ExtractOp::create(state.builder, state.loc, vector,
                                   ArrayRef<int64_t>{lane});
}

Value ElementReader::slice(Value vector, int64_t begin, int64_t width) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type || type.getDimSize(0) == width)
    return vector;
  if (width == 1)
    return extract(vector, begin);
  return vector::ShuffleOp::create(
      state.builder, state.loc, vector, vector,
      llvm::to_vector(llvm::seq(begin, begin + width)));
}

Value ElementReader::join(ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return elements.front();
  const auto type =
      VectorType::get(elements.size(), elements.front().getType());
  return vector::FromElementsOp::create(state.builder, state.loc, type,
                                        elements);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// How many elements an access of 16 bytes has. Vectors of bits are packed, but
/// tensors of them are not.
static int64_t getWidest(Type element) {
  return !element.isIndex() && element.getIntOrFloatBitWidth() < 8
             ? 1
             : 16 / getElementBytes(element);
}

int64_t ElementReader::getWidth(const Place &place, int64_t limit) const {
  const Type element =
      cast<MemRefType>(place.memory.getType()).getElementType();
  return state.index.getPowerDivisor(place.position,
                                     std::min(limit, getWidest(element)));
}

Value ElementReader::getPosition(const MemoryView &view,
                                 ArrayRef<Value> indices) {
  // What differs most between threads comes last: the rest can be hoisted.
  Value result = view.offset ? view.offset : state.index.constant(0);
  for (auto [index, stride] : llvm::zip_equal(indices, view.strides))
    result = state.index.add(result, state.index.multiply(index, stride));
  return result;
}

Value ElementReader::load(Value memory, Value position, int64_t width) {
  OpBuilder &builder = state.builder;
  if (width == 1)
    return memref::LoadOp::create(builder, state.loc, memory, position);
  const Type element = cast<MemRefType>(memory.getType()).getElementType();
  assert(llvm::isPowerOf2_64(width) && "vectors are powers of two");
  const int64_t step = getWidth({memory, position, {}}, width);
  SmallVector<Value> parts;
  for (int64_t i = 0; i != width; i += step) {
    const Value place = state.index.add(position, i);
    if (step == 1)
      parts.push_back(
          memref::LoadOp::create(builder, state.loc, memory, place));
    else
      parts.push_back(vector::LoadOp::create(
          builder, state.loc, VectorType::get(step, element), memory,
          ValueRange(place), /*nontemporal=*/false,
          llvm::MaybeAlign(step * getElementBytes(element))));
  }
  if (parts.size() == 1)
    return parts.front();
  if (step == 1)
    return join(parts);
  // One after another: `width` is `step` times a power of two.
  for (int64_t length = step; length != width; length *= 2) {
    SmallVector<Value> longer;
    for (size_t i = 0; i != parts.size(); i += 2)
      longer.push_back(vector::ShuffleOp::create(
          builder, state.loc, parts[i], parts[i + 1],
          llvm::to_vector(llvm::seq(int64_t(0), 2 * length))));
    parts = longer;
  }
  return parts.front();
}

void ElementReader::store(Value elements, Value memory, Value position) {
  OpBuilder &builder = state.builder;
  auto type = dyn_cast<VectorType>(elements.getType());
  if (!type) {
    memref::StoreOp::create(builder, state.loc, elements, memory, position);
    return;
  }
  const int64_t width = type.getDimSize(0);
  const int64_t step = getWidth({memory, position, {}}, width);
  for (int64_t i = 0; i != width; i += step) {
    const Value place = state.index.add(position, i);
    const Value part = slice(elements, i, step);
    if (step == 1)
      memref::StoreOp::create(builder, state.loc, part, memory, place);
    else
      vector::StoreOp::create(
          builder, state.loc, part, memory, ValueRange(place),
          /*nontemporal=*/false,
          llvm::MaybeAlign(step * getElementBytes(type.getElementType())));
  }
}

Value ElementReader::loadPlace(const Place &place, Lanes lanes, Value guard) {
  // Elsewhere any element that exists is read: no branch.
  const Value valid = state.index.both(guard, place.inside);
  const Value position =
      state.index.select(valid, place.position, state.index.constant(0));
  const Value elements = load(place.memory, position, lanes.width);
  return state.index.select(place.inside, elements,
                            place.inside ? state.zero(elements.getType())
                                         : elements);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool ElementReader::enterPad(Operation *op, SmallVectorImpl<Value> &indices,
                             Lanes lanes, Value &inside) {
  auto pad = cast<tensor::PadOp>(op);
  IndexMath &index = state.index;
  SmallVector<Value> source(indices.begin(), indices.end());
  Value all;
  for (int64_t dim = 0; dim != int64_t(indices.size()); ++dim) {
    const OpFoldResult low = pad.getMixedLowPad()[dim],
                       high = pad.getMixedHighPad()[dim];
    if (isConstantIntValue(low, 0) && isConstantIntValue(high, 0))
      continue;
    const Value size = getSize(pad.getSource(), dim), before = getScalar(low);
    if (!size || !before)
      return false;
    source[dim] = index.subtract(indices[dim], before);
    if (lanes.width > 1 && dim == lanes.dim &&
        (index.getPowerDivisor(source[dim], lanes.width) != lanes.width ||
         index.getPowerDivisor(size, lanes.width) != lanes.width))
      return false;
    all = index.both(all, index.within(source[dim], size));
  }
  inside = all;
  indices = source;
  return true;
}

/// The operand that an op of linalg copies, if that is all it does.
static OpOperand *getCopied(linalg::LinalgOp op) {
  if (op.getNumLoops() != op.getNumParallelLoops() || op.getNumDpsInits() != 1)
    return nullptr;
  auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  auto argument = dyn_cast<BlockArgument>(yield.getOperand(0));
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return isa<RankedTensorType>(operand->get().getType()) ? operand : nullptr;
}

bool ElementReader::step(Value &tensor, SmallVectorImpl<Value> &indices,
                         Lanes &lanes) {
  IndexMath &index = state.index;
  if (const Value alias = state.aliases.lookup(tensor)) {
    tensor = alias;
    return true;
  }
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return false;
  const bool isVector = lanes.width > 1;
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    tensor = cast.getSource();
    return true;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    const llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Value> source;
    int64_t lane = -1;
    for (int64_t dim = 0, result = 0; dim != slice.getSourceType().getRank();
         ++dim) {
      Value place = getScalar(slice.getMixedOffsets()[dim]);
      if (!dropped[dim]) {
        const std::optional<int64_t> stride =
            getConstantIntValue(slice.getMixedStrides()[dim]);
        if (!stride || (isVector && result == lanes.dim && *stride != 1))
          return false;
        if (result == lanes.dim)
          lane = dim;
        place = index.add(place, index.multiply(indices[result++], *stride));
      }
      source.push_back(place);
    }
    tensor = slice.getSource();
    indices = source;
    lanes.dim = lane;
    return true;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    auto sizes = cast<RankedTensorType>(tensor.getType()).getShape();
    SmallVector<Value> source;
    int64_t lane = -1;
    for (auto [dim, group] :
         llvm::enumerate(expand.getReassociationIndices())) {
      SmallVector<Value> parts;
      SmallVector<int64_t> extents;
      for (int64_t i : group) {
        parts.push_back(indices[i]);
        extents.push_back(sizes[i]);
        if (i != group.front() && ShapedType::isDynamic(sizes[i]))
          return false;
        if (i == lanes.dim)
          lane = dim;
      }
      if (isVector && lane == int64_t(dim))
        for (int64_t i : group)
          if (i > lanes.dim && sizes[i] != 1)
            return false;
      source.push_back(index.linearize(parts, extents));
    }
    tensor = expand.getSrc();
    indices = source;
    lanes.dim = lane;
    return true;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    auto sizes = collapse.getSrcType().getShape();
    SmallVector<Value> source(sizes.size(), index.constant(0));
    int64_t lane = -1;
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      // Dimensions of size 1 have place 0 only.
      SmallVector<int64_t> dims, extents;
      for (int64_t i : group)
        if (sizes[i] != 1) {
          dims.push_back(i);
          extents.push_back(sizes[i]);
          if (dims.size() > 1 && ShapedType::isDynamic(sizes[i]))
            return false;
        }
      if (int64_t(dim) == lanes.dim) {
        lane = dims.empty() ? group.back() : dims.back();
        if (isVector && dims.size() > 1 &&
            (extents.back() % lanes.width != 0 ||
             index.getPowerDivisor(indices[dim], lanes.width) != lanes.width))
          return false;
      }
      const SmallVector<Value> parts = index.delinearize(indices[dim], extents);
      for (auto [i, part] : llvm::zip_equal(dims, parts))
        source[i] = part;
    }
    tensor = collapse.getSrc();
    indices = source;
    lanes.dim = lane;
    return true;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  OpOperand *copied = linalgOp ? getCopied(linalgOp) : nullptr;
  if (!copied)
    return false;
  const AffineMap to =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  const AffineMap from = linalgOp.getMatchingIndexingMap(copied);
  if (!to.isPermutation())
    return false;
  SmallVector<Value> loops(indices.size()), source;
  for (auto [expr, value] : llvm::zip_equal(to.getResults(), indices))
    loops[cast<AffineDimExpr>(expr).getPosition()] = value;
  const unsigned laneLoop = lanes.dim < 0 ? ~0u : to.getDimPosition(lanes.dim);
  int64_t lane = -1;
  for (auto [dim, expr] : llvm::enumerate(from.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return false;
    if (loop.getPosition() == laneLoop)
      lane = dim;
    source.push_back(loops[loop.getPosition()]);
  }
  if (isVector && lane < 0)
    return false;
  tensor = copied->get();
  indices = source;
  lanes.dim = lane;
  return true;
}

std::optional<ElementReader::Place>
ElementReader::findPlace(Value tensor, ArrayRef<Value> from, Lanes lanes) {
  SmallVector<Value> indices(from);
  Place place;
  while (true) {
    if (auto found = state.memory.find(tensor); found != state.memory.end()) {
      const MemoryView &view = found->second;
      if (lanes.width > 1 && view.strides[lanes.dim] != 1)
        return std::nullopt;
      place.memory = view.memory;
      place.position = getPosition(view, indices);
      return place;
    }
    if (auto pad = tensor.getDefiningOp<tensor::PadOp>()) {
      const Value padding = pad.getConstantPaddingValue();
      Value inside;
      if (!padding ||
          !(matchPattern(padding, m_PosZeroFloat()) ||
            matchPattern(padding, m_Zero())) ||
          !enterPad(pad, indices, lanes, inside))
        return std::nullopt;
      place.inside = state.index.both(place.inside, inside);
      tensor = pad.getSource();
      continue;
    }
    if (state.registers.count(tensor) || !step(tensor, indices, lanes))
      return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value ElementReader::getScalar(OpFoldResult scalar) {
  if (auto value = dyn_cast<Value>(scalar))
    return getScalar(value);
  return state.index.constant(*getConstantIntValue(scalar));
}

Value ElementReader::getScalar(Value scalar) {
  if (const Value found = state.scalars.lookup(scalar))
    return found;
  Operation *op = scalar.getDefiningOp();
  if (!op) {
    emitError(scalar.getLoc(), "a kernel cannot take this scalar as an input: "
                               "only tensors are supported");
    return {};
  }
  if (auto literal = dyn_cast<arith::ConstantOp>(op)) {
    if (scalar.getType().isIndex())
      return state.index.constant(
          cast<IntegerAttr>(literal.getValue()).getInt());
    return state.scalars[scalar] = state.literal(literal.getValue());
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (auto constant = dim.getConstantIndex())
      return getSize(dim.getSource(), *constant);
  SmallVector<Value> operands;
  if (!isa<tensor::ExtractOp>(op))
    for (Value operand : op->getOperands()) {
      operands.push_back(getScalar(operand));
      if (!operands.back())
        return {};
    }
  auto apply = [&](AffineMap map, unsigned result) {
    return state.index.apply(map.getResult(result),
                             ValueRange(operands).take_front(map.getNumDims()),
                             ValueRange(operands).drop_front(map.getNumDims()));
  };
  IndexMath &index = state.index;
  Value result;
  if (auto affine = dyn_cast<affine::AffineApplyOp>(op)) {
    result = apply(affine.getAffineMap(), 0);
  } else if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    auto least = dyn_cast<affine::AffineMinOp>(op);
    const AffineMap map = least ? least.getAffineMap()
                                : cast<affine::AffineMaxOp>(op).getAffineMap();
    for (unsigned i = 0; i != map.getNumResults(); ++i) {
      const Value next = apply(map, i);
      if (!next)
        break;
      result = !result ? next
               : least ? index.minimum(result, next)
                       : index.maximum(result, next);
    }
  } else if (isa<arith::AddIOp, arith::MulIOp, arith::SubIOp, arith::MinSIOp,
                 arith::MaxSIOp>(op) &&
             scalar.getType().isIndex()) {
    result = isa<arith::AddIOp>(op)   ? index.add(operands[0], operands[1])
             : isa<arith::MulIOp>(op) ? index.multiply(operands[0], operands[1])
             : isa<arith::SubIOp>(op) ? index.subtract(operands[0], operands[1])
             : isa<arith::MinSIOp>(op)
                 ? index.minimum(operands[0], operands[1])
                 : index.maximum(operands[0], operands[1]);
    checkIndex(result);
  } else if (isa<tensor::ExtractOp>(op) ||
             (op->getNumRegions() == 0 && op->getNumResults() == 1 &&
              isMemoryEffectFree(op))) {
    llvm::DenseMap<Value, Value> values;
    for (Value operand : op->getOperands())
      if (!isa<RankedTensorType>(operand.getType()))
        values[operand] = getScalar(operand);
    if (succeeded(emitScalarOp(op, 1, values, {})))
      result = values[scalar];
    return result;
  }
  if (!result)
    op->emitError("a kernel cannot compute this scalar: expected arithmetic "
                  "of indices that divides by constants only");
  return result;
}

Value ElementReader::getSize(Value tensor, int64_t dim) {
  const auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return state.index.constant(type.getDimSize(dim));
  if (const Value alias = state.aliases.lookup(tensor))
    return getSize(alias, dim);
  if (auto result = dyn_cast<OpResult>(tensor)) {
    Operation *op = result.getOwner();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      const llvm::SmallBitVector dropped = slice.getDroppedDims();
      for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
        if (!dropped[i] && dim-- == 0)
          return getScalar(size);
    }
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return getScalar(empty.getMixedSizes()[dim]);
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      return getSize(cast.getSource(), dim);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return getSize(insert.getDest(), dim);
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      const Value size = getSize(pad.getSource(), dim),
                  low = getScalar(pad.getMixedLowPad()[dim]),
                  high = getScalar(pad.getMixedHighPad()[dim]);
      if (size && low && high)
        return state.index.add(size, state.index.add(low, high));
      return {};
    }
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      return getScalar(expand.getMixedOutputShape()[dim]);
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      Value product = state.index.constant(1);
      for (int64_t i : collapse.getReassociationIndices()[dim])
        if (const Value size = getSize(collapse.getSrc(), i))
          product = state.index.multiply(product, size);
        else
          return {};
      return product;
    }
    if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
      return getSize(style.getTiedOpOperand(result)->get(), dim);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return getSize(loop.getInitArgs()[result.getResultNumber()], dim);
    if (op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands())
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          return getSize(operand, dim);
  } else if (auto loop = dyn_cast<scf::ForOp>(
                 cast<BlockArgument>(tensor).getOwner()->getParentOp())) {
    return getSize(loop.getTiedLoopInit(cast<BlockArgument>(tensor))->get(),
                   dim);
  }
  emitError(tensor.getLoc(), "a kernel needs the size of dimension ")
      << dim << " of this tensor, and finds neither a number nor a slice or "
      << "another op that tells it";
  return {};
}
