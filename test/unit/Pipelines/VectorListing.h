//===- VectorListing.h - Vector code as lines to compare --------*- C++ -*-===//
//
// The vectors that each block of a candidate becomes: what the model says of
// them, and what the script made, in the same words.
//
// A script is run in three parts, with a look at the payload after each:
// 1. Blocks, still structured ops: NestListing.h. `tagBlocks` gives each a
//    location of its own, which all that is made of it keeps.
// 2. Vectors, as the vectorizer makes them. Each block writes its result as one
//    vector, or as one a point of unrolled dimensions.
// 3. The end. Whole vectors may have left by now: an init is a constant, sums
//    are carried by loops. What computes has kept its size, and a contraction
//    is one product a point.
//
// A line is a block, what it writes (after part 2), the sizes of what it
// computes with (after parts 2 and 3), and its products (after part 3):
// "anchor[6,1,16,4,] writes 1 x [6,16] computes [6,16,4] products 1".
// Dimensions of size 1 are left out, as vectors may fold them. All other sizes
// must be the same, in the order of the block's dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PIPELINES_VECTORLISTING_H
#define SCHEDOPT_TEST_UNIT_PIPELINES_VECTORLISTING_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sched::test {

/// Marks in each sketch of `space` where blocks become vectors: scripts made
/// later can be cut there.
void markVectors(const TaskSpace &space);
/// What the model says: a line a block, in program order, and then a line for
/// each helper of a reduction.
std::vector<std::string> listModelVectors(const Program &program,
                                          llvm::ArrayRef<uint16_t> choices);

/// Without dimensions of size 1.
using VectorSizes = std::vector<int64_t>;

/// Vectors of one block, by sizes.
struct BlockVectors {
  std::map<VectorSizes, unsigned> writes;
  std::set<VectorSizes> computes;
  unsigned products = 0;
  /// Elements of a write that lie side by side in memory.
  int64_t row = 1;
};

/// Runs a script and lists what it makes.
class VectorRun {
public:
  explicit VectorRun(mlir::ModuleOp script);

  /// The payload after part 1; null where the script fails. Its blocks may
  /// still change, and keep their tags.
  mlir::OwningOpRef<mlir::ModuleOp> makeBlocks(const Task &task);
  /// Parts 2 and 3; null where the script fails.
  mlir::OwningOpRef<mlir::ModuleOp> makeVectors();
  /// The same of `blocks`, which came from `makeBlocks`.
  std::vector<std::string> list(mlir::ModuleOp blocks) const;
  /// The first contraction of `blocks`, with elements of so many bytes: rows,
  /// elements of a row's vector, and reduction steps.
  RegisterTile getMainTile(mlir::ModuleOp blocks, unsigned elementBytes) const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> parts[3], payload;
  std::map<std::string, BlockVectors> vectors;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_VECTORLISTING_H
