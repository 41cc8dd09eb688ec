//===- BlockFeatures.h - The features of each block of a nest ---*- C++ -*-===//
//
// A learned cost model sees a candidate as a set of rows, one for each block of
// its loop nest, and adds up what it predicts of each. BlockFeatures.def
// defines the columns. A model file names kBlockFeatureVersion; a mismatch is
// an error, never a reinterpretation. Read next: FeatureBatch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_BLOCKFEATURES_H
#define SCHEDOPT_MODEL_BLOCKFEATURES_H

#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <vector>

namespace sched {

/// Index of a feature in a BlockFeatureVector.
enum class BlockFeature : unsigned {
#define FEATURE(name, unit, definition) name,
#include "SchedOpt/Model/BlockFeatures.def"
};

constexpr unsigned kNumBlockFeatures = 0
#define FEATURE(name, unit, definition) +1
#include "SchedOpt/Model/BlockFeatures.def"
    ;

/// Changes whenever BlockFeatures.def does.
constexpr unsigned kBlockFeatureVersion = 4;

/// One value a feature, raw, finite and not negative.
struct BlockFeatureVector {
  std::array<float, kNumBlockFeatures> values{};

  float operator[](BlockFeature feature) const {
    return values[static_cast<unsigned>(feature)];
  }
  float &operator[](BlockFeature feature) {
    return values[static_cast<unsigned>(feature)];
  }
};

/// Name, unit and definition of a feature, as in BlockFeatures.def.
const FeatureInfo &getBlockFeatureInfo(BlockFeature feature);

/// Appends one row for each block that the candidate with these `registers`
/// executes, in the order of their first places. The candidate is legal.
void extractBlockFeatures(const LoopNestPlan &nest, const Target &target,
                          llvm::ArrayRef<int64_t> registers,
                          std::vector<BlockFeatureVector> &rows);

} // namespace sched

#endif // SCHEDOPT_MODEL_BLOCKFEATURES_H
