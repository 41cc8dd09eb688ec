//===- Report.cpp - What sched-bench prints -------------------------------===//

#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace sched::bench {

static bool isTimed(const Contender &contender) {
  return contender.error.empty() && !contender.costsS.empty();
}

const Contender *findBestLibrary(ArrayRef<Contender> contenders) {
  const Contender *best = nullptr;
  for (const Contender &contender : contenders)
    if (contender.role == Role::Library && isTimed(contender) &&
        (!best || contender.medianS() < best->medianS()))
      best = &contender;
  return best;
}

/// GFLOP/s of the median round; 0: not timed.
static double gflops(const Contender &contender) {
  return isTimed(contender) ? contender.flops / contender.medianS() * 1e-9 : 0;
}

static double findPeak(ArrayRef<Contender> contenders) {
  for (const Contender &contender : contenders)
    if (contender.role == Role::Peak)
      return gflops(contender);
  return 0;
}

static StringRef describe(Epilogue epilogue) {
  return epilogue == Epilogue::Add ? "add" : "none";
}

void printTable(raw_ostream &os, const Problem &problem,
                ArrayRef<Contender> contenders) {
  const Contender *best = findBestLibrary(contenders);
  double peak = findPeak(contenders);
  os << formatv("matmul{0} {1}x{2}x{3} f32 (m x n x k), {4} thread{5}\n",
                problem.epilogue == Epilogue::Add ? " + add" : "", problem.m,
                problem.n, problem.k, problem.threads,
                problem.threads == 1 ? "" : "s");
  os << formatv("  {0,-16} {1,10} {2,10} {3,8} {4,7} {5,8}\n", "", "median us",
                "min us", "GFLOP/s", "of peak", "x best");
  for (const Contender &contender : contenders) {
    os << formatv("  {0,-16} ", contender.name);
    if (!isTimed(contender)) {
      os << "not timed: " << contender.error << "\n";
      continue;
    }
    if (contender.role == Role::Peak)
      os << formatv("{0,10} {0,10} {1,8:f1}", "", gflops(contender));
    else
      os << formatv("{0,10:f1} {1,10:f1} {2,8:f1}", contender.medianS() * 1e6,
                    contender.minS() * 1e6, gflops(contender));
    std::string share, ratio;
    if (peak > 0 && contender.role != Role::Peak)
      share = formatv("{0:f1} %", 100 * gflops(contender) / peak);
    if (best && contender.role != Role::Peak)
      ratio = formatv("{0:f3}", best->medianS() / contender.medianS());
    os << formatv(" {0,7} {1,8}", share, ratio);
    if (!contender.variant.empty())
      os << "  " << contender.variant;
    // A ceiling that moves says how quiet the machine was.
    if (contender.role == Role::Peak)
      os << formatv(", {0:f1} to {1:f1} by round",
                    contender.flops / *llvm::max_element(contender.costsS) *
                        1e-9,
                    contender.flops / contender.minS() * 1e-9);
    os << "\n";
  }
}

static json::Value orNull(double value) {
  return value > 0 ? json::Value(value) : json::Value(nullptr);
}

json::Object toJSON(const Problem &problem, ArrayRef<Contender> contenders) {
  const Contender *best = findBestLibrary(contenders);
  double peak = findPeak(contenders);
  json::Array rows;
  for (const Contender &contender : contenders) {
    StringRef kind = contender.role == Role::Library ? "library"
                     : contender.role == Role::Peak  ? "peak"
                                                     : "ours";
    bool timed = isTimed(contender);
    double median = timed ? contender.medianS() : 0;
    rows.push_back(json::Object{
        {"name", contender.name},
        {"kind", kind},
        {"variant", contender.variant},
        {"median_s", orNull(median)},
        {"min_s", orNull(timed ? contender.minS() : 0)},
        {"costs_s", contender.costsS},
        {"gflops", orNull(gflops(contender))},
        {"share_of_peak", orNull(peak > 0 ? gflops(contender) / peak : 0)},
        {"ratio_to_best_library",
         orNull(best && timed ? best->medianS() / median : 0)},
        {"relative_error", contender.relativeError},
        {"verified", contender.error.empty()},
        {"error", contender.error},
    });
  }
  return json::Object{
      {"problem", json::Object{{"m", problem.m},
                               {"n", problem.n},
                               {"k", problem.k},
                               {"epilogue", describe(problem.epilogue)},
                               {"threads", problem.threads},
                               {"flops", problem.flops()}}},
      {"peak_gflops", orNull(peak)},
      {"best_library", best ? json::Value(best->name) : json::Value(nullptr)},
      {"contenders", std::move(rows)}};
}

} // namespace sched::bench
