//===- Sample.cpp - Fill in open decisions at random ----------------------===//

#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

namespace mlir::schedule {
#define GEN_PASS_DEF_SCHEDULESAMPLE
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h.inc"
} // namespace mlir::schedule

using namespace mlir;
using namespace mlir::schedule;

LogicalResult mlir::schedule::sampleSketch(SketchOp sketch,
                                           llvm::function_ref<uint64_t()> bits,
                                           unsigned maxTries) {
  auto decide =
      [&](DecisionOpInterface decision,
          const DecisionDomain &domain) -> FailureOr<SmallVector<int64_t>> {
    if (decision.getDecided())
      return getDecidedValues(decision, domain);
    return llvm::to_vector(
        domain[sampleEntry(domain, decision.getWeights(), bits)]);
  };
  llvm::MapVector<Operation *, unsigned> failures;
  for (unsigned i = 0; i != maxTries; ++i) {
    FailureOr<SketchEvaluation> evaluation = evaluateSketch(sketch, decide);
    if (failed(evaluation))
      return failure();
    if (evaluation->failedRequire) {
      ++failures[evaluation->failedRequire];
      continue;
    }
    for (auto [op, decision] :
         llvm::zip_equal(evaluation->decisionOps, evaluation->decisions))
      op.setDecided(ArrayRef<int64_t>(decision.values));
    return success();
  }
  InFlightDiagnostic diagnostic =
      sketch.emitOpError("@")
      << sketch.getSymName() << " has no legal decisions in " << maxTries
      << " draws; loosen a requirement, widen a domain, or raise max-tries";
  for (auto [require, count] : failures)
    diagnostic.attachNote(require->getLoc())
        << "requirement not met in " << count
        << " of them: " << cast<RequireOp>(require).getReason();
  return diagnostic;
}

namespace {
struct ScheduleSample final
    : schedule::impl::ScheduleSampleBase<ScheduleSample> {
  using ScheduleSampleBase::ScheduleSampleBase;

  void runOnOperation() override {
    // The engine, unlike the distributions, is fixed by the standard.
    std::mt19937_64 engine(seed);
    WalkResult result = getOperation()->walk([&](SketchOp sketch) {
      return WalkResult(
          sampleSketch(sketch, [&] { return engine(); }, maxTries));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
