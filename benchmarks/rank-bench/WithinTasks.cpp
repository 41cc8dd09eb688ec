//===- WithinTasks.cpp - Ranks within a task that is known ----------------===//

#include "WithinTasks.h"
#include "SchedOpt/CostModel/Validation.h"
#include "Scores.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace sched;
using namespace sched::bench;

static constexpr unsigned kFolds = 5;

static MeasuredSpace *findSame(std::vector<MeasuredSpace> &spaces,
                               const MeasuredSpace &like) {
  auto found = llvm::find_if(spaces, [&](const MeasuredSpace &space) {
    return space.workload == like.workload &&
           space.machine.threads == like.machine.threads;
  });
  return found == spaces.end() ? nullptr : &*found;
}

std::vector<WithinTask>
sched::bench::joinTasks(std::vector<MeasuredSpace> tuned,
                        std::vector<MeasuredSpace> random,
                        std::vector<MeasuredSpace> again) {
  std::vector<WithinTask> tasks;
  for (MeasuredSpace &space : tuned) {
    WithinTask &task = tasks.emplace_back();
    MeasuredSpace all = std::move(space);
    const MeasuredSpace *drawn = findSame(random, all);
    std::vector<Candidate> candidates = std::move(all.candidates);
    std::vector<double> seconds = std::move(all.seconds);
    task.space = std::move(all);
    task.space.candidates.clear();
    task.space.seconds.clear();
    llvm::DenseSet<uint64_t> seen;
    auto take = [&](llvm::ArrayRef<Candidate> from,
                    llvm::ArrayRef<double> times) {
      // Machine code of the same loop nest is timed once, and recorded twice.
      for (auto [candidate, time] : llvm::zip_equal(from, times)) {
        const uint64_t program = task.space.task->space.hashProgram(candidate);
        if (std::isfinite(time) &&
            seen.insert(program ? program : candidate.hash()).second) {
          task.space.candidates.push_back(candidate);
          task.space.seconds.push_back(time);
        }
      }
    };
    take(candidates, seconds);
    task.numChosen = task.space.size();
    if (drawn)
      take(drawn->candidates, drawn->seconds);
    if (const MeasuredSpace *second = findSame(again, task.space))
      for (auto [candidate, time] :
           llvm::zip_equal(second->candidates, second->seconds))
        if (std::isfinite(time))
          task.again[candidate.hash()] = time;
  }
  return tasks;
}

llvm::Error
WithinTasks::judge(const MeasuredSpace &space, llvm::ArrayRef<size_t> known,
                   llvm::ArrayRef<size_t> unknown, double weight,
                   std::map<std::string, double> &correlations) const {
  const std::vector<double> seconds = space.getSeconds(unknown);
  auto rank = [&](const std::string &name, const CostModel &model) {
    std::vector<double> scores = scoreUnknown(space, model, unknown);
    correlations[name] += weight * validate(scores, seconds).rankCorrelation;
    calibrate(space, model, known, unknown, scores);
    correlations[name + ", calibrated"] +=
        weight * validate(scores, seconds).rankCorrelation;
  };
  rank("analytic", AnalyticModel(space.machine));
  for (bool isFresh : {true, false})
    for (bool learns : {false, true}) {
      const ModelFile *from = isFresh ? nullptr : start;
      if (isFresh ? !learns : !start)
        continue;
      auto model = createModel(library, options, from, space,
                               learns ? known : llvm::ArrayRef<size_t>());
      if (!model)
        return model.takeError();
      rank(std::string(from ? "pre-trained" : "fresh") +
               (learns ? ", learning" : ""),
           **model);
    }
  return llvm::Error::success();
}

llvm::Error WithinTasks::add(const WithinTask &task) {
  Row &row = rows.emplace_back();
  const size_t n = task.numChosen, all = task.space.size();
  row.name = task.space.text;
  row.numChosen = n;
  row.numRandom = all - n;
  std::vector<size_t> chosen(n), random(all - n);
  std::iota(chosen.begin(), chosen.end(), 0);
  std::iota(random.begin(), random.end(), n);
  std::mt19937_64 bits(1);
  std::shuffle(chosen.begin(), chosen.end(), bits);
  std::shuffle(random.begin(), random.end(), bits);

  auto fold = [](llvm::ArrayRef<size_t> members, unsigned turn,
                 bool isHeldOut) {
    std::vector<size_t> result;
    for (auto [place, member] : llvm::enumerate(members))
      if ((place % kFolds == turn) == isHeldOut)
        result.push_back(member);
    return result;
  };
  for (unsigned turn = 0; turn != kFolds; ++turn) {
    if (n < 4 * kFolds)
      break;
    if (llvm::Error error = judge(task.space, fold(chosen, turn, false),
                                  fold(chosen, turn, true), 1.0 / kFolds,
                                  row.correlations["the search's"]))
      return error;
    if (random.size() < 4 * kFolds)
      continue;
    std::vector<size_t> known = chosen;
    llvm::append_range(known, fold(random, turn, false));
    if (llvm::Error error =
            judge(task.space, known, fold(random, turn, true), 1.0 / kFolds,
                  row.correlations["random, others known"]))
      return error;
  }
  if (random.size() >= 4 * kFolds && n != 0)
    if (llvm::Error error =
            judge(task.space, chosen, random, 1, row.correlations["random"]))
      return error;

  auto repeat = [&](llvm::ArrayRef<size_t> members, const char *question) {
    std::vector<double> first, second;
    for (size_t i : members) {
      auto it = task.again.find(task.space.candidates[i].hash());
      if (it == task.again.end())
        continue;
      first.push_back(task.space.seconds[i]);
      second.push_back(it->second);
    }
    if (first.size() >= 4 * kFolds)
      row.correlations[question]["two measurements"] =
          getRankCorrelation(first, second);
  };
  repeat(chosen, "the search's");
  repeat(random, "random");
  repeat(random, "random, others known");
  return llvm::Error::success();
}

void WithinTasks::print(llvm::raw_ostream &os) const {
  // By question and model, operator by operator.
  std::map<std::string, std::map<std::string, std::vector<double>>> table;
  for (const Row &row : rows)
    for (const auto &[question, models] : row.correlations)
      for (const auto &[model, correlation] : models)
        table[question][model].resize(rows.size(), NAN);
  for (auto [i, row] : llvm::enumerate(rows)) {
    os << llvm::format("%2zu: ", i) << row.name
       << llvm::format(", %zu trials of the search, %zu random\n",
                       row.numChosen, row.numRandom);
    for (const auto &[question, models] : row.correlations)
      for (const auto &[model, correlation] : models)
        table[question][model][i] = correlation;
  }
  for (const auto &[question, models] : table) {
    os << llvm::left_justify("rank correlation: " + question, 44) << "  mean";
    for (size_t i = 0; i != rows.size(); ++i)
      os << llvm::format("%7zu", i);
    os << '\n';
    for (const auto &[model, correlations] : models) {
      double sum = 0, count = 0;
      for (double correlation : correlations)
        if (!std::isnan(correlation)) {
          sum += correlation;
          ++count;
        }
      os << "  " << llvm::left_justify(model, 42)
         << llvm::format("%6.3f", sum / count);
      for (double correlation : correlations)
        if (std::isnan(correlation))
          os << "      -";
        else
          os << llvm::format("%7.3f", correlation);
      os << '\n';
    }
  }
}

llvm::json::Object WithinTasks::toJSON() const {
  llvm::json::Array list;
  for (const Row &row : rows) {
    llvm::json::Object questions;
    for (const auto &[question, models] : row.correlations) {
      llvm::json::Object entry;
      for (const auto &[model, correlation] : models)
        entry[model] = correlation;
      questions[question] = std::move(entry);
    }
    list.push_back(
        llvm::json::Object{{"workload", row.name},
                           {"chosen", int64_t(row.numChosen)},
                           {"random", int64_t(row.numRandom)},
                           {"rank_correlation", std::move(questions)}});
  }
  return llvm::json::Object{{"tasks", std::move(list)}};
}
