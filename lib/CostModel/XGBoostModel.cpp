//===- XGBoostModel.cpp - The learned cost model --------------------------===//

#include "SchedOpt/CostModel/XGBoostModel.h"
#include "SchedOpt/CostModel/TaskKind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

using namespace sched;

/// Log odds that a candidate fails before anything is known of it: 5 %.
static constexpr double kFailureOffset = -2.94;
/// The trees correct the analytic model by at most this, on the log scale.
static constexpr double kMaxCorrection = 10;
/// Trees of failures: fewer and smaller, as there is less to learn from.
static constexpr unsigned kFailureDepth = 3;

llvm::Expected<std::unique_ptr<XGBoostModel>>
XGBoostModel::create(std::shared_ptr<const XGBoostLibrary> library,
                     const Target &target, const LearningOptions &options,
                     const ModelFile *start) {
  assert(options.members > 0 && "a model has a booster");
  std::unique_ptr<XGBoostModel> model(
      new XGBoostModel(std::move(library), target, options));
  model->start.objective = options.objective;
  model->start.version = model->library->getVersion();
  if (!start)
    return model;
  if (start->scores.size() < options.members)
    return llvm::createStringError(
        "found a cost model of %zu boosters; expected at least %u: train it "
        "again with more, or ask for fewer",
        start->scores.size(), options.members);
  model->start = *start;
  model->start.scores.resize(options.members);
  auto load = [&](llvm::ArrayRef<std::string> boosters,
                  std::vector<std::shared_ptr<const TreeEnsemble>> &layers)
      -> llvm::Error {
    if (boosters.empty())
      return llvm::Error::success();
    auto ensemble = TreeEnsemble::load(boosters);
    if (!ensemble)
      return llvm::createStringError(
          "the trees of the cost model '" + start->name +
          "' cannot be read; train it again with sched-db train: " +
          llvm::toString(ensemble.takeError()));
    layers.push_back(std::make_shared<TreeEnsemble>(std::move(*ensemble)));
    return llvm::Error::success();
  };
  model->startTrees.scale = start->scale;
  if (llvm::Error error = load(model->start.scores, model->startTrees.scores))
    return std::move(error);
  if (llvm::Error error = load(start->failures, model->startTrees.failures))
    return std::move(error);
  model->trees = model->startTrees;
  return model;
}

void XGBoostModel::add(const FeatureBatch &batch,
                       llvm::ArrayRef<double> seconds, llvm::StringRef task,
                       const Target &machine) {
  assert(batch.size() == seconds.size() && "a time each");
  const AnalyticModel own(machine);
  std::vector<double> times;
  for (const FeatureVector &program : batch.getPrograms())
    times.push_back(own.seconds(program));
  TaskData &entry = data[task.str()];
  if (entry.kind.empty())
    entry.kind = describeTaskKind(batch, machine);
  appendRows(batch, times, entry.rows);
  for (double time : times)
    entry.offsets.push_back(-std::log(std::max(1e-12, time)));
  llvm::append_range(entry.seconds, seconds);
}

bool XGBoostModel::covers(const FeatureBatch &batch,
                          const Target &machine) const {
  return start.kinds.empty() ||
         llvm::is_contained(start.kinds, describeTaskKind(batch, machine));
}

double XGBoostModel::getDraftShare(size_t numMeasured) const {
  return numMeasured == 0 ? 0.3 : 0.6;
}

std::unique_ptr<CostModel>
XGBoostModel::makeUntrained(const Target &machine) const {
  LearningOptions own = options;
  own.objective = start.objective;
  // Only a start can be unfit.
  return llvm::cantFail(create(library, machine, own));
}

llvm::Error XGBoostModel::update(const FeatureBatch &batch,
                                 llvm::ArrayRef<double> seconds,
                                 llvm::StringRef task) {
  std::lock_guard<std::mutex> lock(mutex);
  add(batch, seconds, task, analytic.getTarget());
  isStale = true;
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError(std::exchange(problem, ""));
}

/// At most `limit` of the candidates: three quarters of these the fastest, the
/// rest an even sample of the others. In their order.
static std::vector<size_t> selectCandidates(llvm::ArrayRef<double> seconds,
                                            size_t limit) {
  std::vector<size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= limit)
    return order;
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(seconds[a], a) < std::pair(seconds[b], b);
  });
  const size_t fastest = limit * 3 / 4, others = order.size() - fastest;
  std::vector<size_t> selected(order.begin(), order.begin() + fastest);
  for (size_t i = 0, n = limit - fastest; i != n; ++i)
    selected.push_back(order[fastest + i * others / n]);
  llvm::sort(selected);
  return selected;
}

TrainingRows XGBoostModel::collect(size_t limit) const {
  size_t total = 0;
  for (const auto &[task, entry] : data)
    total += entry.seconds.size();
  TrainingRows result;
  unsigned task = 0;
  for (const auto &[name, entry] : data) {
    const size_t n = entry.seconds.size();
    const size_t share =
        total <= limit ? n : std::max<size_t>(1, limit * n / total);
    for (size_t i : selectCandidates(entry.seconds, share)) {
      appendRows(entry.rows, i, result.rows);
      result.offsets.push_back(entry.offsets[i]);
      result.labels.seconds.push_back(entry.seconds[i]);
      result.labels.tasks.push_back(task);
    }
    ++task;
  }
  return result;
}

static uint64_t hashRows(const FeatureRows &rows, size_t candidate) {
  const size_t width = getNumColumns() * sizeof(float);
  const uint64_t hash = llvm::xxh3_64bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(rows.values.data()) +
                         rows.getBegin(candidate) * width,
                     rows.getNumRows(candidate) * width));
  // Keys that DenseMap has for itself.
  return hash & ~(uint64_t(1) << 63);
}

/// The candidates that did not fail.
static TrainingRows dropFailures(const TrainingRows &data) {
  TrainingRows result;
  for (size_t i = 0, e = data.size(); i != e; ++i) {
    if (!std::isfinite(data.labels.seconds[i]))
      continue;
    appendRows(data.rows, i, result.rows);
    result.offsets.push_back(data.offsets[i]);
    result.labels.seconds.push_back(data.labels.seconds[i]);
    result.labels.tasks.push_back(data.labels.tasks[i]);
  }
  return result;
}

/// What ensembles say together, members by candidate.
static std::vector<double>
sumLayers(llvm::ArrayRef<std::shared_ptr<const TreeEnsemble>> layers,
          const FeatureRows &rows) {
  std::vector<double> sums;
  for (const std::shared_ptr<const TreeEnsemble> &layer : layers) {
    sums.resize(rows.size() * layer->size());
    layer->predict(rows, sums);
  }
  return sums;
}

llvm::Expected<XGBoostModel::Trees>
XGBoostModel::fit(const TrainingRows &all, unsigned rounds,
                  const TreeOptions &treeOptions, const Trees &below,
                  bool merged) const {
  Trees result = below;
  EnsembleOptions ensemble;
  ensemble.members = options.members;
  ensemble.share = merged ? options.trainShare : options.runShare;
  ensemble.rounds = rounds;
  ensemble.trees = treeOptions;
  ensemble.trees.seed = options.seed;
  auto grow = [&](TrainingRows &data, ObjectiveKind objective,
                  llvm::ArrayRef<std::string> from,
                  std::vector<std::shared_ptr<const TreeEnsemble>> &layers)
      -> llvm::Error {
    data.below = sumLayers(layers, data.rows);
    ensemble.objective = objective;
    auto grown = TreeEnsemble::fit(
        library, data, ensemble, merged ? from : llvm::ArrayRef<std::string>());
    if (!grown)
      return grown.takeError();
    layers.push_back(std::make_shared<TreeEnsemble>(std::move(*grown)));
    return llvm::Error::success();
  };
  TrainingRows working = dropFailures(all);
  const bool hasFailures = working.size() != all.size();
  if (working.size() != 0) {
    if (llvm::Error error =
            grow(working, start.objective, start.scores, result.scores))
      return std::move(error);
    result.scale =
        result.scores.back()->computeScale(working, ensemble, start.scale);
    auto seen = std::make_shared<llvm::DenseMap<uint64_t, uint32_t>>();
    for (auto [i, bits] :
         llvm::enumerate(TreeEnsemble::getSeen(working.size(), ensemble)))
      (*seen)[hashRows(working.rows, i)] |= bits;
    result.seen = std::move(seen);
  }
  if (!start.failures.empty() || hasFailures) {
    TrainingRows failing = all;
    llvm::fill(failing.offsets, kFailureOffset);
    ensemble.members = 1;
    ensemble.trees.maxDepth = kFailureDepth;
    if (llvm::Error error = grow(failing, ObjectiveKind::Failure,
                                 start.failures, result.failures))
      return std::move(error);
  }
  return result;
}

XGBoostModel::Trees XGBoostModel::getTrees() const {
  std::lock_guard<std::mutex> lock(mutex);
  if (isStale) {
    isStale = false;
    const TrainingRows known = collect(options.maxRunCandidates);
    const double share = double(known.size()) / options.kFewCandidates;
    auto fitted =
        fit(known,
            std::lround(options.runRounds *
                        std::clamp(share, 1.0, options.kMostTimesRounds)),
            options.runTrees, startTrees, /*merged=*/false);
    if (fitted)
      trees = *fitted;
    else
      problem = llvm::toString(fitted.takeError());
  }
  return trees;
}

llvm::Error XGBoostModel::train() {
  std::lock_guard<std::mutex> lock(mutex);
  TrainingRows all = collect(std::numeric_limits<size_t>::max());
  auto fitted = fit(all, options.trainRounds, options.trainTrees, Trees(),
                    /*merged=*/true);
  if (!fitted)
    return fitted.takeError();
  ModelFile next = start;
  next.version = library->getVersion();
  next.scale = fitted->scale;
  next.numTasks += data.size();
  for (const auto &[name, entry] : data)
    next.kinds.push_back(entry.kind);
  llvm::sort(next.kinds);
  next.kinds.erase(llvm::unique(next.kinds), next.kinds.end());
  next.numCandidates += all.size();
  auto save = [](llvm::ArrayRef<std::shared_ptr<const TreeEnsemble>> layers,
                 std::vector<std::string> &boosters) -> llvm::Error {
    if (layers.empty())
      return llvm::Error::success();
    auto bytes = layers.back()->save();
    if (!bytes)
      return bytes.takeError();
    boosters = std::move(*bytes);
    return llvm::Error::success();
  };
  if (llvm::Error error = save(fitted->scores, next.scores))
    return error;
  if (llvm::Error error = save(fitted->failures, next.failures))
    return error;
  start = std::move(next);
  startTrees = trees = *fitted;
  data.clear();
  isStale = false;
  return llvm::Error::success();
}

bool XGBoostModel::predictAll(const FeatureBatch &batch,
                              llvm::MutableArrayRef<double> logScores,
                              llvm::MutableArrayRef<double> doubts,
                              llvm::MutableArrayRef<double> failures,
                              bool isUnseen) const {
  const size_t n = batch.size();
  assert(logScores.size() == n && doubts.size() == n && failures.size() == n &&
         "one a candidate");
  const Trees now = getTrees();
  std::vector<double> times;
  for (const FeatureVector &program : batch.getPrograms())
    times.push_back(analytic.seconds(program));
  FeatureRows rows;
  if (!now.scores.empty() || !now.failures.empty())
    appendRows(batch, times, rows);
  std::vector<uint32_t> leftOut;
  if (isUnseen && now.seen)
    for (size_t i = 0; i != n; ++i)
      leftOut.push_back(now.seen->lookup(hashRows(rows, i)));
  std::vector<double> sums(n), ignored(n);
  auto ask = [&](llvm::ArrayRef<std::shared_ptr<const TreeEnsemble>> layers,
                 llvm::MutableArrayRef<double> deviations,
                 llvm::ArrayRef<uint32_t> withoutMembers) {
    if (layers.empty())
      return false;
    averageMembers(sumLayers(layers, rows), layers.back()->size(), sums,
                   deviations, withoutMembers);
    return true;
  };
  const bool corrected = ask(now.scores, doubts, leftOut);
  for (size_t i = 0; i != n; ++i) {
    logScores[i] = -std::log(std::max(1e-12, times[i]));
    if (corrected) {
      logScores[i] += std::clamp(sums[i], -kMaxCorrection, kMaxCorrection);
      logScores[i] *= now.scale;
      doubts[i] *= now.scale;
    } else {
      doubts[i] = 0;
    }
  }
  const bool doubted = ask(now.failures, ignored, {});
  for (size_t i = 0; i != n; ++i)
    failures[i] = doubted
                      ? 1 / (1 + std::exp(-kFailureOffset -
                                          std::clamp(sums[i], -kMaxCorrection,
                                                     kMaxCorrection)))
                      : 0;
  return doubted;
}

void XGBoostModel::predict(const FeatureBatch &batch,
                           llvm::MutableArrayRef<double> scores) const {
  std::vector<double> doubts(batch.size());
  predictWithDoubt(batch, scores, doubts);
}

void XGBoostModel::predictWithDoubt(
    const FeatureBatch &batch, llvm::MutableArrayRef<double> scores,
    llvm::MutableArrayRef<double> doubts) const {
  std::vector<double> failures(batch.size());
  predictAll(batch, scores, doubts, failures);
  for (auto [score, failure] : llvm::zip_equal(scores, failures))
    score = std::exp(score) * (1 - failure);
  if (!knowsDoubt())
    llvm::fill(doubts, 0.0);
}

void XGBoostModel::predictUnseen(const FeatureBatch &batch,
                                 llvm::MutableArrayRef<double> scores) const {
  std::vector<double> doubts(batch.size()), failures(batch.size());
  predictAll(batch, scores, doubts, failures, /*isUnseen=*/true);
  for (auto [score, failure] : llvm::zip_equal(scores, failures))
    score = std::exp(score) * (1 - failure);
}

bool XGBoostModel::predictFailures(
    const FeatureBatch &batch,
    llvm::MutableArrayRef<double> probabilities) const {
  std::vector<double> scores(batch.size()), doubts(batch.size());
  return predictAll(batch, scores, doubts, probabilities);
}
