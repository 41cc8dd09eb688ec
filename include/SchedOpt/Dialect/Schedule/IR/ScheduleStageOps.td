//===- ScheduleStageOps.td - Actions for stages of a task --*- tablegen -*-===//
//
// Actions for tasks without a contraction: elementwise ops and reductions, each
// a *stage* of the same computation over the same rows. See
// ScheduleActionOps.td for blocks, `dims` and `rank`.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULESTAGEOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULESTAGEOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleActionOps.td"

def Schedule_FuseStagesOp : Schedule_ActionOp<"fuse_stages",
                                              [AttrSizedOperandSegments]> {
  let summary = "Computes a block and all its stages tile by tile, over threads";
  let description = [{
    Splits dimension `dims[which]` of `root` evenly over `threads` threads, then
    tiles each dimension `dims[i]` by `sizes[i]`, the first outermost, and
    computes the blocks `stages` that `root` depends on inside of the innermost
    loop: each once, however many others read it. What the threads do not divide
    is left to a serial copy after the parallel loop; every loop is peeled. It is
    an error if a thread gets nothing. `stages` may be read by each other, in
    any order, which `tile_parallel` does not allow.

    Example:
    ```mlir
    schedule.fuse_stages %func "root" stages ["max", "exp", "sum"] rank 2
      dims [0] extents(%rows) sizes(%one) which %zero threads %t
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$root, StrArrayAttr:$stages,
                       I64Attr:$rank, DenseI64ArrayAttr:$dims,
                       Variadic<Schedule_Param>:$extents,
                       Variadic<Schedule_Param>:$sizes, Schedule_Param:$which,
                       Schedule_Param:$threads);
  let assemblyFormat = [{
    $target $root `stages` $stages `rank` $rank `dims` $dims `extents` `(` $extents `)`
    `sizes` `(` $sizes `)` `which` $which `threads` $threads attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_SplitReductionOp : Schedule_ActionOp<"split_reduction",
                                                [AttrSizedOperandSegments]> {
  let summary = "Reduces `width` elements in each step";
  let description = [{
    `block` reduces its innermost dimension `dim`, of `extent` elements, in steps
    of `width`. Where `keep` is not 0, there are `width` partial results, which
    are combined at the end: the sums become lanes of vectors. Where it is 0,
    each step reduces its elements and the one result so far to one. Both
    reorder the operands of float sums. What `width` leaves over starts from the
    result and is split by `rest_width` in the same way (block `tail_` + name);
    what is left then (block `rest_` + name) is reduced as a whole. A width that
    is not smaller than the extent splits nothing.

    Further dimensions of the reduction are listed in `around`: loops over their
    single elements, the first outermost, run around the steps, all of which add
    to the same partial results. Then a width of the whole extent is one step.
    With `lines`, a step takes so many elements of the last of them at once, with
    partial results for each: what comes from memory is read in several places.
    The extent of that dimension has to be a multiple of `lines`.

    After a `share_reduction` of `dim`, each block has one of `of` shares of the
    extent.

    Example:
    ```mlir
    schedule.split_reduction %func "sum" rank 2 dim 1 extent 1000 width %w
      rest_width %lanes keep %partials
    schedule.split_reduction %func "norm" rank 3 dim 2 extent 1000 around [1]
      lines %l width %w rest_width %lanes keep %partials
    schedule.split_reduction %func "dot" rank 1 dim 0 extent 1000 of %t width %w
      rest_width %lanes keep %partials
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, I64Attr:$rank,
                       I64Attr:$dim, I64Attr:$extent,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$around,
                       Schedule_Param:$width, Schedule_Param:$rest_width,
                       Schedule_Param:$keep, Optional<Schedule_Param>:$shares,
                       Optional<Schedule_Param>:$lines);
  let assemblyFormat = [{
    $target $block `rank` $rank `dim` $dim `extent` $extent (`of` $shares^)?
    (`around` $around^)? (`lines` $lines^)? `width` $width `rest_width` $rest_width
    `keep` $keep attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_ShareReductionOp : Schedule_ActionOp<"share_reduction"> {
  let summary = "Distributes a reduction over threads";
  let description = [{
    Shares dimension `dim` of `block`, which `block` reduces and which has
    `extent` elements, evenly among `threads` threads (an `scf.forall`): each
    reduces its part of it to a result of its own, which starts from the neutral
    element (block `start_` + name), and the results are then joined, on top of
    what `block` started from (block `join_` + name; the threads are its last
    dimension). The operands of float sums change their order. What does not
    divide is reduced after that (block `left_` + name). `threads` 1 does
    nothing. It is an error if a thread gets nothing. Nothing is fused with it and nothing has tiled it.

    The results of all threads lie side by side, element by element; where that
    is in the way of vectors, `buffered` gives each thread a buffer for its own,
    which is copied at the end.

    Example:
    ```mlir
    schedule.share_reduction %func "norm" rank 2 dim 0 extent 1000 threads %t
    schedule.share_reduction %func "columns" rank 2 dim 0 extent 1000 buffered
      threads %t
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, I64Attr:$rank,
                       I64Attr:$dim, I64Attr:$extent, UnitAttr:$buffered,
                       Schedule_Param:$threads);
  let assemblyFormat = [{
    $target $block `rank` $rank `dim` $dim `extent` $extent
    (`buffered` $buffered^)? `threads` $threads attr-dict
  }];
  let hasVerifier = 1;
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULESTAGEOPS_TD
