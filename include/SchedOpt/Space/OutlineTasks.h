//===- OutlineTasks.h - A function for each task ----------------*- C++ -*-===//
//
// A schedule applies to a function that is one task and nothing else: what
// matches, fuses or vectorizes then cannot reach a neighbour. A function that
// holds several tasks, or other ops too, is taken apart before its tasks are
// searched, and put together again once they are scheduled.
//
// Read next: TaskExtraction.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_OUTLINETASKS_H
#define SCHEDOPT_SPACE_OUTLINETASKS_H

#include "SchedOpt/Support/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace sched {

/// Attribute of the private functions that outlineTasks makes.
constexpr llvm::StringLiteral kOutlinedAttrName = "schedule.outlined";

/// Attribute of those of them that are called in a parallel loop of
/// outlineTasks' own: their tasks run on one thread.
constexpr llvm::StringLiteral kInParallelAttrName = "schedule.in_parallel";

/// Attribute of a function that is compiled as it is: nothing here rewrites it
/// or makes tasks of it. A unit where the user put it; the name of the function
/// in the input where a search put it on one that it had rewritten or cut.
constexpr llvm::StringLiteral kLeftToDefaultAttrName =
    "schedule.left_to_default";

/// What decides how tasks are cut, besides the payload.
struct OutlineOptions {
  Target::Kind kind = Target::Kind::CPU;
  /// The processor multiplies tiles of matrices (DotForm::Tiles).
  bool tiles = false;
  /// Sums of f16 are to be of f32 (addsHalfInFloat).
  bool widenHalf = false;
  /// Left-hand sides of products of bytes are to be of 16 bits
  /// (DotProducts::widensRows): of all, and of two unsigned ones.
  bool widenBytes = false, widenUnsigned = false;

  static OutlineOptions of(const Target &target);

  /// The options of schedule-outline-tasks that are true for these.
  llvm::SmallVector<llvm::StringRef, 3> getNames() const;
};

/// Whether `function` was made by outlineTasks.
bool isOutlinedTask(mlir::func::FuncOp function);

/// Moves each task of a function that is not exactly one task into a private
/// function `<function>_<index>` of its own and calls that instead. Tasks that
/// are the same op for op, pads of what they read included (which stay with the
/// caller), share a function. `schedule.layout_free` moves along
/// where the argument goes to that call alone. Does nothing the second time.
///
/// Before, ops are rewritten into forms that rules know, and that are faster,
/// in this order (each in lib/Space):
/// - InlineHelpers: functions that others call take the place of the calls;
/// - OrderLoops: elementwise ops get their loops in the result's order;
/// - FlattenBranches: branches in bodies become selects;
/// - ScalarOperands: numbers that bodies read from outside become operands;
/// - SplitResults: reductions with several results become one for each;
/// - FreshOutputs: outputs that are another op's result become inputs;
/// - KeptDimensions: reductions lose dimensions of one element that they keep;
/// - WideSums: products and poolings of bf16, and of f16 where the processor
///   has no arithmetic on it, are computed in f32 and rounded once;
/// - StackParts: elementwise ops whose results are put side by side, every few
///   elements from one, become one;
/// - MoveChannels: pads, concatenations and slices of few channels that are
///   returned become elementwise ops;
/// - TakePlanes: channels that are innermost are taken one by one;
/// - ComputeParts: elementwise ops of a concatenation are computed in parts,
/// and
///   products over parts that are computed add theirs up;
/// - JoinReaders: elementwise ops become one where several read a product;
/// - ChannelsLast: channels of images and results go innermost, where lines are
///   short or strided, or instructions take channels;
/// - ComposeTransposes: transposes that undo each other go;
/// - ConvolutionPhases: convolutions of images with zeros between the pixels
///   become those of the images, one for each remainder by the stride;
/// - ReadOnce: a row times a matrix computes the matrix, if an op does;
/// - SingleLines: windows along a single line get a dimension of lines;
/// - SingleProducts: a row times a column becomes a dot product;
/// - FewColumns: right-hand sides of one to three columns are transposed;
/// - JoinPatches: for a processor with tiles, narrow convolutions of few
///   channels whose windows touch become products of matrices;
/// - JoinTaps: for a processor with tiles, few channels of narrow convolutions
///   become one dimension with the taps of a line;
/// - ExchangeSides: columns that come first and could be panels come second;
/// - WidenRows: for x86 without dot products of bytes, left-hand sides of bytes
///   are widened to 16 bits;
/// - NarrowOperands: those of narrow products get a layout for dot products;
/// - StridedRows: pixels of narrow products that a stride takes apart are
///   copied side by side;
/// - JoinGroups: groups of few channels become one dimension of columns with
///   them, in sums of groups and in what reads these;
/// - FewColumnSums: columns that do not fill vectors are added up in two steps;
/// - JoinLines: for a processor with tiles, the lines of an image become one;
/// - MergeColumns: two short dimensions of columns become one; depthwise with a
///   multiplier reads repeated channels;
/// - MergePixels: columns and channels of images become one, where windows or
///   slices of few channels do not fill vectors;
/// - ExpandBatches: products before and after a softmax get its batches;
/// - RowBlocks: attention becomes a parallel loop over blocks of rows, and so
///   do reductions of columns that are read again; the body is a private
///   function `<function>_rows`;
/// - StencilBlocks: chains of ops that read neighbours of each other's results
///   become loops over blocks of rows, as do those of RowBlocks;
/// - MergeRows: dimensions of rows, of columns and of steps side by side become
///   one each, and so do those that a transpose moves together;
/// - JoinEpilogues: what follows a product behind a reshape goes before it;
/// - ReshapedPads: a pad that is reshaped becomes a reshape that is padded;
/// - DecomposeArgmax: the place of the largest becomes two reductions;
/// - OrderLoops: reductions, and windows for each channel, get their loops in
///   the result's order;
/// - UnitIndices: operands lose dimensions that are indexed by zero;
/// - CheapProducers: what is cheaper to compute again than to load is;
/// - ScaleTerms: the factor of a mean of columns goes to the terms;
/// - PartialSums: for a GPU, large sums are taken in two steps;
/// - ScaleLater: a row's scale waits for its product.
///
/// For a GPU, whose kernels read elements wherever they are and add up in f32,
/// WideSums, StackParts, MoveChannels, TakePlanes, ComputeParts, ReadOnce,
/// ChannelsLast, FewColumns, JoinTaps, ExchangeSides, WidenRows,
/// NarrowOperands, StridedRows, JoinGroups, FewColumnSums, ExpandBatches,
/// RowBlocks, StencilBlocks and MergeRows are left out: each would be kernels
/// of its own. So is ScaleTerms, as PartialSums leaves little to be scaled.
///
/// `rewritten`, where it is given, gets the names of the functions of which ops
/// were replaced by others, and not only moved.
/// Errors are those of extractTasks, emitted as diagnostics.
llvm::Error outlineTasks(mlir::ModuleOp module,
                         llvm::StringSet<> *rewritten = nullptr,
                         const OutlineOptions &options = {});

/// Fails, with an error at its place, where such a function calls itself, be it
/// through others: outlineTasks makes none that do, but a user may mark one.
mlir::LogicalResult checkOutlinedTasks(mlir::ModuleOp module);

/// The inverse: puts the bodies of those functions, scheduled or not, in the
/// place of their calls. Fails as checkOutlinedTasks does.
mlir::LogicalResult inlineTasks(mlir::ModuleOp module);

} // namespace sched

#endif // SCHEDOPT_SPACE_OUTLINETASKS_H
