//===- ScheduleDecisionOps.td - Decisions ------------------*- tablegen -*-===//
//
// The choices of a sketch. All of them have a name, may say what the default
// schedule takes (`default`) and may be decided (`decided`).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEDECISIONOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEDECISIONOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleContainerOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.td"

class Schedule_DecisionOp<string mnemonic, list<Trait> traits = []>
    : Schedule_Op<mnemonic, !listconcat(traits,
        [DeclareOpInterfaceMethods<DecisionOpInterface>])> {
  // The parts of the assembly that all decisions share.
  string valuesFormat = [{
    (`default` custom<DecisionValues>($default_values)^)?
    (`decided` custom<DecisionValues>($decided)^)?
  }];
  let hasVerifier = 1;
}

def Schedule_SampleCategoricalOp : Schedule_DecisionOp<"sample_categorical"> {
  let summary = "One of a list of values";
  let description = [{
    Decides on one of the values `from`, drawn with the given weights or
    uniformly. Values in increasing order are taken to be sizes: the next smaller
    and the next larger one are neighbours. Otherwise each value is a neighbour
    of every other.

    Example:
    ```mlir
    %mr = schedule.sample_categorical "mr" from [4, 5, 6]
      weights [1.0, 1.0, 2.0] default 6 decided 5 : !transform.param<i64>
    ```
  }];
  let arguments = (ins StrAttr:$decision_name, DenseI64ArrayAttr:$candidates,
                       OptionalAttr<DenseF64ArrayAttr>:$weights,
                       OptionalAttr<DenseI64ArrayAttr>:$default_values,
                       OptionalAttr<DenseI64ArrayAttr>:$decided);
  let results = (outs Schedule_Param:$result);
  let assemblyFormat = "$decision_name `from` $candidates "
                       "(`weights` $weights^)?" # valuesFormat #
                       "attr-dict `:` type($result)";
}

def Schedule_SampleTileOp : Schedule_DecisionOp<"sample_tile"> {
  let summary = "A tile size that need not divide the extent";
  let description = [{
    Decides on a multiple of `multiple_of` (1 if not given) from `min` to `max`,
    but at most the extent; with `or_full` also the extent itself. The tail is
    up to the actions that use it. An extent may be a parameter: `extent(%m)`.

    Examples:
    ```mlir
    %mc = schedule.sample_tile "mc" extent 1024 min 16 max 512 multiple_of 16
      or_full : !transform.param<i64>
    %nc = schedule.sample_tile "nc" extent(%n) min 1 max 64
      : !transform.param<i64>
    ```
  }];
  let arguments = (ins StrAttr:$decision_name,
                       Optional<Schedule_Param>:$dynamic_extent,
                       OptionalAttr<I64Attr>:$extent, I64Attr:$min, I64Attr:$max,
                       OptionalAttr<I64Attr>:$multiple_of, UnitAttr:$or_full,
                       OptionalAttr<DenseI64ArrayAttr>:$default_values,
                       OptionalAttr<DenseI64ArrayAttr>:$decided);
  let results = (outs Schedule_Param:$result);
  let assemblyFormat = "$decision_name custom<Extent>($extent, $dynamic_extent) "
                       "`min` $min `max` $max (`multiple_of` $multiple_of^)? "
                       "(`or_full` $or_full^)?" # valuesFormat #
                       "attr-dict `:` type($result)";
}

def Schedule_SamplePerfectTileOp : Schedule_DecisionOp<"sample_perfect_tile"> {
  let summary = "Factors of an extent";
  let description = [{
    Decides on `parts` factors whose product is the extent, outermost first; the
    innermost is at most `max_innermost`. The domain are all such
    factorisations, in lexicographic order. Moving one prime factor from one part
    to another leads to a neighbour. An extent may be a parameter.

    Example:
    ```mlir
    %i:3 = schedule.sample_perfect_tile "i" extent 128 parts 3 max_innermost 16
      : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
    ```
  }];
  let arguments = (ins StrAttr:$decision_name,
                       Optional<Schedule_Param>:$dynamic_extent,
                       OptionalAttr<I64Attr>:$extent, I64Attr:$parts,
                       OptionalAttr<I64Attr>:$max_innermost,
                       OptionalAttr<DenseI64ArrayAttr>:$default_values,
                       OptionalAttr<DenseI64ArrayAttr>:$decided);
  let results = (outs Variadic<Schedule_Param>:$results);
  let assemblyFormat = "$decision_name custom<Extent>($extent, $dynamic_extent) "
                       "`parts` $parts (`max_innermost` $max_innermost^)?"
                       # valuesFormat # "attr-dict `:` type($results)";
}

def Schedule_SamplePermutationOp : Schedule_DecisionOp<"sample_permutation"> {
  let summary = "An order";
  let description = [{
    Decides on a permutation of 0 to `of` - 1, one position a result. Without a
    default it is the identity. Swapping two positions next to each other leads
    to a neighbour.

    Example:
    ```mlir
    %o:2 = schedule.sample_permutation "order" of 2
      : !transform.param<i64>, !transform.param<i64>
    ```
  }];
  let arguments = (ins StrAttr:$decision_name, I64Attr:$count,
                       OptionalAttr<DenseI64ArrayAttr>:$default_values,
                       OptionalAttr<DenseI64ArrayAttr>:$decided);
  let results = (outs Variadic<Schedule_Param>:$results);
  let assemblyFormat = "$decision_name `of` $count" # valuesFormat #
                       "attr-dict `:` type($results)";
}

def Schedule_SampleComputeLocationOp
    : Schedule_DecisionOp<"sample_compute_location"> {
  let summary = "The place where a block is computed";
  let description = [{
    Decides on one of the named places `from`, outermost first. The result is
    the place's index.

    Example:
    ```mlir
    %at = schedule.sample_compute_location "epilogue" from ["root", "tile"]
      : !transform.param<i64>
    ```
  }];
  let arguments = (ins StrAttr:$decision_name, StrArrayAttr:$locations,
                       OptionalAttr<DenseF64ArrayAttr>:$weights,
                       OptionalAttr<DenseI64ArrayAttr>:$default_values,
                       OptionalAttr<DenseI64ArrayAttr>:$decided);
  let results = (outs Schedule_Param:$result);
  let assemblyFormat = "$decision_name `from` $locations "
                       "(`weights` $weights^)?" # valuesFormat #
                       "attr-dict `:` type($result)";
}

def Schedule_ChooseOp : Schedule_DecisionOp<"choose", [
    NoRegionArguments, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "One of several alternatives";
  let description = [{
    Decides on one of its regions, by index. The region's `schedule.yield` gives
    the results. Decisions and requirements of the other regions do not count.

    Example:
    ```mlir
    %result = schedule.choose "which" weights [3.0, 1.0] : !transform.any_op {
      %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      schedule.yield %tiled : !transform.any_op
    }, {
      schedule.yield %op : !transform.any_op
    }
    ```
  }];
  let arguments = (ins StrAttr:$decision_name,
                       OptionalAttr<DenseF64ArrayAttr>:$weights,
                       OptionalAttr<DenseI64ArrayAttr>:$default_values,
                       OptionalAttr<DenseI64ArrayAttr>:$decided);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$alternatives);
  let assemblyFormat = "$decision_name (`weights` $weights^)?" # valuesFormat #
                       "attr-dict-with-keyword (`:` type($results)^)? "
                       "$alternatives";
  let hasRegionVerifier = 1;
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEDECISIONOPS_TD
