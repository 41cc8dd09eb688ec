//===- Target.cpp - What the code is for ----------------------------------===//

#include "SchedOpt/Support/Target.h"
#include "GraphicsProcessor.h"
#include "HostCaches.h"
#include "Microarchitecture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <algorithm>
#include <limits>
#include <memory>
#include <thread>

using namespace llvm;
using namespace sched;

static Error fail(const Twine &message) {
  return createStringError(message.str());
}

static int countHostCores() {
  int cores = llvm::get_physical_cores();
  if (cores <= 0)
    cores = std::thread::hardware_concurrency();
  // A container may own fewer than the machine has.
  return std::max(
      1, std::min<int>(cores, hardware_concurrency().compute_thread_count()));
}

static std::string getHostFeatures() {
  // Sorted: the map's order is not stable.
  std::vector<std::string> features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::sort(features.begin(), features.end(), [](StringRef a, StringRef b) {
    return a.drop_front() < b.drop_front();
  });
  return join(features, ",");
}

/// Vector registers and FMA as the subtarget has them.
static void applyISA(sched::Target &target, const MCSubtargetInfo &subtarget) {
  const Triple triple(target.triple);
  auto has = [&](StringRef feature) {
    return subtarget.checkFeatures(("+" + feature).str());
  };
  if (triple.isX86()) {
    const bool avx512 = has("avx512f"), avx = has("avx");
    target.vectorBytes = avx512 ? 64 : avx ? 32 : 16;
    target.vectorRegisters = avx512 ? 32 : 16;
    target.hasFMA = has("fma") || avx512;
    return;
  }
  target.vectorBytes = 16;
  target.vectorRegisters = triple.isAArch64() ? 32 : 16;
  target.hasFMA = target.byElement = triple.isAArch64();
}

/// The names of `table` that are close to `name`, for an error.
static std::string nearest(ArrayRef<SubtargetSubTypeKV> table, StringRef name) {
  std::vector<std::pair<unsigned, StringRef>> close;
  for (const SubtargetSubTypeKV &entry : table) {
    StringRef key = entry.Key;
    unsigned distance = name.edit_distance(key);
    if (distance <= std::max<size_t>(2, name.size() / 3) ||
        (name.size() >= 3 && key.starts_with(name.take_front(4))))
      close.push_back({distance, key});
  }
  std::sort(close.begin(), close.end());
  close.resize(std::min<size_t>(close.size(), 4));
  std::string text;
  for (auto &[distance, key] : close)
    text += (text.empty() ? "" : ", ") + key.str();
  return text;
}

/// Features are a list such as "+avx2,-avx512f" of names that LLVM knows.
static Error checkFeatureNames(const MCSubtargetInfo &subtarget,
                               StringRef features) {
  SmallVector<StringRef> parts;
  features.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    const bool isKnown = SubtargetFeatures::hasFlag(part) &&
                         llvm::any_of(subtarget.getAllProcessorFeatures(),
                                      [&](const SubtargetFeatureKV &feature) {
                                        return part.drop_front() == feature.Key;
                                      });
    if (!isKnown)
      return fail("unknown feature '" + part + "' for " +
                  subtarget.getTargetTriple().str() +
                  "; expected + or - and a name that LLVM knows, such as "
                  "'+avx2;-avx512f'");
  }
  return Error::success();
}

/// The triple of another architecture that `mcpu` is a processor of; "" if
/// there is none among those that code is generated for.
static StringRef findTriple(StringRef mcpu) {
  for (StringRef name : {"x86_64-linux-gnu", "aarch64-linux-gnu",
                         "riscv64-linux-gnu", "powerpc64le-linux-gnu"}) {
    std::string message;
    const Triple triple(name);
    const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
    std::unique_ptr<MCSubtargetInfo> subtarget(
        backend ? backend->createMCSubtargetInfo(triple, "", "") : nullptr);
    if (subtarget && subtarget->isCPUStringValid(mcpu))
      return name;
  }
  return "";
}

/// Looks up what LLVM knows of the target and fills in the ISA.
static Error applyLLVM(sched::Target &target, StringRef spec) {
  std::string message;
  const Triple triple(target.triple);
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return fail("unknown triple '" + target.triple + "' in target '" + spec +
                "'; expected one that LLVM has a code generator for, such as "
                "x86_64-linux-gnu or aarch64-linux-gnu");
  std::unique_ptr<MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(triple, "", ""));
  if (!subtarget)
    return fail("LLVM has no code generator for triple '" + target.triple +
                "'");
  if (!subtarget->isCPUStringValid(target.mcpu)) {
    const StringRef other = findTriple(target.mcpu);
    if (!other.empty())
      return fail("mcpu '" + target.mcpu + "' is no processor of " +
                  target.triple +
                  " but of another architecture; add 'triple=" + other + "'");
    std::string close =
        nearest(subtarget->getAllProcessorDescriptions(), target.mcpu);
    return fail("unknown mcpu '" + target.mcpu + "' for " + target.triple +
                "; expected a processor that LLVM knows" +
                (close.empty() ? "" : " (near: " + close + ")") +
                "; 'llc-22 -mtriple=" + target.triple +
                " -mcpu=help' lists them all");
  }
  if (Error error = checkFeatureNames(*subtarget, target.features))
    return error;
  subtarget.reset(
      backend->createMCSubtargetInfo(triple, target.mcpu, target.features));
  applyISA(target, *subtarget);
  return Error::success();
}

/// Sets one key of a spec; false if there is no such key.
static Expected<bool> setKey(sched::Target &target, StringRef key,
                             StringRef value) {
  auto number = [&](auto &field) -> Expected<bool> {
    using Field = std::remove_reference_t<decltype(field)>;
    int64_t parsed = 0;
    if (value.getAsInteger(10, parsed) || parsed <= 0 ||
        parsed > std::numeric_limits<Field>::max())
      return fail("target key '" + key + "' needs a positive number; found '" +
                  value + "'");
    field = parsed;
    return true;
  };
  if (key == "threads")
    return number(target.threads);
  if (key == "cores")
    return number(target.cores);
  if (key == "l1")
    return number(target.l1Bytes);
  if (key == "l2")
    return number(target.l2Bytes);
  if (key == "l3")
    return number(target.l3Bytes);
  if (key == "vector-bytes") {
    int bytes = 0;
    if (value.getAsInteger(10, bytes) || bytes < 8 || bytes > 256 ||
        !isPowerOf2_32(bytes))
      return fail("target key 'vector-bytes' needs a power of two from 8 to "
                  "256; found '" +
                  value + "'");
    target.vectorBytes = bytes;
    return true;
  }
  if (key == "vector-registers")
    return number(target.vectorRegisters);
  return false;
}

/// More than any machine that a team of threads is made on.
static constexpr int kMaxThreads = 1024;

Expected<sched::Target> sched::Target::parse(StringRef spec, int threads) {
  initializeLLVMTargets();
  if (threads < 0 || threads > kMaxThreads)
    return fail("threads must be 0 (one a core) to " + Twine(kMaxThreads) +
                "; found " + Twine(threads));
  auto [kindName, rest] = spec.split(':');
  if (kindName == "nvvm")
    return parseGraphicsProcessor(spec);
  if (kindName != "native" && kindName != "cpu")
    return fail("unknown target '" + spec +
                "'; expected 'native', 'cpu', 'cpu:mcpu=NAME[,triple=...]' or "
                "'nvvm:CHIP', such as nvvm:sm_90a");

  SmallVector<std::pair<StringRef, StringRef>> keys;
  SmallVector<StringRef> parts;
  rest.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    StringRef key = part.split('=').first.trim();
    StringRef value = part.split('=').second.trim();
    if (value.empty())
      return fail("key '" + key + "' in target '" + spec +
                  "' needs a value; expected 'key=value'");
    if (llvm::is_contained(llvm::make_first_range(keys), key))
      return fail("target '" + spec + "' has the key '" + key +
                  "' twice; expected it once");
    keys.push_back({key, value});
  }
  sched::Target target;
  target.triple = sys::getDefaultTargetTriple();
  for (auto [key, value] : keys) {
    if (key == "mcpu")
      target.mcpu = value.str();
    else if (key == "triple")
      target.triple = Triple::normalize(value);
    else if (key == "features") {
      target.features = value.str();
      std::replace(target.features.begin(), target.features.end(), ';', ',');
    }
  }
  const bool isForeign = Triple(target.triple).getArch() !=
                         Triple(sys::getDefaultTargetTriple()).getArch();
  if (target.mcpu.empty() && isForeign)
    return fail("target '" + spec +
                "' names another architecture but no processor; add "
                "'mcpu=NAME'");
  const bool isNative = target.mcpu.empty() || target.mcpu == "native";
  if (isNative) {
    target.mcpu = sys::getHostCPUName().str();
    if (target.features.empty())
      target.features = getHostFeatures();
  }
  if (Error error = applyLLVM(target, spec))
    return std::move(error);
  target.cores = target.threads = 0;
  applyMicroarchitecture(target);
  if (isNative) {
    readHostCaches(target);
    if (double clock = readHostClock())
      target.clockGHz = clock;
  }
  for (auto [key, value] : keys) {
    if (key == "mcpu" || key == "triple" || key == "features")
      continue;
    Expected<bool> known = setKey(target, key, value);
    if (!known)
      return known.takeError();
    if (!*known)
      return fail("unknown key '" + key + "' in target '" + spec +
                  "'; expected mcpu, triple, features, cores, threads, l1, l2, "
                  "l3, vector-bytes or vector-registers");
  }
  if (threads)
    target.threads = threads;
  // Nothing says how many cores a machine elsewhere has.
  if (!target.cores)
    target.cores = isNative ? countHostCores() : std::max(1, target.threads);
  if (!target.threads)
    target.threads = target.cores;
  return target;
}

/// Whether a code generator uses the feature of its own accord, and the program
/// faults where it is missing. Others, such as those for operating systems, are
/// often hidden from virtual machines and do not matter.
static bool isGenerated(StringRef feature) {
  return llvm::any_of(
      ArrayRef<StringRef>{"sse", "ssse", "avx", "fma", "f16c", "bmi", "lzcnt",
                          "popcnt", "movbe", "amx", "neon", "fp", "fullfp16",
                          "bf16", "sve", "i8mm", "dotprod", "lse", "rdm"},
      [&](StringRef prefix) { return feature.starts_with(prefix); });
}

/// The part of `features` that is not so on every processor of that name, in
/// the list's order and separated by semicolons. Only what changes the code:
/// the rest depends on how a virtual machine was set up.
static std::string getSpecialFeatures(const sched::Target &target) {
  std::string message;
  const Triple triple(target.triple);
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend || target.features.empty())
    return "";
  std::unique_ptr<MCSubtargetInfo> usual(
      backend->createMCSubtargetInfo(triple, target.mcpu, ""));
  SmallVector<StringRef> features, special;
  StringRef(target.features).split(features, ',', -1, /*KeepEmpty=*/false);
  llvm::erase_if(features, [](StringRef feature) {
    return !isGenerated(feature.drop_front());
  });
  llvm::copy_if(features, std::back_inserter(special), [&](StringRef feature) {
    return !usual->checkFeatures(feature.str());
  });
  // One feature may bring or take another: then only the whole list will do.
  std::unique_ptr<MCSubtargetInfo> part(
      backend->createMCSubtargetInfo(triple, target.mcpu, join(special, ",")));
  const bool suffices = llvm::all_of(features, [&](StringRef feature) {
    return part->checkFeatures(feature.str());
  });
  return join(suffices ? special : features, ";");
}

std::string sched::Target::str() const {
  if (kind == Kind::NVVM)
    return "nvvm:chip=" + mcpu +
           ",multiprocessors=" + std::to_string(gpu.multiprocessors) +
           ",shared=" + std::to_string(gpu.sharedBytes) +
           ",registers=" + std::to_string(gpu.registers) +
           ",l2=" + std::to_string(l2Bytes) +
           (features.empty() ? "" : ",features=" + features);
  const std::string special = getSpecialFeatures(*this);
  return "cpu:mcpu=" + mcpu + ",triple=" + triple +
         (special.empty() ? "" : ",features=" + special) +
         ",vector-bytes=" + std::to_string(vectorBytes) +
         ",vector-registers=" + std::to_string(vectorRegisters) +
         ",cores=" + std::to_string(cores) + ",l1=" + std::to_string(l1Bytes) +
         ",l2=" + std::to_string(l2Bytes) + ",l3=" + std::to_string(l3Bytes);
}

std::vector<std::string> sched::Target::getMissingFeatures() const {
  std::vector<std::string> missing;
  std::string message;
  const Triple wanted(triple);
  const llvm::Target *backend = TargetRegistry::lookupTarget(wanted, message);
  if (!backend)
    return missing;
  std::unique_ptr<MCSubtargetInfo> needed(
      backend->createMCSubtargetInfo(wanted, mcpu, features));
  for (const auto &feature : sys::getHostCPUFeatures())
    if (!feature.second && isGenerated(feature.first()) &&
        needed->checkFeatures(("+" + feature.first()).str()))
      missing.push_back(feature.first().str());
  llvm::sort(missing);
  return missing;
}

int64_t sched::Target::countLhsRegisters(int64_t rows) const {
  // A vector of each row, and one or two of the next step.
  if (byElement)
    return rows + 2;
  // A broadcast. Where there are many registers, LLVM loads two vectors of the
  // next step early, and would rather spill an accumulator.
  return vectorRegisters > 16 ? 3 : 1;
}

int64_t sched::Target::countSpareRegisters() const {
  return byElement || vectorRegisters <= 16 ? 0 : 1;
}

/// A last level larger than this is a server's. It answers late, and is for
/// many cores, or for the programs of others: a copy within it is hardly faster
/// than one in memory. On a Xeon with 260 MiB, results of 8 to 100 MB take 0.42
/// to 0.96 of the time where they are stored past it, and images of 26 to 77 MB
/// 0.81 to 0.97 where they are fetched ahead; those of 6 MB 1.1 times.
static constexpr int64_t kServerCacheBytes = int64_t(96) << 20;
static constexpr int64_t kServerKeptBytes = int64_t(8) << 20,
                         kServerNearBytes = int64_t(24) << 20;
/// So many results fill it: a smaller one is kept where as much is read, and
/// memory would be busy with both. Of 480 MiB, a layer norm's result of 8 MB
/// takes 0.92 of the time where it is kept, a softmax's of 12.6 MB 1.13 times;
/// of 260 MiB, the norm's took 1.15 to 1.25 times.
static constexpr int64_t kServerKeptResults = 48;

bool sched::Target::hasServerCache() const {
  return l3Bytes > kServerCacheBytes;
}

int64_t sched::Target::getKeptBytes() const {
  return hasServerCache() ? std::max(kServerKeptBytes, 2 * l2Bytes) : l3Bytes;
}

int64_t sched::Target::getKeptBesideBytes() const {
  return std::max(getKeptBytes(),
                  hasServerCache() ? l3Bytes / kServerKeptResults : 0);
}

int64_t sched::Target::getNearBytes() const {
  // The result is as large as the image, or nearly, and others need the last
  // level, too.
  return std::max(l2Bytes, hasServerCache() ? kServerNearBytes : l3Bytes / 4);
}

int64_t sched::Target::getFarBytes() const {
  return hasServerCache() ? std::min(getNearBytes(), getKeptBytes())
                          : getNearBytes();
}

bool sched::Target::isHost() const {
  if (kind != Kind::CPU)
    return false;
  const Triple host(sys::getDefaultTargetTriple()), wanted(triple);
  std::string message;
  return host.getArch() == wanted.getArch() && host.getOS() == wanted.getOS() &&
         TargetRegistry::lookupTarget(wanted, message) &&
         getMissingFeatures().empty();
}
