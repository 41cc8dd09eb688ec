//===- KernelsAgainstIRTest.cpp - What the model says of kernels ----------===//
//
// Random candidates for a GPU become kernels; the blocks, threads and shared
// memory that these launch with are compared with the features of the model,
// which are what searches know of a candidate.
//
//===----------------------------------------------------------------------===//

#include "RandomTask.h"
#include "SchedOpt/Codegen/LaunchPlan.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {
using F = KernelFeature;

constexpr llvm::StringLiteral kProduct = R"mlir(
func.func @f(%a: tensor<100x77xf32>, %b: tensor<77x130xf32>, %d: tensor<130xf32>) -> tensor<100x130xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x130xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<100x130xf32>) -> tensor<100x130xf32>
  %p = linalg.matmul ins(%a, %b : tensor<100x77xf32>, tensor<77x130xf32>) outs(%i : tensor<100x130xf32>) -> tensor<100x130xf32>
  %s = linalg.broadcast ins(%d : tensor<130xf32>) outs(%e : tensor<100x130xf32>) dimensions = [0]
  %r = linalg.add ins(%p, %s : tensor<100x130xf32>, tensor<100x130xf32>) outs(%e : tensor<100x130xf32>) -> tensor<100x130xf32>
  return %r : tensor<100x130xf32>
}
)mlir";

constexpr llvm::StringLiteral kHalf = R"mlir(
func.func @f(%a: tensor<128x96xf16>, %b: tensor<96x72xf16>) -> tensor<128x72xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x96xf16>, tensor<96x72xf16>) outs(%i : tensor<128x72xf32>) -> tensor<128x72xf32>
  return %r : tensor<128x72xf32>
}
)mlir";

constexpr llvm::StringLiteral kBatches = R"mlir(
func.func @f(%a: tensor<3x17x23xf32>, %b: tensor<3x23x19xf32>) -> tensor<3x17x19xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x17x19xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x17x19xf32>) -> tensor<3x17x19xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x17x23xf32>, tensor<3x23x19xf32>) outs(%i : tensor<3x17x19xf32>) -> tensor<3x17x19xf32>
  return %r : tensor<3x17x19xf32>
}
)mlir";

constexpr llvm::StringLiteral kChannelsLast = R"mlir(
func.func @f(%x: tensor<2x15x15x8xf32>, %w: tensor<3x3x8x20xf32>) -> tensor<2x13x13x20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x13x13x20xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x13x13x20xf32>) -> tensor<2x13x13x20xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x15x15x8xf32>, tensor<3x3x8x20xf32>) outs(%i : tensor<2x13x13x20xf32>) -> tensor<2x13x13x20xf32>
  return %r : tensor<2x13x13x20xf32>
}
)mlir";

constexpr llvm::StringLiteral kChannelsFirst = R"mlir(
func.func @f(%x: tensor<2x8x15x15xf32>, %w: tensor<20x8x3x3xf32>) -> tensor<2x20x13x13xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x20x13x13xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x20x13x13xf32>) -> tensor<2x20x13x13xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x8x15x15xf32>, tensor<20x8x3x3xf32>) outs(%i : tensor<2x20x13x13xf32>) -> tensor<2x20x13x13xf32>
  return %r : tensor<2x20x13x13xf32>
}
)mlir";

constexpr llvm::StringLiteral kSoftmax = R"mlir(
func.func @f(%x: tensor<50x515xf32>) -> tensor<50x515xf32> {
  %e = tensor.empty() : tensor<50x515xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<50x515xf32>) outs(%e : tensor<50x515xf32>) -> tensor<50x515xf32>
  return %r : tensor<50x515xf32>
}
)mlir";

constexpr llvm::StringLiteral kNorm = R"mlir(
func.func @f(%x: tensor<37x720xf32>) -> tensor<37x720xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 720.0 : f32
  %e = tensor.empty() : tensor<37x720xf32>
  %v = tensor.empty() : tensor<37xf32>
  %i = linalg.fill ins(%z : f32) outs(%v : tensor<37xf32>) -> tensor<37xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<37x720xf32>) outs(%i : tensor<37xf32>) dimensions = [1]
  %c = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%x, %s : tensor<37x720xf32>, tensor<37xf32>) outs(%e : tensor<37x720xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.divf %q, %n : f32
    %d = arith.subf %p, %m : f32
    linalg.yield %d : f32
  } -> tensor<37x720xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%c : tensor<37x720xf32>) outs(%i : tensor<37xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.mulf %p, %p : f32
    %d = arith.addf %m, %o : f32
    linalg.yield %d : f32
  } -> tensor<37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%c, %w : tensor<37x720xf32>, tensor<37xf32>) outs(%e : tensor<37x720xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = math.rsqrt %q : f32
    %d = arith.mulf %p, %m : f32
    linalg.yield %d : f32
  } -> tensor<37x720xf32>
  return %r : tensor<37x720xf32>
}
)mlir";

constexpr llvm::StringLiteral kPlanes = R"mlir(
func.func @f(%x: tensor<37x6x120xf32>) -> tensor<37x6x120xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 720.0 : f32
  %e = tensor.empty() : tensor<37x6x120xf32>
  %v = tensor.empty() : tensor<37xf32>
  %i = linalg.fill ins(%z : f32) outs(%v : tensor<37xf32>) -> tensor<37xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<37x6x120xf32>) outs(%i : tensor<37xf32>) dimensions = [1, 2]
  %c = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a, b, c)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %s : tensor<37x6x120xf32>, tensor<37xf32>) outs(%e : tensor<37x6x120xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.divf %q, %n : f32
    %d = arith.subf %p, %m : f32
    linalg.yield %d : f32
  } -> tensor<37x6x120xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%c : tensor<37x6x120xf32>) outs(%i : tensor<37xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.mulf %p, %p : f32
    %d = arith.addf %m, %o : f32
    linalg.yield %d : f32
  } -> tensor<37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a, b, c)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%c, %w : tensor<37x6x120xf32>, tensor<37xf32>) outs(%e : tensor<37x6x120xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = math.rsqrt %q : f32
    %d = arith.mulf %p, %m : f32
    linalg.yield %d : f32
  } -> tensor<37x6x120xf32>
  return %r : tensor<37x6x120xf32>
}
)mlir";

constexpr llvm::StringLiteral kColumns = R"mlir(
func.func @f(%x: tensor<100x515xf32>) -> tensor<515xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<515xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<515xf32>) -> tensor<515xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<100x515xf32>) outs(%i : tensor<515xf32>) dimensions = [0]
  return %r : tensor<515xf32>
}
)mlir";

constexpr llvm::StringLiteral kPoints = R"mlir(
func.func @f(%x: tensor<9x7x130xf32>, %y: tensor<9x7x130xf32>) -> tensor<9x7x130xf32> {
  %e = tensor.empty() : tensor<9x7x130xf32>
  %s = linalg.exp ins(%x : tensor<9x7x130xf32>) outs(%e : tensor<9x7x130xf32>) -> tensor<9x7x130xf32>
  %r = linalg.add ins(%s, %y : tensor<9x7x130xf32>, tensor<9x7x130xf32>) outs(%e : tensor<9x7x130xf32>) -> tensor<9x7x130xf32>
  return %r : tensor<9x7x130xf32>
}
)mlir";

/// The launches of a candidate's kernels.
std::optional<LaunchPlan> launch(const Task &task, TaskSpace &space,
                                 const Candidate &candidate) {
  auto script = space.makeScript(candidate);
  if (!script) {
    ADD_FAILURE() << llvm::toString(script.takeError());
    return std::nullopt;
  }
  OwningOpRef<ModuleOp> payload = applyScript(task, **script);
  if (!payload) {
    ADD_FAILURE() << "the script does not apply";
    return std::nullopt;
  }
  // As in a search, which times what any module calls.
  for (auto function : payload->getOps<func::FuncOp>())
    function.setPublic();
  PassManager pm(&getContext());
  pm.addPass(createBindBlocksPass());
  FormKernelsPassOptions options;
  options.chip = space.getProgram(candidate.sketch).getTarget().mcpu;
  pm.addPass(createFormKernelsPass(options));
  if (failed(pm.run(*payload))) {
    ADD_FAILURE() << "there are no kernels";
    return std::nullopt;
  }
  auto plan = getLaunchPlan(*payload, options.chip);
  if (!plan) {
    ADD_FAILURE() << llvm::toString(plan.takeError());
    return std::nullopt;
  }
  return *std::move(plan);
}

class KernelsAgainstIR : public testing::TestWithParam<llvm::StringLiteral> {};
} // namespace

TEST_P(KernelsAgainstIR, LaunchesAreThoseOfTheModel) {
  auto module = parseSourceString<ModuleOp>(GetParam(), &getContext());
  ExtractionOptions options;
  options.remarks = false;
  auto tasks = extractTasks(*module, options);
  auto target = Target::parse("nvvm:sm_90a");
  ASSERT_TRUE(bool(tasks) && bool(target));
  ASSERT_EQ(tasks->size(), 1u);
  auto space = TaskSpace::create(tasks->front(), *target);
  ASSERT_TRUE(bool(space)) << llvm::toString(space.takeError());
  std::mt19937_64 bits(3);
  for (unsigned sketch = 0; sketch != (*space)->getNumSketches(); ++sketch) {
    const Program &program = (*space)->getProgram(sketch);
    for (unsigned compared = 0, draws = 0; compared != 12 && draws != 20000;
         ++draws) {
      Candidate candidate{static_cast<uint16_t>(sketch), program.getDefault()};
      // The default first.
      if (draws != 0)
        for (auto [choice, decision] :
             llvm::zip_equal(candidate.choices, program.getDecisions()))
          choice = bits() % decision.size();
      if (!program.isLegal(candidate.choices))
        continue;
      ++compared;
      SCOPED_TRACE(schedule::printTrace((*space)->getTrace(candidate)));
      std::vector<BlockFeatureVector> rows;
      program.describeBlocks(candidate.choices, rows);
      auto plan = launch(tasks->front(), **space, candidate);
      ASSERT_TRUE(plan);
      ASSERT_EQ(plan->functions.size(), 1u);
      const auto &launches = plan->functions.front().launches;
      ASSERT_EQ(launches.size(), rows.size());
      for (auto [kernel, row] : llvm::zip_equal(launches, rows)) {
        auto get = [&values = row.values](F feature) {
          return values[static_cast<unsigned>(feature)];
        };
        EXPECT_EQ(kernel.grid[0] * kernel.grid[1] * kernel.grid[2],
                  get(F::Blocks));
        EXPECT_EQ(kernel.block[0], llvm::alignTo(int64_t(get(F::Threads)), 32));
        EXPECT_EQ(kernel.sharedBytes, get(F::SharedBytes));
      }
    }
  }
}

static std::string
getPayloadName(const testing::TestParamInfo<llvm::StringLiteral> &info) {
  static constexpr const char *kNames[] = {
      "Product", "Half", "Batches", "ChannelsLast", "ChannelsFirst",
      "Softmax", "Norm", "Planes",  "Columns",      "Points"};
  return kNames[info.index];
}

INSTANTIATE_TEST_SUITE_P(Payloads, KernelsAgainstIR,
                         testing::Values(kProduct, kHalf, kBatches,
                                         kChannelsLast, kChannelsFirst,
                                         kSoftmax, kNorm, kPlanes, kColumns,
                                         kPoints),
                         getPayloadName);
