//===- TaskPads.cpp - Pads of what a task reads ---------------------------===//

#include "TaskPads.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Space/WorkloadHash.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sched;

/// The padding of `pad`; null where it is not constant.
static Attribute getPadding(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  Attribute constant;
  if (value && matchPattern(value, m_Constant(&constant)))
    return constant;
  return nullptr;
}

/// How many elements `pad`, of static shapes, puts behind its source.
static SmallVector<int64_t> getHigh(tensor::PadOp pad) {
  SmallVector<int64_t> high;
  for (auto [padded, source, low] :
       llvm::zip_equal(pad.getType().getShape(), pad.getSourceType().getShape(),
                       pad.getStaticLow()))
    high.push_back(padded - source - low);
  return high;
}

using IsReader = llvm::function_ref<bool(Operation *)>;

/// Whether all users of `op` are in its block, where they run as often as it
/// does, and `isReader` holds for them.
static bool hasOnlyReaders(Operation *op, IsReader isReader) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return user->getBlock() == op->getBlock() && isReader(user);
  });
}

/// The pad that `value` is, if it can be timed with its readers.
static tensor::PadOp getPad(Value value, IsReader isReader) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  return pad && pad.getSourceType().hasStaticShape() &&
                 pad.getType().hasStaticShape() && getPadding(pad) &&
                 llvm::none_of(pad.getStaticLow(), ShapedType::isDynamic) &&
                 hasOnlyReaders(pad, isReader)
             ? pad
             : tensor::PadOp();
}

/// Whether `op` moves elements from and to places that are known.
static bool isStaticMove(Operation *op) {
  if (!isa_and_present<tensor::InsertSliceOp, tensor::ExtractSliceOp,
                       tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                       tensor::EmptyOp>(op))
    return false;
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  return cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape() &&
         (!slice || (!ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
                     !ShapedType::isDynamicShape(slice.getStaticStrides())));
}

/// Whether `op` takes elements that are apart.
static bool isStrided(Operation *op) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  return slice && llvm::any_of(slice.getStaticStrides(),
                               [](int64_t stride) { return stride != 1; });
}

/// The moves that make `argument` of one tensor; none where they are not all of
/// its users, or it is not padded and no stride is among them.
static TaskPad collectMoves(Value argument, IsReader isReader) {
  TaskPad result;
  llvm::SetVector<Operation *> moves;
  SmallVector<Value> values = {argument};
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (isStaticMove(op) &&
        (moves.empty() || op->getBlock() == moves.front()->getBlock())) {
      if (moves.insert(op))
        for (Value operand : op->getOperands())
          if (isa<TensorType>(operand.getType()))
            values.push_back(operand);
    } else if (result.source && result.source != value) {
      return {};
    } else {
      result.source = value;
    }
  }
  if (!result.source)
    return {};
  auto isPart = [&](Operation *user) { return moves.contains(user); };
  for (Operation *move : moves)
    if (!(move == argument.getDefiningOp() ? hasOnlyReaders(move, isReader)
                                           : hasOnlyReaders(move, isPart)))
      return {};
  result.pad = getPad(result.source, isPart);
  // Other views are nothing that takes time.
  if (!result.pad && llvm::none_of(moves, isStrided))
    return {};
  result.moves = moves.takeVector();
  llvm::sort(result.moves,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (result.pad)
    result.source = result.pad.getSource();
  return result;
}

/// The slice at a known place that `argument` is; null where it is none.
static tensor::ExtractSliceOp getSlice(Value argument) {
  auto slice = argument.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && isStaticMove(slice) && slice.getSourceType().hasStaticShape()
             ? slice
             : tensor::ExtractSliceOp();
}

/// A tensor of more than this many times the memory of its slices is not filled
/// for them in trials.
static constexpr int64_t kMostUnread = 8;

/// Adds to `pads` those of `arguments` that are slices of one tensor, as what
/// reads neighbours has, and that tensor itself.
static void addSlices(ValueRange arguments, TaskPads &pads) {
  auto getSource = [&](unsigned number) -> Value {
    if (pads[number])
      return pads[number].pad ? Value() : pads[number].source;
    tensor::ExtractSliceOp slice = getSlice(arguments[number]);
    return slice ? slice.getSource() : arguments[number];
  };
  auto isSlice = [&](unsigned number) {
    return getSource(number) != arguments[number];
  };
  TaskPads slices = pads;
  for (unsigned number = 0; number != arguments.size(); ++number) {
    const Value source = getSource(number);
    if (pads[number] || !source)
      continue;
    bool isShared = false;
    int64_t read = 0;
    for (unsigned other = 0; other != arguments.size(); ++other)
      if (getSource(other) == source) {
        read += countBytes(arguments[other].getType());
        isShared |= other != number && (isSlice(number) || isSlice(other));
      }
    if (!isShared || countBytes(source.getType()) > kMostUnread * read)
      continue;
    slices[number].source = source;
    if (isSlice(number))
      slices[number].moves = {arguments[number].getDefiningOp()};
  }
  pads = std::move(slices);
}

TaskPads sched::collectPads(ValueRange arguments, IsReader isReader) {
  TaskPads pads = llvm::map_to_vector(arguments, [&](Value argument) {
    if (tensor::PadOp pad = getPad(argument, isReader))
      return TaskPad{pad.getSource(), pad, {}};
    return collectMoves(argument, isReader);
  });
  addSlices(arguments, pads);
  return pads;
}

/// The number of the first argument that is made of the same tensor as argument
/// `number`, without a pad: what is timed has one argument for both.
static unsigned getFirst(const TaskPads &pads, unsigned number) {
  for (unsigned first = 0; first != number; ++first)
    if (pads[first] && !pads[first].pad && pads[number] && !pads[number].pad &&
        pads[first].source == pads[number].source)
      return first;
  return number;
}

TaskPads sched::collectCallPads(func::FuncOp task, ModuleOp module) {
  TaskPads none(task.getNumArguments());
  auto uses = SymbolTable::getSymbolUses(task, module);
  if (!uses || uses->empty())
    return none;
  auto call = dyn_cast<func::CallOp>(uses->begin()->getUser());
  if (!call)
    return none;
  return collectPads(call.getOperands(), [&](Operation *user) {
    return user == call.getOperation();
  });
}

static bool isPadded(const TaskPads &pads) {
  return llvm::any_of(pads, [](const TaskPad &pad) { return bool(pad); });
}

std::string sched::hashWithPads(func::FuncOp task, const TaskPads &pads) {
  if (!isPadded(pads))
    return hashWorkload(task);
  std::string key;
  llvm::raw_string_ostream out(key);
  for (auto [number, entry] : llvm::enumerate(pads)) {
    if (tensor::PadOp pad = entry.pad) {
      out << "pad " << number << " low";
      for (int64_t size : pad.getStaticLow())
        out << ' ' << size;
      out << " of " << pad.getSourceType() << " with " << getPadding(pad)
          << '\n';
    }
    if (const unsigned first = getFirst(pads, number); first != number)
      out << "same " << number << ' ' << first << '\n';
    else if (!entry.pad && entry)
      out << "of " << number << ' ' << entry.source.getType() << '\n';
    for (Operation *move : entry.moves)
      out << "move " << number << ' ' << move->getName() << ' '
          << move->getAttrDictionary() << ' ' << move->getResultTypes() << '\n';
  }
  return hashWorkload(task, key);
}

void sched::markBorders(func::FuncOp task, const TaskPads &pads) {
  for (auto [number, entry] : llvm::enumerate(pads)) {
    tensor::PadOp pad = entry.pad;
    DenseI64ArrayAttr rows;
    if (!entry.moves.empty())
      rows = entry.moves.back()->getAttrOfType<DenseI64ArrayAttr>(
          schedule::kTapRowsAttrName);
    if (!pad || (!entry.moves.empty() && !rows))
      continue;
    Value padding = pad.getConstantPaddingValue();
    if (!matchPattern(padding, m_Zero()) &&
        !matchPattern(padding, m_AnyZeroFloat()))
      continue;
    SmallVector<int64_t> border;
    for (auto [low, high] : llvm::zip_equal(pad.getStaticLow(), getHigh(pad)))
      border.append({low, high});
    // What is taken away is no border.
    if (llvm::any_of(border, [](int64_t zeros) { return zeros < 0; }))
      continue;
    if (rows) {
      // The taps are in front of the pixels.
      border.insert(border.begin() + 2 * rows[0], {0, 0});
      task.setArgAttr(number, schedule::kTapRowsAttrName, rows);
    }
    task.setArgAttr(number, schedule::kBorderAttrName,
                    DenseI64ArrayAttr::get(task.getContext(), border));
  }
}

int64_t sched::countTrafficBytes(func::FuncOp task, const TaskPads &pads) {
  int64_t bytes = countTrafficBytes(task);
  for (auto [number, type] : llvm::enumerate(task.getArgumentTypes())) {
    if (!pads[number] || getFirst(pads, number) != number)
      continue;
    // Slices of one tensor may overlap, or leave a part of it out.
    int64_t read = countBytes(type);
    for (unsigned other = number + 1; other != pads.size(); ++other)
      if (getFirst(pads, other) == number)
        read += countBytes(task.getArgumentTypes()[other]);
    const int64_t source = countBytes(pads[number].source.getType());
    bytes += (pads[number].pad ? source : std::min(source, read)) - read;
  }
  return bytes;
}

OwningOpRef<ModuleOp> sched::makePaddedModule(func::FuncOp task,
                                              const TaskPads &pads,
                                              StringRef name) {
  if (!isPadded(pads))
    return nullptr;
  OpBuilder builder(task.getContext());
  const Location loc = task.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(module->getBody());
  auto callee = cast<func::FuncOp>(builder.clone(*task));
  callee.setPrivate();
  callee->setAttr(kOutlinedAttrName, builder.getUnitAttr());

  SmallVector<Type> types;
  // Of each argument of the task, that of what is timed.
  SmallVector<unsigned> places;
  for (auto [number, type] : llvm::enumerate(task.getArgumentTypes())) {
    const unsigned first = getFirst(pads, number);
    places.push_back(first == number ? types.size() : places[first]);
    if (first == number)
      types.push_back(pads[number] ? pads[number].source.getType() : type);
  }
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(types, task.getResultTypes()));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> operands;
  for (auto [number, entry] : llvm::enumerate(pads)) {
    Value argument = body->getArgument(places[number]);
    if (Attribute mark = task.getArgAttr(number, schedule::kLayoutFreeAttrName))
      function.setArgAttr(places[number], schedule::kLayoutFreeAttrName, mark);
    tensor::PadOp pad = entry.pad;
    if (pad) {
      auto constant = arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(getPadding(pad)));
      argument = tensor::PadOp::create(
          builder, loc, pad.getType(), argument,
          getAsIndexOpFoldResult(pad.getContext(), pad.getStaticLow()),
          getAsIndexOpFoldResult(pad.getContext(), getHigh(pad)), constant,
          pad.getNofold());
    }
    if (!entry.moves.empty()) {
      IRMapping mapping;
      mapping.map(pad ? pad.getResult() : entry.source, argument);
      for (Operation *move : entry.moves)
        argument = builder.clone(*move, mapping)->getResult(0);
    }
    operands.push_back(argument);
  }
  auto call = func::CallOp::create(builder, loc, callee, operands);
  func::ReturnOp::create(builder, loc, call.getResults());
  return module;
}
