//===- InlinedElements.cpp - Elements that are computed where needed ------===//
//
// The part of ElementReader that emits the ops of producers.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace sched;

Value ElementReader::read(Value tensor, ArrayRef<Value> indices, Lanes lanes,
                          Value guard) {
  if (lanes.width == 1)
    lanes.dim = -1;
  Key key = {
      tensor.getAsOpaquePointer(), reinterpret_cast<const void *>(lanes.width),
      reinterpret_cast<const void *>(lanes.dim), guard.getAsOpaquePointer()};
  for (Value value : indices)
    key.push_back(value.getAsOpaquePointer());
  if (const Value found = findCached(key))
    return found;
  // What holds everywhere holds where it is asked for.
  if (guard) {
    Key everywhere = key;
    everywhere[3] = nullptr;
    if (const Value found = findCached(everywhere))
      return found;
  }
  const Value result = readElement(tensor, indices, lanes, guard);
  if (result)
    keep(std::move(key), result);
  return result;
}

void ElementReader::provide(Value tensor, ArrayRef<Value> indices, Lanes lanes,
                            Value elements) {
  if (lanes.width == 1)
    lanes.dim = -1;
  Key key = {tensor.getAsOpaquePointer(),
             reinterpret_cast<const void *>(lanes.width),
             reinterpret_cast<const void *>(lanes.dim), nullptr};
  for (Value value : indices)
    key.push_back(value.getAsOpaquePointer());
  keep(std::move(key), elements);
  for (int64_t i = 0; lanes.width > 1 && i != lanes.width; ++i) {
    SmallVector<Value> at(indices);
    at[lanes.dim] = getLaneIndex(indices[lanes.dim], i);
    provide(tensor, at, {}, extract(elements, i));
  }
}

Value ElementReader::readLanes(Value tensor, ArrayRef<Value> indices,
                               Lanes lanes, Value guard) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i != lanes.width; ++i) {
    SmallVector<Value> at(indices);
    at[lanes.dim] = getLaneIndex(indices[lanes.dim], i);
    elements.push_back(read(tensor, at, {}, guard));
    if (!elements.back())
      return {};
  }
  return join(elements);
}

Value ElementReader::readElement(Value tensor, ArrayRef<Value> from,
                                 Lanes lanes, Value guard) {
  if (auto found = state.registers.find(tensor); found != state.registers.end())
    return readRegisters(tensor, *found->second, from, lanes);
  if (std::optional<Place> place = findPlace(tensor, from, lanes))
    return loadPlace(*place, lanes, guard);
  if (state.memory.count(tensor))
    return readLanes(tensor, from, lanes, guard);

  SmallVector<Value> indices(from);
  const Value outer = tensor;
  const Lanes outerLanes = lanes;
  if (step(tensor, indices, lanes))
    return read(tensor, indices, lanes, guard);
  Operation *op = outer.getDefiningOp();
  const Type element = cast<RankedTensorType>(outer.getType()).getElementType();
  if (isa_and_nonnull<tensor::EmptyOp>(op))
    return state.zero(lanes.width == 1
                          ? element
                          : Type(VectorType::get(lanes.width, element)));
  if (isa_and_nonnull<arith::ConstantOp>(op))
    return readConstant(outer, from, lanes, guard);
  if (isa_and_nonnull<tensor::PadOp>(op))
    return readPadded(op, from, lanes, guard);
  if (isa_and_nonnull<tensor::InsertSliceOp>(op))
    return readInserted(op, from, lanes, guard);
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    return readConcatenated(concat, from, lanes, guard);
  if (isa_and_nonnull<tensor::GenerateOp, tensor::FromElementsOp>(op))
    return readGenerated(op, from, lanes, guard);
  if (auto splatOp = dyn_cast_or_null<tensor::SplatOp>(op)) {
    const Value scalar = getScalar(splatOp.getInput());
    return scalar ? splat(scalar, lanes.width) : Value();
  }
  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    if (linalgOp.getNumLoops() == linalgOp.getNumParallelLoops())
      return readElementwise(linalgOp, cast<OpResult>(outer).getResultNumber(),
                             from, lanes, guard);
  if (isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                      tensor::CollapseShapeOp, linalg::LinalgOp>(op) &&
      outerLanes.width > 1)
    return readLanes(outer, from, outerLanes, guard);
  if (op && OpTrait::hasElementwiseMappableTraits(op) &&
      op->getNumResults() == 1) {
    llvm::DenseMap<Value, Value> values;
    for (Value operand : op->getOperands())
      if (!(values[operand] = isa<RankedTensorType>(operand.getType())
                                  ? read(operand, from, lanes, guard)
                                  : getScalar(operand)))
        return {};
    if (failed(emitScalarOp(op, lanes.width, values, guard)))
      return {};
    return splat(values[outer], lanes.width);
  }
  InFlightDiagnostic diagnostic =
      op ? op->emitError("a kernel cannot compute single elements of ")
               << op->getName()
         : emitError(outer.getLoc(), "a kernel cannot read this tensor");
  diagnostic << ": expected a view, an elementwise op, or a stage of the block "
                "that comes before its users";
  return {};
}

Value ElementReader::readRegisters(Value tensor, RegisterTensor &tile,
                                   ArrayRef<Value> indices, Lanes lanes) {
  const RegisterTensor::Group *group = tile.current;
  bool same = group != nullptr;
  int64_t lane = 0;
  for (size_t dim = 0; same && dim != indices.size(); ++dim) {
    if (indices[dim] == group->indices[dim])
      continue;
    auto found = laneOf.find(indices[dim]);
    same = int64_t(dim) == group->lanes.dim && found != laneOf.end() &&
           found->second.first == group->indices[dim];
    if (same)
      lane = found->second.second;
  }
  if (same && lanes.width == 1)
    return extract(group->elements, lane);
  if (same && lane == 0 && lanes.dim == group->lanes.dim &&
      lanes.width == group->lanes.width)
    return group->elements;
  if (same && lanes.width > 1 && lanes.dim == group->lanes.dim)
    return slice(group->elements, lane, lanes.width);
  emitError(tensor.getLoc(),
            "this tensor is in registers, and an op of the block reads another "
            "element than the one that it computes; give the op that computes "
            "it `sched.simt = {keep = \"shared\"}`");
  return {};
}

/// The elements of a constant; null where they are not at hand.
static DenseElementsAttr getDense(Attribute value, RankedTensorType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense;
  // The bytes of the file; those of i1 are not packed there.
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || type.getElementType().isInteger(1) ||
      int64_t(blob->getData().size()) !=
          type.getNumElements() * getElementBytes(type.getElementType()))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
}

Value ElementReader::readConstant(Value tensor, ArrayRef<Value> indices,
                                  Lanes lanes, Value guard) {
  auto op = tensor.getDefiningOp<arith::ConstantOp>();
  const auto type = cast<RankedTensorType>(tensor.getType());
  DenseElementsAttr dense = getDense(op.getValue(), type);
  if (dense && dense.isSplat()) {
    const Value scalar =
        state.literal(cast<TypedAttr>(dense.getSplatValue<Attribute>()));
    return splat(scalar, lanes.width);
  }
  // A constant array of the module of kernels.
  Operation *module = state.kernel->getParentOp();
  const auto buffer =
      MemRefType::get({type.getNumElements()}, type.getElementType());
  if (!dense) {
    op.emitError("a kernel cannot read this constant; expected dense<...>, or "
                 "dense_resource with its bytes in the file");
    return {};
  }
  const DenseElementsAttr elements = dense.reshape(
      RankedTensorType::get({type.getNumElements()}, type.getElementType()));
  std::optional<OpBuilder::InsertionGuard> insertion(std::in_place,
                                                     state.builder);
  memref::GlobalOp global;
  unsigned count = 0;
  for (auto other : module->getRegion(0).getOps<memref::GlobalOp>()) {
    ++count;
    if (other.getInitialValueAttr() == elements)
      global = other;
  }
  if (!global) {
    state.builder.setInsertionPointToStart(&module->getRegion(0).front());
    global = memref::GlobalOp::create(
        state.builder, op.getLoc(), ("constant_" + Twine(count)).str(),
        state.builder.getStringAttr("private"), buffer, elements,
        /*constant=*/true, state.builder.getI64IntegerAttr(16));
  }
  state.builder.setInsertionPointToStart(&state.kernel.getBody().front());
  MemoryView view;
  view.memory = memref::GetGlobalOp::create(state.builder, state.loc, buffer,
                                            global.getSymName());
  view.strides = computeSuffixProduct(type.getShape());
  state.memory[tensor] = view;
  insertion.reset();
  return readElement(tensor, indices, lanes, guard);
}

Value ElementReader::readOperand(linalg::LinalgOp op, OpOperand &operand,
                                 ArrayRef<Value> loops, int64_t laneLoop,
                                 int64_t width, Value guard) {
  const AffineMap from = op.getMatchingIndexingMap(&operand);
  // Where lanes are next to each other in the operand, too; -1: all of them
  // read the same element; otherwise each is read by itself.
  Lanes inner;
  bool apart = false;
  SmallVector<Value> at;
  for (auto [dim, expr] : llvm::enumerate(from.getResults())) {
    at.push_back(state.index.apply(expr, loops));
    if (width == 1 || laneLoop < 0 || !expr.isFunctionOfDim(laneLoop))
      continue;
    if (inner.dim >= 0 || !isa<AffineDimExpr>(expr))
      apart = true;
    inner = {width, int64_t(dim)};
  }
  if (!apart)
    return read(operand.get(), at, inner, guard);
  SmallVector<Value> elements;
  for (int64_t i = 0; i != width; ++i) {
    SmallVector<Value> laneLoops(loops), laneAt;
    laneLoops[laneLoop] = getLaneIndex(loops[laneLoop], i);
    for (AffineExpr expr : from.getResults())
      laneAt.push_back(state.index.apply(expr, laneLoops));
    elements.push_back(read(operand.get(), laneAt, {}, guard));
    if (!elements.back())
      return {};
  }
  return join(elements);
}

Value ElementReader::getLoopIndex(ArrayRef<Value> loops, int64_t loop,
                                  int64_t laneLoop, int64_t width) {
  if (loop != laneLoop || width == 1)
    return loops[loop];
  SmallVector<Value> each;
  for (int64_t i = 0; i != width; ++i)
    each.push_back(getLaneIndex(loops[loop], i));
  return join(each);
}

Value ElementReader::readElementwise(linalg::LinalgOp op, unsigned result,
                                     ArrayRef<Value> indices, Lanes lanes,
                                     Value guard) {
  const AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  if (!to.isPermutation()) {
    op->emitError("a kernel can compute single elements only of ops whose "
                  "result has a dimension for each loop");
    return {};
  }
  SmallVector<Value> loops(indices.size());
  for (auto [expr, value] : llvm::zip_equal(to.getResults(), indices))
    loops[cast<AffineDimExpr>(expr).getPosition()] = value;
  const int64_t laneLoop = lanes.width > 1 ? to.getDimPosition(lanes.dim) : -1;

  Block *body = op.getBlock();
  llvm::DenseMap<Value, Value> values;
  for (OpOperand &operand : op->getOpOperands()) {
    const BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(operand.get().getType())) {
      if (!(values[argument] = getScalar(operand.get())))
        return {};
      continue;
    }
    const Value value =
        readOperand(op, operand, loops, laneLoop, lanes.width, guard);
    if (!value)
      return {};
    values[argument] = value;
  }
  for (Operation &inner : body->without_terminator()) {
    if (auto place = dyn_cast<linalg::IndexOp>(inner)) {
      values[place.getResult()] =
          getLoopIndex(loops, place.getDim(), laneLoop, lanes.width);
      continue;
    }
    if (failed(emitScalarOp(&inner, lanes.width, values, guard)))
      return {};
  }
  const Value yielded = body->getTerminator()->getOperand(result);
  Value value = values.lookup(yielded);
  if (!value)
    value = getScalar(yielded);
  return value ? splat(value, lanes.width) : Value();
}

LogicalResult ElementReader::emitScalarOp(Operation *op, int64_t width,
                                          llvm::DenseMap<Value, Value> &values,
                                          Value guard) {
  OpBuilder &builder = state.builder;
  bool isVector = false;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (isa<RankedTensorType>(operand.getType())) {
      operands.push_back(operand); // Of tensor.extract.
      continue;
    }
    Value value = values.lookup(operand);
    if (!value)
      value = getScalar(operand);
    if (!value)
      return failure();
    isVector |= isa<VectorType>(value.getType());
    operands.push_back(value);
  }
  if (op->getNumRegions() != 0)
    return op->emitError("a kernel cannot inline an op with a region");
  auto extractOp = dyn_cast<tensor::ExtractOp>(op);
  auto emit = [&](ArrayRef<Value> from, bool vectorize) -> ValueRange {
    OperationState created(state.loc, op->getName());
    created.addOperands(from);
    created.addAttributes(op->getAttrs());
    for (Type type : op->getResultTypes())
      created.addTypes(vectorize ? VectorType::get(width, type) : type);
    created.propertiesAttr = op->getPropertiesAsAttribute();
    const ValueRange results = builder.create(created)->getResults();
    noteIndices(op, from, results);
    return results;
  };
  if (!isVector && !extractOp) {
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), emit(operands, false)))
      values[from] = to;
    return success();
  }
  if (!extractOp && OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value &operand : operands)
      operand = splat(operand, width);
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), emit(operands, true)))
      values[from] = to;
    return success();
  }
  // Lane by lane.
  if (!extractOp && !isMemoryEffectFree(op))
    return op->emitError("a kernel cannot inline an op with effects");
  SmallVector<SmallVector<Value>> lanes(op->getNumResults());
  for (int64_t i = 0; i != (isVector ? width : 1); ++i) {
    SmallVector<Value> from;
    for (Value operand : operands)
      from.push_back(extract(operand, i));
    if (extractOp) {
      lanes[0].push_back(
          read(extractOp.getTensor(), ArrayRef(from).drop_front(), {}, guard));
      if (!lanes[0].back())
        return failure();
      continue;
    }
    for (auto [each, value] : llvm::zip_equal(lanes, emit(from, false)))
      each.push_back(value);
  }
  for (auto [from, each] : llvm::zip_equal(op->getResults(), lanes))
    values[from] = join(each);
  return success();
}
