//===- TaskModels.cpp - Which cost model ranks which task -----------------===//

#include "TaskModels.h"
#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/CostModelFactory.h"
#include "SchedOpt/CostModel/TaskKind.h"
#include "SchedOpt/Pipelines/Extensions.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace sched;

llvm::Expected<std::unique_ptr<CostModel>>
sched::makeCostModel(MLIRContext *context, llvm::StringRef name,
                     const Target &target, uint64_t seed,
                     llvm::function_ref<void(const llvm::Twine &)> warn) {
  if (const Extensions *extensions = Extensions::get(context))
    if (const auto *make = extensions->findCostModel(name))
      return (*make)(target, seed);
  return createCostModel(name, target, seed, warn);
}

llvm::Expected<TaskModels> TaskModels::create(MLIRContext *context,
                                              llvm::StringRef name,
                                              const Target &target,
                                              uint64_t seed) {
  std::string problem;
  auto shared =
      makeCostModel(context, name, target, seed,
                    [&](const llvm::Twine &text) { problem = text.str(); });
  if (!shared)
    return shared.takeError();
  // On a GPU, `auto` has no trees anyway.
  if (name == kAutoCostModel && target.kind == Target::Kind::NVVM)
    problem.clear();
  return TaskModels(name, std::move(*shared), std::move(problem));
}

/// The default schedule, from which the kind of a task is to be seen; none
/// where that is not legal.
static FeatureBatch describeDefault(const SearchTask &task) {
  FeatureBatch batch;
  std::optional<Candidate> candidate = task.getDefault();
  if (!candidate)
    return batch;
  const SketchView &sketch = task.space.getSketch(candidate->sketch);
  Evaluation evaluation;
  sketch.evaluate(candidate->choices, evaluation);
  sketch.describeBlocks(candidate->choices, batch.getRows());
  batch.add(evaluation.features);
  return batch;
}

CostModel &TaskModels::choose(const SearchTask &task, const Target &machine,
                              Location loc) {
  ++numTasks;
  const FeatureBatch batch = describeDefault(task);
  const bool isKnown = batch.size() == 0 ? name != kAutoCostModel
                                         : shared->covers(batch, machine);
  if (isKnown)
    return *shared;
  ++numOthers;
  std::string kind = describeTaskKind(batch, machine);
  if (!llvm::is_contained(otherKinds, kind))
    otherKinds.push_back(std::move(kind));
  if (!otherLoc)
    otherLoc = loc;
  return getOther(machine);
}

CostModel &TaskModels::getOther(const Target &machine) {
  std::unique_ptr<CostModel> &other = others[machine.threads];
  // Trees that begin with none are worth something on CPUs; a search on an H100
  // ended no better with them (docs/Rationale.md).
  const bool isMeasured = machine.kind == Target::Kind::CPU;
  if (!other && (isMeasured || name != kAutoCostModel))
    other = shared->makeUntrained(machine);
  if (!other)
    other = std::make_unique<AnalyticModel>(machine);
  return *other;
}

std::string TaskModels::describeChoice() const {
  if (!problem.empty())
    return problem;
  const std::string sharedName = shared->name().str();
  if (!shared->learns())
    return sharedName;
  if (numOthers == 0)
    return sharedName + ", trained before";
  const std::string reason =
      ", as it was not trained for " + llvm::join(otherKinds, "; ");
  // Of a GPU, which is that of all tasks.
  if (!others.begin()->second->learns())
    return "analytic instead of " + sharedName + reason;
  const std::string which = numOthers == numTasks
                                ? ""
                                : "trained before; for " +
                                      std::to_string(numOthers) + " of " +
                                      std::to_string(numTasks) + " tasks ";
  return sharedName + ", " + which + "without trees at first" + reason;
}

void TaskModels::report(ProgressReporter &reporter, bool quiet,
                        bool isTalkative) const {
  if (numTasks == 0)
    return;
  if (name == kAutoCostModel) {
    if (isTalkative || !problem.empty())
      reporter.print("cost-model=auto: " + describeChoice() + "\n");
    return;
  }
  if (quiet || !otherLoc)
    return;
  const bool learns = llvm::any_of(
      others, [](const auto &entry) { return entry.second->learns(); });
  emitRemark(*otherLoc)
      << "cost-model=" << name << " was not trained for "
      << llvm::join(otherKinds, "; ")
      << (learns ? ": there it begins without trees, as the analytic model, "
                   "and learns from what is measured"
                 : ": there the analytic model ranks");
}
