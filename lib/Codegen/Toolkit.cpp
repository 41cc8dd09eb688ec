//===- Toolkit.cpp - PTX to machine code of a GPU -------------------------===//
//
// ptxas is used where it is: nvJitLink needs no process, but compiles each
// kernel as if others could be linked to it, which takes a quarter to a half
// more registers. Both report what a kernel takes in the same words.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Toolkit.h"
#include "ToolkitFiles.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;
using namespace sched;

/// The number before `word` in `line`; nothing where there is none.
static std::optional<unsigned> findBefore(StringRef line, StringRef word) {
  const size_t end = line.find(word);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef digits = line.take_front(end).rtrim();
  const size_t begin = digits.find_last_not_of("0123456789");
  digits = digits.drop_front(begin == StringRef::npos ? 0 : begin + 1);
  unsigned number = 0;
  if (digits.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

StringMap<KernelResources> sched::parseAssemblerLog(StringRef log) {
  // ptxas info    : Compiling entry function 'f' for 'sm_90a'
  // ptxas info    : Function properties for f
  //     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
  // ptxas info    : Used 32 registers, used 1 barriers, 400 bytes smem
  StringMap<KernelResources> kernels;
  KernelResources *kernel = nullptr;
  SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    if (StringRef name = line.split("entry function '").second; !name.empty()) {
      kernel = &kernels[name.split('\'').first];
    } else if (kernel && line.contains("bytes stack frame")) {
      // That of a function that the kernel calls is on the same stack.
      kernel->stackBytes += findBefore(line, "bytes stack frame").value_or(0);
      kernel->spillStoreBytes +=
          findBefore(line, "bytes spill stores").value_or(0);
      kernel->spillLoadBytes +=
          findBefore(line, "bytes spill loads").value_or(0);
    } else if (kernel && line.contains(" registers")) {
      kernel->registers = findBefore(line, "registers").value_or(0);
      kernel->sharedBytes = findBefore(line, "bytes smem").value_or(0);
    }
  }
  return kernels;
}

namespace {
/// The functions of nvJitLink that we call; all return 0 for success.
class JitLink {
public:
  /// Nothing where the library is not found or lacks one of them.
  static std::optional<JitLink> load() {
    std::vector<std::string> paths;
    for (StringRef folder : getToolkitFolders())
      for (StringRef name :
           {"lib64/libnvJitLink.so", "lib/libnvJitLink.so",
            "lib64/libnvJitLink.so.13", "lib64/libnvJitLink.so.12"}) {
        SmallString<128> path(folder);
        sys::path::append(path, name);
        if (sys::fs::exists(path))
          paths.push_back(path.str().str());
      }
    // Where the loader finds it.
    if (!getGivenToolkit())
      paths.insert(paths.end(), {"libnvJitLink.so.13", "libnvJitLink.so.12"});
    for (const std::string &path : paths) {
      std::string reason;
      auto library =
          sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &reason);
      if (!library.isValid())
        continue;
      JitLink link;
      if (link.find(library))
        return link;
    }
    return std::nullopt;
  }

  std::string getName() const {
    unsigned major = 0, minor = 0;
    if (version && version(&major, &minor) == 0)
      return "nvJitLink " + std::to_string(major) + "." + std::to_string(minor);
    return "nvJitLink";
  }

  Expected<AssembledCode> assemble(StringRef ptx, StringRef chip) const {
    const std::string arch = ("-arch=" + chip).str();
    const char *options[] = {arch.c_str(), "-O3", "-verbose"};
    void *handle = nullptr;
    if (const int code = create(&handle, std::size(options), options))
      return createStringError(getName() + " makes no code for " + chip +
                               " (error " + Twine(code) +
                               "); expected a newer toolkit");
    scope_exit cleanup([&] { destroy(&handle); });
    constexpr int kPTX = 2;
    // The text ends with a zero, which counts.
    const std::string text = ptx.str();
    if (addData(handle, kPTX, text.c_str(), text.size() + 1, "kernels.ptx") ||
        complete(handle))
      return createStringError(getName() + " does not take the PTX for " +
                               chip + ": " +
                               readLog(handle, getErrorLogSize, getErrorLog));
    AssembledCode result;
    size_t size = 0;
    if (getCubinSize(handle, &size))
      return createStringError(getName() + " made no code for " + chip);
    result.cubin.resize(size);
    if (getCubin(handle, result.cubin.data()))
      return createStringError(getName() + " made no code for " + chip);
    result.kernels =
        parseAssemblerLog(readLog(handle, getInfoLogSize, getInfoLog));
    result.assembler = getName();
    return std::move(result);
  }

private:
  template <typename Function>
  static bool find(sys::DynamicLibrary &library, const char *name,
                   Function &function) {
    function = reinterpret_cast<Function>(library.getAddressOfSymbol(name));
    return function;
  }

  bool find(sys::DynamicLibrary &library) {
    // Added in 12.3.
    find(library, "nvJitLinkVersion", version);
    return find(library, "nvJitLinkCreate", create) &&
           find(library, "nvJitLinkDestroy", destroy) &&
           find(library, "nvJitLinkAddData", addData) &&
           find(library, "nvJitLinkComplete", complete) &&
           find(library, "nvJitLinkGetLinkedCubinSize", getCubinSize) &&
           find(library, "nvJitLinkGetLinkedCubin", getCubin) &&
           find(library, "nvJitLinkGetErrorLogSize", getErrorLogSize) &&
           find(library, "nvJitLinkGetErrorLog", getErrorLog) &&
           find(library, "nvJitLinkGetInfoLogSize", getInfoLogSize) &&
           find(library, "nvJitLinkGetInfoLog", getInfoLog);
  }

  static std::string readLog(void *handle, int (*getSize)(void *, size_t *),
                             int (*get)(void *, char *)) {
    size_t size = 0;
    if (getSize(handle, &size) || size == 0)
      return "";
    std::string log(size, '\0');
    if (get(handle, log.data()))
      return "";
    return StringRef(log).rtrim('\0').trim().str();
  }

  int (*version)(unsigned *, unsigned *) = nullptr;
  int (*create)(void **, uint32_t, const char **) = nullptr;
  int (*destroy)(void **) = nullptr;
  int (*addData)(void *, int, const void *, size_t, const char *) = nullptr;
  int (*complete)(void *) = nullptr;
  int (*getCubinSize)(void *, size_t *) = nullptr;
  int (*getCubin)(void *, void *) = nullptr;
  int (*getErrorLogSize)(void *, size_t *) = nullptr;
  int (*getErrorLog)(void *, char *) = nullptr;
  int (*getInfoLogSize)(void *, size_t *) = nullptr;
  int (*getInfoLog)(void *, char *) = nullptr;
};

/// Removed with this.
struct TemporaryFile {
  Error create(StringRef suffix) {
    if (std::error_code error =
            sys::fs::createTemporaryFile("sched-opt", suffix, path))
      return createStringError(error, "cannot make a temporary file: " +
                                          error.message());
    remover.setFile(path);
    return Error::success();
  }

  SmallString<128> path;
  FileRemover remover;
};

/// The program ptxas, with its files in a temporary place.
class Assembler {
public:
  explicit Assembler(StringRef program) : program(program) {}

  Expected<AssembledCode> assemble(StringRef ptx, StringRef chip) {
    TemporaryFile input, cubin, log;
    if (Error error =
            joinErrors(joinErrors(input.create("ptx"), cubin.create("cubin")),
                       log.create("log")))
      return std::move(error);
    std::error_code error;
    raw_fd_ostream stream(input.path, error);
    stream << ptx;
    stream.close();
    if (stream.has_error()) {
      error = stream.error();
      stream.clear_error();
    }
    if (error)
      return createFileError(input.path, error);

    AssembledCode result;
    result.assembler = getName();
    std::string text;
    if (!run({"-arch", chip, "-O3", "-v", input.path, "-o", cubin.path},
             log.path, text))
      return createStringError(result.assembler +
                               " does not take the PTX for " + chip + ": " +
                               text);
    result.kernels = parseAssemblerLog(text);
    auto code = MemoryBuffer::getFile(cubin.path);
    if (!code)
      return createFileError(cubin.path, code.getError());
    result.cubin.assign((*code)->getBufferStart(), (*code)->getBufferEnd());
    return std::move(result);
  }

private:
  /// With the version, which the first program that a process uses is asked for
  /// once: a search assembles thousands of kernels.
  std::string getName() {
    static const std::pair<std::string, std::string> first = {program.str(),
                                                              askName()};
    return first.first == program ? first.second : askName();
  }
  std::string askName() {
    TemporaryFile log;
    std::string text;
    if (Error error = log.create("log"))
      consumeError(std::move(error));
    else
      run({"--version"}, log.path, text);
    const StringRef release =
        StringRef(text).split("release ").second.split(',').first;
    return release.empty() ? "ptxas" : "ptxas " + release.str();
  }

  /// Whether the program ended well; what it said in `text`, by way of `log`.
  bool run(ArrayRef<StringRef> arguments, StringRef log, std::string &text) {
    SmallVector<StringRef> all{program};
    all.append(arguments.begin(), arguments.end());
    std::string reason;
    const int status = sys::ExecuteAndWait(
        program, all, std::nullopt, {StringRef(""), log, log}, 0, 0, &reason);
    auto buffer = MemoryBuffer::getFile(log);
    text = buffer ? (*buffer)->getBuffer().trim().str() : "";
    if (text.empty())
      text = reason;
    return status == 0;
  }

  StringRef program;
};
} // namespace

Expected<AssembledCode> sched::assemblePTX(StringRef ptx, StringRef chip) {
  Expected<std::string> program =
      findToolkitFile({"bin/ptxas"}, "machine code");
  if (program)
    return Assembler(*program).assemble(ptx, chip);
  consumeError(program.takeError());
  if (std::optional<JitLink> link = JitLink::load())
    return link->assemble(ptx, chip);
  Expected<std::string> any =
      findToolkitFile({"bin/ptxas", "lib64/libnvJitLink.so"}, "machine code");
  return createStringError(
      std::make_error_code(std::errc::no_such_file_or_directory),
      (any ? "cannot load " + *any : toString(any.takeError())) +
          ", or use --emit=ptx");
}

bool sched::hasAssembler() {
  Expected<std::string> program =
      findToolkitFile({"bin/ptxas"}, "machine code");
  if (program)
    return true;
  consumeError(program.takeError());
  return JitLink::load().has_value();
}
