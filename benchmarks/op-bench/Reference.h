//===- Reference.h - What an operator means ---------------------*- C++ -*-===//
//
// Each operator by plain loops in double precision.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_REFERENCE_H
#define SCHEDOPT_BENCHMARKS_REFERENCE_H

#include "Contender.h"
#include "Operator.h"

namespace sched::bench {

/// Fills `expected()`. The work's call does nothing.
Setup makeReference(const Operator &op);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_REFERENCE_H
