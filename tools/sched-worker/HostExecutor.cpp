//===- HostExecutor.cpp - A kernel on the CPU -----------------------------===//

#include "Executor.h"
#include "SchedOpt/Codegen/JIT.h"

using namespace llvm;

namespace sched::worker {

Executor::~Executor() = default;

/// More than the last-level cache that a core may fill.
static constexpr size_t kOtherDataBytes = size_t(48) << 20;

/// Fills the caches with other data, as a caller's program does between calls:
/// back to back, a kernel would find all of its operands in the last level.
static Error evictCaches() {
  static std::vector<char> other(kOtherDataBytes);
  for (size_t i = 0; i < other.size(); i += 64)
    ++other[i];
  return Error::success();
}

namespace {
class HostExecutor final : public Executor {
public:
  HostExecutor(KernelLibrary library, KernelLibrary::PackedEntry entry,
               StringRef function)
      : library(std::move(library)), entry(entry), function(function) {}

  Error bind(Operands &operands) override {
    pointers = SmallVector<void *>(operands.getPointers());
    library.packArguments(function, pointers);
    return Error::success();
  }
  Error call() override {
    entry(pointers.data());
    return Error::success();
  }
  Expected<Timing> time(TimingOptions options) override {
    options.prepare = evictCaches;
    return timeCalls([&] { entry(pointers.data()); }, options,
                     [] { return monotonicSeconds(); });
  }

private:
  KernelLibrary library;
  KernelLibrary::PackedEntry entry;
  std::string function;
  SmallVector<void *> pointers;
};
} // namespace

Expected<std::unique_ptr<Executor>> loadHostExecutor(StringRef object,
                                                     StringRef function) {
  Expected<KernelLibrary> library = KernelLibrary::load(object);
  if (!library)
    return library.takeError();
  Expected<KernelLibrary::PackedEntry> entry = library->lookup(function);
  if (!entry)
    return entry.takeError();
  return std::make_unique<HostExecutor>(std::move(*library), *entry, function);
}

} // namespace sched::worker
