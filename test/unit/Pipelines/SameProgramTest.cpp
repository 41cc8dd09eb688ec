//===- SameProgramTest.cpp - Equal hashes, equal programs -----------------===//
//
// The search measures one candidate a hash of the loop nest (NestHash.h). Draws
// random candidates of random tasks until some have equal hashes, and compares
// the loops that their scripts make.
//
//===----------------------------------------------------------------------===//

#include "NestListing.h"
#include "RandomTask.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

/// Loops, blocks and sizes of what the candidate's script makes of the payload.
static std::string listProgram(const RandomTask &task,
                               const Candidate &candidate) {
  auto script = task.space->makeScript(candidate);
  if (!script) {
    ADD_FAILURE() << llvm::toString(script.takeError());
    return "";
  }
  OwningOpRef<ModuleOp> payload = applyScript(task.tasks.front(), **script);
  if (!payload) {
    ADD_FAILURE() << "the script does not apply";
    return "";
  }
  foldTrivialLoops(*payload);
  NestListing listing = listIR(*payload);
  // A slice that main part and tail share is copied for each of them, or for
  // both at once: the model, and so the hash, does not tell these apart.
  std::sort(listing.copies.begin(), listing.copies.end());
  listing.copies.erase(
      std::unique(listing.copies.begin(), listing.copies.end()),
      listing.copies.end());
  return joinLines(listing.blocks) + joinLines(listing.copies) +
         joinLines(listing.helpers);
}

TEST(SameProgram, EqualHashesMakeEqualLoops) {
  std::mt19937_64 bits(7);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  unsigned pairs = 0, programs = 0, candidates = 0;
  while (pairs < 150) {
    RandomTask task = RandomTask::draw(bits);
    if (!task.space)
      continue;
    keepBlocks(*task.space);
    std::map<std::pair<unsigned, uint64_t>, Candidate> first;
    unsigned compared = 0;
    for (unsigned draw = 0; draw != 400; ++draw) {
      Candidate candidate = task.drawCandidate(bits);
      const Program &program = task.space->getProgram(candidate.sketch);
      const uint64_t hash = program.hash(candidate.choices);
      ASSERT_EQ(hash != 0, program.isLegal(candidate.choices));
      if (hash == 0)
        continue;
      ++candidates;
      auto [it, isNew] = first.try_emplace({candidate.sketch, hash}, candidate);
      programs += isNew;
      if (isNew || it->second == candidate || compared == 4)
        continue;
      ++compared;
      ++pairs;
      SCOPED_TRACE(writePayload(task.shape) +
                   schedule::printTrace(task.space->getTrace(it->second)) +
                   " and " +
                   schedule::printTrace(task.space->getTrace(candidate)));
      ASSERT_EQ(listProgram(task, it->second), listProgram(task, candidate));
    }
  }
  // A hash that told nothing apart would fail above, one that told everything
  // apart would never come here.
  EXPECT_LT(programs, candidates);
}

/// The space of a function of one task.
static std::unique_ptr<TaskSpace> makeSpace(std::vector<Task> &tasks,
                                            llvm::StringRef payload) {
  auto module = parseSourceString<ModuleOp>(payload, &getContext());
  ExtractionOptions options;
  options.remarks = false;
  auto extracted = extractTasks(*module, options);
  auto target = Target::parse("cpu:mcpu=znver3", 1);
  if (!extracted || !target)
    return nullptr;
  tasks = std::move(*extracted);
  auto space = TaskSpace::create(tasks.front(), *target);
  return space ? std::move(*space) : nullptr;
}

// Loops and blocks are the same whether a row is reduced into partial results
// or to one element in each step.
TEST(SameProgram, PartialResultsMakeADifference) {
  std::vector<Task> tasks;
  std::unique_ptr<TaskSpace> space = makeSpace(tasks, R"mlir(
func.func @f(%a: tensor<32x100xf32>) -> tensor<32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<32x100xf32>)
                                    outs(%i : tensor<32xf32>) dimensions = [1]
  return %r : tensor<32xf32>
})mlir");
  ASSERT_TRUE(space);
  const Program &program = space->getProgram(0);
  Choices choices = program.getDefault();
  unsigned compared = 0;
  for (auto [i, decision] : llvm::enumerate(program.getDecisions())) {
    if (decision.name != "keep_partials")
      continue;
    Choices other = choices;
    other[i] = 1 - other[i];
    EXPECT_NE(program.hash(choices), 0u);
    EXPECT_NE(program.hash(other), 0u);
    EXPECT_NE(program.hash(choices), program.hash(other));
    ++compared;
  }
  EXPECT_EQ(compared, 1u);
}
