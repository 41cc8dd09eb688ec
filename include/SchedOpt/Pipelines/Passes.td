//===- Passes.td - From a module to its schedule -----------*- tablegen -*-===//
//
// The passes that `--auto-schedule` and `--apply-history-best` are made of.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_PIPELINES_PASSES_TD
#define SCHEDOPT_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

class TargetOptions {
  list<Option> targetOptions = [
    Option<"target", "target", "std::string", /*default=*/"\"native\"",
           "What the code is for: native, "
           "cpu:mcpu=NAME[,triple=TRIPLE][,features=+A;-B], nvvm:CHIP, such as "
           "nvvm:sm_90a, or nvvm:native "
           "(native: what runs sched-opt; nvvm:native: its GPU)">,
    Option<"threads", "threads", "int", /*default=*/"0",
           "Threads that a schedule may use (0: one a core)">,
    Option<"allowTF32", "allow-tf32", "bool", /*default=*/"false",
           "On a GPU, products of f32 may round their operands to tf32, 10 bits "
           "of mantissa, for its matrix instructions (false: results keep the "
           "seven digits of f32; with it they have three)">
  ];
}

class SpaceOptions {
  list<Option> spaceOptions = [
    Option<"space", "space", "std::string", /*default=*/"\"\"",
           "File of the spaces to search instead of what the rules make: "
           "schedule.space and schedule.sketch, or scripts with "
           "transform.tune.knob (none: those in the module, or the rules')">
  ];
}

class WinogradOptions {
  list<Option> winogradOptions = [
    Option<"winograd", "winograd", "std::string", /*default=*/"\"auto\"",
           "Form of 3x3 convolutions that schedule-winograd can rewrite: auto "
           "(the faster one: measured, recorded, or by a rule), off, or its "
           "tile, 2 or 4 (auto: it loses no more than a bit)">,
    Option<"im2col", "im2col", "std::string", /*default=*/"\"off\"",
           "Convolutions that schedule-im2col can rewrite: off, on, or auto (one "
           "more form that is measured; off: it is slower as a rule)">
  ];
  list<string> winogradDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

/// What cutting tasks may make: the dialects of linalg-fuse-elementwise-ops, and
/// loops over blocks of rows.
class FusionDialects {
  list<string> fusionDialects = ["::mlir::affine::AffineDialect",
                                 "::mlir::linalg::LinalgDialect",
                                 "::mlir::memref::MemRefDialect",
                                 "::mlir::scf::SCFDialect",
                                 "::mlir::tensor::TensorDialect"];
}

def ScheduleLowerTosa : Pass<"schedule-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "Lower TOSA to linalg, if there is any";
  let description = [{
    Runs upstream's conversions of TOSA, with the weights of convolutions as
    schedules like them, and drops the dimensions of one element that broadcast
    operands are read at. `auto-schedule` and `apply-history-best` start with it.
    A script that is made of such a module applies to the output of this pass.
  }];
  let options = [
    Option<"note", "note", "bool", /*default=*/"false",
           "Note on the module that there was some, as `--emit=transform` says "
           "what its script applies to (false: a module that is written out "
           "has none left)">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"
  ];
}

def ScheduleGenerateSpace
    : Pass<"schedule-generate-space", "::mlir::ModuleOp">, TargetOptions,
      FusionDialects {
  let summary = "Add the search space of each task to the module";
  let description = [{
    For each task of the module, appends a `schedule.space` with the sketches
    that the rules make of it, the most promising first. A task that the module
    has a space for, of its workload and target, is passed over.
  }];
  let options = targetOptions;
  let dependentDialects = !listconcat(["::mlir::schedule::ScheduleDialect"],
                                      fusionDialects);
}

def ScheduleSearch
    : Pass<"schedule-search", "::mlir::ModuleOp">, TargetOptions,
      SpaceOptions, WinogradOptions, FusionDialects {
  let summary = "Find the best schedule of each task";
  let description = [{
    Gives each task a function of its own (schedule-outline-tasks), searches its
    space, measures candidates in worker processes, and appends the best as one
    `transform.named_sequence @__transform_main`, for transform-interpreter to
    apply. What was measured is kept in `WORK-DIR/records.jsonl`, and what each
    task computes in `WORK-DIR/workloads`; a second run with the same directory
    goes on where the first stopped. How each round of the search went is kept in
    `WORK-DIR/search-log.jsonl`. A `schedule.space` in
    the module or in the file `space` is searched instead of what the rules would
    make for its tasks, and so are sketches, and sequences with
    `transform.tune.knob` or `transform.tune.alternatives`; all of them are
    removed (docs/Extending.md). The module gets the
    attributes `schedule.target` and `schedule.threads`, which the code generator
    reads. Before all that, 3x3 convolutions take their faster form
    (schedule-winograd, option `winograd`); a module with spaces stays as it is, but
    for a tile that is asked for. What was rewritten is in `schedule.winograd`.
    For a GPU (`target=nvvm:...`) results are compared with those of the CPU.
    With `allow-tf32` the target has the feature `+tf32`, as records, spaces and the
    module then say: what was found with it is not used without.
    Where no GPU is here that the target's code runs on, nothing is measured: a
    batch of candidates is built, what spills or does not fit is dropped, and the
    model's best of the others is taken. That is warned of once; the records then
    say what was built, and are no trials.
    A function of which ops were replaced before tasks were cut (this form, or
    schedule-outline-tasks), or that has several tasks, is compared as a whole,
    scheduled, with the function as it was, if anything is measured. One that is
    wrong is put back, with a warning, and one that is slower, with a remark; it
    gets the attribute `schedule.left_to_default`, the value of which is what the
    function is called in the input. The script of `--emit=transform` begins by
    marking it so.
  }];
  let options = !listconcat(targetOptions, spaceOptions, winogradOptions, [
    Option<"effort", "effort", "std::string", /*default=*/"\"normal\"",
           "quick (trials=16 batch=8 plateau=0.05), normal (as below), or "
           "thorough (trials=512 batch=32 repeats=5 min-repeat-ms=20 "
           "early-stopping=256 plateau=0.002); options that are given win">,
    Option<"strategy", "strategy", "std::string",
           /*default=*/"\"evolutionary\"",
           "What chooses the candidates: evolutionary, random, grid (all in "
           "order, for small spaces), replay (the best of other shapes and "
           "targets in the records), or none (the default schedule alone)">,
    Option<"replayDir", "replay-dir", "std::string", /*default=*/"\"\"",
           "Work directory with the records that strategy=replay takes from "
           "(none: work-dir)">,
    Option<"trials", "trials", "unsigned", /*default=*/"64",
           "Candidates to measure, those in the records included; one that "
           "became the machine code of another is none (0: measure nothing, "
           "take the model's best guess)">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seed of the search (the same seed and records: the same answer)">,
    Option<"workDir", "work-dir", "std::string", /*default=*/"\"\"",
           "Directory of the records (none: nothing is kept)">,
    Option<"timeBudget", "time-budget", "double", /*default=*/"0",
           "Seconds after which no new trial starts (0: no limit)">,
    Option<"earlyStopping", "early-stopping", "unsigned", /*default=*/"0",
           "Stop after this many trials without an improvement of 1 % (0: "
           "never)">,
    Option<"earlyStop", "early-stop", "unsigned", /*default=*/"0",
           "The same as early-stopping">,
    Option<"plateau", "plateau", "double", /*default=*/"-1",
           "Stop when the next batch is expected to gain less than this share "
           "over the best, as 0.01 for 1 % (0: never; -1: as effort says, and "
           "of normal effort 0 where trials are given, else 0.01)">,
    Option<"batch", "batch", "unsigned", /*default=*/"16",
           "Candidates a round (16: enough to learn from, few enough to adapt)">,
    Option<"jobs", "jobs", "unsigned", /*default=*/"0",
           "Builder processes (0: one a core; the answer does not depend on "
           "it)">,
    Option<"isolate", "isolate", "bool", /*default=*/"false",
           "On a GPU, a process and context of its own for each candidate "
           "(false: one serves until something fails in it, as each start takes "
           "some tenths of a second)">,
    Option<"minRepeatMs", "min-repeat-ms", "double", /*default=*/"-1",
           "Least milliseconds of one timed repeat (-1: 3, far above the "
           "clock's resolution, short enough for 64 trials in seconds; on a GPU "
           "300, for its clock to settle)">,
    Option<"repeats", "repeats", "unsigned", /*default=*/"3",
           "Most timed repeats of a candidate (3: two that agree are enough, and "
           "the best are compared again in the end)">,
    Option<"buildTimeout", "build-timeout", "double", /*default=*/"30",
           "Seconds after which the build of a candidate has failed (30: a few "
           "times what the slowest takes on a busy machine)">,
    Option<"runTimeout", "run-timeout", "double", /*default=*/"10",
           "Seconds after which a candidate that runs has failed (10; at least "
           "four calls of the unscheduled function are waited for)">,
    Option<"costModel", "cost-model", "std::string", /*default=*/"\"auto\"",
           "What ranks candidates: auto (xgboost; analytic on a GPU, or where "
           "XGBoost is not installed), analytic (formulas), xgboost (formulas, "
           "and trees that have learned, and learn in this run, what these get "
           "wrong; formulas alone where XGBoost is not installed), ensemble "
           "(xgboost, and how much its boosters disagree), xgboost-fresh, "
           "ensemble-fresh (the same, but nothing was learned before this run), "
           "random (for comparison), a file of sched-db train, or a model in "
           "another process: python:FILE.py:CLASS, or "
           "command:PROGRAM ARGUMENT... (docs/Python.md)">,
    Option<"logLevel", "log-level", "std::string", /*default=*/"\"progress\"",
           "What to tell on stderr: progress (a line a round), info (what each "
           "round sampled, bred, chose and measured), or debug (and what was "
           "refused, and why)">,
    Option<"quiet", "quiet", "bool", /*default=*/"false",
           "Report nothing but warnings and errors">
  ]);
  let dependentDialects = !listconcat(["::mlir::schedule::ScheduleDialect",
                                       "::mlir::transform::TransformDialect"],
                                      fusionDialects, winogradDialects);
}

def ScheduleApplyHistory
    : Pass<"schedule-apply-history", "::mlir::ModuleOp">, TargetOptions,
      SpaceOptions, WinogradOptions, FusionDialects {
  let summary = "Take the best schedule of each task from the records";
  let description = [{
    As schedule-search with the records alone: appends the best measured schedule
    of each task as `transform.named_sequence @__transform_main`; spaces in the
    module are used and removed as schedule-search does. It is an error
    if the records hold none for this workload, target and compiler; the message
    says what is there instead.
  }];
  let options = !listconcat(targetOptions, spaceOptions, winogradOptions, [
    Option<"workDir", "work-dir", "std::string", /*default=*/"\"\"",
           "Directory of the records">
  ]);
  let dependentDialects = !listconcat(["::mlir::schedule::ScheduleDialect",
                                       "::mlir::transform::TransformDialect"],
                                      fusionDialects, winogradDialects);
}

def ScheduleDropScript : Pass<"schedule-drop-script", "::mlir::ModuleOp"> {
  let summary = "Remove the applied script from a module";
  let description = [{
    Removes named sequences and the names of blocks, which nobody needs once the
    script has been applied, and puts outlined tasks back in their place.
  }];
}

#endif // SCHEDOPT_PIPELINES_PASSES_TD
