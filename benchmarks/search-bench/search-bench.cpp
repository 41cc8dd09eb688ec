//===- search-bench.cpp - The search alone, without a measurement ---------===//
//
//   search-bench [--json] [--target=SPEC] [--for-threads=N] [--seeds=N]
//                [--records=FILE] PAYLOAD.mlir...
//
// Without records: what a proposal of 16 candidates costs for each task of the
// payloads, in processor seconds: the first, with the score that the best of it
// has by the analytic model, with descents for seeds and without; and one after
// 64 trials, with the learning. Unconverted payloads: tasks are
// cut as they are, convolutions stay in their direct form.
//
// With records (of a tuning of these payloads for this target): judges
// strategies offline. The measured latencies, and between them the analytic
// model corrected by all of them (Calibration.h), stand for the machine, with
// 2 % of noise that is the same for all. Printed is the best latency after
// 16, 32 and 64 trials over the best that is known, as a geometric mean over
// tasks and seeds. It says which search finds what the analytic model and the
// measurements know of; what neither knows it cannot tell.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/CostModelFactory.h"
#include "SchedOpt/Database/RecordFile.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Search/Calibration.h"
#include "SchedOpt/Search/CandidatePool.h"
#include "SchedOpt/Search/RandomSearch.h"
#include "SchedOpt/Search/StrategyKind.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Tuning/SearchLog.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <ctime>

using namespace mlir;
using namespace sched;

namespace {

llvm::cl::list<std::string> payloads(llvm::cl::Positional,
                                     llvm::cl::desc("PAYLOAD.mlir..."),
                                     llvm::cl::OneOrMore);
llvm::cl::opt<bool> isJSON("json", llvm::cl::desc("One JSON object"));
llvm::cl::opt<std::string> targetSpec("target", llvm::cl::init("native"),
                                      llvm::cl::desc("As for sched-opt"));
llvm::cl::opt<int> threads("for-threads", llvm::cl::init(1),
                           llvm::cl::desc("Threads of a schedule"));
llvm::cl::opt<unsigned> seeds("seeds", llvm::cl::init(5),
                              llvm::cl::desc("Seeds of each configuration"));
llvm::cl::opt<std::string> recordsPath("records",
                                       llvm::cl::desc("records.jsonl"));

constexpr unsigned kBatch = 16, kTrials = 64;

double getProcessorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// The analytic model's log score of a legal candidate.
double scoreOf(const SearchSpace &space, const CostModel &model,
               const Candidate &candidate) {
  Evaluation evaluation;
  space.getSketch(candidate.sketch).evaluate(candidate.choices, evaluation);
  FeatureBatch batch(std::vector<FeatureVector>{evaluation.features});
  double score = 0;
  model.predict(batch, llvm::MutableArrayRef<double>(score));
  return std::log(score);
}

/// A task's latencies by records, the model and noise.
class Machine {
public:
  Machine(const SearchSpace &space, const CostModel &model,
          const History &measured)
      : space(space), model(model) {
    std::vector<double> scores;
    for (const Measurement &entry : measured.getMeasurements()) {
      scores.push_back(scoreOf(space, model, entry.candidate));
      if (!entry.failed())
        offsets.push_back(-std::log(entry.seconds) - scores.back());
      latencies[entry.candidate.hash()] = entry.seconds;
    }
    llvm::sort(offsets);
    calibration.emplace(space, measured, scores);
  }

  double measure(const Candidate &candidate) const {
    auto known = latencies.find(candidate.hash());
    if (known != latencies.end())
      return known->second;
    const double score = scoreOf(space, model, candidate) +
                         calibration->correction(candidate) +
                         offsets[offsets.size() / 2];
    Rng noise(candidate.hash());
    return std::exp(-score + 0.02 * (2 * noise.uniform() - 1));
  }

private:
  const SearchSpace &space;
  const CostModel &model;
  std::vector<double> offsets;
  llvm::DenseMap<uint64_t, double> latencies;
  std::optional<Calibration> calibration;
};

struct Configuration {
  std::string name;
  /// As for sched-opt's cost-model.
  std::string model = "analytic";
  StrategyKind strategy = StrategyKind::Evolutionary;
  EvolutionOptions options;
};

std::vector<Configuration> listConfigurations() {
  std::vector<Configuration> list;
  auto add = [&](std::string name) -> Configuration & {
    list.emplace_back().name = std::move(name);
    return list.back();
  };
  add("analytic");
  add("xgboost").model = "xgboost";
  add("ensemble").model = "ensemble";
  add("random model").model = "random";
  add("random search").strategy = StrategyKind::Random;
  add("without descents").options.descents = 0;
  add("without neighbours").options.localShare = 0;
  add("without calibration").options.calibrate = false;
  return list;
}

/// As TaskTuner does it.
llvm::Error teach(CostModel &model, const SearchSpace &space,
                  llvm::ArrayRef<Measurement> measured) {
  FeatureBatch batch;
  std::vector<double> seconds;
  Evaluation evaluation;
  for (const Measurement &entry : measured) {
    const SketchView &sketch = space.getSketch(entry.candidate.sketch);
    sketch.evaluate(entry.candidate.choices, evaluation);
    if (model.readsBlocks())
      sketch.describeBlocks(entry.candidate.choices, batch.getRows());
    batch.add(evaluation.features);
    seconds.push_back(entry.seconds);
  }
  return model.update(batch, seconds, "task");
}

/// Best latency after 16, 32, ... trials.
llvm::Expected<std::vector<double>> tune(const SearchSpace &space,
                                         const Machine &machine,
                                         const SearchStrategy &strategy,
                                         CostModel &model) {
  History history;
  std::vector<double> best;
  double least = Measurement::kFailed;
  while (history.size() < kTrials) {
    const size_t before = history.size();
    for (const Candidate &candidate : strategy.propose(kBatch, history)) {
      const double seconds = machine.measure(candidate);
      history.add(candidate, seconds);
      least = std::min(least, seconds);
    }
    best.push_back(least);
    if (history.size() < kBatch * best.size())
      break;
    if (llvm::Error error =
            teach(model, space, history.getMeasurements().drop_front(before)))
      return std::move(error);
  }
  best.resize(kTrials / kBatch, least);
  return best;
}

/// How well models rank the second half of a task's trials when they know the
/// first: means over the tasks, by the model's name.
class HeldOut {
public:
  llvm::Error add(const SearchTask &task, const Target &target,
                  const History &measured) {
    const size_t half = measured.size() / 2;
    const History known = measured.prefix(half);
    llvm::ArrayRef<Measurement> rest =
        measured.getMeasurements().drop_front(half);
    std::map<std::string, std::vector<double>> scores;
    for (const char *name : {"analytic", "xgboost", "ensemble"})
      for (bool isCalibrated : {false, true}) {
        auto model = createCostModel(name, target, /*seed=*/0,
                                     [](const llvm::Twine &) {});
        if (!model)
          return model.takeError();
        if (llvm::Error error =
                teach(**model, task.space, known.getMeasurements()))
          return error;
        CandidatePool pool(task.space, **model);
        if (isCalibrated)
          pool.calibrate(known);
        std::vector<double> &own =
            scores[std::string(name) + (isCalibrated ? ", calibrated" : "")];
        for (const Measurement &entry : rest) {
          const unsigned member = pool.insert(entry.candidate).first;
          pool.score();
          own.push_back(pool.getScore(member));
        }
      }
    std::vector<double> &mean = scores["mean of both calibrated"];
    for (auto [a, b] : llvm::zip(scores["analytic, calibrated"],
                                 scores["ensemble, calibrated"]))
      mean.push_back((a + b) / 2);
    std::vector<double> speeds;
    for (const Measurement &entry : rest)
      speeds.push_back(entry.failed() ? 0 : 1 / entry.seconds);
    for (const auto &[name, own] : scores)
      if (std::optional<double> correlation = correlateRanks(own, speeds)) {
        sums[name].first += *correlation;
        ++sums[name].second;
      }
    return llvm::Error::success();
  }

  void print() const {
    llvm::outs() << "rank correlation on the second half of the trials:\n";
    for (const auto &[name, sum] : sums)
      llvm::outs() << llvm::format("%-26s %6.3f\n", name.c_str(),
                                   sum.first / sum.second);
  }
  llvm::json::Object toJSON() const {
    llvm::json::Object object;
    for (const auto &[name, sum] : sums)
      object[name] = sum.first / sum.second;
    return object;
  }

private:
  std::map<std::string, std::pair<double, unsigned>> sums;
};

struct Report {
  HeldOut heldOut;
  /// Configuration -> sums of logarithms of ratios, by batch.
  std::map<std::string, std::vector<double>> sums;
  unsigned count = 0;
  llvm::json::Object costs;
};

llvm::Error judge(const SearchTask &task, const Target &target,
                  llvm::ArrayRef<Record> records, Report &report) {
  const AnalyticModel analytic(target);
  History measured;
  for (const Record &record : records)
    if (record.workload == task.workloadHash && record.trial >= 0)
      if (std::optional<Candidate> candidate =
              task.parseTrace(record.sketch, record.trace))
        if (task.space.isLegal(*candidate))
          measured.add(*candidate, record.succeeded() ? record.medianS()
                                                      : Measurement::kFailed);
  if (measured.getFastest(16).size() < 16)
    return llvm::Error::success();
  if (llvm::Error error = report.heldOut.add(task, target, measured))
    return error;
  if (seeds == 0) {
    ++report.count;
    return llvm::Error::success();
  }
  const Machine machine(task.space, analytic, measured);
  std::map<std::string, std::vector<std::vector<double>>> results;
  double least = Measurement::kFailed;
  for (const Configuration &configuration : listConfigurations())
    for (unsigned seed = 0; seed != seeds; ++seed) {
      auto model = createCostModel(configuration.model, target, seed,
                                   [](const llvm::Twine &) {});
      if (!model)
        return model.takeError();
      const bool isLearned = (*model)->readsBlocks();
      std::unique_ptr<SearchStrategy> strategy = makeStrategy(
          configuration.strategy,
          {task.space,
           isLearned ? static_cast<const CostModel &>(analytic) : **model,
           **model, seed, configuration.options});
      auto best = tune(task.space, machine, *strategy, **model);
      if (!best)
        return best.takeError();
      least = std::min(least, best->back());
      results[configuration.name].push_back(std::move(*best));
    }
  for (const auto &[name, runs] : results) {
    std::vector<double> &sums = report.sums[name];
    sums.resize(kTrials / kBatch);
    for (const std::vector<double> &run : runs)
      for (size_t i = 0, e = sums.size(); i != e; ++i)
        sums[i] += std::log(run[i] / least) / seeds;
  }
  ++report.count;
  return llvm::Error::success();
}

void timeProposals(const SearchTask &task, const AnalyticModel &model,
                   Report &report) {
  llvm::json::Object costs;
  for (unsigned descents : {EvolutionOptions().descents, 0u}) {
    EvolutionOptions options;
    options.descents = descents;
    double seconds = 0, best = 0, mean = 0;
    unsigned drafted = 0;
    std::vector<GenerationReport> generations;
    for (unsigned seed = 0; seed != seeds; ++seed) {
      ProposalReport proposal;
      const double begin = getProcessorSeconds();
      EvolutionarySearch(task.space, model, seed, options)
          .propose(kBatch, History(), &proposal);
      seconds += (getProcessorSeconds() - begin) / seeds;
      drafted = std::max(drafted, proposal.drafted);
      generations = proposal.generations;
      double top = -1e9, sum = 0;
      for (const PickReport &pick : proposal.batch) {
        const double score = scoreOf(task.space, model, pick.candidate);
        top = std::max(top, score);
        sum += score / proposal.batch.size();
      }
      best += top / seeds;
      mean += sum / seeds;
    }
    if (isJSON) {
      costs[descents ? "with_descents" : "without_descents"] =
          llvm::json::Object{{"processor_s", seconds},
                             {"candidates", drafted},
                             {"best_log_score", best},
                             {"mean_log_score", mean}};
      continue;
    }
    llvm::outs() << llvm::format(
        "  %s descents: %.3f s for %u candidates; log score of the batch: "
        "best %.3f, mean %.3f; best by generation",
        descents ? "with" : "without", seconds, drafted, best, mean);
    for (const GenerationReport &generation : generations)
      llvm::outs() << llvm::format(" %.3f", generation.best);
    llvm::outs() << '\n';
  }
  if (isJSON)
    report.costs[task.name] = std::move(costs);
}

/// A round when 64 candidates have been measured, with what the model learns
/// from the last of them.
llvm::Error timeLaterRound(const SearchTask &task, const Target &target,
                           llvm::StringRef name, Report &report) {
  const AnalyticModel analytic(target);
  double seconds = 0;
  ProposalReport proposal;
  for (unsigned seed = 0; seed != seeds; ++seed) {
    History history;
    for (const Candidate &candidate :
         RandomSearch(task.space, seed).propose(kTrials, History()))
      history.add(candidate,
                  std::exp(Rng(candidate.hash()).uniform() -
                           scoreOf(task.space, analytic, candidate)));
    auto model =
        createCostModel(name, target, seed, [](const llvm::Twine &) {});
    if (!model)
      return model.takeError();
    if (llvm::Error error =
            teach(**model, task.space, history.getMeasurements()))
      return error;
    const bool isLearned = (*model)->readsBlocks();
    proposal = ProposalReport();
    const double begin = getProcessorSeconds();
    EvolutionarySearch(task.space,
                       isLearned ? static_cast<const CostModel &>(analytic)
                                 : **model,
                       **model, seed)
        .propose(kBatch, history, &proposal);
    seconds += (getProcessorSeconds() - begin) / seeds;
  }
  if (isJSON)
    report.costs[(task.name + ", " + name).str()] =
        llvm::json::Object{{"processor_s", seconds},
                           {"candidates", proposal.drafted},
                           {"ranked", proposal.ranked}};
  else
    llvm::outs() << llvm::format("  after 64 trials, %s: %.3f s, %u candidates"
                                 ", %u ranked\n",
                                 name.str().c_str(), seconds, proposal.drafted,
                                 proposal.ranked);
  return llvm::Error::success();
}

int fail(const llvm::Twine &text) {
  llvm::errs() << "search-bench: " << text << '\n';
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "The search without a measurement\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<schedule::ScheduleDialect>();
  registerLoopModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto target = Target::parse(targetSpec, threads);
  if (!target)
    return fail(llvm::toString(target.takeError()));
  std::vector<Record> records;
  if (!recordsPath.empty()) {
    auto loaded = RecordFile::loadPath(
        recordsPath, [](const llvm::Twine &text) { fail(text); });
    if (!loaded)
      return fail(llvm::toString(loaded.takeError()));
    records = std::move(loaded->records);
  }
  Report report;
  for (const std::string &payload : payloads) {
    auto module = parseSourceFile<ModuleOp>(payload, &context);
    if (!module)
      return 1;
    if (llvm::Error error = outlineTasks(*module))
      return fail(llvm::toString(std::move(error)));
    auto tasks = extractTasks(*module);
    if (!tasks)
      return fail(llvm::toString(tasks.takeError()));
    for (const Task &task : *tasks) {
      const Target own = task.getTarget(*target);
      auto space = TaskSpace::create(task, own);
      if (!space)
        return fail(llvm::toString(space.takeError()));
      if (!*space)
        continue;
      const SearchTask search = (*space)->makeSearchTask();
      const AnalyticModel model(own);
      if (!recordsPath.empty()) {
        if (llvm::Error error = judge(search, own, records, report))
          return fail(llvm::toString(std::move(error)));
        continue;
      }
      if (!isJSON)
        llvm::outs() << search.name << "\n";
      timeProposals(search, model, report);
      for (const char *name : {"analytic", "xgboost", "ensemble"})
        if (llvm::Error error = timeLaterRound(search, own, name, report))
          return fail(llvm::toString(std::move(error)));
    }
  }
  if (!recordsPath.empty() && report.count == 0)
    return fail(
        "the records have no task of these payloads with 16 good "
        "trials; give the payloads, --target and --for-threads that they "
        "were tuned with");
  llvm::json::Object judged;
  for (const auto &[name, sums] : report.sums) {
    llvm::json::Array row;
    std::string text;
    for (unsigned i : {0, 1, 3}) {
      const double ratio = std::exp(sums[i] / report.count);
      row.push_back(ratio);
      llvm::raw_string_ostream(text) << llvm::format(" %6.3f", ratio);
    }
    judged[name] = std::move(row);
    if (!isJSON)
      llvm::outs() << llvm::format("%-22s", name.c_str()) << text << '\n';
  }
  if (!isJSON && report.count)
    report.heldOut.print();
  if (isJSON)
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"tasks", int64_t(report.count)},
                        {"held_out_rank_correlation", report.heldOut.toJSON()},
                        {"judged", std::move(judged)},
                        {"proposals", std::move(report.costs)}})
                 << '\n';
  return 0;
}
