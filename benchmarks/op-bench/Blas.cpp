//===- Blas.cpp - OpenBLAS and BLIS as contenders -------------------------===//

#include "Blas.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sched::bench {

namespace {
struct Calls {
  const Operator &op;
  std::vector<Floats> operands;
  float *result = nullptr;
  CblasSgemm sgemm = nullptr;
  CblasSgemv sgemv = nullptr;
  CblasSdot sdot = nullptr;

  void multiply() const {
    auto [batch, m, n, k, transposed] = op.product;
    int transB = transposed ? kTranspose : kNoTranspose;
    int64_t ldb = transposed ? k : n;
    for (int64_t z = 0; z != batch; ++z) {
      const float *a = operands[0].get() + z * m * k,
                  *b = operands[1].get() + z * k * n;
      float *c = result + z * m * n;
      if (op.bias)
        for (int64_t i = 0; i != m; ++i)
          std::copy_n(operands[2].get(), n, c + i * n);
      float beta = op.bias ? 1 : 0;
      if (m == 1 && sgemv) // y = B^T a, B being k x n or, transposed, n x k.
        sgemv(kRowMajor, transposed ? kNoTranspose : kTranspose,
              transposed ? n : k, transposed ? k : n, 1, b, ldb, a, 1, beta, c,
              1);
      else
        sgemm(kRowMajor, kNoTranspose, transB, m, n, k, 1, a, k, b, ldb, beta,
              c, n);
    }
    if (op.activation == Activation::Relu)
      for (size_t i = 0, count = op.resultSize(); i != count; ++i)
        result[i] = std::max(result[i], 0.0f);
  }

  void norms() const {
    for (int64_t r = 0; r != op.rows; ++r) {
      const float *row = operands[0].get() + r * op.columns;
      result[r] = std::sqrt(sdot(op.columns, row, 1, row, 1));
    }
  }
};
} // namespace

bool isOfBlas(const Operator &op, const Library &library) {
  if (StringRef(library.name) == "oneDNN" || op.types != Types::F32)
    return false;
  if (op.kind == Kind::Linear)
    return op.activation == Activation::None ||
           op.activation == Activation::Relu;
  return op.kind == Kind::BatchMatmul || op.kind == Kind::Norm;
}

Setup blasCalls(const Operator &op, const Library &library) {
  return [&op, library]() -> Expected<Work> {
    setThreads(op.threads);
    Expected<void *> handle = open(library);
    if (!handle)
      return handle.takeError();
    auto calls = std::make_shared<Calls>(Calls{op, {}});
    find(*handle, "cblas_sgemm", calls->sgemm);
    find(*handle, "cblas_sgemv", calls->sgemv);
    find(*handle, "cblas_sdot", calls->sdot);
    if (!calls->sgemm || !calls->sdot)
      return createStringError("the library has no cblas_sgemm or cblas_sdot");
    Work work;
    for (size_t i = 0; i != op.numOperands(); ++i)
      calls->operands.push_back(op.copyOperand(i));
    work.result = allocateFloats(op.resultSize());
    calls->result = work.result.get();
    Calls *c = calls.get();
    bool isNorm = op.kind == Kind::Norm;
    work.call = isNorm ? std::function<void()>([c] { c->norms(); })
                       : std::function<void()>([c] { c->multiply(); });
    work.variant = isNorm ? "sdot" : op.product.m == 1 ? "sgemv" : "sgemm";
    work.flops = op.flops();
    work.bytes = op.bytes();
    work.state = std::move(calls);
    return std::move(work);
  };
}

} // namespace sched::bench
