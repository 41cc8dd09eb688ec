//===- TaskBlocks.h - A task as its schedule finds it -----------*- C++ -*-===//
//
// Decides whether a schedule of a task starts by fusing chains of elementwise
// ops, and says what is there then. The sketch rules look at nothing else.
//
//   epilogues   become one op, whose other inputs (a bias, say) may have
//               projected maps;
//   producers   of one operand become one op;
//   producers that only cast or transpose become part of the contraction;
//   stages      become as few generic ops as there can be.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKBLOCKS_H
#define SCHEDOPT_LIB_SPACE_TASKBLOCKS_H

#include "SchedOpt/Space/Task.h"

namespace sched {

/// The blocks of `task`, whose module, roles and shape are set.
TaskBlocks makeTaskBlocks(const Task &task);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKBLOCKS_H
