//===- Task.h - What is tuned as one piece ----------------------*- C++ -*-===//
//
// A task is an anchor (a contraction) with the ops that fuse with it: its init,
// the elementwise ops that consume its result and those that produce its
// operands. What no anchor took forms staged tasks: a root and the elementwise
// ops and reductions that feed it alone, as in a softmax. TaskExtraction.h cuts
// a user's module into tasks; the rest of the program tunes each in a module of
// its own.
//
// Ops here are those with linalg's LinalgOp interface. Extents count elements.
//
// Read next: TaskExtraction.h, then SketchRule.h (what is made of a task).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_TASK_H
#define SCHEDOPT_SPACE_TASK_H

#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sched {
struct Target;

/// The part that an op plays in its task.
enum class BlockRole {
  /// Writes the value that the anchor starts from.
  Init,
  /// The contraction.
  Anchor,
  /// Elementwise consumer, over the loops (m, n) of the anchor's result.
  Epilogue,
  /// Elementwise producer of an operand of the anchor, or of another producer.
  Producer,
  /// Feeds an epilogue, such as the broadcast of a bias.
  Other,
  /// The last op of a staged task: elementwise, or a reduction.
  Root,
  /// Elementwise op or reduction that feeds the root of a staged task.
  Stage,
};

/// "init", "anchor", "epilogue", "producer", "other", "root" or "stage".
llvm::StringRef stringifyBlockRole(BlockRole role);

/// A loop around a product of matrices.
struct OuterLoop {
  /// At least 1.
  int64_t extent;
  bool isReduction;
  /// It indexes both operands: a batch, a group, a channel, or a reduction.
  bool isShared = false;
  /// It indexes the right-hand side alone.
  bool isColumn = false;
  /// It indexes an operand at all, not the result alone.
  bool isRead = true;

  bool operator==(const OuterLoop &other) const {
    return extent == other.extent && isReduction == other.isReduction &&
           isShared == other.isShared && isColumn == other.isColumn &&
           isRead == other.isRead;
  }
};

/// A contraction C[o, m, n] += A[o, m, k] * B[o, k, n]; n is the innermost
/// dimension of the result (of more than one element, with windows), so that a
/// vector of C is contiguous in memory. The
/// outer loops o are batches and whatever else an operand or the result may
/// have besides m, n and k: each point of them is a product of matrices.
struct ContractionShape {
  /// Extents, each at least 1.
  int64_t m = 0, n = 0, k = 0;
  llvm::SmallVector<OuterLoop, 2> outer;
  /// m is a dimension of A inside of k, or k one of B inside of n.
  bool lhsTransposed = false, rhsTransposed = false;
  /// k indexes the innermost dimension of A and of B: vectors along it are
  /// contiguous in both.
  bool hasContiguousSteps = false;
  /// Neighbours along m are so many elements apart in their dimension of A: the
  /// stride of a convolution.
  int64_t rowStep = 1;
  /// A dimension of A or B is indexed by the sum of several loops, as in a
  /// convolution: neighbouring tiles overlap.
  bool overlaps = false;
  /// n indexes A too, or the body reads A alone: each lane of a vector has a
  /// window of its own, as in a depthwise convolution and in a pooling.
  bool isWindowed = false;
  /// Where B can be laid out in panels: the position of the one loop that
  /// indexes each of its dimensions, among the anchor's loops. Empty elsewhere.
  llvm::SmallVector<unsigned, 4> panelLoops;
  /// k alone indexes a dimension of A and one of B, element by element, so that
  /// a tile may take several steps of it. Where it does not, B may be no matrix
  /// at all.
  bool unrollable = true;
  /// Operand numbers of the anchor that hold A and B: 0 and 1, or 1 and 0 where
  /// the result's innermost dimension comes from operand 0.
  unsigned lhsOperand = 0, rhsOperand = 1;
  /// Element types: integers or floats.
  mlir::Type lhsType, rhsType, accType;
  /// Positions of m, n, k and the outer loops, in this order, among the
  /// anchor's loops.
  llvm::SmallVector<unsigned, 4> loops;
  /// Where the columns and the steps are in `loops`, and where the outer loops
  /// begin there and in `resultDims`.
  static constexpr unsigned kColumns = 1, kSteps = 2, kFirstOuter = 3;
  /// Positions of the same among the dimensions of the result; those of
  /// reductions mean nothing.
  llvm::SmallVector<unsigned, 4> resultDims;

  /// Whether a loop of `extent` inside of a window's largest one, of `largest`,
  /// makes as good rows of register tiles: 14 pixels beside 16 images do.
  static constexpr bool suitsRows(int64_t extent, int64_t largest) {
    return extent * 8 >= largest * 7;
  }

  /// Whether the product is one of two row-major matrices, with the loops m, n
  /// and k in this order.
  bool isMatmul() const;
  /// Steps of all reductions.
  int64_t countSteps() const;
  /// Elements of C in a vector, at least 1.
  int64_t countLanes(const Target &target) const;
};

/// How the stages of a task go together.
enum class StagedKind {
  /// No reduction.
  Elementwise,
  /// Reductions of the innermost dimension of what they read, and of any
  /// others. What is reduced to one element is a row; the stages are computed
  /// row by row.
  Rows,
  /// One reduction, the root, of dimensions outside of the innermost.
  Columns,
};

/// A task without a contraction.
struct StagedShape {
  StagedKind kind = StagedKind::Elementwise;
  /// Dimensions that all stages and the result share; one point of them is a
  /// row. Rows only. They are the outermost, but where the root alone reduces.
  unsigned rowDims = 0;

  /// One stage, the root included.
  struct Stage {
    /// Reduction loops in increasing order.
    llvm::SmallVector<unsigned, 2> reductions;
    /// The loop that vectors run along.
    unsigned vectorLoop = 0;
    /// Of the result.
    mlir::Type elementType;
    /// Has a function of the math dialect.
    bool calls = false;
    /// Reductions and the root, as far as they read its result or what other
    /// elementwise stages make of it.
    unsigned readers = 0;
    /// The loop along which it reads contiguous elements of something that it
    /// does not read so along vectorLoop; a square of both is transposed.
    std::optional<unsigned> acrossLoop;
  };
  /// One entry a LinalgOp, in program order.
  std::vector<Stage> stages;
};

/// Where a task occurs in the user's module.
struct TaskOccurrence {
  /// Symbol of the function.
  std::string function;
  /// Task number within the function.
  unsigned index = 0;
  /// The task's ops, as positions among all LinalgOps of the function in
  /// program order (nested ones included), increasing.
  std::vector<unsigned> opIndices;
};

/// A producer that the anchor reads.
struct ProducerBlock {
  /// Operand of the anchor.
  unsigned operand = 0;
  /// Reshapes stand between it and the anchor.
  bool isReshaped = false;
  /// It reads windows, as im2col does, and computes each element once for each
  /// window that has it.
  bool isWindow = false;
  /// Elements along its innermost loop are some elements apart in what it reads
  /// for others, as those of taps with a dilation are: upstream does not make
  /// vectors of them.
  bool hasStrides = false;
  /// A slice of what it computes can be computed by itself: for any steps of
  /// the reduction, where it is reshaped for all of m, and otherwise for any
  /// part of it.
  bool hasSlices = false;

  bool operator==(const ProducerBlock &other) const {
    return operand == other.operand && isReshaped == other.isReshaped &&
           isWindow == other.isWindow && hasStrides == other.hasStrides &&
           hasSlices == other.hasSlices;
  }
};

/// The ops of a task as its schedule finds them: chains of elementwise ops have
/// become one op each, where that helps (lib/Space/TaskBlocks.h).
struct TaskBlocks {
  /// Whether a schedule starts with `schedule.fuse_elementwise`, the names of
  /// the ops that it turns into generic ones, and the op, if any, that keeps
  /// its operands as they are.
  bool isFused = false;
  std::vector<std::string> generalize;
  std::optional<mlir::schedule::OpPosition> apart;
  /// Parallel loops of that op, which slice each operand that a block produces.
  llvm::SmallVector<int64_t, 4> apartLoops;
  /// One entry a LinalgOp, in program order: its role and its loops' extents.
  std::vector<BlockRole> roles;
  std::vector<llvm::SmallVector<int64_t, 4>> extents;
  /// One of the two.
  std::optional<ContractionShape> shape;
  std::optional<StagedShape> staged;
  /// The producers that the anchor reads itself, in program order.
  llvm::SmallVector<ProducerBlock, 2> producers;
  /// The init is a fill or a generic op, or there is none.
  bool hasPlainInit = true;
};

/// See the top of this file. Move-only.
struct Task {
  /// The first occurrence, which `module` is made of.
  std::string function;
  unsigned index = 0;
  std::vector<unsigned> opIndices;
  /// One public function on tensors of static shape with the task's ops alone:
  /// arguments in the order of their first use, one result. It has the name of
  /// the original function where that is exactly this task, and else
  /// <function>_<index>. Arguments keep `schedule.layout_free` where it holds.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// What is compiled and timed where an argument is padded for this task
  /// alone: that function, private, and a public one that pads and calls it.
  /// Null elsewhere: it is `module`.
  mlir::OwningOpRef<mlir::ModuleOp> padded;

  /// \name One entry a LinalgOp of `module`, in program order
  /// @{
  std::vector<BlockRole> roles;
  /// Extents of the op's loops.
  std::vector<llvm::SmallVector<int64_t, 4>> extents;
  /// @}

  /// One of the two.
  std::optional<ContractionShape> shape;
  std::optional<StagedShape> staged;
  /// What is scheduled: the above, or what fusion makes of it.
  TaskBlocks blocks;
  /// Workload key and its readable form; see WorkloadHash.h.
  std::string hash, text;
  /// Arithmetic operations of one call; see countFlops.
  double flops = 0;
  /// Compulsory traffic of one call; see countTrafficBytes.
  int64_t bytes = 0;
  /// One entry an argument of the task's function: its layout in memory may be
  /// changed, as the user marked it and no other op reads it.
  llvm::SmallVector<bool> layoutFree;
  /// How often the task runs in one call of each public function: the number of
  /// occurrences, where an outlined one (OutlineTasks.h) counts once a call and
  /// iteration of the parallel loops around it.
  double weight = 1;
  /// The threads are taken by a loop around the task.
  bool inParallel = false;
  /// All places in the module with the same workload, in program order.
  std::vector<TaskOccurrence> occurrences;

  /// The function of `module`.
  mlir::func::FuncOp getFunction() const;
  /// `target` with the threads that the task has to itself.
  Target getTarget(const Target &target) const;
};

/// `text` in double quotes, as MLIR reads and prints strings and symbols.
std::string toStringLiteral(llvm::StringRef text);

/// Arithmetic operations of one call of `function`: the ops of the arith and
/// math dialects in the bodies of its LinalgOps, times the iterations. Casts,
/// constants and selects move data and count nothing; a fused multiply-add is
/// two. So a contraction counts 2 m n k. An op of dynamic size counts nothing.
double countFlops(mlir::func::FuncOp function);

/// Bytes of a scalar, or of a tensor of static shape without gaps.
int64_t countBytes(mlir::Type type);

/// Bytes that one call of `function` cannot avoid to move: each argument and
/// each dense constant that is read, once, and each result, once. Elements
/// narrower than a byte are packed; an index has 8 bytes.
int64_t countTrafficBytes(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_SPACE_TASK_H
