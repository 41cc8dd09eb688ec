//===- FeatureBatch.h - Features of many candidates -------------*- C++ -*-===//
//
// What a cost model is given: a vector for each candidate as a whole and, for a
// model that asks for them, rows for its blocks. Flat arrays, so that a batch
// is one matrix for a library, and is filled again without allocating.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_FEATUREBATCH_H
#define SCHEDOPT_MODEL_FEATUREBATCH_H

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/Features.h"
#include <cstdint>
#include <vector>

namespace sched {

class FeatureBatch {
public:
  FeatureBatch() = default;
  /// Candidates without rows.
  FeatureBatch(std::vector<FeatureVector> programs)
      : programs(std::move(programs)), ends(this->programs.size(), 0) {}

  size_t size() const { return programs.size(); }
  void clear() {
    programs.clear();
    blocks.clear();
    ends.clear();
  }

  /// Adds a candidate, whose rows, if any, have been appended to `getRows()`.
  void add(const FeatureVector &program) {
    programs.push_back(program);
    ends.push_back(blocks.size());
  }
  std::vector<BlockFeatureVector> &getRows() { return blocks; }

  llvm::ArrayRef<FeatureVector> getPrograms() const { return programs; }
  /// The rows of all candidates, one after another.
  llvm::ArrayRef<BlockFeatureVector> getAllBlocks() const { return blocks; }
  /// The rows of a candidate; empty where there are none.
  llvm::ArrayRef<BlockFeatureVector> getBlocks(size_t candidate) const {
    const uint32_t begin = candidate == 0 ? 0 : ends[candidate - 1];
    return llvm::ArrayRef(blocks).slice(begin, ends[candidate] - begin);
  }

private:
  std::vector<FeatureVector> programs;
  std::vector<BlockFeatureVector> blocks;
  /// Where the rows of each candidate end.
  std::vector<uint32_t> ends;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_FEATUREBATCH_H
