//===- CostModel.cpp - Defaults of the cost model interface ---------------===//

#include "SchedOpt/CostModel/CostModel.h"

using namespace sched;

CostModel::~CostModel() = default;

llvm::Error CostModel::update(llvm::ArrayRef<FeatureVector> features,
                              llvm::ArrayRef<double> seconds) {
  return llvm::Error::success();
}
