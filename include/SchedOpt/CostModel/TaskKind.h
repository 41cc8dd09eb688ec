//===- TaskKind.h - What a trained model may be asked about -----*- C++ -*-===//
//
// What the candidates of a task have in common whatever is decided: the
// machine's vectors, threads and tiles, and the types of elements. Trees that
// have seen one kind say nothing of another: those of f32 on one thread chose
// kernels without AMX for bytes, and no parallel loop for two threads. So a
// model that was trained is asked about kinds that it has seen; one without
// trees, or the analytic model, about the others. Read next: ModelFile.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_TASKKIND_H
#define SCHEDOPT_COSTMODEL_TASKKIND_H

#include "SchedOpt/Model/FeatureBatch.h"
#include "SchedOpt/Support/Target.h"
#include <string>

namespace sched {

/// Of the task of the first candidate, by its rows: for example "x86_64, 32
/// vectors of 64 bytes, 1 threads, floats of 4 bytes".
std::string describeTaskKind(const FeatureBatch &batch, const Target &machine);

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_TASKKIND_H
