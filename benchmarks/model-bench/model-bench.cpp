//===- model-bench.cpp - Candidates a second of the loop-nest model -------===//
//
// Evaluates random legal candidates (legality and features) of each sketch of
// a 128^3 matmul on one core, and prints the rate; with --json as one object,
// {"sketch": candidates a second}.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <random>

using namespace mlir;
using namespace sched;

static constexpr llvm::StringLiteral kPayload = R"mlir(
func.func @f(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>)
                     outs(%i : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
)mlir";

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
  auto module = parseSourceString<ModuleOp>(kPayload, &context);
  auto target = Target::parse("native", 2);
  if (!module || !target)
    return 1;
  auto tasks = extractTasks(*module);
  if (!tasks)
    return 1;
  auto space = TaskSpace::create(tasks->front(), *target);
  if (!space || !*space)
    return 1;
  std::mt19937_64 bits(0);
  for (unsigned sketch = 0; sketch != (*space)->getNumSketches(); ++sketch) {
    const Program &program = (*space)->getProgram(sketch);
    std::vector<Choices> candidates;
    while (candidates.size() < 4096) {
      Choices choices;
      for (const Decision &decision : program.getDecisions())
        choices.push_back(bits() % decision.size());
      if (program.isLegal(choices))
        candidates.push_back(std::move(choices));
    }
    Evaluation evaluation;
    double sum = 0;
    unsigned count = 0;
    auto begin = std::chrono::steady_clock::now();
    double seconds = 0;
    while (seconds < 0.5) {
      for (const Choices &choices : candidates) {
        program.evaluate(choices, evaluation);
        sum += evaluation.features[Feature::ComputeCycles];
      }
      count += candidates.size();
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                              begin)
                    .count();
    }
    std::string name = (*space)->getSketch(sketch).getSymName().str();
    if (isJSON) {
      rates[name] = count / seconds;
      continue;
    }
    llvm::outs() << llvm::format(
        "%-16s %9.0f candidates/s with features (checksum %g)\n", name.c_str(),
        count / seconds, sum);
  }
  if (isJSON)
    llvm::outs() << llvm::json::Value(std::move(rates)) << "\n";
  return 0;
}
