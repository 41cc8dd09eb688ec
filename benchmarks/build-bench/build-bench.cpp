//===- build-bench.cpp - Where the time to build a candidate goes ---------===//
//
//   build-bench SCRIPT.mlir [THREADS [BUILDS]]
//
// Builds a candidate as a worker does, again and again in one context, and
// prints the median milliseconds of processor time of each phase. SCRIPT.mlir
// is a payload with its script, as
// `sched-opt --auto-schedule="trials=0 script-only=true" PAYLOAD.mlir` prints.
//
//===----------------------------------------------------------------------===//

#include "../../tools/sched-worker/TransformDialects.h"
#include "SchedOpt/Codegen/CPU.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace mlir;
using namespace sched;

static double getProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

namespace {
/// Seconds of each phase, one a build.
struct Phases {
  std::vector<double> script, verify, lower, translate, optimize, codegen, all;
  size_t objectBytes = 0;
};
} // namespace

static double getMedian(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// Whether a build went well; an error is on stderr.
static bool build(ModuleOp payload, ModuleOp script, const Target &target,
                  int threads, Phases &phases) {
  const double begin = getProcessorSeconds();
  OwningOpRef<ModuleOp> module = payload.clone();
  transform::TransformOpInterface entry =
      transform::detail::findTransformEntryPoint(
          script, ModuleOp(),
          transform::TransformDialect::kTransformEntryPointSymbolName);
  transform::TransformOptions options;
  options.enableExpensiveChecks(false);
  if (!entry || failed(transform::applyTransformNamedSequence(*module, entry,
                                                              script, options)))
    return false;
  const double applied = getProcessorSeconds();
  if (failed(verify(*module)) || failed(inlineTasks(*module)))
    return false;
  const double verified = getProcessorSeconds();
  CompileOptions compile;
  compile.threads = threads;
  compile.packedWrapper = true;
  CompileTimes times;
  SmallVector<char, 0> object;
  if (llvm::Error error =
          compileToObject(*module, target, compile, object, &times)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return false;
  }
  phases.script.push_back(applied - begin);
  phases.verify.push_back(verified - applied);
  phases.lower.push_back(times.lower);
  phases.translate.push_back(times.translate);
  phases.optimize.push_back(times.optimize);
  phases.codegen.push_back(times.codegen);
  phases.all.push_back(getProcessorSeconds() - begin);
  phases.objectBytes = object.size();
  return true;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    llvm::errs() << "usage: build-bench SCRIPT.mlir [THREADS [BUILDS]]\n";
    return 2;
  }
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const int builds = argc > 3 ? std::atoi(argv[3]) : 11;
  DialectRegistry registry;
  registerCodegenDialects(registry);
  worker::registerTransformDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto script = parseSourceFile<ModuleOp>(argv[1], &context);
  auto target = Target::parse("native", threads);
  if (!script || !target || threads < 1 || builds < 1) {
    llvm::consumeError(target.takeError());
    return 1;
  }
  OwningOpRef<ModuleOp> payload = script->clone();
  for (auto sequence : llvm::make_early_inc_range(
           payload->getOps<transform::NamedSequenceOp>()))
    sequence.erase();
  Phases phases;
  // The first one loads dialects.
  for (int i = 0; i <= builds; ++i) {
    if (!build(*payload, *script, *target, threads, phases))
      return 1;
    if (i == 0)
      phases = Phases();
  }
  auto print = [](const char *name, const std::vector<double> &seconds) {
    llvm::outs() << llvm::format("%-10s %7.1f ms\n", name,
                                 1e3 * getMedian(seconds));
  };
  print("script", phases.script);
  print("verify", phases.verify);
  print("lower", phases.lower);
  print("translate", phases.translate);
  print("optimize", phases.optimize);
  print("codegen", phases.codegen);
  print("all", phases.all);
  llvm::outs() << "object     " << phases.objectBytes << " bytes\n";
  return 0;
}
