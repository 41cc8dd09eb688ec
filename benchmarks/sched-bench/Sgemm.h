//===- Sgemm.h - Matrix products of the libraries ---------------*- C++ -*-===//
//
// BLAS computes C = A * B + beta * C. A sum with D that leaves D alone takes
// one more pass: D is copied to C first (beta = 1), or added afterwards. The
// contender tries the ways that the library allows, with its own threads where
// it lends them, and keeps the fastest:
//   copy        memcpy by the caller
//   copy, omp   memcpy by all threads of the library's OpenMP runtime
//   add, saxpy  the library's saxpy
//   add, omp    a vectorised loop by all threads of that runtime
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_SGEMM_H
#define SCHEDOPT_BENCHMARKS_SGEMM_H

#include "Contender.h"
#include "Library.h"
#include "Matmul.h"

namespace sched::bench {

/// sgemm of a library; fails when it is not installed.
Setup sgemmOf(const Library &library, const Matmul &problem);

/// Fills `Problem::expected()` in double precision, with OpenBLAS where there
/// is one, else (slowly) without. The work's call does nothing.
Setup makeReference(const Matmul &problem);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_SGEMM_H
