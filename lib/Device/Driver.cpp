//===- Driver.cpp - The CUDA driver, found at run time --------------------===//

#include "SchedOpt/Device/Driver.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace sched;

char DeviceError::ID = 0;

void DeviceError::log(raw_ostream &out) const { out << message; }

std::error_code DeviceError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

/// What a status of the interface means for who measures.
static DeviceError::Kind classify(Driver::Status status) {
  using Kind = DeviceError::Kind;
  switch (status) {
  case 2: // OUT_OF_MEMORY
    return Kind::Memory;
  case 34:  // STUB_LIBRARY
  case 46:  // DEVICE_UNAVAILABLE
  case 100: // NO_DEVICE
  case 101: // INVALID_DEVICE
  case 102: // DEVICE_NOT_LICENSED
  case 802: // SYSTEM_NOT_READY
  case 805: // MPS_CONNECTION_FAILED
  case 807: // MPS_SERVER_NOT_READY
    return Kind::Absent;
  case 36:  // CALL_REQUIRES_NEWER_DRIVER
  case 221: // JIT_COMPILER_NOT_FOUND
  case 222: // UNSUPPORTED_PTX_VERSION
  case 803: // SYSTEM_DRIVER_MISMATCH
  case 804: // COMPAT_NOT_SUPPORTED_ON_DEVICE
    return Kind::DriverTooOld;
  case 200: // INVALID_IMAGE
  case 209: // NO_BINARY_FOR_GPU
  case 218: // INVALID_PTX
  case 223: // JIT_COMPILATION_DISABLED
  case 300: // INVALID_SOURCE
  case 500: // NOT_FOUND
    return Kind::WrongCode;
  case 701: // LAUNCH_OUT_OF_RESOURCES
    return Kind::OverLimit;
  case 702: // LAUNCH_TIMEOUT
    return Kind::Timeout;
  case 214: // ECC_UNCORRECTABLE
  case 220: // NVLINK_UNCORRECTABLE
  case 226: // CONTAINED
  case 700: // ILLEGAL_ADDRESS
  case 709: // CONTEXT_IS_DESTROYED
  case 710: // ASSERT
  case 714: // HARDWARE_STACK_ERROR
  case 715: // ILLEGAL_INSTRUCTION
  case 716: // MISALIGNED_ADDRESS
  case 717: // INVALID_ADDRESS_SPACE
  case 718: // INVALID_PC
  case 719: // LAUNCH_FAILED
  case 999: // UNKNOWN
    return Kind::Crash;
  default:
    return Kind::Other;
  }
}

Error Driver::check(Status status, const Twine &doing) const {
  if (status == kSuccess)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(status, &name) != kSuccess)
    name = nullptr;
  if (getErrorString(status, &text) != kSuccess)
    text = nullptr;
  std::string message = doing.str() + ": ";
  message += name ? std::string(name) : "CUDA error " + std::to_string(status);
  if (text)
    message += std::string(" (") + text + ")";
  return make_error<DeviceError>(classify(status), message);
}

Error Driver::resolve(void *handle, StringRef name) {
  sys::DynamicLibrary library(handle);
  StringRef missing;
  auto find = [&](const char *symbol, auto &function) {
    using Function = std::remove_reference_t<decltype(function)>;
    function = reinterpret_cast<Function>(library.getAddressOfSymbol(symbol));
    if (!function && missing.empty())
      missing = symbol;
  };
  find("cuInit", init);
  find("cuDriverGetVersion", driverGetVersion);
  find("cuGetErrorName", getErrorName);
  find("cuGetErrorString", getErrorString);
  find("cuDeviceGetCount", deviceGetCount);
  find("cuDeviceGet", deviceGet);
  find("cuDeviceGetName", deviceGetName);
  find("cuDeviceGetAttribute", deviceGetAttribute);
  find("cuDeviceTotalMem_v2", deviceTotalMem);
  find("cuDevicePrimaryCtxRetain", primaryCtxRetain);
  find("cuDevicePrimaryCtxRelease_v2", primaryCtxRelease);
  find("cuCtxSetCurrent", ctxSetCurrent);
  find("cuCtxSynchronize", ctxSynchronize);
  find("cuMemAlloc_v2", memAlloc);
  find("cuMemFree_v2", memFree);
  find("cuMemcpyHtoD_v2", memcpyHtoD);
  find("cuMemcpyDtoH_v2", memcpyDtoH);
  find("cuMemcpyDtoDAsync_v2", memcpyDtoDAsync);
  find("cuMemsetD8Async", memsetD8Async);
  find("cuStreamCreate", streamCreate);
  find("cuStreamDestroy_v2", streamDestroy);
  find("cuStreamSynchronize", streamSynchronize);
  find("cuEventCreate", eventCreate);
  find("cuEventDestroy_v2", eventDestroy);
  find("cuEventRecord", eventRecord);
  find("cuEventSynchronize", eventSynchronize);
  find("cuEventElapsedTime", eventElapsedTime);
  find("cuModuleLoadDataEx", moduleLoadDataEx);
  find("cuModuleUnload", moduleUnload);
  find("cuModuleGetFunction", moduleGetFunction);
  find("cuFuncGetAttribute", funcGetAttribute);
  find("cuFuncSetAttribute", funcSetAttribute);
  find("cuLaunchKernel", launchKernel);
  if (missing.empty())
    return Error::success();
  return make_error<DeviceError>(
      DeviceError::Kind::DriverTooOld,
      "found '" + name + "' without " + missing +
          ", expected an NVIDIA driver for CUDA 11 or later; update the "
          "driver");
}

Expected<std::shared_ptr<const Driver>> Driver::load(StringRef name) {
  std::string file = name.str();
  if (file.empty())
    file = sys::Process::GetEnv(kDriverVariable).value_or("");
  if (file.empty())
    file = kDriverName;
  // Never closed: it has threads of its own.
  std::string problem;
  sys::DynamicLibrary library =
      sys::DynamicLibrary::getPermanentLibrary(file.c_str(), &problem);
  if (!library.isValid())
    return make_error<DeviceError>(
        DeviceError::Kind::Absent,
        "found no NVIDIA driver (" + problem + "), expected " + file +
            "; install the driver, or name its library with " +
            kDriverVariable + "=FILE");
  std::shared_ptr<Driver> driver(new Driver);
  if (Error error = driver->resolve(library.getOSSpecificHandle(), file))
    return std::move(error);
  return driver;
}
