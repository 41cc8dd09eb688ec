//===- FakeDriver.cpp - CUDA's driver without a GPU -----------------------===//
//
// The part of the driver's interface that lib/Device uses, in host memory. It
// does not run kernels: each does what a script says, and takes the time that
// it says, on a clock that only launches move. Faults come out as a GPU's do:
// later than the launch, when somebody waits, and then with every call.
//
// Read next: FakeScript.h.
//
//===----------------------------------------------------------------------===//

#include "FakeScript.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

using Status = int;
// As in the interface. NOLINTNEXTLINE(google-runtime-int)
using Address = unsigned long long;

struct CUctx_st {};
struct CUstream_st {};
struct CUevent_st {
  double microseconds = 0;
};
struct CUfunc_st {
  std::string name;
  int maxDynamicShared = 48 << 10;
};
struct CUmod_st {
  std::map<std::string, CUfunc_st> functions;
};

namespace {
struct State {
  fake::Script script;
  bool isStarted = false;
  CUctx_st context;
  double microseconds = 0;
  /// Of this process, as far as they went well.
  long launches = 0;
  /// What every call returns, once it is not 0; and what will be.
  Status sticky = 0, pending = 0;
  bool hangs = false;
  std::map<Address, size_t> allocations;
  size_t allocated = 0;
} state;
} // namespace

enum : Status {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidImage = 200,
  kNotFound = 500,
  kOutOfResources = 701,
  kLaunchFailed = 719,
};

/// What a call that does not wait returns besides its own errors.
static Status ready() {
  if (!state.isStarted)
    return kNotInitialized;
  return state.sticky;
}

/// Waits for all launches.
static Status settle() {
  while (state.hangs)
    ::pause();
  if (state.sticky == kSuccess)
    state.sticky = state.pending;
  return ready();
}

/// Where `address` is inside of an allocation, how much is left of it.
static size_t getRoom(Address address) {
  auto it = state.allocations.upper_bound(address);
  if (it == state.allocations.begin())
    return 0;
  --it;
  const Address end = it->first + it->second;
  return address < end ? end - address : 0;
}

static char *toPointer(Address address) {
  return reinterpret_cast<char *>(address);
}

#define EXPORT extern "C" __attribute__((visibility("default"))) Status

EXPORT cuInit(unsigned) {
  // Tests in one process have a file each, and a GPU that is well again.
  if (state.script.read()) {
    state.sticky = state.pending = kSuccess;
    state.hangs = false;
  }
  if (state.script.isDeviceLost())
    return kNoDevice;
  const long status = state.script.getNumber("init", 0);
  state.isStarted = status == kSuccess;
  return static_cast<Status>(status);
}

EXPORT cuDriverGetVersion(int *version) {
  *version = static_cast<int>(state.script.getNumber("driver", 12040));
  return kSuccess;
}

EXPORT cuGetErrorName(Status status, const char **name) {
  static const std::map<Status, const char *> names = {
      {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
      {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
      {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {kNotFound, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
      {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
      {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
      {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"}};
  auto it = names.find(status);
  *name = it == names.end() ? nullptr : it->second;
  return *name ? kSuccess : kInvalidValue;
}

EXPORT cuGetErrorString(Status status, const char **text) {
  *text = status == 700 ? "an illegal memory access was encountered" : nullptr;
  return *text ? kSuccess : kInvalidValue;
}

EXPORT cuDeviceGetCount(int *count) {
  *count = static_cast<int>(state.script.getNumber("devices", 1));
  return ready();
}

EXPORT cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ready();
}

EXPORT cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, length, "%s",
                state.script.getText("name", "Fake GPU").c_str());
  return ready();
}

EXPORT cuDeviceGetAttribute(int *value, int attribute, int) {
  const fake::Script &script = state.script;
  switch (attribute) {
  case 1: // threads of a block
    *value = 1024;
    break;
  case 13: // kilohertz
    *value = 1755000;
    break;
  case 16:
    *value = static_cast<int>(script.getNumber("sms", 132));
    break;
  case 36: // kilohertz of the memory
    *value = 2619000;
    break;
  case 37: // bits of the memory's bus
    *value = 5120;
    break;
  case 38:
    *value = static_cast<int>(script.getNumber("l2", 1 << 20));
    break;
  case 39: // threads of a multiprocessor
    *value = 2048;
    break;
  case 75:
    *value = static_cast<int>(script.getNumber("major", 9));
    break;
  case 76:
    *value = static_cast<int>(script.getNumber("minor", 0));
    break;
  case 81: // shared memory of a multiprocessor
    *value = 233472;
    break;
  case 82: // registers of a multiprocessor
    *value = 65536;
    break;
  case 97: // shared memory of a block that asks for it
    *value = 232448;
    break;
  case 106: // blocks of a multiprocessor
    *value = 32;
    break;
  default:
    return kInvalidValue;
  }
  return ready();
}

EXPORT cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = static_cast<size_t>(state.script.getNumber("memory", 1 << 30));
  return ready();
}

EXPORT cuDevicePrimaryCtxRetain(CUctx_st **context, int) {
  *context = &state.context;
  if (long status = state.script.getNumber("context", 0))
    return static_cast<Status>(status);
  return ready();
}

EXPORT cuDevicePrimaryCtxRelease_v2(int) { return ready(); }
EXPORT cuCtxSetCurrent(CUctx_st *) { return ready(); }
EXPORT cuCtxSynchronize() { return settle(); }

EXPORT cuMemAlloc_v2(Address *address, size_t bytes) {
  if (Status status = ready())
    return status;
  size_t most = 0;
  cuDeviceTotalMem_v2(&most, 0);
  // As the driver's, a multiple of 256.
  void *memory = nullptr;
  if (bytes > most - state.allocated ||
      ::posix_memalign(&memory, 256, std::max<size_t>(bytes, 1)) != 0)
    return kOutOfMemory;
  // Nobody may count on zeros.
  std::memset(memory, 0x5a, bytes);
  *address = reinterpret_cast<Address>(memory);
  state.allocations[*address] = bytes;
  state.allocated += bytes;
  return kSuccess;
}

EXPORT cuMemFree_v2(Address address) {
  auto it = state.allocations.find(address);
  if (it == state.allocations.end())
    return kInvalidValue;
  state.allocated -= it->second;
  state.allocations.erase(it);
  std::free(toPointer(address));
  return ready();
}

EXPORT cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  if (Status status = settle())
    return status;
  if (bytes > getRoom(to))
    return kInvalidValue;
  std::memcpy(toPointer(to), from, bytes);
  return kSuccess;
}

EXPORT cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  if (Status status = settle())
    return status;
  if (bytes > getRoom(from))
    return kInvalidValue;
  std::memcpy(to, toPointer(from), bytes);
  return kSuccess;
}

EXPORT cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                            CUstream_st *) {
  if (bytes > getRoom(to) || bytes > getRoom(from))
    return kInvalidValue;
  std::memmove(toPointer(to), toPointer(from), bytes);
  return ready();
}

EXPORT cuMemsetD8Async(Address address, unsigned char value, size_t bytes,
                       CUstream_st *) {
  if (bytes > getRoom(address))
    return kInvalidValue;
  std::memset(toPointer(address), value, bytes);
  state.microseconds += state.script.getNumber("memset-us", 1000);
  return ready();
}

EXPORT cuStreamCreate(CUstream_st **stream, unsigned) {
  *stream = new CUstream_st;
  return ready();
}
EXPORT cuStreamDestroy_v2(CUstream_st *stream) {
  delete stream;
  return ready();
}
EXPORT cuStreamSynchronize(CUstream_st *) { return settle(); }

EXPORT cuEventCreate(CUevent_st **event, unsigned) {
  *event = new CUevent_st;
  return ready();
}
EXPORT cuEventDestroy_v2(CUevent_st *event) {
  delete event;
  return ready();
}
EXPORT cuEventRecord(CUevent_st *event, CUstream_st *) {
  event->microseconds = state.microseconds;
  return ready();
}
EXPORT cuEventSynchronize(CUevent_st *) { return settle(); }
EXPORT cuEventElapsedTime(float *milliseconds, CUevent_st *begin,
                          CUevent_st *end) {
  *milliseconds =
      static_cast<float>((end->microseconds - begin->microseconds) * 1e-3);
  return ready();
}

/// The names behind `.entry`, and what an assembler would say of each.
static CUmod_st *loadPTX(const std::string &text, std::string &log) {
  auto *module = new CUmod_st;
  constexpr char kEntry[] = ".entry";
  const std::string spill = std::to_string(state.script.getNumber("spill", 0));
  for (size_t at = 0; (at = text.find(kEntry, at)) != std::string::npos;) {
    const size_t begin = text.find_first_not_of(" \t", at + sizeof(kEntry) - 1);
    at = text.find_first_of(" \t(\n", begin);
    const std::string name = text.substr(begin, at - begin);
    module->functions[name].name = name;
    log += "ptxas info    : Compiling entry function '" + name +
           "' for 'sm_90a'\nptxas info    : Function properties for " + name +
           "\n    0 bytes stack frame, " + spill + " bytes spill stores, " +
           spill + " bytes spill loads\n";
  }
  return module;
}

EXPORT cuModuleLoadDataEx(CUmod_st **module, const void *image,
                          unsigned numOptions, int *options, void **values) {
  if (Status status = ready())
    return status;
  const long number = state.script.countLoad();
  if (number == state.script.getNumber("lost-at-load", 0)) {
    state.script.loseDevice();
    return state.sticky = kLaunchFailed;
  }
  char *info = nullptr, *problem = nullptr;
  size_t infoBytes = 0, problemBytes = 0;
  for (unsigned i = 0; i != numOptions; ++i) {
    if (options[i] == 3)
      info = static_cast<char *>(values[i]);
    if (options[i] == 4)
      infoBytes = reinterpret_cast<size_t>(values[i]);
    if (options[i] == 5)
      problem = static_cast<char *>(values[i]);
    if (options[i] == 6)
      problemBytes = reinterpret_cast<size_t>(values[i]);
  }
  const char *bytes = static_cast<const char *>(image);
  // What tests give for a cubin is the word and PTX; a real one is an ELF file,
  // which names its kernels as well, but not so that it can be read here.
  const bool isELF = std::memcmp(bytes, "\177ELF", 4) == 0,
             isCubin = isELF || std::memcmp(bytes, "cubin", 5) == 0;
  const long status = state.script.getNumber(isCubin ? "cubin" : "ptx", 0);
  if (status != kSuccess) {
    if (problem)
      std::snprintf(problem, problemBytes, "%s\nand more",
                    isCubin ? "not for this chip"
                            : "Unsupported .version 8.0; current is 7.4");
    return static_cast<Status>(status);
  }
  if (isELF) {
    *module = new CUmod_st;
    return kSuccess;
  }
  std::string log;
  *module = loadPTX(bytes, log);
  if (info && !isCubin)
    std::snprintf(info, infoBytes, "%s", log.c_str());
  return kSuccess;
}

EXPORT cuModuleUnload(CUmod_st *module) {
  delete module;
  return ready();
}

EXPORT cuModuleGetFunction(CUfunc_st **function, CUmod_st *module,
                           const char *name) {
  // An ELF file has whatever is asked for.
  if (module->functions.empty() || module->functions.count(name)) {
    *function = &module->functions[name];
    (*function)->name = name;
    return ready();
  }
  return kNotFound;
}

EXPORT cuFuncGetAttribute(int *value, int attribute, CUfunc_st *) {
  const char *key = attribute == 1   ? "shared"
                    : attribute == 3 ? "local"
                    : attribute == 4 ? "registers"
                                     : nullptr;
  if (!key)
    return kInvalidValue;
  *value =
      static_cast<int>(state.script.getNumber(key, attribute == 4 ? 32 : 0));
  return ready();
}

EXPORT cuFuncSetAttribute(CUfunc_st *function, int attribute, int value) {
  if (attribute != 8 || value > 232448)
    return kInvalidValue;
  function->maxDynamicShared = std::max(function->maxDynamicShared, value);
  return ready();
}

/// The addresses that a launch passes: lib/Device ends their list with null.
static std::vector<Address> readArguments(void **arguments) {
  std::vector<Address> addresses;
  for (; *arguments; ++arguments)
    addresses.push_back(*static_cast<Address *>(*arguments));
  return addresses;
}

static void execute(void **arguments) {
  // Guard bands of 4096 bytes are around each.
  constexpr size_t kGuard = 4096;
  const std::string kernel = state.script.getText("kernel", "copy");
  std::vector<Address> addresses = readArguments(arguments);
  if (kernel == "nothing" || addresses.size() < 2)
    return;
  const Address from = addresses.front(), to = addresses.back();
  const size_t size = getRoom(to) - kGuard;
  std::memcpy(toPointer(to), toPointer(from),
              std::min(size, getRoom(from) - kGuard));
  if (kernel == "trespass")
    toPointer(to)[size] ^= 1;
  if (kernel == "input")
    toPointer(from)[0] ^= 1;
}

EXPORT cuLaunchKernel(CUfunc_st *function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes, CUstream_st *,
                      void **arguments, void **) {
  if (Status status = ready())
    return status;
  if (gridX == 0 || gridY == 0 || gridZ == 0 ||
      uint64_t(blockX) * blockY * blockZ > 1024 ||
      sharedBytes > unsigned(function->maxDynamicShared))
    return kInvalidValue;
  const fake::Script &script = state.script;
  const long number = state.script.countLaunch();
  if (number == script.getNumber("refuse-at", 0))
    return kOutOfResources;
  if (state.pending != kSuccess)
    return kSuccess;
  if (number == script.getNumber("crash-at", 0))
    state.pending = static_cast<Status>(script.getNumber("status", 700));
  else if (number == script.getNumber("lost-at", 0)) {
    state.script.loseDevice();
    state.pending = kLaunchFailed;
  } else if (number == script.getNumber("hang-at", 0))
    state.hangs = true;
  else
    execute(arguments);
  state.microseconds += script.getNumber("launch-us", 100) +
                        script.getNumber("slower-us", 0) * state.launches++;
  return kSuccess;
}
