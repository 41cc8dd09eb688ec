//===- DeviceBuilder.cpp - A payload as kernels of a GPU ------------------===//

#include "DeviceBuilder.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace sched::worker {

/// Registers of a warp come in pieces of this size, 8 a thread.
static constexpr int64_t kRegisterPiece = 256;

static std::vector<KernelUsage> describe(const LaunchFunction &function,
                                         const AssembledCode &code) {
  std::vector<KernelUsage> kernels;
  for (const KernelLaunch &launch : function.launches) {
    KernelUsage &usage = kernels.emplace_back();
    usage.kernel = launch.kernel;
    usage.threads =
        int64_t(launch.block[0]) * launch.block[1] * launch.block[2];
    usage.blocks = int64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    usage.sharedBytes = launch.sharedBytes;
    auto taken = code.kernels.find(launch.kernel);
    if (taken == code.kernels.end())
      continue;
    usage.registers = taken->second.registers;
    usage.localBytes = taken->second.stackBytes;
    usage.spillBytes =
        int64_t(taken->second.spillStoreBytes) + taken->second.spillLoadBytes;
    usage.sharedBytes += taken->second.sharedBytes;
  }
  return kernels;
}

/// Whether each kernel can be launched and is worth it.
static Error checkUsage(const std::vector<KernelUsage> &kernels,
                        const Target &target) {
  for (const KernelUsage &usage : kernels) {
    auto refuse = [&](const char *kind, const Twine &message) {
      return failRequest(kind, stage::kCodegen, message, kernels);
    };
    if (usage.sharedBytes > target.gpu.maxBlockSharedBytes)
      return refuse(failure::kOverLimit,
                    usage.kernel + " takes " + Twine(usage.sharedBytes) +
                        " bytes of shared memory a block, expected at most " +
                        Twine(target.gpu.maxBlockSharedBytes));
    if (usage.threads > target.gpu.maxBlockThreads)
      return refuse(failure::kOverLimit, usage.kernel + " has blocks of " +
                                             Twine(usage.threads) +
                                             " threads, expected at most " +
                                             Twine(target.gpu.maxBlockThreads));
    const int64_t warps = divideCeil(usage.threads, target.gpu.warp);
    const int64_t registers =
        warps * alignTo(usage.registers * target.gpu.warp, kRegisterPiece);
    if (registers > target.gpu.registers)
      return refuse(failure::kOverLimit,
                    usage.kernel + " takes " + Twine(registers) +
                        " registers a block, expected at most " +
                        Twine(target.gpu.registers));
    if (usage.spillBytes > 0)
      return refuse(failure::kSpill, describeSpill(usage));
  }
  return Error::success();
}

Expected<DeviceBuild> buildForDevice(mlir::ModuleOp module, StringRef function,
                                     const Target &target, int optLevel,
                                     Channel &channel) {
  auto fail = [](StringRef stage, Error error) {
    return failRequest(failure::kBuildError, stage, toString(std::move(error)));
  };
  channel.enter(stage::kLower);
  CompileOptions options;
  options.optLevel = optLevel;
  llvm::LLVMContext context;
  Expected<DeviceCode> code = compileToDevice(module, context, target, options);
  if (!code) {
    Error error = code.takeError();
    const char *kind = failure::kBuildError;
    error = handleErrors(
        std::move(error), [&](std::unique_ptr<StringError> failed) -> Error {
          if (failed->convertToErrorCode() == std::errc::value_too_large)
            kind = failure::kOverLimit;
          return Error(std::move(failed));
        });
    return failRequest(kind, stage::kLower, toString(std::move(error)));
  }
  channel.enter(stage::kCodegen);
  Expected<std::string> ptx = emitPTX(*code->module, target);
  if (!ptx)
    return fail(stage::kCodegen, ptx.takeError());
  DeviceBuild build;
  build.program.plan = std::move(code->plan);
  build.program.ptx = std::move(*ptx);
  const LaunchFunction *plan = build.program.plan.find(function);
  if (!plan)
    return failRequest(failure::kBuildError, stage::kLower,
                       "found no launches of @" + function);
  Expected<AssembledCode> assembled =
      assemblePTX(build.program.ptx, target.mcpu);
  if (!assembled) {
    Error error = assembled.takeError();
    bool isMissing = false;
    error = handleErrors(std::move(error),
                         [&](std::unique_ptr<StringError> failed) -> Error {
                           isMissing = failed->convertToErrorCode() ==
                                       std::errc::no_such_file_or_directory;
                           return Error(std::move(failed));
                         });
    if (!isMissing)
      return fail(stage::kCodegen, std::move(error));
    // No toolkit here: the driver has one of its own.
    consumeError(std::move(error));
    return build;
  }
  build.program.cubin = std::move(assembled->cubin);
  build.kernels = describe(*plan, *assembled);
  if (Error error = checkUsage(build.kernels, target))
    return std::move(error);
  return build;
}

} // namespace sched::worker
