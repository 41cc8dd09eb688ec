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

struct Shape {
  int64_t m, n, k;
  bool add, transposed;
};

/// The module text of `f`: a matmul from zero, and an addend where `add`.
std::string writePayload(const Shape &shape);

struct RandomTask {
  Shape shape;
  std::vector<Task> tasks;
  std::unique_ptr<TaskSpace> space;

  /// Draws until a shape has a space; `seed` gives all of it.
  static RandomTask draw(std::mt19937_64 &bits);
  /// Uniform over the decisions, legal or not.
  Candidate drawCandidate(std::mt19937_64 &bits) const;
};

/// Parses and cuts the payload of `shape` for the given target.
RandomTask makeTask(const Shape &shape, llvm::StringRef target, int threads);

/// Applies the script to a clone of the task's module; null where it fails.
mlir::OwningOpRef<mlir::ModuleOp> applyScript(const Task &task,
                                              mlir::ModuleOp script);

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_RANDOMTASK_H
