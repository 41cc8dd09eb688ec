//===- NestListing.h - A loop nest as lines to compare ----------*- C++ -*-===//
//
// The loop-nest model of a candidate, and the IR that the transform interpreter
// made of it, in the same words: a line a block, such as
// "forall(2) for(10) anchor[6,16,4,]".
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PIPELINES_NESTLISTING_H
#define SCHEDOPT_TEST_UNIT_PIPELINES_NESTLISTING_H

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace sched::test {

struct NestListing {
  /// Blocks in program order.
  std::vector<std::string> blocks;
  /// Copies of operands.
  std::vector<std::string> copies;
  /// Where partial results of a reduction start from and meet.
  std::vector<std::string> helpers;
};

/// Dimensions of the partial results of a reduction, as upstream orders them:
/// the result's, then those that are reduced.
llvm::SmallVector<uint8_t> getPartialDims(const BlockPlan &plan);

/// What the model says of the candidate with these choices.
NestListing listModel(const Program &program, llvm::ArrayRef<uint16_t> choices);
/// What `module` holds.
NestListing listIR(mlir::ModuleOp module);

/// Takes away what ends a sketch of `space`: blocks can be told apart until
/// they are taken to pieces and become vectors.
void keepBlocks(const TaskSpace &space);

/// The lines one below the other.
std::string joinLines(llvm::ArrayRef<std::string> lines);

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_NESTLISTING_H
