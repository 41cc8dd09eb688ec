//===- ScheduleAttrs.td - Attributes of the dialect --------*- tablegen -*-===//
//
// The target that a space is for, and one decision of a trace.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEATTRS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEATTRS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def Schedule_CmpPredicate
    : I64EnumAttr<"CmpPredicate", "comparison of two parameters", [
        I64EnumAttrCase<"eq", 0>, I64EnumAttrCase<"ne", 1>,
        I64EnumAttrCase<"lt", 2>, I64EnumAttrCase<"le", 3>,
        I64EnumAttrCase<"gt", 4>, I64EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::mlir::schedule";
}

def Schedule_TargetKind
    : I32EnumAttr<"TargetKind", "what kind of machine a target is", [
        I32EnumAttrCase<"CPU", 0, "cpu">, I32EnumAttrCase<"NVVM", 1, "nvvm">]> {
  let cppNamespace = "::mlir::schedule";
  let genSpecializedAttr = 0;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Schedule_Attr<string name, string attrMnemonic>
    : AttrDef<Schedule_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class Schedule_Count<string value, string desc>
    : DefaultValuedParameter<"int64_t", value, desc>;

def Schedule_TargetAttr : Schedule_Attr<"Target", "target"> {
  let summary = "Hardware parameters of what the code is for";
  let description = [{
    What the rules that write sketches, and the models that rank schedules, need
    to know of a machine. Sizes are in bytes. Defaults are those of a small
    machine; a parameter that is not of the target's kind must be left out.

    Examples:
    ```mlir
    #schedule.target<cpu, triple = "x86_64-linux-gnu", mcpu = "znver3",
      cores = 2, threads = 2, vector_bytes = 32, vector_registers = 16,
      fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 524288, l3 = 33554432,
      line = 64>
    #schedule.target<nvvm, arch = "sm_90a", multiprocessors = 132,
      shared_memory = 233472, registers = 65536, max_threads = 1024, warp = 32>
    ```
  }];
  let parameters = (ins
    EnumParameter<Schedule_TargetKind>:$kind,
    OptionalParameter<"StringAttr", "LLVM's target triple">:$triple,
    OptionalParameter<"StringAttr", "LLVM's name of the processor">:$mcpu,
    OptionalParameter<"StringAttr", "LLVM's target features; of a GPU `+tf32`">:$features,
    Schedule_Count<"1", "physical cores">:$cores,
    Schedule_Count<"1", "threads that a schedule may use">:$threads,
    Schedule_Count<"16", "bytes of a vector register">:$vector_bytes,
    Schedule_Count<"16", "vector registers">:$vector_registers,
    Schedule_Count<"1", "vector FMAs started a cycle; 0: no FMA">:$fma_ports,
    Schedule_Count<"4", "cycles from FMA to FMA">:$fma_latency,
    Schedule_Count<"32768", "first-level data cache">:$l1,
    Schedule_Count<"262144", "second-level cache of a core">:$l2,
    Schedule_Count<"0", "last-level cache; 0: none">:$l3,
    Schedule_Count<"64", "bytes of a cache line">:$line,
    Schedule_Count<"0", "clock in MHz; 0: not known">:$clock_mhz,
    Schedule_Count<"0", "memory bandwidth in MB/s; 0: not known">:$memory_mbs,
    OptionalParameter<"StringAttr", "GPU architecture">:$arch,
    Schedule_Count<"0", "streaming multiprocessors">:$multiprocessors,
    Schedule_Count<"0", "shared memory of a multiprocessor">:$shared_memory,
    Schedule_Count<"0", "32-bit registers of a multiprocessor">:$registers,
    Schedule_Count<"0", "most threads in a block">:$max_threads,
    Schedule_Count<"0", "threads in a warp">:$warp
  );
  let assemblyFormat = [{
    `<` $kind (`,` struct($triple, $mcpu, $features, $cores, $threads,
    $vector_bytes, $vector_registers, $fma_ports, $fma_latency, $l1, $l2, $l3,
    $line, $clock_mhz, $memory_mbs, $arch, $multiprocessors, $shared_memory,
    $registers, $max_threads, $warp)^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Schedule_DecisionAttr : Schedule_Attr<"Decision", "decision"> {
  let summary = "A decision's name and its values";
  let description = [{
    One entry of a `schedule.trace`: the name of the decision and one value a
    result; a single value stands alone.

    Examples:
    ```mlir
    #schedule.decision<"mr" = 6>
    #schedule.decision<"i" = [4, 8, 2]>
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the decision">:$name,
                        ArrayRefParameter<"int64_t">:$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Schedule_DecisionArrayAttr
    : TypedArrayAttrBase<Schedule_DecisionAttr, "array of decisions">;

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEATTRS_TD
