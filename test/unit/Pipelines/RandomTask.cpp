//===- RandomTask.cpp - Random matmuls with random schedules --------------===//

#include "RandomTask.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

MLIRContext &test::getContext() {
  static std::unique_ptr<MLIRContext> context = [] {
    registerLinalgPasses();
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerCodegenDialects(registry);
    registry.insert<schedule::ScheduleDialect>();
    registerLoopModels(registry);
    auto result = std::make_unique<MLIRContext>(
        registry, MLIRContext::Threading::DISABLED);
    result->loadAllAvailableDialects();
    return result;
  }();
  return *context;
}

std::string test::writePayload(const Shape &s) {
  auto tensor = [](int64_t a, int64_t b) {
    return "tensor<" + std::to_string(a) + "x" + std::to_string(b) + "xf32>";
  };
  std::string a = tensor(s.m, s.k), c = tensor(s.m, s.n);
  std::string b = s.transposed ? tensor(s.n, s.k) : tensor(s.k, s.n);
  std::string maps =
      s.transposed
          ? "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, "
            "n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] "
          : "";
  std::string text =
      "func.func @f(%a: " + a + ", %b: " + b + ", %d: " + c + ") -> " + c +
      " {\n  %z = arith.constant 0.0 : f32\n" + "  %e = tensor.empty() : " + c +
      "\n" + "  %i = linalg.fill ins(%z : f32) outs(%e : " + c + ") -> " + c +
      "\n  %r = linalg.matmul " + maps + "ins(%a, %b : " + a + ", " + b +
      ") outs(%i : " + c + ") -> " + c + "\n";
  if (s.add)
    text += "  %q = linalg.add ins(%r, %d : " + c + ", " + c +
            ") outs(%e : " + c + ") -> " + c + "\n";
  return text + "  return " + (s.add ? "%q" : "%r") + " : " + c + "\n}\n";
}

RandomTask test::makeTask(const Shape &shape, llvm::StringRef spec,
                          int threads) {
  RandomTask result;
  result.shape = shape;
  auto target = Target::parse(spec, threads);
  EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
  auto module = parseSourceString<ModuleOp>(writePayload(shape), &getContext());
  EXPECT_TRUE(bool(module));
  ExtractionOptions options;
  options.remarks = false;
  auto tasks = extractTasks(*module, options);
  EXPECT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
  result.tasks = std::move(*tasks);
  auto space = TaskSpace::create(result.tasks.front(), *target);
  EXPECT_TRUE(bool(space)) << llvm::toString(space.takeError());
  result.space = std::move(*space);
  return result;
}

RandomTask RandomTask::draw(std::mt19937_64 &bits) {
  static const int64_t sizes[] = {1,  2,  3,  5,  7,  8,   16,  17,  31,
                                  32, 48, 64, 96, 97, 100, 127, 128, 160};
  auto size = [&]() -> int64_t {
    return bits() % 4 ? sizes[bits() % std::size(sizes)] : 1 + bits() % 160;
  };
  Shape shape{size(), size(), size(), bits() % 2 == 0, bits() % 4 == 0};
  return makeTask(shape,
                  bits() % 3 ? "cpu:mcpu=znver3" : "cpu:mcpu=sapphirerapids",
                  1 + bits() % 4);
}

Candidate RandomTask::drawCandidate(std::mt19937_64 &bits) const {
  Candidate candidate;
  candidate.sketch = bits() % space->getNumSketches();
  for (const Decision &decision :
       space->getProgram(candidate.sketch).getDecisions())
    candidate.choices.push_back(bits() % decision.size());
  return candidate;
}

OwningOpRef<ModuleOp> test::applyScript(const Task &task, ModuleOp script) {
  OwningOpRef<ModuleOp> payload =
      task.getFunction()->getParentOfType<ModuleOp>().clone();
  auto entry = transform::detail::findTransformEntryPoint(
      script, ModuleOp(),
      transform::TransformDialect::kTransformEntryPointSymbolName);
  transform::TransformOptions options;
  options.enableExpensiveChecks(false);
  if (!entry || failed(transform::applyTransformNamedSequence(*payload, entry,
                                                              script, options)))
    return nullptr;
  return payload;
}
