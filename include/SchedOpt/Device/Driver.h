//===- Driver.h - The CUDA driver, found at run time ------------*- C++ -*-===//
//
// Device: kernels on the GPU of this machine. May use Support and Codegen's
// launch plans. Nothing of CUDA is needed to build or to link: what is used of
// the driver's C interface is declared here, and its library is loaded by name.
// Used in worker processes and in benchmarks: a broken kernel may leave a
// driver that serves its process no more.
//
// Read next: Device.h (memory, time), DeviceProgram.h (kernels).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DEVICE_DRIVER_H
#define SCHEDOPT_DEVICE_DRIVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace sched {

/// What went wrong with a GPU.
class DeviceError : public llvm::ErrorInfo<DeviceError> {
public:
  enum class Kind {
    /// No driver, no device, or one that no longer answers.
    Absent,
    /// The driver does not know the PTX or the interface that is needed.
    DriverTooOld,
    /// The code is for another chip, or is none.
    WrongCode,
    /// Too little memory on the device.
    Memory,
    /// A launch asks for more than a block may have.
    OverLimit,
    /// A kernel faulted: nothing more works in this process.
    Crash,
    /// A kernel was ended for taking too long.
    Timeout,
    Other,
  };
  // ErrorInfo asks for this name. NOLINTNEXTLINE(readability-identifier-naming)
  static char ID;
  DeviceError(Kind kind, const llvm::Twine &message)
      : kind(kind), message(message.str()) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

  Kind kind;
  std::string message;
};

/// The name of the driver's library.
constexpr char kDriverName[] = "libcuda.so.1";

/// The environment variable that names another file: a driver of CUDA's
/// forward-compatibility package, or one that tests bring.
constexpr char kDriverVariable[] = "SCHED_CUDA_DRIVER";

/// Entries of the driver, by the version of each that is used. Handles are
/// opaque; an address of the device is an integer.
class Driver {
public:
  using Status = int;
  using DeviceId = int;
  using Context = struct CUctx_st *;
  using Module = struct CUmod_st *;
  using Function = struct CUfunc_st *;
  using Stream = struct CUstream_st *;
  using Event = struct CUevent_st *;
  // As the driver's interface has it. NOLINTNEXTLINE(google-runtime-int)
  using Address = unsigned long long;

  /// Loads the library `name`; "": what SCHED_CUDA_DRIVER names, or else
  /// kDriverName. An error says what was looked for.
  static llvm::Expected<std::shared_ptr<const Driver>>
  load(llvm::StringRef name = "");

  /// Turns a status into an error of its kind: "DOING: NAME: text".
  llvm::Error check(Status status, const llvm::Twine &doing) const;

  // Members are in the words of the interface.
  Status (*init)(unsigned flags);
  Status (*driverGetVersion)(int *);
  Status (*getErrorName)(Status, const char **);
  Status (*getErrorString)(Status, const char **);
  Status (*deviceGetCount)(int *);
  Status (*deviceGet)(DeviceId *, int ordinal);
  Status (*deviceGetName)(char *, int length, DeviceId);
  Status (*deviceGetAttribute)(int *, int attribute, DeviceId);
  Status (*deviceTotalMem)(size_t *, DeviceId);
  Status (*primaryCtxRetain)(Context *, DeviceId);
  Status (*primaryCtxRelease)(DeviceId);
  Status (*ctxSetCurrent)(Context);
  Status (*ctxSynchronize)();
  Status (*memAlloc)(Address *, size_t bytes);
  Status (*memFree)(Address);
  Status (*memcpyHtoD)(Address, const void *, size_t);
  Status (*memcpyDtoH)(void *, Address, size_t);
  Status (*memcpyDtoDAsync)(Address to, Address from, size_t, Stream);
  Status (*memsetD8Async)(Address, unsigned char, size_t, Stream);
  Status (*streamCreate)(Stream *, unsigned flags);
  Status (*streamDestroy)(Stream);
  Status (*streamSynchronize)(Stream);
  Status (*eventCreate)(Event *, unsigned flags);
  Status (*eventDestroy)(Event);
  Status (*eventRecord)(Event, Stream);
  Status (*eventSynchronize)(Event);
  Status (*eventElapsedTime)(float *milliseconds, Event begin, Event end);
  Status (*moduleLoadDataEx)(Module *, const void *image, unsigned numOptions,
                             int *options, void **values);
  Status (*moduleUnload)(Module);
  Status (*moduleGetFunction)(Function *, Module, const char *name);
  Status (*funcGetAttribute)(int *, int attribute, Function);
  Status (*funcSetAttribute)(Function, int attribute, int value);
  Status (*launchKernel)(Function, unsigned gridX, unsigned gridY,
                         unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned sharedBytes, Stream,
                         void **arguments, void **extra);

  /// \name Numbers of the interface
  /// @{
  static constexpr int kMaxBlockThreads = 1, kClockRate = 13,
                       kMultiprocessors = 16, kMemoryClockRate = 36,
                       kMemoryBusWidth = 37, kL2Bytes = 38, kMaxThreads = 39,
                       kMajor = 75, kMinor = 76, kSharedBytes = 81,
                       kRegisters = 82, kMaxBlockSharedBytes = 97,
                       kMaxBlocks = 106;
  static constexpr int kFunctionSharedBytes = 1, kFunctionLocalBytes = 3,
                       kFunctionRegisters = 4, kFunctionMaxDynamicShared = 8;
  static constexpr int kJITInfoLog = 3, kJITInfoLogBytes = 4, kJITErrorLog = 5,
                       kJITErrorLogBytes = 6, kJITLogVerbose = 12;
  static constexpr Status kSuccess = 0;
  /// A stream that waits for copies without a stream: of memory that is not
  /// pinned, these return before the device has all of it.
  static constexpr unsigned kWaitingStream = 0, kDefaultEvent = 0;
  /// @}

private:
  Driver() = default;
  llvm::Error resolve(void *library, llvm::StringRef name);
};

} // namespace sched

#endif // SCHEDOPT_DEVICE_DRIVER_H
