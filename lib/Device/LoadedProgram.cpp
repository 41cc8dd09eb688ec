//===- LoadedProgram.cpp - Kernels on a device ----------------------------===//

#include "SchedOpt/Device/DeviceProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace llvm;
using namespace sched;

void LoadedProgram::Unload::operator()(Driver::Module module) const {
  device->getDriver().moduleUnload(module);
}

LoadedProgram::~LoadedProgram() = default;

ArrayRef<LaunchBuffer> LoadedProgram::getOperands() const {
  return ArrayRef(function.buffers).take_front(numOperands);
}

Error LoadedProgram::loadModule(const DeviceProgram &program) {
  const Driver &cuda = device->getDriver();
  module = {nullptr, Unload{device}};
  auto load = [&](const char *image, StringRef what) -> Error {
    constexpr size_t kLogBytes = 1 << 14;
    std::string info(kLogBytes, '\0'), problem(kLogBytes, '\0');
    // Sizes and flags are passed in place of pointers.
    std::array options = {Driver::kJITInfoLog, Driver::kJITInfoLogBytes,
                          Driver::kJITErrorLog, Driver::kJITErrorLogBytes,
                          Driver::kJITLogVerbose};
    std::array<void *, options.size()> values = {
        info.data(), reinterpret_cast<void *>(kLogBytes), problem.data(),
        reinterpret_cast<void *>(kLogBytes), reinterpret_cast<void *>(1)};
    Driver::Module loaded = nullptr;
    const Driver::Status status = cuda.moduleLoadDataEx(
        &loaded, image, options.size(), options.data(), values.data());
    if (status == Driver::kSuccess) {
      module.reset(loaded);
      resources = parseAssemblerLog(info.c_str());
      return Error::success();
    }
    // The first line says what is wrong; the rest comes of it.
    const StringRef reason =
        StringRef(problem.c_str()).trim().split('\n').first;
    const DeviceProperties &properties = device->getProperties();
    const int version = properties.driverVersion;
    return cuda.check(status, "loading " + what + " for " + program.plan.chip +
                                  " on " + properties.name + " (" +
                                  properties.getChip() + ", driver for CUDA " +
                                  Twine(version / 1000) + "." +
                                  Twine(version % 1000 / 10) + ")" +
                                  (reason.empty() ? "" : "; " + reason));
  };
  // A cubin of a newer toolkit may be more than the driver reads.
  Error first = program.cubin.empty() ? Error::success()
                                      : load(program.cubin.data(), "a cubin");
  if (!program.cubin.empty()) {
    if (!first)
      return first;
    bool isCode = false;
    first = handleErrors(
        std::move(first), [&](std::unique_ptr<DeviceError> failed) -> Error {
          isCode = failed->kind == DeviceError::Kind::WrongCode ||
                   failed->kind == DeviceError::Kind::DriverTooOld;
          return Error(std::move(failed));
        });
    if (!isCode || program.ptx.empty())
      return first;
  }
  Error second = load(program.ptx.c_str(), "PTX");
  if (second) {
    // Both were tried; the PTX says more.
    consumeError(std::move(first));
    return handleErrors(
        std::move(second), [](std::unique_ptr<DeviceError> failed) -> Error {
          if (failed->kind == DeviceError::Kind::DriverTooOld)
            failed->message += "; update the NVIDIA driver, or install a CUDA "
                               "toolkit that is no newer than it";
          return Error(std::move(failed));
        });
  }
  consumeError(std::move(first));
  return Error::success();
}

Error LoadedProgram::addLaunch(const KernelLaunch &plan) {
  const Driver &cuda = device->getDriver();
  Driver::Function found = nullptr;
  if (Error error = cuda.check(
          cuda.moduleGetFunction(&found, module.get(), plan.kernel.c_str()),
          "looking for the kernel " + plan.kernel))
    return error;
  KernelResources &own = resources[plan.kernel];
  auto get = [&](int attribute, unsigned &value) {
    int read = 0;
    Error error = cuda.check(cuda.funcGetAttribute(&read, attribute, found),
                             "asking what " + plan.kernel + " takes");
    value = static_cast<unsigned>(read);
    return error;
  };
  if (Error error = get(Driver::kFunctionRegisters, own.registers))
    return error;
  if (Error error = get(Driver::kFunctionLocalBytes, own.stackBytes))
    return error;
  if (Error error = get(Driver::kFunctionSharedBytes, own.sharedBytes))
    return error;
  const int64_t most = device->getProperties().maxBlockSharedBytes;
  if (most > 0 && int64_t(own.sharedBytes) + plan.sharedBytes > most)
    return make_error<DeviceError>(
        DeviceError::Kind::OverLimit,
        "found " + Twine(own.sharedBytes + plan.sharedBytes) +
            " bytes of shared memory for a block of " + plan.kernel +
            ", expected at most " + Twine(most) + " on this GPU");
  // Above 48 KiB a kernel has to ask for it.
  if (plan.sharedBytes > 0)
    if (Error error = cuda.check(
            cuda.funcSetAttribute(found, Driver::kFunctionMaxDynamicShared,
                                  static_cast<int>(plan.sharedBytes)),
            "giving " + plan.kernel + " " + Twine(plan.sharedBytes) +
                " bytes of shared memory"))
      return error;
  kernels.push_back(found);
  return Error::success();
}

Expected<LoadedProgram> LoadedProgram::load(const Device &device,
                                            const DeviceProgram &program,
                                            StringRef name) {
  auto wrong = [&](const Twine &message) {
    return make_error<DeviceError>(DeviceError::Kind::WrongCode, message);
  };
  const LaunchFunction *function = program.plan.find(name);
  if (!function)
    return wrong("found no function " + name + " in the launch plan");
  LoadedProgram loaded;
  loaded.device = &device;
  loaded.function = *function;
  if (Error error = loaded.loadModule(program))
    return std::move(error);
  for (const LaunchBuffer &buffer : function->buffers) {
    if (buffer.role != LaunchBuffer::Role::Scratch) {
      if (!loaded.scratch.empty())
        return wrong("found an operand of " + name +
                     " behind its scratch memory, expected it before");
      ++loaded.numOperands;
      continue;
    }
    Expected<DeviceBuffer> memory = device.allocate(buffer.bytes);
    if (!memory)
      return memory.takeError();
    loaded.scratch.push_back(std::move(*memory));
  }
  for (const KernelLaunch &launch : function->launches) {
    if (llvm::any_of(launch.arguments, [&](uint32_t argument) {
          return argument >= function->buffers.size();
        }))
      return wrong("found an argument of " + launch.kernel +
                   " that is no buffer of " + name);
    if (Error error = loaded.addLaunch(launch))
      return std::move(error);
  }
  return loaded;
}

Error LoadedProgram::launch(ArrayRef<Driver::Address> operands) const {
  assert(operands.size() == numOperands && "one address each");
  const Driver &cuda = device->getDriver();
  for (auto [kernel, launch] : llvm::zip_equal(kernels, function.launches)) {
    const auto &[name, grid, block, sharedBytes, arguments] = launch;
    SmallVector<Driver::Address> addresses;
    for (uint32_t argument : arguments)
      addresses.push_back(argument < numOperands
                              ? operands[argument]
                              : scratch[argument - numOperands].getAddress());
    SmallVector<void *> pointers;
    for (Driver::Address &address : addresses)
      pointers.push_back(&address);
    // The driver knows how many there are; what stands in for it may not.
    pointers.push_back(nullptr);
    if (Error error = cuda.check(
            cuda.launchKernel(kernel, grid[0], grid[1], grid[2], block[0],
                              block[1], block[2], sharedBytes,
                              device->getStream(), pointers.data(), nullptr),
            "launching " + name))
      return error;
  }
  return Error::success();
}
