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
  let summary = "All sketches of one workload";
  let description = [{
    The search space of a workload: its sketches, the most promising first. The
    workload is given by its hash and in readable form. It may also hold traces
    of its sketches.

    Example:
    ```mlir
    schedule.space @mm workload("9f3c", "matmul_8x8x8_f32")
        target(#schedule.target<cpu, mcpu = "znver3">) {
      schedule.sketch @plain(%root: !transform.any_op) {
        %mr = schedule.sample_categorical "mr" from [4, 6] : !transform.param<i64>
      }
      schedule.trace of @plain decisions {mr = 6}
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$workload,
                       StrAttr:$workload_text,
                       OptionalAttr<Schedule_TargetAttr>:$target);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `workload` `(` $workload `,` $workload_text `)`
    (`target` `(` $target^ `)`)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Schedule_SketchOp : Schedule_Op<"sketch", [
    IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">, Symbol]> {
  let summary = "A schedule with open decisions";
  let description = [{
    A transform script whose sizes and choices are decisions. The arguments are
    handles; the first is the root of the payload. The names of its decisions
    are unique. With every decision filled in (`decided`), it is one schedule.

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
