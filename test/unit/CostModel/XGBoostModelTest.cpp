//===- XGBoostModelTest.cpp - What is learned, and kept -------------------===//

#include "SchedOpt/CostModel/XGBoostModel.h"
#include "LearnedData.h"
#include "SchedOpt/CostModel/CostModelFactory.h"
#include "SchedOpt/CostModel/PretrainedModel.h"
#include "SchedOpt/CostModel/TaskKind.h"
#include "SchedOpt/CostModel/Validation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fstream>
#include <sstream>
#include <thread>

using namespace sched;
using namespace sched::test;

namespace {

class LearnedModel : public WithXGBoost {
protected:
  std::unique_ptr<XGBoostModel> create(const LearningOptions &options = {},
                                       const ModelFile *start = nullptr) {
    auto model = XGBoostModel::create(library, makeTarget(), options, start);
    if (!model) {
      ADD_FAILURE() << llvm::toString(model.takeError());
      return nullptr;
    }
    return std::move(*model);
  }

  static void update(CostModel &model, const MeasuredTask &task,
                     llvm::StringRef name) {
    EXPECT_EQ(llvm::toString(model.update(task.batch, task.seconds, name)), "");
  }

  static std::vector<double> predict(const CostModel &model,
                                     const MeasuredTask &task) {
    std::vector<double> scores(task.batch.size());
    model.predict(task.batch, scores);
    return scores;
  }

  static double rank(const CostModel &model, const MeasuredTask &task) {
    return validate(model, task.batch, task.seconds).rankCorrelation;
  }

  /// A model that has been trained on two tasks.
  std::unique_ptr<XGBoostModel> createTrained(ObjectiveKind objective) {
    LearningOptions options;
    options.objective = objective;
    auto model = create(options);
    update(*model, measure(150, 1, 1, /*failureShare=*/0.1), "a");
    update(*model, measure(150, 2, 8, /*failureShare=*/0.1), "b");
    EXPECT_EQ(llvm::toString(model->train()), "");
    return model;
  }
};

} // namespace

TEST_F(LearnedModel, WithoutDataIsTheAnalyticModel) {
  const MeasuredTask task = measure(20, 3);
  EXPECT_EQ(create()->name(), "ensemble");
  const std::vector<double> scores = predict(*create(), task),
                            expected =
                                predict(AnalyticModel(makeTarget()), task);
  for (size_t i = 0; i != scores.size(); ++i)
    EXPECT_NEAR(scores[i] / expected[i], 1, 1e-12);
}

TEST_F(LearnedModel, LearnsWhatTheAnalyticModelDoesNotKnow) {
  const MeasuredTask unseen = measure(200, 77);
  const double before = rank(AnalyticModel(makeTarget()), unseen);
  for (ObjectiveKind objective : {ObjectiveKind::PackSum, ObjectiveKind::Rank})
    for (unsigned members : {1u, 4u}) {
      LearningOptions options;
      options.objective = objective;
      options.members = members;
      auto model = create(options);
      for (unsigned batch = 0; batch != 8; ++batch)
        update(*model, measure(16, 10 + batch), "a task");
      EXPECT_GT(rank(*model, unseen), before + 0.1)
          << getObjectiveName(objective).str() << ", " << members;
    }
}

TEST_F(LearnedModel, AFewMeasurementsDoNoHarm) {
  // All that is to know is known before.
  MeasuredTask exact = measure(16, 4), unseen = measure(200, 5);
  const AnalyticModel analytic(makeTarget());
  for (MeasuredTask *task : {&exact, &unseen})
    for (size_t i = 0; i != task->batch.size(); ++i)
      task->seconds[i] = analytic.seconds(task->batch.getPrograms()[i]);
  auto model = create();
  update(*model, exact, "a");
  EXPECT_GT(rank(*model, unseen), 0.95);
}

TEST_F(LearnedModel, ScoresArePositiveAndFinite) {
  auto model = createTrained(ObjectiveKind::PackSum);
  MeasuredTask odd = measure(50, 6);
  for (size_t i = 0; i != 20; ++i)
    odd.batch.add(FeatureVector()); // no rows, all zero
  std::vector<double> scores(odd.batch.size()), doubts(odd.batch.size());
  model->predictWithDoubt(odd.batch, scores, doubts);
  for (size_t i = 0; i != scores.size(); ++i) {
    EXPECT_TRUE(std::isfinite(scores[i]) && scores[i] > 0) << scores[i];
    EXPECT_TRUE(std::isfinite(doubts[i]) && doubts[i] >= 0) << doubts[i];
  }
}

TEST_F(LearnedModel, DoubtsWhatItHasNotSeen) {
  auto model = create();
  MeasuredTask seen = measure(128, 8), far = measure(128, 9);
  // Where one value decides, it has seen only one side in some members.
  update(*model, seen, "a");
  std::vector<double> scores(128), doubts(128);
  model->predictWithDoubt(seen.batch, scores, doubts);
  double mean = 0;
  for (double doubt : doubts)
    mean += doubt / 128;
  EXPECT_GT(mean, 0);
  LearningOptions single, silent;
  single.members = 1;
  silent.doubts = false;
  for (const LearningOptions &options : {single, silent}) {
    auto sure = create(options);
    EXPECT_EQ(sure->name(), "xgboost");
    update(*sure, seen, "a");
    sure->predictWithDoubt(seen.batch, scores, doubts);
    EXPECT_EQ(doubts, std::vector<double>(128, 0.0));
  }
}

TEST_F(LearnedModel, KnowsWhatItWouldHaveSaidUnseen) {
  // Times that nothing says anything of: the model can only learn by heart.
  MeasuredTask task = measure(64, 12), other = measure(64, 13);
  std::mt19937_64 bits(1);
  for (double &time : task.seconds)
    time = 1e-4 * std::exp(double(bits() % 1000) / 500);
  auto model = create();
  update(*model, task, "a");
  std::vector<double> unseen(64);
  model->predictUnseen(task.batch, unseen);
  const double byHeart = rank(*model, task),
               honest = validate(unseen, task.seconds).rankCorrelation;
  EXPECT_GT(byHeart, 0.5);
  EXPECT_LT(honest, byHeart - 0.3);
  // Of others it has seen none.
  model->predictUnseen(other.batch, unseen);
  EXPECT_EQ(unseen, predict(*model, other));
}

TEST_F(LearnedModel, ScaleIsThatOfTheTimes) {
  LearningOptions options;
  options.objective = ObjectiveKind::Rank;
  auto model = create(options);
  for (unsigned batch = 0; batch != 20; ++batch)
    update(*model, measure(16, 100 + batch), "a");
  const MeasuredTask unseen = measure(200, 14);
  std::vector<double> scores = predict(*model, unseen);
  // Ratios of scores are those of times, to a third.
  double xx = 0, xy = 0, x = 0, y = 0;
  for (size_t i = 0; i != scores.size(); ++i) {
    const double a = std::log(scores[i]), b = -std::log(unseen.seconds[i]);
    x += a / 200, y += b / 200, xx += a * a / 200, xy += a * b / 200;
  }
  EXPECT_NEAR((xy - x * y) / (xx - x * x), 1, 0.33);
}

TEST_F(LearnedModel, OnlyMeasurementsCountNotTheOrderOfTasks) {
  const MeasuredTask unseen = measure(100, 30);
  auto one = create(), other = create();
  update(*one, measure(16, 21), "a");
  predict(*one, unseen);
  update(*one, measure(16, 22), "b");
  update(*one, measure(16, 23), "a");
  update(*other, measure(16, 22), "b");
  update(*other, measure(16, 21), "a");
  update(*other, measure(16, 23), "a");
  EXPECT_EQ(predict(*one, unseen), predict(*other, unseen));
  auto seeded = create([] {
    LearningOptions options;
    options.seed = 1;
    return options;
  }());
  update(*seeded, measure(16, 22), "b");
  update(*seeded, measure(16, 21), "a");
  update(*seeded, measure(16, 23), "a");
  EXPECT_NE(predict(*seeded, unseen), predict(*other, unseen));
}

TEST_F(LearnedModel, ThreadsMayAskAtOnce) {
  const MeasuredTask unseen = measure(300, 40);
  auto model = create(), expected = create();
  for (CostModel *each : {model.get(), expected.get()})
    update(*each, measure(64, 41), "a");
  std::vector<std::vector<double>> scores(4);
  std::vector<std::thread> threads;
  for (std::vector<double> &list : scores)
    threads.emplace_back([&] { list = predict(*model, unseen); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<double> &list : scores)
    EXPECT_EQ(list, predict(*expected, unseen));
}

TEST_F(LearnedModel, FailuresLowerTheScore) {
  auto model = createTrained(ObjectiveKind::PackSum);
  const MeasuredTask unseen = measure(400, 50, 1, /*failureShare=*/0.1);
  std::vector<double> probabilities(unseen.batch.size());
  model->predictFailures(unseen.batch, probabilities);
  unsigned failed = 0, caught = 0, blamed = 0;
  for (size_t i = 0; i != probabilities.size(); ++i) {
    const bool fails = !std::isfinite(unseen.seconds[i]);
    failed += fails;
    caught += fails && probabilities[i] > 0.5;
    blamed += !fails && probabilities[i] > 0.5;
  }
  ASSERT_GT(failed, 20u);
  EXPECT_GT(caught, 0.8 * failed);
  EXPECT_LT(blamed, 0.05 * unseen.seconds.size());
  // The same candidate but for what makes it fail.
  MeasuredTask pair = measure(1, 51);
  FeatureVector program = pair.batch.getPrograms()[0];
  std::vector<BlockFeatureVector> rows = pair.batch.getBlocks(0);
  MeasuredTask two;
  for (float tile : {7.0f, 8.0f}) {
    program[Feature::TileM] = tile;
    llvm::append_range(two.batch.getRows(), rows);
    two.batch.add(program);
  }
  const std::vector<double> scores = predict(*model, two);
  EXPECT_GT(scores[0], 2 * scores[1]);
}

TEST_F(LearnedModel, OnlyFailuresAreLearnedFrom) {
  auto model = create();
  MeasuredTask all = measure(16, 60);
  llvm::fill(all.seconds, std::numeric_limits<double>::infinity());
  update(*model, all, "a");
  for (double score : predict(*model, all))
    EXPECT_TRUE(std::isfinite(score) && score > 0);
}

TEST_F(LearnedModel, IsReadBackAsItWasWritten) {
  const MeasuredTask unseen = measure(100, 70);
  for (ObjectiveKind objective :
       {ObjectiveKind::PackSum, ObjectiveKind::Rank}) {
    auto model = createTrained(objective);
    llvm::SmallString<128> path;
    llvm::sys::path::system_temp_directory(true, path);
    llvm::sys::path::append(path, "sched-model-test");
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory(path, path));
    llvm::sys::path::append(path, "trained.model");
    EXPECT_EQ(llvm::toString(model->getFile().write(path)), "");
    auto read =
        createCostModel(path, makeTarget(), 0, [](const llvm::Twine &warning) {
          ADD_FAILURE() << warning.str();
        });
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ((*read)->name(), "ensemble");
    EXPECT_EQ(predict(**read, unseen), predict(*model, unseen));
    // What it learns from then on is on top of that.
    update(**read, measure(32, 71), "c");
    EXPECT_NE(predict(**read, unseen), predict(*model, unseen));
    update(*model, measure(32, 71), "c");
    EXPECT_EQ(predict(**read, unseen), predict(*model, unseen));
    llvm::sys::fs::remove_directories(llvm::sys::path::parent_path(path));
  }
}

TEST_F(LearnedModel, TrainsOnTopOfAFile) {
  auto first = createTrained(ObjectiveKind::PackSum);
  EXPECT_EQ(first->getFile().numTasks, 2u);
  EXPECT_EQ(first->getFile().numCandidates, 300u);
  auto next = create({}, &first->getFile());
  update(*next, measure(64, 80), "c");
  EXPECT_EQ(llvm::toString(next->train()), "");
  EXPECT_EQ(next->getFile().numTasks, 3u);
  EXPECT_EQ(next->getFile().numCandidates, 364u);
  EXPECT_GT(next->getFile().scores[0].size(),
            first->getFile().scores[0].size());
  LearningOptions more;
  more.members = 9;
  auto refused =
      XGBoostModel::create(library, makeTarget(), more, &first->getFile());
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "found a cost model of 4 boosters; expected at least 9: train it "
            "again with more, or ask for fewer");
}

TEST_F(LearnedModel, IsAskedAboutKindsThatItHasSeen) {
  const MeasuredTask task = measure(4, 90);
  EXPECT_TRUE(create()->covers(task.batch, makeTarget()));
  auto trained = createTrained(ObjectiveKind::Rank);
  auto read =
      ModelFile::parse(trained->getFile().str(), "m", library->getVersion());
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  auto model = create({}, &*read);
  EXPECT_TRUE(model->covers(task.batch, makeTarget()));
  Target threads = makeTarget(), vectors = makeTarget(), arch = makeTarget();
  threads.threads = 2;
  vectors.vectorBytes *= 2;
  arch.triple = "aarch64-linux-gnu";
  for (const Target &other : {threads, vectors, arch})
    EXPECT_FALSE(model->covers(task.batch, other));
  for (BlockFeature feature : {BlockFeature::IsInteger, BlockFeature::Casts,
                               BlockFeature::ElementBytes}) {
    FeatureBatch other;
    BlockFeatureVector row = task.batch.getBlocks(0)[0];
    row[feature] += 1;
    other.getRows().push_back(row);
    other.add(task.batch.getPrograms()[0]);
    EXPECT_FALSE(model->covers(other, makeTarget()))
        << getBlockFeatureInfo(feature).name.str();
  }
}

TEST_F(LearnedModel, TilesMakeAKindOfWhatIsConverted) {
  FeatureBatch batch;
  BlockFeatureVector row = measure(4, 90).batch.getBlocks(0)[0];
  Target plain = makeTarget(), tiles = makeTarget();
  plain.triple = tiles.triple = "x86_64-unknown-linux-gnu";
  plain.mcpu = "znver4";
  tiles.mcpu = "sapphirerapids";
  row[BlockFeature::Casts] = 0;
  batch.getRows().push_back(row);
  batch.add(FeatureVector());
  EXPECT_EQ(describeTaskKind(batch, plain), describeTaskKind(batch, tiles));
  row[BlockFeature::Casts] = 1;
  FeatureBatch converted;
  converted.getRows().push_back(row);
  converted.add(FeatureVector());
  EXPECT_EQ(describeTaskKind(converted, plain) + ", tiles",
            describeTaskKind(converted, tiles));
}

TEST_F(LearnedModel, LeavesAPartToTheDraft) {
  auto model = create();
  EXPECT_GT(model->getDraftShare(0), 0);
  EXPECT_GT(model->getDraftShare(1), model->getDraftShare(0));
  // docs/Rationale.md has what other shares do.
  EXPECT_EQ(model->getDraftShare(1), 0.6);
  EXPECT_EQ(model->getDraftShare(256), 0.6);
  EXPECT_EQ(AnalyticModel(makeTarget()).getDraftShare(1), 0);
}

TEST_F(LearnedModel, BeginsWithoutTreesWhereItKnowsNothing) {
  auto trained = createTrained(ObjectiveKind::Rank);
  Target two = makeTarget();
  two.threads = 2;
  const MeasuredTask task = measure(64, 91), unseen = measure(64, 92);
  EXPECT_FALSE(trained->covers(task.batch, two));
  std::unique_ptr<CostModel> other = trained->makeUntrained(two);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->name(), "ensemble");
  EXPECT_TRUE(other->learns());
  EXPECT_TRUE(other->covers(task.batch, two));
  // The analytic model, until something was measured.
  const AnalyticModel analytic(two);
  const std::vector<double> expected = predict(analytic, unseen),
                            first = predict(*other, unseen);
  for (size_t i = 0; i != first.size(); ++i)
    EXPECT_NEAR(first[i] / expected[i], 1, 1e-9);
  EXPECT_NE(predict(*trained, unseen), first);
  update(*other, task, "c");
  EXPECT_NE(predict(*other, unseen), first);
  EXPECT_GT(rank(*other, unseen), rank(analytic, unseen));
  // One that knows all kinds has no need of others.
  EXPECT_EQ(analytic.makeUntrained(two), nullptr);
  // What ranks is of the same sort.
  auto sure = create([] {
    LearningOptions options;
    options.doubts = false;
    options.members = 2;
    return options;
  }());
  EXPECT_EQ(sure->makeUntrained(two)->name(), "xgboost");
}

TEST_F(LearnedModel, BadFilesAreRefused) {
  const std::string bytes =
      createTrained(ObjectiveKind::PackSum)->getFile().str();
  auto getError = [&](const std::string &text) {
    auto file = ModelFile::parse(text, "m", library->getVersion());
    return file ? "" : llvm::toString(file.takeError());
  };
  auto replace = [&](llvm::StringRef what, llvm::StringRef with) {
    const size_t at = bytes.find(what.str());
    EXPECT_NE(at, std::string::npos) << what.str();
    std::string text = bytes;
    return text.replace(at, what.size(), with.str());
  };
  EXPECT_EQ(getError(bytes), "");
  for (const char *text : {"", "{}\n", "not a model", "{\"format\":1}\n"})
    EXPECT_EQ(getError(text), "'m' is no cost model; expected a file that "
                              "`sched-db train -o` wrote");
  const std::string versions =
      "expected " + std::to_string(kFeatureVersion) + " and " +
      std::to_string(kBlockFeatureVersion) +
      ": train it again from its records with sched-db train";
  EXPECT_EQ(getError(replace("\"features\":" + std::to_string(kFeatureVersion),
                             "\"features\":99")),
            "'m' is of version 99 of the features and " +
                std::to_string(kBlockFeatureVersion) +
                " of the blocks' features; " + versions);
  EXPECT_EQ(
      getError(replace("\"program.Flops\"", "\"Sheep\"")),
      "'m' is of other features: its column " +
          std::to_string(kNumBlockFeatures) +
          " is Sheep, not program.Flops: train it again from its records with "
          "sched-db train");
  EXPECT_EQ(getError(replace("\"v\":1", "\"v\":2")),
            "'m' is a cost model of format version 2; expected 1: train it "
            "again with sched-db train");
  EXPECT_NE(getError(replace("pack-sum", "magic"))
                .find("no objective, or no version of XGBoost, that is known"),
            std::string::npos);
  EXPECT_NE(getError(replace("pack-sum", "failure"))
                .find("no objective, or no version of XGBoost, that is known"),
            std::string::npos);
  for (const char *scale : {"-1", "0", "1.5", "null"}) {
    std::string text = bytes;
    const size_t at = text.find("\"scale\":") + 8;
    text.replace(at, text.find(',', at) - at, scale);
    EXPECT_EQ(getError(text),
              "'m' is a cost model with no scale above 0 and up to 1; train it "
              "again with sched-db train");
  }
  ModelFile many =
      llvm::cantFail(ModelFile::parse(bytes, "m", library->getVersion()));
  many.scores.resize(kMaxBoosters + 1, many.scores[0]);
  EXPECT_EQ(getError(many.str()),
            "'m' is a cost model of 33 boosters and 1 of failures; expected at "
            "most 32 and 1: train it again with sched-db train");
  const std::string version = library->getVersion().str();
  EXPECT_NE(
      getError(replace("\"xgboost\":\"" + version, "\"xgboost\":\"99.0.0"))
          .find("was written by XGBoost 99.0.0; found " + version +
                ", which cannot read it"),
      std::string::npos);
  for (const std::string &text :
       {bytes.substr(0, bytes.size() - 1), bytes + "x",
        bytes.substr(0, bytes.find('\n') + 1)})
    EXPECT_EQ(getError(text),
              "'m' is a cost model of another length than it says; copy it "
              "again, or train it again with sched-db train");
}

TEST_F(LearnedModel, BrokenTreesAreAnError) {
  ModelFile file = createTrained(ObjectiveKind::PackSum)->getFile();
  file.name = "m";
  file.scores[0] = "{}";
  auto model = XGBoostModel::create(library, makeTarget(), {}, &file);
  ASSERT_FALSE(bool(model));
  const std::string error = llvm::toString(model.takeError());
  EXPECT_TRUE(llvm::StringRef(error).starts_with(
      "the trees of the cost model 'm' cannot be read; train it again with "
      "sched-db train: found no trees of XGBoost's"))
      << error;
}

TEST_F(LearnedModel, FilesAreWrittenWholeOrNotAtAll) {
  ModelFile file = createTrained(ObjectiveKind::PackSum)->getFile();
  const std::string error =
      llvm::toString(file.write("/nowhere/at/all/trained.model"));
  EXPECT_NE(error.find("'/nowhere/at/all/trained.model'"), std::string::npos)
      << error;
}

TEST_F(LearnedModel, TheOneThatComesWithTheProjectIsOfItsFeatures) {
  auto file = ModelFile::parse(getPretrainedModel(), kPretrainedName,
                               library->getVersion());
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError())
                          << " (benchmarks/pretrain.py)";
  EXPECT_GT(file->numTasks, 50u);
  EXPECT_LT(getPretrainedModel().size(), 1200u << 10);
  for (llvm::StringRef name : {"xgboost", "ensemble"}) {
    auto model =
        createCostModel(name, makeTarget(), 0, [](const llvm::Twine &warning) {
          ADD_FAILURE() << warning.str();
        });
    ASSERT_TRUE(bool(model));
    EXPECT_EQ((*model)->name(), name);
    // It knows something from the start.
    const MeasuredTask task = measure(20, 3);
    EXPECT_NE(predict(**model, task), predict(*create(), task));
  }
}

TEST_F(LearnedModel, FreshOnesBeginWithNothing) {
  const MeasuredTask task = measure(64, 93), unseen = measure(64, 94);
  for (llvm::StringRef name : {"xgboost", "ensemble"}) {
    auto model = createCostModel(
        (name + "-fresh").str(), makeTarget(), 0,
        [](const llvm::Twine &warning) { ADD_FAILURE() << warning.str(); });
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    EXPECT_EQ((*model)->name(), name);
    const std::vector<double> first = predict(**model, unseen);
    EXPECT_EQ(first, predict(*create(), unseen));
    update(**model, task, "a");
    EXPECT_NE(predict(**model, unseen), first);
    Target two = makeTarget();
    two.threads = 2;
    EXPECT_TRUE((*model)->covers(task.batch, two));
  }
  // Only these two have trees to leave out.
  for (llvm::StringRef name : {"analytic-fresh", "auto-fresh", "-fresh"}) {
    auto model =
        createCostModel(name, makeTarget(), 0, [](const llvm::Twine &) {});
    EXPECT_FALSE(bool(model)) << name.str();
    llvm::consumeError(model.takeError());
  }
}

TEST_F(LearnedModel, AutoIsTheOneThatWasTrained) {
  auto fail = [](const llvm::Twine &warning) {
    ADD_FAILURE() << warning.str();
  };
  auto model = createCostModel(kAutoCostModel, makeTarget(), 0, fail);
  auto trained = createCostModel("xgboost", makeTarget(), 0, fail);
  ASSERT_TRUE(model && trained);
  EXPECT_EQ((*model)->name(), (*trained)->name());
  const MeasuredTask task = measure(20, 3);
  EXPECT_EQ(predict(**model, task), predict(**trained, task));
}

TEST(CostModelFactory, KnowsItsNames) {
  auto ignore = [](const llvm::Twine &) {};
  for (llvm::StringRef name : {"analytic", "random"}) {
    auto model = createCostModel(name, makeTarget(), 0, ignore);
    ASSERT_TRUE(bool(model));
    EXPECT_EQ((*model)->name(), name);
  }
  auto model = createCostModel("magic", makeTarget(), 0, ignore);
  ASSERT_FALSE(bool(model));
  const std::string error = llvm::toString(model.takeError());
  EXPECT_TRUE(llvm::StringRef(error).starts_with(
      "unknown cost model 'magic'; expected analytic, random, xgboost, "))
      << error;
  EXPECT_NE(error.find("No such file or directory"), std::string::npos)
      << error;
}
