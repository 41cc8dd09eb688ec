//===- OutlineTasksPass.cpp - schedule-outline-tasks ----------------------===//

#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/Passes.h"

namespace sched {
#define GEN_PASS_DEF_SCHEDULEOUTLINETASKS
#include "SchedOpt/Space/Passes.h.inc"
} // namespace sched

namespace {
struct ScheduleOutlineTasks
    : sched::impl::ScheduleOutlineTasksBase<ScheduleOutlineTasks> {
  void runOnOperation() override {
    if (llvm::Error error = sched::outlineTasks(getOperation())) {
      // Already emitted as a diagnostic.
      llvm::consumeError(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
