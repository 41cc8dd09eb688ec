//===- ModelAgainstIRTest.cpp - The loop-nest model tells the truth -------===//
//
// Draws random traces over random shapes, runs both interpreters, and compares:
// - the same verdict on legality;
// - for each block, in program order, the same loops around it (kind and trips)
//   and the same sizes;
// - the sizes and the number of the vectors that each block becomes, after the
//   whole script: what it writes, what it computes with, and the products of a
//   contraction;
// - the register tile that the features show, which is that of the first
//   contraction: rows, vectors in a row, steps.
//
// Read next: NestListing.h and VectorListing.h, which say how both sides are
// listed.
//
//===----------------------------------------------------------------------===//

#include "NestListing.h"
#include "RandomTask.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "VectorListing.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

/// An init that is fused with nothing stands before or after the transposed
/// copy of the left-hand side.
static std::vector<std::string> copiesFirst(ArrayRef<std::string> blocks) {
  std::vector<std::string> result;
  for (bool isCopy : {true, false})
    for (const std::string &line : blocks)
      if (StringRef(line).contains((schedule::kPackLhsBlock + "[").str()) ==
          isCopy)
        result.push_back(line);
  return result;
}

/// Tails in whole vectors may be as large as main tiles, and then share a fill
/// with them, of which the model counts two.
static std::vector<std::string> comparable(std::vector<std::string> blocks,
                                           const schedule::Trace &trace) {
  const auto *tails = trace.find("tails");
  if (tails && tails->values.front() != 0)
    llvm::erase_if(blocks, [](const std::string &line) {
      return StringRef(line).contains("init[");
    });
  return copiesFirst(blocks);
}

TEST(ModelAgainstIR, RandomTraces) {
  std::mt19937_64 bits(1);
  unsigned legal = 0, illegal = 0, slices = 0, windowSlices = 0, batches = 0;
  unsigned fills[3] = {};
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  while (legal < 500) {
    RandomTask task = RandomTask::draw(bits);
    if (!task.space)
      continue;
    markVectors(*task.space);
    for (unsigned draw = 0; draw != 12; ++draw) {
      Candidate candidate = task.drawCandidate(bits);
      const Program &program = task.space->getProgram(candidate.sketch);
      SCOPED_TRACE(writePayload(task.shape) +
                   schedule::printTrace(task.space->getTrace(candidate)));
      const bool isLegal = program.isLegal(candidate.choices);
      auto script = task.space->makeScript(candidate);
      ASSERT_EQ(isLegal, bool(script))
          << (script ? std::string("the script converts")
                     : llvm::toString(script.takeError()));
      if (!isLegal) {
        llvm::consumeError(script.takeError());
        ++illegal;
        continue;
      }
      VectorRun run(**script);
      OwningOpRef<ModuleOp> payload = run.makeBlocks(task.tasks.front());
      ASSERT_TRUE(bool(payload)) << "the script does not apply";
      foldTrivialLoops(*payload);
      NestListing model = listModel(program, candidate.choices);
      NestListing ir = listIR(*payload);
      const schedule::Trace trace = task.space->getTrace(candidate);
      ASSERT_EQ(joinLines(comparable(model.blocks, trace)),
                joinLines(comparable(ir.blocks, trace)));
      // A slice that main part and tail share is copied for each of them; the
      // model counts it once. Places and sizes must agree.
      for (std::vector<std::string> *copies : {&model.copies, &ir.copies}) {
        std::sort(copies->begin(), copies->end());
        copies->erase(std::unique(copies->begin(), copies->end()),
                      copies->end());
      }
      ASSERT_EQ(joinLines(model.copies), joinLines(ir.copies));
      ASSERT_TRUE(bool(run.makeVectors())) << "the script does not apply";
      ASSERT_EQ(joinLines(comparable(
                    listModelVectors(program, candidate.choices), trace)),
                joinLines(comparable(run.list(*payload), trace)));
      const RegisterTile tile =
          run.getMainTile(*payload, task.shape.isDouble ? 8 : 4);
      Evaluation evaluation;
      program.evaluate(candidate.choices, evaluation);
      EXPECT_EQ(evaluation.features[Feature::TileM], tile.m);
      EXPECT_EQ(evaluation.features[Feature::TileN],
                tile.vectors(program.getTarget()));
      EXPECT_EQ(evaluation.features[Feature::TileK], tile.unroll);
      ++legal;
      const auto *place = trace.find("producer_at");
      if (place && place->values.front() == 1)
        ++(task.shape.hasWindows() ? windowSlices : slices);
      const auto *inner = trace.find("inner_batches");
      batches += inner && inner->values.front() >= 1 && !trace.find("kc");
      if (const auto *tails = trace.find("tails"))
        ++fills[tails->values.front()];
    }
  }
  // Both verdicts must have been met.
  EXPECT_GT(illegal, 100u);
  // So must producers inside of the reduction.
  EXPECT_GT(slices, 5u);
  EXPECT_GT(batches, 0u);
  EXPECT_GT(windowSlices, 5u);
  // And tails of each kind.
  for (unsigned count : fills)
    EXPECT_GT(count, 10u);
}
