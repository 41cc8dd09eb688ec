//===- Tuner.cpp - Finds schedules by measuring ---------------------------===//

#include "SchedOpt/Tuning/Tuner.h"
#include "SchedOpt/Tuning/RecordedTraces.h"
#include "SchedOpt/Tuning/TaskScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace sched;

/// Trials of a first batch under a time budget, before the time of one is
/// known.
static constexpr unsigned kFirstTrials = 8;

/// Part of the time budget kept for the final comparisons.
static constexpr double kReserve = 0.1;

llvm::Expected<TuningResult> Tuner::tune(const SearchTask &task,
                                         CostModel &model,
                                         CandidateMeasurer &measurer,
                                         RecordFile *file) {
  llvm::Expected<std::vector<TuningResult>> results =
      tuneAll(Job{&task, &model, &measurer}, file);
  if (!results)
    return results.takeError();
  TuningResult &result = results->front();
  if (!result.best && !result.isLeftUnscheduled)
    return llvm::createStringError(result.diagnosis);
  return std::move(result);
}

unsigned Tuner::limitByTime(unsigned limit, unsigned newTrials,
                            size_t numTasks) const {
  if (options.timeBudgetS <= 0)
    return limit;
  double reserve = std::min(kReserve * options.timeBudgetS,
                            numTasks * TaskTuner::kComparisonS);
  double elapsed = clock.elapsed();
  double left = options.timeBudgetS - reserve - elapsed;
  if (left <= 0)
    return 0;
  if (newTrials == 0)
    return std::min(limit, kFirstTrials);
  // The start of the workers counts as well, which only errs towards caution.
  double fitting = left / (elapsed / newTrials);
  return fitting < limit ? static_cast<unsigned>(fitting) : limit;
}

/// Takes `error` and returns its text if it only means that there was no time
/// to learn the expected results: there is a schedule all the same.
static std::optional<std::string> takeReasonToGuess(llvm::Error &error) {
  std::optional<std::string> reason;
  error = llvm::handleErrors(
      std::move(error),
      [&](std::unique_ptr<llvm::StringError> text) -> llvm::Error {
        const std::error_code code = text->convertToErrorCode();
        if (code != std::errc::timed_out &&
            code != std::errc::operation_canceled)
          return llvm::Error(std::move(text));
        reason = text->getMessage();
        return llvm::Error::success();
      });
  return reason;
}

llvm::Error Tuner::search(llvm::ArrayRef<std::unique_ptr<TaskTuner>> tuners,
                          std::vector<End> &ends) {
  std::vector<TaskState> states(tuners.size());
  std::vector<double> work;
  for (const std::unique_ptr<TaskTuner> &tuner : tuners)
    work.push_back(tuner->getTask().flops * tuner->getTask().weight);
  for (auto [state, share] : llvm::zip_equal(
           states, shareFirstTrials(work, options.trials, options.batch)))
    state.firstTrials = share;
  auto finish = [&](unsigned i, StopReason reason) {
    states[i].active = false;
    ends[i].reason = reason;
  };
  auto finishAll = [&](StopReason reason) {
    for (unsigned i = 0, e = tuners.size(); i != e; ++i)
      if (states[i].active)
        finish(i, reason);
  };
  unsigned newTrials = 0;
  // The task whose turn ended within a batch, as there were no more trials. If
  // duplicates gave some back, these are its own: so it is where a run that was
  // cut off here is resumed, too.
  std::optional<unsigned> unfinished;
  while (true) {
    unsigned done = 0;
    for (unsigned i = 0, e = tuners.size(); i != e; ++i) {
      const TrialLog &log = tuners[i]->getLog();
      done += log.getNumCounted();
      states[i].weight = tuners[i]->getTask().weight;
      states[i].bestSeconds = log.getBestSeconds();
      states[i].trials = log.size();
      // A turn ends with the first trials, or with a batch.
      states[i].isCutOff =
          (log.size() == tuners[i]->getNumReplayed() || i == unfinished) &&
          log.size() % options.batch != 0 &&
          log.size() != states[i].firstTrials;
      if (states[i].active && options.earlyStopTrials &&
          log.getTrialsSinceImprovement() >= options.earlyStopTrials)
        finish(i, StopReason::EarlyStop);
    }
    if (stopped()) {
      finishAll(StopReason::Stopped);
      break;
    }
    if (done >= options.trials) {
      finishAll(StopReason::TrialsDone);
      break;
    }
    std::optional<unsigned> next = chooseTask(states, options.batch);
    if (!next)
      break;
    const TaskState &state = states[*next];
    unsigned wanted = options.trials - done;
    if (state.trials < state.firstTrials)
      wanted = std::min(wanted, state.firstTrials - state.trials);
    unsigned limit = limitByTime(wanted, newTrials, tuners.size());
    if (limit == 0) {
      finishAll(StopReason::TimeBudget);
      break;
    }
    TaskTuner &tuner = *tuners[*next];
    tuner.setTrialsWanted(options.trials - done +
                          tuner.getLog().getNumCounted());
    unfinished = limit == options.trials - done ? next : std::nullopt;
    llvm::Expected<unsigned> measured = tuner.step(limit);
    if (!measured) {
      llvm::Error error = measured.takeError();
      std::optional<std::string> reason = takeReasonToGuess(error);
      if (!reason && !tuner.isUnmeasurable())
        return error;
      if (!reason) {
        finish(*next, StopReason::Unmeasurable);
        ends[*next].message = llvm::toString(std::move(error));
        continue;
      }
      reporter.warn(llvm::Twine(tuner.getTask().name) + ": " + *reason +
                    (std::isfinite(tuner.getLog().getBestSeconds())
                         ? "; the best of the records is used"
                         : "; what the model thinks best is used"));
      finish(*next, StopReason::NoReference);
      continue;
    }
    newTrials += *measured;
    if (*measured == 0 && !stopped())
      finish(*next,
             tuner.isOnPlateau() ? StopReason::Plateau : StopReason::Exhausted);
  }
  return llvm::Error::success();
}

llvm::Error Tuner::confirm(llvm::ArrayRef<std::unique_ptr<TaskTuner>> tuners,
                           std::vector<End> &ends) {
  for (auto [i, tuner, end] : llvm::enumerate(tuners, ends)) {
    if (end.reason == StopReason::Unmeasurable ||
        end.reason == StopReason::NoReference)
      continue;
    // With a budget, what is left of it is shared.
    const double left = std::max(options.timeBudgetS - clock.elapsed(), 0.0);
    llvm::Error error =
        tuner->confirm(options.timeBudgetS > 0 ? left / (tuners.size() - i)
                                               : TaskTuner::kComparisonS);
    if (!error)
      continue;
    // The records know a best all the same.
    if (std::optional<std::string> reason = takeReasonToGuess(error)) {
      end.reason = stopped() ? StopReason::Stopped : StopReason::NoReference;
      if (!stopped())
        reporter.warn(llvm::Twine(tuner->getTask().name) + ": " + *reason +
                      "; the best of the records is used");
      continue;
    }
    if (!tuner->isUnmeasurable())
      return error;
    end.reason = StopReason::Unmeasurable;
    end.message = llvm::toString(std::move(error));
  }
  return llvm::Error::success();
}

/// What a user asked for, or the space had, ended the search.
static llvm::StringRef describeEnd(StopReason reason) {
  switch (reason) {
  case StopReason::TimeBudget:
    return "ended by the time budget";
  case StopReason::EarlyStop:
    return "ended by early-stopping";
  case StopReason::Plateau:
    return "ended by plateau";
  case StopReason::Exhausted:
    return "no other candidate is left";
  default:
    return "";
  }
}

TuningResult Tuner::conclude(const TaskTuner &tuner, const End &end) const {
  const auto &[reason, message] = end;
  const SearchTask &task = tuner.getTask();
  const TrialLog &log = tuner.getLog();
  TuningStatus status = tuner.getStatus();
  TuningResult result;
  result.task = task.name;
  result.trials = status.trials;
  result.trialsFromRecords = status.trialsFromRecords;
  result.defaultSeconds = status.defaultSeconds;
  result.failures = status.failures;
  result.reason = reason;
  result.times = tuner.getTimes();

  std::vector<unsigned> ranking = log.getRanking();
  if (log.prefersUnscheduled()) {
    result.isLeftUnscheduled = true;
    result.seconds = log.getUnscheduledSeconds();
    result.measured = true;
  } else if (!ranking.empty()) {
    const Trial &best = log.getTrials()[ranking.front()];
    result.best = best.candidate;
    result.seconds = best.getSeconds();
    result.measured = true;
  } else if ((log.size() == 0 || reason == StopReason::BuiltOnly) &&
             reason != StopReason::Unmeasurable) {
    double start = clock.elapsed();
    result.best = tuner.guess();
    result.times.searchS += clock.elapsed() - start;
  }
  result.times.totalS = clock.elapsed();
  if (reason == StopReason::Stopped)
    reporter.warn(llvm::Twine(task.name) + ": interrupted after " +
                  llvm::Twine(status.trials) + " of " +
                  llvm::Twine(options.trials) + " trials; " +
                  (result.measured
                       ? "the best so far is used: " +
                             ProgressReporter::formatSeconds(result.seconds)
                       : "what the model thinks best is used"));
  if (reason == StopReason::Unmeasurable) {
    result.diagnosis = message;
    if (!result.measured)
      return result;
    reporter.warn(llvm::Twine(task.name) + ": " + message +
                  "; the best of the records is used");
  }
  status.end = describeEnd(reason);
  if (tuner.getBuilt().size() != 0) {
    status.numBuilt = tuner.getBuilt().size();
    status.failures = result.failures = tuner.getBuilt().countBuildFailures();
  }
  reporter.summarize(status, result.times);
  if (result.measured && 2 * (log.size() - ranking.size()) > log.size())
    reporter.warn(llvm::Twine(task.name) + ": " +
                  llvm::Twine(log.size() - ranking.size()) + " of " +
                  llvm::Twine(log.size()) + " candidates failed" +
                  ProgressReporter::formatFailures(status.failures) +
                  "; most often " + log.describeCommonFailure());

  if (result.best || result.isLeftUnscheduled)
    return result;
  const TrialLog &tried = tuner.getBuilt().size() != 0 ? tuner.getBuilt() : log;
  if (tried.size() == 0)
    result.diagnosis = task.name +
                       ": found no legal schedule, not even the default; the "
                       "sketches' requirements exclude one another for this "
                       "payload and target (" +
                       task.targetKey + ")";
  else
    result.diagnosis = task.name + ": all " + std::to_string(tried.size()) +
                       " candidates failed, so there is no schedule to "
                       "return. Failures by kind, with the first message of "
                       "each:" +
                       tried.describeFailures();
  return result;
}

llvm::Expected<std::vector<Record>> Tuner::loadRecords(RecordFile *file) const {
  if (!file)
    return std::vector<Record>();
  llvm::Expected<LoadedRecords> loaded =
      file->load([&](const llvm::Twine &text) { reporter.warn(text); });
  if (!loaded)
    return loaded.takeError();
  return std::move(loaded->records);
}

llvm::Expected<std::vector<std::vector<Candidate>>>
Tuner::findReplayed(llvm::ArrayRef<Job> jobs, llvm::ArrayRef<Record> records,
                    SearchLog &searchLog) const {
  std::vector<std::vector<Candidate>> replayed(jobs.size());
  if (options.strategy != StrategyKind::Replay)
    return replayed;
  std::vector<Record> others;
  llvm::StringSet<> own;
  if (!options.replayPath.empty()) {
    llvm::Expected<LoadedRecords> loaded =
        RecordFile::loadPath(options.replayPath, [&](const llvm::Twine &text) {
          reporter.warn(text);
        });
    if (!loaded)
      return loaded.takeError();
    others = std::move(loaded->records);
    records = others;
  } else {
    for (const Job &job : jobs)
      own.insert(job.task->workloadHash);
  }
  for (auto [job, given] : llvm::zip_equal(jobs, replayed)) {
    std::vector<RejectedTrace> rejected;
    given = findRecordedTraces(*job.task, records, own, &rejected);
    searchLog.addRejected(*job.task, rejected);
    if (given.empty())
      reporter.warn(llvm::Twine(job.task->name) +
                    ": no record of another shape or target has a trace for "
                    "it; there is only the default schedule to replay");
  }
  return replayed;
}

llvm::Expected<std::vector<TuningResult>>
Tuner::tuneAll(llvm::ArrayRef<Job> jobs, RecordFile *file) {
  llvm::Expected<std::vector<Record>> records = loadRecords(file);
  if (!records)
    return records.takeError();
  SearchLog searchLog(options.logLevel, options.searchLogPath, reporter);
  llvm::Expected<std::vector<std::vector<Candidate>>> replayed =
      findReplayed(jobs, *records, searchLog);
  if (!replayed)
    return replayed.takeError();

  std::vector<std::unique_ptr<TaskTuner>> tuners;
  for (auto [job, given] : llvm::zip_equal(jobs, *replayed)) {
    const CostModel &draft = job.draft ? *job.draft : *job.model;
    EvolutionOptions evolution = options.evolution;
    // Where nothing is measured, nothing is learned of them.
    if (options.buildOnly)
      evolution.randomShare = 0;
    std::unique_ptr<SearchStrategy> strategy = makeStrategy(
        options.strategy, {job.task->space, draft, *job.model, options.seed,
                           std::move(evolution), std::move(given)});
    tuners.push_back(std::make_unique<TaskTuner>(
        *job.task, options, std::move(strategy), *job.model, *job.measurer,
        file, reporter, searchLog, clock));
    tuners.back()->replay(*records);
  }

  std::vector<End> ends(jobs.size());
  if (options.trials > 0 && options.buildOnly) {
    for (auto [tuner, end] : llvm::zip_equal(tuners, ends)) {
      end.reason = stopped() ? StopReason::Stopped : StopReason::BuiltOnly;
      if (!stopped() && std::isinf(tuner->getLog().getBestSeconds()))
        if (llvm::Error error =
                tuner->rankBuilt(std::min(options.trials, options.batch)))
          return std::move(error);
    }
  } else if (options.trials > 0) {
    if (llvm::Error error = search(tuners, ends))
      return std::move(error);
    if (llvm::Error error = confirm(tuners, ends))
      return std::move(error);
  }

  std::vector<TuningResult> results;
  for (auto [tuner, end] : llvm::zip_equal(tuners, ends))
    results.push_back(conclude(*tuner, end));
  return results;
}
