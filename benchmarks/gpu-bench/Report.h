//===- Report.h - What came out, as a table and as JSON ---------*- C++ -*-===//

#ifndef SCHEDOPT_BENCHMARKS_GPUBENCH_REPORT_H
#define SCHEDOPT_BENCHMARKS_GPUBENCH_REPORT_H

#include "Case.h"
#include "Contest.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace sched::bench {

/// Most seconds that tuning a case may take, with 64 trials.
constexpr double kTuningBar = 90;

/// One case's outcome.
struct Outcome {
  const Case *task = nullptr;
  double tuningS = 0;
  /// Ours first.
  std::vector<Contender> contenders;
  /// Registers a thread, shared memory a block and spilled bytes of each
  /// kernel, as text.
  std::string kernels;
  /// Whether our result agrees with the opponent's; nullopt where there is
  /// nothing to compare with, which the tuner has done.
  std::optional<bool> agrees;
  /// What kept it from being measured.
  std::string problem;

  const Contender *getOpponent() const;
  /// The opponent's time to ours; nullopt where one of them is missing.
  std::optional<double> getRatio() const;
};

void printTable(llvm::raw_ostream &os, const DeviceProperties &device,
                llvm::ArrayRef<Outcome> outcomes);

llvm::json::Value toJSON(const DeviceProperties &device,
                         llvm::ArrayRef<Outcome> outcomes, unsigned trials);

/// Bars that were met and those that were not; what could not be measured is
/// neither.
std::pair<unsigned, unsigned> countBars(llvm::ArrayRef<Outcome> outcomes);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_GPUBENCH_REPORT_H
