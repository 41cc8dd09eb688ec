//===- AnalyticModel.h - Seconds from closed forms --------------*- C++ -*-===//
//
// Predicts a candidate's run time from its features alone: compute in register
// tiles, overlapped with traffic between the caches, plus packing and the cost
// of a parallel region. Needs no measurement; ranks the candidates until a
// learned model does better.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_ANALYTICMODEL_H
#define SCHEDOPT_COSTMODEL_ANALYTICMODEL_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/Support/Target.h"

namespace sched {

class AnalyticModel final : public CostModel {
public:
  explicit AnalyticModel(const Target &target) : target(target) {}

  llvm::StringRef name() const override { return "analytic"; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override;

  /// Predicted run time in seconds.
  double seconds(const FeatureVector &features) const;

  const Target &getTarget() const { return target; }

private:
  Target target;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_ANALYTICMODEL_H
