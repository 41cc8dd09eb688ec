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
  using ScheduleOutlineTasksBase::ScheduleOutlineTasksBase;

  void runOnOperation() override {
    if (llvm::Error error = sched::outlineTasks(
            getOperation(), /*rewritten=*/nullptr,
            gpu ? sched::Target::Kind::NVVM : sched::Target::Kind::CPU)) {
      // Already emitted as a diagnostic.
      llvm::consumeError(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
