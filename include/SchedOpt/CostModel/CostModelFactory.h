//===- CostModelFactory.h - A cost model by its name ------------*- C++ -*-===//
//
// What a user may ask for. Read next: CostModel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_COSTMODELFACTORY_H
#define SCHEDOPT_COSTMODEL_COSTMODELFACTORY_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/CostModel/XGBoostLibrary.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sched {

/// The name of the learned model, trained before where that covers a task, and
/// of the analytic one where XGBoost is not there: who asks makes a line of
/// that warning.
constexpr llvm::StringLiteral kAutoCostModel = "auto";

/// `name` is analytic, random, xgboost, ensemble (the same, but how far its
/// boosters are apart is its doubt), xgboost-fresh, ensemble-fresh, auto, or a
/// file that sched-db wrote. xgboost and ensemble begin with the trees that
/// come with the project (PretrainedModel.h), the fresh ones with none. `auto`
/// is xgboost here. Who asks sees to it that no model ranks tasks that it does
/// not cover. An error where there is no such model, or the file is not fit.
///
/// Where XGBoost is not there, or is of another release than those supported,
/// `warn` hears of it once, and the model is the analytic one.
llvm::Expected<std::unique_ptr<CostModel>>
createCostModel(llvm::StringRef name, const Target &target, uint64_t seed,
                llvm::function_ref<void(const llvm::Twine &)> warn,
                llvm::ArrayRef<llvm::StringRef> libraries =
                    XGBoostLibrary::getUsualNames());

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_COSTMODELFACTORY_H
