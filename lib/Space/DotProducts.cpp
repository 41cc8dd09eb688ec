//===- DotProducts.cpp - Products of narrow types -------------------------===//
//
// Rules: the packed sketches with panels that have the steps of a group side by
// side, for instructions that take several steps of a reduction at once
// (Support/DotProduct.h), one rule for each form of them. The script moves
// elements and tiles, as always; the code generator finds the instruction.
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "NarrowOperands.h"
#include "SketchWriter.h"
#include "TaskGrouping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>

using namespace mlir;
using namespace sched;

/// Of fewer rows than a tile has there are lower ones; one would use a fraction
/// of what is loaded. Whole tiles of rows take fewer groups, too.
static bool fillsTile(int64_t rows, int64_t columns, int64_t groups) {
  return rows > 1 && columns >= kTileEdge &&
         groups >= (rows >= kTileEdge ? kLeastTileGroups : kTileEdge);
}

/// Whether groups of the steps of k are neighbours in memory in the left-hand
/// side of `anchor`, and follow columns in panels.
static bool canGroupSteps(linalg::LinalgOp anchor,
                          const ContractionShape &shape) {
  const unsigned n = shape.loops[1], k = shape.loops[2];
  const AffineMap lhs = anchor.getIndexingMapsArray().front();
  return n < k &&
         lhs.getResults().back() == getAffineDimExpr(k, anchor.getContext());
}

/// Nothing where no instruction of that form fits the task.
static std::optional<StepGroup> getGroup(DotForm form, const Task &task,
                                         const Target &target) {
  if (!isSchedulableContraction(task))
    return std::nullopt;
  const ContractionShape &shape = *task.blocks.shape;
  // What computes an operand may be fused into the product, whose body may then
  // be anything.
  if (!canPackRhs(task, target) ||
      llvm::is_contained(task.roles, BlockRole::Producer) ||
      shape.accType.getIntOrFloatBitWidth() != 32)
    return std::nullopt;
  auto ops = collectLinalgOps(task.getFunction());
  linalg::LinalgOp anchor =
      ops[llvm::find(task.roles, BlockRole::Anchor) - task.roles.begin()];
  if (!canGroupSteps(anchor, shape))
    return std::nullopt;
  const auto lhs = getNarrowType(anchor, 0), rhs = getNarrowType(anchor, 1);
  const DotProducts dots = findDotProducts(target);
  if (!lhs || !rhs || !dots.covers(form, *lhs, *rhs))
    return std::nullopt;
  const int64_t steps = countStepsAtOnce(form, *lhs);
  // Rows that a stride takes apart are computed one by one.
  if (shape.k % steps != 0 || (form != DotForm::Lanes && shape.rowStep != 1))
    return std::nullopt;
  if (form == DotForm::Tiles)
    return shape.countLanes(target) == kTileEdge &&
                   fillsTile(shape.m, shape.n, shape.k / steps)
               ? std::optional(StepGroup{form, steps})
               : std::nullopt;
  // One row would leave half of each square idle.
  if (form == DotForm::Squares)
    return shape.m > 1 ? std::optional(StepGroup{form, steps, 2})
                       : std::nullopt;
  return StepGroup{form, steps, /*columnRegisters=*/1,
                   /*addsApart=*/*lhs == NarrowType::Short};
}

/// Shorter reductions fit into L1 whole; in groups.
static constexpr int64_t kMinReduction = 64;

/// Groups of a reduction whose panel is to stay in L1: of one tap, or, as a
/// tile reads faster than L2 gives, of all taps of a convolution.
static int64_t countGroups(DotForm form, const ContractionShape &shape,
                           int64_t steps) {
  return (form == DotForm::Tiles ? shape.countSteps() : shape.k) / steps;
}

namespace {
class DotProductRule final : public SketchRule {
public:
  DotProductRule(DotForm form, bool blocked) : form(form), blocked(blocked) {}

  llvm::StringRef getName() const override {
    switch (form) {
    case DotForm::Lanes:
      return blocked ? "dot_blocked" : "dot";
    case DotForm::Squares:
      return blocked ? "squares_blocked" : "squares";
    case DotForm::Tiles:
      return blocked ? "tiles_blocked" : "tiles";
    }
    llvm_unreachable("all forms have a name");
  }

  bool applies(const Task &task, const Target &target) const override {
    const std::optional<StepGroup> group = getGroup(form, task, target);
    return group && (!blocked || countGroups(form, *task.blocks.shape,
                                             group->steps) > kMinReduction);
  }

  int getPriority(const Task &task, const Target &target) const override {
    return (blocked ? 4 : 5) + (form == DotForm::Lanes ? 0 : 2);
  }

  std::string write(const Task &task, const Target &target) const override {
    SketchWriter writer(task, target, /*packed=*/true,
                        *getGroup(form, task, target));
    return writer.product(getName(), blocked);
  }

private:
  DotForm form;
  bool blocked;
};
} // namespace

std::unique_ptr<SketchRule> sched::createDotProducts(DotForm form,
                                                     bool blocked) {
  return std::make_unique<DotProductRule>(form, blocked);
}
