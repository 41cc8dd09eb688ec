//===- ContractionRules.h - Rules for contractions --------------*- C++ -*-===//
//
// Constructors of the contraction rules, and the conditions that they share.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_CONTRACTIONRULES_H
#define SCHEDOPT_LIB_SPACE_CONTRACTIONRULES_H

#include "SchedOpt/Space/SketchRule.h"
#include "SchedOpt/Support/DotProduct.h"

namespace sched {

std::unique_ptr<SketchRule> createRegisterReduction(bool packed);
std::unique_ptr<SketchRule> createBlockedReduction(bool packed);
std::unique_ptr<SketchRule> createDotProducts(DotForm form, bool blocked);
std::unique_ptr<SketchRule> createLaneReduction();
std::unique_ptr<SketchRule> createSharedReduction();

/// An anchor with at most one init, a chain of epilogues and one producer an
/// operand.
bool isSchedulableContraction(const Task &task);
/// Each dimension of the right-hand side has a loop of its own, at least one
/// panel of whole vectors fits, and the ops around allow it.
bool canPackRhs(const Task &task, const Target &target);
/// Whether operand `operand` of the anchor is an argument whose layout is free.
bool isLayoutFree(const Task &task, unsigned operand);
/// A product of row-major matrices whose left-hand side is stored as a schedule
/// likes.
bool canPackLhs(const Task &task);
/// The right-hand side exceeds half of L2, and enough rows read it for packing
/// to pay, or it may be packed beforehand.
bool isLargeRhs(const Task &task, const Target &target);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_CONTRACTIONRULES_H
