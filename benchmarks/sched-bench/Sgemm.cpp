//===- Sgemm.cpp - Matrix products of the libraries -----------------------===//

#include "Sgemm.h"
#include <cstring>

using namespace llvm;

namespace sched::bench {

// Entries of BLAS and oneDNN that only this contest uses.
using CblasDgemm = void (*)(int order, int transA, int transB, int m, int n,
                            int k, double alpha, const double *a, int lda,
                            const double *b, int ldb, double beta, double *c,
                            int ldc);
using CblasSaxpy = void (*)(int n, float alpha, const float *x, int incX,
                            float *y, int incY);
using DnnlSgemm = int (*)(char transA, char transB, int64_t m, int64_t n,
                          int64_t k, float alpha, const float *a, int64_t lda,
                          const float *b, int64_t ldb, float beta, float *c,
                          int64_t ldc);

// libgomp's entry for `#pragma omp parallel`, and a thread's number in it.
using GompParallel = void (*)(void (*body)(void *), void *data,
                              unsigned threads, unsigned flags);
using GompThread = int (*)();

namespace {
/// Operands, and one library's entries.
struct Gemm {
  int64_t m, n, k;
  int threads;
  Floats a, b, d;
  float *c = nullptr;
  CblasSgemm cblas = nullptr;
  CblasSaxpy saxpy = nullptr;
  DnnlSgemm dnnl = nullptr;
  GompParallel parallel = nullptr;
  GompThread threadNumber = nullptr;

  void multiply(float beta) const {
    if (cblas)
      cblas(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1, a.get(), k,
            b.get(), n, beta, c, n);
    else
      dnnl('N', 'N', m, n, k, 1, a.get(), k, b.get(), n, beta, c, n);
  }

  /// The part of C of the calling thread of a parallel region.
  std::pair<int64_t, int64_t> share() const {
    int64_t total = m * n, thread = threadNumber();
    return {total * thread / threads, total * (thread + 1) / threads};
  }
  static void copyShare(void *data) {
    auto *gemm = static_cast<const Gemm *>(data);
    auto [begin, end] = gemm->share();
    std::memcpy(gemm->c + begin, gemm->d.get() + begin,
                (end - begin) * sizeof(float));
  }
  static void addShare(void *data) {
    auto *gemm = static_cast<const Gemm *>(data);
    auto [begin, end] = gemm->share();
    float *__restrict c = gemm->c;
    const float *__restrict d = gemm->d.get();
    for (int64_t i = begin; i < end; ++i)
      c[i] += d[i];
  }
};
} // namespace

/// The ways to compute A * B + D.
static std::vector<Way> getWays(const std::shared_ptr<Gemm> &gemm) {
  Gemm *g = gemm.get();
  std::vector<Way> ways;
  ways.push_back({"copy", [g] {
                    std::memcpy(g->c, g->d.get(), g->m * g->n * sizeof(float));
                    g->multiply(1);
                  }});
  if (g->saxpy)
    ways.push_back({"add, saxpy", [g] {
                      g->multiply(0);
                      g->saxpy(g->m * g->n, 1, g->d.get(), 1, g->c, 1);
                    }});
  if (g->parallel && g->threadNumber && g->threads > 1) {
    ways.push_back({"copy, omp", [g] {
                      g->parallel(Gemm::copyShare, g, g->threads, 0);
                      g->multiply(1);
                    }});
    ways.push_back({"add, omp", [g] {
                      g->multiply(0);
                      g->parallel(Gemm::addShare, g, g->threads, 0);
                    }});
  }
  return ways;
}

Setup sgemmOf(const Library &library, const Matmul &problem) {
  return [library, &problem]() -> Expected<Work> {
    setThreads(problem.threads);
    Expected<void *> handle = open(library);
    if (!handle)
      return handle.takeError();
    auto gemm = std::make_shared<Gemm>();
    gemm->m = problem.m;
    gemm->n = problem.n;
    gemm->k = problem.k;
    gemm->threads = problem.threads;
    find(*handle, "dnnl_sgemm", gemm->dnnl);
    if (!gemm->dnnl) {
      find(*handle, "cblas_sgemm", gemm->cblas);
      find(*handle, "cblas_saxpy", gemm->saxpy);
    }
    if (!gemm->dnnl && !gemm->cblas)
      return createStringError("the library has no cblas_sgemm");
    find(*handle, "GOMP_parallel", gemm->parallel);
    find(*handle, "omp_get_thread_num", gemm->threadNumber);

    Work work;
    gemm->a = problem.copyOperand(0);
    gemm->b = problem.copyOperand(1);
    work.result = allocateFloats(problem.resultSize());
    gemm->c = work.result.get();
    if (problem.epilogue == Epilogue::Add) {
      gemm->d = problem.copyOperand(2);
      Way way = chooseFastest(getWays(gemm));
      work.call = way.call;
      work.variant = way.name;
    } else {
      work.call = [g = gemm.get()] { g->multiply(0); };
    }
    work.flops = problem.flops();
    work.state = std::move(gemm);
    return std::move(work);
  };
}

Setup makeReference(const Matmul &problem) {
  return [&problem]() -> Expected<Work> {
    auto [m, n, k] = std::tuple(problem.m, problem.n, problem.k);
    double *c = problem.expected();
    bool add = problem.epilogue == Epilogue::Add;
    for (int64_t i = 0; i != m * n; ++i)
      c[i] = add ? problem.d()[i] : 0;
    std::vector<double> a(problem.a(), problem.a() + m * k);
    std::vector<double> b(problem.b(), problem.b() + k * n);
    CblasDgemm dgemm = nullptr;
    if (Expected<void *> handle = open(getLibraries().front()))
      find(*handle, "cblas_dgemm", dgemm);
    else
      consumeError(handle.takeError());
    if (dgemm)
      dgemm(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1, a.data(), k,
            b.data(), n, 1, c, n);
    else
      for (int64_t i = 0; i != m; ++i)
        for (int64_t p = 0; p != k; ++p)
          for (int64_t j = 0; j != n; ++j)
            c[i * n + j] += a[i * k + p] * b[p * n + j];
    Work work;
    work.call = [] {};
    return std::move(work);
  };
}

} // namespace sched::bench
