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
  auto shared =
      makeCostModel(context, name, target, seed, [](const llvm::Twine &) {});
  if (!shared)
    return shared.takeError();
  return TaskModels(name, std::move(*shared));
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
  const FeatureBatch batch = describeDefault(task);
  if (batch.size() == 0 || shared->covers(batch, machine))
    return *shared;
  std::string kind = describeTaskKind(batch, machine);
  if (!llvm::is_contained(otherKinds, kind))
    otherKinds.push_back(std::move(kind));
  if (!otherLoc)
    otherLoc = loc;
  return getOther(machine);
}

CostModel &TaskModels::getOther(const Target &machine) {
  std::unique_ptr<CostModel> &other = others[machine.threads];
  if (!other)
    other = shared->makeUntrained(machine);
  if (!other)
    other = std::make_unique<AnalyticModel>(machine);
  return *other;
}

void TaskModels::report() const {
  if (!otherLoc)
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
