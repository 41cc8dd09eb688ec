//===- Passes.td - Passes of the space layer ---------------*- tablegen -*-===//
//
// Read next: TaskExtraction.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_PASSES_TD
#define SCHEDOPT_SPACE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleExtractTasks
    : Pass<"schedule-extract-tasks", "::mlir::ModuleOp"> {
  let summary = "Cut a module into tuning tasks and show them";
  let description = [{
    A task is a contraction with the ops that fuse with it: its init, the
    elementwise ops that consume its result and those that produce its operands.
    For each task the pass appends a nested module that holds the task's ops in
    one function; tasks with the same workload are shown once. The functions of
    the module stay as they are, but for fills that several contractions share:
    each contraction gets its own. A pad that nothing but the task reads is timed
    with it and counts in its key and its bytes; the function shows the padded
    argument.

    The nested module's attributes:
    - `schedule.workload_hash`, `schedule.workload`: the workload's key and its
      readable form;
    - `schedule.weight`: how often the workload occurs;
    - `schedule.flops`, `schedule.bytes`: arithmetic operations and compulsory
      traffic of one call;
    - `schedule.roles`: the role of each linalg op, in program order;
    - `schedule.occurrences`: for each, the function and the positions of the
      task's ops among all linalg ops of that function.

    A function with the attribute `schedule.left_to_default` is left alone, by
    all passes here.

    An argument attribute `schedule.layout_free` says that the caller can bring
    this argument in any layout. It is kept where a single op reads the argument.

    Example: of

    ```mlir
    func.func @f(%a: tensor<64x32xf32>,
                 %b: tensor<32x48xf32> {schedule.layout_free},
                 %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                         outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
      return %r : tensor<64x48xf32>
    }
    ```

    there is one task, `matmul_64x48x32_f32(accumulate, layout-free rhs)`.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say which functions and ops are in no task, as they are compiled by "
           "the default schedule (on: nothing should be missed in silence)">
  ];
  // The last three are those of linalg-fuse-elementwise-ops.
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ScheduleOutlineTasks
    : Pass<"schedule-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Give each tuning task a function of its own";
  let description = [{
    Moves each task of a function that is not exactly one task into a private
    function `<function>_<index>` and calls that instead; tasks that are the same
    op for op share one. Before that, functions that others call take the place
    of the calls, unless they or the calls are marked `no_inline`, and private
    ones that nothing calls then go. The attribute `schedule.layout_free` of an
    argument moves along where the argument goes to that call alone. Attention (a product,
    reductions of its rows, a product) with more scores than fit in a cache
    becomes a parallel loop over blocks of rows, which calls a private function
    of the tasks of a block: there is no tensor of all scores. So do softmax and
    norms over a dimension that is not the innermost, by blocks of columns, from
    1 MiB on, and chains of ops that read neighbours in each other's results (as
    filters of images do, by slices that overlap or windows), by blocks of rows,
    of which those that two blocks read are computed twice. These tasks are
    marked `schedule.in_parallel` and run on one thread. Convolutions and poolings
    with channels outside (NCHW) and short lines or a stride are computed with
    channels innermost; the transposes around them are tasks. Convolutions of an
    image with zeros between its pixels (transposed convolutions) are computed by
    the phases of the stride, without the zeros. Where sixteen results and more
    beside each other read every second to fourth element of an operand that
    nothing else reads, for a sum over all of these or to move up to 1 MiB of
    them outwards, each is taken by itself; so is each of up to four channels
    in products with a matrix of up to seven columns. Elementwise ops whose
    results are put side by side, every second to fourth element from one, become
    one op. Constant zero points leave products
    and convolutions of whole numbers: what they change is subtracted from the
    result. For a processor that multiplies tiles of matrices (`tiles=true`),
    convolutions of narrow types whose lines have less than 16 pixels take all
    lines of the padded image as one, and where their channels do not fill a
    tile's rows, the taps along a line and the channels become one dimension.
    Transposes that undo each other go. Products and poolings of bf16, and with
    `widen-half=true` of f16, whose results are of the same type are computed
    in f32 and rounded once. With `widen-bytes=true` products of bytes get
    left-hand sides of 16 bits, whose pairs x86 multiplies. A row times a
    matrix that an elementwise op computes computes it on the way, as a
    reduction. A cheap elementwise op that a reduction and others read is
    computed by each. An elementwise op of a concatenation that nothing else
    reads is computed in parts, and a product over parts that are computed adds
    theirs up. Branches in bodies become selects where both sides may be
    computed, and numbers that a body reads from outside operands of rank 0.
    For a GPU, a reduction of 2^18 elements and more to less than 32 points is
    taken in two steps, which are two tasks; where what follows goes through
    the same elements again, from 2^19 for a point on. schedule-search and
    schedule-apply-history do this first, so a script for several tasks of a
    function applies to what this pass makes of the input:

    ```
    sched-opt --schedule-outline-tasks in.mlir | mlir-opt-22 \
      --transform-preload-library=transform-library-paths=script.mlir \
      --transform-interpreter
    ```
  }];
  let options = [Option<"gpu", "gpu", "bool", /*default=*/"false",
                        "For a GPU: attention, channels and few columns stay "
                        "as they are, as its kernels read elements wherever "
                        "they are">,
                 Option<"tiles", "tiles", "bool", /*default=*/"false",
                        "For a processor that multiplies tiles of matrices "
                        "(AMX): convolutions of narrow types take the lines of "
                        "an image as one, and few channels with the taps">,
                 Option<"widenHalf", "widen-half", "bool", /*default=*/"false",
                        "For a processor without arithmetic on f16: its sums "
                        "are of f32, as those of bf16 are">,
                 Option<"widenBytes", "widen-bytes", "bool",
                        /*default=*/"false",
                        "For x86 without dot products of bytes: left-hand "
                        "sides of bytes are widened to 16 bits first">,
                 Option<"widenUnsigned", "widen-unsigned", "bool",
                        /*default=*/"false",
                        "The same of products of two unsigned operands alone, "
                        "which AVX-512 has no dot products of">];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScheduleImageColumns : Pass<"schedule-im2col", "::mlir::ModuleOp"> {
  let summary = "Compute convolutions as products with the columns of the image";
  let description = [{
    A convolution of two dimensions of pixels and more than one tap, with images
    and results in one of the layouts NHWC and NCHW, becomes a copy of the windows
    of all pixels and a product whose rows are all pixels. The elementwise ops
    that follow are computed on those rows. Copy and product are one task; its
    sketches decide whether all columns are made first, or slices of single taps
    where they are used (`producer_at`). With fewer than 16 channels, taps and
    channels are one dimension, and all columns are made first. NCHW is moved
    first, as `schedule-outline-tasks` does it. Other ops are left alone.

    The direct form is faster as a rule, see docs/Rationale.md.
  }];
  let options = [
    ListOption<"which", "which", "int64_t",
               "Whether to rewrite each convolution that qualifies, 1 or 0, in "
               "program order; the last one serves all that follow (default: 1)">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ScheduleWinograd : Pass<"schedule-winograd", "::mlir::ModuleOp"> {
  let summary = "Compute convolutions of 3x3 taps by Winograd's transforms";
  let description = [{
    A convolution of f32 with 3x3 taps, strides and dilations of 1, images and
    results in one of the layouts NHWC and NCHW, whole vectors of channels, and
    weights that are a constant or a `schedule.layout_free` argument becomes

    - loops that transform the image, tile by tile, in vectors of channels;
    - a `linalg.batch_matmul` with the transformed weights, which is a task;
    - loops that transform its result, and compute the elementwise ops that
      follow, as a bias and a relu,

    for NCHW between transposes of the image and the result, as
    `schedule-outline-tasks` has them: in a function where such a convolution is
    rewritten, what gains by channels innermost is moved at once, and nothing is
    transposed between two of them.

    It multiplies 36 times for 16 results of a channel instead of 144 times
    (`tile=4`), or 16 times for 4 instead of 36 (`tile=2`). Weights are
    transformed at compile time, or with the packing of the argument
    (`sched-outline-packing`). Results lose a bit with `tile=4`, see
    docs/Rationale.md; an infinity or NaN spreads over its tile's results. A
    pad of zeros around the image is not stored. Other ops are left alone.
  }];
  let options = [
    ListOption<"tile", "tile", "int64_t",
               "Results at a time in each dimension, 4 or 2, for each "
               "convolution that qualifies, in program order; 0 leaves one as "
               "it is; the last number serves all that follow (default: 4)">,
    Option<"target", "target", "std::string", /*default=*/"\"native\"",
           "What the code is for, which decides on the vectors: native, or "
           "cpu:mcpu=NAME[,triple=TRIPLE][,features=+A;-B] (native: what runs "
           "sched-opt)">,
    Option<"threads", "threads", "int", /*default=*/"0",
           "Threads that share the channels in the transforms (0: one a core)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // SCHEDOPT_SPACE_PASSES_TD
