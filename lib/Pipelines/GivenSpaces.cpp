//===- GivenSpaces.cpp - Search spaces that a user gives ------------------===//

#include "GivenSpaces.h"
#include "LocatedError.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/TargetConversion.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SpaceFile.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace sched;

GivenSpaces::GivenSpaces(ModuleOp module)
    : spaces(ModuleOp::create(module.getLoc())) {
  (*spaces)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                     UnitAttr::get(module.getContext()));
}

llvm::Expected<GivenSpaces> GivenSpaces::create(ModuleOp module,
                                                llvm::StringRef path) {
  module.getContext()->getOrLoadDialect<schedule::ScheduleDialect>();
  GivenSpaces result(module);
  result.path = path.str();
  if (llvm::Error error = takeSpaces(module, *result.spaces))
    return std::move(error);
  if (auto script = module.lookupSymbol<transform::NamedSequenceOp>(
          transform::TransformDialect::kTransformEntryPointSymbolName))
    return locate(
        llvm::createStringError(
            "@" + script.getSymName() +
            " is in the way of the script of the search; give it a "
            "transform.tune.knob to have it tuned, name its file with "
            "space=FILE instead, or remove it"),
        script.getLoc());
  if (!path.empty())
    if (llvm::Error error = readSpaces(path, *result.spaces))
      return std::move(error);
  return result;
}

bool sched::hasSpaces(ModuleOp module, llvm::StringRef path) {
  return !path.empty() ||
         module
             .walk([](Operation *op) {
               return isa<schedule::SpaceOp, schedule::SketchOp,
                          transform::tune::KnobOp,
                          transform::tune::AlternativesOp>(op)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

void sched::dropSpaces(ModuleOp module) {
  for (auto space :
       llvm::make_early_inc_range(module.getOps<schedule::SpaceOp>()))
    space.erase();
}

bool sched::isForTarget(schedule::SpaceOp space, const Target &target) {
  if (!space.getTargetAttr())
    return true;
  llvm::Expected<Target> named = schedule::getTarget(space.getTargetAttr());
  if (named)
    return TaskSpace::getTargetKey(*named) == TaskSpace::getTargetKey(target);
  llvm::consumeError(named.takeError());
  return false;
}

//===----------------------------------------------------------------------===//
// What a space is for
//===----------------------------------------------------------------------===//

GivenSpaces::Kind GivenSpaces::getKind(schedule::SpaceOp space) {
  return space.getWorkloadAttr()                ? Kind::Workload
         : space.getMatcherAttr()               ? Kind::Matcher
         : space.getSymName() == kLooseSketches ? Kind::Loose
                                                : Kind::Name;
}

/// The sequence that says whether an op is what `space` is for.
static llvm::Expected<transform::NamedSequenceOp>
getMatcher(schedule::SpaceOp space, ModuleOp module) {
  auto sequence = module.lookupSymbol<transform::NamedSequenceOp>(
      space.getMatcherAttr().getAttr());
  const std::string name = "the matcher @" + space.getMatcher()->str() +
                           " of space @" + space.getSymName().str();
  if (!sequence || sequence.isExternal())
    return locate(llvm::createStringError(
                      name + " is not a transform.named_sequence with a body "
                             "that stands beside the space"),
                  space.getLoc());
  Block &body = sequence.getBody().front();
  if (body.getNumArguments() != 1 ||
      !isa<transform::TransformHandleTypeInterface>(
          body.getArgument(0).getType()))
    return locate(
        llvm::createStringError(name + " takes " +
                                std::to_string(body.getNumArguments()) +
                                " arguments; expected one, the handle of an "
                                "op"),
        sequence.getLoc());
  return sequence;
}

llvm::Expected<bool> GivenSpaces::matches(schedule::SpaceOp space,
                                          const Task &task) {
  auto sequence = getMatcher(space, *spaces);
  if (!sequence)
    return sequence.takeError();
  // What it hands on to an action has no taker here.
  OpBuilder builder(*sequence);
  auto matcher = cast<transform::NamedSequenceOp>(
      builder.clone(*sequence->getOperation()));
  Block &body = matcher.getBody().front();
  body.getTerminator()->setOperands({});
  matcher.setType(
      builder.getFunctionType(body.getArgumentTypes(), TypeRange()));
  matcher.removeResAttrsAttr();
  // A matcher is to change nothing; nothing keeps a script from doing it.
  OwningOpRef<Operation *> payload(task.getFunction()->getParentOp()->clone());
  SmallVector<Operation *> ops;
  (*payload)->walk([&](func::FuncOp function) {
    if (function.getSymName() == task.getFunction().getSymName())
      function.walk([&](Operation *op) { ops.push_back(op); });
  });
  std::string &refusal = refusals[space];
  ScopedDiagnosticHandler handler(
      space.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          refusal = diagnostic.str();
        return success();
      });
  const bool accepted = llvm::any_of(ops, [&](Operation *op) {
    return succeeded(transform::applyTransformNamedSequence(
        op, matcher, ModuleOp(), transform::TransformOptions()));
  });
  matcher.erase();
  return accepted;
}

llvm::Expected<bool> GivenSpaces::isFor(schedule::SpaceOp space,
                                        const Task &task) {
  switch (getKind(space)) {
  case Kind::Workload:
    return space.getWorkload()->empty()
               ? space.getWorkloadText() == llvm::StringRef(task.text)
               : space.getWorkload() == llvm::StringRef(task.hash);
  case Kind::Name:
    // schedule-generate-space counts the tasks of each function.
    return llvm::any_of(task.occurrences, [&](const TaskOccurrence &place) {
      return space.getSymName() == place.function ||
             space.getSymName() ==
                 place.function + "_" + std::to_string(place.index);
    });
  case Kind::Matcher:
    return matches(space, task);
  case Kind::Loose:
    return true;
  }
  llvm_unreachable("unknown kind");
}

//===----------------------------------------------------------------------===//
// Which space a task gets
//===----------------------------------------------------------------------===//

llvm::Error GivenSpaces::assign(const Task &task, const Target &target) {
  schedule::SpaceOp &found = assigned[&task];
  // What is searched for another task stays that.
  auto note = [&](schedule::SpaceOp space, Use use) {
    if (uses.lookup(space) != Use::Searched)
      uses[space] = use;
  };
  for (Kind kind : {Kind::Workload, Kind::Name, Kind::Matcher, Kind::Loose}) {
    const bool isTaken = found != nullptr;
    for (auto space : spaces->getOps<schedule::SpaceOp>()) {
      if (getKind(space) != kind)
        continue;
      auto fits = isFor(space, task);
      if (!fits)
        return fits.takeError();
      if (!*fits)
        continue;
      if (!isForTarget(space, target)) {
        note(space, Use::OtherTarget);
      } else if (isTaken || (found && kind == Kind::Workload)) {
        note(space, Use::Repeats);
      } else if (found) {
        return locate(llvm::createStringError(
                          "the spaces @" + found.getSymName() + " and @" +
                          space.getSymName() + " are both for the task " +
                          task.text +
                          "; let the workload or a narrower matcher say which"),
                      space.getLoc());
      } else {
        uses[space] = Use::Searched;
        found = space;
      }
    }
  }
  return llvm::Error::success();
}

std::string GivenSpaces::describeTasks() const {
  return llvm::join(
      llvm::map_range(taskNames,
                      [](const std::string &name) { return "@" + name; }),
      ", ");
}

llvm::Error GivenSpaces::checkLoose(llvm::ArrayRef<Task> tasks) {
  if (tasks.size() < 2)
    return llvm::Error::success();
  for (auto space : spaces->getOps<schedule::SpaceOp>()) {
    if (getKind(space) != Kind::Loose)
      continue;
    auto sketch = *space.getOps<schedule::SketchOp>().begin();
    return locate(
        llvm::createStringError(
            "@" + sketch.getSymName() +
            " is in no schedule.space, which would say what it is for, and the "
            "module has the tasks " +
            describeTasks() + "; put it into a schedule.space of that name"),
        sketch.getLoc());
  }
  return llvm::Error::success();
}

llvm::Error GivenSpaces::assign(llvm::ArrayRef<Task> tasks,
                                const Target &target) {
  for (const Task &task : tasks)
    taskNames.push_back(task.getFunction().getSymName().str());
  if (llvm::Error error = checkLoose(tasks))
    return error;
  for (const Task &task : tasks)
    if (llvm::Error error = assign(task, task.getTarget(target)))
      return error;
  if (path.empty() || tasks.empty())
    return llvm::Error::success();
  if (llvm::none_of(tasks, [&](const Task &task) { return bool(get(task)); })) {
    warnOfUnused();
    return llvm::createStringError("space: no space of '" + path +
                                   "' is for a task of the module (" +
                                   describeTasks() + ")");
  }
  for (const Task &task : tasks)
    if (!get(task))
      emitRemark(task.getFunction().getLoc())
          << "no space of '" << path << "' is for the task @"
          << task.getFunction().getSymName() << " (" << task.text
          << "): the one that the rules make is searched";
  return llvm::Error::success();
}

void GivenSpaces::warnOfUnused() {
  for (auto space : spaces->getOps<schedule::SpaceOp>()) {
    const Use use = uses.lookup(space);
    if (use == Use::Searched)
      continue;
    InFlightDiagnostic warning = emitWarning(space.getLoc())
                                 << "the space @" << space.getSymName()
                                 << " is not used: ";
    switch (use) {
    case Use::NoTask:
      switch (getKind(space)) {
      case Kind::Workload:
        warning << "the module has no task of workload '"
                << (space.getWorkload()->empty() ? *space.getWorkloadText()
                                                 : *space.getWorkload())
                << "'";
        break;
      case Kind::Name:
        warning << "the module has no task of that name; it has "
                << describeTasks();
        break;
      case Kind::Matcher: {
        warning << "@" << *space.getMatcher() << " accepts no op of a task";
        const std::string refusal = refusals.lookup(space);
        if (!refusal.empty())
          warning << " (the last answer: " << refusal << ")";
        break;
      }
      case Kind::Loose:
        warning << "the module has no task";
        break;
      }
      break;
    case Use::OtherTarget:
      warning << "it is for another target or number of threads";
      break;
    case Use::Repeats:
      warning << (getKind(space) == Kind::Workload
                      ? "an earlier space is for the same workload and target"
                      : "another space says more closely that it is for the "
                        "same task");
      break;
    case Use::Searched:
      break;
    }
  }
}
