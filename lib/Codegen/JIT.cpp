//===- JIT.cpp - Loads an object into this process ------------------------===//

#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>

using namespace llvm;
using namespace sched;

std::string sched::getPackedName(StringRef function) {
  return ("_sched_packed_" + function).str();
}

/// Loads OpenMP's runtime if one of the undefined symbols is its.
static Error provideOpenMP(StringRef bytes) {
  Expected<std::unique_ptr<object::ObjectFile>> object =
      object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "kernel"));
  if (!object)
    return object.takeError();
  bool needed = false;
  for (const object::SymbolRef &symbol : (*object)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    needed |= name->starts_with("__kmpc_");
  }
  if (!needed ||
      sys::DynamicLibrary::SearchForAddressOfSymbol("__kmpc_fork_call"))
    return Error::success();
  std::string message;
  for (const char *path :
       {"libomp.so.5", "libomp.so", "/usr/lib/llvm-22/lib/libomp.so.5"})
    if (!sys::DynamicLibrary::LoadLibraryPermanently(path, &message))
      return Error::success();
  return createStringError("the kernel needs OpenMP, and libomp was not found "
                           "(" +
                           message +
                           "); install libomp-22-dev or set LD_LIBRARY_PATH to "
                           "where it is");
}

KernelLibrary::KernelLibrary(std::unique_ptr<orc::LLJIT> jit)
    : jit(std::move(jit)) {}
KernelLibrary::KernelLibrary(KernelLibrary &&) = default;
KernelLibrary &KernelLibrary::operator=(KernelLibrary &&) = default;
KernelLibrary::~KernelLibrary() = default;

Expected<KernelLibrary> KernelLibrary::load(StringRef object) {
  initializeLLVMTargets();
  if (Error error = provideOpenMP(object))
    return std::move(error);
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = (*jit)->addObjectFile(
          MemoryBuffer::getMemBufferCopy(object, "kernel")))
    return std::move(error);
  return KernelLibrary(std::move(*jit));
}

void KernelLibrary::Free::operator()(void *buffer) const { std::free(buffer); }

void KernelLibrary::packArguments(StringRef name,
                                  MutableArrayRef<void *> pointers) {
  for (size_t i = 0; i != pointers.size(); ++i) {
    const std::string function = (name + "_pack_arg" + Twine(i)).str();
    Expected<PackedEntry> pack = lookup(function);
    Expected<PackedEntry> size = lookup(function + "_bytes");
    if (!pack || !size) {
      // Not a layout-free argument.
      consumeError(pack.takeError());
      consumeError(size.takeError());
      continue;
    }
    int64_t bytes = 0;
    void *out = &bytes;
    (*size)(&out);
    constexpr int64_t kAlignment = 64;
    packed.emplace_back(
        std::aligned_alloc(kAlignment, alignTo(bytes, kAlignment)));
    void *arguments[] = {pointers[i], packed.back().get()};
    (*pack)(arguments);
    pointers[i] = packed.back().get();
  }
}

Expected<KernelLibrary::PackedEntry> KernelLibrary::lookup(StringRef name) {
  Expected<orc::ExecutorAddr> address = jit->lookup(getPackedName(name));
  if (!address)
    return address.takeError();
  return address->toPtr<PackedEntry>();
}
