//===- CaseProcess.h - Runs each test case in a process ---------*- C++ -*-===//
//
// Generated code may crash, building it may hang or eat memory. Cases run in
// forked processes, some at a time, with limits on their time and memory; what
// they report comes to the parent line by line, and so does how they ended.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_CASEPROCESS_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_CASEPROCESS_H

#include "OperatorCase.h"
#include <functional>

namespace sched::test {

struct ProcessLimits {
  /// Processor seconds, and seconds in all, of one case.
  unsigned cpuSeconds = 60, wallSeconds = 600;
  /// Bytes of address space beyond what the parent has.
  uint64_t memoryBytes = uint64_t(4) << 30;
};

/// Runs `work` for the seeds that `next` gives, until it gives none, `jobs` at
/// a time. `report` gets the events of each seed in their order; a process that
/// does not end by itself makes one of kind kFailure, which says how it ended
/// and what it was at.
void runInProcesses(
    unsigned jobs, const ProcessLimits &limits,
    const std::function<std::optional<uint64_t>()> &next,
    const std::function<void(uint64_t seed, ReportFn report)> &work,
    const std::function<void(uint64_t seed, llvm::StringRef event,
                             llvm::StringRef text)> &report);

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_CASEPROCESS_H
