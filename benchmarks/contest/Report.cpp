//===- Report.cpp - What a contest prints ---------------------------------===//

#include "Report.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace sched::bench {

static bool isTimed(const Contender &contender) {
  return contender.error.empty() && !contender.costsS.empty();
}

/// Measures the machine and not the problem.
static bool isProbe(const Contender &contender) {
  return contender.role == Role::Peak || contender.role == Role::Copy ||
         contender.role == Role::Stream;
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

/// GB/s of the median round; 0: not timed, or not measured by bytes.
static double gigabytes(const Contender &contender) {
  return isTimed(contender) ? contender.bytes / contender.medianS() * 1e-9 : 0;
}

static const Contender *findRole(ArrayRef<Contender> contenders, Role role) {
  for (const Contender &contender : contenders)
    if (contender.role == role)
      return &contender;
  return nullptr;
}

static double findPeak(ArrayRef<Contender> contenders) {
  const Contender *peak = findRole(contenders, Role::Peak);
  return peak ? gflops(*peak) : 0;
}

/// `role`: Copy or Stream.
static double findBandwidth(ArrayRef<Contender> contenders, Role role) {
  const Contender *probe = findRole(contenders, role);
  return probe ? gigabytes(*probe) : 0;
}

void printTable(raw_ostream &os, const Problem &problem,
                ArrayRef<Contender> contenders) {
  const Contender *best = findBestLibrary(contenders);
  double peak = findPeak(contenders);
  double copy = findBandwidth(contenders, Role::Copy);
  os << problem.title() << "\n";
  os << formatv("  {0,-16} {1,10} {2,10} {3,8} {4,7} {5,8}\n", "", "median us",
                "min us", "GFLOP/s", "of peak", "x best");
  for (const Contender &contender : contenders) {
    os << formatv("  {0,-16} ", contender.name);
    if (!isTimed(contender)) {
      if (contender.error.empty())
        os << formatv("right, relative error {0:e2}", contender.relativeError);
      else
        os << "not timed: " << contender.error;
      os << "\n";
      continue;
    }
    if (contender.role == Role::Peak)
      os << formatv("{0,10} {0,10} {1,8:f1}", "", gflops(contender));
    else
      os << formatv("{0,10:f1} {1,10:f1} {2,8:f1}", contender.medianS() * 1e6,
                    contender.minS() * 1e6, gflops(contender));
    std::string share, ratio;
    bool runs = !isProbe(contender);
    if (peak > 0 && runs)
      share = formatv("{0:f1} %", 100 * gflops(contender) / peak);
    if (best && runs)
      ratio = formatv("{0:f3}", best->medianS() / contender.medianS());
    os << formatv(" {0,7} {1,8}", share, ratio);
    if (!contender.variant.empty())
      os << "  " << contender.variant;
    if (contender.role == Role::Copy || contender.role == Role::Stream)
      os << formatv(", {0:f1} GB/s", gigabytes(contender));
    else if (copy > 0 && runs)
      os << formatv("  {0:f1} GB/s, {1:f1} % of a copy", gigabytes(contender),
                    100 * gigabytes(contender) / copy);
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
  double copy = findBandwidth(contenders, Role::Copy);
  double stream = findBandwidth(contenders, Role::Stream);
  json::Array rows;
  for (const Contender &contender : contenders) {
    StringRef kind = contender.role == Role::Library  ? "library"
                     : contender.role == Role::Peak   ? "peak"
                     : contender.role == Role::Copy   ? "copy"
                     : contender.role == Role::Stream ? "stream"
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
        {"processes", int64_t(contender.countProcesses())},
        {"gflops", orNull(gflops(contender))},
        {"share_of_peak", orNull(peak > 0 ? gflops(contender) / peak : 0)},
        {"gbs", orNull(gigabytes(contender))},
        {"share_of_copy", orNull(copy > 0 ? gigabytes(contender) / copy : 0)},
        {"share_of_stream",
         orNull(stream > 0 ? gigabytes(contender) / stream : 0)},
        {"ratio_to_best_library",
         orNull(best && timed ? best->medianS() / median : 0)},
        {"relative_error", contender.relativeError},
        {"verified", contender.error.empty()},
        {"error", contender.error},
    });
  }
  // What tells whether the operands fit into the caches.
  int64_t cacheBytes = 0;
  if (Expected<Target> host = Target::parse("cpu"))
    cacheBytes = host->l3Bytes;
  else
    consumeError(host.takeError());
  return json::Object{
      {"problem", problem.describe()},
      {"bytes", problem.bytes()},
      {"cache_bytes", orNull(cacheBytes)},
      {"peak_gflops", orNull(peak)},
      {"copy_gbs", orNull(copy)},
      {"stream_gbs", orNull(stream)},
      {"best_library", best ? json::Value(best->name) : json::Value(nullptr)},
      {"contenders", std::move(rows)}};
}

} // namespace sched::bench
