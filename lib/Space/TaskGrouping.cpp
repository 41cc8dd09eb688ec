//===- TaskGrouping.cpp - Which ops are one task --------------------------===//

#include "TaskGrouping.h"
#include "NarrowOperands.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

bool sched::isFreelyCopied(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getNumOperands() == 0 &&
         (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op));
}

bool sched::isLaneType(Type type) {
  const unsigned width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (isa<FloatType>(type))
    return type.isF16() || type.isBF16() || width == 32 || width == 64;
  return width == 8 || width == 16 || width == 32 || width == 64;
}

SmallVector<linalg::LinalgOp> sched::collectLinalgOps(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk<WalkOrder::PreOrder>(
      [&](linalg::LinalgOp op) { ops.push_back(op); });
  return ops;
}

bool sched::eraseUnread(func::FuncOp function) {
  bool erased = false;
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // What is in a body belongs to its op.
    ops.push_back(op);
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  // Readers come after what they read.
  for (Operation *op : llvm::reverse(ops))
    if (op != function && op->use_empty() && isOpTriviallyDead(op)) {
      erased |= isa<linalg::LinalgOp>(op);
      op->erase();
    }
  return erased;
}

bool sched::isMovable(linalg::LinalgOp op) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return llvm::all_of(captured, isFreelyCopied) &&
         // Upstream vectorises no op with a region in its body.
         llvm::none_of(
             *op.getBlock(),
             [](Operation &inner) { return inner.getNumRegions() != 0; }) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isa<RankedTensorType>(operand.getType()) ||
                  isFreelyCopied(operand);
         });
}

/// An elementwise op or one that reads windows.
static bool isPointwise(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op->getNumResults() == 1 && op.isAllParallelLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         isMovable(op);
}

FailureOr<linalg::GenericOp> sched::makeGeneric(RewriterBase &rewriter,
                                                linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  const bool isAlone = op->hasAttr(kAloneAttrName);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (isAlone && succeeded(generic))
    (*generic)->setAttr(kAloneAttrName, rewriter.getUnitAttr());
  return generic;
}

void sched::replaceInputs(RewriterBase &rewriter, linalg::GenericOp op,
                          ValueRange inputs, SmallVector<AffineMap> maps,
                          ArrayRef<unsigned> unused) {
  llvm::SmallBitVector left(op.getNumLoops());
  for (unsigned loop : unused)
    left.set(loop);
  for (AffineMap &map : maps)
    map = projectDims(map, left, /*compressDimsFlag=*/true);
  SmallVector<utils::IteratorType> types;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!left.test(loop))
      types.push_back(type);
  auto replaced =
      linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                                inputs, op.getOutputs(), maps, types);
  replaced.getRegion().takeBody(op->getRegion(0));
  replaced->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, replaced.getResults());
}

/// A slice along one dimension, of type `to`.
static Value sliceTo(OpBuilder &builder, Location loc, RankedTensorType to,
                     Value from, unsigned dim, int64_t offset, int64_t size,
                     int64_t stride) {
  auto type = cast<RankedTensorType>(from.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = builder.getIndexAttr(size);
  strides[dim] = builder.getIndexAttr(stride);
  return tensor::ExtractSliceOp::create(builder, loc, to, from, offsets, sizes,
                                        strides);
}

Value sched::sliceDim(OpBuilder &builder, Location loc, Value from,
                      unsigned dim, int64_t offset, int64_t size,
                      int64_t stride) {
  auto type = cast<RankedTensorType>(from.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return sliceTo(builder, loc, type.clone(shape), from, dim, offset, size,
                 stride);
}

Value sched::takePlace(OpBuilder &builder, Location loc, Value from,
                       unsigned dim, int64_t place) {
  auto type = cast<RankedTensorType>(from.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return sliceTo(builder, loc,
                 RankedTensorType::get(shape, type.getElementType()), from, dim,
                 place, /*size=*/1, /*stride=*/1);
}

int64_t sched::countSharedRows(const ContractionShape &shape) {
  int64_t rows = shape.m;
  for (const OuterLoop &loop : shape.outer)
    rows *= loop.isReduction || loop.isShared ? 1 : loop.extent;
  return rows;
}

bool sched::isElementwise(linalg::LinalgOp op) {
  return op.hasOnlyProjectedPermutations() && isPointwise(op);
}

bool sched::isWindow(linalg::LinalgOp op) {
  return !op.hasOnlyProjectedPermutations() && isPointwise(op) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return llvm::all_of(map.getResults(), [](AffineExpr index) {
             return getAffineTerms(index).has_value();
           });
         });
}

/// The operand of `op` whose element `value` of its body always is; null if
/// that is not known.
static OpOperand *findEqual(linalg::LinalgOp op, Value value) {
  OpOperand *found = nullptr;
  // Each value once, however often others are made of it.
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i != values.size(); ++i) {
    if (auto element = dyn_cast<BlockArgument>(values[i])) {
      if (element.getOwner() != op.getBlock())
        return nullptr;
      OpOperand *operand = op.getMatchingOpOperand(element);
      if (found && (found->get() != operand->get() ||
                    op.getMatchingIndexingMap(found) !=
                        op.getMatchingIndexingMap(operand)))
        return nullptr;
      found = operand;
      continue;
    }
    // What these make of equals is the same again.
    Operation *by = values[i].getDefiningOp();
    if (by->getBlock() != op.getBlock() ||
        !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp>(by))
      return nullptr;
    values.insert(by->operand_begin(), by->operand_end());
  }
  return found;
}

OpOperand *sched::findPassed(linalg::LinalgOp op) {
  if (!sched::isElementwise(op))
    return nullptr;
  OpOperand *operand =
      findEqual(op, op.getBlock()->getTerminator()->getOperand(0));
  return operand && op.isDpsInput(operand) &&
                 op.getMatchingIndexingMap(operand).isIdentity() &&
                 operand->get().getType() == op->getResult(0).getType()
             ? operand
             : nullptr;
}

bool sched::mayPassOn(linalg::LinalgOp op, Value passed) {
  return passed.getDefiningOp() ||
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<linalg::LinalgOp>(user);
         });
}

Operation *sched::lookThroughReshapes(Value value,
                                      SmallVectorImpl<Operation *> *reshapes) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    if (reshapes)
      reshapes->push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  return op;
}

bool sched::isMovedBefore(Operation *op) {
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return pad.getConstantPaddingValue() && pad.getType().hasStaticShape() &&
           pad.getSourceType().hasStaticShape();
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

bool sched::isMarkedLayoutFree(Value value) {
  while (isMovedBefore(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && argument.getOwner() == &function.getBody().front() &&
         function.getArgAttr(argument.getArgNumber(),
                             mlir::schedule::kLayoutFreeAttrName);
}

bool sched::isPackedBefore(linalg::LinalgOp op) {
  if (!op)
    return false;
  SmallVector<Value> inputs = op.getDpsInputs();
  Value start = op.getNumDpsInits() == 1 ? op.getDpsInits().front() : Value();
  auto fill = start ? start.getDefiningOp<linalg::FillOp>() : nullptr;
  if (fill && isFreelyCopied(fill.getInputs().front()))
    start = fill.getOutputs().front();
  if (!start || !isFreelyCopied(start))
    return false;
  return llvm::count_if(inputs, isMarkedLayoutFree) == 1 &&
         llvm::all_of(inputs, [&](Value input) {
           return isMarkedLayoutFree(input) || isFreelyCopied(input);
         });
}

/// The op that uses `value`, however often; null if there are several or none.
static Operation *getOnlyUser(Value value) {
  auto users = value.getUsers();
  if (users.empty() || !llvm::all_equal(users))
    return nullptr;
  return *users.begin();
}

/// An elementwise op whose inputs all have a lower rank than its result:
/// cheaper to compute again than to load.
static bool isBroadcast(linalg::LinalgOp op) {
  const int64_t rank =
      cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  return llvm::all_of(op.getDpsInputs(),
                      [&](Value input) {
                        auto type = dyn_cast<RankedTensorType>(input.getType());
                        return !type || type.getRank() < rank;
                      }) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

bool sched::hasNumbers(linalg::LinalgOp op) {
  auto isNumber = [](Type type) {
    return getElementTypeOrSelf(type).isIntOrFloat();
  };
  return llvm::all_of(op->getOperandTypes(), isNumber) &&
         llvm::all_of(op->getResultTypes(), isNumber);
}

namespace {
/// Gives ops to anchors; an op that was given is not given again.
class Grouper {
public:
  explicit Grouper(ArrayRef<linalg::LinalgOp> ops) : ops(ops) {
    for (auto [position, op] : llvm::enumerate(ops))
      positions[op] = position;
    for (linalg::LinalgOp op : ops) {
      std::optional<ContractionShape> shape;
      if (!isMovable(op) || isPackedBefore(op) ||
          !(shape = matchContraction(op)))
        continue;
      TaskGroup &group = groups.emplace_back();
      group.anchor = op;
      group.shape = *shape;
      group.result = op->getResult(0);
      add(group, op, BlockRole::Anchor);
    }
  }

  std::vector<TaskGroup> run() {
    // A sum of two products goes to the later one, whose result is still in
    // the cache.
    for (TaskGroup &group : llvm::reverse(groups))
      addEpilogues(group);
    for (TaskGroup &group : groups) {
      addInit(group);
      for (OpOperand *operand : group.anchor.getDpsInputOperands())
        addProducers(group, operand->get(), group.anchor);
      sort(group);
    }
    llvm::BitVector grouped(positions.size());
    for (auto [op, position] : positions)
      if (taken.contains(op))
        grouped.set(position);
    for (TaskGroup &group : groupStages(ops, grouped))
      groups.push_back(std::move(group));
    llvm::sort(groups, [&](const TaskGroup &a, const TaskGroup &b) {
      return positions.lookup(a.anchor) < positions.lookup(b.anchor);
    });
    return std::move(groups);
  }

private:
  void add(TaskGroup &group, linalg::LinalgOp op, BlockRole role) {
    taken.insert(op);
    group.ops.push_back(op);
    group.roles.push_back(role);
  }

  /// The elementwise op that computes `value` for `user` alone and is in no
  /// group yet; null if there is none. With `windows`, also one that reads
  /// windows.
  linalg::LinalgOp getOwnProducer(Value value, Operation *user,
                                  bool windows = false) {
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (!op || taken.contains(op) || op->hasAttr(kAloneAttrName) ||
        op->getBlock() != user->getBlock() || getOnlyUser(value) != user ||
        !hasNumbers(op) ||
        !(sched::isElementwise(op) || (windows && isWindow(op))))
      return nullptr;
    return op;
  }

  void addEpilogues(TaskGroup &group) {
    while (linalg::LinalgOp op = getEpilogue(group)) {
      for (Value input : op->getOperands()) {
        if (input == group.result)
          continue;
        linalg::LinalgOp feeder = getOwnProducer(input, op);
        if (feeder && isBroadcast(feeder))
          add(group, feeder, BlockRole::Other);
      }
      add(group, op, BlockRole::Epilogue);
      group.result = op->getResult(0);
    }
  }

  linalg::LinalgOp getEpilogue(const TaskGroup &group) {
    auto op = dyn_cast_or_null<linalg::LinalgOp>(getOnlyUser(group.result));
    if (!op || taken.contains(op) ||
        op->getBlock() != group.anchor->getBlock() || !hasNumbers(op) ||
        !sched::isElementwise(op))
      return nullptr;
    bool reads = false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (operand.get() != group.result)
        continue;
      if (!op.getMatchingIndexingMap(&operand).isIdentity())
        return nullptr;
      reads |= op.payloadUsesValueFromOperand(&operand);
    }
    return reads ? op : nullptr;
  }

  void addInit(TaskGroup &group) {
    Value init = group.anchor.getDpsInitOperand(0)->get();
    // What is also an operand of the product is no mere start value.
    if (!init.hasOneUse())
      return;
    if (linalg::LinalgOp op = getOwnProducer(init, group.anchor))
      add(group, op, BlockRole::Init);
  }

  void addProducers(TaskGroup &group, Value value, Operation *user) {
    SmallVector<Operation *> reshapes;
    if (user == group.anchor.getOperation())
      lookThroughReshapes(value, &reshapes);
    for (Operation *reshape : reshapes) {
      if (reshape->getBlock() != user->getBlock() ||
          getOnlyUser(reshape->getResult(0)) != user)
        return;
      user = reshape;
      value = reshape->getOperand(0);
    }
    linalg::LinalgOp op = getOwnProducer(value, user, /*windows=*/true);
    // What is computed on the way is no operand of a dot product.
    if (!op || (sched::isElementwise(op) &&
                suitsDotProducts(group.anchor, *group.shape)))
      return;
    add(group, op, BlockRole::Producer);
    group.reshapes.append(reshapes.rbegin(), reshapes.rend());
    // An element of a window's input would be computed for each that reads it.
    if (sched::isElementwise(op))
      for (Value operand : op->getOperands())
        addProducers(group, operand, op);
  }

  void sort(TaskGroup &group) {
    SmallVector<std::pair<linalg::LinalgOp, BlockRole>> pairs;
    for (auto [op, role] : llvm::zip_equal(group.ops, group.roles))
      pairs.emplace_back(op, role);
    llvm::sort(pairs, [&](const auto &a, const auto &b) {
      return positions.lookup(a.first) < positions.lookup(b.first);
    });
    for (auto [i, pair] : llvm::enumerate(pairs))
      std::tie(group.ops[i], group.roles[i]) = pair;
  }

  ArrayRef<linalg::LinalgOp> ops;
  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::DenseSet<Operation *> taken;
  std::vector<TaskGroup> groups;
};
} // namespace

std::vector<TaskGroup> sched::groupTasks(ArrayRef<linalg::LinalgOp> ops) {
  return Grouper(ops).run();
}

/// Gives each staged task the fills that it shares with other ops. Those that
/// its own reductions share stay one.
static void splitStagedInits(func::FuncOp function) {
  for (TaskGroup &group : groupTasks(collectLinalgOps(function))) {
    if (!group.staged)
      continue;
    llvm::DenseMap<Operation *, Value> copies;
    for (linalg::LinalgOp op : group.ops) {
      if (op.getNumReductionLoops() == 0)
        continue;
      OpOperand *init = op.getDpsInitOperand(0);
      auto fill = init->get().getDefiningOp<linalg::FillOp>();
      if (!fill || llvm::is_contained(group.ops, linalg::LinalgOp(fill)) ||
          !isFreelyCopied(fill.getInputs().front()) ||
          !isFreelyCopied(fill.getOutputs().front()))
        continue;
      Value &copy = copies[fill];
      if (!copy) {
        OpBuilder builder(op);
        copy = builder.clone(*fill)->getResult(0);
      }
      init->set(copy);
    }
  }
}

void sched::splitSharedInits(func::FuncOp function) {
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
      if (!empty || empty->hasOneUse() || empty->getNumOperands() > 0)
        continue;
      OpBuilder builder(op);
      init.set(builder.clone(*empty)->getResult(0));
    }
    if (!matchContraction(op))
      continue;
    OpOperand *init = op.getDpsInitOperand(0);
    auto fill = init->get().getDefiningOp<linalg::FillOp>();
    if (!fill || getOnlyUser(init->get()) == op.getOperation() ||
        !isFreelyCopied(fill.getInputs().front()) ||
        !isFreelyCopied(fill.getOutputs().front()))
      continue;
    OpBuilder builder(op);
    init->set(builder.clone(*fill)->getResult(0));
  }
  splitStagedInits(function);
}
