//===- Kernel.cpp - A contender from an object file -----------------------===//

#include "Kernel.h"
#include "Library.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <array>
#include <dlfcn.h>
#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace llvm;

namespace sched::bench {

/// A C function of any number of pointers.
using Entry = void *;

namespace {
/// What a kernel's call needs.
struct KernelState {
  std::unique_ptr<orc::LLJIT> jit;
  std::vector<Floats> inputs;
};
} // namespace

static Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  return std::move(*buffer);
}

static Error loadOpenMP() {
  std::string message;
  for (const char *name :
       {"libomp.so.5", "libomp.so", "/usr/lib/llvm-22/lib/libomp.so.5"})
    if (!sys::DynamicLibrary::LoadLibraryPermanently(name, &message))
      return Error::success();
  return createStringError("the object needs libomp: " + message);
}

/// What the constructor of an object does that uses AMX: the linker here is not
/// the system's, and runs none.
static void requestTiles() {
#if defined(__linux__) && defined(__x86_64__)
  // See arch_prctl(2) and Linux's Documentation/arch/x86/xstate.rst.
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  // Where there are no tiles it fails, and the object has no use of them.
  syscall(SYS_arch_prctl, kRequestPermission, kTileData);
#endif
}

static Expected<std::unique_ptr<orc::LLJIT>>
link(std::unique_ptr<MemoryBuffer> object) {
  initializeLLVMTargets();
  requestTiles();
  if (object->getBuffer().contains("__kmpc_"))
    if (Error error = loadOpenMP())
      return std::move(error);
  auto jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = (*jit)->addObjectFile(std::move(object)))
    return std::move(error);
  return std::move(*jit);
}

Expected<size_t> findPackedSize(StringRef header, StringRef entry,
                                unsigned position) {
  std::string pack = (entry + "_pack_arg" + Twine(position)).str();
  // "/* f_pack_arg1: ... result0: float[1048576], written"
  StringRef text = header.split("/* " + pack + ":").second.split("*/").first;
  StringRef shape = text.split("result0: ").second.split(',').first;
  shape = shape.drop_front(std::min(shape.find('['), shape.size()));
  size_t size = shape.empty() ? 0 : 1;
  while (shape.consume_front("[")) {
    size_t extent = 0;
    if (shape.consumeInteger(10, extent) || !shape.consume_front("]"))
      return createStringError("the header has no readable size of the result "
                               "of " +
                               pack);
    size *= extent;
  }
  if (size == 0)
    return createStringError("the header does not declare the result of " +
                             pack + ", which the object has");
  return size;
}

/// The operand in the form that the kernel takes.
static Expected<Floats> provideOperand(orc::LLJIT &jit, StringRef path,
                                       StringRef entry, unsigned position,
                                       const Problem &problem,
                                       std::string &variant) {
  Floats plain = problem.copyOperand(position);
  auto pack = jit.lookup((entry + "_pack_arg" + Twine(position)).str());
  if (!pack) {
    consumeError(pack.takeError());
    return plain;
  }
  SmallString<128> headerPath = path;
  sys::path::replace_extension(headerPath, "h");
  auto header = readFile(headerPath);
  if (!header)
    return header.takeError();
  auto size = findPackedSize((*header)->getBuffer(), entry, position);
  if (!size)
    return size.takeError();
  Floats packed = allocateFloats(divideCeil(
      *size * bytesOf(problem.operandElement(position)), sizeof(float)));
  pack->toPtr<void (*)(const void *, void *)>()(plain.get(), packed.get());
  variant = "operand " + std::to_string(position) + " packed beforehand";
  return packed;
}

/// Calls a C function with as many pointers: the operands and the result.
template <size_t... indices>
static std::function<void()> bind(Entry entry,
                                  const std::vector<float *> &arguments,
                                  std::index_sequence<indices...>) {
  auto *function =
      reinterpret_cast<void (*)(decltype((void)indices, (float *)nullptr)...)>(
          entry);
  std::array<float *, sizeof...(indices)> copy = {arguments[indices]...};
  return [=] { function(copy[indices]...); };
}

/// The call, for one operand and one result up to seven operands and one.
static Expected<std::function<void()>>
bindCall(Entry entry, const std::vector<float *> &arguments) {
  switch (arguments.size()) {
  case 2:
    return bind(entry, arguments, std::make_index_sequence<2>());
  case 3:
    return bind(entry, arguments, std::make_index_sequence<3>());
  case 4:
    return bind(entry, arguments, std::make_index_sequence<4>());
  case 5:
    return bind(entry, arguments, std::make_index_sequence<5>());
  case 6:
    return bind(entry, arguments, std::make_index_sequence<6>());
  case 7:
    return bind(entry, arguments, std::make_index_sequence<7>());
  case 8:
    return bind(entry, arguments, std::make_index_sequence<8>());
  }
  return createStringError("no call with " + Twine(arguments.size()) +
                           " pointers");
}

/// Fills in what is timed and counted; `inputs` live as long as the work.
static Error finishWork(Work &work, const Problem &problem, Entry entry,
                        const std::vector<Floats> &inputs) {
  std::vector<float *> arguments;
  for (const Floats &input : inputs)
    arguments.push_back(input.get());
  work.result = allocateFloats(problem.resultSize());
  arguments.push_back(work.result.get());
  auto call = bindCall(entry, arguments);
  if (!call)
    return call.takeError();
  work.call = std::move(*call);
  work.flops = problem.flops();
  work.bytes = problem.bytes();
  return Error::success();
}

Setup kernelFromObject(std::string path, std::string entry,
                       const Problem &problem) {
  return [path, entry, &problem]() -> Expected<Work> {
    auto object = readFile(path);
    if (!object)
      return object.takeError();
    auto state = std::make_shared<KernelState>();
    auto jit = link(std::move(*object));
    if (!jit)
      return jit.takeError();
    state->jit = std::move(*jit);
    auto function = state->jit->lookup(entry);
    if (!function)
      return createStringError("no function '" + entry + "' in '" + path +
                               "': " + toString(function.takeError()));

    Work work;
    for (size_t i = 0; i != problem.numOperands(); ++i) {
      auto operand =
          provideOperand(*state->jit, path, entry, i, problem, work.variant);
      if (!operand)
        return operand.takeError();
      state->inputs.push_back(std::move(*operand));
    }
    if (Error error =
            finishWork(work, problem, function->toPtr<Entry>(), state->inputs))
      return std::move(error);
    work.state = std::move(state);
    return std::move(work);
  };
}

Setup kernelFromLibrary(std::string path, std::string entry,
                        const Problem &problem) {
  return [path, entry, &problem]() -> Expected<Work> {
    setThreads(problem.threads);
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return createStringError(dlerror());
    Entry function = dlsym(handle, entry.c_str());
    if (!function)
      return createStringError("no function '" + entry + "' in '" + path + "'");
    auto inputs = std::make_shared<std::vector<Floats>>();
    for (size_t i = 0; i != problem.numOperands(); ++i)
      inputs->push_back(problem.copyOperand(i));
    Work work;
    if (Error error = finishWork(work, problem, function, *inputs))
      return std::move(error);
    work.state = std::move(inputs);
    return std::move(work);
  };
}

} // namespace sched::bench
