//===- TaskRemarks.cpp - What is in no task, and why ----------------------===//

#include "TaskRemarks.h"
#include "SchedOpt/Codegen/Gathers.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sched;

/// Whether the tasks of `function` were moved out of it.
static bool callsOutlinedTask(func::FuncOp function) {
  return function
      .walk([](func::CallOp call) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        return callee && isOutlinedTask(callee) ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` is compiled as loops over lines of contiguous elements, or over
/// vectors of elements (Codegen/MoveLines.h).
static bool isMoveOfElements(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  return generic && isGatherByVectors(generic);
}

/// Whether all that `function` does is to move elements, which has nothing to
/// tune.
static bool hasOnlyMoves(func::FuncOp function,
                         ArrayRef<linalg::LinalgOp> ops) {
  bool moves = !ops.empty();
  return llvm::all_of(ops, isMoveOfElements) &&
         !function
              .walk([&](Operation *op) {
                if (op == function || op->getParentOfType<linalg::LinalgOp>())
                  return WalkResult::advance();
                moves |=
                    isa_and_present<tensor::TensorDialect>(op->getDialect());
                // Relayouts are named.
                return isa_and_present<linalg::LinalgDialect>(
                           op->getDialect()) &&
                               !isa<linalg::LinalgOp>(op)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted() &&
         moves;
}

/// What keeps the body of `op` from being moved to a task; empty if nothing
/// does (isMovable).
static std::string describeBody(linalg::LinalgOp op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (Operation &inner : *op.getBlock())
    if (inner.getNumRegions() != 0) {
      stream << "has '" << inner.getName()
             << "' in its body; expected ops without regions, as arith.select";
      return text;
    }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (!isFreelyCopied(value)) {
      stream << "reads a value of type " << value.getType()
             << " in its body that is no operand; expected operands and "
                "constants";
      return text;
    }
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()) &&
        !isFreelyCopied(operand.get())) {
      stream << "has operand #" << operand.getOperandNumber() << " of type "
             << operand.get().getType()
             << " that is no constant; expected tensors and constants";
      return text;
    }
  return text;
}

/// Why no rule takes `op`.
static std::string getReason(linalg::LinalgOp op) {
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  stream << "'" << op->getName() << "' op ";
  for (Value operand : op->getOperands()) {
    const Type type = getElementTypeOrSelf(operand.getType());
    if (isa<RankedTensorType>(operand.getType()) && !isLaneType(type) &&
        !type.isInteger(1) && !type.isIndex()) {
      stream << "has elements of " << type
             << "; expected f16, bf16, f32, f64, i1, i8, i16, i32 or i64";
      return reason;
    }
  }
  if (op->getNumResults() != 1) {
    stream << "has " << op->getNumResults() << " results; expected one";
    return reason;
  }
  if (llvm::is_contained(op.getStaticLoopRanges(), 0)) {
    stream << "has nothing to compute: a dimension has no elements";
    return reason;
  }
  if (const std::string body = describeBody(op); !body.empty()) {
    stream << body;
    return reason;
  }
  if (isa<linalg::FillOp>(op)) {
    stream << "sets elements and is the start of no op that has a schedule";
    return reason;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    if (llvm::any_of(map.getResults(),
                     [](AffineExpr index) { return !getAffineTerms(index); })) {
      stream << "accesses operand #" << operand.getOperandNumber() << " by "
             << AffineMapAttr::get(map)
             << "; expected sums of loops, with constant strides";
      return reason;
    }
  }
  auto isMask = [](Value operand) {
    return getElementTypeOrSelf(operand.getType()).isInteger(1);
  };
  if (op.getNumReductionLoops() != 0 &&
      llvm::any_of(op->getOperands(), isMask)) {
    stream << "reduces with elements of i1; expected f16, bf16, f32, f64, i8, "
              "i16, i32 or i64";
    return reason;
  }
  const AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (op.isAllParallelLoops() && !result.isIdentity())
    stream << "writes its result by " << AffineMapAttr::get(result)
           << "; expected the order of its loops";
  else if (op.getNumReductionLoops() != 0 && op.hasIndexSemantics())
    stream << "uses linalg.index in a reduction; expected the minimum or "
              "maximum of a row with its place, if anything";
  else
    stream << "is no contraction, reduction or elementwise op of a known form, "
              "nor fused with one";
  return reason;
}

/// Says why `function` has nothing to schedule.
static void remarkOnFunction(func::FuncOp function,
                             ArrayRef<linalg::LinalgOp> ops) {
  if (hasOnlyMoves(function, ops)) {
    emitRemark(function.getLoc())
        << "nothing to schedule in @" << function.getName()
        << ": it only moves elements";
    return;
  }
  InFlightDiagnostic remark = emitRemark(function.getLoc());
  remark << "compiled by the default schedule, without a search: no op to "
            "schedule found in @"
         << function.getName();
  // A fill is but the start of something else.
  const auto *op = llvm::find_if(ops, [](linalg::LinalgOp op) {
    return !isa<linalg::FillOp>(op) && !isMoveOfElements(op);
  });
  if (op != ops.end()) {
    remark << ": " << getReason(*op);
    return;
  }
  function.walk([&](Operation *op) {
    if (isa<linalg::LinalgOp>(op) ||
        !isa_and_present<linalg::LinalgDialect>(op->getDialect()) ||
        op->getParentOfType<linalg::LinalgOp>())
      return WalkResult::advance();
    remark << ": '" << op->getName()
           << (isa<linalg::PackOp, linalg::UnPackOp>(op)
                   ? "' op only moves elements to another layout"
                   : "' op has no sketch rule");
    return WalkResult::interrupt();
  });
}

void sched::remarkOnRest(func::FuncOp function, ArrayRef<linalg::LinalgOp> ops,
                         ArrayRef<TaskGroup> groups) {
  if (groups.empty() && !callsOutlinedTask(function))
    return remarkOnFunction(function, ops);
  llvm::DenseSet<Operation *> grouped;
  for (const TaskGroup &group : groups)
    for (linalg::LinalgOp op : group.ops)
      grouped.insert(op);
  auto isLeft = [&](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    // A copy that was put there is of no op in the input.
    return linalgOp && !grouped.contains(op) && !isPackedBefore(linalgOp) &&
           !isMoveOfElements(linalgOp) && !op->hasAttr(kAloneAttrName);
  };
  // Several ops may come of one in the input, as in TOSA.
  SmallVector<std::pair<Location, std::string>> said;
  for (linalg::LinalgOp op : ops) {
    // The start of an op goes where that goes, or is named with it.
    if (!isLeft(op) ||
        (isa<linalg::FillOp>(op) &&
         llvm::any_of(op->getUsers(), [&](Operation *user) {
           return isLeft(user) ||
                  isPackedBefore(dyn_cast<linalg::LinalgOp>(user));
         })))
      continue;
    std::pair<Location, std::string> remark(op->getLoc(), getReason(op));
    if (llvm::is_contained(said, remark))
      continue;
    emitRemark(remark.first,
               "compiled by the default schedule, without a search: " +
                   remark.second);
    said.push_back(std::move(remark));
  }
}
