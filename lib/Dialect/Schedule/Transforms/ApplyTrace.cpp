//===- ApplyTrace.cpp - Fill in the decisions that traces hold ------------===//

#include "SchedOpt/Dialect/Schedule/IR/Trace.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"

namespace mlir::schedule {
#define GEN_PASS_DEF_SCHEDULEAPPLYTRACE
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h.inc"
} // namespace mlir::schedule

using namespace mlir;
using namespace mlir::schedule;

namespace {
struct ScheduleApplyTrace final
    : schedule::impl::ScheduleApplyTraceBase<ScheduleApplyTrace> {
  void runOnOperation() override {
    SmallVector<TraceOp> traces;
    getOperation()->walk([&](TraceOp op) { traces.push_back(op); });
    for (TraceOp trace : traces) {
      FailureOr<SketchOp> sketch = findSketch(trace);
      if (failed(sketch) ||
          failed(applyTrace(*sketch, getTrace(trace), trace.getLoc())))
        return signalPassFailure();
      trace.erase();
    }
  }

private:
  /// By the symbols around the trace; else the only one of that name.
  FailureOr<SketchOp> findSketch(TraceOp trace) {
    if (auto sketch = SymbolTable::lookupNearestSymbolFrom<SketchOp>(
            trace, trace.getSketchAttr()))
      return sketch;
    SmallVector<SketchOp> found;
    getOperation()->walk([&](SketchOp op) {
      if (op.getSymName() == trace.getSketch())
        found.push_back(op);
    });
    if (found.size() == 1)
      return found.front();
    InFlightDiagnostic diagnostic = trace.emitOpError("is of @")
                                    << trace.getSketch();
    if (found.empty())
      return diagnostic << ", but the module has no sketch of that name";
    diagnostic << ", but the module has " << found.size()
               << " sketches of that name; put the trace into the space of one";
    for (SketchOp op : found)
      diagnostic.attachNote(op.getLoc()) << "one is here";
    return diagnostic;
  }
};
} // namespace
