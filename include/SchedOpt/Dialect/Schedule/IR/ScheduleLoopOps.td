//===- ScheduleLoopOps.td - Upstream actions with parameters -*- tablegen -*-=//
//
// Actions that upstream has with attributes only. Each expands to the upstream
// op of the same name.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULELOOPOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULELOOPOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleBase.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.td"

def Schedule_UnrollOp : Schedule_Op<"unroll", [
    DeclareOpInterfaceMethods<ScheduleActionOpInterface>]> {
  let summary = "Unrolls loops by a parameter";
  let description = [{
    Unrolls each of `loops` by `factor`, which is at least 1; 1 leaves them as
    they are. Expands to `transform.loop.unroll`, which keeps the handle valid.

    Example:
    ```mlir
    schedule.unroll %loops by %factor
    ```
  }];
  let arguments = (ins Schedule_Handle:$loops, Schedule_Param:$factor);
  let assemblyFormat = "$loops `by` $factor attr-dict";
}

def Schedule_InterchangeOp : Schedule_Op<"interchange", [
    DeclareOpInterfaceMethods<ScheduleActionOpInterface>]> {
  let summary = "Reorders the iterators of a structured op by parameters";
  let description = [{
    Dimension i of the result is dimension `order[i]` of `target`. Expands to
    `transform.structured.interchange`, which takes linalg.generic ops only;
    the result replaces the handle `target`. The identity does nothing.

    Example:
    ```mlir
    %new = schedule.interchange %op by(%o0, %o1, %o2)
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, Variadic<Schedule_Param>:$order);
  let results = (outs Schedule_Handle:$transformed);
  let assemblyFormat = "$target `by` `(` $order `)` attr-dict";
  let hasVerifier = 1;
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULELOOPOPS_TD
