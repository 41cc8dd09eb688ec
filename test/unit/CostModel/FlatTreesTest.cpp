//===- FlatTreesTest.cpp - The same as XGBoost says -----------------------===//

#include "SchedOpt/CostModel/FlatTrees.h"
#include "LearnedData.h"
#include "SchedOpt/CostModel/Booster.h"
#include <optional>

using namespace sched;
using namespace sched::test;

namespace {

constexpr size_t kColumns = 7;

class GrownTrees : public WithXGBoost {
protected:
  void SetUp() override {
    WithXGBoost::SetUp();
    if (IsSkipped())
      return;
    const std::vector<float> values = draw(300, 1);
    auto matrix = BoosterMatrix::create(library, values, kColumns);
    ASSERT_TRUE(bool(matrix)) << llvm::toString(matrix.takeError());
    auto grown = Booster::create(library, TreeOptions(), kColumns);
    ASSERT_TRUE(bool(grown)) << llvm::toString(grown.takeError());
    std::vector<float> predictions, gradients(300), curvatures(300, 1.0f);
    for (unsigned round = 0; round != kRounds; ++round) {
      ASSERT_EQ(llvm::toString(grown->predict(*matrix, predictions)), "");
      for (size_t i = 0; i != 300; ++i) {
        const float x = values[i * kColumns], y = values[i * kColumns + 3];
        gradients[i] = predictions[i] - (std::isnan(x) ? 3 : x * y);
      }
      ASSERT_EQ(llvm::toString(grown->boost(*matrix, gradients, curvatures)),
                "");
    }
    auto saved = grown->save();
    ASSERT_TRUE(bool(saved)) << llvm::toString(saved.takeError());
    bytes = std::move(*saved);
    booster.emplace(std::move(*grown));
  }

  /// Rows of which one value in eight is missing.
  static std::vector<float> draw(size_t rows, uint64_t seed) {
    std::mt19937_64 bits(seed);
    std::vector<float> values(rows * kColumns);
    for (float &value : values)
      value = bits() % 8 ? float(bits() % 1000) / 100
                         : std::numeric_limits<float>::quiet_NaN();
    return values;
  }

  static constexpr unsigned kRounds = 20;
  std::optional<Booster> booster;
  std::string bytes;
};

} // namespace

TEST_F(GrownTrees, PredictWhatXGBoostDoes) {
  auto flat = FlatTrees::parse(bytes, kColumns);
  ASSERT_TRUE(bool(flat)) << llvm::toString(flat.takeError());
  EXPECT_EQ(flat->size(), kRounds);
  // Of all remainders by the rows that are walked side by side.
  for (size_t rows : {1, 2, 3, 5, 31, 64, 1000}) {
    const std::vector<float> values = draw(rows, rows);
    std::vector<float> expected(rows), found(rows);
    ASSERT_EQ(llvm::toString(booster->predict(values, kColumns, expected)), "");
    flat->predict(values, kColumns, found);
    EXPECT_EQ(found, expected) << rows;
    EXPECT_TRUE(rows < 30 || llvm::ArrayRef(found).drop_front() !=
                                 llvm::ArrayRef(found).drop_back());
  }
}

TEST_F(GrownTrees, OfOtherColumnsAreRefused) {
  auto flat = FlatTrees::parse(bytes, 3);
  ASSERT_FALSE(bool(flat));
  EXPECT_EQ(llvm::toString(flat.takeError()),
            "found no trees of XGBoost's in UBJSON over 3 columns");
}

TEST_F(GrownTrees, WhatIsCutOffOrChangedDoesNoHarm) {
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 50)
    EXPECT_NE(
        llvm::toString(
            FlatTrees::parse(llvm::StringRef(bytes).take_front(size), kColumns)
                .takeError()),
        "")
        << size;
  // Whatever is still read as trees can be walked.
  std::mt19937_64 bits(3);
  const std::vector<float> values = draw(9, 4);
  std::vector<float> found(9);
  for (unsigned trial = 0; trial != 2000; ++trial) {
    std::string changed = bytes;
    for (unsigned i = 0; i != 1 + trial % 3; ++i)
      changed[bits() % changed.size()] = char(bits());
    auto flat = FlatTrees::parse(changed, kColumns);
    if (flat)
      flat->predict(values, kColumns, found);
    else
      llvm::consumeError(flat.takeError());
  }
}

TEST(FlatTrees, NestedBytesAreRefused) {
  EXPECT_NE(
      llvm::toString(
          FlatTrees::parse(std::string(100000, '['), kColumns).takeError()),
      "");
  EXPECT_NE(llvm::toString(FlatTrees::parse("", kColumns).takeError()), "");
}
