//===- Kernel.cpp - A contender from an object file -----------------------===//

#include "Kernel.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <array>
#include <cstring>

using namespace llvm;

namespace sched::bench {

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

static Expected<std::unique_ptr<orc::LLJIT>>
link(std::unique_ptr<MemoryBuffer> object) {
  initializeLLVMTargets();
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
  StringRef shape = text.split("result0: float").second.split(',').first;
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

static Floats copy(const float *data, size_t count) {
  Floats floats = allocateFloats(count);
  std::memcpy(floats.get(), data, count * sizeof(float));
  return floats;
}

/// The operand in the form that the kernel takes.
static Expected<Floats> provideOperand(orc::LLJIT &jit, StringRef path,
                                       StringRef entry, unsigned position,
                                       const float *data, size_t count,
                                       std::string &variant) {
  Floats plain = copy(data, count);
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
  Floats packed = allocateFloats(*size);
  pack->toPtr<void (*)(const float *, float *)>()(plain.get(), packed.get());
  variant = "operand " + std::to_string(position) + " packed beforehand";
  return packed;
}

Setup kernelFromObject(std::string path, std::string entry) {
  return [=](const Problem &problem) -> Expected<Work> {
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
    std::array<std::pair<const float *, size_t>, 3> operands = {
        {{problem.a(), problem.m * problem.k},
         {problem.b(), problem.k * problem.n},
         {problem.d(), problem.m * problem.n}}};
    bool hasAddend = problem.epilogue == Epilogue::Add;
    for (unsigned i = 0; i != (hasAddend ? 3 : 2); ++i) {
      auto operand =
          provideOperand(*state->jit, path, entry, i, operands[i].first,
                         operands[i].second, work.variant);
      if (!operand)
        return operand.takeError();
      state->inputs.push_back(std::move(*operand));
    }
    work.result = allocateFloats(problem.m * problem.n);
    const float *a = state->inputs[0].get(), *b = state->inputs[1].get();
    float *c = work.result.get();
    if (hasAddend) {
      const float *d = state->inputs[2].get();
      auto *call = function->toPtr<void (*)(const float *, const float *,
                                            const float *, float *)>();
      work.call = [=] { call(a, b, d, c); };
    } else {
      auto *call =
          function->toPtr<void (*)(const float *, const float *, float *)>();
      work.call = [=] { call(a, b, c); };
    }
    work.flops = problem.flops();
    work.state = std::move(state);
    return std::move(work);
  };
}

} // namespace sched::bench
