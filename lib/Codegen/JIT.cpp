//===- JIT.cpp - Loads an object into this process ------------------------===//

#include "SchedOpt/Codegen/JIT.h"
#include "KeepScratch.h"
#include "RequestTiles.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <utility>

using namespace llvm;
using namespace sched;

std::string sched::getPackedName(StringRef function) {
  return ("_sched_packed_" + function).str();
}

static Expected<std::unique_ptr<object::ObjectFile>> parse(StringRef bytes) {
  Expected<std::unique_ptr<object::ObjectFile>> object =
      object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "kernel"));
  if (!object)
    return createStringError("the kernel is not an object file: " +
                             toString(object.takeError()));
  const Triple here(sys::getProcessTriple());
  if ((*object)->getArch() != here.getArch())
    return createStringError(
        "the kernel is an object for " +
        Triple::getArchTypeName((*object)->getArch()) +
        ", and this machine is " + here.getArchName() +
        "; load it on such a machine, or compile it for 'native'");
  return object;
}

/// Loads OpenMP's runtime if one of the undefined symbols is its.
static Error provideOpenMP(const object::ObjectFile &object) {
  bool needed = false;
  for (const object::SymbolRef &symbol : object.symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    needed |= name->starts_with("__kmpc_");
  }
  if (!needed ||
      sys::DynamicLibrary::SearchForAddressOfSymbol("__kmpc_fork_call"))
    return Error::success();
  std::string message;
  for (const char *path : {SCHED_LLVM_LIBRARY_DIR "/libomp.so.5",
                           SCHED_LLVM_LIBRARY_DIR "/libomp.dylib",
                           "libomp.so.5", "libomp.so", "libomp.dylib"})
    if (!sys::DynamicLibrary::LoadLibraryPermanently(path, &message))
      return Error::success();
  return createStringError("the kernel needs OpenMP, and libomp was not found "
                           "(" +
                           message +
                           "); install libomp-22-dev or set LD_LIBRARY_PATH to "
                           "where it is");
}

KernelLibrary::KernelLibrary(std::unique_ptr<orc::LLJIT> jit,
                             std::unique_ptr<std::string> reasons)
    : reasons(std::move(reasons)), jit(std::move(jit)) {}
KernelLibrary::KernelLibrary(KernelLibrary &&) = default;
KernelLibrary &KernelLibrary::operator=(KernelLibrary &&other) {
  // The other's destructor gives back what this one held.
  std::swap(reasons, other.reasons);
  std::swap(jit, other.jit);
  std::swap(packed, other.packed);
  return *this;
}

KernelLibrary::~KernelLibrary() {
  if (!jit)
    return;
  // Defined only where something is kept.
  Expected<orc::ExecutorAddr> release = jit->lookup(kReleaseScratchName);
  if (release)
    release->toPtr<void (*)()>()();
  else
    consumeError(release.takeError());
}

Expected<KernelLibrary> KernelLibrary::load(StringRef object) {
  initializeLLVMTargets();
  Expected<std::unique_ptr<object::ObjectFile>> file = parse(object);
  if (!file)
    return file.takeError();
  if (Error error = provideOpenMP(**file))
    return std::move(error);
  // It links what is compiled already, so what this machine can do, which takes
  // 0.9 ms to find out, is of no use to it.
  orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(
      orc::JITTargetMachineBuilder(Triple(sys::getProcessTriple())));
  Expected<std::unique_ptr<orc::LLJIT>> jit = builder.create();
  if (!jit)
    return jit.takeError();
  // Why a symbol has no address goes here rather than to stderr.
  auto reasons = std::make_unique<std::string>();
  (*jit)->getExecutionSession().setErrorReporter(
      [reasons = reasons.get()](Error error) {
        *reasons += toString(std::move(error)) + "; ";
      });
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = (*jit)->addObjectFile(
          MemoryBuffer::getMemBufferCopy(object, "kernel")))
    return std::move(error);
  // Defined only where it is needed.
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (*name != kRequestTilesName)
      continue;
    Expected<orc::ExecutorAddr> request = (*jit)->lookup(kRequestTilesName);
    if (!request)
      return request.takeError();
    request->toPtr<void (*)()>()();
  }
  return KernelLibrary(std::move(*jit), std::move(reasons));
}

void KernelLibrary::Free::operator()(void *buffer) const { std::free(buffer); }

void KernelLibrary::packArguments(StringRef name,
                                  MutableArrayRef<void *> pointers) {
  for (size_t i = 0; i != pointers.size(); ++i) {
    const std::string function = getPackName(name, i);
    Expected<PackedEntry> pack = lookup(function);
    Expected<PackedEntry> size = lookup(getPackSizeName(name, i));
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
    return createStringError(std::exchange(*reasons, "") +
                             toString(address.takeError()));
  return address->toPtr<PackedEntry>();
}
