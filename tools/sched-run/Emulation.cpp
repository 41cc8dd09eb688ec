//===- Emulation.cpp - Runs kernels of a GPU in the emulator --------------===//

#include "Emulation.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sched::run {

static Expected<DeviceCode> readKernels(LLVMContext &context,
                                        const EmulationRequest &request,
                                        const Target &target) {
  SMDiagnostic diagnostic;
  DeviceCode code;
  code.module = parseIRFile(request.kernels, diagnostic, context);
  if (!code.module) {
    std::string text;
    raw_string_ostream os(text);
    diagnostic.print(nullptr, os, /*ShowColors=*/false);
    return createStringError("'" + request.kernels +
                             "' is not LLVM IR: " + StringRef(text).trim());
  }
  auto file = MemoryBuffer::getFile(request.launch, /*IsText=*/true);
  if (!file)
    return createStringError("cannot read '" + request.launch +
                             "': " + file.getError().message());
  Expected<LaunchPlan> plan = parseLaunchPlan((*file)->getBuffer());
  if (!plan)
    return createStringError("'" + request.launch +
                             "': " + toString(plan.takeError()));
  if (plan->chip != target.mcpu)
    return createStringError("found kernels for " + plan->chip + " in '" +
                             request.launch + "' and a target of " +
                             target.mcpu +
                             ", expected --target=nvvm:" + plan->chip);
  code.plan = std::move(*plan);
  return std::move(code);
}

Expected<EmulatedRun> runEmulated(mlir::ModuleOp payload, const RunInfo &info,
                                  const Target &target, Kernel &unscheduled,
                                  Kernel *widened,
                                  const EmulationRequest &request) {
  EmulatedRun run;
  LLVMContext context;
  DeviceCode code;
  if (request.kernels.empty()) {
    const double begin = monotonicSeconds();
    if (failed(keepOnly(payload, info.name)))
      return createStringError("the functions beside @" + info.name +
                               " could not be removed");
    Expected<DeviceCode> compiled =
        compileToDevice(payload, context, target, CompileOptions());
    if (!compiled)
      return compiled.takeError();
    code = std::move(*compiled);
    run.compileS = monotonicSeconds() - begin;
  } else {
    Expected<DeviceCode> read = readKernels(context, request, target);
    if (!read)
      return read.takeError();
    code = std::move(*read);
  }
  const LaunchFunction *function = code.plan.find(info.name);
  if (!function)
    return createStringError("the launch plan has no function '" + info.name +
                             "'");
  run.launches = function->launches.size();

  std::vector<GuardedTensor> expected = makeTensors(info, request.seed);
  unscheduled.bind(expected);
  unscheduled.call();
  std::vector<TensorSpec> specs =
      widenExpected(info, widened, request.seed, expected);
  std::vector<GuardedTensor> tensors = makeTensors(info, request.seed);
  std::vector<MutableArrayRef<char>> arguments;
  for (GuardedTensor &tensor : tensors)
    arguments.push_back({static_cast<char *>(tensor.data()), tensor.size()});
  EmulationOptions options;
  options.allowUnwrittenShared = true;
  options.countTraffic = true;
  Expected<EmulationReport> report =
      emulate(*code.module, *function, arguments, target, options);
  if (!report)
    return report.takeError();
  run.report = *report;
  compareTensors(specs, expected, tensors, run.check);
  if (!run.check.wrong.empty() && !run.report.firstUnwrittenRead.empty())
    run.check.wrong += "; memory that no thread wrote was read, first by " +
                       run.report.firstUnwrittenRead;
  return run;
}

} // namespace sched::run
