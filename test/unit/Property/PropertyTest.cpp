//===- PropertyTest.cpp - Random operators, random schedules --------------===//
//
// The property: whatever operator, shape, sketch and trace are drawn, scheduled
// code computes what unscheduled code does, and writes nothing else; of kernels
// for a GPU the emulator checks every access besides. Variables of the
// environment choose another run than that of CI:
//
//   SCHED_PROPERTY_SEED   the first operator's seed; each next one's is one
//                         more, so that a failure is repeated by its own seed
//                         with SCHED_PROPERTY_CASES=1
//   SCHED_PROPERTY_CASES  how many schedules to compare
//   SCHED_PROPERTY_JOBS   processes at a time; default: one a core
//
//===----------------------------------------------------------------------===//

#include "CaseProcess.h"
#include "OperatorFamilies.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <iostream>
#include <map>
#include <thread>

using namespace sched;
using namespace sched::test;

static constexpr uint64_t kSeed = 1000000, kCases = 2500, kKernelCases = 500;

static uint64_t readNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  if (!text)
    return otherwise;
  uint64_t number = 0;
  if (llvm::StringRef(text).getAsInteger(10, number) || number == 0)
    ADD_FAILURE() << name << " must be a number above 0; found '" << text
                  << "'";
  return number;
}

namespace {
/// What happened in all.
struct Tally {
  Target::Kind machine;
  uint64_t cases = 0, illegal = 0, skipped = 0, failures = 0;
  std::map<std::string, unsigned> kinds;

  void add(uint64_t seed, llvm::StringRef event, llvm::StringRef text) {
    if (event == event::kCase) {
      // A long run should show that it goes on.
      if (++cases % 1000 == 0)
        std::cout << cases << " cases, seed " << seed << std::endl;
    } else if (event == event::kIllegal) {
      ++illegal;
    } else if (event == event::kSkipped) {
      ++skipped;
      ++kinds["skipped: " + text.str()];
    } else if (event == event::kKind) {
      ++kinds[text.str()];
    } else if (event == event::kFailure) {
      ++failures;
      ADD_FAILURE() << "SCHED_PROPERTY_SEED=" << seed << ": " << text.str()
                    << "\n"
                    << describeOperator(seed, machine);
    }
  }

  void print() const {
    std::cout << cases << " cases compared, " << failures << " failed, "
              << illegal << " candidates illegal, " << skipped
              << " operators or candidates skipped\n";
    for (const auto &[kind, count] : kinds)
      std::cout << "  " << kind << ": " << count << "\n";
  }
};
} // namespace

/// Runs the operators; returns what happened, and in `all` whether the run is
/// no shorter than that of CI.
static Tally runOperators(Target::Kind kind, uint64_t cases, bool &all) {
  const uint64_t first = readNumber("SCHED_PROPERTY_SEED", kSeed),
                 wanted = readNumber("SCHED_PROPERTY_CASES", cases),
                 jobs = readNumber("SCHED_PROPERTY_JOBS",
                                   std::thread::hardware_concurrency());
  all = wanted >= cases;
  // Threads that wait for each other must not take the other cases' time.
  ::setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/1);
  prepareForOperators();
  Tally tally;
  tally.machine = kind;
  uint64_t seed = first;
  runInProcesses(
      jobs, ProcessLimits(),
      [&]() -> std::optional<uint64_t> {
        if (tally.cases + tally.failures >= wanted)
          return std::nullopt;
        return seed++;
      },
      [&](uint64_t of, ReportFn report) { testOperator(of, kind, report); },
      [&](uint64_t of, llvm::StringRef event, llvm::StringRef text) {
        tally.add(of, event, text);
      });
  std::cout << "seeds " << first << " to " << seed - 1 << ": ";
  tally.print();
  return tally;
}

TEST(Property, ScheduledOperatorsComputeTheSame) {
  bool all;
  Tally tally = runOperators(Target::Kind::CPU, kCases, all);
  // A run of a few cases need not meet everything.
  if (!all)
    return;
  for (const Source &source : getSources())
    EXPECT_GE(tally.kinds["source " + source.name.str()], 10u)
        << source.name.str();
  for (const Step &step : getSteps())
    EXPECT_GE(tally.kinds["step " + step.name.str()], 5u) << step.name.str();
  // Data that decide nothing are rare.
  EXPECT_LE(tally.kinds[("skipped: " + event::kUndecided).str()],
            1 + tally.cases / 1000);
  EXPECT_GE(tally.kinds["several tasks"], 50u);
  EXPECT_GE(tally.kinds["compared exactly"], 100u);
  for (const char *form :
       {"Winograd, tile 2", "Winograd, tile 4", "image as columns"})
    EXPECT_GE(tally.kinds[form], 1u) << form;
}

TEST(Property, KernelsComputeTheSame) {
  bool all;
  Tally tally = runOperators(Target::Kind::NVVM, kKernelCases, all);
  if (!all)
    return;
  for (const Source &source : getSources())
    EXPECT_GE(tally.kinds["source " + source.name.str()], 1u)
        << source.name.str();
  EXPECT_GE(tally.kinds["several tasks"], 5u);
  EXPECT_GE(tally.kinds["compared exactly"], 10u);
}
