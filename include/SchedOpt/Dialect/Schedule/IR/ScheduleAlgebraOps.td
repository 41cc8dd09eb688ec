//===- ScheduleAlgebraOps.td - Arithmetic on parameters ----*- tablegen -*-===//
//
// Pure ops on parameters, and the requirement. Truth values are 0 and 1; any
// value but 0 is true.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEALGEBRAOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEALGEBRAOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Schedule_AlgebraOp<string mnemonic, list<Trait> traits = []>
    : Schedule_Op<mnemonic, !listconcat(traits,
        [Pure, DeclareOpInterfaceMethods<AlgebraOpInterface>])> {
  let results = (outs Schedule_Param:$result);
}

//===----------------------------------------------------------------------===//
// Any number of operands
//===----------------------------------------------------------------------===//

class Schedule_VariadicOp<string mnemonic, string meaning>
    : Schedule_AlgebraOp<mnemonic> {
  let summary = meaning;
  let description = [{
    }] # meaning # [{; there is at least one. Constants among them are combined
    into one, at the end.

    Example:
    ```mlir
    %r = schedule.}] # mnemonic # [{ %a, %b, %c
    ```
  }];
  let arguments = (ins Variadic<Schedule_Param>:$inputs);
  let assemblyFormat = "$inputs attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Schedule_ProductOp : Schedule_VariadicOp<"product", "Product of parameters">;
def Schedule_SumOp : Schedule_VariadicOp<"sum", "Sum of parameters">;
def Schedule_MinOp : Schedule_VariadicOp<"min", "Smallest of parameters">;
def Schedule_MaxOp : Schedule_VariadicOp<"max", "Largest of parameters">;
def Schedule_AndOp
    : Schedule_VariadicOp<"and", "Whether all parameters are true">;
def Schedule_OrOp : Schedule_VariadicOp<"or", "Whether any parameter is true">;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

class Schedule_BinaryOp<string mnemonic, string meaning, string details>
    : Schedule_AlgebraOp<mnemonic> {
  let summary = meaning;
  let description = [{
    }] # meaning # details # [{

    Example:
    ```mlir
    %r = schedule.}] # mnemonic # [{ %a, %b
    ```
  }];
  let arguments = (ins Schedule_Param:$lhs, Schedule_Param:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
}

// Total, so that the unused side of a `select` may divide by anything.
defvar byZero = ". Division by 0 gives 0.";

def Schedule_SubOp : Schedule_BinaryOp<"sub", "Difference", ".">;
def Schedule_FloorDivOp
    : Schedule_BinaryOp<"floordiv", "Quotient, rounded down", byZero>;
def Schedule_CeilDivOp
    : Schedule_BinaryOp<"ceildiv", "Quotient, rounded up", byZero>;
def Schedule_ModOp
    : Schedule_BinaryOp<"mod", "Remainder of `floordiv`", byZero>;

def Schedule_CmpOp : Schedule_AlgebraOp<"cmp"> {
  let summary = "Comparison";
  let description = [{
    1 where `lhs` stands in the relation `eq`, `ne`, `lt`, `le`, `gt` or `ge` to
    `rhs`, and 0 otherwise.

    Example:
    ```mlir
    %fits = schedule.cmp le %live, %registers
    ```
  }];
  let arguments = (ins Schedule_CmpPredicate:$predicate, Schedule_Param:$lhs,
                       Schedule_Param:$rhs);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict";
}

def Schedule_SelectOp : Schedule_AlgebraOp<"select"> {
  let summary = "One of two parameters";
  let description = [{
    `true_value` where `condition` is not 0, and `false_value` otherwise.

    Example:
    ```mlir
    %size = schedule.select %condition, %a, %b
    ```
  }];
  let arguments = (ins Schedule_Param:$condition, Schedule_Param:$true_value,
                       Schedule_Param:$false_value);
  let assemblyFormat =
      "$condition `,` $true_value `,` $false_value attr-dict";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Requirement
//===----------------------------------------------------------------------===//

def Schedule_RequireOp : Schedule_Op<"require"> {
  let summary = "What has to hold of the decisions";
  let description = [{
    Rules out every schedule for which `condition` is 0, before anything is
    built. A requirement that always holds folds away.

    Example:
    ```mlir
    schedule.require "the accumulators fit in the registers" %fits
    ```
  }];
  let arguments = (ins StrAttr:$reason, Schedule_Param:$condition);
  let assemblyFormat = "$reason $condition attr-dict";
  let hasCanonicalizeMethod = 1;
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEALGEBRAOPS_TD
