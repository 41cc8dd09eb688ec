//===- DeviceProperties.cpp - What a driver says of a GPU -----------------===//

#include "SchedOpt/Support/DeviceProperties.h"
#include "GraphicsProcessor.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>
#include <limits>

using namespace llvm;
using namespace sched;

std::string DeviceProperties::getChip() const {
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

/// Whether machine code for `chip` runs on `device`: a chip's name is its
/// compute capability, and an `a` where only that chip runs its code.
static bool runsOn(StringRef chip, const DeviceProperties &device) {
  int version = 0;
  const bool isAlone = chip.consume_back("a");
  if (!chip.consume_front("sm_") || chip.getAsInteger(10, version))
    return false;
  return version / 10 == device.major &&
         (isAlone ? version % 10 == device.minor
                  : version % 10 <= device.minor);
}

bool sched::isGraphicsProcessor(StringRef spec) {
  return spec.split(':').first == "nvvm";
}

static constexpr StringLiteral kNative = "nvvm:native";

bool sched::isNativeGraphicsProcessor(StringRef spec) {
  return spec.consume_front(kNative) && (spec.empty() || spec.front() == ',');
}

Expected<std::string>
sched::nameGraphicsProcessor(StringRef spec, const DeviceProperties &device) {
  assert(isNativeGraphicsProcessor(spec) && "of this machine");
  const std::vector<StringRef> chips = getChips();
  // The last that runs there is the nearest, with what only that chip has.
  StringRef chip;
  for (StringRef candidate : chips)
    if (runsOn(candidate, device))
      chip = candidate;
  if (chip.empty())
    return createStringError("found " + device.name + ", a GPU of " +
                             device.getChip() + ", for target '" + spec +
                             "'; expected one that runs code for " +
                             join(chips, ", "));
  std::string text = ("nvvm:chip=" + chip).str();
  const StringRef keys = spec.drop_front(kNative.size());
  auto add = [&](StringRef key, int64_t value) {
    // Keys that are given win.
    if (value > 0 && value <= std::numeric_limits<int>::max() &&
        !keys.contains(("," + key + "=").str()))
      text += ("," + key + "=" + Twine(value)).str();
  };
  add("multiprocessors", device.multiprocessors);
  add("shared", device.sharedBytes);
  add("registers", device.registers);
  add("l2", device.l2Bytes);
  add("memory-gbs", static_cast<int64_t>(device.memoryGBs));
  return text + keys.str();
}

Error sched::checkRunsOn(const sched::Target &target,
                         const DeviceProperties &device) {
  if (runsOn(target.mcpu, device))
    return Error::success();
  return createStringError("found " + device.name + ", a GPU of " +
                           device.getChip() +
                           ", expected one that runs code for " + target.mcpu);
}
