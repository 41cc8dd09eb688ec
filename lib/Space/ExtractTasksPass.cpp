//===- ExtractTasksPass.cpp - Shows the tasks of a module -----------------===//

#include "SchedOpt/Space/Passes.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_REGISTRATION
#define GEN_PASS_DEF_SCHEDULEEXTRACTTASKS
#include "SchedOpt/Space/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

static Attribute getOccurrences(Builder &builder, const Task &task) {
  SmallVector<Attribute> occurrences;
  for (const TaskOccurrence &occurrence : task.occurrences) {
    SmallVector<int64_t> ops(occurrence.opIndices.begin(),
                             occurrence.opIndices.end());
    occurrences.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "function",
             FlatSymbolRefAttr::get(builder.getContext(), occurrence.function)),
         builder.getNamedAttr("ops", builder.getDenseI64ArrayAttr(ops))}));
  }
  return builder.getArrayAttr(occurrences);
}

static void annotate(ModuleOp module, const Task &task) {
  Builder builder(module.getContext());
  SmallVector<Attribute> roles;
  for (BlockRole role : task.roles)
    roles.push_back(builder.getStringAttr(stringifyBlockRole(role)));
  module->setAttr("schedule.workload_hash", builder.getStringAttr(task.hash));
  module->setAttr("schedule.workload", builder.getStringAttr(task.text));
  module->setAttr("schedule.weight", builder.getF64FloatAttr(task.weight));
  module->setAttr("schedule.flops", builder.getF64FloatAttr(task.flops));
  module->setAttr("schedule.bytes", builder.getI64IntegerAttr(task.bytes));
  module->setAttr("schedule.roles", builder.getArrayAttr(roles));
  module->setAttr("schedule.occurrences", getOccurrences(builder, task));
}

namespace {
struct ScheduleExtractTasks
    : sched::impl::ScheduleExtractTasksBase<ScheduleExtractTasks> {
  using ScheduleExtractTasksBase::ScheduleExtractTasksBase;

  void runOnOperation() override {
    ExtractionOptions extraction;
    extraction.remarks = remarks;
    llvm::Expected<std::vector<Task>> tasks =
        extractTasks(getOperation(), extraction);
    if (!tasks) {
      // Already emitted as a diagnostic.
      llvm::consumeError(tasks.takeError());
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    for (auto [number, task] : llvm::enumerate(*tasks)) {
      ModuleOp module = task.module.release();
      module.setSymName("task" + std::to_string(number));
      annotate(module, task);
      symbols.insert(module);
    }
  }
};
} // namespace

void sched::registerSpacePasses() { registerScheduleSpacePasses(); }
