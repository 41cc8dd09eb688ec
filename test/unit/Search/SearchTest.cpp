//===- SearchTest.cpp - Sampling, mutation, and the strategies ------------===//

#include "SchedOpt/CostModel/RandomModel.h"
#include "SchedOpt/Search/Calibration.h"
#include "SchedOpt/Search/EvolutionarySearch.h"
#include "SchedOpt/Search/GridSearch.h"
#include "SchedOpt/Search/Mutator.h"
#include "SchedOpt/Search/RandomSearch.h"
#include "SyntheticSpace.h"
#include "llvm/ADT/DenseSet.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace sched;
using namespace sched::test;

namespace sched {
/// How a failed comparison shows a candidate.
static void PrintTo(const Candidate &candidate, std::ostream *os) {
  *os << "sketch " << candidate.sketch << " [";
  for (uint16_t choice : candidate.choices)
    *os << ' ' << choice;
  *os << " ]";
}
} // namespace sched

namespace {

/// A second sketch that shares "kc" (other sizes) and "order" with the first.
SyntheticSketch makeOtherSketch() {
  std::vector<Decision> decisions;
  decisions.push_back(makeCategorical("order", 6));
  decisions.push_back(makeOrdered("kc", {10, 100, 1000}));
  decisions.push_back(makeCategorical("own", 2));
  auto latency = [](const SyntheticSketch::Values &v) {
    return 5 * kOptimum * (1 + 0.1 * v(0, 0));
  };
  return SyntheticSketch(
      std::move(decisions), [](const SyntheticSketch::Values &) { return -1; },
      latency, [](const SyntheticSketch::Values &) { return 5.0; });
}

class Search : public ::testing::Test {
protected:
  Search() : space({&first, &second}) {}

  static double measureIn(const SearchSpace &space,
                          const Candidate &candidate) {
    return static_cast<const SyntheticSketch &>(
               space.getSketch(candidate.sketch))
        .measure(candidate.choices);
  }
  double measure(const Candidate &candidate) const {
    return measureIn(space, candidate);
  }

  /// Best latency after each trial.
  static std::vector<double> run(const SearchSpace &space,
                                 const SearchStrategy &strategy,
                                 unsigned trials, unsigned batch = 16) {
    History history;
    std::vector<double> best;
    while (history.size() < trials) {
      std::vector<Candidate> proposed = strategy.propose(batch, history);
      if (proposed.empty())
        break;
      for (const Candidate &candidate : proposed) {
        double seconds = measureIn(space, candidate);
        history.add(candidate, seconds);
        best.push_back(std::min(best.empty() ? seconds : best.back(), seconds));
      }
    }
    return best;
  }

  SyntheticSketch first = makeMatmulSketch(), second = makeOtherSketch();
  SearchSpace space;
  SyntheticModel model;
};

} // namespace

TEST_F(Search, SamplesAreLegalAndVaried) {
  Sampler sampler(space);
  Rng rng(1);
  llvm::DenseSet<uint64_t> seen;
  unsigned inFirst = 0;
  for (unsigned i = 0; i != 2000; ++i) {
    Candidate candidate;
    ASSERT_TRUE(sampler.sample(rng, candidate));
    ASSERT_TRUE(space.contains(candidate));
    ASSERT_TRUE(space.isLegal(candidate));
    inFirst += candidate.sketch == 0;
    if (candidate.sketch == 0)
      seen.insert(candidate.hash());
  }
  EXPECT_NEAR(inFirst, 1000, 150);
  EXPECT_GT(seen.size(), 900u);
}

TEST_F(Search, RepairReachesRareLegalCandidates) {
  // One in 8^6 is legal; plain rejection would need about 260,000 draws.
  std::vector<Decision> decisions;
  for (unsigned i = 0; i != 6; ++i)
    decisions.push_back(makeCategorical("d" + std::to_string(i), 8));
  SyntheticSketch rare(
      decisions,
      [](const SyntheticSketch::Values &v) {
        for (int i = 0; i != 6; ++i)
          if (v(i, 0) != 3)
            return i;
        return -1;
      },
      [](const SyntheticSketch::Values &) { return 1.0; },
      [](const SyntheticSketch::Values &) { return 1.0; });
  SearchSpace rareSpace({&rare});
  Sampler sampler(rareSpace);
  Rng rng(1);
  unsigned found = 0;
  Candidate candidate;
  for (unsigned i = 0; i != 20; ++i)
    found += sampler.sample(rng, candidate);
  EXPECT_GT(found, 0u);
}

TEST_F(Search, WhatRepairGivesUpOnIsReported) {
  // The first is easy, the second one in 5,000, the third never looked at.
  auto one = [](const SyntheticSketch::Values &) { return 1.0; };
  SyntheticSketch rare(
      {makeCategorical("a", 2), makeCategorical("b", 5000),
       makeCategorical("c", 2)},
      [](const SyntheticSketch::Values &v) {
        return v(0, 0) != 0 ? 0 : v(1, 0) != 0 ? 1 : v(2, 0) != 0 ? 2 : -1;
      },
      one, one);
  SearchSpace rareSpace({&rare});
  ProposalReport report;
  Rng rng(1);
  Candidate candidate;
  unsigned made = 0;
  for (unsigned i = 0; i != 20; ++i) {
    candidate = rareSpace.getDefault(0);
    candidate.choices[1] = 1;
    made += Sampler(rareSpace, &report).repair(candidate, rng);
  }
  ASSERT_EQ(report.unrepaired.size(), 1u);
  const auto &[key, given] = *report.unrepaired.begin();
  EXPECT_EQ(key, (std::pair<unsigned, int>(0, 1)));
  EXPECT_EQ(given.count, 20 - made);
  EXPECT_GT(given.count, 10u);
  int failed = -1;
  EXPECT_FALSE(rare.isLegal(given.example.choices, &failed));
  EXPECT_EQ(failed, 1);
  // What can be repaired is not in it, nor is anything without a report.
  report = ProposalReport();
  candidate = rareSpace.getDefault(0);
  candidate.choices[1] = 1;
  Sampler(rareSpace).repair(candidate, rng);
  SyntheticSketch easy(
      {makeCategorical("a", 2)},
      [](const SyntheticSketch::Values &v) { return v(0, 0) != 0 ? 0 : -1; },
      one, one);
  SearchSpace easySpace({&easy});
  candidate = easySpace.getDefault(0);
  candidate.choices[0] = 1;
  EXPECT_TRUE(Sampler(easySpace, &report).repair(candidate, rng));
  EXPECT_TRUE(report.unrepaired.empty());
}

TEST_F(Search, ImpossibleSketchGivesNothing) {
  auto one = [](const SyntheticSketch::Values &) { return 1.0; };
  SyntheticSketch never(
      {makeCategorical("a", 3)},
      [](const SyntheticSketch::Values &) { return 0; }, one, one);
  SearchSpace empty({&never});
  Rng rng(1);
  Candidate candidate;
  EXPECT_FALSE(Sampler(empty).sample(rng, candidate));
  History history;
  EXPECT_TRUE(RandomSearch(empty, 1).propose(4, history).empty());
  EXPECT_TRUE(GridSearch(empty).propose(4, history).empty());
  EvolutionarySearch search(empty, model, 1);
  EXPECT_TRUE(search.propose(4, history).empty());
  EXPECT_FALSE(search.guessBest(history));
  EvolutionOptions evolve;
  evolve.enumerateUpTo = 0;
  EXPECT_TRUE(
      EvolutionarySearch(empty, model, 1, evolve).propose(4, history).empty());
}

TEST_F(Search, MutationsAreLegalAndClose) {
  Sampler sampler(space);
  Mutator mutator(space);
  Rng rng(2);
  Candidate parent, child;
  unsigned made = 0, single = 0;
  for (unsigned i = 0; i != 1000; ++i) {
    ASSERT_TRUE(sampler.sampleSketch(0, rng, parent));
    if (!mutator.mutate(parent, rng, child))
      continue;
    ++made;
    ASSERT_TRUE(space.isLegal(child));
    ASSERT_NE(child, parent);
    unsigned differing = 0;
    for (size_t d = 0; d != child.choices.size(); ++d)
      differing += child.choices[d] != parent.choices[d];
    single += differing == 1;
  }
  EXPECT_GT(made, 950u);
  EXPECT_GT(single, 450u);
}

TEST_F(Search, SketchChangeKeepsDecisionsOfTheSameName) {
  Mutator mutator(space);
  Rng rng(3);
  Candidate parent = space.getDefault(0), child;
  parent.choices[2] = 7; // kc = 1024
  parent.choices[5] = 4; // order
  ASSERT_TRUE(mutator.changeSketch(parent, rng, child));
  EXPECT_EQ(child.sketch, 1);
  EXPECT_EQ(child.choices[0], 4);
  EXPECT_EQ(child.choices[1], 2); // 1000 is the nearest to 1024
  EXPECT_EQ(space.translate(parent, 1, 2), std::nullopt);
}

TEST_F(Search, CrossTakesFromBoth) {
  Mutator mutator(space);
  Rng rng(4);
  Candidate a = space.getDefault(1), b = a, child;
  for (size_t d = 0; d != b.choices.size(); ++d)
    b.choices[d] = 1;
  unsigned mixed = 0;
  for (unsigned i = 0; i != 200; ++i) {
    ASSERT_TRUE(mutator.cross(a, b, rng, child));
    for (size_t d = 0; d != child.choices.size(); ++d)
      ASSERT_TRUE(child.choices[d] == a.choices[d] ||
                  child.choices[d] == b.choices[d]);
    mixed += child != a && child != b;
  }
  EXPECT_NEAR(mixed, 150, 30); // 3 decisions: 6 of 8 outcomes are mixed
}

TEST_F(Search, NeighboursAreComplete) {
  Mutator mutator(space);
  std::vector<Candidate> neighbours;
  mutator.getNeighbours(space.getDefault(1), neighbours);
  // 5 other orders, one step of kc, one other of "own".
  EXPECT_EQ(neighbours.size(), 7u);
}

TEST_F(Search, GridVisitsEverythingOnce) {
  SearchSpace small({&second});
  GridSearch grid(small);
  History history;
  unsigned total = 0;
  while (true) {
    std::vector<Candidate> batch = grid.propose(5, history);
    if (batch.empty())
      break;
    if (total == 0)
      EXPECT_EQ(batch[0], small.getDefault(0));
    for (const Candidate &candidate : batch) {
      ASSERT_FALSE(history.contains(candidate));
      history.add(candidate, 1);
      ++total;
    }
  }
  EXPECT_EQ(total, 6u * 3 * 2);
  EXPECT_EQ(small.size(), 36u);
}

TEST_F(Search, ProposalsAreLegalNewAndDistinct) {
  EvolutionarySearch evolution(space, model, 9);
  RandomSearch random(space, 9);
  for (const SearchStrategy *strategy :
       {static_cast<const SearchStrategy *>(&evolution),
        static_cast<const SearchStrategy *>(&random)}) {
    History history;
    for (unsigned round = 0; round != 3; ++round) {
      std::vector<Candidate> batch = strategy->propose(16, history);
      ASSERT_EQ(batch.size(), 16u);
      if (round == 0) {
        EXPECT_EQ(batch[0], space.getDefault(0));
        EXPECT_EQ(batch[1], space.getDefault(1));
      }
      for (const Candidate &candidate : batch) {
        ASSERT_TRUE(space.isLegal(candidate));
        ASSERT_FALSE(history.contains(candidate));
        history.add(candidate,
                    round == 1 ? Measurement::kFailed : measure(candidate));
      }
    }
    EXPECT_EQ(history.size(), 48u);
  }
}

TEST_F(Search, ExhaustsASmallSpace) {
  SearchSpace small({&second});
  EvolutionOptions evolve;
  evolve.enumerateUpTo = 0;
  for (EvolutionOptions options : {EvolutionOptions(), evolve}) {
    EvolutionarySearch search(small, model, 1, options);
    EXPECT_EQ(run(small, search, 1000).size(), 36u);
  }
}

TEST_F(Search, SameSeedSameProposal) {
  History history;
  for (const Candidate &candidate :
       EvolutionarySearch(space, model, 5).propose(16, history))
    history.add(candidate, measure(candidate));
  std::vector<Candidate> once =
      EvolutionarySearch(space, model, 5).propose(16, history);
  EXPECT_EQ(EvolutionarySearch(space, model, 5).propose(16, history), once);
  EXPECT_NE(EvolutionarySearch(space, model, 6).propose(16, history), once);
}

TEST_F(Search, EvolutionBeatsRandomByFar) {
  unsigned evolutionTrials = 64, randomTrials = 640;
  double worst = 0, randomBest = 1;
  for (uint64_t seed = 0; seed != 3; ++seed) {
    EvolutionarySearch evolution(space, model, seed);
    worst = std::max(worst, run(space, evolution, evolutionTrials).back());
    RandomSearch random(space, seed);
    randomBest = std::min(randomBest, run(space, random, randomTrials).back());
  }
  // Three seeds with 64 trials each, against the best of three with ten times
  // as many.
  EXPECT_LT(worst, randomBest);
  EXPECT_LT(worst, 1.1 * kOptimum);
}

TEST_F(Search, WithoutAModelMeasurementsStillLead) {
  double calibrated = 0, random = 0;
  for (uint64_t seed = 0; seed != 3; ++seed) {
    RandomModel blind(seed);
    EvolutionarySearch search(space, blind, seed);
    calibrated += run(space, search, 128).back();
    random += run(space, RandomSearch(space, seed), 128).back();
  }
  EXPECT_LT(calibrated, 0.9 * random);
}

TEST_F(Search, CalibrationLearnsWhatTheModelLacks) {
  EvolutionOptions plain;
  plain.calibrate = false;
  double with = 0, without = 0;
  for (uint64_t seed = 0; seed != 5; ++seed) {
    with += run(space, EvolutionarySearch(space, model, seed), 48).back();
    without +=
        run(space, EvolutionarySearch(space, model, seed, plain), 48).back();
  }
  EXPECT_LT(with, without);
}

TEST_F(Search, CalibrationMeetsItsMeasurements) {
  // The model is off by a factor of 4 wherever "order" is 0.
  History history;
  std::vector<double> logScores;
  Rng rng(1);
  Sampler sampler(space);
  for (unsigned i = 0; i != 40; ++i) {
    Candidate candidate;
    ASSERT_TRUE(sampler.sampleSketch(0, rng, candidate));
    double seconds = candidate.choices[5] == 0 ? 4e-3 : 1e-3;
    history.add(candidate, seconds);
    logScores.push_back(0);
  }
  Calibration calibration(space, history, logScores);
  EXPECT_GT(calibration.getDeviation(), 0.2);
  double bad = 0, good = 0;
  for (unsigned i = 0; i != 200; ++i) {
    Candidate candidate;
    ASSERT_TRUE(sampler.sampleSketch(0, rng, candidate));
    candidate.choices[5] = 0;
    bad += calibration.correction(candidate);
    candidate.choices[5] = 4;
    good += calibration.correction(candidate);
  }
  EXPECT_LT(bad / 200, good / 200 - 0.3);

  // At a measured candidate little uncertainty is left, elsewhere more; other
  // sketches are not touched.
  auto variance = [&](const Candidate &candidate) {
    std::vector<double> vector;
    calibration.whiten(candidate, vector);
    double result = 1;
    for (double x : vector)
      result -= x * x;
    return result;
  };
  EXPECT_LT(variance(history.getMeasurements()[0].candidate),
            2 * Calibration::kNoise);
  EXPECT_NEAR(variance(space.getDefault(1)), 1, 1e-9);
  EXPECT_EQ(calibration.correction(space.getDefault(1)), 0);
}

TEST_F(Search, CalibrationKeepsToItsRoom) {
  // More measurements than are used, most of them failed.
  History history;
  std::vector<double> logScores;
  Rng rng(1);
  Sampler sampler(space);
  while (history.size() < 3 * Calibration::kMaxPoints) {
    Candidate candidate;
    ASSERT_TRUE(sampler.sampleSketch(0, rng, candidate));
    if (history.contains(candidate))
      continue;
    history.add(candidate, history.size() % 5 ? Measurement::kFailed : 1e-3);
    logScores.push_back(0);
  }
  Calibration calibration(space, history, logScores);
  std::vector<double> vector;
  calibration.whiten(space.getDefault(0), vector);
  EXPECT_EQ(vector.size(), Calibration::kMaxPoints);
  for (const Measurement &entry : history.getMeasurements())
    ASSERT_TRUE(std::isfinite(calibration.correction(entry.candidate)));
}

TEST_F(Search, GuessFollowsTheModel) {
  EvolutionarySearch search(space, model, 1);
  std::optional<Candidate> guess = search.guessBest(History());
  ASSERT_TRUE(guess);
  Evaluation evaluation;
  space.getSketch(guess->sketch).evaluate(guess->choices, evaluation);
  ASSERT_TRUE(evaluation.legal());
  EXPECT_NEAR(evaluation.features.values[0], 1, 1e-6); // the model's optimum
}

TEST_F(Search, GuessHasLittleCode) {
  // Eight times the code for the fastest choice, and for each one after it.
  auto guess = [](double gain) {
    SyntheticSketch sketch(
        {makeCategorical("way", 4)},
        [](const SyntheticSketch::Values &) { return -1; },
        [](const SyntheticSketch::Values &) { return 1.0; },
        [=](const SyntheticSketch::Values &v) {
          return v(0, 0) == 2 ? 1 : 1 + gain;
        });
    sketch.copiesOf = [](const SyntheticSketch::Values &v) {
      return v(0, 0) < 2 ? 1.0 : 8.0;
    };
    SearchSpace space({&sketch});
    SyntheticModel model;
    return EvolutionarySearch(space, model, 1).guessBest(History());
  };
  std::optional<Candidate> little = guess(0.05), much = guess(0.15);
  ASSERT_TRUE(little && much);
  EXPECT_LT(little->choices[0], 2);
  EXPECT_EQ(much->choices[0], 2);
}

TEST_F(Search, HashIsStable) {
  Candidate candidate;
  candidate.sketch = 2;
  candidate.choices = {1, 0, 65535};
  EXPECT_EQ(candidate.hash(), candidate.hash());
  Candidate other = candidate;
  other.choices[1] = 1;
  EXPECT_NE(candidate.hash(), other.hash());
  other = candidate;
  other.sketch = 1;
  EXPECT_NE(candidate.hash(), other.hash());
}

TEST_F(Search, AProposalIsQuick) {
  History history;
  EvolutionarySearch search(space, model, 1);
  for (unsigned i = 0; i != 8; ++i)
    for (const Candidate &candidate :
         RandomSearch(space, i).propose(16, history))
      history.add(candidate, measure(candidate));
  auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(search.propose(16, history).size(), 16u);
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  RecordProperty("seconds", std::to_string(seconds));
  // A bound on the order of magnitude only: the machine may be busy.
  EXPECT_LT(seconds, 3);
}
