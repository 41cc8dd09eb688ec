//===- Case.h - What is measured on a GPU -----------------------*- C++ -*-===//
//
// Read next: Contest.h (how), gpu-bench.cpp (the whole).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_GPUBENCH_CASE_H
#define SCHEDOPT_BENCHMARKS_GPUBENCH_CASE_H

#include "SchedOpt/Measure/TensorSpec.h"
#include <string>
#include <vector>

namespace sched::bench {

/// What a case is compared with.
enum class Opponent {
  Cublas, ///< the product of the first two operands
  Cudnn,  ///< a convolution with bias and relu, by its fastest algorithm
  Copy,   ///< a copy of the first operand's bytes on the device
};

struct Case {
  std::string name;
  /// One public function @f.
  std::string payload;
  /// Its inputs, then its result.
  std::vector<TensorSpec> operands;
  /// Of a call; 0 where bytes are what counts.
  double flops = 0;
  Opponent opponent = Opponent::Cublas;
  /// Least ratio of the opponent's time to ours.
  double bar = 0;
};

/// A square product's extent, the rows and columns of what works on rows, and
/// the channels of the convolution: smaller ones are for tests.
struct CaseSizes {
  int64_t matmul = 4096, rows = 4096, channels = 512;
};

std::vector<Case> makeCases(const CaseSizes &sizes);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_GPUBENCH_CASE_H
