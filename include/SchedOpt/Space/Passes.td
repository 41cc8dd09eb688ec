//===- Passes.td - Passes of the space layer ---------------*- tablegen -*-===//
//
// Read next: TaskExtraction.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_PASSES_TD
#define SCHEDOPT_SPACE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleExtractTasks
    : Pass<"schedule-extract-tasks", "::mlir::ModuleOp"> {
  let summary = "Cut a module into tuning tasks and show them";
  let description = [{
    A task is a contraction with the ops that fuse with it: its init, the
    elementwise ops that consume its result and those that produce its operands.
    For each task the pass appends a nested module that holds the task's ops in
    one function; tasks with the same workload are shown once. The functions of
    the module stay as they are, but for fills that several contractions share:
    each contraction gets its own. A pad that nothing but the task reads is timed
    with it and counts in its key and its bytes; the function shows the padded
    argument.

    The nested module's attributes:
    - `schedule.workload_hash`, `schedule.workload`: the workload's key and its
      readable form;
    - `schedule.weight`: how often the workload occurs;
    - `schedule.flops`, `schedule.bytes`: arithmetic operations and compulsory
      traffic of one call;
    - `schedule.roles`: the role of each linalg op, in program order;
    - `schedule.occurrences`: for each, the function and the positions of the
      task's ops among all linalg ops of that function.

    An argument attribute `schedule.layout_free` says that the caller can bring
    this argument in any layout. It is kept where a single op reads the argument.

    Example: of

    ```mlir
    func.func @f(%a: tensor<64x32xf32>,
                 %b: tensor<32x48xf32> {schedule.layout_free},
                 %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                         outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
      return %r : tensor<64x48xf32>
    }
    ```

    there is one task, `matmul_64x48x32_f32(accumulate, layout-free rhs)`.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say which functions and ops are in no task, as they are left to the "
           "default schedule (on: nothing should be missed in silence)">
  ];
  // The last three are those of linalg-fuse-elementwise-ops.
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ScheduleOutlineTasks
    : Pass<"schedule-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Give each tuning task a function of its own";
  let description = [{
    Moves each task of a function that is not exactly one task into a private
    function `<function>_<index>` and calls that instead; tasks that are the same
    op for op share one. The attribute `schedule.layout_free` of an argument
    moves along where the argument goes to that call alone. Attention (a product,
    reductions of its rows, a product) with more scores than fit in a cache
    becomes a parallel loop over blocks of rows, which calls a private function
    of the tasks of a block: there is no tensor of all scores. These tasks are
    marked `schedule.in_parallel` and run on one thread. Convolutions and poolings
    with channels outside (NCHW) and short lines or a stride are computed with
    channels innermost; the transposes around them are tasks. A cheap elementwise
    op that a reduction and others read is computed by each. schedule-search and
    schedule-apply-history do this first, so a script for several tasks of a
    function applies to what this pass makes of the input:

    ```
    sched-opt --schedule-outline-tasks in.mlir | mlir-opt-22 \
      --transform-preload-library=transform-library-paths=script.mlir \
      --transform-interpreter
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // SCHEDOPT_SPACE_PASSES_TD
