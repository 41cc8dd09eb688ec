//===- StackParts.cpp - Elementwise ops beside each other -----------------===//
//
// The real and the imaginary part of a product, or the two numbers that a
// rotary embedding makes of a pair, are computed by an op each and then put
// side by side, every second element from one. That goes through memory twice,
// element by element. Here they are one op, with a loop over the parts:
//
//   stack(f(x), g(x))[n, c]  =  c == 0 ? f(x[n]) : g(x[n])
//
// What the parts have in common is computed once, and in vectors the choice is
// a shuffle (Codegen/ShortRows.cpp). Parts are put side by side by a
// concatenation along an innermost dimension of one element each, or inserted
// one by one, there or at a stride.
//
//===----------------------------------------------------------------------===//

#include "StackParts.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Elements further apart than that are written one by one.
static constexpr size_t kMostParts = 4;
/// Elements of a part beside each other, at least: a vector of most machines.
static constexpr int64_t kFewestBeside = 16;
/// Ops that become one.
static constexpr size_t kMostOps = 64;
/// Inputs of one op: more are more than a loop has registers for.
static constexpr size_t kMostInputs = 16;

namespace {
/// A tensor whose innermost dimension, or a stride along it, goes through
/// parts.
struct Stack {
  /// What has all of them.
  Value whole;
  /// Each without the dimension of the stack, or with that as an innermost
  /// dimension of one element.
  SmallVector<Value> parts;
  /// Of a part, without that dimension.
  SmallVector<int64_t> shape;
};

/// Builds the op for one stack.
class Stacker {
public:
  Stacker(RewriterBase &rewriter, const Stack &stack);

  /// Whether there is an op to put in, and not too much to read.
  bool collect();
  void build();

private:
  using Input = std::pair<Value, AffineMap>;

  linalg::LinalgOp getOwn(Value value) const;
  void visit(const Input &input);
  Value compute(OpBuilder &builder, const Input &input, ValueRange elements);
  bool isComputed(const Input &input) const {
    return input.second.isIdentity() &&
           ops.contains(input.first.getDefiningOp());
  }

  RewriterBase &rewriter;
  const Stack &stack;
  /// That of a part.
  AffineMap identity;
  /// What puts the parts in their places.
  llvm::SmallPtrSet<Operation *, 8> readers;
  /// The ops that become a part of the new one.
  llvm::SetVector<Operation *> ops;
  /// What these read, and the parts that none of them computes, by the loops of
  /// the parts.
  llvm::SetVector<Input> inputs;
  llvm::SmallPtrSet<Operation *, 8> visited;
  /// In the new body.
  llvm::DenseMap<Value, Value> computed;
};
} // namespace

/// `value` without a reshape that adds an innermost dimension of one element,
/// if that is all it does.
static Value dropExpansion(Value value, ArrayRef<int64_t> shape) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  return expand && expand.getSrcType().getShape() == shape ? expand.getSrc()
                                                           : value;
}

/// `value` as parts that are concatenated along an innermost dimension of one
/// element each.
static std::optional<Stack> matchConcatenation(tensor::ConcatOp concat) {
  const RankedTensorType type = concat.getResultType();
  if (!type.hasStaticShape() ||
      concat.getDim() + 1 != uint64_t(type.getRank()) ||
      llvm::any_of(concat.getInputs(), [](Value part) {
        return cast<RankedTensorType>(part.getType()).getShape().back() != 1;
      }))
    return std::nullopt;
  Stack stack{concat, {}, SmallVector<int64_t>(type.getShape().drop_back())};
  for (Value part : concat.getInputs())
    stack.parts.push_back(dropExpansion(part, stack.shape));
  return stack;
}

/// How many parts there are where `insert` is the last one of them that is put
/// in; 0 where that is not known.
static int64_t countParts(tensor::InsertSliceOp insert) {
  const RankedTensorType type = insert.getType();
  if (type.getRank() == 0 || !type.hasStaticShape() ||
      !insert.getSourceType().hasStaticShape())
    return 0;
  const int64_t size = insert.getStaticSizes().back();
  return ShapedType::isDynamic(size) || size == 0 ||
                 type.getShape().back() % size != 0
             ? 0
             : type.getShape().back() / size;
}

/// Whether `insert` puts in every `count`th element of each line from the one
/// at `first` on, and nothing else.
static bool isPart(tensor::InsertSliceOp insert, int64_t count, int64_t first) {
  const ArrayRef<int64_t> shape = insert.getType().getShape();
  const int64_t rank = shape.size(), size = shape.back() / count;
  for (int64_t dim = 0; dim != rank; ++dim) {
    const bool isLast = dim + 1 == rank;
    const int64_t stride = insert.getStaticStrides()[dim];
    if (insert.getStaticOffsets()[dim] != (isLast ? first : 0) ||
        insert.getStaticSizes()[dim] != (isLast ? size : shape[dim]) ||
        (stride != (isLast ? count : 1) && insert.getStaticSizes()[dim] != 1))
      return false;
  }
  return true;
}

/// The same of parts that are inserted one by one, into a tensor without
/// elements of its own.
static std::optional<Stack> matchInserts(tensor::InsertSliceOp last) {
  const int64_t count = countParts(last);
  if (count < 2 || count > int64_t(kMostParts))
    return std::nullopt;
  SmallVector<Value> parts(count);
  tensor::InsertSliceOp insert = last;
  for (int64_t left = count; left != 0; --left) {
    if (!insert || (insert != last && !insert->hasOneUse()))
      return std::nullopt;
    const int64_t first = insert.getStaticOffsets().back();
    if (first < 0 || first >= count || parts[first] ||
        !isPart(insert, count, first))
      return std::nullopt;
    parts[first] = insert.getSource();
    if (left == 1 && !insert.getDest().getDefiningOp<tensor::EmptyOp>())
      return std::nullopt;
    insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>();
  }
  const ArrayRef<int64_t> shape = last.getType().getShape();
  const int64_t size = shape.back() / count;
  Stack stack{last, {}, SmallVector<int64_t>(shape.drop_back())};
  if (size != 1)
    stack.shape.push_back(size);
  for (Value part : parts) {
    stack.parts.push_back(dropExpansion(part, stack.shape));
    // Others lose dimensions in between.
    const auto type = cast<RankedTensorType>(stack.parts.back().getType());
    ArrayRef<int64_t> own = type.getShape();
    if (own != ArrayRef(stack.shape) &&
        (own.empty() || own.back() != 1 ||
         own.drop_back() != ArrayRef(stack.shape)))
      return std::nullopt;
  }
  return stack;
}

static std::optional<Stack> matchStack(Operation *op) {
  std::optional<Stack> stack;
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    stack = matchConcatenation(concat);
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    stack = matchInserts(insert);
  if (!stack || stack->parts.size() < 2 || stack->parts.size() > kMostParts ||
      stack->shape.empty() || stack->shape.back() < kFewestBeside ||
      !isLaneType(
          cast<RankedTensorType>(stack->whole.getType()).getElementType()))
    return std::nullopt;
  return stack;
}

/// The op that computes `value`, and maybe others, element for element of the
/// parts; null if that is none.
linalg::LinalgOp Stacker::getOwn(Value value) const {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getBlock() != stack.whole.getDefiningOp()->getBlock() ||
      cast<RankedTensorType>(value.getType()).getShape() !=
          ArrayRef(stack.shape) ||
      !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      !op.isAllParallelLoops() || !op.hasOnlyProjectedPermutations() ||
      op.hasIndexSemantics() || op->hasAttr(kAloneAttrName) || !isMovable(op) ||
      !hasNumbers(op))
    return nullptr;
  const bool isRead =
      llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
        return op.payloadUsesValueFromOperand(&init) ||
               !op.getMatchingIndexingMap(&init).isIdentity();
      });
  const bool hasNumber = llvm::any_of(op.getDpsInputs(), [](Value input) {
    return !isa<RankedTensorType>(input.getType());
  });
  return isRead || hasNumber ? linalg::LinalgOp() : op;
}

/// Adds `op`, what it inserts into, and reshapes of the parts that nothing else
/// reads to `readers`.
static void collectReaders(Operation *op,
                           llvm::SmallPtrSetImpl<Operation *> &readers) {
  SmallVector<Operation *> reshapes;
  while (op) {
    readers.insert(op);
    for (Value operand : op->getOperands())
      if (auto reshape = operand.getDefiningOp<tensor::ExpandShapeOp>())
        reshapes.push_back(reshape);
    auto insert = dyn_cast<tensor::InsertSliceOp>(op);
    op = insert ? insert.getDest().getDefiningOp<tensor::InsertSliceOp>()
                : tensor::InsertSliceOp();
  }
  for (Operation *reshape : reshapes)
    if (llvm::all_of(reshape->getUsers(),
                     [&](Operation *user) { return readers.contains(user); }))
      readers.insert(reshape);
}

Stacker::Stacker(RewriterBase &rewriter, const Stack &stack)
    : rewriter(rewriter), stack(stack),
      identity(AffineMap::getMultiDimIdentityMap(stack.shape.size(),
                                                 rewriter.getContext())) {
  collectReaders(stack.whole.getDefiningOp(), readers);
}

/// Takes in what `input` is computed from, or itself.
void Stacker::visit(const Input &input) {
  if (!isComputed(input)) {
    inputs.insert(input);
    return;
  }
  auto op = cast<linalg::LinalgOp>(input.first.getDefiningOp());
  if (!visited.insert(op).second)
    return;
  for (OpOperand *operand : op.getDpsInputOperands())
    visit({operand->get(), op.getMatchingIndexingMap(operand)});
}

bool Stacker::collect() {
  SmallVector<Value> values(stack.parts);
  for (size_t i = 0; i != values.size(); ++i) {
    linalg::LinalgOp op = getOwn(values[i]);
    if (!op || ops.size() == kMostOps || !ops.insert(op))
      continue;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (op.getMatchingIndexingMap(operand).isIdentity())
        values.push_back(operand->get());
  }
  // What others read as well stays where it is.
  for (size_t before = ops.size() + 1; ops.size() != before;) {
    before = ops.size();
    ops.remove_if([&](Operation *op) {
      return !llvm::all_of(op->getUsers(), [&](Operation *user) {
        return ops.contains(user) || readers.contains(user);
      });
    });
  }
  if (ops.empty())
    return false;
  for (Value part : stack.parts)
    visit({part, identity});
  return inputs.size() <= kMostInputs;
}

/// In the new body, the element of `input`, of which `elements` are those of
/// the inputs.
Value Stacker::compute(OpBuilder &builder, const Input &input,
                       ValueRange elements) {
  if (!isComputed(input))
    return elements[std::distance(inputs.begin(), llvm::find(inputs, input))];
  if (Value value = computed.lookup(input.first))
    return value;
  auto op = cast<linalg::LinalgOp>(input.first.getDefiningOp());
  IRMapping mapping;
  for (OpOperand *operand : op.getDpsInputOperands())
    mapping.map(op.getMatchingBlockArgument(operand),
                compute(builder,
                        {operand->get(), op.getMatchingIndexingMap(operand)},
                        elements));
  for (Operation &inner : op.getBlock()->without_terminator())
    builder.clone(inner, mapping);
  for (auto [result, yielded] : llvm::zip_equal(
           op->getResults(), op.getBlock()->getTerminator()->getOperands()))
    computed[result] = mapping.lookupOrDefault(yielded);
  return computed[input.first];
}

/// `value` with its last two dimensions as one.
static Value joinLast(OpBuilder &builder, Value value) {
  const int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return tensor::CollapseShapeOp::create(builder, value.getLoc(), value,
                                         joinAt(rank, rank - 2));
}

void Stacker::build() {
  Operation *last = stack.whole.getDefiningOp();
  rewriter.setInsertionPoint(last);
  const Location loc = last->getLoc();
  const auto whole = cast<RankedTensorType>(stack.whole.getType());
  const unsigned rank = stack.shape.size();
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (auto [value, map] : inputs) {
    maps.push_back(
        AffineMap::get(rank + 1, 0, map.getResults(), rewriter.getContext()));
    const auto type = cast<RankedTensorType>(value.getType());
    const bool isWhole = map.isIdentity() && type.getRank() > int64_t(rank);
    values.push_back(isWhole ? joinLast(rewriter, value) : value);
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(rank + 1));
  SmallVector<int64_t> shape(stack.shape);
  shape.push_back(stack.parts.size());
  const Value out =
      tensor::EmptyOp::create(rewriter, loc, shape, whole.getElementType());
  const SmallVector<utils::IteratorType> loops(rank + 1,
                                               utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, out.getType(), values, out, maps, loops,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        SmallVector<Value> parts;
        for (Value part : stack.parts)
          parts.push_back(compute(builder, {part, identity}, elements));
        linalg::YieldOp::create(builder, loc,
                                selectPlace(builder, loc, rank, parts));
      });
  Value result = generic.getResult(0);
  if (ArrayRef(shape) != whole.getShape())
    result = joinLast(rewriter, result);
  rewriter.replaceOp(last, result);
}

Value sched::selectPlace(OpBuilder &builder, Location loc, unsigned loop,
                         ArrayRef<Value> values) {
  const Value index = linalg::IndexOp::create(builder, loc, loop);
  Value result = values.back();
  for (int64_t place = int64_t(values.size()) - 2; place >= 0; --place) {
    const Value isPlace = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, index,
        arith::ConstantIndexOp::create(builder, loc, place));
    result =
        arith::SelectOp::create(builder, loc, isPlace, values[place], result);
  }
  return result;
}

bool sched::stackParts(func::FuncOp function) {
  SmallVector<Operation *> found;
  function.walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp>(op) && matchStack(op))
      found.push_back(op);
  });
  bool isChanged = false;
  IRRewriter rewriter(function.getContext());
  for (Operation *op : found) {
    const std::optional<Stack> stack = matchStack(op);
    if (!stack)
      continue;
    Stacker stacker(rewriter, *stack);
    if (!stacker.collect())
      continue;
    stacker.build();
    isChanged = true;
  }
  // The parts.
  if (isChanged)
    eraseUnread(function);
  return isChanged;
}
