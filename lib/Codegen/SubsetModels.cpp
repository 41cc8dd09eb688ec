//===- SubsetModels.cpp - Parts of tensors are told apart fast ------------===//

#include "SubsetModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include <optional>

using namespace mlir;

namespace {
/// A constant, or what is computed.
struct Number {
  Value value;
  int64_t constant = 0;

  explicit Number(int64_t constant) : constant(constant) {}
  explicit Number(Value computed) {
    if (std::optional<int64_t> number = getConstantIntValue(computed))
      constant = *number;
    else
      value = computed;
  }

  bool isConstant() const { return !value; }
};

/// What of its tensor an op reads or writes, in one dimension.
struct Extent {
  Number offset, size, stride;
};

/// Of all dimensions of the tensor.
using Box = SmallVector<Extent, 4>;
} // namespace

static Box getBox(VectorTransferOpInterface op) {
  Box box;
  for (auto [index, size] :
       llvm::zip_equal(op.getIndices(), op.getTransferChunkAccessed()))
    box.push_back({Number(index), Number(size), Number(int64_t(1))});
  return box;
}

static Box getBox(OffsetSizeAndStrideOpInterface op) {
  Box box;
  ValueRange offsets = op.getOffsets(), sizes = op.getSizes(),
             strides = op.getStrides();
  auto take = [&](int64_t constant, ValueRange &values) {
    if (!ShapedType::isDynamic(constant))
      return Number(constant);
    Number number(values.front());
    values = values.drop_front();
    return number;
  };
  for (auto [offset, size, stride] : llvm::zip_equal(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()))
    box.push_back(
        {take(offset, offsets), take(size, sizes), take(stride, strides)});
  return box;
}

/// None of ops that do not say what they access in constants and values.
static std::optional<Box> getBox(Operation *op) {
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return getBox(transfer);
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    return getBox(slice);
  return std::nullopt;
}

/// Whether they are equal; none where that is not obvious.
static std::optional<bool> areEqual(const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return a.constant == b.constant;
  if (a.value == b.value)
    return true;
  return std::nullopt;
}

static std::optional<bool> areEqual(const Box &a, const Box &b) {
  std::optional<bool> all = true;
  for (auto [own, other] : llvm::zip_equal(a, b))
    for (auto number : {&Extent::offset, &Extent::size, &Extent::stride}) {
      const std::optional<bool> one = areEqual(own.*number, other.*number);
      if (one && !*one)
        return false;
      if (!one)
        all = std::nullopt;
    }
  return all;
}

/// Whether no index is in both; none where that is not obvious.
static std::optional<bool> areDisjoint(const Extent &a, const Extent &b) {
  for (const Number *number : {&a.size, &a.stride, &b.size, &b.stride})
    if (!number->isConstant())
      return std::nullopt;
  if (a.stride.constant != 1 || b.stride.constant != 1)
    return std::nullopt;
  if (a.offset.isConstant() && b.offset.isConstant())
    return a.offset.constant + a.size.constant <= b.offset.constant ||
           b.offset.constant + b.size.constant <= a.offset.constant;
  if (a.offset.value == b.offset.value)
    return a.size.constant == 0 || b.size.constant == 0;
  return std::nullopt;
}

static std::optional<bool> areDisjoint(const Box &a, const Box &b) {
  std::optional<bool> any = false;
  for (auto [own, other] : llvm::zip_equal(a, b)) {
    const std::optional<bool> one = areDisjoint(own, other);
    if (one && *one)
      return true;
    if (!one)
      any = std::nullopt;
  }
  return any;
}

/// Whether both are transfers of vectors, whose elements have different orders.
static bool haveOtherOrders(Operation *op, Operation *other) {
  auto a = dyn_cast<VectorTransferOpInterface>(op),
       b = dyn_cast<VectorTransferOpInterface>(other);
  return a && b && a.getPermutationMap() != b.getPermutationMap();
}

/// What `compare` says of the parts that `op` and `candidate` access of one
/// tensor; none where that is not obvious.
static std::optional<bool>
compareParts(Operation *op, SubsetOpInterface candidate,
             function_ref<bool(Value, Value)> areEquivalent,
             std::optional<bool> (*compare)(const Box &, const Box &)) {
  const std::optional<Box> own = getBox(op), other = getBox(candidate);
  if (!own || !other)
    return std::nullopt;
  // Nothing is known of parts of different tensors.
  if (own->size() != other->size() ||
      !areEquivalent(cast<SubsetOpInterface>(op).getTensorContainer(),
                     candidate.getTensorContainer()))
    return false;
  return compare(*own, *other);
}

namespace {
template <typename Op>
struct SubsetModel : SubsetOpInterface::ExternalModel<SubsetModel<Op>, Op> {
  bool operatesOnEquivalentSubset(
      Operation *op, SubsetOpInterface candidate,
      function_ref<bool(Value, Value)> areEquivalent) const {
    if (haveOtherOrders(op, candidate))
      return false;
    if (std::optional<bool> known =
            compareParts(op, candidate, areEquivalent, areEqual))
      return *known;
    return detail::defaultOperatesOnEquivalentSubset(op, candidate,
                                                     areEquivalent);
  }

  bool operatesOnDisjointSubset(
      Operation *op, SubsetOpInterface candidate,
      function_ref<bool(Value, Value)> areEquivalent) const {
    if (std::optional<bool> known =
            compareParts(op, candidate, areEquivalent, areDisjoint))
      return *known;
    return detail::defaultOperatesOnDisjointSubset(op, candidate,
                                                   areEquivalent);
  }

  FailureOr<HyperrectangularSlice>
  getAccessedHyperrectangularSlice(Operation *op) const {
    if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
      return HyperrectangularSlice(slice);
    auto transfer = cast<VectorTransferOpInterface>(op);
    return HyperrectangularSlice(
        getAsOpFoldResult(transfer.getIndices()),
        getAsIndexOpFoldResult(op->getContext(),
                               transfer.getTransferChunkAccessed()));
  }
};
} // namespace

template <typename... Ops> static void attachTo(MLIRContext *context) {
  (Ops::template attachInterface<SubsetModel<Ops>>(*context), ...);
}

void sched::registerSubsetModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    attachTo<vector::TransferReadOp, vector::TransferWriteOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachTo<tensor::ExtractSliceOp, tensor::InsertSliceOp,
             tensor::ParallelInsertSliceOp>(context);
  });
}
