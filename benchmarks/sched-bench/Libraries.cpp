//===- Libraries.cpp - OpenBLAS, BLIS and oneDNN as contenders ------------===//

#include "Libraries.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <limits>

using namespace llvm;

namespace sched::bench {

// The standard C interface of BLAS, and oneDNN's.
using CblasSgemm = void (*)(int order, int transA, int transB, int m, int n,
                            int k, float alpha, const float *a, int lda,
                            const float *b, int ldb, float beta, float *c,
                            int ldc);
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
constexpr int kRowMajor = 101, kNoTranspose = 111;

// libgomp's entry for `#pragma omp parallel`, and a thread's number in it.
using GompParallel = void (*)(void (*body)(void *), void *data,
                              unsigned threads, unsigned flags);
using GompThread = int (*)();

ArrayRef<Library> getLibraries() {
  // The threaded builds by their own folders first: the plain names may be
  // linked to a serial build.
  static const char *const openblas[] = {
      "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
      "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0",
      "libopenblas.so.0"};
  static const char *const blis[] = {
      "/usr/lib/x86_64-linux-gnu/blis-openmp/libblis.so.4",
      "/usr/lib/aarch64-linux-gnu/blis-openmp/libblis.so.4", "libblis.so.4"};
  static const char *const onednn[] = {"libdnnl.so.2", "libdnnl.so.3"};
  static const Library libraries[] = {
      {"OpenBLAS", openblas}, {"BLIS", blis}, {"oneDNN", onednn}};
  return libraries;
}

/// Call before the library is loaded: it may read them when it is.
static void setThreads(int threads) {
  std::string count = std::to_string(threads);
  for (const char *name :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"})
    setenv(name, count.c_str(), /*overwrite=*/1);
}

static Expected<void *> open(const Library &library) {
  for (const char *file : library.files)
    if (void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL))
      return handle;
  return createStringError("not installed (" + Twine(library.files.back()) +
                           ")");
}

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

struct Way {
  const char *name;
  std::function<void()> call;
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

/// The way with the shortest call in five, the ways taking turns.
static Way chooseFastest(std::vector<Way> ways) {
  std::vector<double> best(ways.size(),
                           std::numeric_limits<double>::infinity());
  for (int turn = 0; turn != 6; ++turn)
    for (size_t i = 0; i != ways.size(); ++i) {
      auto start = std::chrono::steady_clock::now();
      ways[i].call();
      std::chrono::duration<double> cost =
          std::chrono::steady_clock::now() - start;
      if (turn != 0) // The first wakes the threads.
        best[i] = std::min(best[i], cost.count());
    }
  return ways[std::min_element(best.begin(), best.end()) - best.begin()];
}

static Floats copyOf(const float *data, size_t count) {
  Floats floats = allocateFloats(count);
  std::copy_n(data, count, floats.get());
  return floats;
}

template <typename Function>
static void find(void *handle, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
}

Setup sgemmOf(const Library &library) {
  return [library](const Problem &problem) -> Expected<Work> {
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
    gemm->a = copyOf(problem.a(), problem.m * problem.k);
    gemm->b = copyOf(problem.b(), problem.k * problem.n);
    work.result = allocateFloats(problem.m * problem.n);
    gemm->c = work.result.get();
    if (problem.epilogue == Epilogue::Add) {
      gemm->d = copyOf(problem.d(), problem.m * problem.n);
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

Setup makeReference() {
  return [](const Problem &problem) -> Expected<Work> {
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
