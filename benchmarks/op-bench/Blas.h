//===- Blas.h - OpenBLAS and BLIS as contenders -----------------*- C++ -*-===//
//
// What BLAS has of the suite: products, one call for each of a batch; with a
// bias as the start value; norms, by sdot and a root.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_BLAS_H
#define SCHEDOPT_BENCHMARKS_BLAS_H

#include "Contender.h"
#include "Library.h"
#include "Operator.h"

namespace sched::bench {

/// Whether BLAS computes that operator. oneDNN's primitives are elsewhere.
bool isOfBlas(const Operator &op, const Library &library);

/// Fails where the library is not installed.
Setup blasCalls(const Operator &op, const Library &library);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_BLAS_H
