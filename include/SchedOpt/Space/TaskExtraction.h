//===- TaskExtraction.h - From a user's module to tasks ---------*- C++ -*-===//
//
// Cuts functions on tensors into tasks (Task.h). The anchors are contractions
// with at least one m, n and k dimension each: linalg.matmul and batch_matmul
// in any layout, linalg.contract, convolutions, and linalg.generic of that
// form. To an anchor belong
//   - its init: a fill, a broadcast or any elementwise op that nothing else
//     uses; otherwise the anchor starts from an argument;
//   - the chain of elementwise consumers, until a value has more than one user;
//   - the broadcasts and fills that feed only those;
//   - the chain of elementwise producers of its operands, where each has one
//     user.
// An op is in at most one task; of two anchors that one op could follow, the
// later one gets it, and a consumer comes before a producer.
//
// Read next: lib/Space/TaskGrouping.h, then TaskOutlining.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_TASKEXTRACTION_H
#define SCHEDOPT_SPACE_TASKEXTRACTION_H

#include "SchedOpt/Space/Task.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace sched {

struct ExtractionOptions {
  /// Remarks on functions and ops that are in no task: they are left to the
  /// default schedule.
  bool remarks = true;
};

/// The tasks of `module`, in program order; occurrences with the same workload
/// are one task. Empty if no function holds an anchor.
///
/// `module` is changed, before tasks are looked for, to what they are made of:
/// what nobody reads goes, softmax and argmax become several ops, ops with
/// several results become one each, and what several ops start from is copied
/// for each of them (splitSharedInits), among others; it computes the same.
/// `opIndices` count the ops after that.
///
/// Functions that are only declared are ignored. An error, emitted as a
/// diagnostic at its location, is each of: no function; a public function
/// with an argument, a result or an op that is not on ranked tensors of static
/// shape; an op with side effects in a public function or in one that it
/// calls; no LinalgOp in the module. The returned error repeats the first
/// message. A private function of that kind is compiled by the default
/// schedule.
llvm::Expected<std::vector<Task>>
extractTasks(mlir::ModuleOp module, const ExtractionOptions &options = {});

/// Replaces each `linalg.softmax` of `function` by the ops that it is made of,
/// as `transform.structured.decompose_interface` does.
void decomposeSoftmax(mlir::func::FuncOp function);

/// Whether the signature of `function` has a tensor whose shape is not known.
bool hasDynamicSignature(mlir::func::FuncOp function);

/// Gives each contraction of `function` a fill of its own, and each structured
/// op an empty tensor of its own to write to: CSE merges them. A shared fill
/// would keep the anchors apart from their init, and a shared empty tensor
/// would make partial results pass through the buffer of the final ones.
void splitSharedInits(mlir::func::FuncOp function);

/// The dimensions of `op` if it can be an anchor: operands and a result of
/// integers or floats, and a body that multiplies and adds (casts of the
/// operands allowed). n is the innermost dimension of the result, which only
/// one operand may have, with neighbours next to each other; m and k are the
/// largest that there are, of equals the innermost of the result and of A; k is
/// one further inside in A that has 16 steps, if there is one. k indexes its
/// dimensions alone, if any does.
std::optional<ContractionShape> matchContraction(mlir::linalg::LinalgOp op);

} // namespace sched

#endif // SCHEDOPT_SPACE_TASKEXTRACTION_H
