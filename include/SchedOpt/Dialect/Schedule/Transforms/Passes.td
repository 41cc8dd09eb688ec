//===- Passes.td - Passes on schedules ---------------------*- tablegen -*-===//
//
// Filling in decisions, and the exchange with upstream's tuning ops.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_PASSES_TD
#define SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleSample : Pass<"schedule-sample", "::mlir::ModuleOp"> {
  let summary = "Fill in open decisions at random";
  let description = [{
    Decides every open decision of every sketch by its weights, so that the
    requirements of the sketch hold. Decisions made already stay. The same seed
    gives the same decisions on every machine.
  }];
  let options = [
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seed of the random numbers; 0 is a seed as good as any">,
    Option<"maxTries", "max-tries", "unsigned", /*default=*/"10000",
           "Draws per sketch before giving up; a draw is cheap, and sketches "
           "whose requirements leave one in a thousand should still work">,
  ];
}

def ScheduleApplyTrace : Pass<"schedule-apply-trace", "::mlir::ModuleOp"> {
  let summary = "Fill in the decisions that traces hold";
  let description = [{
    For each `schedule.trace of @sketch` of the module fills in the decisions of
    that sketch, and removes the trace. It is an error if the sketch does not
    exist or does not match the trace, if a value is outside of its decision's
    domain, or if a requirement is not met.
  }];
}

def ScheduleExportKnobs : Pass<"schedule-export-knobs", "::mlir::ModuleOp"> {
  let summary = "Turn sketches into sequences with transform.tune ops";
  let description = [{
    Each sketch becomes a `transform.named_sequence` of its name: decisions with
    one result become `transform.tune.knob`, and `choose` becomes
    `transform.tune.alternatives`. Weights and defaults are kept as attributes.
    Knobs have no arithmetic and no requirements: a sketch that needs them
    cannot be exported.
  }];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
}

def ScheduleImportKnobs : Pass<"schedule-import-knobs", "::mlir::ModuleOp"> {
  let summary = "Turn sequences with transform.tune ops into sketches";
  let description = [{
    The reverse of schedule-export-knobs: each `transform.named_sequence` with
    knobs or alternatives becomes a sketch of its name. Options must be lists of
    integers. Sequences that it includes become parts of it.
  }];
  let dependentDialects = ["::mlir::schedule::ScheduleDialect"];
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_PASSES_TD
