//===- SpaceTest.h - What the tests of this layer share ---------*- C++ -*-===//
//
// Parses payloads, extracts their tasks and keeps the diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_SPACE_SPACETEST_H
#define SCHEDOPT_TEST_UNIT_SPACE_SPACETEST_H

#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace sched {

class SpaceTest : public ::testing::Test {
protected:
  SpaceTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          auto &texts =
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error
                  ? errors
                  : remarks;
          texts.push_back(diagnostic.str());
          return mlir::success();
        }) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                        mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                        mlir::tensor::TensorDialect,
                        mlir::vector::VectorDialect>();
  }

  /// The tasks of a module, which stays alive in `module`. Each task's module
  /// is verified.
  std::vector<Task> extract(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << (errors.empty() ? "" : errors.front());
    if (!module)
      return {};
    llvm::Expected<std::vector<Task>> tasks = extractTasks(*module);
    if (!tasks) {
      ADD_FAILURE() << llvm::toString(tasks.takeError());
      return {};
    }
    for (Task &task : *tasks)
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*task.module)));
    return std::move(*tasks);
  }

  /// The only task of a module.
  Task extractOne(llvm::StringRef text) {
    std::vector<Task> tasks = extract(text);
    EXPECT_EQ(tasks.size(), 1u);
    return tasks.empty() ? Task() : std::move(tasks.front());
  }

  /// The message of the error that a module gives.
  std::string extractError(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << (errors.empty() ? "" : errors.front());
    if (!module)
      return "";
    llvm::Expected<std::vector<Task>> tasks = extractTasks(*module);
    if (tasks) {
      ADD_FAILURE() << "no error";
      return "";
    }
    return llvm::toString(tasks.takeError());
  }

  mlir::MLIRContext context;
  std::vector<std::string> errors, remarks;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace sched

#endif // SCHEDOPT_TEST_UNIT_SPACE_SPACETEST_H
