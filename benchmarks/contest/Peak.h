//===- Peak.h - What the machine could do at most ---------------*- C++ -*-===//
//
// A contender of nothing but independent fused multiply-adds in registers: the
// ceiling of f32 arithmetic at the clock that the machine runs at while the
// others are timed.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_PEAK_H
#define SCHEDOPT_BENCHMARKS_PEAK_H

#include "Contender.h"

namespace sched::bench {

/// The widest vectors that this machine has: AVX-512, AVX2 or NEON, chosen at
/// run time; one loop for each of the problem's threads. Fails on others.
Setup measurePeak(const Problem &problem);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_PEAK_H
