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
    sched::OutlineOptions options;
    options.kind = gpu ? sched::Target::Kind::NVVM : sched::Target::Kind::CPU;
    options.tiles = tiles;
    options.widenHalf = widenHalf;
    options.widenBytes = widenBytes;
    options.widenUnsigned = widenUnsigned;
    if (llvm::Error error = sched::outlineTasks(
            getOperation(), /*rewritten=*/nullptr, options)) {
      // Already emitted as a diagnostic.
      llvm::consumeError(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
