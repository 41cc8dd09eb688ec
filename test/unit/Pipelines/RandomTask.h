//===- RandomTask.h - Random matmuls with random schedules ------*- C++ -*-===//
//
// What the property tests share: a context with everything in it, a task of a
// random shape (odd, prime and 1 among the sizes) with its space, and random
// candidates of it. Everything follows from one seed.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H
#define SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H

#include "SchedOpt/Pipelines/TaskSpace.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>
#include <random>

namespace sched::test {

/// A context in which payloads and scripts parse and run. Made once.
mlir::MLIRContext &getContext();

/// How an elementwise op combines the result so far with an argument of its
/// own: a tensor of the result's shape, or a row (`AddBias`).
enum class Epilogue { Add, Mul, Max, AddBias };

struct Shape {
  int64_t m, n, k;
  /// B is stored as n x k.
  bool transposed = false;
  /// B's layout may be changed beforehand.
  bool layoutFree = false;
  /// Elements are f64 rather than f32.
  bool isDouble = false;
  /// What follows the contraction, in order.
  std::vector<Epilogue> epilogues;

  static Shape draw(std::mt19937_64 &bits);
};

/// The module text of `f`: a matmul from zero, and its epilogues. The arguments
/// are A, B and one an epilogue.
std::string writePayload(const Shape &shape);

struct RandomTask {
  Shape shape;
  std::vector<Task> tasks;
  /// Null where no rule has a sketch for the shape.
  std::unique_ptr<TaskSpace> space;

  /// A task of a random shape, for a random target.
  static RandomTask draw(std::mt19937_64 &bits);
  /// Uniform over the decisions, legal or not.
  Candidate drawCandidate(std::mt19937_64 &bits) const;
};

/// Parses and cuts the payload of `shape` for the given target.
RandomTask makeTask(const Shape &shape, llvm::StringRef target, int threads);

/// Applies the script to a clone of the task's module; null where it fails.
mlir::OwningOpRef<mlir::ModuleOp> applyScript(const Task &task,
                                              mlir::ModuleOp script);

/// Folds loops of one trip, as the vectorize action does first: where tensors
/// are small, packing may be the last action before it that makes any.
void foldTrivialLoops(mlir::ModuleOp payload);

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H
