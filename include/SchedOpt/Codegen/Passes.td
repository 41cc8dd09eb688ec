//===- Passes.td - Passes of the code generator ------------*- tablegen -*-===//
//
// The project's own steps between a scheduled payload and the LLVM dialect. The
// pipeline `sched-lower-to-cpu` (CPU.cpp) puts them in order with upstream's.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_PASSES_TD
#define SCHEDOPT_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlinePackingPass : Pass<"sched-outline-packing", "::mlir::ModuleOp"> {
  let summary = "Moves the packing of layout-free arguments out of a function";
  let description = [{
    What a public function computes from an argument marked
    `schedule.layout_free` and constants alone depends on no other input, and may
    be computed once beforehand. This pass moves it into a new function
    `F_pack_NAME` (NAME is `arg` and the argument's position), which takes the
    argument and returns one flat buffer, and `F_pack_NAME_bytes`, which returns
    the buffer's size. The argument's type becomes that buffer. Behind bytes that
    are multiplied as signed ones there is room for sums of their columns
    (`sched-pack-sums`). An argument that is only passed on unchanged stays as it
    is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ReadUnpaddedPass : Pass<"sched-read-unpadded"> {
  let summary = "Reads images of windows without a padded copy";
  let description = [{
    A `tensor.pad` of static sizes that is only read as vectors of whole pixels,
    used element by element in register tiles with few steps, goes away: a tile that is inside of the
    image reads the image itself, one at a border reads the nearest pixels and
    takes the padding instead of those outside. Others are left alone.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def SkipBorderPass : Pass<"sched-skip-border"> {
  let summary = "Leaves out the products of a tile's rows with pixels of padding";
  let description = [{
    Where a loop of at most 7 iterations alone says which pixels of a zero
    `tensor.pad` a `vector.contract` multiplies, those iterations in which some
    of the pixels are padding stand by themselves, and multiply the others: the
    columns of a convolution's window, if a register tile holds a whole line of
    the result. Where two such loops, one inside of the other, say it, the outer
    one is taken apart first: that over the tiles of a line. At least one row in
    90 has to be padding, or no more than 576 products are made of an element of
    the image, of which windows with a stride of 2 make a quarter of what they
    would with 1: then the first and the last tile of a line stand by themselves
    as well, so that no padding is read. A weight that is infinite or not a
    number does not reach the result through padding any more.

    With `spares-widened` that is done of what is widened for the product, too,
    but of signed integers only where `sched-skip-padding` does it, and images
    that are expanded to groups of channels are expanded before they are padded.
    So is it of pixels that a stride takes apart and that were put side by side
    for each tap of a window.
  }];
  let options = [Option<"sparesWidened", "spares-widened", "bool",
                        /*default=*/"false",
                        "Leave out rows of what is widened as well: the target "
                        "does not multiply tiles of rows">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def SkipPaddingPass : Pass<"sched-skip-padding"> {
  let summary = "Leaves out loop iterations that only add products with padding";
  let description = [{
    Of a `scf.for` over lines of a zero `tensor.pad` whose iterations add
    products with these lines alone, those run whose lines are inside of the
    image. A weight that is infinite or not a number does not reach the result
    through padding any more. Where no padding is left to be read, the image is
    read without a padded copy.

    An image that is read through slices which are expanded to groups of
    channels is expanded before it is padded, unless an op computes it for the
    pad. Signed integers are left: taken as unsigned ones on x86, their bias is
    the sum of all weights.

    With `row-by-row`, signed bytes are not left whose columns a function packs
    (`sched-outline-packing`), which knows the sums of each part of a window. The
    padded copy stays, which has them as unsigned ones. Lines are looked for as
    well among pixels that a stride takes apart and that were put side by side
    for each tap of a window.
  }];
  let options = [Option<"rowByRow", "row-by-row", "bool", /*default=*/"false",
                        "The target does not multiply tiles of rows">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
}

def SharePixelsPass : Pass<"sched-share-pixels"> {
  let summary = "Multiplies a pixel by the weights of all columns of a window";
  let description = [{
    Loops over the columns of a window, and over channels within, that add
    products of a register tile's rows of one vector each, become one loop over
    channels, unrolled over the columns: a row further, a column meets the same
    pixel, which is taken from memory once for all of them. So where the columns
    and rows fit in the registers; sums are of f32 or f64, and come in another
    order. SkipBorder.cpp may have taken columns out of their loop.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t",
                        /*default=*/"0", "Of a vector register (0: none)">,
                 Option<"vectorRegisters", "vector-registers", "int64_t",
                        /*default=*/"16", "Vector registers of the target">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def SinkRowsPass : Pass<"sched-sink-rows"> {
  let summary = "Copies the rows of an image at a time where a loop reads it";
  let description = [{
    A `linalg.generic` of one input that copies each image of a batch, the first
    dimension, some of it several times, to a MiB or more in all, and of which an
    outermost loop over the images reads slices of its own one, is computed in
    that loop, image by image: `schedule-outline-tasks` copies the rows of
    convolutions with few channels so. With several threads the loop is a parallel
    one of as many images at least.
  }];
  let options = [Option<"threads", "threads", "int64_t", /*default=*/"1",
                        "Threads of the code">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SinkPadsPass : Pass<"sched-sink-pads"> {
  let summary = "Pads a part of an image at a time where loops read it in order";
  let description = [{
    A `tensor.pad` of many images, of which each iteration of a loop reads its
    own ones, becomes a pad of those in that loop: of a batch, a thread pads the
    images that it reads, and reads what it has just written. So do threads that
    share the lines of an image, and a loop over the lines of an image of more
    than 256 KiB, which is split into parts of less; parts may overlap by a third
    of their lines. Where threads read from the same parts of an image of 256 KiB
    or less, or of views of it, each pads all of it for itself, instead of reading
    what another one has just written. Rows that are taken of the padded image and
    put side by side, as for a stride, go where the pad goes, and so does the
    reshape of its block, its only use, that joins lines with what is in them: then
    whole images are padded in a loop. A pad whose source is computed for it alone
    stays where it is, since that is written into it.
  }];
  let options = [Option<"threads", "threads", "int64_t", /*default=*/"1",
                        "Threads of the code: parallel loops of as many "
                        "iterations or fewer are theirs">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ReadGatheredPass : Pass<"sched-read-gathered"> {
  let summary = "Reads looked-up rows in their table instead of in a copy";
  let description = [{
    Where all that reads a gather of contiguous elements are vectors, of at most
    64 of its rows, each row of a vector is read from the table at the place that
    is looked up for it, outside of the loops along the row. The gather goes. One
    that a product, a slice, a call or `return` reads stays, and so does one that is read
    by masks or out of its bounds. Vectors of single elements that are looked up
    along the innermost dimension of a tensor become a `vector.gather` each, of
    places that are computed as vectors.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def FoldSlicesPass : Pass<"sched-fold-slices"> {
  let summary = "Reads and writes vectors of slices in the whole tensor";
  let description = [{
    A slice of a slice becomes a slice, and a vector that is all that is written
    to a slice, or is read of one, is written to the tensor that the slice is
    of, or read there, by upstream's patterns. Bufferization analyses such ops
    in a fraction of the time.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def DropFillsPass : Pass<"sched-drop-fills"> {
  let summary = "Leaves out writes of tiles that are written again";
  let description = [{
    A sum of vectors begins with zeros, which tiling and vectorization write to
    the result's tile first, and which LLVM cannot tell to be dead with loops in
    between. A write of a whole tile goes, where another one of the whole tile
    follows, or several that are all of it together, and what is read of the
    first is a constant.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposePass : Pass<"sched-decompose"> {
  let summary = "Splits ops that have no buffer form into simpler ones";
  let description = [{
    What a schedule has left of `linalg.pack`, `linalg.unpack`, `linalg.softmax`
    (and others of that kind) and `tensor.pad` becomes linalg ops and slices,
    which bufferize in place and lower to loops. A pad or a `tensor.concat` of
    what is there already, or a gather of rows, becomes loops over lines of
    contiguous elements, which are moved by vectors; a gather of elements along
    a line, loops of `vector.gather`.
  }];
  let options = [Option<"threads", "threads", "unsigned", /*default=*/"1",
                        "Threads that such a loop is shared by">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def ShareRestPass : Pass<"sched-share-rest", "::mlir::func::FuncOp"> {
  let summary = "Shares ops without a schedule among the threads";
  let description = [{
    A linalg op of constant sizes that is in no loop, as no schedule has taken it
    up, and that reduces nothing, becomes an `scf.forall` over slices of it, one
    a thread, along its outermost loop that has as many iterations as there are
    threads, if its loops have `min-points` iterations in all. So is what packs an
    operand beforehand. Named ops that only fill, copy, broadcast or transpose
    stay whole.
  }];
  let options = [
    Option<"threads", "threads", "unsigned", /*default=*/"1",
           "Threads to share by (1: nothing is shared)">,
    Option<"minPoints", "min-points", "int64_t", /*default=*/"65536",
           "Iterations that are worth waking threads">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerCopiesPass : Pass<"sched-lower-copies"> {
  let summary = "Copies of buffers become loops of vectors";
  let description = [{
    A `linalg.copy` of buffers of static shape becomes loops over its lines of
    elements that are contiguous in both, each of which is moved by vectors; the
    last vector of a line overlaps the one before it. So does a `linalg.generic`
    that copies into an allocation of the function, and flips the same bits of
    each element. Copies of elements that are not contiguous are left.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def KernelABIPass : Pass<"sched-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "Gives public functions buffers for arguments and results";
  let description = [{
    `func @f(tensor...) -> tensor...` becomes a function on memrefs: inputs,
    then results, in the signature's order. Buffers do not overlap
    (`llvm.noalias`). Results are written in place where bufferization allows.
    Dynamic shapes, calls, and effects on anything but the function's own tensors
    are errors.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def BufferizePass : Pass<"sched-bufferize", "::mlir::ModuleOp"> {
  let summary = "Turns tensors into buffers, across functions";
  let description = [{
    One-shot bufferization with the options that scheduled code needs: identity
    layouts at function boundaries, and copies as `linalg.copy`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ViewCopiesPass : Pass<"sched-view-copies"> {
  let summary = "Reads copies with another stride where they come from";
  let description = [{
    A buffer whose places along one dimension are copies, each written once and
    a constant distance after the last in the buffer that they come from, becomes
    a `memref.reinterpret_cast` of that buffer, in which elements may occur more
    than once: the pixels that each tap of a strided convolution meets. All shapes
    and strides must be static, what reads the copy must be views and reads, and
    neither buffer may be written to afterwards.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PadPitchPass : Pass<"sched-pad-pitch"> {
  let summary = "Moves rows apart that share places in the cache";
  let description = [{
    A buffer whose rows, along its last dimension, are a multiple of 1024 bytes is
    allocated with 64 bytes more a row, if a `vector.transfer_read` takes 16 or more
    of its rows at once: these would share four of the 64 places of a first cache,
    or fewer, and then have 16 or more. Rows are those of the last dimension; a
    buffer in panels, whose rows are shorter, stays as it is. What uses the buffer
    must be slices, reshapes that do not join rows, and ops that do no more than
    read or write it.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def WriteRowsPass : Pass<"sched-write-rows", "::mlir::func::FuncOp"> {
  let summary = "Writes rows where they are copied to";
  let description = [{
    A buffer that is only written to, by vectors of static places, and of which
    one copy takes some of the rows, is left out: each vector's rows are written
    to where the copy would have put them, and others not at all. The result of
    the copy must be an argument or a buffer that nothing uses before.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerMathPass : Pass<"sched-lower-math", "::mlir::ModuleOp"> {
  let summary = "Turns math functions of f32 and f64 into arithmetic";
  let description = [{
    exp, exp2, expm1, log, log2, log10, log1p, tanh, erf, erfc, pow, atan, atan2,
    asin and acos of f32 become arithmetic, on scalars and vectors alike, and so
    do sin and cos of vectors of f32, and exp, exp2, expm1, log, log2, log10,
    log1p, tanh and erf of f64: no library of vector functions is needed. Error
    bounds are in docs/MathFunctions.md. Other functions are left to calls of the
    C library, element by element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def RollCopiesPass : Pass<"sched-roll-copies"> {
  let summary = "Copies vectors of many rows row by row";
  let description = [{
    A vector of more than 16 rows that is read from one buffer and written to
    another, which was allocated for it, and does nothing else, is copied by a
    loop over its rows. Upstream's `pad_vectorization` makes such vectors of
    panels that are padded to whole vectors; without a loop, 512 rows of 24
    elements of f16 take LLVM minutes where the target has no masked loads of
    them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def PrefetchWindowsPass : Pass<"sched-prefetch-windows"> {
  let summary = "Fetches what windows will read of a large image";
  let description = [{
    Where windows slide over an image, as those of a convolution or a pooling
    do, a register tile begins with `memref.prefetch` of what a tile at least
    2 KiB further on will read: of the lines and pixels that no tile before it
    reads, 64 bytes at a time. What lies past the end of a line of the image is
    its end. Where tiles of other pieces come between, as the other groups of
    a line in a grouped convolution, a tile may read many lines of the image:
    a few of them are then fetched in each step of its loops, into the second
    level of caches, where a step has work enough (256 results a line) and takes
    4 lines at most; else all at once. Lines that a border cuts off a loop are
    not fetched. Pixels of less than 32 bytes, tiles in a loop over which the windows
    stay where they are, and reads that do not overlap are left as they are:
    processors foresee the last, and the others would be fetched several times.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"8388608",
           "Bytes of the smallest buffer of which a tile fetches all at once "
           "(0: none)">,
    Option<"farMinBytes", "far-min-bytes", "uint64_t", /*default=*/"8388608",
           "The same of what is fetched step by step (0: none)">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PrefetchRowsPass : Pass<"sched-prefetch-rows"> {
  let summary = "Fetches the next row where one is read several times";
  let description = [{
    Where several loops, one after the other, read the same row of a large
    buffer, as those of a norm do, the last one prefetches what it reads of the
    row that an iteration at least 2 KiB later will read. Where the first level
    of caches, of `l1-bytes`, has no room for that beside what the loop reads,
    it goes to the second one, and each of the loops prefetches a share, if they
    read the row vector by vector: those that store the most, as they take the
    longest. Rows of more than 128 KiB are left as they are.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"8388608",
           "Bytes of the smallest buffer that is fetched ahead (0: none is)">,
    Option<"l1Bytes", "l1-bytes", "uint64_t", /*default=*/"0",
           "Bytes of the first level of caches (0: all fits)">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PrefetchSlicesPass : Pass<"sched-prefetch-slices"> {
  let summary = "Fetches the slice of an operand that the next tiles read";
  let description = [{
    Where the iterations of loops around a sum read the same slice of a large
    buffer, as the tiles of a product do for each other's panel, or sums that
    follow each other in a loop do, each of them prefetches a share of the slice
    that comes next, 64 bytes at a time, into the second level of caches. Only
    the first one would wait for the slice else, and where it comes from would
    be idle in the others. Of several rows along the steps that one sum alone
    reads, and others in each iteration of the loop around, each step fetches
    what the same step of the next iteration reads: into the first level of
    caches, of `l1-bytes`, where two such slices are half of it at most. A sum
    is an `scf.for` with results; loops that are no `scf.for` end what is
    looked at. Left as they are: rows of less than 64
    bytes, loops whose iterations cannot be counted, many more tiles than a slice
    has rows, and slices of more than half of `min-bytes`.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"2097152",
           "Bytes of the smallest buffer that is fetched ahead, which a second "
           "level of caches does not hold (0: none is)">,
    Option<"l1Bytes", "l1-bytes", "uint64_t", /*default=*/"0",
           "Bytes of the first level of caches (0: all fits)">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PrefetchTilesPass : Pass<"sched-prefetch-tiles"> {
  let summary = "Fetches tiles that will be transposed";
  let description = [{
    Where a loop reads tiles of at least 4 rows of a large buffer and transposes
    them in registers, each tile begins with `memref.prefetch` of the tile that
    is read at least 2 KiB later, 64 bytes at a time, into the first level of
    caches. At the end of a loop that is one of the loop around it, and at the
    end of all of them any. Left as they are: rows of less than 32 bytes, tiles
    that are read beside other loops, by a loop that does not move them, or in
    one whose iterations cannot be counted.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"2097152",
           "Bytes of the smallest buffer that is fetched ahead, which a second "
           "level of caches does not hold (0: none is)">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ShareIterationsPass : Pass<"sched-share-iterations"> {
  let summary = "Shares parallel loops of many iterations among the threads";
  let description = [{
    An `scf.forall` on buffers with more iterations than there are threads
    becomes one of the threads around a loop over each one's share. What an
    iteration allocates can then be hoisted: a thread needs it once.
  }];
  let options = [
    Option<"threads", "threads", "unsigned", /*default=*/"1",
           "Threads of a parallel loop (1: there is no loop over threads)">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ThreadBuffersPass : Pass<"sched-thread-buffers"> {
  let summary = "Allocates the buffers of all threads at once";
  let description = [{
    A large buffer of static shape that each thread of an `scf.forall` allocates
    for itself becomes a part of one allocation before the loop. That one can
    outlive the call, and is mapped once.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PackSumsPass : Pass<"sched-pack-sums", "::mlir::ModuleOp"> {
  let summary = "Sums columns up once for all rows";
  let description = [{
    Sums of an argument of bytes that a function of its own packs
    (`sched-outline-packing`), which `sched-lower-dot-products` made for products
    of signed bytes, are computed by that function instead, behind what it
    packs, as far as there is room, and read from there. Others come into a
    table before the outermost loop that would sum them up again, if that takes
    256 KiB at most.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerDotProductsPass : Pass<"sched-lower-dot-products"> {
  let summary = "Uses the target's dot products of narrow elements";
  let description = [{
    A contraction of bytes or of bfloat16 with sums of 32 bits, whose operands
    have two bfloats or four bytes of the reduction in their last dimension,
    becomes calls of the target's intrinsics; and, on x86, one of two signed
    numbers of 16 bits by such or by bytes, which are widened (`pmaddwd`,
    `vpdpwssd`). Others stay as they are. Products
    of signed bytes, for which AVX-512 and AVX-VNNI have no instruction, are
    computed with the left-hand side as unsigned bytes and corrected; they are
    made unsigned as they are read, or where a buffer that only such products
    read is filled. Products of bfloats treat subnormals as zero.
  }];
  let options = [ListOption<
      "instructions", "instructions", "std::string",
      "Instructions that there are, by LLVM's names of features: sse2, avx2, "
      "avx512bw, avx512bf16, avx512vnni, avxvnni, avxvnniint8; dotprod, i8mm, "
      "bf16">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerSquareProductsPass : Pass<"sched-lower-square-products"> {
  let summary = "Multiplies narrow elements by products of small matrices";
  let description = [{
    A contraction as `sched-lower-dot-products` takes them, but with four bfloats
    or eight bytes of the reduction in the last dimension of its operands and
    with columns in fours, becomes calls of AArch64's intrinsics that multiply
    two rows by two columns. Sums stay in squares of four through loops.
    Where the signs of bytes differ, the left-hand side has none. Others stay as
    they are.
  }];
  let options = [ListOption<
      "instructions", "instructions", "std::string",
      "Instructions that there are, by LLVM's names of features: i8mm, bf16">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineTilesPass : Pass<"sched-outline-tiles", "::mlir::ModuleOp"> {
  let summary = "Gives products of other shapes than whole tiles a function";
  let description = [{
    LLVM gives a tile register one shape in all of a function. Where the loops
    of one have products of different shapes, of rows or of steps
    (sched-lower-tile-products), each op of its body whose products do not fill
    tiles moves to a private function of its own, which is not inlined. It takes
    the buffers and numbers that the op uses; views and what else can be
    computed again is. Ops with results stay, as do those that use vectors, or
    buffers that may be one another.
  }];
  let options = [
    ListOption<"instructions", "instructions", "std::string",
               "Instructions that there are, by LLVM's names of features: "
               "amx-bf16, amx-fp16, amx-int8">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerTileProductsPass : Pass<"sched-lower-tile-products"> {
  let summary = "Multiplies narrow elements in tile registers";
  let description = [{
    A contraction as `sched-lower-dot-products` takes them, with columns in
    sixteens and at least 16 rows or 16 groups of steps, becomes ops of the
    dialect `amx`. Sums stay in tiles through loops; elsewhere they pass through
    memory. Where all products of the function have as few rows, or steps that
    tiles share as evenly, tiles have no more; else those that do not fill a
    tile are copied into one with zeros. Others stay as they are.

    Lines of an image that are a single tile, of 16 rows or less, are computed
    side by side, as many as there are registers for: a loop over lines around
    the loops over the steps is unrolled, and what the lines share is loaded
    once. Of a right-hand side of at least `min-bytes`, each step fetches the
    tiles of the next one, and where the sums are stored in a buffer as large,
    for writing, some of the lines that the next tile stores.
  }];
  let options = [
    ListOption<"instructions", "instructions", "std::string",
               "Instructions that there are, by LLVM's names of features: "
               "amx-bf16, amx-fp16, amx-int8">,
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"2 << 20",
           "Bytes of the smallest right-hand side and the smallest result "
           "that are fetched ahead (0: none)">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::amx::AMXDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerVectorsPass : Pass<"sched-lower-vectors"> {
  let summary = "Turns multi-dimensional vectors into one-dimensional ones";
  let description = [{
    Contractions become outer products of fused multiply-adds, transfers become
    loads and stores of rows, and transposes become shuffles, as do sums of the
    lanes of each row. Elementwise ops on rows that are shorter than a register
    and follow one another in memory, as pixels of three channels, are done on
    whole registers of them, if `vector-bytes` is given.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t",
                        /*default=*/"0", "Of a vector register (0: 16)">];
  let dependentDialects = ["::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::ub::UBDialect"];
}

def JoinOncePass : Pass<"sched-join-once"> {
  let summary = "Drops the barrier of a loop at the end of a parallel region";
  let description = [{
    Where a parallel region ends with a shared loop, threads would wait for each
    other twice; the loop's own wait is dropped.
  }];
}

def ThreadStackPass : Pass<"sched-thread-stack"> {
  let summary = "Makes the stack of an iteration that of its thread";
  let description = [{
    Upstream puts the body of a shared loop into a `memref.alloca_scope`, which
    has a single block: loops inside cannot become branches. Buffers of constant
    size on the stack there become the thread's, once for all of its iterations,
    and the scope goes away.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def KeepRolledPass : Pass<"sched-keep-rolled"> {
  let summary = "Tells LLVM not to unroll loops over memory";
  let description = [{
    Innermost loops of at least four trips that read vectors and multiply no
    matrices get a `loop_annotation` against unrolling: how many vectors are in
    flight is the schedule's choice. So do loops that multiply tiles of AMX, and
    loops around so many instructions that LLVM would weigh and leave them, or,
    of at most ten iterations of products, simulate and leave them.
    Innermost loops that multiply vectors in two iterations get one for it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StreamResultsPass : Pass<"sched-stream-results", "::mlir::func::FuncOp"> {
  let summary = "Stores large results past the caches, on x86";
  let description = [{
    Vectors of whole lines of the cache (64 bytes) that are stored to an argument
    of at least `min-bytes`, which is written only, become nontemporal stores
    where the argument begins with a line, which is asked at run time. A fence
    (`sfence`) ends the function, or each thread's part of it. Loops are
    `scf.for` or OpenMP's; places are sums and products of indices. Where the
    largest of the other arguments that are read has as many bytes, and up to
    twice as many, the argument has `beside-bytes` at least, and where that has
    more, as the image of a pooling, `far-bytes`, unless integers are read that
    may be the numbers of a table's rows. What was to be fetched before it is
    written is no more, also not where the argument does not begin with a line.
    Private functions stay as they are, and arguments that these take: others
    may read what they write.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "uint64_t", /*default=*/"0",
           "Bytes of the smallest result that is stored so (0: none is)">,
    Option<"besideBytes", "beside-bytes", "uint64_t", /*default=*/"0",
           "Bytes of the smallest one beside an argument as large (0: as "
           "min-bytes)">,
    Option<"farBytes", "far-bytes", "uint64_t", /*default=*/"0",
           "Bytes of the smallest one beside a much larger argument (0: as "
           "min-bytes)">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerBFloatPass : Pass<"sched-lower-bfloat"> {
  let summary = "Computes on floats of 16 bits in f32";
  let description = [{
    Arithmetic on bfloat16 is done in f32, and the conversions become shifts and
    additions of integers (round to nearest, ties to even). Those of f64 go
    through f32, and are rounded once. With `half`, arithmetic on f16 is done in
    f32, too; its conversions stay.
  }];
  let options = [Option<
      "half", "half", "bool", /*default=*/"false",
      "Also compute on f16 in f32: for targets without its arithmetic">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerBitsPass : Pass<"sched-lower-bits"> {
  let summary = "Loads and stores vectors of i1 as vectors of bytes";
  let description = [{
    In the LLVM dialect: a load of a vector of i1 becomes one of as many bytes,
    compared with 0; a store extends the elements to bytes first. LLVM's own
    form of such a vector in memory has a bit for each element, a tensor has a
    byte. Vectors that are the elements of a buffer are left alone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowerReshapesPass : Pass<"sched-lower-reshapes", "::mlir::func::FuncOp"> {
  let summary = "Turns reshapes of buffers into views with their own strides";
  let description = [{
    A `memref.expand_shape` or `memref.collapse_shape` with known shape and
    strides becomes a `memref.reinterpret_cast`. Upstream's
    `fold-memref-alias-ops` puts a reshape into each load and store behind it,
    whose index is then taken apart by quotients and remainders, for every
    element again.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LowerToLLVMPass : Pass<"sched-lower-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turns all that is left of upstream's dialects into LLVM's";
  let description = [{
    Ops of `arith`, `cf`, `func`, `index`, `math`, `memref`, `omp` and `ub`
    become ops of the `llvm` dialect in one conversion: upstream's passes, one a
    dialect, each go through the whole module and leave casts to the next one. A
    function takes a plain pointer for each memref, buffers are aligned, and a
    function of `math` that LLVM has no intrinsic for becomes a call of libm.
    `arith.minnumf` and `arith.maxnumf` of scalars become comparisons, unless
    there are no NaNs, as LLVM 22 drops elements of reductions by its intrinsics.
    What stays is reported by `sched-verify-lowered`, such as a function whose
    memrefs have no static shape, which a plain pointer cannot carry.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::omp::OpenMPDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerKernelsPass : Pass<"sched-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns the kernels of GPU modules into the LLVM dialect";
  let description = [{
    The functions of each `gpu.module` become functions of the dialects `llvm`
    and `nvvm` that take one pointer a buffer, in global memory: they are not
    aliased, aligned to 16 bytes, and readonly where the kernel only reads. The
    block's size is promised to the assembler. Functions of `math` on f32, f16
    and bf16 become arithmetic, as by `sched-lower-math`; those without a formula
    become calls of CUDA's libdevice. An index has 32 bits where sizes allow.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def FormKernelsPass : Pass<"sched-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns loops over blocks into kernels for a GPU";
  let description = [{
    Each `scf.forall` at the top of a function on tensors becomes a kernel of
    `gpu.module @kernels`, whose body is what one thread does; the function
    becomes one on buffers that launches the kernels in order. Elements of tensors are computed where they are needed:
    views and elementwise ops are inlined into what reads them. Contractions go
    through shared memory. How threads share an op is its attribute `sched.simt`:

    | key | of | meaning |
    |---|---|---|
    | `threads` | contraction: `[rows, columns]`; other: one a loop | threads along the dimensions |
    | `vthreads`, `tile` | contraction: `[rows, columns]` | row `v * threads * tile + thread * tile + i` is computed by a thread |
    | `stages` | contraction | tiles of the reduction in shared memory at a time |
    | `async` | contraction | 1: copy to shared memory without registers where possible |
    | `fetch`, `pad`, `transpose`, of `[rows, columns]` | contraction | elements a thread reads at once; elements after each row in shared memory; 1: the dimension that is contiguous in memory is not in shared memory |
    | `unroll` | contraction | steps of the reduction that are written out |
    | `mma`, `warps = [rows, columns]` | contraction | 1: matrix instructions (f16, bf16), 2: tf32; warps of a block |
    | `slices` | contraction with `mma` | so many times as many warps: those of the same rows and columns share the steps of each tile, and add up their sums at the end |
    | `raster = [rows, columns]` | contraction | blocks of the grid, which has `columns` of them in a row, are taken `rows` rows at a time, column by column |
    | `vector`, `along` | other, or a contraction that is to be one of them | elements that a thread takes at once, and along which loop |
    | `keep` | any | where the result is for the block's other ops |
    | `max_registers` | `scf.forall`, or an op in it | of a thread; 0: as many as there are |

    The columns of a contraction are the loops of that operand which has the
    result's innermost dimension of more than one element; its rows are those of
    the other one.

    | `keep` | the result is |
    |---|---|
    | `"registers"` | with the threads that compute it; readers that are dealt out to threads alike write their loops out and find it there, others compute it again |
    | `"shared"` | the block's, in shared memory |
    | `"recompute"` | nowhere: each reader computes it, 16 elements or 4 vectors of a thread at a time, so that it takes no registers in between |
    | `"memory"` | computed by a kernel of its own |

    Without the key, a reduction or a product is in registers where all of its
    readers find it there, of two products that meet the second one, and in
    shared memory otherwise; all else is in registers as long as a thread has at
    most 64 elements of what it computes. What several ops read is meant: one
    reader has what it computes. `"recompute"` is not for reductions and
    products, `"memory"` not for what its own block reads, and `"registers"` of
    a reduction or product not for readers in other threads: each is an error at
    the op.

    Every key has a default. A loop that is too large for the chip's shared memory is an error.
  }];
  let options = [Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
                        "GPU that the kernels are for; sm_80 is the oldest "
                        "one that copies to shared memory without registers">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def AllowInliningPass : Pass<"sched-allow-inlining", "::mlir::ModuleOp"> {
  let summary = "Drops `no_inline` from functions and calls";
  let description = [{
    The mark keeps functions and their callers apart while tasks are cut; there
    are no calls in a kernel.
  }];
}

def VerifyLoweredPass : Pass<"sched-verify-lowered", "::mlir::ModuleOp"> {
  let summary = "Fails on an op that is not of the LLVM dialect or OpenMP's";
  let description = [{
    Names what no lowering knew, at its place in the source.
  }];
}

def BindBlocksPass : Pass<"sched-bind-blocks", "::mlir::ModuleOp"> {
  let summary = "Ties ops to blocks of threads that no schedule has tied";
  let description = [{
    Every linalg op at the top of a function is put into a `scf.forall` that is
    mapped to blocks of threads, in tiles of a default size: products in squares,
    reductions by rows, all else in contiguous pieces. Producers that feed
    nothing else go with their consumer where a block can compute what it needs.
    Pads, slices, reshapes, transposes, broadcasts, constants and ops marked
    `sched.simt = {keep = "recompute"}` stay: whoever reads them inlines them. A
    loop without a mapping gets one; results that no loop computes are copied.
    Ops like `linalg.softmax` or `linalg.pack` are split first, and so are large
    reductions to few points, whose parts many blocks share. Shapes are constant.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // SCHEDOPT_CODEGEN_PASSES_TD
