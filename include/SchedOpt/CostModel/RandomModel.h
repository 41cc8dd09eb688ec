//===- RandomModel.h - Scores by hash: the baseline -------------*- C++ -*-===//
//
// A cost model that knows nothing: its score is a hash of the features and a
// seed. With it the evolutionary search is a random search, which is what other
// models are compared with. Read next: CostModel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_RANDOMMODEL_H
#define SCHEDOPT_COSTMODEL_RANDOMMODEL_H

#include "SchedOpt/CostModel/CostModel.h"

namespace sched {

class RandomModel final : public CostModel {
public:
  explicit RandomModel(uint64_t seed) : seed(seed) {}

  llvm::StringRef name() const override { return "random"; }

  /// Scores in (0, 1]. Equal features get equal scores, in every process.
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override;

private:
  uint64_t seed;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_RANDOMMODEL_H
