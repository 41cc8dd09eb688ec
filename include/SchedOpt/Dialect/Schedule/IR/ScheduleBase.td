//===- ScheduleBase.td - The schedule dialect --------------*- tablegen -*-===//
//
// The dialect and what all its op files share. Read next: ScheduleAttrs.td,
// ScheduleInterfaces.td, then ScheduleOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEBASE_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEBASE_TD

include "mlir/IR/OpBase.td"

def Schedule_Dialect : Dialect {
  let name = "schedule";
  let cppNamespace = "::mlir::schedule";
  let summary = "Schedules with open decisions";
  let description = [{
    A schedule is a program in the transform dialect. This dialect adds what a
    search needs: *decisions* with a domain, arithmetic on their values,
    requirements that cut the space down, and containers.

    A `schedule.sketch` is a transform script in which sizes and choices are
    decisions. With each decision filled in it is one schedule, and
    `convert-schedule-to-transform` turns it into a `transform.named_sequence` of
    upstream ops. A `schedule.trace` holds the decisions alone; a
    `schedule.space` holds all sketches of one workload.

    Values have types of the transform dialect: handles are `!transform.any_op`,
    parameters are `!transform.param<i64>`.
  }];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Registers the attributes; part of the initialisation.
    void registerAttributes();
  }];
}

/// A parameter: a size, an index or a truth value.
def Schedule_Param
    : Type<And<[CPred<"::llvm::isa<::mlir::transform::ParamType>($_self)">,
                CPred<"::llvm::cast<::mlir::transform::ParamType>($_self)"
                      ".getType().isSignlessInteger(64)">]>,
           "64-bit integer parameter">,
      BuildableType<"::mlir::transform::ParamType::get("
                    "$_builder.getContext(), $_builder.getI64Type())">;

/// A handle to any payload operations.
def Schedule_Handle
    : Type<CPred<"::llvm::isa<::mlir::transform::AnyOpType>($_self)">,
           "handle to any operations">,
      BuildableType<
          "::mlir::transform::AnyOpType::get($_builder.getContext())">;

class Schedule_Op<string mnemonic, list<Trait> traits = []>
    : Op<Schedule_Dialect, mnemonic, traits>;

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEBASE_TD
