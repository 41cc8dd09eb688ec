//===- SearchLogTest.cpp - The log of a search ----------------------------===//

#include "SchedOpt/Tuning/SearchLog.h"
#include "TunerTest.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <thread>

using namespace sched;
using namespace sched::test;

namespace {

class SearchLogTest : public TunerTest {
protected:
  SearchLogTest() { options.trials = 48; }

  /// The lines of the file.
  std::vector<llvm::json::Object> load(llvm::StringRef path) {
    std::vector<llvm::json::Object> lines;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      ADD_FAILURE() << path.str();
      return lines;
    }
    llvm::SmallVector<llvm::StringRef> texts;
    (*buffer)->getBuffer().split(texts, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef text : texts) {
      llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
      if (!value || !value->getAsObject()) {
        ADD_FAILURE() << text.str();
        return lines;
      }
      lines.push_back(*value->getAsObject());
    }
    return lines;
  }
  bool says(llvm::StringRef text) const {
    return llvm::StringRef(output).contains(text);
  }

  TemporaryDirectory directory;
};

} // namespace

TEST_F(SearchLogTest, EachRoundIsALineOfTheFile) {
  options.searchLogPath = (directory.str() + "/search-log.jsonl").str();
  TuningResult result = run(measurer);
  std::vector<llvm::json::Object> rounds = load(options.searchLogPath);
  ASSERT_EQ(rounds.size(), 3u);
  for (unsigned i = 0; i != 3; ++i) {
    llvm::json::Object &round = rounds[i];
    EXPECT_EQ(round.getString("task"), "matmul");
    EXPECT_EQ(round.getInteger("round"), i);
    EXPECT_EQ(round.getInteger("trials"), 16 * (i + 1));
    EXPECT_EQ(round.getArray("sketches")->size(), 1u);
    EXPECT_EQ(round.getArray("generations")->size(), 5u);
    EXPECT_GT(*round.getInteger("drafted"), 8000);
    EXPECT_GT(*round.getObject("moves")->getObject("size")->getInteger("kept"),
              0);
    EXPECT_EQ(round.getArray("refusals")->size(), 2u);
    const llvm::json::Array &batch = *round.getArray("batch");
    ASSERT_EQ(batch.size(), 16u);
    // Its candidates are those that were measured, in this order.
    for (unsigned j = 0; j != 16; ++j)
      EXPECT_EQ(batch[j].getAsObject()->getString("trace"),
                llvm::StringRef(measurer.log[16 * i + j]));
    EXPECT_TRUE(round.getNumber("rank_correlation"));
  }
  EXPECT_EQ(rounds[0].get("expected_gain")->kind(), llvm::json::Value::Null);
  EXPECT_TRUE(rounds[2].getNumber("expected_gain"));
  EXPECT_NEAR(*rounds[2].getNumber("best_s"), result.seconds,
              0.02 * result.seconds);
  // A line a round on stderr, as ever.
  EXPECT_FALSE(says("rank correlation"));
}

TEST_F(SearchLogTest, LevelsOfTheText) {
  options.logLevel = LogLevel::Info;
  run(measurer);
  for (const char *text :
       {"matmul: 1 sketch\n", "7 decisions", "round 1, trials 16 to 32\n",
        "seeds from descents", "generation", "crossover", "predicted",
        "default", "local",
        "rank correlation of the model on this batch, before it learned from "
        "it: ",
        ", spread ", "; as corrected for this task: ", "best so far 1.",
        "expected gain of this batch", "draft 0."})
    EXPECT_TRUE(says(text)) << text << "\n" << output;
  EXPECT_FALSE(says("sketch0.kc"));
  EXPECT_FALSE(says("of sketch0: first"));

  output.clear();
  options.logLevel = LogLevel::Debug;
  FakeMeasurer again(sketch);
  run(again);
  // By decision; and each requirement in its own words, with an example.
  EXPECT_TRUE(says("sketch0.kc")) << output;
  EXPECT_TRUE(says("of sketch0: first; as ")) << output;
  EXPECT_TRUE(says("of sketch0: second; as ")) << output;
  // It is the same search.
  EXPECT_EQ(again.log, measurer.log);
}

TEST_F(SearchLogTest, FailuresAreInTheBatch) {
  options.logLevel = LogLevel::Info;
  options.searchLogPath = (directory.str() + "/log").str();
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    return candidate.choices[4] == 0
               ? FakeMeasurer::fail("crash", "run", "SIGSEGV")
               : measurer.succeed(candidate);
  };
  run(measurer);
  EXPECT_TRUE(says("  crash  "));
  EXPECT_FALSE(says("SIGSEGV"));
  unsigned failed = 0;
  for (const llvm::json::Object &round : load(options.searchLogPath))
    for (const llvm::json::Value &entry : *round.getArray("batch"))
      if (entry.getAsObject()->getString("error") == "crash") {
        ++failed;
        EXPECT_EQ(entry.getAsObject()->get("seconds")->kind(),
                  llvm::json::Value::Null);
        EXPECT_EQ(entry.getAsObject()->getString("stage"), "run");
        EXPECT_EQ(entry.getAsObject()->getString("message"), "SIGSEGV");
      }
  EXPECT_GT(failed, 0u);
}

TEST_F(SearchLogTest, AFailureSaysItsStageAtDebug) {
  options.logLevel = LogLevel::Debug;
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    // Of more than one line, and not of a text that JSON can hold.
    if (candidate.choices[4] == 0)
      return FakeMeasurer::fail("build-error", "lower", "no such\n\xff op\n");
    if (candidate.choices[4] == 1)
      return FakeMeasurer::fail("timeout", "run", "after 5 s");
    return measurer.succeed(candidate);
  };
  options.searchLogPath = (directory.str() + "/log").str();
  run(measurer);
  EXPECT_TRUE(says("\n    lower: no such\n      \xff op\n  ")) << output;
  EXPECT_TRUE(says("\n    run: after 5 s\n")) << output;
  EXPECT_EQ(load(options.searchLogPath).size(), 3u);
}

TEST_F(SearchLogTest, ARejectedTraceSaysItsStepAtDebug) {
  RecordFile file = directory.open();
  options.trials = 16;
  run(measurer, &file);
  // Sketches change, and what was legal is not any more.
  SyntheticSketch narrower = makeMatmulSketch();
  narrower.reasons = {"nothing is legal but the default"};
  narrower.limitToDefault = true;
  task = makeTask(narrower);
  task.explainMisfit = [](llvm::StringRef, llvm::StringRef) {
    return std::string("'kc' is missing");
  };
  options.logLevel = LogLevel::Debug;
  output.clear();
  FakeMeasurer second(narrower);
  run(second, &file);
  EXPECT_TRUE(says("refused by the requirement that nothing is legal but the "
                   "default\n"))
      << output;
  EXPECT_TRUE(says("\n  and ")) << output;

  task.parseTrace = [](llvm::StringRef, llvm::StringRef) {
    return std::nullopt;
  };
  output.clear();
  FakeMeasurer third(narrower);
  run(third, &file);
  EXPECT_TRUE(says(": 'kc' is missing\n")) << output;

  options.logLevel = LogLevel::Info;
  output.clear();
  FakeMeasurer fourth(narrower);
  run(fourth, &file);
  EXPECT_FALSE(says("'kc' is missing")) << output;
}

TEST_F(SearchLogTest, AReplayedTraceThatCannotBeRepairedSaysWhy) {
  RecordFile file = directory.open();
  options.trials = 16;
  run(measurer, &file);
  SyntheticSketch narrower = makeMatmulSketch();
  narrower.limitToDefault = true;
  task = makeTask(narrower, "matmul of another shape");
  options.strategy = StrategyKind::Replay;
  for (LogLevel level : {LogLevel::Debug, LogLevel::Info}) {
    options.logLevel = level;
    output.clear();
    FakeMeasurer other(narrower);
    run(other, &file);
    EXPECT_EQ(says("refused by the requirement that first\n"),
              level == LogLevel::Debug)
        << output;
  }
}

TEST_F(SearchLogTest, AnInterruptedRoundIsContinued) {
  options.searchLogPath = (directory.str() + "/log").str();
  RecordFile file = directory.open();
  measurer.afterEach = [&] { stop = measurer.measured == 20; };
  run(measurer, &file);
  stop = false;
  FakeMeasurer rest(sketch);
  run(rest, &file);
  std::vector<int64_t> trials;
  for (const llvm::json::Object &round : load(options.searchLogPath))
    trials.push_back(*round.getInteger("trials"));
  EXPECT_EQ(trials, (std::vector<int64_t>{16, 20, 32, 48}));
}

TEST_F(SearchLogTest, AFileThatCannotBeWrittenIsNotedOnce) {
  options.searchLogPath = (directory.str() + "/none/log").str();
  EXPECT_TRUE(run(measurer).measured);
  llvm::StringRef text = output;
  EXPECT_EQ(text.count("cannot write the search's log"), 1u) << output;
}

namespace {
/// Knows nothing of a candidate before it is told, and then all: its own
/// seconds, or that it fails.
class ByHeart final : public CostModel {
public:
  llvm::StringRef name() const override { return "by-heart"; }
  bool learns() const override { return true; }
  bool readsBlocks() const override { return true; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    for (size_t i = 0, e = batch.size(); i != e; ++i) {
      auto it = known.find(keyOf(batch, i));
      // Of others the opposite of what is right.
      scores[i] =
          it == known.end() ? batch.getBlocks(i)[0].values[0] : 1 / it->second;
    }
  }
  bool
  predictFailures(const FeatureBatch &batch,
                  llvm::MutableArrayRef<double> probabilities) const override {
    for (size_t i = 0, e = batch.size(); i != e; ++i)
      probabilities[i] = foresees && isSlow(batch, i) ? 0.9 : 0.1;
    return knowsFailures;
  }
  llvm::Error update(const FeatureBatch &batch, llvm::ArrayRef<double> seconds,
                     llvm::StringRef) override {
    for (size_t i = 0, e = batch.size(); i != e; ++i)
      known[keyOf(batch, i)] = seconds[i];
    return llvm::Error::success();
  }
  static bool isSlow(const FeatureBatch &batch, size_t i) {
    return batch.getBlocks(i)[0].values[0] > kSlow;
  }
  static constexpr double kSlow = 1.5 * kOptimum;
  bool foresees = false, knowsFailures = true;

private:
  static float keyOf(const FeatureBatch &batch, size_t i) {
    return batch.getBlocks(i)[0].values[0];
  }
  std::map<float, double> known;
};
} // namespace

TEST_F(SearchLogTest, AModelIsJudgedBeforeItLearns) {
  ByHeart byHeart;
  options.searchLogPath = (directory.str() + "/log").str();
  options.strategy = StrategyKind::Random;
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  auto result = Tuner(options, reporter).tune(task, byHeart, measurer, nullptr);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  std::vector<llvm::json::Object> rounds = load(options.searchLogPath);
  ASSERT_EQ(rounds.size(), 3u);
  for (const llvm::json::Object &round : rounds) {
    // It knows each of them now, and would have all in order.
    const llvm::json::Object &judged = *round.getObject("model");
    EXPECT_NEAR(*judged.getNumber("rank_correlation"), -1, 0.01);
    EXPECT_GT(*judged.getNumber("log_deviation"), 0.1);
    EXPECT_EQ(judged.getInteger("candidates"), 16);
    EXPECT_EQ(judged.getInteger("failed"), 0);
    // A random search has no scores of its own.
    EXPECT_EQ(round.get("rank_correlation")->kind(), llvm::json::Value::Null);
  }
}

namespace {
/// Takes its time: 20 ms to learn from a batch, 5 to rank.
class Slow final : public CostModel {
public:
  llvm::StringRef name() const override { return "slow"; }
  bool learns() const override { return true; }
  bool readsBlocks() const override { return true; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (size_t i = 0, e = batch.size(); i != e; ++i)
      scores[i] = -batch.getBlocks(i)[0].values[0];
  }
  llvm::Error update(const FeatureBatch &, llvm::ArrayRef<double>,
                     llvm::StringRef) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return llvm::Error::success();
  }
};
} // namespace

TEST_F(SearchLogTest, TimesOfTheModel) {
  Slow slow;
  options.searchLogPath = (directory.str() + "/log").str();
  options.strategy = StrategyKind::Random;
  RecordFile file = directory.open();
  auto tune = [&](unsigned trials) {
    options.trials = trials;
    FakeMeasurer fresh(sketch);
    ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
    auto result = Tuner(options, reporter).tune(task, slow, fresh, &file);
    llvm::consumeError(result.takeError());
  };
  tune(32);
  tune(64);
  std::vector<llvm::json::Object> rounds = load(options.searchLogPath);
  ASSERT_EQ(rounds.size(), 4u);
  for (unsigned i = 0; i != 4; ++i) {
    const llvm::json::Object &times = *rounds[i].getObject("times");
    EXPECT_GE(*times.getNumber("learn"), 0.02);
    EXPECT_GE(*times.getNumber("forecast"), 0.005);
    // The third round is the first of the second run, which had two batches to
    // learn from.
    if (i == 2)
      EXPECT_GE(*times.getNumber("replay"), 0.04);
    else
      EXPECT_LT(*times.getNumber("replay"), 0.03);
  }
}

TEST_F(SearchLogTest, FailuresThatWereForeseen) {
  ByHeart byHeart;
  byHeart.foresees = true;
  options.logLevel = LogLevel::Info;
  options.strategy = StrategyKind::Random;
  options.trials = 16;
  unsigned failed = 0;
  // All slow ones fail.
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    const bool isSlow = sketch.measure(candidate.choices) > ByHeart::kSlow;
    failed += isSlow;
    return isSlow ? FakeMeasurer::fail("crash", "run", "SIGSEGV")
                  : measurer.succeed(candidate);
  };
  auto tune = [&] {
    output.clear();
    failed = 0;
    FakeMeasurer fresh(sketch);
    fresh.behaviour = measurer.behaviour;
    ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
    auto result = Tuner(options, reporter).tune(task, byHeart, fresh, nullptr);
    llvm::consumeError(result.takeError());
  };
  tune();
  const std::string count = std::to_string(failed);
  EXPECT_GT(failed, 3u);
  EXPECT_TRUE(says("failures: " + count + " of 16, " + count +
                   " of them foreseen; 0 false alarms\n"))
      << output;

  byHeart.foresees = false;
  tune();
  EXPECT_TRUE(says("failures: " + count +
                   " of 16, 0 of them foreseen; 0 false alarms\n"))
      << output;
  byHeart.knowsFailures = false;
  tune();
  EXPECT_TRUE(says("failures: " + count + " of 16; the model foresees none\n"))
      << output;

  // None fails that is said to.
  byHeart.foresees = byHeart.knowsFailures = true;
  measurer.behaviour = nullptr;
  tune();
  EXPECT_TRUE(says("failures: 0 of 16, 0 of them foreseen; " + count +
                   " false alarms\n"))
      << output;
}

TEST_F(SearchLogTest, RankCorrelation) {
  auto correlate = [&](std::vector<double> scores,
                       std::vector<double> seconds) {
    ProposalReport proposal;
    TrialLog log;
    for (size_t i = 0; i != scores.size(); ++i) {
      Candidate candidate = task.space.getDefault(0);
      candidate.choices[2] = i;
      proposal.batch.emplace_back().candidate = candidate;
      proposal.batch.back().score = scores[i];
      Record record;
      record.verified = true;
      if (std::isfinite(seconds[i]))
        record.costsS = {seconds[i]};
      log.add(candidate, record);
    }
    return correlateRanks({task, 0, unsigned(scores.size()), 0, proposal, log});
  };
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(correlate({4, 3, 2, 1}, {1, 2, 3, 9}), 1.0);
  EXPECT_EQ(correlate({1, 2, 3, 4}, {1, 2, 3, 9}), -1.0);
  // Failures and what was not scored are left out.
  EXPECT_EQ(correlate({4, 9, 3, none, 2}, {1, Measurement::kFailed, 2, 7, 3}),
            1.0);
  // Kendall, Gibbons: equal values share their mean rank.
  EXPECT_NEAR(*correlate({4, 3, 3, 1}, {1, 2, 3, 4}), 0.9486833, 1e-6);
  EXPECT_EQ(correlate({1, 2}, {1, 2}), std::nullopt);
  EXPECT_EQ(correlate({1, 1, 1}, {1, 2, 3}), std::nullopt);
}
