//===- RandomModel.cpp - Scores by hash: the baseline ---------------------===//

#include "SchedOpt/CostModel/RandomModel.h"
#include <cassert>
#include <cstring>

using namespace sched;

/// The finalizer of splitmix64: every input bit reaches every output bit.
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

void RandomModel::predict(const FeatureBatch &batch,
                          llvm::MutableArrayRef<double> scores) const {
  llvm::ArrayRef<FeatureVector> features = batch.getPrograms();
  assert(features.size() == scores.size() && "one score a candidate");
  for (size_t i = 0, e = features.size(); i != e; ++i) {
    uint64_t hash = mix(seed + 0x9e3779b97f4a7c15ull);
    for (float value : features[i].values) {
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      hash = mix(hash + bits + 0x9e3779b97f4a7c15ull);
    }
    scores[i] = static_cast<double>((hash >> 11) + 1) * 0x1.0p-53;
  }
}
