//===- Device.h - The GPU of this machine -----------------------*- C++ -*-===//
//
// One device with its context and one stream, for one thread: memory with guard
// bands, copies, and time by events. After an error of kind Crash nothing of it
// works any more, in this process.
//
// Read next: DeviceProgram.h (what runs on it).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DEVICE_DEVICE_H
#define SCHEDOPT_DEVICE_DEVICE_H

#include "SchedOpt/Device/Driver.h"
#include "SchedOpt/Support/DeviceProperties.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace sched {

class Device;

/// Memory on the device between two guard bands. Must not outlive it.
class DeviceBuffer {
public:
  /// Bytes of each guard band; a multiple of what any access is aligned to.
  static constexpr uint64_t kGuardBytes = 4096;

  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other);
  ~DeviceBuffer();

  Driver::Address getAddress() const { return base + kGuardBytes; }
  uint64_t size() const { return bytes; }

private:
  friend class Device;
  const Device *device = nullptr;
  Driver::Address base = 0;
  uint64_t bytes = 0;
};

class Device {
public:
  /// The first device that the driver shows (CUDA_VISIBLE_DEVICES chooses
  /// among several). Errors are DeviceErrors. `driverName`: see Driver::load.
  static llvm::Expected<std::unique_ptr<Device>>
  open(llvm::StringRef driverName = "");
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const DeviceProperties &getProperties() const { return properties; }
  const Driver &getDriver() const { return *driver; }
  Driver::Stream getStream() const { return stream; }

  /// At least `bytes`, the guard bands filled with their pattern.
  llvm::Expected<DeviceBuffer> allocate(uint64_t bytes) const;
  /// Copies the whole of `buffer`; both wait for what was asked for before.
  llvm::Error upload(const DeviceBuffer &buffer, const void *from) const;
  llvm::Error download(const DeviceBuffer &buffer, void *to) const;
  /// The offset in bytes from the start of the data (negative: before it) of a
  /// guard byte that changed, or nothing.
  llvm::Expected<std::optional<int64_t>>
  findTrespass(const DeviceBuffer &buffer) const;

  /// Waits for all that was launched, and says how it went.
  llvm::Error synchronize(const llvm::Twine &doing) const;

  /// Writes as much as twice the L2 cache holds, so that it has nothing of what
  /// kernels used.
  llvm::Error flushCache();

  /// Seconds on the device from the first to the last of what `enqueue` asks
  /// for, by events; waits for its end.
  llvm::Expected<double> time(llvm::function_ref<llvm::Error()> enqueue) const;

private:
  Device() = default;
  llvm::Error start();
  llvm::Error readProperties();

  std::shared_ptr<const Driver> driver;
  Driver::DeviceId id = 0;
  Driver::Context context = nullptr;
  Driver::Stream stream = nullptr;
  Driver::Event begin = nullptr, end = nullptr;
  DeviceProperties properties;
  DeviceBuffer flushed;
};

} // namespace sched

#endif // SCHEDOPT_DEVICE_DEVICE_H
