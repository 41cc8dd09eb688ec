//===- Record.h - One measured candidate --------------------*- C++ -*-===//
//
// The Database layer keeps what was measured, so that a search can go on where
// it stopped and a module can be compiled later without any search. It uses
// LLVM's support library only. This file is one entry: a plain value and its
// JSON form. Tuning makes records out of measurement results.
//
// The JSON form is one object a line (RecordFile.h):
//
//   {"v":1,
//    "workload":{"hash":"9f..","text":"matmul f32 128x128x128"},
//    "target":"cpu:...", "toolchain":"LLVM 22.1.8, code 2",
//    "sketch":"3c..", "trace":"...",            decisions, in order
//    "costs_s":[1.2e-5, ...],                   repeats, seconds a call
//    "error":"", "stage":"", "message":"",      error is "" for a success
//    "verified":true, "compile_s":0.05, "run_s":0.07,
//    "seed":0, "trial":12, "time":1767225600.5} seconds since the epoch
//
// Keys that this version does not know are kept and written out again.
//
// Read next: RecordFile.h (the file), Database.h (the index).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DATABASE_RECORD_H
#define SCHEDOPT_DATABASE_RECORD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sched {

/// The version that `Record::toJSON` writes and the newest that can be read.
constexpr int kRecordVersion = 1;

/// What a record of a comparison is of, in the order of its stages.
enum class ComparisonStage { None, Screening, Final };

/// One candidate of one task: what it was, what it cost or how it failed.
struct Record {
  int v = kRecordVersion;
  /// Structural hash of the task's payload and its readable form.
  std::string workload, workloadText;
  /// `Target::str()` of the target that the candidate was built for.
  std::string target;
  /// The compiler that built it, for example "LLVM 22.1.8, code 2".
  std::string toolchain;
  /// Hash of the sketch, and the decisions that fill it in.
  std::string sketch, trace;
  /// Seconds a call, one entry a repeat that counts, in the order measured
  /// (MeasureResult::costsS). Empty when the candidate failed before it was
  /// timed.
  std::vector<double> costsS;
  /// Kind of failure ("" = none), the stage it came up in and the first
  /// diagnostic. The kinds are listed in Measure/MeasureResult.h.
  std::string error, stage, message;
  /// Whether the results agreed with those of the unscheduled payload.
  bool verified = false;
  /// Wall seconds spent building, and checking plus timing.
  double compileS = 0, runS = 0;
  uint64_t seed = 0;
  /// Position in the search, from 0; -1 where it was screened among the fastest
  /// trials, -2 where it was compared with the finalists (ProgramCosts.h).
  int64_t trial = 0;
  /// When the record was made, seconds since the epoch.
  double time = 0;
  /// Fields this version does not know.
  llvm::json::Object extra;

  bool succeeded() const { return error.empty() && !costsS.empty(); }

  /// Whether the result was wrong or something was written out of bounds: then
  /// no record of the program counts.
  bool isWrong() const;

  ComparisonStage getComparisonStage() const;
  /// The `trial` of a record of this stage.
  static int64_t numberStage(ComparisonStage stage) {
    return -static_cast<int64_t>(stage);
  }

  /// The key under which `extra` has the comparison that this record is of:
  /// when it began, milliseconds since the epoch. So those of several runs that
  /// are merged are told apart, and the last one is the latest.
  static constexpr char kComparisonKey[] = "comparison";
  /// That; 0 where it is of none, 1 where it does not say.
  int64_t getComparison() const;

  /// Median of `costsS` in seconds (mean of the middle two for an even count);
  /// infinity when nothing was timed.
  double medianS() const;

  /// The `sketch` of a record of the unscheduled payload, which takes part in a
  /// comparison where schedules seem slower than it.
  static constexpr char kUnscheduledSketch[] = "unscheduled";

  /// The key under which `extra` names the machine code that was measured.
  /// Candidates with equal ones are the same program.
  static constexpr char kObjectKey[] = "object";
  /// That name; empty where the record has none.
  llvm::StringRef getObject() const {
    return extra.getString(kObjectKey).value_or("");
  }

  /// The key under which `extra` has true where nothing ran: costs or error are
  /// those of an earlier candidate with the same machine code.
  static constexpr char kDuplicateKey[] = "duplicate";

  /// The key that `extra` has where nothing was run for want of a device: true
  /// where the candidate was built, false where that failed. No trial.
  static constexpr char kBuiltKey[] = "built";
  bool isBuiltOnly() const { return extra.getBoolean(kBuiltKey).has_value(); }

  /// The key under which `extra` has what kernels take of a GPU: an array of
  /// objects with kernel, registers, local_bytes and spill_bytes (of a thread),
  /// threads and shared_bytes (of a block), and blocks.
  static constexpr char kKernelsKey[] = "kernels";

  llvm::json::Value toJSON() const;

  /// The record as one line of JSON, without the newline.
  std::string toLine() const;

  /// Fails, naming the key, on a missing key or one of the wrong type. A
  /// version above `kRecordVersion` is an error too: see `versionOf`.
  static llvm::Expected<Record> fromJSON(const llvm::json::Value &value);

  /// The "v" of a record of any version; 0 when there is none.
  static int64_t versionOf(const llvm::json::Value &value);
};

/// Median of any values; infinity when there are none.
double median(std::vector<double> values);

} // namespace sched

#endif // SCHEDOPT_DATABASE_RECORD_H
