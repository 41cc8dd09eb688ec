//===- TaskTuner.cpp - The search for one task, step by step --------------===//

#include "SchedOpt/Tuning/TaskTuner.h"
#include "SchedOpt/Tuning/MeasuredRecord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

using namespace sched;

/// Turns of the contenders within the time of a comparison: a dozen are
/// screened to a percent, the finalists are told apart. A quiet machine does so
/// before the time is up that a busy one is given, to see more than one state
/// of it; long calls get the least number of turns.
static constexpr double kScreeningShare = 0.35;
static InterleavedRounds screenWithin(double seconds, double patienceS) {
  return {2, 11, kScreeningShare * seconds, 0.01, patienceS};
}
static InterleavedRounds compareWithin(double seconds, double patienceS) {
  return {3, 61, (1 - kScreeningShare) * seconds, 0.005, patienceS};
}

/// Seconds that each of the two waits for the machine, without a budget of
/// time: all contenders take turns, and yet what is fastest beside a busy
/// neighbour may not be so without it.
static constexpr double kPatienceS = 0.8;

/// Slower than the fastest trial by more than this, none is a contender, but
/// for as many as there are finalists: the fastest may have been lucky.
static constexpr double kContenderRatio = 1.15;

/// A best trial that takes more than this share of the unscheduled code's time
/// has to beat it in the final comparison: the two were measured apart, and
/// beside busy neighbours the same code may take 1.7 times as long.
static constexpr double kDoubtfulRatio = 0.6;

/// Batches that are measured before a plateau is believed in: what is expected
/// of the next one rests on them.
static constexpr unsigned kBatchesBeforePlateau = 2;

TaskTuner::TaskTuner(const SearchTask &task, const TuningOptions &options,
                     std::unique_ptr<SearchStrategy> strategy, CostModel &model,
                     CandidateMeasurer &measurer, RecordFile *file,
                     ProgressReporter &reporter, SearchLog &searchLog,
                     const Clock &clock)
    : task(task), options(options), model(model), measurer(measurer),
      file(file), reporter(reporter), searchLog(searchLog), clock(clock),
      strategy(std::move(strategy)) {
  assert(options.batch > 0 && "a batch has at least one candidate");
  assert(task.sketchHashes.size() == task.space.getNumSketches() &&
         "one hash a sketch");
}

/// Why the trace of `record` is no legal candidate; `candidate`: what it parses
/// to, if to anything.
static std::string explainRejection(const SearchTask &task,
                                    const Record &record,
                                    const std::optional<Candidate> &candidate) {
  if (!candidate || !task.space.contains(*candidate))
    return task.explainMisfit ? task.explainMisfit(record.sketch, record.trace)
                              : "it is of another space";
  const SketchView &sketch = task.space.getSketch(candidate->sketch);
  int failed = -1;
  sketch.isLegal(candidate->choices, &failed);
  return ("refused by the requirement that " + sketch.getReason(failed)).str();
}

void TaskTuner::replay(llvm::ArrayRef<Record> records) {
  unsigned elsewhere = 0;
  std::vector<RejectedTrace> rejected;
  for (const Record &record : records) {
    if (record.workload != task.workloadHash)
      continue;
    if (record.target != task.targetKey || record.toolchain != task.toolchain) {
      ++elsewhere;
      continue;
    }
    if (record.sketch == Record::kUnscheduledSketch) {
      log.addUnscheduled(record);
      continue;
    }
    std::optional<Candidate> candidate =
        task.parseTrace(record.sketch, record.trace);
    if (!candidate || !task.space.contains(*candidate) ||
        !task.space.isLegal(*candidate)) {
      rejected.push_back(
          {record.trace, explainRejection(task, record, candidate)});
      continue;
    }
    if (!record.isBuiltOnly())
      log.add(*candidate, record);
    else if (!options.expectsUsage || !record.error.empty() ||
             record.extra.get(Record::kKernelsKey))
      recordedBuilt.add(*candidate, record);
  }
  numReplayed = log.size();
  numCountedReplayed = log.getNumCounted();
  searchLog.addRejected(task, rejected);
  if (!rejected.empty())
    reporter.warn(llvm::Twine(task.name) + ": " + llvm::Twine(rejected.size()) +
                  " records are of sketches or decisions that this space does "
                  "not have; they are not used");
  if (elsewhere && log.size() == 0)
    reporter.warn(llvm::Twine(task.name) + ": " + llvm::Twine(elsewhere) +
                  " records are of another target or toolchain than " +
                  task.targetKey + ", " + task.toolchain +
                  "; they are not used");
  const double searchBefore = times.searchS;
  learn();
  if (numLearned != 0)
    replayS = times.searchS - searchBefore;
}

void TaskTuner::learn() {
  double start = clock.elapsed();
  while (log.size() - numLearned >= options.batch) {
    std::vector<Candidate> candidates;
    std::vector<double> seconds;
    for (const Trial &trial :
         log.getTrials().slice(numLearned, options.batch)) {
      candidates.push_back(trial.candidate);
      seconds.push_back(trial.disqualified ? Measurement::kFailed
                                           : trial.firstSeconds);
    }
    numLearned += options.batch;
    llvm::Error error =
        model.update(describeCandidates(task.space, model, candidates), seconds,
                     task.workloadHash);
    const std::string problem = llvm::toString(std::move(error));
    if (!problem.empty() && !std::exchange(warnedOfModel, true))
      reporter.warn(llvm::Twine(task.name) + ": the cost model " +
                    model.name() + " has not learned from a batch: " + problem +
                    "; the search goes on with what it knows");
  }
  times.searchS += clock.elapsed() - start;
}

std::vector<Candidate> TaskTuner::propose(unsigned limit) {
  double start = clock.elapsed();
  size_t done = log.size();
  size_t batchStart = done / options.batch * options.batch;
  proposal = ProposalReport();
  std::vector<Candidate> proposed =
      strategy->propose(options.batch, log.makeHistory(batchStart), &proposal);
  llvm::erase_if(proposed,
                 [&](const Candidate &c) { return log.find(c) != nullptr; });
  limit = std::min<size_t>(limit, batchStart + options.batch - done);
  // Nothing left of the batch: its trials are another run's. Go on from here.
  if (proposed.empty() && done != batchStart) {
    proposal = ProposalReport();
    proposed = strategy->propose(limit, log.makeHistory(done), &proposal);
  }
  if (proposed.size() > limit)
    proposed.resize(limit);
  times.searchS += clock.elapsed() - start;
  return proposed;
}

llvm::Expected<unsigned> TaskTuner::step(unsigned limit) {
  if (!std::exchange(announced, true))
    searchLog.begin(task);
  std::vector<Candidate> candidates = propose(limit);
  if (candidates.empty() || stopped())
    return 0u;
  onPlateau =
      options.plateau > 0 &&
      log.getNumCounted() >= kBatchesBeforePlateau * size_t(options.batch) &&
      std::expm1(proposal.expectedGain) < options.plateau;
  if (onPlateau)
    return 0u;
  const size_t before = log.size();
  const PhaseTimes timesBefore = times;
  const double start = clock.elapsed();
  // Now, as the model must not know what will come of them.
  forecast = searchLog.isWritten()
                 ? Forecast::make(task.space, model, candidates)
                 : Forecast();
  forecastS = clock.elapsed() - start;
  times.searchS += forecastS;
  llvm::Expected<unsigned> measured = measure(candidates);
  if (!measured)
    return measured.takeError();
  const double searchBefore = times.searchS;
  learn();
  writeLog(before, timesBefore, times.searchS - searchBefore);
  reporter.finishBatch(getStatus());
  return measured;
}

void TaskTuner::writeLog(size_t before, const PhaseTimes &timesBefore,
                         double learnS) {
  SearchRound round{task,
                    unsigned(before),
                    unsigned(log.size()),
                    unsigned(before / options.batch),
                    proposal,
                    built.size() != 0 ? built : log,
                    judge(forecast, log),
                    built.size() != 0};
  round.buildS = times.buildS - timesBefore.buildS;
  round.checkS = times.checkS - timesBefore.checkS;
  round.measureS = times.measureS - timesBefore.measureS;
  round.learnS = learnS;
  round.replayS = std::exchange(replayS, 0);
  round.forecastS = std::exchange(forecastS, 0);
  searchLog.add(round);
}

/// Whether the machine code of a trial without a good record is at fault, and
/// not how busy the machine was. It may also have run out of memory, for which
/// the system kills processes.
static bool failsAlways(const Trial &trial) {
  if (trial.error == failure::kCrash)
    return !llvm::StringRef(trial.message).starts_with("SIGKILL");
  return trial.error == failure::kWrongResult ||
         trial.error == failure::kOutOfBounds;
}

llvm::Error TaskTuner::prepareOnce() {
  if (prepared)
    return llvm::Error::success();
  double best = log.getBestSeconds();
  if (llvm::Error error = measurer.prepare(std::isfinite(best) ? best : 0)) {
    unmeasurable = true;
    return error;
  }
  prepared = true;
  // What became the same machine code in an earlier run is not run again.
  for (const Trial &trial : log.getTrials()) {
    // What was good first and failed later is run again.
    const bool isGood = !trial.firstCosts.empty();
    if (trial.object.empty() || (isGood && trial.disqualified) ||
        (!isGood && !failsAlways(trial)))
      continue;
    MeasureResult known;
    known.objectHash = trial.object;
    if (isGood) {
      known.costsS = trial.firstCosts;
      known.verified = true;
    } else {
      known.error = trial.error;
      known.stage = trial.stage;
      known.message = trial.message;
    }
    measurer.recall(known);
  }
  return llvm::Error::success();
}

Record TaskTuner::makeRecord(const Candidate *candidate,
                             const MeasureResult &result, int64_t trial) const {
  Record record = makeMeasuredRecord(result);
  record.workload = task.workloadHash;
  record.workloadText = task.workloadText;
  record.target = task.targetKey;
  record.toolchain = task.toolchain;
  record.sketch = candidate ? task.sketchHashes[candidate->sketch]
                            : Record::kUnscheduledSketch;
  if (candidate)
    record.trace = task.makeTrace(*candidate);
  record.seed = options.seed;
  record.trial = trial;
  if (!result.objectHash.empty())
    record.extra[Record::kObjectKey] = result.objectHash;
  return record;
}

llvm::Expected<unsigned>
TaskTuner::measure(llvm::ArrayRef<Candidate> candidates,
                   const Comparison *comparison) {
  statsBefore = measurer.getStats();
  // Whatever comes of it, the time that it took is this task's.
  llvm::scope_exit finishTimes([&] {
    times = getTimesNow();
    statsBefore = std::nullopt;
  });
  if (llvm::Error error = prepareOnce())
    return std::move(error);
  std::vector<std::string> scripts;
  // Positions of the scripts among the candidates, and what became of the rest.
  std::vector<unsigned> positions;
  std::map<unsigned, MeasureResult> failed;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    llvm::Expected<std::string> script = task.makeScript(candidate);
    if (script) {
      scripts.push_back(std::move(*script));
      positions.push_back(i);
      continue;
    }
    MeasureResult &result = failed[i];
    result.error = failure::kBuildError;
    result.stage = stage::kInstantiate;
    result.message = llvm::toString(script.takeError());
  }

  if (comparison && comparison->withUnscheduled) {
    scripts.push_back("");
    positions.push_back(candidates.size());
  }

  unsigned measured = 0;
  llvm::Error failure = llvm::Error::success();
  auto keep = [&](unsigned position, const MeasureResult &result) {
    const Candidate *candidate =
        position < candidates.size() ? &candidates[position] : nullptr;
    int64_t trial = comparison ? Record::numberStage(comparison->stage)
                               : int64_t(log.size());
    Record record = makeRecord(candidate, result, trial);
    if (comparison)
      record.extra[Record::kComparisonKey] = comparison->began;
    if (file)
      failure = llvm::joinErrors(std::move(failure), file->append(record));
    if (candidate)
      log.add(*candidate, record);
    else
      log.addUnscheduled(record);
    ++measured;
    reporter.update(getStatus());
  };
  // Trials are numbered in the order of the candidates.
  auto keepFailedBefore = [&](unsigned position) {
    while (!failed.empty() && failed.begin()->first < position) {
      keep(failed.begin()->first, failed.begin()->second);
      failed.erase(failed.begin());
    }
  };
  auto sink = [&](unsigned index, const MeasureResult &result) {
    keepFailedBefore(positions[index]);
    keep(positions[index], result);
  };
  llvm::Error error = llvm::Error::success();
  if (!scripts.empty())
    error = llvm::joinErrors(std::move(error),
                             comparison ? measurer.measureInterleaved(
                                              scripts, comparison->rounds, sink)
                                        : measurer.measure(scripts, sink));
  // What a stop cut off is for the next run, in the same order.
  if (!stopped())
    keepFailedBefore(candidates.size());

  if (llvm::Error all = llvm::joinErrors(std::move(error), std::move(failure)))
    return std::move(all);
  return measured;
}

PhaseTimes TaskTuner::getTimesNow() const {
  PhaseTimes now = times;
  if (!statsBefore)
    return now;
  MeasureStats after = measurer.getStats();
  now.buildS += after.buildS - statsBefore->buildS;
  now.checkS += after.checkS - statsBefore->checkS;
  now.measureS += after.measureS - statsBefore->measureS;
  return now;
}

bool TaskTuner::isAmong(unsigned trial, llvm::ArrayRef<unsigned> others) const {
  llvm::ArrayRef<Trial> trials = log.getTrials();
  return llvm::any_of(others, [&](unsigned other) {
    return other == trial || (!trials[trial].object.empty() &&
                              trials[trial].object == trials[other].object);
  });
}

std::optional<unsigned> TaskTuner::findDefault() const {
  const std::optional<Candidate> candidate = task.getDefault();
  const Trial *trial = candidate ? log.find(*candidate) : nullptr;
  if (!trial || !trial->valid())
    return std::nullopt;
  return trial - log.getTrials().begin();
}

unsigned TaskTuner::limitContenders() const {
  // By the trials alone: what a comparison finds must not change who takes part
  // in it, or one that was cut off would begin anew.
  double shortest = std::numeric_limits<double>::infinity();
  for (const Trial &trial : log.getTrials())
    if (trial.valid())
      shortest = std::min(shortest, trial.firstSeconds);
  const InterleavedRounds rounds = screenWithin(kComparisonS, /*patienceS=*/0);
  return std::clamp(rounds.seconds / std::max(shortest * rounds.least, 1e-9),
                    double(std::min(options.finalists, options.contenders)),
                    double(options.contenders));
}

llvm::SmallVector<unsigned> TaskTuner::selectContenders(unsigned most) const {
  llvm::ArrayRef<Trial> trials = log.getTrials();
  std::vector<unsigned> ranking = log.getRankingByTrials();
  llvm::SmallVector<unsigned> contenders;
  for (unsigned i : ranking) {
    if (contenders.size() == most ||
        (contenders.size() >= options.finalists &&
         trials[i].firstSeconds >
             kContenderRatio * trials[ranking[0]].firstSeconds))
      break;
    // Equal code need not compete with itself.
    if (!isAmong(i, contenders))
      contenders.push_back(i);
  }
  // Whoever is ahead by now takes part again.
  if (!contenders.empty() && !isAmong(log.getRanking().front(), contenders))
    contenders.push_back(log.getRanking().front());
  // So that what is said of the default was measured beside it, even where
  // there is no time for the final comparison.
  if (std::optional<unsigned> index = findDefault();
      !contenders.empty() && index && !isAmong(*index, contenders))
    contenders.push_back(*index);
  return contenders;
}

llvm::SmallVector<unsigned>
TaskTuner::selectFinalists(llvm::ArrayRef<unsigned> contenders) const {
  llvm::SmallVector<unsigned> finalists;
  for (unsigned i : log.getRanking())
    if (finalists.size() != options.finalists &&
        llvm::is_contained(contenders, i))
      finalists.push_back(i);
  // The default shows what the search was good for.
  if (std::optional<unsigned> index = findDefault();
      index && !isAmong(*index, finalists))
    finalists.push_back(*index);
  return finalists;
}

llvm::Expected<bool> TaskTuner::compare(llvm::ArrayRef<unsigned> contenders,
                                        const Comparison &comparison) {
  std::vector<Candidate> candidates;
  for (unsigned i : contenders)
    candidates.push_back(log.getTrials()[i].candidate);
  reporter.announce(getStatus(), "compares the fastest");
  llvm::Expected<unsigned> measured = measure(candidates, &comparison);
  if (!measured)
    return measured.takeError();
  return *measured != 0 && !stopped();
}

llvm::Error TaskTuner::confirm(double seconds) {
  if (options.contenders == 0 || stopped())
    return llvm::Error::success();
  seconds = std::min(seconds, kComparisonS);
  const double patienceS = options.timeBudgetS > 0 ? 0 : kPatienceS;
  // Where calls are so long that no more than finalists would fit, their trials
  // have told them apart already.
  const unsigned most = limitContenders();
  const bool isScreened = most > options.finalists;
  llvm::SmallVector<unsigned> contenders = selectContenders(most);
  if (contenders.empty())
    return llvm::Error::success();
  // What a stop or a kill cut off is made up for; a contender that failed had
  // its chance.
  const int64_t last = log.getLastComparison();
  const bool wasScreened = llvm::all_of(contenders, [&](unsigned i) {
    return last != 0 && log.getTrials()[i].standing.comparison == last;
  });
  if (wasScreened && log.getLastStage() == ComparisonStage::Final)
    return llvm::Error::success();

  using namespace std::chrono;
  const int64_t now =
      duration_cast<milliseconds>(system_clock::now().time_since_epoch())
          .count();
  const int64_t began = wasScreened ? last : std::max(now, last + 1);
  if (isScreened && contenders.size() > options.finalists && !wasScreened) {
    llvm::Expected<bool> goOn =
        compare(contenders, {began, ComparisonStage::Screening,
                             screenWithin(seconds, patienceS)});
    if (!goOn || !*goOn)
      return goOn.takeError();
  }
  llvm::SmallVector<unsigned> finalists =
      isScreened ? selectFinalists(contenders) : contenders;
  if (llvm::Error error = prepareOnce())
    return error;
  const double unscheduledS = measurer.getReferenceSeconds();
  const bool isDoubtful =
      unscheduledS > 0 && log.getBestSeconds() > kDoubtfulRatio * unscheduledS;
  if (finalists.size() + isDoubtful < 2)
    return llvm::Error::success();
  return compare(finalists, {began, ComparisonStage::Final,
                             compareWithin(seconds, patienceS), isDoubtful})
      .takeError();
}

/// The one of `built` without an error that `model` likes best, the first of
/// equals.
static std::optional<Candidate> findBestBuilt(const SearchSpace &space,
                                              const CostModel &model,
                                              const TrialLog &built) {
  std::vector<Candidate> good;
  for (const Trial &trial : built.getTrials())
    if (trial.error.empty())
      good.push_back(trial.candidate);
  if (good.empty())
    return std::nullopt;
  std::vector<double> scores(good.size());
  model.predict(describeCandidates(space, model, good), scores);
  return good[std::max_element(scores.begin(), scores.end()) - scores.begin()];
}

llvm::Error TaskTuner::rankBuilt(unsigned limit) {
  if (!std::exchange(announced, true))
    searchLog.begin(task);
  double start = clock.elapsed();
  proposal = ProposalReport();
  std::vector<Candidate> candidates;
  // A batch is also there to learn from; the model's favourite need not be in
  // it.
  const std::optional<Candidate> favourite = strategy->guess();
  if (favourite)
    candidates.push_back(*favourite);
  for (const Candidate &candidate :
       strategy->propose(limit, History(), &proposal))
    if (candidates.size() < limit && !llvm::is_contained(candidates, candidate))
      candidates.push_back(candidate);
  built = std::move(recordedBuilt);
  llvm::erase_if(candidates,
                 [&](const Candidate &c) { return built.find(c) != nullptr; });
  times.searchS += clock.elapsed() - start;

  const PhaseTimes timesBefore = times;
  llvm::Error error = build(candidates);
  const Trial *first = favourite ? built.find(*favourite) : nullptr;
  bestBuilt = first && first->error.empty()
                  ? favourite
                  : findBestBuilt(task.space, model, built);
  if (!error && !candidates.empty())
    writeLog(log.size(), timesBefore, /*learnS=*/0);
  return error;
}

llvm::Error TaskTuner::build(llvm::ArrayRef<Candidate> candidates) {
  if (candidates.empty())
    return llvm::Error::success();
  statsBefore = measurer.getStats();
  llvm::scope_exit finishTimes([&] {
    times = getTimesNow();
    statsBefore = std::nullopt;
  });
  std::vector<std::string> scripts;
  std::vector<unsigned> positions;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    llvm::Expected<std::string> script = task.makeScript(candidate);
    if (!script) {
      llvm::consumeError(script.takeError());
      continue;
    }
    scripts.push_back(std::move(*script));
    positions.push_back(i);
  }
  llvm::Error failure = llvm::Error::success();
  llvm::Error error =
      measurer.build(scripts, [&](unsigned index, const MeasureResult &result) {
        const Candidate &candidate = candidates[positions[index]];
        Record record = makeRecord(&candidate, result, built.size());
        record.extra[Record::kBuiltKey] = result.error.empty();
        if (file)
          failure = llvm::joinErrors(std::move(failure), file->append(record));
        built.add(candidate, record);
      });
  return llvm::joinErrors(std::move(error), std::move(failure));
}

std::optional<Candidate> TaskTuner::guess() const {
  if (built.size() != 0)
    return bestBuilt;
  if (std::optional<Candidate> best = strategy->guess())
    return best;
  return task.getDefault();
}

TuningStatus TaskTuner::getStatus() const {
  TuningStatus status;
  status.task = task.name;
  status.trials = log.getNumCounted();
  status.duplicates = log.size() - status.trials;
  status.trialsFromRecords = numCountedReplayed;
  status.trialsWanted = std::max(trialsWanted, status.trials);
  status.bestSeconds = log.getBestSeconds();
  if (std::optional<Candidate> candidate = task.getDefault())
    if (const Trial *trial = log.find(*candidate))
      status.defaultSeconds = trial->getSeconds();
  if (log.prefersUnscheduled())
    status.unscheduledSeconds = log.getUnscheduledSeconds();
  status.flops = task.flops;
  status.failures = log.countFailures();
  status.times = getTimesNow();
  status.times.totalS = clock.elapsed();
  // The same turns say most of both.
  status.referenceSeconds = log.getUnscheduledSeconds();
  if (!std::isfinite(status.referenceSeconds))
    status.referenceSeconds = measurer.getReferenceSeconds();
  return status;
}
