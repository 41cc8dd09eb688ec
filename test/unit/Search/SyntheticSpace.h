//===- SyntheticSpace.h - A space with a known optimum ----------*- C++ -*-===//
//
// A matrix multiplication's decisions with a latency given by a formula, so
// that searches can be judged without a compiler. The first feature holds what
// an imperfect analytic model would predict: the formula without its last
// terms.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_SEARCH_SYNTHETICSPACE_H
#define SCHEDOPT_TEST_UNIT_SEARCH_SYNTHETICSPACE_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/Search/SearchSpace.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <functional>

namespace sched::test {

inline Decision makeOrdered(std::string name, std::vector<int64_t> values,
                            unsigned defaultIndex = 0) {
  Decision decision;
  decision.name = std::move(name);
  decision.kind = DecisionKind::Ordered;
  for (int64_t value : values)
    decision.domain.push_back({value});
  decision.defaultIndex = defaultIndex;
  return decision;
}

inline Decision makeCategorical(std::string name, unsigned size) {
  Decision decision;
  decision.name = std::move(name);
  decision.kind = DecisionKind::Categorical;
  for (unsigned i = 0; i != size; ++i)
    decision.domain.push_back({int64_t(i)});
  return decision;
}

/// All factorisations of `extent` into `parts`.
inline Decision makePerfectTile(std::string name, int64_t extent,
                                unsigned parts) {
  Decision decision;
  decision.name = std::move(name);
  decision.kind = DecisionKind::PerfectTile;
  std::vector<int64_t> entry;
  std::function<void(int64_t)> fill = [&](int64_t left) {
    if (entry.size() + 1 == parts) {
      entry.push_back(left);
      decision.domain.push_back(entry);
      entry.pop_back();
      return;
    }
    for (int64_t factor = 1; factor <= left; ++factor)
      if (left % factor == 0) {
        entry.push_back(factor);
        fill(left / factor);
        entry.pop_back();
      }
  };
  fill(extent);
  // All in the outermost part: innermost factors of 1 are legal anywhere.
  decision.defaultIndex = decision.size() - 1;
  return decision;
}

/// A sketch whose latency and legality are given as functions of its values.
class SyntheticSketch final : public SketchView {
public:
  using Values = std::function<int64_t(unsigned decision, unsigned result)>;
  /// Index of the first failed requirement, or -1.
  using Legality = std::function<int(const Values &)>;
  using Latency = std::function<double(const Values &)>;

  SyntheticSketch(std::vector<Decision> decisions, Legality legality,
                  Latency truth, Latency predicted)
      : decisions(std::move(decisions)), legality(std::move(legality)),
        truth(std::move(truth)), predicted(std::move(predicted)) {}

  llvm::ArrayRef<Decision> getDecisions() const override { return decisions; }

  bool isLegal(llvm::ArrayRef<uint16_t> choices,
               int *failedRequire) const override {
    int failed = refuse(choices);
    if (failedRequire)
      *failedRequire = failed;
    return failed < 0;
  }
  void evaluate(llvm::ArrayRef<uint16_t> choices,
                Evaluation &result) const override {
    result.failedRequire = refuse(choices);
    result.features = FeatureVector();
    if (result.legal())
      result.features.values[0] = predicted(valuesOf(choices));
    result.copies = copiesOf ? copiesOf(valuesOf(choices)) : 1;
  }
  /// As many rows as the candidate has choices, with the true latency in the
  /// first column: what a better model could know.
  void describeBlocks(llvm::ArrayRef<uint16_t> choices,
                      std::vector<BlockFeatureVector> &rows) const override {
    ++described;
    BlockFeatureVector row;
    row.values[0] = measure(choices);
    rows.insert(rows.end(), choices.size(), row);
  }
  uint64_t hashProgram(llvm::ArrayRef<uint16_t> choices) const override {
    return hashOf ? hashOf(choices) : 0;
  }
  llvm::StringRef getReason(int failedRequire) const override {
    return failedRequire < 0 ? llvm::StringRef()
                             : llvm::StringRef(reasons[failedRequire]);
  }

  /// Which candidates are the same program; none where it is not set.
  std::function<uint64_t(llvm::ArrayRef<uint16_t>)> hashOf;
  /// Of the code; 1 where it is not set.
  Latency copiesOf;
  /// What the requirements mean.
  std::vector<std::string> reasons = {"first", "second"};
  /// How often rows were asked for.
  mutable unsigned described = 0;

  /// Seconds.
  double measure(llvm::ArrayRef<uint16_t> choices) const {
    return truth(valuesOf(choices));
  }

  /// Refuses all others by the first requirement.
  bool limitToDefault = false;

private:
  int refuse(llvm::ArrayRef<uint16_t> choices) const {
    if (limitToDefault)
      for (auto [decision, choice] : llvm::zip_equal(decisions, choices))
        if (choice != decision.defaultIndex)
          return 0;
    return legality(valuesOf(choices));
  }
  Values valuesOf(llvm::ArrayRef<uint16_t> choices) const {
    return [this, choices](unsigned decision, unsigned result) {
      return decisions[decision].domain[choices[decision]][result];
    };
  }
  std::vector<Decision> decisions;
  Legality legality;
  Latency truth, predicted;
};

/// Scores by the predicted latency in feature 0.
class SyntheticModel final : public CostModel {
public:
  llvm::StringRef name() const override { return "synthetic"; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    for (size_t i = 0, e = batch.size(); i != e; ++i)
      scores[i] = 1 / batch.getPrograms()[i].values[0];
  }
};

/// Knows the true latency, from rows, but for what is given as its error.
class RowModel final : public CostModel {
public:
  llvm::StringRef name() const override { return "rows"; }
  bool readsBlocks() const override { return true; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    for (size_t i = 0, e = batch.size(); i != e; ++i)
      scores[i] = batch.getBlocks(i).empty()
                      ? 1e-9
                      : 1 / batch.getBlocks(i).front().values[0];
  }
  void predictWithDoubt(const FeatureBatch &batch,
                        llvm::MutableArrayRef<double> scores,
                        llvm::MutableArrayRef<double> doubts) const override {
    predict(batch, scores);
    for (size_t i = 0, e = batch.size(); i != e; ++i)
      doubts[i] = doubtOf ? doubtOf(batch.getPrograms()[i]) : 0;
  }

  /// Its doubt by the features of the program.
  std::function<double(const FeatureVector &)> doubtOf;
};

/// Distance of two sizes in octaves, squared.
inline double octaves(double a, double b) {
  double d = std::log2(a) - std::log2(b);
  return d * d;
}

/// Tiles of 128^3, blocks, packing, unroll and threads: about 2e8 decision
/// vectors, of which about half are legal. The fastest takes kOptimum seconds.
/// The model knows the register tile and the vector size, not what packing,
/// order and blocks cost.
inline constexpr double kOptimum = 1e-3;

inline SyntheticSketch makeMatmulSketch() {
  std::vector<Decision> decisions;
  decisions.push_back(makePerfectTile("m", 128, 4));
  decisions.push_back(makePerfectTile("n", 128, 4));
  decisions.push_back(
      makeOrdered("kc", {8, 16, 32, 64, 128, 256, 512, 1024}, 3));
  decisions.push_back(makeOrdered("unroll", {1, 2, 4, 8, 16}));
  decisions.push_back(makeCategorical("pack_b", 3));
  decisions.back().role = DecisionRole::Layout;
  decisions.push_back(makeCategorical("order", 6));
  decisions.push_back(makeCategorical("init", 2));
  auto legality = [](const SyntheticSketch::Values &v) {
    if (v(0, 3) * v(1, 3) > 512) // the register tile
      return 0;
    if (v(0, 2) * v(0, 3) * v(2, 0) > 32768) // the packed block
      return 1;
    return -1;
  };
  auto known = [](const SyntheticSketch::Values &v) {
    return 1 + 0.10 * octaves(v(0, 3), 4) + 0.12 * octaves(v(1, 3), 32) +
           0.05 * octaves(v(3, 0), 4);
  };
  auto truth = [known](const SyntheticSketch::Values &v) {
    double unknown = 1 + 0.06 * octaves(v(2, 0), 256) +
                     0.04 * octaves(v(0, 2), 8) + 0.03 * octaves(v(1, 1), 4);
    unknown *= v(4, 0) == 2 ? 1 : 1.3;
    unknown *= v(5, 0) == 4 ? 1 : 1.05 + 0.02 * v(5, 0);
    unknown *= v(6, 0) ? 1 : 1.04;
    return kOptimum * known(v) * unknown;
  };
  return SyntheticSketch(std::move(decisions), legality, truth, known);
}

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_SEARCH_SYNTHETICSPACE_H
