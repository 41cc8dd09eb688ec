//===- ScheduleKernelOps.td - Actions that make kernels ----*- tablegen -*-===//
//
// Actions for GPUs. A script for one says which tile of the result a block of
// threads computes, which steps of a reduction it takes at once, and, in an
// attribute, how its threads share them; the code generator does the rest. See
// ScheduleActionOps.td for blocks of code, `dims` and `rank`; what these actions
// leave over is not peeled: the last tile of a dimension is smaller.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEKERNELOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEKERNELOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleActionOps.td"

def Schedule_TileGridOp : Schedule_ActionOp<"tile_grid",
                                            [AttrSizedOperandSegments]> {
  let summary = "Makes a kernel of a block and its producers";
  let description = [{
    Cuts the result of the block `root` into tiles, one a block of threads:
    dimension `dims[i]` by `sizes[i]`, in an `scf.forall` that is mapped to the
    blocks of a grid, of which the last dimension varies fastest. The blocks
    `fuse`, consumers first, are computed inside of it. They may be read by each
    other in any order with `stages`, where upstream takes every producer that it
    reaches, and `fuse` says which those are. At least one size must be smaller
    than its extent.

    Example:
    ```mlir
    schedule.tile_grid %func "epilogue" fuse ["anchor", "init"] rank 2
      dims [0, 1] extents(%m, %n) sizes(%bm, %bn)
    schedule.tile_grid %func "root" stages fuse ["exp", "sum", "max"] rank 2
      dims [0] extents(%rows) sizes(%block)
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$root,
                       UnitAttr:$stages, StrArrayAttr:$fuse, I64Attr:$rank,
                       DenseI64ArrayAttr:$dims,
                       Variadic<Schedule_Param>:$extents,
                       Variadic<Schedule_Param>:$sizes);
  let assemblyFormat = [{
    $target $root (`stages` $stages^)? `fuse` $fuse `rank` $rank `dims` $dims
    `extents` `(` $extents `)` `sizes` `(` $sizes `)` attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_TileStepsOp : Schedule_ActionOp<"tile_steps",
                                             [AttrSizedOperandSegments]> {
  let summary = "Takes a reduction in steps";
  let description = [{
    Loops over dimension `dims[i]` of `block` by `sizes[i]`, the first outermost;
    a thread keeps its results over all of them. A size that is not smaller than
    its extent makes no loop.

    Example:
    ```mlir
    schedule.tile_steps %func "anchor" rank 3 dims [2] extents(%k) sizes(%bk)
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, I64Attr:$rank,
                       DenseI64ArrayAttr:$dims,
                       Variadic<Schedule_Param>:$extents,
                       Variadic<Schedule_Param>:$sizes);
  let assemblyFormat = [{
    $target $block `rank` $rank `dims` $dims `extents` `(` $extents `)`
    `sizes` `(` $sizes `)` attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_AnnotateOp : Schedule_ActionOp<"annotate"> {
  let summary = "Puts decided parameters on a block";
  let description = [{
    Gives each op of `block` the attribute `attribute`: a dictionary whose values are
    parameters, lists of them, one of several words by its number, or a word.
    Numbers become `i64` attributes.

    Example:
    ```mlir
    schedule.annotate %func "anchor" "sched.simt" {threads = [%ty, %tx], stages = %s}
    schedule.annotate %func "exp" "sched.simt"
      {threads = [%ty, %tx], vector = %v, keep = %k of ["registers", "shared"]}
    schedule.annotate %func "bias" "sched.simt" {keep = "recompute"}
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, StrAttr:$attribute,
                       StrArrayAttr:$keys, ArrayAttr:$forms,
                       Variadic<Schedule_Param>:$values);
  let assemblyFormat = [{
    $target $block $attribute custom<Entries>($keys, $forms, $values) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// One key of the dictionary: `words` are those that a single value chooses
    /// from, or the one word there is where it has none.
    struct Entry {
      ::llvm::StringRef key;
      ::mlir::ValueRange values;
      bool isList;
      ::llvm::SmallVector<::llvm::StringRef, 3> words;
    };
    ::llvm::SmallVector<Entry> getEntries();
  }];
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEKERNELOPS_TD
