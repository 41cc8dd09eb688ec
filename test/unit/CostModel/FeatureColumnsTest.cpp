//===- FeatureColumnsTest.cpp - What trees split on is documented ---------===//

#include "SchedOpt/CostModel/FeatureColumns.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace sched;

namespace {

/// The rows of docs/Features.md by section ("Of a block") and feature.
class FeaturePage : public ::testing::Test {
protected:
  void SetUp() override {
    auto buffer = llvm::MemoryBuffer::getFile(SCHED_FEATURE_PAGE);
    ASSERT_TRUE(bool(buffer)) << SCHED_FEATURE_PAGE;
    llvm::SmallVector<llvm::StringRef> lines;
    (*buffer)->getBuffer().split(lines, '\n');
    llvm::StringRef section;
    for (llvm::StringRef line : lines) {
      if (line.consume_front("## "))
        section = line;
      if (line.starts_with("| `"))
        addRow(section, line);
    }
    text = (*buffer)->getBuffer().str();
  }

  void addRow(llvm::StringRef section, llvm::StringRef line) {
    llvm::SmallVector<llvm::StringRef> cells;
    line.split(cells, '|');
    // Nothing before the first and behind the last.
    ASSERT_EQ(cells.size(), 6u) << line.str();
    for (llvm::StringRef cell : llvm::ArrayRef(cells).slice(1, 4))
      EXPECT_FALSE(cell.trim().empty()) << line.str();
    EXPECT_TRUE(rows[section].insert(cells[1].trim(" `")).second) << line.str();
  }

  void expectRow(llvm::StringRef section, llvm::StringRef feature) {
    EXPECT_TRUE(rows[section].contains(feature))
        << "docs/Features.md has no row of " << feature.str() << " in '"
        << section.str() << "'";
  }

  llvm::StringMap<llvm::StringSet<>> rows;
  std::string text;
};

} // namespace

TEST_F(FeaturePage, EachColumnHasUnitDefinitionAndSource) {
  size_t inRow = 0;
  for (llvm::StringRef name : getColumnNames()) {
    if (name.consume_front("block."))
      expectRow("Of a block", name);
    else if (name.consume_front("program."))
      expectRow("Of a program", name);
    else
      expectRow("Of a row", name), ++inRow;
  }
  for (unsigned i = 0; i != kNumKernelFeatures; ++i)
    expectRow("Of a kernel",
              getKernelFeatureInfo(static_cast<KernelFeature>(i)).name);
  // And nothing that there is not.
  EXPECT_EQ(rows["Of a row"].size(), inRow);
  EXPECT_EQ(rows["Of a block"].size() + rows["Of a program"].size() + inRow,
            getNumColumns());
  EXPECT_EQ(rows["Of a kernel"].size(), kNumKernelFeatures);
  EXPECT_NE(
      text.find("has a row of " + std::to_string(getNumColumns()) + " columns"),
      std::string::npos);
}

TEST(FeatureColumns, AreInTheOrderOfTheirNames) {
  FeatureBatch batch;
  FeatureVector program;
  program[Feature::Flops] = 800;
  program[Feature::ComputeCycles] = 100;
  program[Feature::TailCycles] = 25;
  program[Feature::L2Bytes] = 400;
  batch.add(program);
  FeatureRows rows;
  appendRows(batch, {0.5}, rows);
  ASSERT_EQ(rows.values.size(), getNumColumns());
  llvm::StringMap<float> values;
  for (size_t i = 0; i != getNumColumns(); ++i)
    values[getColumnNames()[i]] = rows.values[i];
  EXPECT_EQ(values["program.Flops"], 800);
  EXPECT_EQ(values["TailShare"], 0.25f);
  EXPECT_EQ(values["L2BytesPerCycle"], 4);
  EXPECT_EQ(values["FlopsPerL2Byte"], 2);
  // Divided by 1, not by 0.
  EXPECT_EQ(values["FlopsPerL3Byte"], 800);
  EXPECT_EQ(values["AnalyticSeconds"], 0.5f);
  EXPECT_EQ(values["AnalyticFlopsPerSecond"], 1600);
}
