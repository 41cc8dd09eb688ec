//===- Channel.cpp - The worker's end of the protocol ---------------------===//
//
// Also the three ways in which this process meets the limit on its memory:
// operator new, LLVM's own allocators, and the kernel's aligned_alloc.
//
//===----------------------------------------------------------------------===//

#include "Channel.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace sched::worker {

char RequestError::ID = 0;

void RequestError::log(raw_ostream &out) const {
  out << answer.kind << " at " << answer.stage << ": " << answer.message;
}

std::error_code RequestError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Error failRequest(StringRef kind, StringRef stage, const Twine &message,
                  std::vector<KernelUsage> kernels) {
  return make_error<RequestError>(kind, stage, message, std::move(kernels));
}

std::string describeSpill(const KernelUsage &usage) {
  return (usage.kernel + " spills " + Twine(usage.spillBytes) +
          " bytes a thread of the registers, of which it has " +
          Twine(usage.registers))
      .str();
}

/// What `dieOfMemory` needs, where no allocation is possible any more. One
/// process, one request at a time.
static struct {
  int out = -1;
  int64_t id = 0;
  const char *stage = "";
} present;

void dieOfMemory() {
  // Room for what the exit itself may need.
  struct rlimit limit;
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_AS, &limit);
  char line[256];
  int length = std::snprintf(
      line, sizeof(line),
      "{\"id\":%lld,\"ok\":false,\"kind\":\"%s\",\"stage\":\"%s\","
      "\"message\":\"an allocation went over the memory limit\"}\n",
      static_cast<long long>(present.id), failure::kMemory, present.stage);
  ssize_t written = ::write(present.out, line, static_cast<size_t>(length));
  ::_exit(written == length ? 0 : 1);
}

/// Removes the objects and results in `scratch`, and it. Nothing else: the name
/// came from outside.
static void removeScratch(StringRef scratch) {
  if (scratch.empty())
    return;
  std::error_code code;
  SmallVector<std::string> paths;
  for (sys::fs::directory_iterator it(scratch, code), end; !code && it != end;
       it.increment(code)) {
    StringRef extension = sys::path::extension(it->path());
    if (is_contained({".o", ".ref", ".tmp"}, extension))
      paths.push_back(it->path());
  }
  for (const std::string &path : paths)
    sys::fs::remove(path);
  sys::fs::remove(scratch);
}

/// Ends the process as soon as the other end of the socket is closed: a kernel
/// that hangs must not outlive the tuner. Sleeps until then.
static void watchForHangUp(int fd, std::string scratch) {
  struct pollfd entry = {fd, 0, 0};
  while (true) {
    ::poll(&entry, 1, -1);
    if (entry.revents & (POLLHUP | POLLERR)) {
      removeScratch(scratch);
      ::_exit(1);
    }
  }
}

Channel::Channel(std::string scratchDir)
    : scratch(std::move(scratchDir)), in(::fcntl(0, F_DUPFD_CLOEXEC, 3)),
      out(::fcntl(1, F_DUPFD_CLOEXEC, 3)), reader(in) {
  int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, 0);
  ::dup2(2, 1);
  ::close(nothing);
  present.out = out;

  struct rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::set_new_handler(dieOfMemory);
  install_bad_alloc_error_handler(
      [](void *, const char *, bool) { dieOfMemory(); });
  // A pipe that a person feeds is closed long before the answer is ready; only
  // the tuner's socket is watched.
  struct stat status;
  if (::fstat(in, &status) == 0 && S_ISSOCK(status.st_mode))
    std::thread(watchForHangUp, in, scratch).detach();
}

std::optional<std::string> Channel::next() {
  while (true) {
    if (std::optional<std::string> line = reader.next())
      return line;
    if (reader.fill() == LineReader::Status::Closed)
      return std::nullopt;
  }
}

/// Bytes of address space in use.
static uint64_t addressSpace() {
  int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  char text[64];
  ssize_t got = ::read(fd, text, sizeof(text) - 1);
  ::close(fd);
  if (got <= 0)
    return 0;
  text[got] = 0;
  return std::strtoull(text, nullptr, 10) *
         static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void Channel::begin(int64_t requestId, uint64_t memoryLimit) {
  id = present.id = requestId;
  present.stage = "";
  struct rlimit limit;
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit.rlim_max;
  uint64_t used = addressSpace();
  if (memoryLimit != 0 && used != 0)
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, used + memoryLimit);
  ::setrlimit(RLIMIT_AS, &limit);
}

void Channel::send(json::Object object) {
  object["id"] = id;
  std::string line;
  raw_string_ostream(line) << json::Value(std::move(object));
  writeLine(out, line);
}

void Channel::enter(const char *stage) {
  present.stage = stage;
  send(json::Object{{"stage", stage}});
}

void Channel::succeed(json::Object answer) {
  answer["ok"] = true;
  send(std::move(answer));
}

void Channel::fail(Error error) {
  handleAllErrors(
      std::move(error),
      [&](const RequestError &failed) { send(toJSON(failed.answer)); },
      [&](const ErrorInfoBase &other) {
        send(toJSON(FailureAnswer{
            failure::kRuntime, present.stage, other.message(), {}}));
      });
}

void Channel::announce() {
  send(json::Object{{"ready", true}, {"protocol", kProtocolVersion}});
}

} // namespace sched::worker

/// What kernels take their buffers from. The C library's own returns null when
/// the limit is met, and the kernel would crash on it: the cause would be lost.
/// The executable's definition goes before the library's.
extern "C" void *aligned_alloc(size_t alignment, size_t size) noexcept {
  void *pointer = nullptr;
  if (::posix_memalign(&pointer, std::max(alignment, sizeof(void *)), size) ==
      0)
    return pointer;
  // The bundle is one program: there, this may be another tool's.
  if (sched::worker::present.out >= 0)
    sched::worker::dieOfMemory();
  return nullptr;
}
