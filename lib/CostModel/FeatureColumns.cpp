//===- FeatureColumns.cpp - Candidates as rows of a table -----------------===//

#include "SchedOpt/CostModel/FeatureColumns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <limits>

using namespace sched;

namespace {
/// One feature over another.
struct Ratio {
  const char *name;
  Feature numerator, denominator;
};
} // namespace

/// Shares of the critical thread's cycles, and bytes a cycle of them: what the
/// analytic model weighs against each other.
static constexpr Ratio kRatios[] = {
#define RATIO(name, numerator, denominator, unit, meaning)                     \
  {#name, Feature::numerator, Feature::denominator},
#include "SchedOpt/CostModel/FeatureColumns.def"
};

/// What is derived of the analytic model's time: itself, operations a second.
static constexpr const char *kAnalyticColumns[] = {
#define COLUMN(name, unit, definition) #name,
#include "SchedOpt/CostModel/FeatureColumns.def"
};
static_assert(std::size(kAnalyticColumns) == 2, "as `appendProgram` has them");

static constexpr size_t kNumProgramColumns =
    kNumFeatures + std::size(kRatios) + std::size(kAnalyticColumns);
static constexpr size_t kNumAllColumns = kNumBlockFeatures + kNumProgramColumns;

size_t sched::getNumColumns() { return kNumAllColumns; }

static std::vector<std::string> makeColumnNames() {
  std::vector<std::string> names;
  for (unsigned i = 0; i != kNumBlockFeatures; ++i)
    names.push_back(
        "block." +
        getBlockFeatureInfo(static_cast<BlockFeature>(i)).name.str());
  for (unsigned i = 0; i != kNumFeatures; ++i)
    names.push_back("program." +
                    getFeatureInfo(static_cast<Feature>(i)).name.str());
  for (const Ratio &ratio : kRatios)
    names.push_back(ratio.name);
  for (const char *name : kAnalyticColumns)
    names.push_back(name);
  return names;
}

const std::vector<std::string> &sched::getColumnNames() {
  static const std::vector<std::string> names = makeColumnNames();
  return names;
}

static void appendProgram(const FeatureVector &program, double seconds,
                          std::vector<float> &values) {
  llvm::append_range(values, program.values);
  for (const Ratio &ratio : kRatios)
    values.push_back(program[ratio.numerator] /
                     std::max(1.0f, program[ratio.denominator]));
  values.push_back(seconds);
  values.push_back(program[Feature::Flops] / std::max(1e-12, seconds));
}

void sched::appendRows(const FeatureBatch &batch,
                       llvm::ArrayRef<double> seconds, FeatureRows &rows) {
  assert(batch.size() == seconds.size() && "a time each");
  std::vector<float> program;
  for (size_t i = 0, e = batch.size(); i != e; ++i) {
    program.clear();
    appendProgram(batch.getPrograms()[i], seconds[i], program);
    llvm::ArrayRef<BlockFeatureVector> blocks = batch.getBlocks(i);
    for (const BlockFeatureVector &block : blocks) {
      llvm::append_range(rows.values, block.values);
      llvm::append_range(rows.values, program);
    }
    if (blocks.empty()) {
      rows.values.insert(rows.values.end(), kNumBlockFeatures,
                         std::numeric_limits<float>::quiet_NaN());
      llvm::append_range(rows.values, program);
    }
    rows.ends.push_back(rows.values.size() / kNumAllColumns);
  }
}

void sched::appendRows(const FeatureRows &from, size_t candidate,
                       FeatureRows &rows) {
  const auto begin = from.values.begin();
  rows.values.insert(rows.values.end(),
                     begin + from.getBegin(candidate) * kNumAllColumns,
                     begin + from.ends[candidate] * kNumAllColumns);
  rows.ends.push_back(rows.values.size() / kNumAllColumns);
}
