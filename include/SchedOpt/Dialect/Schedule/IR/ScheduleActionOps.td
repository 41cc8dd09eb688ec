//===- ScheduleActionOps.td - Actions on named blocks ------*- tablegen -*-===//
//
// The actions that upstream cannot express with parameters, or that take many
// upstream ops to get right. Each works on *blocks*: payload ops that carry the
// name `schedule.block`, so that a block keeps its identity through tiling,
// peeling and packing. Each expands to upstream ops
// (Conversion/ScheduleToTransform/ExpandActions.cpp) and says what it does to
// the loop-nest model (Model/ActionModels.cpp).
//
// `dims` are positions in the iteration space of the root block, which has
// `rank` dimensions. A size that is 0, or not smaller than what is left of its
// dimension, makes no loop. Sizes need not divide: what is left over is peeled
// into a copy of its own, whose sizes are static again.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEACTIONOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEACTIONOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleBase.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.td"

class Schedule_ActionOp<string mnemonic, list<Trait> traits = []>
    : Schedule_Op<mnemonic, !listconcat(traits,
        [DeclareOpInterfaceMethods<ScheduleActionOpInterface>])>;

def Schedule_NameBlocksOp : Schedule_ActionOp<"name_blocks"> {
  let summary = "Names the structured ops of a function";
  let description = [{
    Gives each structured (linalg) op of `target`, in program order, the block
    name at its position in `names`. There must be as many names as ops; an
    empty name leaves its op alone. Later actions find blocks by these names.

    Example:
    ```mlir
    schedule.name_blocks %func ["init", "anchor", "epilogue"]
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrArrayAttr:$names);
  let assemblyFormat = "$target $names attr-dict";
  let hasVerifier = 1;
}

def Schedule_FuseElementwiseOp : Schedule_ActionOp<"fuse_elementwise"> {
  let summary = "Makes one op of each chain of elementwise ops";
  let description = [{
    Turns the ops of `target` whose names are in `generalize` into
    `linalg.generic`, and fuses generic elementwise ops into the generic ops that
    use them: a bias and its broadcast become an input of the epilogue with a
    projected map. A contraction takes part only if it is generic, or becomes it
    here: what produces its operands is then computed inside of it. The first
    action of a sketch, as blocks lose their names. The result is the function's
    new handle: `target` is consumed.

    The op `apart`, number `at` of the `of` that have this name after the first
    step, whose parallel dimensions `dims` index all of its operands, keeps them as they are:
    no producer is fused into it, and no reshape of an operand is pulled through it.

    Example:
    ```mlir
    %f = schedule.fuse_elementwise %func ["linalg.broadcast", "linalg.add"]
    %g = schedule.fuse_elementwise %func ["linalg.add"] apart "linalg.generic"
      at 0 of 2 dims [0, 1]
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrArrayAttr:$generalize,
                       OptionalAttr<StrAttr>:$apart,
                       DefaultValuedAttr<I64Attr, "0">:$at,
                       DefaultValuedAttr<I64Attr, "1">:$of,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Schedule_Handle:$result);
  let assemblyFormat = [{
    $target $generalize (`apart` $apart^ `at` $at `of` $of `dims` $dims)? attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_DeferOp : Schedule_ActionOp<"defer"> {
  let summary = "Lets a producer wait for a place inside of loops";
  let description = [{
    Where `enable` is not 0, renames the block `block`, which `reader` reads and
    nothing has tiled, to `late_` + its name: it waits until a
    `schedule.tile ... fuse exactly` computes it inside of the reader's loops.
    Otherwise actions on the new name find nothing.

    Example:
    ```mlir
    schedule.defer %func "producer0" of "anchor" if %inside
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, StrAttr:$reader,
                       Schedule_Param:$enable);
  let assemblyFormat = "$target $block `of` $reader `if` $enable attr-dict";
}

def Schedule_PackLhsOp : Schedule_ActionOp<"pack_lhs"> {
  let summary = "Stores a matmul's left-hand side as (k, m)";
  let description = [{
    If `enable` is not 0, `block`, a `linalg.matmul` of row-major operands, reads
    its left-hand side as (k, m): what a register tile needs in one step of the
    reduction is then contiguous. The block `pack_lhs` transposes it before, in
    tiles that `threads` threads share; once a call, or in a function of its own
    where the operand is an argument marked `schedule.layout_free`. `m` and `k`,
    the extents, are above 8. Comes before `schedule.pack_rhs`.

    Example:
    ```mlir
    schedule.pack_lhs %func "anchor" m 1024 k 512 enable %on threads %t
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, I64Attr:$m,
                       I64Attr:$k, Schedule_Param:$enable,
                       Schedule_Param:$threads);
  let assemblyFormat = [{
    $target $block `m` $m `k` $k `enable` $enable `threads` $threads attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_PackRhsOp : Schedule_ActionOp<"pack_rhs"> {
  let summary = "Lays a contraction's right-hand side out in panels";
  let description = [{
    Rewrites `block`, a contraction over (m, n, k), to read its right-hand side
    from panels of shape `[n / tile][k][tile]`, and adds the block `pack` that
    fills them before the contraction: once a call, or in a function of its own
    where the operand is an argument marked `schedule.layout_free`. The
    iteration space of `block` becomes (m, n / tile, k, tile) and that of
    `epilogue`, if there is one, (m, n / tile, tile). `threads` threads fill the
    panels; 1 stays serial.

    Other contractions say what their loops are: `loops` has the positions of m,
    n, k and then all others in the iteration space, `result` those of the same
    among the dimensions of the result, -1 for reductions, and `rhs` the loop of
    each dimension of operand 1, which is the right-hand side. n is the last
    dimension of the result. Panels then have the other dimensions of operand 1
    between n and the tile, which comes last everywhere.

    Where `defer` is not 0, the panels are filled later: the block is named
    `late_pack` instead, waits for later actions to fuse it into their loops,
    and is tiled by none.

    Where `tile` does not divide `n`, the rest of n is cut off first: its blocks
    are named `tail_` + name and read the operand where it is. They are tiled
    here, by `tail_m` rows, `tail_k` steps of k and one of each other loop.
    `transposed` says that the operand of a plain product is stored as (n, k);
    `apart` that the left-hand side keeps what computes or reshapes it.

    With a `group` g, which divides k, panels have g steps of the reduction side
    by side, `[n / tile][k / g][tile][g]`, for instructions that multiply and add
    so many at a time; further dimensions come before k. The iteration space of
    `block` becomes (m, n / tile, k / g, tile, g), or that of other contractions
    with tile and g at its end, where the loop of n comes before that of k. The
    result is the function's new handle: `target` is consumed.

    Example:
    ```mlir
    %f = schedule.pack_rhs %func "anchor" init "init" epilogue "epilogue"
      n 1024 tile %nr threads %t tail(%mr, %ku)
    %g = schedule.pack_rhs %func "anchor" n 64
      loops [1, 2, 4, 0, 3] result [1, 2, -1, 0, -1] rhs [3, 4, 2]
      tile %nr threads %t tail(%mr, %ku)
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, OptionalAttr<StrAttr>:$init,
                       OptionalAttr<StrAttr>:$epilogue, I64Attr:$n,
                       OptionalAttr<DenseI64ArrayAttr>:$loops,
                       OptionalAttr<DenseI64ArrayAttr>:$result_dims,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs,
                       DefaultValuedAttr<I64Attr, "1">:$group,
                       UnitAttr:$rhs_transposed, UnitAttr:$apart,
                       Schedule_Param:$tile, Schedule_Param:$threads,
                       Schedule_Param:$tail_m, Schedule_Param:$tail_k,
                       Optional<Schedule_Param>:$defer);
  let results = (outs Schedule_Handle:$result);
  let assemblyFormat = [{
    $target $block (`init` $init^)? (`epilogue` $epilogue^)? `n` $n
    (`loops` $loops^ `result` $result_dims `rhs` $rhs)?
    (`transposed` $rhs_transposed^)? (`group` $group^)? (`apart` $apart^)? `tile` $tile
    `threads` $threads `tail` `(` $tail_m `,` $tail_k `)` (`defer` $defer^)?
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Positions of m, n, k and all other loops in the iteration space of the
    /// contraction.
    ::llvm::SmallVector<int64_t> getLoopPositions();
    /// Positions of the same among the dimensions of the result, -1 for
    /// reductions.
    ::llvm::SmallVector<int64_t> getResultPositions();
    /// The loop of each dimension of the right-hand side but for n, in the order
    /// of the panels: k comes last where it is in groups.
    ::llvm::SmallVector<int64_t> getPanelSteps();
    /// One loop of a tile: its position in the iteration space of the block that
    /// is tiled, its loop in that of the contraction, and its size: `Rows` and
    /// `Steps` are parameters.
    struct TailLoop {
      enum Size { One, Rows, Steps };
      int64_t position, loop;
      Size size;
    };
    /// How what is left over of n is tiled, from the outermost loop inwards: the
    /// result's dimensions together with what is fused, then reductions.
    ::llvm::SmallVector<TailLoop> getTailLoops(bool reductions);
  }];
}

def Schedule_TileParallelOp : Schedule_ActionOp<"tile_parallel",
                                                [AttrSizedOperandSegments]> {
  let summary = "Distributes a block and its producers over threads";
  let description = [{
    Splits dimension `dims[which]` of the block `root`, of extent
    `extents[which]`, evenly over `threads` threads (an `scf.forall`) and fuses
    the blocks `fuse`, consumers first, into it. A thread's share is a multiple of
    `units[which]`, so that inner tiles of that size fit; what does not divide
    is left to a serial copy after the parallel loop. `threads` 1 does nothing.
    It is an error if there is less than one unit a thread.

    Example:
    ```mlir
    schedule.tile_parallel %func "epilogue" fuse ["anchor", "init"] rank 2
      dims [0, 1] extents(%m, %n) units(%mr, %nr) which %dim threads %t
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$root, StrArrayAttr:$fuse,
                       I64Attr:$rank, DenseI64ArrayAttr:$dims,
                       Variadic<Schedule_Param>:$extents,
                       Variadic<Schedule_Param>:$units, Schedule_Param:$which,
                       Schedule_Param:$threads);
  let assemblyFormat = [{
    $target $root `fuse` $fuse `rank` $rank `dims` $dims `extents` `(` $extents `)`
    `units` `(` $units `)` `which` $which `threads` $threads attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_TileOp : Schedule_ActionOp<"tile", [AttrSizedOperandSegments]> {
  let summary = "Tiles a block, peels the tails, and fuses producers";
  let description = [{
    Tiles dimension `dims[i]` of the block `root` by `sizes[i]`. `order` lists
    the loops from the outermost inwards as positions in `dims`; without it they
    nest as listed. The blocks `fuse`, which `root` must reach through its
    operands, are computed inside the innermost loop made. Every loop is peeled.

    Upstream's fusion takes every producer that it reaches: `fuse` says which
    those are. A loop over a reduction must leave most of them outside; with
    `exactly`, only the listed blocks are computed inside of the innermost loop,
    and each only where its parameter of `if` is not 0. Each tiled block must have
    its own copy of them, and read it directly, or through a reshape of other
    dimensions than those that are tiled where the block is listed in `reshaped`.

    Example:
    ```mlir
    schedule.tile %func "epilogue" fuse ["anchor", "init"] rank 2
      dims [0, 1] extents(%m, %n) sizes(%mc, %nc) order(%o0, %o1)
    schedule.tile %func "anchor" fuse [] rank 3 dims [2] extents(%k) sizes(%ku)
    schedule.tile %func "anchor" fuse exactly ["late_pack"] if(%inside) rank 4
      dims [2] extents(%k) sizes(%kc)
    schedule.tile %func "anchor" fuse exactly ["im2col"] if(%inside)
      reshaped ["im2col"] rank 5 dims [4, 2] extents(%k, %q) sizes(%kc, %one)
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$root,
                       UnitAttr:$exactly, StrArrayAttr:$fuse,
                       Variadic<Schedule_Param>:$enable,
                       OptionalAttr<StrArrayAttr>:$reshaped, I64Attr:$rank,
                       DenseI64ArrayAttr:$dims,
                       Variadic<Schedule_Param>:$extents,
                       Variadic<Schedule_Param>:$sizes,
                       Variadic<Schedule_Param>:$order);
  let assemblyFormat = [{
    $target $root `fuse` (`exactly` $exactly^)? $fuse (`if` `(` $enable^ `)`)?
    (`reshaped` $reshaped^)? `rank` $rank `dims` $dims `extents` `(` $extents `)`
    `sizes` `(` $sizes `)` (`order` `(` $order^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_FillTailsOp : Schedule_ActionOp<"fill_tails"> {
  let summary = "Computes tails in whole vectors";
  let description = [{
    Where `enable` is not 0, each op of `block`, which has `rank` loops and a size
    along loop `dim` that `multiple` does not divide, computes the next multiple
    of it instead: on operands padded by the values `padding`, one an operand, and
    with results of which the surplus is dropped. What the op computes along
    `dim` must not meet: it is no reduction.

    In front of the loops of a reduction, what is read is copied into a padded
    buffer for all of their steps. `masked`, which comes after all loops of the block,
    makes no copy: `schedule.vectorize ... filled` turns the pads into vector
    accesses that leave the surplus lanes out.

    A fill `init` on which nothing but `block` works at this place is computed
    in the padded size, too.

    Example:
    ```mlir
    schedule.fill_tails %func "anchor" init "init" rank 3 dim 1 multiple 8
      padding [0.0 : f32, 0.0 : f32, 0.0 : f32] if %padded
    schedule.fill_tails %func "anchor" masked rank 3 dim 1 multiple 8
      padding [0.0 : f32, 0.0 : f32, 0.0 : f32] if %masked
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, UnitAttr:$masked,
                       OptionalAttr<StrAttr>:$init, I64Attr:$rank, I64Attr:$dim,
                       ConfinedAttr<I64Attr, [IntPositive]>:$multiple,
                       ArrayAttr:$padding, Schedule_Param:$enable);
  let assemblyFormat = [{
    $target $block (`masked` $masked^)? (`init` $init^)? `rank` $rank `dim` $dim
    `multiple` $multiple `padding` $padding `if` $enable attr-dict
  }];
  let hasVerifier = 1;
}

def Schedule_CacheReadOp : Schedule_ActionOp<"cache_read"> {
  let summary = "Copies the tile that a block reads into a local buffer";
  let description = [{
    Copies what `block` reads of its operand `operand` into a contiguous buffer
    at the place where the block stands now, if `enable` is not 0. Tiles made
    later read the copy.

    Example:
    ```mlir
    schedule.cache_read %func "anchor" operand 0 enable %pack_lhs
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$operand,
                       Schedule_Param:$enable);
  let assemblyFormat =
      "$target $block `operand` $operand `enable` $enable attr-dict";
}

def Schedule_CacheWriteOp : Schedule_ActionOp<"cache_write"> {
  let summary = "Collects the tile that a block writes in a local buffer";
  let description = [{
    Gives the result of `block` a contiguous buffer at the place where the block
    stands now, if `enable` is not 0. Tiles made later write to the buffer; once
    the block is through, it is copied to its place in the result.

    The buffer begins with what `init` writes, a block that was fused at the
    same place and whose result `block` adds to; without, with a copy of what
    `block` adds to.

    Example:
    ```mlir
    schedule.cache_write %func "anchor" init "init" enable %cache_sums
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block,
                       OptionalAttr<StrAttr>:$init, Schedule_Param:$enable);
  let assemblyFormat =
      "$target $block (`init` $init^)? `enable` $enable attr-dict";
}

def Schedule_UnrollPointsOp : Schedule_ActionOp<"unroll_points"> {
  let summary = "Writes the points of a tile one after another";
  let description = [{
    Takes the points of `block` along `dims` one by one, in straight-line code
    without loops. So the rows of a register tile need not be next to each other
    in memory, as in a convolution with a stride. To the loop-nest model the
    points are still one tile, but no vector runs along them. Comes right before `schedule.vectorize`.

    Example:
    ```mlir
    schedule.unroll_points %func "anchor" rank 7 dims [2]
    ```
  }];
  let arguments = (ins Schedule_Handle:$target, StrAttr:$block, I64Attr:$rank,
                       DenseI64ArrayAttr:$dims);
  let assemblyFormat = "$target $block `rank` $rank `dims` $dims attr-dict";
  let hasVerifier = 1;
}

def Schedule_VectorizeOp : Schedule_ActionOp<"vectorize"> {
  let summary = "Turns the tiled blocks into vector code";
  let description = [{
    Turns every structured op of `target` into operations on vectors of its
    static size, and keeps accumulators in registers across the reduction loops
    around it. Unit dimensions fold away in generic ops only: the blocks
    `generalize` become such ops first. Where `filled` is not 0, pads of
    `schedule.fill_tails` become vector accesses that leave lanes out. The last
    action of a sketch.

    Example:
    ```mlir
    schedule.vectorize %func
    schedule.vectorize %func generalize ["anchor"]
    schedule.vectorize %func filled %tails
    ```
  }];
  let arguments = (ins Schedule_Handle:$target,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$generalize,
                       Optional<Schedule_Param>:$filled);
  let assemblyFormat = [{
    $target (`generalize` $generalize^)? (`filled` $filled^)? attr-dict
  }];
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEACTIONOPS_TD
