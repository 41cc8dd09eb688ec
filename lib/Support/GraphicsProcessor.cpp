//===- GraphicsProcessor.cpp - Targets that are GPUs ----------------------===//
//
// Parameters from the CUDA C++ Programming Guide, "Compute Capabilities", and
// from the vendor's data sheets of the fastest product of each kind: it has the
// multiprocessors and the bandwidth that are written here. What was measured
// says so.
//
//===----------------------------------------------------------------------===//

#include "GraphicsProcessor.h"
#include "SchedOpt/Support/TensorFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace llvm;
using namespace sched;

namespace {
struct Chip {
  const char *name;
  int multiprocessors;
  /// Shared memory of a multiprocessor; a block can have all but 1 KiB.
  int sharedK;
  int maxThreads, maxBlocks;
  int floatLanes, matrixLanes;
  int l2M;
  double clockGHz, memoryGBs;
};
} // namespace

static const Chip kChips[] = {
    // A100.
    {"sm_80", 108, 164, 2048, 32, 64, 1024, 40, 1.41, 1555},
    // A40, GeForce RTX 3090.
    {"sm_86", 84, 100, 1536, 16, 128, 512, 6, 1.74, 696},
    // L40S, GeForce RTX 4090.
    {"sm_89", 142, 100, 1536, 24, 128, 512, 96, 2.5, 864},
    // H100; `a` adds what only this chip has. By mma.sync its matrix units have
    // two thirds of their rate: 6.1 cycles of 16 x 8 x 16, by Nsight Compute.
    {"sm_90", 132, 228, 2048, 32, 128, 1344, 50, 1.755, 3350},
    {"sm_90a", 132, 228, 2048, 32, 128, 1344, 50, 1.755, 3350},
    // B200.
    {"sm_100", 148, 228, 2048, 32, 128, 1024, 126, 1.85, 8000},
    {"sm_100a", 148, 228, 2048, 32, 128, 1024, 126, 1.85, 8000},
    // GeForce RTX 5090.
    {"sm_120", 170, 100, 1536, 24, 128, 512, 96, 2.4, 1792},
};

static Error fail(const Twine &message) {
  return createStringError(message.str());
}

std::vector<StringRef> sched::getChips() {
  std::vector<StringRef> names;
  for (const Chip &chip : kChips)
    names.push_back(chip.name);
  return names;
}

static std::string listChips() { return join(getChips(), ", "); }

static void applyChip(sched::Target &target, const Chip &chip) {
  target.mcpu = chip.name;
  target.l2Bytes = int64_t(chip.l2M) << 20;
  target.clockGHz = chip.clockGHz;
  target.memoryGBs = chip.memoryGBs;
  target.gpu.multiprocessors = chip.multiprocessors;
  target.gpu.sharedBytes = int64_t(chip.sharedK) << 10;
  target.gpu.maxBlockSharedBytes = target.gpu.sharedBytes - 1024;
  target.gpu.maxThreads = chip.maxThreads;
  target.gpu.maxBlocks = chip.maxBlocks;
  target.gpu.floatLanes = chip.floatLanes;
  target.gpu.matrixLanes = chip.matrixLanes;
}

static Error setKey(sched::Target &target, StringRef key, StringRef value,
                    StringRef spec) {
  if (key == "features") {
    if (value != kTensorFloatFeature)
      return fail("unknown feature '" + value + "' in target '" + spec +
                  "'; expected " + kTensorFloatFeature +
                  ": products of f32 may round their operands");
    target.features = value.str();
    return Error::success();
  }
  int64_t parsed = 0;
  if (value.getAsInteger(10, parsed) || parsed <= 0 ||
      parsed > std::numeric_limits<int>::max())
    return fail("target key '" + key + "' needs a positive number; found '" +
                value + "'");
  if (key == "multiprocessors")
    target.gpu.multiprocessors = parsed;
  else if (key == "registers")
    target.gpu.registers = parsed;
  else if (key == "l2")
    target.l2Bytes = parsed;
  else if (key == "memory-gbs")
    target.memoryGBs = parsed;
  else if (key == "shared") {
    target.gpu.sharedBytes = parsed;
    target.gpu.maxBlockSharedBytes = std::max<int64_t>(parsed - 1024, 1024);
  } else
    return fail("unknown key '" + key + "' in target '" + spec +
                "'; expected chip, multiprocessors, shared, registers, l2, "
                "memory-gbs or features");
  return Error::success();
}

Expected<sched::Target> sched::parseGraphicsProcessor(StringRef spec) {
  sched::Target target;
  target.kind = Target::Kind::NVVM;
  target.triple = "nvptx64-nvidia-cuda";
  SmallVector<StringRef> parts;
  spec.split(':').second.split(parts, ',', -1, /*KeepEmpty=*/false);
  SmallVector<std::pair<StringRef, StringRef>> keys;
  StringRef name;
  for (StringRef part : parts) {
    auto [key, value] = part.split('=');
    if (!part.contains('=')) {
      value = key;
      key = "chip";
    }
    key = key.trim();
    value = value.trim();
    if (value.empty())
      return fail("key '" + key + "' in target '" + spec +
                  "' needs a value; expected 'key=value'");
    if (llvm::is_contained(llvm::make_first_range(keys), key))
      return fail("target '" + spec + "' has the key '" + key +
                  "' twice; expected it once");
    keys.push_back({key, value});
    if (key == "chip")
      name = value;
  }
  if (name.empty())
    return fail("target '" + spec + "' names no chip; expected 'nvvm:CHIP' " +
                "with one of " + listChips());
  if (name == "native")
    return fail("target '" + spec + "' is the GPU of this machine, which a " +
                "search finds out; expected the chip itself here: one of " +
                listChips());
  const auto *chip = llvm::find_if(
      kChips, [&](const Chip &candidate) { return name == candidate.name; });
  if (chip == std::end(kChips)) {
    unsigned version = 0;
    if (name.consume_front("sm_") && !name.getAsInteger(10, version) &&
        version < 80)
      return fail("chip 'sm_" + name + "' in target '" + spec +
                  "' is too old; expected sm_80 or later, which have "
                  "asynchronous copies: one of " +
                  listChips());
    return fail("unknown chip in target '" + spec + "'; expected one of " +
                listChips());
  }
  applyChip(target, *chip);
  for (auto [key, value] : keys)
    if (key != "chip")
      if (Error error = setKey(target, key, value, spec))
        return std::move(error);
  return target;
}
