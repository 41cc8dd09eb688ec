//===- OperatorCase.h - Tests one random operator ---------------*- C++ -*-===//
//
// Draws an operator and a target, cuts the operator's tasks, and draws some
// candidates of random sketches for them. Each legal one is applied, compiled,
// run and compared with the unscheduled operator. Runs in a process of its own
// (CaseProcess.h), as code that is wrong may crash or hang. Kernels for a GPU
// run in the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORCASE_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORCASE_H

#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace sched::test {

/// What happened, in a word that counts are kept of.
namespace event {
/// A candidate computed what it should: a case.
constexpr llvm::StringLiteral kCase = "case";
/// A candidate that its program has no use for.
constexpr llvm::StringLiteral kIllegal = "illegal";
/// The operator has no task with a sketch, no legal candidate was met, or the
/// data decide nothing of the results; the text says which.
constexpr llvm::StringLiteral kSkipped = "skipped";
/// What the latter is called.
constexpr llvm::StringLiteral kUndecided =
    "results that move as far with the arguments";
/// The operator's family, types, target and so on, one event each.
constexpr llvm::StringLiteral kKind = "kind";
/// What is worked on now: the candidate that a crash belongs to.
constexpr llvm::StringLiteral kNow = "now";
/// What is wrong. Ends the operator.
constexpr llvm::StringLiteral kFailure = "failure";
} // namespace event

using ReportFn =
    llvm::function_ref<void(llvm::StringRef event, llvm::StringRef text)>;

/// Candidates of one operator that are run.
constexpr unsigned kCandidatesPerOperator = 4;

/// The text of the operator that `seed` stands for, and where it runs.
std::string describeOperator(uint64_t seed, Target::Kind kind);

/// Tests that operator; `report` gets what happens, line by line.
void testOperator(uint64_t seed, Target::Kind kind, ReportFn report);

/// Prepares what all operators share: called once, before processes fork.
void prepareForOperators();

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORCASE_H
