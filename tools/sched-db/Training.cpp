//===- Training.cpp - Trains a cost model by records ----------------------===//

#include "Training.h"
#include "SchedOpt/CostModel/Validation.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace llvm;

namespace sched::db {

/// With fewer candidates a rank means nothing.
static constexpr size_t kLeastRanked = 4;

/// What may be compared with each other.
static std::string getKey(const TrainingTask &task) {
  return task.workload + "\n" + task.target + "\n" + task.toolchain;
}

static Expected<std::unique_ptr<XGBoostModel>>
train(ArrayRef<const TrainingTask *> tasks, const TrainingOptions &options,
      std::shared_ptr<const XGBoostLibrary> library, const ModelFile *start) {
  // A model is of no machine; that of the first task is as good as any.
  auto model = XGBoostModel::create(library, tasks.front()->machine,
                                    options.learning, start);
  if (!model)
    return model;
  for (const TrainingTask *task : tasks)
    (*model)->add(task->features, task->seconds, getKey(*task), task->machine);
  if (Error error = (*model)->train())
    return std::move(error);
  return model;
}

namespace {
/// What a model learns from, and what it is then tried on.
struct Split {
  std::vector<const TrainingTask *> learned, held;
  /// Parts of tasks, where candidates are held out rather than tasks.
  std::vector<std::unique_ptr<TrainingTask>> parts;
};
} // namespace

static void addCandidate(const TrainingTask &from, size_t i, TrainingTask &to) {
  llvm::append_range(to.features.getRows(), from.features.getBlocks(i));
  to.features.add(from.features.getPrograms()[i]);
  to.seconds.push_back(from.seconds[i]);
  to.trials.push_back(from.trials[i]);
}

/// Of each task, candidates in regular distances: searches begin with worse
/// ones than they end with.
static Split holdOutCandidates(ArrayRef<TrainingTask> tasks, double share) {
  Split split;
  for (const TrainingTask &task : tasks) {
    auto makePart = [&] {
      split.parts.push_back(
          std::make_unique<TrainingTask>(TrainingTask{task.workload,
                                                      task.text,
                                                      task.target,
                                                      task.toolchain,
                                                      task.machine,
                                                      {},
                                                      {},
                                                      {}}));
      return split.parts.back().get();
    };
    TrainingTask *learned = makePart(), *held = makePart();
    for (size_t i = 0, e = task.features.size(); i != e; ++i)
      addCandidate(task, i,
                   std::floor(double(i + 1) * share) >
                           std::floor(double(i) * share)
                       ? *held
                       : *learned);
    split.learned.push_back(learned);
    split.held.push_back(held);
  }
  return split;
}

/// The tasks to hold out: by a hash, so that these are the same with more
/// records of them; at least one, and not all.
static Split holdOutTasks(ArrayRef<TrainingTask> all, double share) {
  std::vector<const TrainingTask *> tasks;
  for (const TrainingTask &task : all)
    tasks.push_back(&task);
  auto getOrder = [](const TrainingTask *task) {
    return std::pair(xxh3_64bits(task->workload), getKey(*task));
  };
  llvm::sort(tasks, [&](const TrainingTask *a, const TrainingTask *b) {
    return getOrder(a) < getOrder(b);
  });
  const size_t n = tasks.size();
  size_t count = std::clamp<size_t>(std::lround(share * n), 1, n - 1);
  // The same workload on another target is no stranger.
  while (count != n &&
         tasks[n - count]->workload == tasks[n - count - 1]->workload)
    ++count;
  // Nor is all of it held out.
  if (count == n)
    count = llvm::count_if(tasks, [&](const TrainingTask *task) {
      return task->workload != tasks.front()->workload;
    });
  Split split;
  split.held.assign(tasks.end() - count, tasks.end());
  split.learned.assign(tasks.begin(), tasks.end() - count);
  return split;
}

static Error validate(ArrayRef<TrainingTask> all,
                      const TrainingOptions &options,
                      std::shared_ptr<const XGBoostLibrary> library,
                      const ModelFile *start, raw_ostream &os) {
  // Beside a single one there is no other to learn from.
  const bool hasOne = all_equal(
      map_range(all, [](const TrainingTask &task) { return task.workload; }));
  const Split split = hasOne ? holdOutCandidates(all, options.validate)
                             : holdOutTasks(all, options.validate);
  size_t candidates = 0, held = 0;
  for (const TrainingTask &task : all)
    candidates += task.features.size();
  for (const TrainingTask *task : split.held)
    held += task->features.size();
  if (held == 0)
    return createStringError(
        "found %zu records of one task, of which --validate=%g holds out none; "
        "expected more of either: tune longer, or leave --validate out",
        candidates, options.validate);
  auto model = train(split.learned, options, library, start);
  if (!model)
    return model.takeError();
  if (hasOne)
    os << "held out " << held << " of " << candidates
       << " candidates of the only task";
  else
    os << "held out " << split.held.size() << " of " << all.size() << " tasks";
  os << "; rank correlation of the model and of the analytic one:\n";
  double sum = 0, analyticSum = 0;
  size_t ranked = 0, failed = 0, caught = 0, worked = 0, blamed = 0;
  for (const TrainingTask *task : split.held) {
    auto own = XGBoostModel::create(library, task->machine, options.learning,
                                    &(*model)->getFile());
    if (!own)
      return own.takeError();
    std::vector<double> failures(task->features.size());
    (*own)->predictFailures(task->features, failures);
    for (size_t i = 0; i != failures.size(); ++i) {
      const bool fails = !std::isfinite(task->seconds[i]);
      (fails ? failed : worked) += 1;
      if (failures[i] > 0.5)
        (fails ? caught : blamed) += 1;
    }
    const Validation result =
        sched::validate(**own, task->features, task->seconds);
    if (result.candidates < kLeastRanked)
      continue;
    const Validation analytic = sched::validate(AnalyticModel(task->machine),
                                                task->features, task->seconds);
    ++ranked;
    sum += result.rankCorrelation;
    analyticSum += analytic.rankCorrelation;
    os << format("  %6.3f %6.3f  %4zu candidates of ", result.rankCorrelation,
                 analytic.rankCorrelation, result.candidates)
       << task->text << "\n";
  }
  if (ranked)
    os << format("  %6.3f %6.3f  mean\n", sum / ranked, analyticSum / ranked);
  if (failed)
    os << format("failures: %.0f %% of %zu foreseen, %.1f %% of %zu others "
                 "taken for some\n",
                 100.0 * caught / failed, failed,
                 worked ? 100.0 * blamed / worked : 0.0, worked);
  else
    os << "failures: none among the held out\n";
  return Error::success();
}

Error trainModel(ArrayRef<TrainingTask> tasks, const TrainingOptions &options,
                 StringRef path, raw_ostream &os) {
  size_t candidates = 0, rows = 0, failed = 0;
  for (const TrainingTask &task : tasks) {
    candidates += task.features.size();
    rows += task.features.getAllBlocks().size();
    failed +=
        count_if(task.seconds, [](double s) { return !std::isfinite(s); });
  }
  if (candidates == failed)
    return createStringError(
        "found %zu records that can be used, %zu of them of failures; expected "
        "some of candidates that ran: tune with work-dir=DIR and give DIR",
        candidates, failed);
  auto library = XGBoostLibrary::load();
  if (!library)
    return library.takeError();
  std::optional<ModelFile> start;
  TrainingOptions own = options;
  if (!options.from.empty()) {
    auto buffer = MemoryBuffer::getFile(options.from);
    if (!buffer)
      return createStringError("cannot read the cost model '" + options.from +
                               "': " + buffer.getError().message());
    auto parsed = ModelFile::parse((*buffer)->getBuffer(), options.from,
                                   (*library)->getVersion());
    if (!parsed)
      return parsed.takeError();
    start = std::move(*parsed);
    own.learning.members = start->scores.size();
    own.learning.objective = start->objective;
  }
  const ModelFile *from = start ? &*start : nullptr;
  os << tasks.size() << " tasks, " << candidates << " candidates (" << failed
     << " failed), " << rows << " rows\n";
  if (own.validate > 0)
    if (Error error = validate(tasks, own, *library, from, os))
      return error;
  std::vector<const TrainingTask *> all;
  for (const TrainingTask &task : tasks)
    all.push_back(&task);
  auto model = train(all, own, *library, from);
  if (!model)
    return model.takeError();
  const ModelFile &file = (*model)->getFile();
  if (Error error = file.write(path))
    return error;
  os << "wrote '" << path << "': " << file.scores.size() << " boosters, "
     << getObjectiveName(file.objective) << ", of " << file.numCandidates
     << " candidates\n";
  return Error::success();
}

} // namespace sched::db
