//===- StageRules.h - Rules for tasks without a contraction -----*- C++ -*-===//
//
// One rule a StagedKind. Read next: StageWriter.h (the pieces of the sketches).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STAGERULES_H
#define SCHEDOPT_LIB_SPACE_STAGERULES_H

#include "SchedOpt/Space/SketchRule.h"

namespace sched {

/// Tiles of all stages at once.
std::unique_ptr<SketchRule> createElementwiseRule();
/// Row by row; in a row, stage by stage.
std::unique_ptr<SketchRule> createRowsRule();
/// Vectors of sums next to each other, a few rows at a time.
std::unique_ptr<SketchRule> createColumnsRule();

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STAGERULES_H
