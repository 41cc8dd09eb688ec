//===- WinogradPass.cpp - schedule-winograd -------------------------------===//

#include "SchedOpt/Space/Passes.h"
#include "SchedOpt/Space/Winograd.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_SCHEDULEWINOGRAD
#include "SchedOpt/Space/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
struct ScheduleWinograd : sched::impl::ScheduleWinogradBase<ScheduleWinograd> {
  using ScheduleWinogradBase::ScheduleWinogradBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (int64_t size : tile)
      if (size != 0 && !isWinogradTile(size)) {
        emitError(module.getLoc()) << "tile must be 2, 4 or 0 (left as it is); "
                                      "found "
                                   << size;
        return signalPassFailure();
      }
    auto parsed = Target::parse(target, threads);
    if (!parsed) {
      emitError(module.getLoc()) << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    const SmallVector<int64_t> tiles =
        tile.empty() ? SmallVector<int64_t>{4}
                     : SmallVector<int64_t>(tile.begin(), tile.end());
    applyWinograd(module, tiles, *parsed);
  }
};
} // namespace
