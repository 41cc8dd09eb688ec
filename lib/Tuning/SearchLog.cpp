//===- SearchLog.cpp - How the search goes, round by round ----------------===//

#include "SchedOpt/Tuning/SearchLog.h"
#include "SchedOpt/CostModel/Validation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace sched;

/// Refusals, and traces of records, that the text lists.
static constexpr size_t kListedRefusals = 8;

/// Results whose order says something.
static constexpr size_t kLeastRanked = 3;

std::optional<double> sched::correlateRanks(const SearchRound &round) {
  std::vector<double> predicted, measured;
  for (const PickReport &pick : round.proposal.batch) {
    const Trial *trial = round.log.find(pick.candidate);
    if (!trial || std::isnan(pick.score) || !std::isfinite(trial->firstSeconds))
      continue;
    predicted.push_back(pick.score);
    measured.push_back(-trial->firstSeconds);
  }
  return correlateRanks(predicted, measured);
}

std::optional<double> sched::correlateRanks(llvm::ArrayRef<double> predicted,
                                            llvm::ArrayRef<double> measured) {
  if (predicted.size() < kLeastRanked || llvm::all_equal(predicted) ||
      llvm::all_equal(measured))
    return std::nullopt;
  return getRankCorrelation(predicted, measured);
}

static std::string nameSketch(const SearchTask &task, unsigned sketch) {
  return sketch < task.sketchNames.size() ? task.sketchNames[sketch]
                                          : task.sketchHashes[sketch];
}

/// Decision vectors of a sketch, legal or not.
static double countVectors(const SearchTask &task, unsigned sketch) {
  double count = 1;
  for (const DecisionTable &table : task.space.getTables(sketch))
    count *= table.size();
  return count;
}

void SearchLog::begin(const SearchTask &task) {
  if (level == LogLevel::Progress)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  const unsigned sketches = task.space.getNumSketches();
  os << task.name << ": " << sketches
     << (sketches == 1 ? " sketch\n" : " sketches\n");
  for (unsigned i = 0; i != sketches; ++i)
    os << llvm::format("  %-24s %2zu decisions, %.3g vectors\n",
                       nameSketch(task, i).c_str(),
                       task.space.getTables(i).size(), countVectors(task, i));
  reporter.print(text);
}

void SearchLog::addRejected(const SearchTask &task,
                            llvm::ArrayRef<RejectedTrace> rejected) {
  if (level != LogLevel::Debug || rejected.empty())
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const RejectedTrace &trace : rejected.take_front(kListedRefusals))
    os << "  rejected " << trace.trace << ": " << trace.reason << '\n';
  if (rejected.size() > kListedRefusals)
    os << "  and " << rejected.size() - kListedRefusals << " more\n";
  reporter.print(task.name + ": traces of records\n" + text);
}

void SearchLog::append(const llvm::json::Object &line) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, llvm::sys::fs::OF_Append);
  if (!code) {
    os << llvm::json::Value(llvm::json::Object(line)) << '\n';
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (!code)
    return;
  // The search goes on without it.
  reporter.warn("cannot write the search's log '" + path +
                "': " + code.message() + "; it is not written any more");
  path.clear();
}

void SearchLog::add(const SearchRound &round) {
  if (level != LogLevel::Progress)
    reporter.print(format(round, level));
  if (!path.empty())
    append(toJSON(round));
}

/// The refusals, most frequent first.
static std::vector<std::pair<std::pair<unsigned, int>, RefusalReport>>
sortRefusals(const ProposalReport::Refusals &refusals) {
  std::vector<std::pair<std::pair<unsigned, int>, RefusalReport>> sorted(
      refusals.begin(), refusals.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return a.second.count != b.second.count ? a.second.count > b.second.count
                                            : a.first < b.first;
  });
  return sorted;
}

static std::string describeReason(const SearchTask &task, unsigned sketch,
                                  int requirement) {
  const llvm::StringRef reason =
      task.space.getSketch(sketch).getReason(requirement);
  return reason.empty() ? "requirement " + std::to_string(requirement)
                        : reason.str();
}

static void printRefusals(llvm::raw_ostream &os, llvm::StringRef what,
                          const SearchTask &task,
                          const ProposalReport::Refusals &refusals) {
  const auto sorted = sortRefusals(refusals);
  for (const auto &[key, refusal] : llvm::ArrayRef(sorted).take_front(
           std::min(sorted.size(), kListedRefusals)))
    os << "  " << what << ' ' << refusal.count << " of "
       << nameSketch(task, key.first) << ": "
       << describeReason(task, key.first, key.second) << "; as "
       << task.makeTrace(refusal.example) << '\n';
}

static llvm::json::Array toJSON(const SearchTask &task,
                                const ProposalReport::Refusals &refusals) {
  llvm::json::Array rows;
  for (const auto &[key, refusal] : sortRefusals(refusals))
    rows.push_back(llvm::json::Object{
        {"sketch", nameSketch(task, key.first)},
        {"reason", describeReason(task, key.first, key.second)},
        {"count", refusal.count},
        {"trace", task.makeTrace(refusal.example)}});
  return rows;
}

static void printMoves(llvm::raw_ostream &os,
                       llvm::ArrayRef<std::pair<std::string, MoveCount>> rows) {
  os << "  move                      kept    known  refused improved\n";
  for (const auto &[name, count] : rows)
    os << llvm::format("  %-22s %7u  %7u  %7u  %7u\n", name.c_str(), count.kept,
                       count.known, count.refused, count.improved);
}

/// "stage: message" of a failure, further lines of it below.
static void printFailure(llvm::raw_ostream &os, const Trial &trial) {
  if (trial.stage.empty() && trial.message.empty())
    return;
  os << "    " << (trial.stage.empty() ? trial.error : trial.stage) << ": ";
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(trial.message).trim().split(lines, '\n');
  llvm::interleave(lines, os, "\n      ");
  os << '\n';
}

static void printBatch(llvm::raw_ostream &os, const SearchRound &round,
                       LogLevel level) {
  // Scores have no unit: both are shown against the best of the batch.
  double bestScore = -std::numeric_limits<double>::infinity();
  double bestSeconds = Measurement::kFailed;
  for (const PickReport &pick : round.proposal.batch) {
    if (!std::isnan(pick.score))
      bestScore = std::max(bestScore, pick.score);
    if (const Trial *trial = round.log.find(pick.candidate))
      bestSeconds = std::min(bestSeconds, trial->firstSeconds);
  }
  os << "  batch        predicted   measured              candidate\n";
  for (const PickReport &pick : round.proposal.batch) {
    const Trial *trial = round.log.find(pick.candidate);
    if (!trial)
      continue;
    os << llvm::format("  %-12s ", nameOf(pick.reason));
    if (std::isnan(pick.score))
      os << "        - ";
    else
      os << llvm::format("%8.3fx ", std::exp(pick.score - bestScore));
    if (std::isfinite(trial->firstSeconds))
      os << llvm::format(
          " %8.3fx %11s  ", bestSeconds / trial->firstSeconds,
          ProgressReporter::formatSeconds(trial->firstSeconds).c_str());
    else
      os << llvm::format(" %21s  ", !trial->error.empty() ? trial->error.c_str()
                                    : round.isBuiltOnly   ? "built"
                                                          : "unverified");
    os << round.task.makeTrace(pick.candidate) << '\n';
    if (level == LogLevel::Debug && !trial->error.empty())
      printFailure(os, *trial);
  }
}

/// A number that JSON can hold.
static llvm::json::Value toNumber(double value) {
  if (std::isfinite(value))
    return value;
  return nullptr;
}

/// What the model had foretold of the batch, where there is enough to say so.
static void printForecast(llvm::raw_ostream &os, const SearchRound &round) {
  const ForecastResult &forecast = round.forecast;
  const Validation &validation = forecast.validation;
  if (validation.candidates >= kLeastRanked) {
    os << llvm::format("  rank correlation of the model on this batch, before "
                       "it learned from it: %.2f, spread %.2f",
                       validation.rankCorrelation, validation.logDeviation);
    if (std::optional<double> corrected = correlateRanks(round))
      os << llvm::format("; as corrected for this task: %.2f", *corrected);
    os << '\n';
  }
  if (forecast.failed == 0 && forecast.falseAlarms == 0)
    return;
  os << "  failures: " << forecast.failed << " of " << forecast.tried;
  if (forecast.knowsFailures)
    os << ", " << forecast.foreseen << " of them foreseen; "
       << forecast.falseAlarms << " false alarms";
  else
    os << "; the model foresees none";
  os << '\n';
}

static llvm::json::Object toJSON(const ForecastResult &forecast) {
  const Validation &validation = forecast.validation;
  const bool isRanked = validation.candidates >= kLeastRanked;
  llvm::json::Object object{
      {"candidates", int64_t(validation.candidates)},
      {"rank_correlation",
       toNumber(isRanked ? validation.rankCorrelation : NAN)},
      {"log_deviation", toNumber(isRanked ? validation.logDeviation : NAN)},
      {"failed", forecast.failed},
      {"foreseen", nullptr},
      {"false_alarms", nullptr}};
  if (forecast.knowsFailures) {
    object["foreseen"] = forecast.foreseen;
    object["false_alarms"] = forecast.falseAlarms;
  }
  return object;
}

std::string SearchLog::format(const SearchRound &round, LogLevel level) {
  const ProposalReport &proposal = round.proposal;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << round.task.name << ": ";
  if (round.isBuiltOnly)
    os << round.log.size() << " candidates built, none run\n";
  else
    os << "round " << round.number << ", trials " << round.before << " to "
       << round.after << '\n';
  if (proposal.enumerated)
    os << "  enumerated";
  else
    os << "  sampled " << proposal.sampled << " (" << proposal.samplesRefused
       << " tries gave none), " << proposal.seeds << " seeds from descents";
  os << "; drafted " << proposal.drafted;
  if (proposal.ranked)
    os << ", ranked " << proposal.ranked;
  os << '\n';
  if (!proposal.generations.empty())
    os << "  generation  population   best score  median\n";
  for (auto [i, generation] : llvm::enumerate(proposal.generations))
    os << llvm::format(
        "  %10s  %10u  %10.3f  %8.3f\n",
        generation.kind == GenerationKind::Bred ? std::to_string(i).c_str()
                                                : nameOf(generation.kind),
        generation.population, generation.best, generation.median);
  if (!proposal.moves.empty())
    printMoves(os, llvm::to_vector<8>(
                       llvm::map_range(proposal.moves, [](const auto &entry) {
                         return std::pair<std::string, MoveCount>(entry);
                       })));
  if (level == LogLevel::Debug) {
    std::vector<std::pair<std::string, MoveCount>> rows;
    for (const auto &[key, count] : proposal.decisions)
      rows.emplace_back(nameSketch(round.task, key.first) + "." +
                            round.task.space.getTables(key.first)[key.second]
                                .getDecision()
                                .name,
                        count);
    if (!rows.empty())
      printMoves(os, rows);
    printRefusals(os, "refused", round.task, proposal.refusals);
    printRefusals(os, "could not repair", round.task, proposal.unrepaired);
  }
  printBatch(os, round, level);
  printForecast(os, round);
  os << "  ";
  if (!round.isBuiltOnly)
    os << "best so far "
       << ProgressReporter::formatSeconds(round.log.getBestSeconds());
  if (!round.isBuiltOnly && std::isfinite(proposal.expectedGain))
    os << llvm::format("; expected gain of this batch %.1f %%",
                       100 * std::expm1(proposal.expectedGain));
  os << (round.isBuiltOnly ? "" : "; ");
  os << llvm::format("draft %.3f s, rank %.3f, pick %.3f, build %.2f, check "
                     "%.2f, measure %.2f, learn %.3f, forecast %.3f",
                     proposal.draftS, proposal.rankS, proposal.pickS,
                     round.buildS, round.checkS, round.measureS, round.learnS,
                     round.forecastS);
  if (round.replayS > 0)
    os << llvm::format("; before, from records: learn %.3f s", round.replayS);
  os << '\n';
  return text;
}

static llvm::json::Object toJSON(const MoveCount &count) {
  return llvm::json::Object{{"kept", count.kept},
                            {"known", count.known},
                            {"refused", count.refused},
                            {"improved", count.improved}};
}

llvm::json::Object SearchLog::toJSON(const SearchRound &round) {
  const ProposalReport &proposal = round.proposal;
  const SearchTask &task = round.task;
  llvm::json::Array sketches, generations, batch;
  for (unsigned i = 0, e = task.space.getNumSketches(); i != e; ++i)
    sketches.push_back(llvm::json::Object{
        {"name", nameSketch(task, i)},
        {"decisions", int64_t(task.space.getTables(i).size())},
        {"vectors", toNumber(countVectors(task, i))}});
  for (const GenerationReport &generation : proposal.generations)
    generations.push_back(
        llvm::json::Object{{"kind", nameOf(generation.kind)},
                           {"population", generation.population},
                           {"best", generation.best},
                           {"median", generation.median}});
  llvm::json::Object moves, decisions;
  for (const auto &[name, count] : proposal.moves)
    moves[name] = ::toJSON(count);
  for (const auto &[key, count] : proposal.decisions)
    decisions[nameSketch(task, key.first) + "." +
              task.space.getTables(key.first)[key.second].getDecision().name] =
        ::toJSON(count);
  for (const PickReport &pick : proposal.batch)
    if (const Trial *trial = round.log.find(pick.candidate))
      batch.push_back(llvm::json::Object{
          {"sketch", nameSketch(task, pick.candidate.sketch)},
          {"trace", task.makeTrace(pick.candidate)},
          {"why", nameOf(pick.reason)},
          {"score", toNumber(pick.score)},
          {"doubt", toNumber(pick.doubt)},
          {"seconds", toNumber(trial->firstSeconds)},
          {"error", trial->error},
          {"stage", trial->stage},
          {"message", llvm::json::fixUTF8(trial->message)}});
  return llvm::json::Object{
      {"task", task.name},
      {"workload", task.workloadHash},
      {"round", round.number},
      {"trials", round.after},
      {"built", round.isBuiltOnly ? int64_t(round.log.size()) : int64_t(0)},
      {"sketches", std::move(sketches)},
      {"enumerated", proposal.enumerated},
      {"sampled", proposal.sampled},
      {"seeds", proposal.seeds},
      {"drafted", proposal.drafted},
      {"ranked", proposal.ranked},
      {"generations", std::move(generations)},
      {"moves", std::move(moves)},
      {"decisions", std::move(decisions)},
      {"refusals", ::toJSON(task, proposal.refusals)},
      {"unrepaired", ::toJSON(task, proposal.unrepaired)},
      {"batch", std::move(batch)},
      {"model", ::toJSON(round.forecast)},
      {"rank_correlation", toNumber(correlateRanks(round).value_or(NAN))},
      {"best_s", toNumber(round.log.getBestSeconds())},
      {"expected_gain", toNumber(proposal.expectedGain)},
      {"times", llvm::json::Object{{"draft", proposal.draftS},
                                   {"rank", proposal.rankS},
                                   {"pick", proposal.pickS},
                                   {"build", round.buildS},
                                   {"check", round.checkS},
                                   {"measure", round.measureS},
                                   {"learn", round.learnS},
                                   {"forecast", round.forecastS},
                                   {"replay", round.replayS}}}};
}
