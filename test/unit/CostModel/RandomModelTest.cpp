//===- RandomModelTest.cpp - The baseline cost model ----------------------===//

#include "SchedOpt/CostModel/RandomModel.h"
#include "gtest/gtest.h"
#include <set>
#include <vector>

using namespace sched;

static std::vector<FeatureVector> makeFeatures(unsigned n) {
  std::vector<FeatureVector> features(n);
  for (unsigned i = 0; i != n; ++i)
    features[i].values[i % kNumFeatures] = 1.0f + i;
  return features;
}

static std::vector<double> predict(const CostModel &model,
                                   const FeatureBatch &features) {
  std::vector<double> scores(features.size());
  model.predict(features, scores);
  return scores;
}

TEST(RandomModel, ScoresAreInRangeAndSpread) {
  std::vector<double> scores = predict(RandomModel(7), makeFeatures(1000));
  double sum = 0;
  for (double score : scores) {
    EXPECT_GT(score, 0);
    EXPECT_LE(score, 1);
    sum += score;
  }
  EXPECT_NEAR(sum / scores.size(), 0.5, 0.05);
  EXPECT_EQ(std::set<double>(scores.begin(), scores.end()).size(),
            scores.size());
}

TEST(RandomModel, DependsOnFeaturesAndSeedOnly) {
  std::vector<FeatureVector> features = makeFeatures(10);
  EXPECT_EQ(predict(RandomModel(7), features),
            predict(RandomModel(7), features));
  EXPECT_NE(predict(RandomModel(7), features),
            predict(RandomModel(8), features));
}

TEST(RandomModel, UpdateSucceedsAndChangesNothing) {
  RandomModel model(3);
  std::vector<FeatureVector> features = makeFeatures(4);
  std::vector<double> before = predict(model, features);
  std::vector<double> seconds(4, 1e-3);
  EXPECT_FALSE(llvm::errorToBool(model.update(features, seconds, "a task")));
  EXPECT_EQ(predict(model, features), before);
}
