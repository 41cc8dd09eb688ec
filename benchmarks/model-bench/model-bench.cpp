//===- model-bench.cpp - Candidates a second of the loop-nest model -------===//
//
// On one core, for each sketch of a matmul and of a convolution with an
// epilogue, for this machine and for a GPU: legal random candidates a second,
// with the features of whole programs (legality included), and with the rows of
// their blocks besides. Seconds are those of this thread's processor time. With
// --json as one object,
// {"payload": {"sketch": {"programs": rate, "blocks": rate}}}.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <random>

using namespace mlir;
using namespace sched;

static constexpr llvm::StringLiteral kMatmul = R"mlir(
func.func @f(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>)
                     outs(%i : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
)mlir";

static constexpr llvm::StringLiteral kConvolution = R"mlir(
func.func @f(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x128xf32>,
             %b: tensor<128xf32>) -> tensor<1x56x56x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x128xf32>)
                                outs(%i : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %c = linalg.broadcast ins(%b : tensor<128xf32>) outs(%e : tensor<1x56x56x128xf32>)
                        dimensions = [0, 1, 2]
  %s = linalg.add ins(%y, %c : tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>)
                  outs(%e : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %r = linalg.max ins(%s, %i : tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>)
                  outs(%e : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  return %r : tensor<1x56x56x128xf32>
}
)mlir";

static double getProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// How often a second `work` runs for one of `candidates`.
template <typename Work>
static double countPerSecond(llvm::ArrayRef<Choices> candidates, Work &&work) {
  uint64_t count = 0;
  const double begin = getProcessorSeconds();
  double seconds = 0;
  while (seconds < 0.5) {
    for (const Choices &choices : candidates)
      work(choices);
    count += candidates.size();
    seconds = getProcessorSeconds() - begin;
  }
  return double(count) / seconds;
}

static std::vector<Choices> drawCandidates(const Program &program) {
  std::mt19937_64 bits(0);
  std::vector<Choices> candidates;
  // Some sketches have few legal ones.
  for (unsigned tries = 0; candidates.size() < 2048 && tries < 1000000;
       ++tries) {
    Choices choices;
    for (const Decision &decision : program.getDecisions())
      choices.push_back(bits() % decision.size());
    if (program.isLegal(choices))
      candidates.push_back(std::move(choices));
  }
  return candidates;
}

/// Returns 0, or 1 where the payload has no space.
static int measure(llvm::StringRef name, llvm::StringRef payload,
                   llvm::StringRef spec, MLIRContext &context,
                   llvm::json::Object *rates) {
  auto module = parseSourceString<ModuleOp>(payload, &context);
  auto target = Target::parse(spec, spec == "native" ? 2 : 0);
  if (!module || !target || outlineTasks(*module))
    return 1;
  auto tasks = extractTasks(*module);
  if (!tasks || tasks->empty())
    return 1;
  auto space = TaskSpace::create(tasks->front(), *target);
  if (!space || !*space)
    return 1;
  llvm::json::Object sketches;
  for (unsigned sketch = 0; sketch != (*space)->getNumSketches(); ++sketch) {
    const Program &program = (*space)->getProgram(sketch);
    const std::vector<Choices> candidates = drawCandidates(program);
    if (candidates.empty())
      continue;
    Evaluation evaluation;
    double sum = 0;
    const double programs =
        countPerSecond(candidates, [&](const Choices &choices) {
          program.evaluate(choices, evaluation);
          sum += evaluation.features[Feature::ComputeCycles];
        });
    std::vector<BlockFeatureVector> rows;
    uint64_t numRows = 0;
    const double blocks =
        countPerSecond(candidates, [&](const Choices &choices) {
          rows.clear();
          program.evaluate(choices, evaluation);
          program.describeBlocks(choices, rows);
          sum += rows.back().values.front();
          numRows += rows.size();
        });
    const std::string label = (*space)->getSketch(sketch).getSymName().str();
    if (rates)
      sketches[label] =
          llvm::json::Object{{"programs", programs}, {"blocks", blocks}};
    else
      llvm::outs() << llvm::format(
          "%-15s %-16s %8.0f candidates/s with program features, %8.0f with "
          "blocks (%.2f us more; checksum %g)\n",
          name.str().c_str(), label.c_str(), programs, blocks,
          1e6 / blocks - 1e6 / programs, sum);
  }
  if (rates)
    (*rates)[name] = std::move(sketches);
  return 0;
}

int main(int argc, char **argv) {
  const bool isJSON = argc > 1 && llvm::StringRef(argv[1]) == "--json";
  llvm::json::Object rates;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<schedule::ScheduleDialect>();
  registerLoopModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  struct Case {
    const char *name;
    llvm::StringLiteral payload;
    const char *target;
  };
  for (const Case &c : {Case{"matmul", kMatmul, "native"},
                        Case{"convolution", kConvolution, "native"},
                        Case{"gpu-matmul", kMatmul, "nvvm:sm_90a"},
                        Case{"gpu-convolution", kConvolution, "nvvm:sm_90a"}})
    if (measure(c.name, c.payload, c.target, context,
                isJSON ? &rates : nullptr))
      return 1;
  if (isJSON)
    llvm::outs() << llvm::json::Value(std::move(rates)) << "\n";
  return 0;
}
