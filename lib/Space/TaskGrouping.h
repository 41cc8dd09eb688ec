//===- TaskGrouping.h - Which ops are one task ------------------*- C++ -*-===//
//
// The middle of task extraction: assigns the ops of a function to anchors.
// TaskInputCheck.h comes before it, TaskOutlining.h after.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKGROUPING_H
#define SCHEDOPT_LIB_SPACE_TASKGROUPING_H

#include "SchedOpt/Space/Task.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace sched {

/// Loops of a contraction, at most: one over volumes in blocks of channels has
/// 11, one whose pixels are matrices (capsules) 10. The loop-nest model has
/// room for these.
constexpr unsigned kMaxContractionLoops = 12;

/// Of the widest vectors that there are, where it is not known what the code is
/// for.
constexpr int64_t kWidestVectorBytes = 64;

/// The ops of one task in the user's module.
struct TaskGroup {
  /// The contraction, or the root of a staged task.
  mlir::linalg::LinalgOp anchor;
  /// One of the two.
  std::optional<ContractionShape> shape;
  std::optional<StagedShape> staged;
  /// In program order, the anchor among them.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  /// One an op.
  llvm::SmallVector<BlockRole> roles;
  /// The reshapes between a producer and the anchor, in program order.
  llvm::SmallVector<mlir::Operation *, 1> reshapes;
  /// The only value of the group that others use: the result of the last
  /// epilogue, or of the anchor.
  mlir::Value result;
};

/// Attribute of an op that no op after it may fuse with.
constexpr llvm::StringLiteral kAloneAttrName = "schedule.alone";

/// All LinalgOps below `function`, in program order.
llvm::SmallVector<mlir::linalg::LinalgOp>
collectLinalgOps(mlir::func::FuncOp function);

/// Erases what `function` computes and nothing reads; whether a LinalgOp was
/// among it. One would be taken for something to schedule, and keeps what it
/// reads from fusing with its other readers.
bool eraseUnread(mlir::func::FuncOp function);

/// The groups of `function`, in the order of their anchors. `ops` are its
/// LinalgOps.
std::vector<TaskGroup> groupTasks(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// Forms staged tasks of the `ops` that are in no group: `taken` (by position).
/// Read StageGrouping.cpp for what belongs together.
std::vector<TaskGroup> groupStages(llvm::ArrayRef<mlir::linalg::LinalgOp> ops,
                                   const llvm::BitVector &taken);

/// Whether `op` can be moved to a function of tensors: all it uses is tensors
/// or can be copied along, and its body reads no tensor from outside and has no
/// op with a region.
bool isMovable(mlir::linalg::LinalgOp op);

/// Whether each element of the one result depends on its own iteration only,
/// and iterations run over the result in its own order.
bool isElementwise(mlir::linalg::LinalgOp op);

/// Whether elements of `op`'s tensors can be lanes of vectors, and there are
/// any. Masks are those of elementwise ops.
bool hasVectorElements(mlir::linalg::LinalgOp op);

/// Whether `op` combines what it computes of its inputs with its one result by
/// an operation that has a neutral element, in any order. Its result may have
/// dimensions in another order than the loops, and others that it keeps.
bool isReductionInSomeOrder(mlir::linalg::LinalgOp op);

/// Whether `body` adds the product of its two inputs to its output; casts of
/// the inputs are allowed.
bool isMultiplyAdd(mlir::Block &body);

/// `op` as a generic one: itself, or what takes its place.
mlir::FailureOr<mlir::linalg::GenericOp>
makeGeneric(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Replaces `op` by one of the same body with `inputs`, at `maps` of its loops,
/// of which `unused`, which no map has, go.
void replaceInputs(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                   mlir::ValueRange inputs,
                   llvm::SmallVector<mlir::AffineMap> maps,
                   llvm::ArrayRef<unsigned> unused);

/// `size` elements of dimension `dim` of `from`, from `offset` on, `stride`
/// apart, with all of the other dimensions, which are static.
mlir::Value sliceDim(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value from, unsigned dim, int64_t offset,
                     int64_t size, int64_t stride = 1);

/// What is at `place` of dimension `dim` of `from`, without that dimension.
mlir::Value takePlace(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value from, unsigned dim, int64_t place);

/// Rows of all loops around that read the same of the right-hand side.
int64_t countSharedRows(const ContractionShape &shape);

/// Whether `op` is another look at its first operand, or pads it with a
/// constant: where the operand's layout is free, that is done beforehand. False
/// for null.
bool isMovedBefore(mlir::Operation *op);

/// Whether `value` is an argument that is marked as layout-free, or what is
/// moved of it beforehand.
bool isMarkedLayoutFree(mlir::Value value);

/// Whether all elements of `op` are numbers of a known width, unlike indices
/// and complex ones: what the model counts.
bool hasNumbers(mlir::linalg::LinalgOp op);

/// Whether `op` computes something of one argument whose layout is free, which
/// may have been moved, and of constants: that is done beforehand
/// (Codegen/OutlinePacking.cpp). False for null.
bool isPackedBefore(mlir::linalg::LinalgOp op);

/// Whether `op` copies or computes windows, as im2col does: elementwise, but
/// that inputs may be read at sums of loops, so that elements are read by
/// several iterations.
bool isWindow(mlir::linalg::LinalgOp op);

/// The operand that `op` only passes on, as a transpose to the same order does,
/// or a maximum of equals: it is folded away by the first clean-up. Null if it
/// computes something.
mlir::OpOperand *findPassed(mlir::linalg::LinalgOp op);

/// Whether what reads the result of `op` may read `passed` instead: functions
/// that return their arguments copy them.
bool mayPassOn(mlir::linalg::LinalgOp op, mlir::Value passed);

/// What computes `value`, seen through reshapes; null if nothing does.
/// `reshapes` gets those passed, the last first.
mlir::Operation *
lookThroughReshapes(mlir::Value value,
                    llvm::SmallVectorImpl<mlir::Operation *> *reshapes);

/// Whether elements of `type` can be lanes of vectors, filled with numbers,
/// compared and declared in C: f16, bf16, f32, f64, integers of 8 to 64 bits.
bool isLaneType(mlir::Type type);

/// Whether `value` is a constant or an empty tensor: it belongs to whoever
/// uses it.
bool isFreelyCopied(mlir::Value value);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKGROUPING_H
