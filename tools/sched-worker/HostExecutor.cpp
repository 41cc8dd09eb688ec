//===- HostExecutor.cpp - A kernel on the CPU -----------------------------===//

#include "Executor.h"
#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Support/Target.h"
#include <algorithm>

using namespace llvm;

namespace sched::worker {

Executor::~Executor() = default;

/// The most data that is read to fill a last level of cache: one that is larger
/// serves other cores as well, and what a caller's program leaves alone is
/// still there.
static constexpr int64_t kMostOtherBytes = int64_t(48) << 20;

/// Bytes of other data that put those of operands out of the caches which they
/// would not be in if a caller's program had run between the calls; 0 where
/// they stay. Operands that fit in a core's own cache are there in all calls of
/// a repeat but the first. Nor is one core's own cache cleared alone where the
/// last level is too large to be filled: threads that share an operand then
/// fetch it from there instead of from each other's caches, as they do in no
/// program.
static size_t countOtherBytes(int64_t operandBytes) {
  static const Target machine = cantFail(Target::parse("native"));
  if (operandBytes <= machine.l2Bytes)
    return 0;
  const int64_t whole = machine.l3Bytes + machine.l3Bytes / 2;
  return whole <= kMostOtherBytes ? std::max(whole, 4 * machine.l2Bytes) : 0;
}

/// Fills the caches with other data, as a caller's program does between calls:
/// back to back, a kernel would find all of its operands in the last level,
/// where that is one core's. This thread's own caches are filled; what other
/// threads left in theirs is put out of the last level alone.
static Error evictCaches(size_t bytes) {
  static std::vector<char> other;
  if (other.size() < bytes)
    other.assign(bytes, 1);
  for (size_t i = 0; i < bytes; i += 64)
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
    int64_t operandBytes = 0;
    for (const GuardedTensor &tensor : operands.getTensors())
      operandBytes += static_cast<int64_t>(tensor.size());
    otherBytes = countOtherBytes(operandBytes);
    library.packArguments(function, pointers);
    return Error::success();
  }
  Error call() override {
    entry(pointers.data());
    return Error::success();
  }
  Expected<Timing> time(TimingOptions options) override {
    auto evict = [&] { return evictCaches(otherBytes); };
    options.prepare = evict;
    return timeCalls([&] { entry(pointers.data()); }, options,
                     [] { return monotonicSeconds(); });
  }

private:
  KernelLibrary library;
  KernelLibrary::PackedEntry entry;
  std::string function;
  SmallVector<void *> pointers;
  size_t otherBytes = 0;
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
