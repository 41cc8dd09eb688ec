//===- StrategyTest.cpp - Draft and verify, seeds, kinds of strategies ----===//

#include "SchedOpt/Search/DefaultSearch.h"
#include "SchedOpt/Search/GridSearch.h"
#include "SchedOpt/Search/Mutation.h"
#include "SchedOpt/Search/Mutator.h"
#include "SchedOpt/Search/RandomSearch.h"
#include "SchedOpt/Search/ReplaySearch.h"
#include "SchedOpt/Search/Sampler.h"
#include "SchedOpt/Search/StrategyKind.h"
#include "SyntheticSpace.h"
#include "llvm/ADT/DenseSet.h"
#include "gtest/gtest.h"

using namespace sched;
using namespace sched::test;

namespace {

class Strategy : public ::testing::Test {
protected:
  Strategy() : space({&sketch}) {}

  double measure(const Candidate &candidate) const {
    return sketch.measure(candidate.choices);
  }
  double getBest(const std::vector<Candidate> &batch) const {
    double best = Measurement::kFailed;
    for (const Candidate &candidate : batch)
      best = std::min(best, measure(candidate));
    return best;
  }
  History measureAll(const std::vector<Candidate> &batch) const {
    History history;
    for (const Candidate &candidate : batch)
      history.add(candidate, measure(candidate));
    return history;
  }

  SyntheticSketch sketch = makeMatmulSketch();
  SearchSpace space;
  SyntheticModel draft;
  RowModel model;
};

/// Counts what it is asked.
class CountingModel final : public CostModel {
public:
  llvm::StringRef name() const override { return "counting"; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    asked += batch.size();
    SyntheticModel().predict(batch, scores);
  }
  mutable unsigned asked = 0;
};

/// Takes the slow for the fast, and leaves `share` of the say to the draft.
class ContraryModel final : public CostModel {
public:
  explicit ContraryModel(double share) : share(share) {}
  llvm::StringRef name() const override { return "contrary"; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    SyntheticModel().predict(batch, scores);
    for (double &score : scores)
      score = 1 / score;
  }
  double getDraftShare(size_t numMeasured) const override {
    wasMeasured = numMeasured != 0;
    return share;
  }
  mutable bool wasMeasured = false;

private:
  double share;
};

} // namespace

TEST_F(Strategy, TheDraftIsVerifiedByTheModel) {
  EvolutionOptions options;
  ProposalReport report;
  EvolutionarySearch search(space, draft, model, 1, options);
  std::vector<Candidate> batch = search.propose(16, History(), &report);
  ASSERT_EQ(batch.size(), 16u);
  EXPECT_EQ(batch.front(), space.getDefault(0));
  // What the draft cannot know of all these, the model finds among few.
  const double drafted =
      getBest(EvolutionarySearch(space, draft, 1).propose(16, History()));
  EXPECT_LT(getBest(batch), 0.9 * drafted);
  EXPECT_GT(report.drafted, 4 * options.population);
  EXPECT_LE(report.ranked, options.verified + options.refined);
  EXPECT_GE(report.ranked, options.verified);
  EXPECT_EQ(sketch.described, report.ranked);
  // Its scores are the model's, those of the others the draft's.
  ASSERT_EQ(report.generations.size(), 6u);
  for (size_t i = 0; i != 5; ++i)
    EXPECT_EQ(report.generations[i].kind, GenerationKind::Bred);
  EXPECT_EQ(report.generations[5].kind, GenerationKind::Refined);
}

TEST_F(Strategy, ADraftHasTheSayThatTheModelLeavesIt) {
  auto predict = [&](const std::optional<Candidate> &candidate) {
    Evaluation evaluation;
    sketch.evaluate(candidate->choices, evaluation);
    return evaluation.features.values[0];
  };
  const double drafted = predict(EvolutionarySearch(space, draft, 1).guess());
  const ContraryModel alone(0), little(0.4), most(0.6);
  EXPECT_GT(predict(EvolutionarySearch(space, draft, alone, 1).guess()),
            drafted);
  EXPECT_GT(predict(EvolutionarySearch(space, draft, little, 1).guess()),
            drafted);
  EXPECT_LE(predict(EvolutionarySearch(space, draft, most, 1).guess()),
            drafted);

  // It is told whether anything was measured.
  EvolutionarySearch search(space, draft, most, 1);
  const std::vector<Candidate> batch = search.propose(16, History());
  EXPECT_FALSE(most.wasMeasured);
  search.propose(16, measureAll(batch));
  EXPECT_TRUE(most.wasMeasured);
}

TEST_F(Strategy, TheLastDescentsAreAGenerationOfTheirOwn) {
  EvolutionOptions options;
  options.finishes = 2;
  ProposalReport report;
  EvolutionarySearch(space, draft, 1, options).propose(16, History(), &report);
  ASSERT_EQ(report.generations.size(), 6u);
  const GenerationReport &bred = report.generations[4],
                         &last = report.generations[5];
  EXPECT_EQ(bred.kind, GenerationKind::Bred);
  EXPECT_EQ(last.kind, GenerationKind::Descent);
  EXPECT_GE(last.best, bred.best);
  EXPECT_GE(last.population, 1u);
  EXPECT_LT(last.population, 10u);
}

TEST_F(Strategy, MeasuredOnesAndTheirNeighboursAreVerified) {
  // None of them is anything that the draft would choose.
  History history;
  Rng rng(7);
  Sampler sampler(space);
  Candidate candidate;
  while (history.size() < 16) {
    ASSERT_TRUE(sampler.sample(rng, candidate));
    history.add(candidate, measure(candidate));
  }
  history.add(space.getDefault(0), measure(space.getDefault(0)));
  EvolutionOptions options;
  options.localShare = 1;
  ProposalReport report;
  std::vector<Candidate> batch =
      EvolutionarySearch(space, draft, model, 1, options)
          .propose(16, history, &report);
  ASSERT_EQ(report.batch.size(), batch.size());
  unsigned local = 0;
  const Candidate &fastest =
      history.getMeasurements()[history.getFastest(1)[0]].candidate;
  for (const PickReport &pick : report.batch) {
    if (pick.reason != PickReason::Local)
      continue;
    ++local;
    unsigned differing = 0;
    for (size_t d = 0; d != fastest.choices.size(); ++d)
      differing += pick.candidate.choices[d] != fastest.choices[d];
    EXPECT_EQ(differing, 1u);
    EXPECT_TRUE(std::isfinite(pick.score));
  }
  EXPECT_GT(local, 8u);
}

TEST_F(Strategy, OneModelIsAskedOnceOfEach) {
  CountingModel counting;
  ProposalReport report;
  EvolutionarySearch(space, counting, counting, 1)
      .propose(16, History(), &report);
  EXPECT_EQ(counting.asked, report.drafted);
  EXPECT_EQ(report.ranked, 0u);
  EXPECT_EQ(sketch.described, 0u);
}

TEST_F(Strategy, TwoModelsProposeTheSameAgain) {
  EvolutionarySearch search(space, draft, model, 5);
  std::vector<Candidate> first = search.propose(16, History());
  History history = measureAll(first);
  std::vector<Candidate> second = search.propose(16, history);
  EvolutionarySearch again(space, draft, model, 5);
  EXPECT_EQ(again.propose(16, History()), first);
  EXPECT_EQ(again.propose(16, history), second);
  EXPECT_EQ(again.guess(), search.guess());
  EXPECT_LT(measure(*search.guess()), 1.2 * kOptimum);
}

TEST_F(Strategy, WhatTheModelDoubtsIsLookedInto) {
  // It doubts one in four of what the draft would have it see.
  auto isDoubtful = [](double feature) {
    return std::fmod(std::floor(feature * 1000), 4) == 1;
  };
  auto countDoubtful = [&] {
    ProposalReport report;
    EvolutionarySearch(space, draft, model, 3).propose(16, History(), &report);
    unsigned doubtful = 0;
    for (const PickReport &pick : report.batch) {
      if (pick.reason != PickReason::Optimistic)
        continue;
      Evaluation evaluation;
      sketch.evaluate(pick.candidate.choices, evaluation);
      doubtful += isDoubtful(evaluation.features.values[0]);
    }
    return doubtful;
  };
  EXPECT_LT(countDoubtful(), 7u);
  model.doubtOf = [&](const FeatureVector &features) {
    return isDoubtful(features.values[0]) ? 2.0 : 0.0;
  };
  EXPECT_GT(countDoubtful(), 11u);
}

TEST_F(Strategy, DescentsFindWhatFits) {
  // With a population so small that evolution alone does not get there.
  EvolutionOptions options;
  options.population = 32;
  options.elites = 8;
  options.generations = 0;
  double with = 0, without = 0;
  for (uint64_t seed = 0; seed != 5; ++seed) {
    for (unsigned descents : {2u, 0u}) {
      options.descents = descents;
      EvolutionarySearch search(space, draft, seed, options);
      Evaluation evaluation;
      sketch.evaluate(search.guess()->choices, evaluation);
      (descents ? with : without) += evaluation.features.values[0] / 5;
    }
  }
  EXPECT_LT(with, 1.01); // the model's optimum is 1
  EXPECT_GT(without, 1.05);
}

TEST_F(Strategy, FinishesAreAsGoodAsTheirNeighbours) {
  // Too little of an evolution to end there by itself.
  EvolutionOptions options;
  options.population = 32;
  options.elites = 8;
  options.generations = 1;
  options.descents = 0;
  auto score = [&](const Candidate &candidate) {
    Evaluation evaluation;
    sketch.evaluate(candidate.choices, evaluation);
    return evaluation.features.values[0];
  };
  Mutator mutator(space);
  double with = 0, without = 0;
  unsigned betterWith = 0, betterWithout = 0;
  for (uint64_t seed = 0; seed != 5; ++seed)
    for (unsigned finishes : {2u, 0u}) {
      options.finishes = finishes;
      const Candidate guess =
          *EvolutionarySearch(space, draft, seed, options).guess();
      (finishes ? with : without) += score(guess) / 5;
      std::vector<Candidate> neighbours;
      mutator.getNeighbours(guess, neighbours);
      for (const Candidate &neighbour : neighbours)
        (finishes ? betterWith : betterWithout) +=
            score(neighbour) < 0.9999f * score(guess);
    }
  EXPECT_EQ(betterWith, 0u);
  EXPECT_GT(betterWithout, 0u);
  EXPECT_LT(with, 1.01); // the model's optimum is 1
  EXPECT_GT(without, 1.05);
}

TEST_F(Strategy, AReportSaysHowItCameAbout) {
  EvolutionarySearch search(space, draft, 2);
  ProposalReport report;
  std::vector<Candidate> batch = search.propose(16, History(), &report);
  EXPECT_FALSE(report.enumerated);
  EXPECT_GT(report.sampled, 1000u);
  EXPECT_GT(report.seeds, 0u);
  ASSERT_EQ(report.generations.size(), 5u);
  for (size_t i = 1; i != 5; ++i) {
    EXPECT_EQ(report.generations[i].population, 2048u);
    EXPECT_GE(report.generations[i].best, report.generations[i - 1].best);
    EXPECT_GE(report.generations[i].best, report.generations[i].median);
  }
  EXPECT_GT(report.generations[4].median, report.generations[0].median);
  for (const char *move :
       {"size", "choice", "tile", "layout", "several", "crossover"}) {
    EXPECT_GT(report.moves[move].kept, 0u) << move;
    EXPECT_LE(report.moves[move].improved, report.moves[move].kept) << move;
  }
  EXPECT_EQ(report.moves.count("order"), 0u); // there is no permutation
  unsigned single = 0;
  for (const auto &[key, count] : report.decisions)
    single += count.kept;
  EXPECT_EQ(single, report.moves["size"].kept + report.moves["choice"].kept +
                        report.moves["tile"].kept +
                        report.moves["layout"].kept);
  ASSERT_EQ(report.refusals.size(), 2u);
  for (const auto &[key, refusal] : report.refusals) {
    int failed = -1;
    EXPECT_FALSE(sketch.isLegal(refusal.example.choices, &failed));
    EXPECT_EQ(failed, key.second);
  }
  ASSERT_EQ(report.batch.size(), batch.size());
  for (size_t i = 0; i != batch.size(); ++i)
    EXPECT_EQ(report.batch[i].candidate, batch[i]);
  EXPECT_EQ(report.batch[0].reason, PickReason::Default);
  EXPECT_TRUE(std::isinf(report.expectedGain)); // nothing is measured
}

TEST_F(Strategy, LessIsExpectedTheLongerItGoes) {
  EvolutionarySearch search(space, draft, 2);
  History history;
  std::vector<double> gains;
  for (unsigned round = 0; round != 12; ++round) {
    ProposalReport report;
    for (const Candidate &candidate : search.propose(16, history, &report))
      history.add(candidate, measure(candidate));
    gains.push_back(report.expectedGain);
  }
  EXPECT_GT(gains[1], 2 * gains[11]);
  EXPECT_GE(gains[11], 0);
}

namespace {
/// Sets the unroll factor to the largest.
class UnrollMost final : public Mutation {
public:
  llvm::StringRef getName() const override { return "unroll-most"; }
  double getPercent() const override { return 30; }
  bool apply(const SearchSpace &space, const Candidate &parent,
             const Candidate &, Rng &, Candidate &child) const override {
    child = parent;
    child.choices[3] = space.getTables(0)[3].size() - 1;
    return child != parent;
  }
};
} // namespace

TEST_F(Strategy, AMutationOfOnesOwnTakesPart) {
  UnrollMost mutation;
  EvolutionOptions options;
  options.mutations = {&mutation};
  ProposalReport report;
  EvolutionarySearch(space, draft, 2, options).propose(16, History(), &report);
  const MoveCount own = report.moves["unroll-most"];
  EXPECT_GT(own.kept, 100u);
  // It is a bad idea by this model, and refuses where there is nothing to do.
  EXPECT_LT(own.improved, own.kept / 4);
  EXPECT_GT(own.refused, 0u);
}

TEST_F(Strategy, NoProgramIsProposedTwice) {
  // "init" changes nothing.
  sketch.hashOf = [](llvm::ArrayRef<uint16_t> choices) {
    uint64_t hash = 1;
    for (uint16_t choice : choices.drop_back())
      hash = hash * 1000003 + choice;
    return hash;
  };
  std::vector<std::unique_ptr<SearchStrategy>> strategies;
  for (StrategyKind kind :
       {StrategyKind::Evolutionary, StrategyKind::Random, StrategyKind::Grid})
    strategies.push_back(makeStrategy(kind, {space, draft, draft, 4}));
  std::vector<Candidate> given;
  Rng rng(3);
  Sampler sampler(space);
  for (unsigned i = 0; i != 64; ++i) {
    ASSERT_TRUE(sampler.sample(rng, given.emplace_back()));
    given.push_back(given.back());
    given.back().choices.back() ^= 1;
  }
  strategies.push_back(
      makeStrategy(StrategyKind::Replay, {space, draft, draft, 4, {}, given}));
  for (const auto &strategy : strategies) {
    History history;
    llvm::DenseSet<uint64_t> programs;
    for (unsigned round = 0; round != 3; ++round)
      for (const Candidate &candidate : strategy->propose(16, history)) {
        EXPECT_TRUE(programs.insert(space.hashProgram(candidate)).second);
        history.add(candidate, measure(candidate));
      }
    EXPECT_EQ(history.size(), 48u);
  }
}

TEST_F(Strategy, ReplayGivesWhatItWasGiven) {
  std::vector<Candidate> given(3, space.getDefault(0));
  for (unsigned i = 0; i != 3; ++i)
    given[i].choices[3] = 2 - i;
  ReplaySearch replay(space, given);
  EXPECT_EQ(replay.guess(), given[0]);
  // The default is first; here it is the last given one, too.
  std::vector<Candidate> expected = {given[2], given[0], given[1]};
  EXPECT_EQ(replay.propose(16, History()), expected);
  EXPECT_EQ(replay.propose(16, measureAll({given[2], given[0]})),
            std::vector<Candidate>{given[1]});
  EXPECT_TRUE(replay.propose(16, measureAll(expected)).empty());
  EXPECT_EQ(ReplaySearch(space, {}).guess(), space.getDefault(0));
}

TEST_F(Strategy, NoSearchIsTheDefault) {
  DefaultSearch none(space);
  EXPECT_EQ(none.propose(16, History()),
            std::vector<Candidate>{space.getDefault(0)});
  EXPECT_TRUE(none.propose(16, measureAll({space.getDefault(0)})).empty());
  EXPECT_EQ(none.guess(), space.getDefault(0));
}

TEST_F(Strategy, TheDefaultIsTriedOnOneThread) {
  Decision threads = makeOrdered("t", {1, 2, 4}, 2);
  threads.role = DecisionRole::Parallel;
  const auto latency = [](const SyntheticSketch::Values &of) {
    return 1.0 / double(of(0, 0) * of(1, 0));
  };
  bool isAlwaysLegal = true;
  // Which dimension they share is no number of them.
  Decision dim = makeOrdered("dim", {0, 1, 2}, 2);
  dim.role = DecisionRole::Parallel;
  SyntheticSketch shared(
      {threads, makeOrdered("size", {1, 2, 3, 4, 5, 6, 7, 8}, 3), dim},
      [&](const SyntheticSketch::Values &of) {
        return isAlwaysLegal || of(0, 0) != 1 ? -1 : 0;
      },
      latency, latency);
  SearchSpace sharedSpace({&shared});
  EvolutionOptions options;
  options.randomShare = 0;
  EvolutionarySearch search(sharedSpace, draft, 1, options);
  Candidate unshared = sharedSpace.getDefault(0);
  unshared.choices[0] = 0;
  std::vector<Candidate> batch = search.propose(4, History());
  ASSERT_EQ(batch.size(), 4u);
  EXPECT_EQ(batch[0], sharedSpace.getDefault(0));
  EXPECT_EQ(batch[1], unshared);
  // The model has its say in the others.
  for (size_t i = 2; i != 4; ++i)
    EXPECT_EQ(batch[i].choices[0], 2);
  isAlwaysLegal = false;
  for (const Candidate &candidate : search.propose(4, History()))
    EXPECT_NE(candidate.choices[0], 0);
}

TEST_F(Strategy, NamesOfStrategies) {
  for (const char *name : {"evolutionary", "random", "grid", "replay", "none"})
    EXPECT_TRUE(bool(parseStrategy(name)));
  llvm::Expected<StrategyKind> unknown = parseStrategy("greedy");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown strategy 'greedy'; expected evolutionary, random, grid, "
            "replay or none");
}
