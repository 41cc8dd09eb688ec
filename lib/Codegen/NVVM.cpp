//===- NVVM.cpp - From a scheduled payload to PTX -------------------------===//

#include "SchedOpt/Codegen/NVVM.h"
#include "AllowInlining.h"
#include "LocatedMessage.h"
#include "Machine.h"
#include "SchedOpt/Codegen/Passes.h"
#include "ToolkitFiles.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

using namespace llvm;
using namespace sched;

/// From kernels on.
static void addLowering(mlir::OpPassManager &pm) {
  pm.addPass(createLowerKernelsPass());
  mlir::OpPassManager &kernels = pm.nest<mlir::gpu::GPUModuleOp>();
  kernels.addPass(createLowerBitsPass());
  kernels.addPass(mlir::createCanonicalizerPass());
  kernels.addPass(mlir::createCSEPass());
}

void sched::buildLowerToNVVMPipeline(mlir::OpPassManager &pm,
                                     const LowerToNVVMOptions &options) {
  addInlining(pm);
  pm.addPass(createBindBlocksPass());
  FormKernelsPassOptions kernels;
  kernels.chip = options.chip;
  pm.addPass(createFormKernelsPass(kernels));
  addLowering(pm);
}

/// The first version of PTX that has what we use of the chip: an old driver
/// takes no newer one.
static StringRef getPTXVersion(StringRef chip) {
  return StringSwitch<StringRef>(chip)
      .Cases({"sm_80", "sm_86", "sm_89", "sm_90"}, "+ptx78")
      .Case("sm_90a", "+ptx80")
      .Cases({"sm_100", "sm_100a"}, "+ptx86")
      .Default("+ptx87");
}

/// Pointers to shared memory have 32 bits, as its addresses have: half the
/// registers, and constants stay in the offsets of loads. LLVM has an option of
/// the process for that alone, which decides when a code generator is made.
/// Where a host has dropped it, or asked for its own value, it stays as it is:
/// the data layout is that of the code generator either way.
static void shortenPointers() {
  static std::once_flag once;
  std::call_once(once, [] {
    cl::Option *option = cl::getRegisteredOptions().lookup("nvptx-short-ptr");
    if (option && option->getNumOccurrences() == 0)
      // Parsed as on a command line, so that the option's type is its own
      // affair; not counted as given there.
      option->addOccurrence(0, option->ArgStr, "true", /*MultiArg=*/true);
  });
}

static Expected<std::unique_ptr<TargetMachine>>
createGPUMachine(const sched::Target &target, int optLevel) {
  if (target.kind != sched::Target::Kind::NVVM)
    return createStringError("target '" + target.str() +
                             "' is no GPU; expected nvvm:CHIP, such as "
                             "nvvm:sm_80");
  sched::Target complete = target;
  // Features of ours are none of LLVM's.
  complete.features = getPTXVersion(target.mcpu).str();
  initializeLLVMTargets();
  shortenPointers();
  return createMachine(complete, optLevel);
}

/// One error for the first launch that the chip cannot run.
static Error checkLimits(mlir::ModuleOp module, const sched::Target &target) {
  Error error = Error::success();
  module.walk([&](mlir::gpu::LaunchFuncOp launch) {
    auto fail = [&](const Twine &what) {
      consumeError(std::move(error));
      error = createStringError(
          std::make_error_code(std::errc::value_too_large),
          printLocated(launch.getLoc(),
                       "kernel @" + launch.getKernelName().getValue() + " " +
                           what + "; give smaller tiles"));
      return mlir::WalkResult::interrupt();
    };
    auto getSizes = [](const mlir::gpu::KernelDim3 &sizes) {
      std::array<uint64_t, 3> result;
      const mlir::Value all[] = {sizes.x, sizes.y, sizes.z};
      for (auto [i, value] : enumerate(all))
        result[i] = mlir::getConstantIntValue(value).value_or(1);
      return result;
    };
    const auto grid = getSizes(launch.getGridSizeOperandValues()),
               block = getSizes(launch.getBlockSizeOperandValues());
    const uint64_t threads = block[0] * block[1] * block[2];
    if (threads > uint64_t(target.gpu.maxBlockThreads) || block[2] > 64)
      return fail("has blocks of " + Twine(block[0]) + " x " + Twine(block[1]) +
                  " x " + Twine(block[2]) + " threads; " + target.mcpu +
                  " has at most " + Twine(target.gpu.maxBlockThreads) +
                  " in all, 64 of them along z");
    if (grid[0] > INT32_MAX || grid[1] > UINT16_MAX || grid[2] > UINT16_MAX)
      return fail("has a grid of " + Twine(grid[0]) + " x " + Twine(grid[1]) +
                  " x " + Twine(grid[2]) +
                  " blocks; expected at most 2147483647 x 65535 x 65535");
    int64_t shared = 0;
    if (mlir::Value value = launch.getDynamicSharedMemorySize())
      shared = mlir::getConstantIntValue(value).value_or(0);
    if (shared > target.gpu.maxBlockSharedBytes)
      return fail("takes " + Twine(shared) + " bytes of shared memory; " +
                  target.mcpu + " has " +
                  Twine(target.gpu.maxBlockSharedBytes) + " for a block");
    return mlir::WalkResult::advance();
  });
  return error;
}

/// Links the functions of CUDA's library that `module` calls.
static Error linkLibrary(Module &module) {
  const auto isCalled = [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  };
  const auto called = find_if(module, isCalled);
  if (called == module.end())
    return Error::success();
  const std::string purpose =
      ("'" + called->getName() + "', a function without a formula of ours")
          .str();
  Expected<std::string> path =
      findToolkitFile({"nvvm/libdevice/libdevice.10.bc"}, purpose);
  if (!path)
    return path.takeError();
  auto buffer = MemoryBuffer::getFile(*path);
  if (!buffer)
    return createFileError(*path, buffer.getError());
  Expected<std::unique_ptr<Module>> library =
      parseBitcodeFile(**buffer, module.getContext());
  if (!library)
    return createFileError(*path, library.takeError());
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  if (Linker::linkModules(
          module, std::move(*library), Linker::LinkOnlyNeeded,
          [](Module &linked, const StringSet<> &names) {
            internalizeModule(linked, [&](const GlobalValue &value) {
              return !value.hasName() || !names.contains(value.getName());
            });
          }))
    return createStringError("cannot link " + *path);
  return Error::success();
}

static Error translate(mlir::gpu::GPUModuleOp kernels, DeviceCode &code,
                       LLVMContext &context, TargetMachine &machine) {
  ErrorCollector errors(kernels.getContext());
  code.module = mlir::translateModuleToLLVMIR(kernels, context);
  if (!code.module)
    return errors.take("translation to LLVM IR failed");
  code.module->setDataLayout(machine.createDataLayout());
  code.module->setTargetTriple(machine.getTargetTriple());
  return linkLibrary(*code.module);
}

Expected<DeviceCode> sched::compileToDevice(mlir::ModuleOp module,
                                            LLVMContext &context,
                                            const sched::Target &target,
                                            const CompileOptions &options,
                                            CompileTimes *times) {
  Stopwatch watch;
  Expected<std::unique_ptr<TargetMachine>> machine =
      createGPUMachine(target, options.optLevel);
  if (!machine)
    return machine.takeError();
  {
    ErrorCollector errors(module.getContext());
    mlir::PassManager pm(module.getContext(),
                         mlir::ModuleOp::getOperationName());
    pm.enableVerifier(options.verify);
    LowerToNVVMOptions lowering;
    lowering.chip = target.mcpu;
    if (module.getOps<mlir::gpu::GPUModuleOp>().empty())
      buildLowerToNVVMPipeline(pm, lowering);
    else
      addLowering(pm);
    if (mlir::failed(pm.run(module)))
      return errors.take("lowering to the dialect NVVM failed");
  }
  if (Error error = checkLimits(module, target))
    return std::move(error);
  DeviceCode code;
  Expected<LaunchPlan> plan = getLaunchPlan(module, target.mcpu);
  if (!plan)
    return plan.takeError();
  code.plan = std::move(*plan);
  watch.lap(times ? &times->lower : nullptr);

  auto kernels = module.getOps<mlir::gpu::GPUModuleOp>();
  if (!hasSingleElement(kernels))
    return createStringError(
        printLocated(module.getLoc(), "found " + Twine(range_size(kernels)) +
                                          " modules of kernels, expected one"));
  if (Error error = translate(*kernels.begin(), code, context, **machine))
    return std::move(error);
  watch.lap(times ? &times->translate : nullptr);
  optimize(*code.module, **machine, options.optLevel);
  watch.lap(times ? &times->optimize : nullptr);
  return std::move(code);
}

Expected<std::string> sched::emitPTX(Module &module,
                                     const sched::Target &target) {
  Expected<std::unique_ptr<TargetMachine>> machine =
      createGPUMachine(target, /*optLevel=*/3);
  if (!machine)
    return machine.takeError();
  // Code generation rewrites what it is given.
  std::unique_ptr<Module> copy = CloneModule(module);
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      CodeGenFileType::AssemblyFile))
    return createStringError("LLVM cannot emit PTX");
  passes.run(*copy);
  return text.str().str();
}
