//===- CostModel.cpp - Defaults of the cost model interface ---------------===//

#include "SchedOpt/CostModel/CostModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

CostModel::~CostModel() = default;

void CostModel::predictWithDoubt(const FeatureBatch &batch,
                                 llvm::MutableArrayRef<double> scores,
                                 llvm::MutableArrayRef<double> doubts) const {
  predict(batch, scores);
  llvm::fill(doubts, 0.0);
}

bool CostModel::covers(const FeatureBatch &, const Target &) const {
  return true;
}

std::unique_ptr<CostModel> CostModel::makeUntrained(const Target &) const {
  return nullptr;
}

void CostModel::predictUnseen(const FeatureBatch &batch,
                              llvm::MutableArrayRef<double> scores) const {
  predict(batch, scores);
}

bool CostModel::predictFailures(const FeatureBatch &,
                                llvm::MutableArrayRef<double>) const {
  return false;
}

llvm::Error CostModel::update(const FeatureBatch &, llvm::ArrayRef<double>,
                              llvm::StringRef) {
  return llvm::Error::success();
}
