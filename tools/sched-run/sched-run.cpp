//===- sched-run.cpp - Times and checks one function ----------------------===//
//
//   sched-run in.mlir --entry=f --transform=best.mlir --threads=2 --json
//   sched-run in.mlir --entry=f --work-dir=DIR
//   sched-run in.mlir --entry=f
//   sched-run in.mlir --entry=f --target=nvvm:native
//   sched-run in.mlir --entry=f --target=nvvm:sm_90a --emulate
//
// Applies a schedule (a transform script, or the best of a tuner's records) to
// a copy of the input, compares its results with the input's own, and times
// both. Without a schedule it times the input as it is. Kernels of a GPU are
// emulated instead, and their results compared.
//
// Read next: Payload.h, Kernel.h, Session.h, Emulation.h, Report.h.
//
//===----------------------------------------------------------------------===//

#include "../common/FunctionInfo.h"
#include "../common/WidenSums.h"
#include "../sched-worker/TransformDialects.h"
#include "Emulation.h"
#include "Kernel.h"
#include "Payload.h"
#include "Report.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/History.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Support/TensorFloat.h"
#include "Session.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace mlir;
using namespace sched;
using namespace sched::run;

namespace {
/// Constructed in main, once the options that libLLVM registers by itself
/// (it has a `threads` too) are out of the way.
struct Options {
  cl::OptionCategory category{"sched-run"};
  cl::opt<std::string> input{cl::Positional, cl::cat(category), cl::init("-"),
                             cl::desc("<input.mlir>")};
  cl::opt<std::string> entry{
      "entry", cl::cat(category), cl::value_desc("NAME"),
      cl::desc("Function to run (the only one, if there is one)")};
  cl::opt<std::string> transform{
      "transform", cl::cat(category), cl::value_desc("FILE"),
      cl::desc("Schedule: a module with @__transform_main")};
  cl::opt<std::string> workDir{
      "work-dir", cl::cat(category), cl::value_desc("DIR"),
      cl::desc("Take the best schedule of the records in DIR")};
  cl::opt<std::string> space{
      "space", cl::cat(category), cl::value_desc("FILE"),
      cl::desc("With --work-dir: the spaces that were searched, where they "
               "were in a file of their own")};
  cl::opt<std::string> winograd{
      "winograd", cl::cat(category), cl::init("auto"), cl::value_desc("FORM"),
      cl::desc("With --work-dir: form of 3x3 convolutions, as it was for the "
               "search: auto, off, 2 or 4 (auto)")};
  cl::opt<std::string> target{"target", cl::cat(category), cl::init("native"),
                              cl::value_desc("SPEC"),
                              cl::desc("What to compile for (native)")};
  cl::opt<bool> allowTF32{
      "allow-tf32", cl::cat(category),
      cl::desc("On a GPU, products of f32 may round their operands to tf32: "
               "the check allows for it")};
  cl::opt<int> threads{"threads", cl::cat(category), cl::init(0),
                       cl::desc("Threads of the scheduled code (one a core)")};
  cl::opt<double> minRepeatMs{
      "min-repeat-ms", cl::cat(category), cl::init(100),
      cl::desc("Milliseconds that a timed repeat lasts at least (100)")};
  cl::opt<int> repeats{"repeats", cl::cat(category), cl::init(7),
                       cl::desc("Timed repeats; the median counts (7)")};
  cl::opt<uint64_t> seed{"seed", cl::cat(category), cl::init(0),
                         cl::desc("Seed of the inputs (0)")};
  cl::opt<bool> emulate{
      "emulate", cl::cat(category),
      cl::desc("Run the kernels of a GPU in an emulator, which checks every "
               "access; results are compared with the input's own")};
  cl::opt<std::string> kernels{
      "kernels", cl::cat(category), cl::value_desc("FILE"),
      cl::desc("With --emulate: kernels that --emit=llvm wrote, instead of "
               "compiling the input")};
  cl::opt<std::string> launch{
      "launch", cl::cat(category), cl::value_desc("FILE"),
      cl::desc(
          "With --kernels: how they are launched, as --emit-launch wrote")};
  cl::opt<bool> json{"json", cl::cat(category),
                     cl::desc("Print one JSON object")};
};

/// A script and what to call it.
struct Script {
  std::string text, name;
  /// Of records: tasks that are left unscheduled are outlined all the same.
  bool isOfTasks = false;
  /// Functions that a search has put back.
  std::vector<std::string> putBack;
};
} // namespace

/// The schedule that the options ask for; an empty name: none.
static Expected<Script> loadScript(const Options &options, ModuleOp module,
                                   const sched::Target &target) {
  Script script;
  if (!options.transform.empty()) {
    auto file = MemoryBuffer::getFile(options.transform, /*IsText=*/true);
    if (!file)
      return createStringError("cannot read '" + options.transform +
                               "': " + file.getError().message());
    script.text = (*file)->getBuffer().str();
    script.name = options.transform;
  } else if (!options.workDir.empty()) {
    // What it looks at has its tasks outlined.
    OwningOpRef<ModuleOp> copy = module.clone();
    Expected<std::string> text = findBestScript(
        *copy, target, options.workDir, options.winograd, options.space);
    if (!text)
      return text.takeError();
    script.text = std::move(*text);
    script.name = "the best of '" + options.workDir + "'";
    script.isOfTasks = true;
    for (auto function : copy->getOps<mlir::func::FuncOp>())
      if (function->getAttrOfType<mlir::StringAttr>(
              sched::kLeftToDefaultAttrName))
        script.putBack.push_back(function.getName().str());
  }
  return script;
}

static Expected<Kernel> buildScheduled(ModuleOp input, const Script &script,
                                       const RunInfo &info,
                                       const sched::Target &target) {
  OwningOpRef<ModuleOp> payload = input.clone();
  if (!llvm::is_contained(script.putBack, info.name))
    if (Error error = applyScript(*payload, script.text, script.name,
                                  script.isOfTasks, target))
      return std::move(error);
  return Kernel::build(*payload, info, target);
}

static Error checkOptions(const Options &options) {
  if (!options.transform.empty() && !options.workDir.empty())
    return createStringError("found --transform and --work-dir, expected one "
                             "of them");
  if (!options.space.empty() && options.workDir.empty())
    return createStringError("--space goes with --work-dir, the records of a "
                             "search in it");
  if (options.kernels.empty() != options.launch.empty())
    return createStringError("--kernels and --launch go together: what "
                             "--emit=llvm and --emit-launch wrote");
  if (!options.kernels.empty() &&
      (!options.emulate || !options.transform.empty() ||
       !options.workDir.empty()))
    return createStringError("--kernels goes with --emulate, and is scheduled "
                             "already: no --transform, no --work-dir");
  if (options.threads < 0 || options.repeats < 1 || options.minRepeatMs <= 0)
    return createStringError("--threads starts at 0, --repeats at 1, and "
                             "--min-repeat-ms is above 0");
  return Error::success();
}

/// Builds, checks and times the kernels of a GPU that is here.
static Error measureOnDevice(const Options &options, ModuleOp module,
                             const RunInfo &info, const Script &script,
                             const sched::Target &target,
                             const std::string &spec) {
  OwningOpRef<ModuleOp> scheduled = module.clone();
  if (!script.name.empty())
    if (Error error = applyScript(*scheduled, script.text, script.name,
                                  script.isOfTasks, target))
      return error;
  DeviceRequest request;
  request.target = spec;
  request.seed = options.seed;
  request.minRepeatMs = options.minRepeatMs;
  request.repeats = options.repeats;
  Expected<DeviceRun> run = runOnDevice(module, *scheduled, info, request);
  if (!run)
    return run.takeError();
  const MeasureResult &result = run->result;
  if (options.json)
    outs() << formatv("{0:2}\n",
                      json::Value(toJSON(info, target, script.name, *run)));
  else if (result.succeeded())
    printText(outs(), info, script.name, *run);
  outs().flush();
  return result.succeeded()
             ? Error::success()
             : createStringError(result.error + " (" + result.stage +
                                 "): " + result.message);
}

/// Locations of what function `entry` does not call, and is nowhere in it.
static llvm::DenseSet<Location> collectLocationsElsewhere(ModuleOp module,
                                                          StringRef entry) {
  llvm::DenseSet<Location> all, own;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) { all.insert(op->getLoc()); });
  OwningOpRef<ModuleOp> kept = module.clone();
  if (failed(keepOnly(*kept, entry)))
    return own;
  kept->walk([&](Operation *op) { own.insert(op->getLoc()); });
  llvm::set_subtract(all, own);
  return all;
}

static Error runTool(const Options &options, MLIRContext &context,
                     SourceMgr &sources) {
  if (Error error = checkOptions(options))
    return error;
  Expected<std::string> spec = resolveTarget(options.target, options.allowTF32);
  if (!spec)
    return spec.takeError();
  Expected<sched::Target> target = sched::Target::parse(*spec, options.threads);
  if (!target)
    return target.takeError();
  const bool isGPU = target->kind == sched::Target::Kind::NVVM;
  if (options.emulate && !isGPU)
    return createStringError("found target '" + target->str() +
                             "' and --emulate: expected a GPU, such as "
                             "--target=nvvm:sm_90a");
  if (!isGPU && !target->isHost())
    return createStringError("found target '" + target->str() +
                             "', whose code this machine cannot run; use "
                             "native, or run on such a machine");
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return createStringError("'" + options.input +
                             "' is not MLIR that this "
                             "tool can read");
  mlir::PassManager lowering(&context);
  lowering.addPass(createScheduleLowerTosa());
  if (failed(lowering.run(*module)))
    return createStringError("the TOSA of '" + options.input +
                             "' cannot be lowered");
  // The input may be what schedule-outline-tasks made of a module.
  if (failed(inlineTasks(*module)))
    return createStringError("the outlined tasks of '" + options.input +
                             "' cannot be inlined");
  Expected<RunInfo> info =
      describeEntry(*module, options.entry, allowsTensorFloat(*target));
  if (!info)
    return info.takeError();
  // What there is to say of other functions is said where they are tuned.
  const llvm::DenseSet<Location> elsewhere =
      collectLocationsElsewhere(*module, info->name);
  ScopedDiagnosticHandler filter(&context, [&](mlir::Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() !=
                       mlir::DiagnosticSeverity::Error &&
                   elsewhere.contains(diagnostic.getLocation()));
  });
  Expected<Script> script = loadScript(options, *module, *target);
  if (!script)
    return script.takeError();
  dropSpaces(*module);
  if (isGPU && !options.emulate)
    return measureOnDevice(options, *module, *info, *script, *target, *spec);

  std::optional<Kernel> scheduled;
  if (!script->name.empty() && !isGPU) {
    Expected<Kernel> built = buildScheduled(*module, *script, *info, *target);
    if (!built)
      return built.takeError();
    scheduled.emplace(std::move(*built));
  }
  // The yardstick of speed and results is serial when a schedule is given; code
  // that comes scheduled keeps its threads.
  sched::Target plain = *target;
  if (isGPU) {
    Expected<sched::Target> host = sched::Target::parse("native", 1);
    if (!host)
      return host.takeError();
    plain = *host;
  } else if (scheduled) {
    plain.threads = 1;
  }
  OwningOpRef<ModuleOp> copy = module->clone();
  Expected<Kernel> unscheduled = Kernel::build(*copy, *info, plain);
  if (!unscheduled)
    return unscheduled.takeError();
  std::optional<Kernel> widened;
  if ((scheduled || isGPU) &&
      llvm::any_of(info->tensors, [](const TensorSpec &spec) {
        return spec.narrowLength > 0;
      })) {
    copy = module->clone();
    if (succeeded(widenSums(copy->lookupSymbol<func::FuncOp>(info->name)))) {
      Expected<Kernel> built = Kernel::build(*copy, *info, plain);
      if (!built)
        return built.takeError();
      widened.emplace(std::move(*built));
    }
  }

  if (isGPU) {
    EmulationRequest request;
    request.seed = options.seed;
    request.kernels = options.kernels;
    request.launch = options.launch;
    copy = module->clone();
    if (!script->name.empty())
      if (Error error = applyScript(*copy, script->text, script->name,
                                    script->isOfTasks, *target))
        return error;
    Expected<EmulatedRun> run =
        runEmulated(*copy, *info, *target, *unscheduled,
                    widened ? &*widened : nullptr, request);
    if (!run)
      return run.takeError();
    if (options.json)
      outs() << formatv(
          "{0:2}\n", json::Value(toJSON(*info, *target, script->name, *run)));
    else
      printText(outs(), *info, script->name, *run);
    outs().flush();
    return run->check.wrong.empty()
               ? Error::success()
               : createStringError("wrong result: " + run->check.wrong);
  }

  SessionOptions session;
  session.minRepeatS = options.minRepeatMs * 1e-3;
  session.repeats = options.repeats;
  session.seed = options.seed;
  Kernel *kernel = scheduled ? &*scheduled : nullptr;
  SessionResult result = runSession(
      *info, *unscheduled, widened ? &*widened : nullptr, kernel, session);
  Subject subject{*info, *target, script->name, *unscheduled, kernel};
  if (options.json)
    outs() << formatv("{0:2}\n", json::Value(toJSON(subject, result)));
  else
    printText(outs(), subject, result);
  outs().flush();
  if (!result.wrong.empty())
    return createStringError("wrong result: " + result.wrong);
  return Error::success();
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  // LLVM's options are not for the command line, where one has a name of ours;
  // they come back behind it, as code generation sets one.
  const auto ofLLVM = cl::SubCommand::getTopLevel().OptionsMap;
  cl::ResetCommandLineParser();
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "Times and checks one function, with its schedule.\n");
  cl::getRegisteredOptions().insert(ofLLVM.begin(), ofLLVM.end());

  SourceMgr sources;
  auto buffer = MemoryBuffer::getFileOrSTDIN(options.input, /*IsText=*/true);
  if (!buffer) {
    WithColor::error(errs(), "sched-run")
        << "cannot read '" << options.input
        << "': " << buffer.getError().message() << "\n";
    return 1;
  }
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());

  DialectRegistry registry;
  registerCodegenDialects(registry);
  worker::registerTransformDialects(registry);
  registry.insert<mlir::schedule::ScheduleDialect, mlir::tosa::TosaDialect>();
  registerLoopModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (Error error = runTool(options, context, sources)) {
    WithColor::error(errs(), "sched-run") << toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
