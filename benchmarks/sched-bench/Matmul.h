//===- Matmul.h - C = A * B, or C = A * B + D -------------------*- C++ -*-===//
//
// The problem that sched-bench compares ways to compute: a matrix product in
// f32, operands A (m x k), B (k x n) and, with an epilogue, D (m x n).
//
// Read next: Sgemm.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_MATMUL_H
#define SCHEDOPT_BENCHMARKS_MATMUL_H

#include "Problem.h"

namespace sched::bench {

enum class Epilogue { None, Add };

class Matmul : public Problem {
public:
  static llvm::Expected<std::unique_ptr<Matmul>>
  create(int64_t m, int64_t n, int64_t k, Epilogue epilogue, int threads);

  int64_t m, n, k;
  Epilogue epilogue;

  const float *a() const { return operand(0); }
  const float *b() const { return operand(1); }
  const float *d() const { return operand(2); }

  /// Multiplications and additions: 2 m n k, and m n for the epilogue.
  double flops() const override;
  double tolerance() const override { return toleranceOfSum(k); }
  std::string title() const override;
  llvm::json::Object describe() const override;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_MATMUL_H
