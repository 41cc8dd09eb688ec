//===- FeatureColumns.h - Candidates as rows of a table ---------*- C++ -*-===//
//
// What the trees of a learned model split on: one row for each block of a
// candidate's nest, with the block's features, those of the candidate as a
// whole, and ratios of these. Ratios carry over between tasks of different
// size, which raw counts do not. A candidate whose blocks are not described has
// one row, in which their features are missing.
//
// Read next: FeatureColumns.def, Model/Features.def, Model/BlockFeatures.def,
// TreeEnsemble.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_FEATURECOLUMNS_H
#define SCHEDOPT_COSTMODEL_FEATURECOLUMNS_H

#include "SchedOpt/Model/FeatureBatch.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sched {

/// Rows of candidates, one after another.
struct FeatureRows {
  std::vector<float> values;
  /// Behind the last row of each candidate.
  std::vector<uint32_t> ends;

  /// Number of candidates.
  size_t size() const { return ends.size(); }
  size_t getNumRows() const { return ends.empty() ? 0 : ends.back(); }
  size_t getBegin(size_t candidate) const {
    return candidate == 0 ? 0 : ends[candidate - 1];
  }
  size_t getNumRows(size_t candidate) const {
    return ends[candidate] - getBegin(candidate);
  }
  void clear() {
    values.clear();
    ends.clear();
  }
};

/// Columns of a row.
size_t getNumColumns();

/// Their names, in order; a model's file has them, so that rows are never taken
/// for what they are not.
const std::vector<std::string> &getColumnNames();

/// Appends the rows of `batch`. `seconds`: the analytic model's time of each
/// candidate.
void appendRows(const FeatureBatch &batch, llvm::ArrayRef<double> seconds,
                FeatureRows &rows);

/// Appends the rows of one candidate of another table.
void appendRows(const FeatureRows &from, size_t candidate, FeatureRows &rows);

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_FEATURECOLUMNS_H
