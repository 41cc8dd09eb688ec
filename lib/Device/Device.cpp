//===- Device.cpp - The GPU of this machine -------------------------------===//

#include "SchedOpt/Device/Device.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace sched;

static constexpr unsigned char kGuardByte = 0xb5;

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) {
  std::swap(device, other.device);
  std::swap(base, other.base);
  std::swap(bytes, other.bytes);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  // Fails after a crash, which has freed all.
  if (device)
    device->getDriver().memFree(base);
}

Expected<std::unique_ptr<Device>> Device::open(StringRef driverName) {
  Expected<std::shared_ptr<const Driver>> driver = Driver::load(driverName);
  if (!driver)
    return driver.takeError();
  std::unique_ptr<Device> device(new Device);
  device->driver = std::move(*driver);
  if (Error error = device->start())
    return std::move(error);
  return device;
}

Error Device::start() {
  const Driver &cuda = *driver;
  if (Error error = cuda.check(cuda.init(0), "starting the NVIDIA driver"))
    return error;
  int count = 0;
  if (Error error = cuda.check(cuda.deviceGetCount(&count), "counting GPUs"))
    return error;
  if (count == 0)
    return make_error<DeviceError>(DeviceError::Kind::Absent,
                                   "the NVIDIA driver finds no GPU");
  if (Error error = cuda.check(cuda.deviceGet(&id, 0), "choosing a GPU"))
    return error;
  if (Error error = readProperties())
    return error;
  // In this order: what fails is undone by the destructor.
  if (Error error = cuda.check(cuda.primaryCtxRetain(&context, id),
                               "taking " + properties.name))
    return error;
  if (Error error =
          cuda.check(cuda.ctxSetCurrent(context), "taking " + properties.name))
    return error;
  if (Error error =
          cuda.check(cuda.streamCreate(&stream, Driver::kWaitingStream),
                     "making a stream"))
    return error;
  for (Driver::Event *event : {&begin, &end})
    if (Error error = cuda.check(cuda.eventCreate(event, Driver::kDefaultEvent),
                                 "making an event"))
      return error;
  return Error::success();
}

Device::~Device() {
  flushed = DeviceBuffer();
  for (Driver::Event event : {begin, end})
    if (event)
      driver->eventDestroy(event);
  if (stream)
    driver->streamDestroy(stream);
  if (context)
    driver->primaryCtxRelease(id);
}

Error Device::readProperties() {
  const Driver &cuda = *driver;
  char name[256] = "";
  if (Error error = cuda.check(cuda.deviceGetName(name, sizeof(name) - 1, id),
                               "asking for the GPU's name"))
    return error;
  properties.name = name;
  // What a driver does not know of stays 0, and the chip's usual value counts.
  auto get = [&](int attribute) -> int64_t {
    int value = 0;
    return cuda.deviceGetAttribute(&value, attribute, id) == Driver::kSuccess
               ? value
               : 0;
  };
  int version = 0;
  if (cuda.driverGetVersion(&version) == Driver::kSuccess)
    properties.driverVersion = version;
  size_t memory = 0;
  if (cuda.deviceTotalMem(&memory, id) == Driver::kSuccess)
    properties.memoryBytes = static_cast<int64_t>(memory);
  properties.major = static_cast<int>(get(Driver::kMajor));
  properties.minor = static_cast<int>(get(Driver::kMinor));
  if (properties.major == 0)
    return make_error<DeviceError>(DeviceError::Kind::Other,
                                   "the NVIDIA driver does not say what chip " +
                                       properties.name + " has");
  properties.multiprocessors = static_cast<int>(get(Driver::kMultiprocessors));
  properties.registers = get(Driver::kRegisters);
  properties.sharedBytes = get(Driver::kSharedBytes);
  properties.maxBlockSharedBytes = get(Driver::kMaxBlockSharedBytes);
  properties.maxThreads = static_cast<int>(get(Driver::kMaxThreads));
  properties.maxBlocks = static_cast<int>(get(Driver::kMaxBlocks));
  properties.maxBlockThreads = static_cast<int>(get(Driver::kMaxBlockThreads));
  properties.l2Bytes = get(Driver::kL2Bytes);
  properties.clockGHz = static_cast<double>(get(Driver::kClockRate)) * 1e-6;
  // Kilohertz, two transfers a cycle, bits.
  properties.memoryGBs =
      static_cast<double>(get(Driver::kMemoryClockRate)) * 1e3 * 2 *
      static_cast<double>(get(Driver::kMemoryBusWidth)) / 8 * 1e-9;
  return Error::success();
}

Expected<DeviceBuffer> Device::allocate(uint64_t bytes) const {
  constexpr uint64_t kGuard = DeviceBuffer::kGuardBytes;
  DeviceBuffer buffer;
  Driver::Address base = 0;
  if (Error error =
          driver->check(driver->memAlloc(&base, bytes + 2 * kGuard),
                        "allocating " + Twine(bytes) + " bytes on the GPU"))
    return std::move(error);
  buffer.device = this;
  buffer.base = base;
  buffer.bytes = bytes;
  for (Driver::Address guard : {base, base + kGuard + bytes})
    if (Error error = driver->check(
            driver->memsetD8Async(guard, kGuardByte, kGuard, stream),
            "filling a guard band"))
      return std::move(error);
  return buffer;
}

Error Device::upload(const DeviceBuffer &buffer, const void *from) const {
  if (Error error = synchronize("filling memory"))
    return error;
  return driver->check(
      driver->memcpyHtoD(buffer.getAddress(), from, buffer.bytes),
      "copying to the GPU");
}

Error Device::download(const DeviceBuffer &buffer, void *to) const {
  if (Error error = synchronize("running kernels"))
    return error;
  return driver->check(
      driver->memcpyDtoH(to, buffer.getAddress(), buffer.bytes),
      "copying from the GPU");
}

Expected<std::optional<int64_t>>
Device::findTrespass(const DeviceBuffer &buffer) const {
  constexpr uint64_t kGuard = DeviceBuffer::kGuardBytes;
  if (Error error = synchronize("running kernels"))
    return std::move(error);
  std::vector<unsigned char> guard(kGuard);
  for (uint64_t start : {uint64_t(0), kGuard + buffer.bytes}) {
    if (Error error = driver->check(
            driver->memcpyDtoH(guard.data(), buffer.base + start, kGuard),
            "copying from the GPU"))
      return std::move(error);
    for (uint64_t i = 0; i != kGuard; ++i)
      if (guard[i] != kGuardByte)
        return static_cast<int64_t>(start + i) - static_cast<int64_t>(kGuard);
  }
  return std::nullopt;
}

Error Device::synchronize(const Twine &doing) const {
  return driver->check(driver->streamSynchronize(stream), doing);
}

Error Device::flushCache() {
  if (flushed.size() == 0) {
    constexpr int64_t kUnknownL2Bytes = int64_t(64) << 20;
    const int64_t l2 =
        properties.l2Bytes > 0 ? properties.l2Bytes : kUnknownL2Bytes;
    Expected<DeviceBuffer> buffer = allocate(2 * static_cast<uint64_t>(l2));
    if (!buffer)
      return buffer.takeError();
    flushed = std::move(*buffer);
  }
  return driver->check(
      driver->memsetD8Async(flushed.getAddress(), 0, flushed.size(), stream),
      "flushing the L2 cache");
}

Expected<double> Device::time(function_ref<Error()> enqueue) const {
  if (Error error =
          driver->check(driver->eventRecord(begin, stream), "timing kernels"))
    return std::move(error);
  if (Error error = enqueue())
    return std::move(error);
  if (Error error =
          driver->check(driver->eventRecord(end, stream), "timing kernels"))
    return std::move(error);
  if (Error error =
          driver->check(driver->eventSynchronize(end), "running kernels"))
    return std::move(error);
  float milliseconds = 0;
  if (Error error =
          driver->check(driver->eventElapsedTime(&milliseconds, begin, end),
                        "timing kernels"))
    return std::move(error);
  // Half a microsecond is what events resolve.
  return std::max(static_cast<double>(milliseconds) * 1e-3, 5e-7);
}
