//===- Copy.h - The bandwidth that a copy reaches ---------------*- C++ -*-===//
//
// Contenders that copy: each thread its share of an array to another. What they
// differ in is the level of the caches that the two arrays live in.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_COPY_H
#define SCHEDOPT_BENCHMARKS_COPY_H

#include "Contender.h"

namespace sched::bench {

/// Copies as many bytes as the problem's operands and result have, by memcpy or
/// by a loop of vector stores, through the caches or past them, whichever is
/// fastest: the ceiling of what does nothing but move its operands.
Setup measureCopy(const Problem &problem);

/// STREAM's copy (McCalpin, 1995), with its rule for sizes: each array has four
/// times the bytes of the last level of the caches, and both together as many
/// at least as the problem's operands and result.
Setup measureStream(const Problem &problem);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_COPY_H
