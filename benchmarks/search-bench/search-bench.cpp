//===- search-bench.cpp - The search alone, without a measurement ---------===//
//
//   search-bench [--json] [--target=SPEC] [--for-threads=N] [--seeds=N]
//                [--records=FILE] PAYLOAD.mlir...
//
// Without records: what a proposal of 16 candidates costs for each task of the
// payloads, in processor seconds, and what score the best of it has by the
// model, with descents for seeds and without. Unconverted payloads: tasks are
// cut as they are, convolutions stay in their direct form.
//
// With records (of a tuning of these payloads for this target): judges
// strategies offline. The measured latencies, and between them the analytic
// model corrected by all of them (Calibration.h), stand for the machine, with
// 2 % of noise that is the same for all. Printed is the best latency after
// 16, 32 and 64 trials over the best that is known, as a geometric mean over
// tasks and seeds. It says which search finds what the model and 64
// measurements know of; what neither knows it cannot tell.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/RandomModel.h"
#include "SchedOpt/Database/RecordFile.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Search/Calibration.h"
#include "SchedOpt/Search/EvolutionarySearch.h"
#include "SchedOpt/Search/RandomSearch.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
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
  bool isRandom = false, isBlind = false;
  EvolutionOptions options;
};

std::vector<Configuration> listConfigurations() {
  std::vector<Configuration> list;
  auto add = [&](std::string name) -> Configuration & {
    list.emplace_back().name = std::move(name);
    return list.back();
  };
  add("evolutionary");
  add("without descents").options.descents = 0;
  add("without neighbours").options.localShare = 0;
  add("without calibration").options.calibrate = false;
  add("random model").isBlind = true;
  add("random search").isRandom = true;
  return list;
}

/// Best latency after 16, 32, ... trials.
std::vector<double> tune(const SearchSpace &space, const Machine &machine,
                         const SearchStrategy &strategy) {
  History history;
  std::vector<double> best;
  double least = Measurement::kFailed;
  while (history.size() < kTrials) {
    for (const Candidate &candidate : strategy.propose(kBatch, history)) {
      const double seconds = machine.measure(candidate);
      history.add(candidate, seconds);
      least = std::min(least, seconds);
    }
    best.push_back(least);
    if (history.size() < kBatch * best.size())
      break;
  }
  best.resize(kTrials / kBatch, least);
  return best;
}

struct Report {
  /// Configuration -> sums of logarithms of ratios, by batch.
  std::map<std::string, std::vector<double>> sums;
  unsigned count = 0;
  llvm::json::Object costs;
};

void judge(const SearchTask &task, const AnalyticModel &model,
           llvm::ArrayRef<Record> records, Report &report) {
  History measured;
  for (const Record &record : records)
    if (record.workload == task.workloadHash && record.trial >= 0)
      if (std::optional<Candidate> candidate =
              task.parseTrace(record.sketch, record.trace))
        if (task.space.isLegal(*candidate))
          measured.add(*candidate, record.succeeded() ? record.medianS()
                                                      : Measurement::kFailed);
  if (measured.getFastest(16).size() < 16)
    return;
  const Machine machine(task.space, model, measured);
  std::map<std::string, std::vector<std::vector<double>>> results;
  double least = Measurement::kFailed;
  for (const Configuration &configuration : listConfigurations())
    for (unsigned seed = 0; seed != seeds; ++seed) {
      const RandomModel blind(seed);
      const EvolutionarySearch evolution(
          task.space,
          configuration.isBlind ? static_cast<const CostModel &>(blind) : model,
          seed, configuration.options);
      const RandomSearch random(task.space, seed);
      results[configuration.name].push_back(tune(
          task.space, machine,
          configuration.isRandom ? static_cast<const SearchStrategy &>(random)
                                 : evolution));
      least = std::min(least, results[configuration.name].back().back());
    }
  for (const auto &[name, runs] : results) {
    std::vector<double> &sums = report.sums[name];
    sums.resize(kTrials / kBatch);
    for (const std::vector<double> &run : runs)
      for (size_t i = 0, e = sums.size(); i != e; ++i)
        sums[i] += std::log(run[i] / least) / seeds;
  }
  ++report.count;
}

void timeProposals(const SearchTask &task, const AnalyticModel &model,
                   Report &report) {
  llvm::json::Object costs;
  for (unsigned descents : {EvolutionOptions().descents, 0u}) {
    EvolutionOptions options;
    options.descents = descents;
    double seconds = 0, best = 0, mean = 0;
    unsigned drafted = 0;
    for (unsigned seed = 0; seed != seeds; ++seed) {
      ProposalReport proposal;
      const double begin = getProcessorSeconds();
      EvolutionarySearch(task.space, model, seed, options)
          .propose(kBatch, History(), &proposal);
      seconds += (getProcessorSeconds() - begin) / seeds;
      drafted = std::max(drafted, proposal.drafted);
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
        "best %.3f, mean %.3f\n",
        descents ? "with" : "without", seconds, drafted, best, mean);
  }
  if (isJSON)
    report.costs[task.name] = std::move(costs);
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
        judge(search, model, records, report);
        continue;
      }
      if (!isJSON)
        llvm::outs() << search.name << "\n";
      timeProposals(search, model, report);
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
  if (isJSON)
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"tasks", int64_t(report.count)},
                        {"judged", std::move(judged)},
                        {"proposals", std::move(report.costs)}})
                 << '\n';
  return 0;
}
