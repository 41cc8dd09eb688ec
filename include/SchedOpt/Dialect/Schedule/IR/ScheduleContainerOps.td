//===- ScheduleContainerOps.td - Spaces, sketches, traces --*- tablegen -*-===//
//
// What holds decisions: all sketches of a workload, one sketch, and the record
// form.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULECONTAINEROPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULECONTAINEROPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Schedule_SpaceOp : Schedule_Op<"space", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, Symbol,
    SymbolTable]> {
  let summary = "All sketches of one workload, or of several";
  let description = [{
    The search space of a task: its sketches, the most promising first. It may
    also hold traces of its sketches. What it is for is said in one of three ways:

    - `workload`: by the workload's hash and readable form; where the hash is
      empty, by the form alone;
    - `matches`: the tasks of which an op is accepted by that matcher, a
      `transform.named_sequence` as `transform.foreach_match` takes them;
    - neither: the task whose function has the space's name.

    Examples:
    ```mlir
    schedule.space @mm workload("9f3c", "matmul_8x8x8_f32")
        target(#schedule.target<cpu, mcpu = "znver3">) {
      schedule.sketch @plain(%root: !transform.any_op) {
        %mr = schedule.sample_categorical "mr" from [4, 6] : !transform.param<i64>
      }
      schedule.trace of @plain decisions {mr = 6}
    }
    transform.named_sequence @is_product(%op: !transform.any_op {transform.readonly}) {
      transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
      transform.yield
    }
    schedule.space @products matches(@is_product) {
      schedule.sketch @none(%root: !transform.any_op) {}
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$workload,
                       OptionalAttr<StrAttr>:$workload_text,
                       OptionalAttr<FlatSymbolRefAttr>:$matcher,
                       OptionalAttr<Schedule_TargetAttr>:$target);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`workload` `(` $workload^ `,` $workload_text `)`)?
    (`matches` `(` $matcher^ `)`)? (`target` `(` $target^ `)`)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Schedule_SketchOp : Schedule_Op<"sketch", [
    IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">, Symbol]> {
  let summary = "A schedule with open decisions";
  let description = [{
    A transform script whose sizes and choices are decisions. The arguments are
    handles; the first is the root of the payload. The names of its decisions
    are unique. Ops of this dialect stand in the sketch itself or in alternatives
    of a `choose`, and not inside of upstream's ops. With every decision filled in (`decided`), it is one schedule.

    Example:
    ```mlir
    schedule.sketch @tiled(%root: !transform.any_op) {
      %mc = schedule.sample_tile "mc" extent 64 min 16 max 64 multiple_of 16
        : !transform.param<i64>
      %op = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
      %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%mc]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The decisions in program order, those inside of `choose` included.
    ::llvm::SmallVector<::mlir::schedule::DecisionOpInterface> getDecisions();
  }];
}

def Schedule_TraceOp : Schedule_Op<"trace"> {
  let summary = "The decisions that make a sketch one schedule";
  let description = [{
    Names a sketch and lists the values of its decisions, in the sketch's order.
    The sketch is looked up among the symbols around the trace, and then in all
    spaces of the module. Its text is what a record file stores.

    Example:
    ```mlir
    schedule.trace of @packed decisions {mr = 6, nr = 16, i = [4, 8, 2]}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$sketch,
                       Schedule_DecisionArrayAttr:$decisions);
  let assemblyFormat = [{
    `of` $sketch `decisions` custom<TraceDecisions>($decisions) attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_YieldOp : Schedule_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["SketchOp", "ChooseOp"]>]> {
  let summary = "Ends a sketch or an alternative";
  let description = [{
    Hands the results of an alternative to its `choose`. A sketch yields nothing.

    Example:
    ```mlir
    schedule.yield %tiled : !transform.any_op
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [
    OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>,
  ];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULECONTAINEROPS_TD
