//===- OutlinePacking.cpp - Packs layout-free arguments beforehand --------===//
//
// Behind packed bytes there is room for what PackSums.cpp may put there.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "CarriedSums.h"
#include "IndexSum.h"
#include "PackedBytes.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "SchedOpt/Support/ImageBorder.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_OUTLINEPACKINGPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using sched::getPackName;
using sched::getPackSizeName;

/// The argument attribute that a user sets. Codegen knows it by name only: it
/// does not depend on the schedule dialect.
static constexpr llvm::StringLiteral kLayoutFree = "schedule.layout_free";

namespace {
/// The part of a function's block that depends on one argument alone.
struct PackingSlice {
  /// In program order; `shared` ops depend on no argument at all.
  llvm::SetVector<Operation *> ops, shared;
  /// Values of `ops` that the rest of the function uses, and the argument
  /// itself where it does.
  llvm::SetVector<Value> results;
  /// Whether anything is moved in memory, rather than only looked at.
  bool moves = false;
  /// Bytes for sums of the results' columns, behind them.
  int64_t sumsBytes = 0;
};
} // namespace

static SmallVector<Value> getInputs(Operation *op) {
  SmallVector<Value> inputs(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  inputs.append(captured.begin(), captured.end());
  return inputs;
}

static PackingSlice findSlice(BlockArgument argument) {
  PackingSlice slice;
  Block *block = argument.getOwner();
  for (Operation &op : block->without_terminator()) {
    if (!isMemoryEffectFree(&op))
      continue;
    bool dependsOnArgument = false, dependsOnOthers = false;
    for (Value input : getInputs(&op)) {
      Operation *producer = input.getDefiningOp();
      if (input == argument || (producer && slice.ops.contains(producer)))
        dependsOnArgument = true;
      else if (!producer || !slice.shared.contains(producer))
        dependsOnOthers = true;
    }
    if (dependsOnOthers)
      continue;
    (dependsOnArgument ? slice.ops : slice.shared).insert(&op);
  }
  auto isUsedOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !slice.ops.contains(block->findAncestorOpInBlock(*user));
    });
  };
  // Only tensors of the argument's elements are handed over: an op that makes
  // anything else for the rest of the function, such as a vector that is read
  // outside of loops or a cast operand, stays there, and so does what reads its
  // results.
  Type elementType = getElementTypeOrSelf(argument.getType());
  auto mustStay = [&](Operation *op) {
    auto cannotBeHandedOver = [&](Value result) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      const bool fits = type && type.hasStaticShape() && type.getRank() != 0 &&
                        type.getElementType() == elementType;
      return !fits && isUsedOutside(result);
    };
    auto isMadeOutside = [&](Value input) {
      Operation *producer = input.getDefiningOp();
      return producer && !slice.ops.contains(producer) &&
             !slice.shared.contains(producer);
    };
    return llvm::any_of(op->getResults(), cannotBeHandedOver) ||
           llvm::any_of(getInputs(op), isMadeOutside);
  };
  for (size_t before = 0; before != slice.ops.size();) {
    before = slice.ops.size();
    const auto ops = llvm::to_vector(slice.ops);
    for (Operation *op : llvm::reverse(ops))
      if (mustStay(op))
        slice.ops.remove(op);
  }
  for (Operation *op : slice.ops) {
    slice.moves |= op->getNumRegions() > 0;
    for (Value result : op->getResults())
      if (isUsedOutside(result))
        slice.results.insert(result);
  }
  return slice;
}

/// Iterations of the loops around `product` but for those that carry its sums,
/// in which `read` is elsewhere; 0 where that is not known.
static int64_t countPlaces(vector::ContractionOp product,
                           vector::TransferReadOp read) {
  const auto carrying = sched::getCarryingLoops(product);
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  llvm::SetVector<Operation *> ways;
  if (carrying.empty() ||
      failed(getBackwardSlice(read.getOperation(), &ways, options)))
    return 0;
  ways.insert(read);
  llvm::SetVector<Value> indices;
  for (Operation *op : ways)
    for (Value operand : op->getOperands())
      if (operand.getType().isIndex() && isa<BlockArgument>(operand))
        indices.insert(operand);
  int64_t places = 1;
  for (Value index : indices) {
    Operation *owner = index.getParentBlock()->getParentOp();
    if (!owner->isProperAncestor(product) ||
        llvm::is_contained(carrying, dyn_cast<scf::ForOp>(owner)))
      continue;
    const std::optional<sched::IndexSteps> steps = sched::getSteps(index);
    places *= steps ? steps->trips : 0;
  }
  return places;
}

/// Parts of the sums of `product` that may be needed by themselves: of a window
/// that a border cuts, those of each tap, for tiles at both ends of a line.
static int64_t countParts(vector::ContractionOp product) {
  int64_t taps = 1;
  const SmallVector<scf::ForOp> loops = sched::getCarryingLoops(product);
  for (scf::ForOp loop : llvm::drop_end(loops))
    if (auto trips = loop.getStaticTripCount();
        trips && trips->getSExtValue() <= sched::kMostTaps)
      taps *= trips->getSExtValue();
  return taps == 1 ? 1 : 2 * taps + 1;
}

/// Bytes for sums of 32 bits of each column, of all products of signed bytes
/// with what is packed.
static int64_t countSumsBytes(func::FuncOp function,
                              const PackingSlice &slice) {
  int64_t bytes = 0;
  function.walk([&](vector::ContractionOp product) {
    auto sums = dyn_cast<VectorType>(product.getAccType());
    vector::TransferReadOp read = sched::getSignedBytes(product.getRhs());
    if (sums && sums.getElementType().isInteger(32) && read &&
        sched::getSignedBytes(product.getLhs()) &&
        slice.results.contains(sched::getViewed(read.getBase())))
      if (const int64_t places = countPlaces(product, read))
        bytes +=
            countParts(product) *
            llvm::alignTo(places * sums.getShape().back() * sizeof(int32_t),
                          sched::kLineBytes);
  });
  return bytes;
}

/// All dimensions of the tensor, to be listed in one.
static ReassociationIndices allDims(RankedTensorType type) {
  ReassociationIndices dims;
  for (int64_t i = 0; i != type.getRank(); ++i)
    dims.push_back(i);
  return dims;
}

static RankedTensorType flatten(RankedTensorType type) {
  return RankedTensorType::get({type.getNumElements()}, type.getElementType());
}

/// The function that computes the slice and returns it as one flat buffer.
static void createPackFunction(func::FuncOp function, BlockArgument argument,
                               const PackingSlice &slice,
                               RankedTensorType flatType) {
  Location loc = argument.getLoc();
  OpBuilder builder(function);
  auto pack = func::FuncOp::create(
      builder, loc, getPackName(function.getName(), argument.getArgNumber()),
      builder.getFunctionType({argument.getType()}, {flatType}));
  Block *body = pack.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(argument, body->getArgument(0));
  for (Operation &op : *argument.getOwner())
    if (slice.ops.contains(&op) || slice.shared.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> parts;
  for (Value result : slice.results) {
    auto type = cast<RankedTensorType>(result.getType());
    Value part = mapping.lookup(result);
    if (type.getRank() != 1)
      part = tensor::CollapseShapeOp::create(
          builder, loc, flatten(type), part,
          ArrayRef<ReassociationIndices>{allDims(type)});
    parts.push_back(part);
  }
  Value flat = parts.front();
  if (flat.getType() != flatType) {
    flat = tensor::EmptyOp::create(builder, loc, flatType.getShape(),
                                   flatType.getElementType());
    int64_t offset = 0;
    for (Value part : parts) {
      const int64_t count =
          cast<RankedTensorType>(part.getType()).getNumElements();
      flat = tensor::InsertSliceOp::create(
          builder, loc, part, flat,
          ArrayRef<OpFoldResult>{builder.getIndexAttr(offset)},
          ArrayRef<OpFoldResult>{builder.getIndexAttr(count)},
          ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
      offset += count;
    }
  }
  func::ReturnOp::create(builder, loc, flat);
}

/// `F_pack_argN_bytes`: how large the buffer must be.
static void createSizeFunction(func::FuncOp function, unsigned position,
                               RankedTensorType flatType) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  auto type = RankedTensorType::get({1}, builder.getI64Type());
  auto size = func::FuncOp::create(
      builder, loc, getPackSizeName(function.getName(), position),
      builder.getFunctionType({}, {type}));
  builder.setInsertionPointToStart(size.addEntryBlock());
  const int64_t bytes = flatType.getNumElements() *
                        llvm::divideCeil(flatType.getElementTypeBitWidth(), 8);
  Value value = arith::ConstantOp::create(
      builder, loc, DenseIntElementsAttr::get(type, bytes));
  func::ReturnOp::create(builder, loc, value);
}

static void outline(func::FuncOp function, unsigned position,
                    const PackingSlice &slice) {
  BlockArgument argument = function.getArgument(position);
  Location loc = argument.getLoc();
  int64_t total = 0;
  for (Value result : slice.results)
    total += cast<RankedTensorType>(result.getType()).getNumElements();
  if (slice.sumsBytes != 0)
    total = llvm::alignTo(total, sched::kLineBytes) + slice.sumsBytes;
  auto flatType = RankedTensorType::get(
      {total}, cast<RankedTensorType>(argument.getType()).getElementType());
  createPackFunction(function, argument, slice, flatType);
  createSizeFunction(function, position, flatType);

  // The function takes the buffer, and looks at its parts.
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(argument.getOwner());
  int64_t offset = 0;
  llvm::SmallPtrSet<Operation *, 8> views;
  for (Value result : slice.results) {
    auto type = cast<RankedTensorType>(result.getType());
    const int64_t count = type.getNumElements();
    Value part = argument;
    if (count != total) {
      part = tensor::ExtractSliceOp::create(
          builder, loc, flatten(type), argument,
          ArrayRef<OpFoldResult>{builder.getIndexAttr(offset)},
          ArrayRef<OpFoldResult>{builder.getIndexAttr(count)},
          ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
      views.insert(part.getDefiningOp());
    }
    if (type.getRank() != 1)
      part = tensor::ExpandShapeOp::create(
          builder, loc, type, part,
          ArrayRef<ReassociationIndices>{allDims(type)});
    offset += count;
    result.replaceUsesWithIf(part, [&](OpOperand &use) {
      return !views.contains(use.getOwner()) &&
             !slice.ops.contains(
                 argument.getOwner()->findAncestorOpInBlock(*use.getOwner()));
    });
  }
  for (Operation *op : llvm::reverse(slice.ops.getArrayRef()))
    op->erase();
  argument.setType(flatType);
  SmallVector<Type> inputs(function.getArgumentTypes());
  inputs[position] = flatType;
  function.setType(builder.getFunctionType(inputs, function.getResultTypes()));
}

namespace {
struct OutlinePacking : sched::impl::OutlinePackingPassBase<OutlinePacking> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : functions) {
      // The callers of a private function pass the argument as it is.
      if (!function.isPublic() || function.isDeclaration())
        continue;
      for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
        auto type =
            dyn_cast<RankedTensorType>(function.getArgument(i).getType());
        if (!function.getArgAttr(i, kLayoutFree) || !type ||
            type.getRank() == 0)
          continue;
        PackingSlice slice = findSlice(function.getArgument(i));
        bool usedRaw = llvm::any_of(
            function.getArgument(i).getUsers(), [&](Operation *user) {
              return !slice.ops.contains(
                  function.getBody().front().findAncestorOpInBlock(*user));
            });
        if (!slice.moves || slice.results.empty())
          continue;
        for (const std::string &name : {getPackName(function.getName(), i),
                                        getPackSizeName(function.getName(), i)})
          if (Operation *other = symbols.lookup(name)) {
            emitError(other->getLoc())
                << "'" << other->getName()
                << "' op is in the way of the function that packs argument "
                << i << " of @" << function.getName()
                << "; rename one of the two";
            return signalPassFailure();
          }
        // What a tail reads of the argument itself goes into the buffer too.
        if (usedRaw)
          slice.results.insert(function.getArgument(i));
        slice.sumsBytes = countSumsBytes(function, slice);
        outline(function, i, slice);
      }
    }
  }
};
} // namespace
