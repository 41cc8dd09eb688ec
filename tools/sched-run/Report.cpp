//===- Report.cpp - What sched-run prints ---------------------------------===//

#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sched::run {

static std::string describeSignature(const RunInfo &info) {
  std::string text = "@" + info.name + "(";
  bool first = true, inResults = false;
  for (const TensorSpec &spec : info.tensors) {
    if (spec.isResult && !inResults) {
      text += ") -> (";
      inResults = first = true;
    }
    text += (first ? "" : ", ") + spec.str();
    first = false;
  }
  return text + ")";
}

static double gflops(const RunInfo &info, double seconds) {
  return seconds > 0 ? info.flops / seconds * 1e-9 : 0;
}

/// Two decimals at least, and as many as it takes for three digits that count.
static std::string formatFigure(double value) {
  int decimals = 2;
  if (value > 0 && value < 1)
    decimals = std::min(9, 2 - int(std::floor(std::log10(value))));
  std::string text;
  raw_string_ostream(text) << format("%.*f", decimals, value);
  return text;
}

static void printRow(raw_ostream &os, StringRef name, const RunInfo &info,
                     const std::vector<double> &costsS) {
  double median = medianOf(costsS);
  os << formatv("  {0,-12} {1,12} {2,12} {3,9}\n", name,
                formatFigure(median * 1e6),
                formatFigure(*llvm::min_element(costsS) * 1e6),
                info.flops > 0 ? formatFigure(gflops(info, median)) : "-");
}

static void printCheck(raw_ostream &os, const SessionResult &result) {
  os << formatv("check: {0}, max relative error {1:e2} (tolerance {2:e2})\n",
                result.wrong.empty() ? "right" : "WRONG", result.maxError,
                result.tolerance);
}

void printText(raw_ostream &os, const Subject &subject,
               const SessionResult &result) {
  const RunInfo &info = subject.info;
  os << describeSignature(info) << ", " << subject.target.threads << " thread"
     << (subject.target.threads == 1 ? "" : "s") << "\n";
  if (subject.scheduled)
    os << "schedule: " << subject.schedule << "\n";
  if (!result.scheduledS.empty() || !result.unscheduledS.empty())
    os << formatv("  {0,-12} {1,12} {2,12} {3,9}\n", "", "median us", "min us",
                  "GFLOP/s");
  if (!result.scheduledS.empty())
    printRow(os, "scheduled", info, result.scheduledS);
  if (!result.unscheduledS.empty())
    printRow(os, "unscheduled", info, result.unscheduledS);
  if (!result.scheduledS.empty() && !result.unscheduledS.empty())
    os << formatv("speed-up: {0} x\n",
                  formatFigure(medianOf(result.unscheduledS) /
                               medianOf(result.scheduledS)));
  if (subject.scheduled)
    for (const Kernel::Packed &packed : subject.scheduled->getPacked())
      os << formatv("packed beforehand: argument {0}, {1} bytes\n",
                    packed.position, packed.buffer.size());
  if (subject.scheduled)
    printCheck(os, result);
}

/// JSON has neither infinity nor NaN.
static json::Value finite(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Object describeCosts(const RunInfo &info,
                                  const std::vector<double> &costsS) {
  if (costsS.empty())
    return json::Object{{"median_s", nullptr},
                        {"min_s", nullptr},
                        {"gflops", nullptr},
                        {"costs_s", json::Array()}};
  double median = medianOf(costsS);
  return json::Object{{"median_s", median},
                      {"min_s", *llvm::min_element(costsS)},
                      {"gflops", gflops(info, median)},
                      {"costs_s", costsS}};
}

static json::Array describeTensors(const RunInfo &info) {
  json::Array tensors;
  for (const TensorSpec &spec : info.tensors)
    tensors.push_back(
        json::Object{{"type", spec.str()}, {"result", spec.isResult}});
  return tensors;
}

json::Object toJSON(const Subject &subject, const SessionResult &result) {
  const RunInfo &info = subject.info;
  json::Array packed;
  json::Object object = describeCosts(
      info, subject.scheduled ? result.scheduledS : result.unscheduledS);
  object["unscheduled"] = describeCosts(info, result.unscheduledS);
  object["function"] = info.name;
  object["target"] = subject.target.str();
  object["threads"] = subject.target.threads;
  object["tensors"] = describeTensors(info);
  object["flops"] = info.flops;
  object["error"] = result.wrong;
  object["schedule"] = nullptr;
  object["speedup"] = nullptr;
  object["verified"] = nullptr;
  object["compile_s"] = subject.unscheduled.compileS;
  if (subject.scheduled) {
    for (const Kernel::Packed &argument : subject.scheduled->getPacked())
      packed.push_back(argument.position);
    object["schedule"] = subject.schedule;
    object["verified"] = result.wrong.empty();
    object["max_error"] = finite(result.maxError);
    object["tolerance"] = result.tolerance;
    object["compile_s"] = subject.scheduled->compileS;
    object["pack_s"] = result.packS;
    if (!result.scheduledS.empty() && !result.unscheduledS.empty())
      object["speedup"] =
          medianOf(result.unscheduledS) / medianOf(result.scheduledS);
  }
  object["packed"] = std::move(packed);
  return object;
}

void printText(raw_ostream &os, const RunInfo &info, StringRef schedule,
               const EmulatedRun &run) {
  os << describeSignature(info) << ", emulated\n";
  if (!schedule.empty())
    os << "schedule: " << schedule << "\n";
  const double seconds = run.report.seconds;
  os << formatv(
      "{0} launch{1}, {2} instructions of threads in {3} s: {4} million a "
      "second\n",
      run.launches, run.launches == 1 ? "" : "es",
      run.report.threadInstructions, formatFigure(seconds),
      formatFigure(run.report.threadInstructions / seconds * 1e-6));
  const MemoryTraffic &traffic = run.report.traffic;
  if (traffic.sharedAccesses)
    os << formatv("shared memory: {0} turns for {1} accesses of warps\n",
                  traffic.sharedTurns, traffic.sharedAccesses);
  os << formatv("global memory: {0} bytes in {1} sectors of 32\n",
                traffic.globalBytes, traffic.globalSectors);
  printCheck(os, run.check);
}

json::Object toJSON(const RunInfo &info, const Target &target,
                    StringRef schedule, const EmulatedRun &run) {
  const MemoryTraffic &traffic = run.report.traffic;
  return json::Object{{"function", info.name},
                      {"target", target.str()},
                      {"tensors", describeTensors(info)},
                      {"schedule", schedule.empty() ? json::Value(nullptr)
                                                    : json::Value(schedule)},
                      {"flops", info.flops},
                      {"launches", run.launches},
                      {"instructions", int64_t(run.report.threadInstructions)},
                      {"emulate_s", run.report.seconds},
                      {"shared_accesses", int64_t(traffic.sharedAccesses)},
                      {"shared_turns", int64_t(traffic.sharedTurns)},
                      {"global_bytes", int64_t(traffic.globalBytes)},
                      {"global_sectors", int64_t(traffic.globalSectors)},
                      {"compile_s", run.compileS ? json::Value(*run.compileS)
                                                 : json::Value(nullptr)},
                      {"verified", run.check.wrong.empty()},
                      {"max_error", finite(run.check.maxError)},
                      {"tolerance", run.check.tolerance},
                      {"error", run.check.wrong}};
}

void printText(raw_ostream &os, const RunInfo &info, StringRef schedule,
               const DeviceRun &run) {
  os << describeSignature(info) << ", " << run.device.name << " ("
     << run.device.getChip() << ")\n";
  if (!schedule.empty())
    os << "schedule: " << schedule << "\n";
  os << formatv("  {0,-12} {1,12} {2,12} {3,9}\n", "", "median us", "min us",
                "GFLOP/s");
  printRow(os, schedule.empty() ? "default" : "scheduled", info,
           run.result.costsS);
  for (const KernelUsage &usage : run.result.kernels)
    os << formatv("{0}: {1} blocks of {2} threads, {3} registers, {4} bytes of "
                  "shared memory, {5} of local memory\n",
                  usage.kernel, usage.blocks, usage.threads, usage.registers,
                  usage.sharedBytes, usage.localBytes);
  os << "check: right\n";
}

json::Object toJSON(const RunInfo &info, const Target &target,
                    StringRef schedule, const DeviceRun &run) {
  const MeasureResult &result = run.result;
  json::Array kernels;
  for (const KernelUsage &usage : result.kernels)
    kernels.push_back(json::Object{{"kernel", usage.kernel},
                                   {"registers", usage.registers},
                                   {"local_bytes", usage.localBytes},
                                   {"spill_bytes", usage.spillBytes},
                                   {"threads", usage.threads},
                                   {"shared_bytes", usage.sharedBytes},
                                   {"blocks", usage.blocks}});
  json::Object object = describeCosts(info, result.costsS);
  object["function"] = info.name;
  object["target"] = target.str();
  object["device"] = json::fixUTF8(run.device.name);
  object["tensors"] = describeTensors(info);
  object["schedule"] =
      schedule.empty() ? json::Value(nullptr) : json::Value(schedule);
  object["flops"] = info.flops;
  object["compile_s"] = result.compileS;
  object["kernels"] = std::move(kernels);
  object["verified"] = result.verified;
  object["error"] = json::fixUTF8(result.message);
  return object;
}

} // namespace sched::run
