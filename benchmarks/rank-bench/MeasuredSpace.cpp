//===- MeasuredSpace.cpp - A task's space with what was measured ----------===//

#include "MeasuredSpace.h"
#include "SchedOpt/Tuning/TrialLog.h"
#include <map>

using namespace sched;
using namespace sched::bench;

FeatureBatch MeasuredSpace::describe(llvm::ArrayRef<size_t> some) const {
  FeatureBatch batch;
  Evaluation evaluation;
  for (size_t i : some) {
    const SketchView &sketch = task->space.getSketch(candidates[i].sketch);
    sketch.evaluate(candidates[i].choices, evaluation);
    sketch.describeBlocks(candidates[i].choices, batch.getRows());
    batch.add(evaluation.features);
  }
  return batch;
}

std::vector<double>
MeasuredSpace::getSeconds(llvm::ArrayRef<size_t> some) const {
  std::vector<double> result;
  for (size_t i : some)
    result.push_back(seconds[i]);
  return result;
}

llvm::Expected<std::vector<MeasuredSpace>>
sched::bench::loadSpaces(const Database &records, Payloads &payloads) {
  // By workload and target, in a fixed order.
  std::map<std::pair<std::string, std::string>, std::vector<const Record *>>
      groups;
  for (const Record &record : records.getRecords())
    groups[{record.workload, record.target}].push_back(&record);
  std::vector<MeasuredSpace> result;
  for (const auto &[key, group] : groups) {
    auto task = payloads.find(key.first);
    if (!task)
      return task.takeError();
    auto target = Target::parse(key.second);
    if (!target)
      return target.takeError();
    auto native = Target::parse("native", target->threads);
    if (!native)
      return native.takeError();
    if (!*task || TaskSpace::getTargetKey(*native) != key.second)
      continue;
    auto space = TaskSpace::create(**task, *native);
    if (!space)
      return space.takeError();
    if (!*space)
      continue;
    MeasuredSpace entry;
    entry.workload = key.first;
    entry.text = group.front()->workloadText;
    entry.machine = *native;
    entry.space = std::move(*space);
    entry.task = std::make_unique<SearchTask>(entry.space->makeSearchTask());
    TrialLog log;
    for (const Record *record : group)
      if (auto candidate =
              entry.task->parseTrace(record->sketch, record->trace))
        if (entry.task->space.isLegal(*candidate))
          log.add(*candidate, *record);
    for (const Trial &trial : log.getTrials()) {
      entry.candidates.push_back(trial.candidate);
      entry.seconds.push_back(trial.disqualified ? Measurement::kFailed
                                                 : trial.firstSeconds);
    }
    if (!entry.candidates.empty())
      result.push_back(std::move(entry));
  }
  return result;
}
