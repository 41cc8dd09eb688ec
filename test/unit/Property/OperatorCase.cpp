//===- OperatorCase.cpp - Tests one random operator -----------------------===//

#include "OperatorCase.h"
#include "../../../lib/Pipelines/ModuleScript.h"
#include "../../../tools/common/FunctionInfo.h"
#include "../../../tools/common/WidenSums.h"
#include "../Pipelines/RandomTask.h"
#include "OperatorData.h"
#include "OperatorWriter.h"
#include "RandomOperator.h"
#include "SchedOpt/Space/ImageColumns.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Space/Winograd.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

/// Targets of which this machine can run the code.
static std::vector<std::string> findTargets() {
  std::vector<std::string> result;
  for (const char *spec :
       {"native", "native:vector-registers=8", "native:vector-bytes=16",
        // x86: without fused multiply-add, without AVX2, with SSE alone.
        "cpu:mcpu=native,features=-fma;-fma4",
        "cpu:mcpu=native,features=-avx2;-fma;-fma4",
        "cpu:mcpu=x86-64-v2,triple=x86_64-linux-gnu",
        "cpu:mcpu=x86-64-v3,triple=x86_64-linux-gnu",
        "cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu",
        "cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu",
        "cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu"}) {
    auto target = Target::parse(spec, /*threads=*/1);
    if (target && target->isHost())
      result.push_back(spec);
    else
      llvm::consumeError(target.takeError());
  }
  return result;
}

static const std::vector<std::string> &getTargets() {
  static const std::vector<std::string> targets = findTargets();
  return targets;
}

/// GPUs, one of each kind of limits, one of them without much of a cache, which
/// decides the order of blocks; and what may round products of f32 there.
static const char *const kGPUs[] = {"nvvm:sm_80", "nvvm:sm_86,l2=1000",
                                    "nvvm:sm_90a"};
static const char kRounding[] = ",features=+tf32";

namespace {
/// An operator with all that is drawn once for it.
struct Draw {
  std::mt19937_64 bits;
  RandomOperator op;
  std::string target;
  int threads = 1;
  bool isGPU;
  /// Whether code is made as if every result were larger than the last cache.
  bool isStreamed;

  Draw(uint64_t seed, Target::Kind kind)
      : bits(seed), op(RandomOperator::draw(bits)),
        isGPU(kind == Target::Kind::NVVM), isStreamed(seed % 4 == 0) {
    if (isGPU) {
      target = kGPUs[bits() % std::size(kGPUs)];
      // What is compared exactly is no place for that.
      if (!op.isExact && bits() % 2)
        target += kRounding;
      return;
    }
    // The plain target half of the time.
    target = bits() % 2 ? "native" : getTargets()[bits() % getTargets().size()];
    threads = 1 + bits() % 2;
  }
};

/// A task of the outlined module, and what is drawn for it.
struct DrawnTask {
  const Task *task;
  std::unique_ptr<TaskSpace> space;
};

class OperatorTest {
public:
  OperatorTest(uint64_t seed, Target::Kind kind, ReportFn report)
      : draw(seed, kind), report(report),
        handler(&getContext(), [&](Diagnostic &d) {
          if (d.getSeverity() == DiagnosticSeverity::Error &&
              firstError.empty())
            firstError = d.str();
          return success();
        }) {}

  llvm::Error run();

private:
  llvm::Error fail(llvm::StringRef what, llvm::StringRef why = "") {
    return llvm::createStringError(
        (what + ": " + (why.empty() ? firstError : why)).str());
  }
  llvm::Error fail(llvm::StringRef what, llvm::Error error) {
    return fail(what, llvm::toString(std::move(error)));
  }

  void reportKinds();
  /// Computes what is expected.
  llvm::Error runUnscheduled(ModuleOp module);
  /// Makes products of convolutions now and then, as forms of a task are.
  void rewriteConvolutions(ModuleOp module, const Target &target);
  llvm::Error cutTasks(ModuleOp module);
  /// A legal candidate; nullopt where none was met.
  std::optional<Candidate> drawLegal(const TaskSpace &space);
  /// Applies one candidate of each task, runs the result, and compares.
  llvm::Error runCandidates(ModuleOp outlined);
  /// Compiles the module, which is consumed, and runs it.
  llvm::Error runScheduled(ModuleOp module, const CompileOptions &options);

  Draw draw;
  ReportFn report;
  std::string firstError;
  ScopedDiagnosticHandler handler;
  std::optional<OperatorData> data;
  std::optional<KernelLibrary> unscheduled;
  std::vector<Task> tasks;
  std::vector<DrawnTask> drawn;
};
} // namespace

void OperatorTest::reportKinds() {
  report(event::kKind, "source " + draw.op.families.front());
  for (llvm::StringRef step : llvm::drop_begin(draw.op.families))
    report(event::kKind, ("step " + step).str());
  report(event::kKind,
         ("type " + str(draw.op.elementType) + " to " + str(draw.op.sumType))
             .str());
  report(event::kKind,
         draw.op.isExact ? "compared exactly" : "compared closely");
  report(event::kKind, "target " + draw.target);
  report(event::kKind, "threads " + std::to_string(draw.threads));
}

llvm::Error OperatorTest::runUnscheduled(ModuleOp module) {
  report(event::kNow, "unscheduled");
  auto info = describeFunction(*module.getOps<func::FuncOp>().begin(),
                               StringRef(draw.target).ends_with(kRounding));
  if (!info)
    return info.takeError();
  data.emplace(std::move(info->tensors),
               draw.op.isExact ? OperatorWriter::kAmplitude : 0, draw.bits());
  auto target =
      Target::parse(draw.isGPU ? "native" : draw.target, /*threads=*/1);
  if (!target)
    return target.takeError();
  CompileOptions options;
  options.optLevel = 0;
  options.packedWrapper = true;
  auto run = [&](ModuleOp form, const llvm::Twine &what) -> llvm::Error {
    auto library = compileKernel(form, *target, options);
    if (!library)
      return fail((what + " does not compile").str(), library.takeError());
    std::string wrong = data->call(*library);
    if (!wrong.empty())
      return fail((what + " is wrong").str(), wrong);
    unscheduled.emplace(std::move(*library));
    return llvm::Error::success();
  };
  OwningOpRef<ModuleOp> copy = module.clone();
  if (llvm::Error error = run(*copy, "the unscheduled operator"))
    return error;
  data->keepExpected();
  if (draw.op.isExact || !data->hasNarrowSums())
    return llvm::Error::success();
  // As the tools do.
  copy = module.clone();
  if (failed(widenSums(*copy->getOps<func::FuncOp>().begin())))
    return llvm::Error::success();
  if (llvm::Error error = run(*copy, "the operator with sums of f32"))
    return error;
  data->widenExpected();
  return llvm::Error::success();
}

void OperatorTest::rewriteConvolutions(ModuleOp module, const Target &target) {
  if (!draw.isGPU && draw.bits() % 4 != 0 &&
      !collectWinogradConvolutions(module, target).empty()) {
    // Halves are exact, the sixths of the larger tile are not.
    const int64_t tile = draw.bits() % 2 || draw.op.tellsApart ? 2 : 4;
    applyWinograd(module, tile, target);
    draw.op.isExact &= tile == 2;
    report(event::kKind, "Winograd, tile " + std::to_string(tile));
  } else if (draw.bits() % 4 == 0 &&
             !collectColumnConvolutions(module).empty()) {
    applyImageColumns(module, 1);
    report(event::kKind, "image as columns");
  }
}

llvm::Error OperatorTest::cutTasks(ModuleOp module) {
  report(event::kNow, "cutting tasks");
  auto target = Target::parse(draw.target, draw.threads);
  if (!target)
    return target.takeError();
  rewriteConvolutions(module, *target);
  if (llvm::Error error = outlineTasks(module, /*rewritten=*/nullptr,
                                       OutlineOptions::of(*target)))
    return fail("tasks cannot be outlined", std::move(error));
  ExtractionOptions options;
  options.remarks = false;
  auto extracted = extractTasks(module, options);
  if (!extracted)
    return fail("tasks cannot be extracted", extracted.takeError());
  tasks = std::move(*extracted);
  for (const Task &task : tasks) {
    auto space = TaskSpace::create(task, task.getTarget(*target));
    if (!space)
      return fail("a space does not compile", space.takeError());
    if (*space)
      drawn.push_back({&task, std::move(*space)});
  }
  return llvm::Error::success();
}

std::optional<Candidate> OperatorTest::drawLegal(const TaskSpace &space) {
  constexpr unsigned kDraws = 200;
  for (unsigned i = 0; i != kDraws; ++i) {
    Candidate candidate;
    candidate.sketch = draw.bits() % space.getNumSketches();
    const Program &program = space.getProgram(candidate.sketch);
    for (const Decision &decision : program.getDecisions())
      candidate.choices.push_back(draw.bits() % decision.size());
    if (draw.bits() % 16 == 0)
      candidate.choices = program.getDefault();
    if (program.isLegal(candidate.choices))
      return candidate;
    report(event::kIllegal, "");
    // Its script may do anything but end the process.
    if (i == 0)
      llvm::consumeError(space.makeScript(candidate).takeError());
  }
  return std::nullopt;
}

llvm::Error OperatorTest::runCandidates(ModuleOp outlined) {
  std::vector<TaskScript> scripts;
  std::string traces;
  // Kernels can be made of what is not scheduled, too.
  const bool isDefault = draw.isGPU && draw.bits() % 8 == 0;
  for (const DrawnTask &task : drawn) {
    if (isDefault)
      break;
    std::optional<Candidate> candidate = drawLegal(*task.space);
    if (!candidate) {
      report(event::kKind, "task without a legal candidate in 200");
      continue;
    }
    traces += task.task->text + ": " +
              schedule::printTrace(task.space->getTrace(*candidate)) + "; ";
    auto taskScript = task.space->makeScript(*candidate);
    if (!taskScript)
      return fail("a legal candidate has no script", taskScript.takeError());
    scripts.emplace_back(*task.task, std::move(*taskScript));
  }
  CompileOptions options;
  // Most errors are in what LLVM is given; its optimiser is slow.
  options.optLevel = draw.bits() % 8 ? 0 : 3;
  options.threads = draw.threads;
  options.packedWrapper = true;
  report(event::kNow, traces + "LLVM -O" + std::to_string(options.optLevel));
  firstError.clear();
  if (scripts.empty() && draw.isGPU) {
    // Everything is bound to blocks and threads by default.
    OwningOpRef<ModuleOp> payload = outlined.clone();
    if (failed(inlineTasks(*payload)))
      return fail("the tasks cannot be inlined");
    return runScheduled(*payload, options);
  }
  if (scripts.empty()) {
    report(event::kSkipped, "no legal candidate");
    return llvm::Error::success();
  }
  OwningOpRef<ModuleOp> payload =
      applyScript(outlined.clone(), *joinScripts(&getContext(), scripts));
  if (!payload)
    return fail("the script does not apply");
  if (failed(verify(*payload)))
    return fail("the script makes invalid IR");
  if (failed(inlineTasks(*payload)))
    return fail("the tasks cannot be inlined");
  return runScheduled(*payload, options);
}

llvm::Error OperatorTest::runScheduled(ModuleOp module,
                                       const CompileOptions &options) {
  auto target = Target::parse(draw.target, draw.threads);
  if (!target)
    return target.takeError();
  std::string wrong;
  if (draw.isGPU) {
    llvm::LLVMContext context;
    auto code = compileToDevice(module, context, *target, options);
    if (!code) {
      std::string why = llvm::toString(code.takeError());
      if (llvm::StringRef(why).contains("no CUDA toolkit")) {
        report(event::kSkipped, "functions of CUDA's library");
        return llvm::Error::success();
      }
      return fail("the scheduled operator has no kernels", why);
    }
    wrong = data->emulate(*code, *target);
  } else {
    if (draw.isStreamed)
      target->l2Bytes = target->l3Bytes = 1;
    auto library = compileKernel(module, *target, options);
    if (!library)
      return fail("the scheduled operator does not compile",
                  library.takeError());
    wrong = data->call(*library);
  }
  if (wrong.empty()) {
    wrong = data->compare(draw.op.isExact);
    if (!wrong.empty() && !draw.op.isExact &&
        data->areIllConditioned(*unscheduled)) {
      report(event::kSkipped, event::kUndecided);
      return llvm::Error::success();
    }
  }
  if (!wrong.empty())
    return fail("the scheduled operator is wrong", wrong);
  report(event::kCase, "");
  return llvm::Error::success();
}

llvm::Error OperatorTest::run() {
  auto module = parseSourceString<ModuleOp>(draw.op.text, &getContext());
  if (!module)
    return fail("the operator does not parse");
  if (!module
           ->walk([](Operation *op) {
             return isa<linalg::LinalgOp, linalg::SoftmaxOp>(op)
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           })
           .wasInterrupted()) {
    report(event::kSkipped, "no linalg op");
    return llvm::Error::success();
  }
  reportKinds();
  if (llvm::Error error = runUnscheduled(*module))
    return error;
  if (llvm::Error error = cutTasks(*module))
    return error;
  if (drawn.empty() && !draw.isGPU) {
    report(event::kSkipped, "no task with a sketch");
    return llvm::Error::success();
  }
  if (drawn.size() > 1)
    report(event::kKind, "several tasks");
  const unsigned candidates = drawn.empty() ? 1 : kCandidatesPerOperator;
  for (unsigned i = 0; i != candidates; ++i)
    if (llvm::Error error = runCandidates(*module))
      return error;
  return llvm::Error::success();
}

std::string test::describeOperator(uint64_t seed, Target::Kind kind) {
  const Draw draw(seed, kind);
  return draw.op.text + "target = " + draw.target +
         ", threads = " + std::to_string(draw.threads);
}

void test::testOperator(uint64_t seed, Target::Kind kind, ReportFn report) {
  OperatorTest test(seed, kind, report);
  if (llvm::Error error = test.run())
    report(event::kFailure, llvm::toString(std::move(error)));
}

void test::prepareForOperators() {
  getContext();
  getTargets();
}
