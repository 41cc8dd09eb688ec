//===- ImageColumnsPass.cpp - schedule-im2col -----------------------------===//

#include "SchedOpt/Space/ImageColumns.h"
#include "SchedOpt/Space/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

namespace sched {
#define GEN_PASS_DEF_SCHEDULEIMAGECOLUMNS
#include "SchedOpt/Space/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
struct ScheduleImageColumns
    : sched::impl::ScheduleImageColumnsBase<ScheduleImageColumns> {
  using ScheduleImageColumnsBase::ScheduleImageColumnsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (int64_t one : which)
      if (one != 0 && one != 1) {
        emitError(module.getLoc())
            << "which must be 1 (rewritten) or 0 (left as it is); found "
            << one;
        return signalPassFailure();
      }
    const SmallVector<int64_t> chosen =
        which.empty() ? SmallVector<int64_t>{1}
                      : SmallVector<int64_t>(which.begin(), which.end());
    applyImageColumns(module, chosen);
  }
};
} // namespace
