//===- Report.h - What sched-run prints -------------------------*- C++ -*-===//
//
// The figures of a session as text, or as one JSON object.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_RUN_REPORT_H
#define SCHEDOPT_TOOLS_SCHED_RUN_REPORT_H

#include "DeviceSession.h"
#include "Emulation.h"
#include "Session.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace sched::run {

/// What was run.
struct Subject {
  const RunInfo &info;
  const Target &target;
  /// Where the schedule came from; "" when there is none.
  std::string schedule;
  const Kernel &unscheduled;
  /// Null when there is no schedule.
  const Kernel *scheduled;
};

void printText(llvm::raw_ostream &os, const Subject &subject,
               const SessionResult &result);

/// {"function", "target", "threads", "tensors", "schedule", "flops",
/// "median_s", "min_s", "gflops", "costs_s", "speedup", "compile_s",
/// "unscheduled": {"median_s", "min_s", "gflops", "costs_s"}, "packed":
/// [argument positions], "pack_s", "verified", "max_error", "tolerance",
/// "error"}. Without a schedule, the figures are the unscheduled ones and
/// "schedule", "speedup" and "verified" are null.
llvm::json::Object toJSON(const Subject &subject, const SessionResult &result);

/// The same of kernels that were emulated.
void printText(llvm::raw_ostream &os, const RunInfo &info,
               llvm::StringRef schedule, const EmulatedRun &run);

/// {"function", "target", "tensors", "schedule", "flops", "launches",
/// "instructions", "emulate_s", "shared_accesses", "shared_turns",
/// "global_bytes", "global_sectors" (MemoryTraffic), "compile_s", "verified",
/// "max_error", "tolerance", "error"}; "compile_s" is null for kernels from a
/// file.
llvm::json::Object toJSON(const RunInfo &info, const Target &target,
                          llvm::StringRef schedule, const EmulatedRun &run);

/// The same of kernels that ran on a GPU, and were right.
void printText(llvm::raw_ostream &os, const RunInfo &info,
               llvm::StringRef schedule, const DeviceRun &run);

/// {"function", "target", "device", "tensors", "schedule", "flops", "median_s",
/// "min_s", "gflops", "costs_s", "compile_s", "kernels": [{"kernel",
/// "registers", "local_bytes", "spill_bytes", "threads", "shared_bytes",
/// "blocks"}], "verified", "error"}
llvm::json::Object toJSON(const RunInfo &info, const Target &target,
                          llvm::StringRef schedule, const DeviceRun &run);

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_REPORT_H
