//===- PrefetchDistance.h - How far ahead to fetch --------------*- C++ -*-===//
//
// What the passes share that fetch from memory what will soon be read.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_PREFETCHDISTANCE_H
#define SCHEDOPT_LIB_CODEGEN_PREFETCHDISTANCE_H

#include <cstdint>

namespace sched {

/// Bytes that are fetched ahead, at least: what a core reads from memory while
/// one line is on its way.
constexpr int64_t kBytesAhead = 2048;
/// Of a line of the caches.
constexpr int64_t kLineBytes = 64;

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PREFETCHDISTANCE_H
