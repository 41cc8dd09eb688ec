//===- KernelFeatures.h - The features of each kernel of a GPU --*- C++ -*-===//
//
// On a GPU, a candidate is the kernels that its script makes, one after
// another. KernelFeatures.def defines the numbers of each. They take the place
// of the rows of blocks in batches for cost models (FeatureBatch.h), so that
// searches and models are the same for all targets: a row of a kernel has its
// features at the beginning of a BlockFeatureVector, and 0 after them. No model
// serves both kinds of target (CostModel/TaskKind.h).
//
// Read next: LoopNest.h (KernelPlan), then lib/Model/KernelCosts.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_KERNELFEATURES_H
#define SCHEDOPT_MODEL_KERNELFEATURES_H

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <vector>

namespace sched {

/// Index of a feature in a KernelFeatureVector, and in the row of a kernel.
enum class KernelFeature : unsigned {
#define FEATURE(name, unit, definition) name,
#include "SchedOpt/Model/KernelFeatures.def"
};

constexpr unsigned kNumKernelFeatures = 0
#define FEATURE(name, unit, definition) +1
#include "SchedOpt/Model/KernelFeatures.def"
    ;
static_assert(kNumKernelFeatures <= kNumBlockFeatures,
              "rows of kernels take the place of rows of blocks");

/// Changes whenever KernelFeatures.def does.
constexpr unsigned kKernelFeatureVersion = 5;

/// One value a feature, raw, finite and not negative.
struct KernelFeatureVector {
  std::array<float, kNumKernelFeatures> values{};

  float operator[](KernelFeature feature) const {
    return values[static_cast<unsigned>(feature)];
  }
  float &operator[](KernelFeature feature) {
    return values[static_cast<unsigned>(feature)];
  }
};

/// Name, unit and definition of a feature, as in KernelFeatures.def.
const FeatureInfo &getKernelFeatureInfo(KernelFeature feature);

/// Fills `nest.kernels`: one for each grid, with all that is computed inside,
/// and one for each block of code that is in none, unless it only starts a sum
/// or is computed where it is read.
void planKernels(LoopNestPlan &nest);

/// The features of a kernel of the candidate with these `registers`. The
/// candidate is legal. CyclesShare is 1.
KernelFeatureVector extractKernelFeatures(const LoopNestPlan &nest,
                                          const KernelPlan &kernel,
                                          const Target &target,
                                          llvm::ArrayRef<int64_t> registers);

/// Appends one row for each kernel, in the order of their launches.
void extractKernelRows(const LoopNestPlan &nest, const Target &target,
                       llvm::ArrayRef<int64_t> registers,
                       std::vector<BlockFeatureVector> &rows);

/// What of a program's features has a meaning for a GPU: sums over its kernels,
/// and the sizes of the one that takes the most cycles.
void summarizeKernels(const LoopNestPlan &nest, const Target &target,
                      double flops, llvm::ArrayRef<int64_t> registers,
                      FeatureVector &features);

} // namespace sched

#endif // SCHEDOPT_MODEL_KERNELFEATURES_H
