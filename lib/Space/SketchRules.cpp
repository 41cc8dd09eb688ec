//===- SketchRules.cpp - The list of rules and their conditions -----------===//

#include "ContractionRules.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

std::vector<std::unique_ptr<SketchRule>> sched::createSketchRules() {
  std::vector<std::unique_ptr<SketchRule>> rules;
  for (bool packed : {false, true}) {
    rules.push_back(createRegisterReduction(packed));
    rules.push_back(createBlockedReduction(packed));
  }
  return rules;
}

bool sched::isSchedulableContraction(const Task &task) {
  return llvm::count(task.roles, BlockRole::Anchor) == 1 &&
         llvm::count(task.roles, BlockRole::Init) <= 1 &&
         // Fusion by upstream follows producers greedily and would compute
         // them again in every tile.
         !llvm::is_contained(task.roles, BlockRole::Producer) &&
         !llvm::is_contained(task.roles, BlockRole::Other) &&
         task.shape.lhsOperand == 0 && task.shape.rhsOperand == 1 &&
         llvm::equal(task.shape.loops, llvm::ArrayRef<unsigned>{0, 1, 2});
}

static int64_t bytes(mlir::Type type) {
  return std::max(1u, type.getIntOrFloatBitWidth() / 8);
}

bool sched::canPackRhs(const Task &task, const Target &target) {
  // The reshape that packing makes of the result folds into a fill and into one
  // elementwise op, and into nothing else.
  bool startsFromFill = true;
  task.getFunction().walk([&](mlir::linalg::LinalgOp op) {
    if (op.getNumReductionLoops() > 0)
      if (mlir::Operation *init = op.getDpsInits()[0].getDefiningOp())
        startsFromFill = mlir::isa<mlir::linalg::FillOp>(init);
  });
  return startsFromFill && llvm::count(task.roles, BlockRole::Epilogue) <= 1 &&
         task.shape.n >= target.vectorBytes / bytes(task.shape.accType);
}

bool sched::isLargeRhs(const Task &task, const Target &target) {
  return task.shape.n * task.shape.k * bytes(task.shape.rhsType) >
         target.l2Bytes / 2;
}
