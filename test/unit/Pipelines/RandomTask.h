//===- RandomTask.h - Random matmuls with random schedules ------*- C++ -*-===//
//
// What the property tests share: a context with everything in it, a task of a
// random shape (odd, prime and 1 among the sizes) with its space, and random
// candidates of it. Everything follows from one seed.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H
#define SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H

#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "mlir/IR/MLIRContext.h"
#include <algorithm>
#include <memory>
#include <random>

namespace sched::test {

/// A context in which payloads and scripts parse and run. Made once.
mlir::MLIRContext &getContext();

/// How an elementwise op combines the result so far with an argument of its
/// own: a tensor of the result's shape, or a row (`AddBias`).
enum class Epilogue { Add, Mul, Max, AddBias };

/// What computes the left-hand side: nothing; an elementwise op; or windows of
/// an image of several lines, one a tap and pixel of the result, whose lines
/// and pixels are collapsed into m.
enum class Producer { None, Absolute, Windows };

struct Shape {
  int64_t m, n, k;
  /// So many products side by side, and a second reduction of so many steps
  /// outside of k; 0 where there is no such dimension.
  int64_t batch = 0, taps = 0;
  /// All batches have the same B, as those of a depthwise convolution.
  bool sharesRhs = false;
  /// Where it is not 0, A's rows are those of an image: row m and tap q read
  /// its row m * stride + q.
  int64_t stride = 0;
  /// A depthwise convolution of such an image, whose columns are channels: k,
  /// which is 1, is no dimension, and n is one of both operands.
  bool isDepthwise = false;
  /// B is the first operand of the op.
  bool swapped = false;
  /// A generic op's loops are rotated by so many places.
  unsigned rotation = 0;
  /// B is stored as n x k.
  bool transposed = false;
  /// B's layout may be changed beforehand; A's.
  bool layoutFree = false, lhsFree = false;
  /// Elements are f64 rather than f32.
  bool isDouble = false;
  Producer producer = Producer::None;
  /// Lines of the image, with `Windows`: a factor of m.
  int64_t lines = 1;
  /// What follows the contraction, in order.
  std::vector<Epilogue> epilogues;

  static Shape draw(std::mt19937_64 &bits);
  /// Makes it a depthwise convolution.
  void drawDepthwise(std::mt19937_64 &bits);
  /// Makes it a product of few rows, whose vectors may run along k.
  void drawFewRows(std::mt19937_64 &bits);
  /// Makes it a small product of many steps, which threads may share.
  void drawLongReduction(std::mt19937_64 &bits);
  void drawLongRows(std::mt19937_64 &bits);
  /// Adds a producer of A, with the extents that it needs.
  void drawProducer(std::mt19937_64 &bits);

  /// B is the first argument: those of a task are in the order of their use.
  bool startsWithRhs() const { return swapped && producer == Producer::None; }
  bool hasWindows() const { return producer == Producer::Windows; }
  /// Rows of A in one batch, or in one line of it; 0 without `stride`.
  int64_t getImageRows() const {
    return stride ? (m / lines - 1) * stride + taps : 0;
  }
  int64_t getNumBatches() const { return std::max<int64_t>(batch, 1); }
  /// Steps of all reductions.
  int64_t getReduction() const { return std::max<int64_t>(taps, 1) * k; }
  /// Elements of a row of A.
  int64_t getRowSize() const { return isDepthwise ? n : k; }
  bool isMatmul() const {
    return batch == 0 && taps == 0 && !swapped && rotation == 0;
  }
};

/// The module text of `f`: a contraction from zero, and its epilogues. The
/// arguments are A[batch, m, taps, k] (with `stride` A[batch, image rows, k],
/// with `Windows` A[batch, lines, image rows, k]), B[batch, taps, k, n] (with
/// `transposed` B[batch, n, taps, k], with `sharesRhs` no batch) and one an
/// epilogue, without the dimensions that are 0. With `isDepthwise`, they are
/// A[batch, image rows, n] and B[taps, n].
std::string writePayload(const Shape &shape);

struct RandomTask {
  Shape shape;
  std::vector<Task> tasks;
  /// Null where no rule has a sketch for the shape.
  std::unique_ptr<TaskSpace> space;

  /// A task of a random shape, for a random target.
  static RandomTask draw(std::mt19937_64 &bits);
  /// Over all decisions, legal or not: uniform, but that producers are inside
  /// of the reduction's blocks more often.
  Candidate drawCandidate(std::mt19937_64 &bits) const;
};

/// Parses and cuts the payload of `shape` for the given target.
RandomTask makeTask(const Shape &shape, llvm::StringRef target, int threads);

/// Applies the script to a clone of the task's module; null where it fails.
mlir::OwningOpRef<mlir::ModuleOp> applyScript(const Task &task,
                                              mlir::ModuleOp script);

/// Applies the script to `payload`; null where it fails.
mlir::OwningOpRef<mlir::ModuleOp>
applyScript(mlir::OwningOpRef<mlir::ModuleOp> payload, mlir::ModuleOp script);

/// `payload` as a function `f` of this process.
llvm::Expected<KernelLibrary> compileKernel(mlir::ModuleOp payload,
                                            const Target &target,
                                            const CompileOptions &options);

/// Folds loops of one trip, as the vectorize action does first: where tensors
/// are small, packing may be the last action before it that makes any.
void foldTrivialLoops(mlir::ModuleOp payload);

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H
