//===- Copy.h - The bandwidth that a copy reaches ---------------*- C++ -*-===//
//
// A contender like STREAM's copy (McCalpin, 1995): each thread copies its share
// of an array to another. Together the two have as many bytes as the problem's
// operands and result, so that they live in the same level of the caches: the
// ceiling of what is bound by memory.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_COPY_H
#define SCHEDOPT_BENCHMARKS_COPY_H

#include "Contender.h"

namespace sched::bench {

/// Copies by memcpy or by a loop of plain vector stores, whichever is faster.
Setup measureCopy(const Problem &problem);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_COPY_H
