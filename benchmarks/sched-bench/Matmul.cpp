//===- Matmul.cpp - C = A * B, or C = A * B + D ---------------------------===//

#include "Matmul.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace sched::bench {

Expected<std::unique_ptr<Matmul>> Matmul::create(int64_t m, int64_t n,
                                                 int64_t k, Epilogue epilogue,
                                                 int threads) {
  auto matmul = std::make_unique<Matmul>();
  matmul->m = m;
  matmul->n = n;
  matmul->k = k;
  matmul->epilogue = epilogue;
  matmul->threads = threads;
  std::vector<size_t> sizes = {size_t(m * k), size_t(k * n)};
  if (epilogue == Epilogue::Add)
    sizes.push_back(m * n);
  if (Error error = matmul->allocate(std::move(sizes), m * n))
    return std::move(error);
  return std::move(matmul);
}

double Matmul::flops() const {
  double result = 2.0 * m * n * k;
  return epilogue == Epilogue::Add ? result + 1.0 * m * n : result;
}

std::string Matmul::title() const {
  return formatv("matmul{0} {1}x{2}x{3} f32 (m x n x k), {4} thread{5}",
                 epilogue == Epilogue::Add ? " + add" : "", m, n, k, threads,
                 threads == 1 ? "" : "s");
}

json::Object Matmul::describe() const {
  return json::Object{{"m", m},
                      {"n", n},
                      {"k", k},
                      {"epilogue", epilogue == Epilogue::Add ? "add" : "none"},
                      {"threads", threads},
                      {"flops", flops()}};
}

} // namespace sched::bench
