//===- Passes.td - From decided sketches to upstream IR ----*- tablegen -*-===//
//
// The way out of the schedule dialect.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CONVERSION_SCHEDULETOTRANSFORM_PASSES_TD
#define SCHEDOPT_CONVERSION_SCHEDULETOTRANSFORM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertScheduleToTransform
    : Pass<"convert-schedule-to-transform", "::mlir::ModuleOp"> {
  let summary = "Turn a decided sketch into a named sequence of upstream ops";
  let description = [{
    The decided sketch of the module becomes `transform.named_sequence
    @__transform_main`, which stock mlir-opt runs with --transform-interpreter:
    decisions become literals, chosen alternatives are inlined, arithmetic is
    folded, and actions are expanded. It is an error if a requirement does not
    hold. All other sketches, the spaces and the traces are removed: the
    `schedule` dialect is illegal afterwards. What a script leaves are vectors of
    upstream: `-sched-lower-to-cpu` lowers them, or upstream's passes, of which
    `--lower-vector-multi-reduction=lowering-strategy=inner-reduction` is one
    where rows are reduced.

    ```mlir
    schedule.sketch @s(%root: !transform.any_op) {
      %size = schedule.sample_categorical "size" from [4, 8] decided 8
        : !transform.param<i64>
      %op = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
      %t, %l = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    }
    // becomes
    transform.named_sequence @__transform_main(
        %root: !transform.any_op {transform.readonly}) {
      %op = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
      %t, %l = transform.structured.tile_using_for %op tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    ```
  }];
  let options = [
    Option<"sketch", "sketch", "std::string", /*default=*/"",
           "Name of the sketch to convert; by default the only one that is "
           "decided, so that a space needs no option after a replay">,
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
}

#endif // SCHEDOPT_CONVERSION_SCHEDULETOTRANSFORM_PASSES_TD
