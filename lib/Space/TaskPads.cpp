//===- TaskPads.cpp - Pads of what a task reads ---------------------------===//

#include "TaskPads.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Space/WorkloadHash.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
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

TaskPads sched::collectPads(ValueRange arguments,
                            llvm::function_ref<bool(Operation *)> isReader) {
  return llvm::map_to_vector(arguments, [&](Value argument) {
    auto pad = argument.getDefiningOp<tensor::PadOp>();
    if (!pad || !pad.getSourceType().hasStaticShape() ||
        !pad.getType().hasStaticShape() || !getPadding(pad) ||
        // In a loop the reader runs more often than the pad.
        !llvm::all_of(pad->getUsers(), [&](Operation *user) {
          return user->getBlock() == pad->getBlock() && isReader(user);
        }))
      return tensor::PadOp();
    return pad;
  });
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

static bool isPadded(TaskPads pads) {
  return llvm::any_of(pads, [](tensor::PadOp pad) { return bool(pad); });
}

std::string sched::hashWithPads(func::FuncOp task, TaskPads pads) {
  if (!isPadded(pads))
    return hashWorkload(task);
  std::string key;
  llvm::raw_string_ostream out(key);
  for (auto [number, pad] : llvm::enumerate(pads)) {
    if (!pad)
      continue;
    out << "pad " << number << " low";
    for (int64_t size : pad.getStaticLow())
      out << ' ' << size;
    out << " of " << pad.getSourceType() << " with " << getPadding(pad) << '\n';
  }
  return hashWorkload(task, key);
}

int64_t sched::countTrafficBytes(func::FuncOp task, TaskPads pads) {
  int64_t bytes = countTrafficBytes(task);
  for (tensor::PadOp pad : pads)
    if (pad)
      bytes -= countBytes(pad.getType()) - countBytes(pad.getSourceType());
  return bytes;
}

OwningOpRef<ModuleOp> sched::makePaddedModule(func::FuncOp task, TaskPads pads,
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

  SmallVector<Type> types(task.getArgumentTypes());
  for (auto [type, pad] : llvm::zip_equal(types, pads))
    if (pad)
      type = pad.getSourceType();
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(types, task.getResultTypes()));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> operands;
  for (auto [number, pad] : llvm::enumerate(pads)) {
    Value argument = body->getArgument(number);
    if (Attribute mark = task.getArgAttr(number, schedule::kLayoutFreeAttrName))
      function.setArgAttr(number, schedule::kLayoutFreeAttrName, mark);
    if (pad) {
      auto constant = arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(getPadding(pad)));
      argument = tensor::PadOp::create(
          builder, loc, pad.getType(), argument,
          getAsIndexOpFoldResult(pad.getContext(), pad.getStaticLow()),
          getAsIndexOpFoldResult(pad.getContext(), pad.getStaticHigh()),
          constant, pad.getNofold());
    }
    operands.push_back(argument);
  }
  auto call = func::CallOp::create(builder, loc, callee, operands);
  func::ReturnOp::create(builder, loc, call.getResults());
  return module;
}
