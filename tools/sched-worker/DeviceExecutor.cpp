//===- DeviceExecutor.cpp - Kernels on a GPU ------------------------------===//

#include "DeviceExecutor.h"
#include "Channel.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sched::worker {

/// Programs that stay loaded: enough for those that are compared taking turns.
static constexpr unsigned kMostPrograms = 32;

static const char *nameKind(DeviceError::Kind kind) {
  switch (kind) {
  case DeviceError::Kind::Absent:
  case DeviceError::Kind::DriverTooOld:
    return failure::kDevice;
  case DeviceError::Kind::Memory:
    return failure::kMemory;
  case DeviceError::Kind::OverLimit:
    return failure::kOverLimit;
  case DeviceError::Kind::Crash:
    return failure::kCrash;
  case DeviceError::Kind::Timeout:
    return failure::kTimeout;
  case DeviceError::Kind::WrongCode:
  case DeviceError::Kind::Other:
    return failure::kRuntime;
  }
  llvm_unreachable("all kinds are named");
}

Error describeDeviceError(Error error, StringRef stage) {
  return handleErrors(std::move(error), [&](const DeviceError &failed) {
    return failRequest(nameKind(failed.kind), stage, failed.message);
  });
}

class DeviceExecutor final : public Executor {
public:
  DeviceExecutor(DeviceRunner &runner, LoadedProgram program)
      : runner(runner), program(std::move(program)) {}

  Error bind(Operands &given) override {
    operands = &given;
    ArrayRef<LaunchBuffer> expected = program.getOperands();
    const bool fits = llvm::equal(
        expected, given.getTensors(),
        [](const LaunchBuffer &buffer, const GuardedTensor &tensor) {
          return buffer.bytes == tensor.size() &&
                 (buffer.role == LaunchBuffer::Role::Output) ==
                     tensor.getSpec().isResult;
        });
    if (!fits)
      return failRequest(failure::kRuntime, stage::kLoad,
                         "found other operands in the launch plan than the "
                         "task has");
    if (Error error = runner.provide(given)) {
      runner.releaseOperands();
      return describeDeviceError(std::move(error), stage::kLoad);
    }
    return Error::success();
  }

  Error call() override {
    for (auto [tensor, buffer] :
         llvm::zip_equal(operands->getTensors(), runner.buffers))
      if (tensor.getSpec().isResult)
        if (Error error = runner.device->upload(buffer, tensor.data()))
          return describeDeviceError(std::move(error), stage::kCheck);
    if (Error error = program.launch(runner.addresses))
      return describeDeviceError(std::move(error), stage::kCheck);
    for (auto [position, tensor, buffer] :
         llvm::enumerate(operands->getTensors(), runner.buffers)) {
      Expected<std::optional<int64_t>> offset =
          runner.device->findTrespass(buffer);
      if (!offset)
        return describeDeviceError(offset.takeError(), stage::kCheck);
      if (*offset)
        return failRequest(failure::kOutOfBounds, stage::kCheck,
                           "wrote at byte " + Twine(**offset) + " of tensor " +
                               Twine(position) + " (" + tensor.getSpec().str() +
                               ", " + Twine(tensor.size()) + " bytes)");
      // Inputs as well: whether they changed is seen here.
      if (Error error = runner.device->download(buffer, tensor.data()))
        return describeDeviceError(std::move(error), stage::kCheck);
    }
    return Error::success();
  }

  Expected<Timing> time(TimingOptions options) override {
    auto flush = [&] { return runner.device->flushCache(); };
    options.prepare = flush;
    Expected<Timing> timing = timeRepeats(
        [&](int64_t calls) {
          return runner.device->time([&]() -> Error {
            for (int64_t i = 0; i != calls; ++i)
              if (Error error = program.launch(runner.addresses))
                return error;
            return Error::success();
          });
        },
        options, [] { return monotonicSeconds(); });
    if (!timing)
      return describeDeviceError(timing.takeError(), stage::kRun);
    return timing;
  }

  std::vector<KernelUsage> getUsage() const override {
    std::vector<KernelUsage> kernels;
    for (const KernelLaunch &launch : program.getLaunches()) {
      const KernelResources &taken = program.getResources().at(launch.kernel);
      KernelUsage &usage = kernels.emplace_back();
      usage.kernel = launch.kernel;
      usage.registers = taken.registers;
      usage.localBytes = taken.stackBytes;
      usage.spillBytes = taken.spillStoreBytes + taken.spillLoadBytes;
      usage.sharedBytes = int64_t(taken.sharedBytes) + launch.sharedBytes;
      usage.threads = countAll(launch.block);
      usage.blocks = countAll(launch.grid);
    }
    return kernels;
  }

private:
  static int64_t countAll(const std::array<uint32_t, 3> &sizes) {
    return int64_t(sizes[0]) * sizes[1] * sizes[2];
  }

  DeviceRunner &runner;
  LoadedProgram program;
  Operands *operands = nullptr;
};

Expected<const Device *> DeviceRunner::open() {
  if (!device) {
    Expected<std::unique_ptr<Device>> opened = Device::open();
    if (!opened)
      return describeDeviceError(opened.takeError(), stage::kLoad);
    device = std::move(*opened);
  }
  return device.get();
}

Expected<Executor *> DeviceRunner::load(StringRef path,
                                        const RunRequest &request) {
  if (auto known = programs.find(path); known != programs.end())
    return known->second.get();
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return failRequest(failure::kRuntime, stage::kLoad,
                       "cannot read the object '" + path +
                           "': " + file.getError().message());
  Expected<DeviceProgram> program =
      DeviceProgram::parse((*file)->getBuffer(), path);
  if (!program)
    return program.takeError();
  Expected<Target> target = Target::parse(request.target);
  if (!target)
    return target.takeError();
  Expected<const Device *> opened = open();
  if (!opened)
    return opened.takeError();
  if (Error error = checkRunsOn(*target, device->getProperties()))
    return failRequest(failure::kDevice, stage::kLoad,
                       toString(std::move(error)));
  Expected<LoadedProgram> loaded =
      LoadedProgram::load(*device, *program, request.function);
  if (!loaded)
    return describeDeviceError(loaded.takeError(), stage::kLoad);
  if (programs.size() >= kMostPrograms)
    programs.clear();
  std::unique_ptr<Executor> &executor = programs[path];
  executor = std::make_unique<DeviceExecutor>(*this, std::move(*loaded));
  return executor.get();
}

void DeviceRunner::releaseOperands() {
  buffers.clear();
  addresses.clear();
}

Error DeviceRunner::provide(Operands &operands) {
  if (!buffers.empty())
    return Error::success();
  for (GuardedTensor &tensor : operands.getTensors()) {
    Expected<DeviceBuffer> buffer = device->allocate(tensor.size());
    if (!buffer)
      return buffer.takeError();
    if (!tensor.getSpec().isResult)
      if (Error error = device->upload(*buffer, tensor.data()))
        return error;
    addresses.push_back(buffer->getAddress());
    buffers.push_back(std::move(*buffer));
  }
  return Error::success();
}

} // namespace sched::worker
