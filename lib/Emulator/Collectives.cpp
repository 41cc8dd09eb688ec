//===- Collectives.cpp - What the lanes of a warp do together -------------===//

#include "Handlers.h"
#include "Machine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <cmath>

using namespace llvm;

namespace sched::emulator {

/// Gathers the lanes that those which run name in `masks`; each must name
/// itself.
static bool gatherNamed(Machine &machine, const Step &step,
                        const uint32_t *masks) {
  LaneMask named = 0;
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    named |= masks[lane];
    if (!(masks[lane] >> lane & 1))
      return machine.fail(
          step, lane,
          "takes part in an operation of its warp whose mask 0x" +
              utohexstr(masks[lane]) + " lacks its lane " + Twine(lane));
  }
  return machine.gather(step, named & machine.warp->lanes);
}

static bool runShuffle(Machine &machine, const Step &step) {
  const uint32_t *places = step.places + step.numResults;
  const uint32_t *masks = machine.at<uint32_t>(places[0]);
  if (!gatherNamed(machine, step, masks))
    return false;
  const uint32_t *values = machine.at<uint32_t>(places[1]);
  const uint32_t *distances = machine.at<uint32_t>(places[2]);
  const uint32_t *clamps = machine.at<uint32_t>(places[3]);
  std::array<uint32_t, kLanes> results, valid;
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const int lane = llvm::countr_zero(rest);
    // As the PTX ISA defines shfl.sync.
    const int distance = distances[lane] & 31;
    const int clamp = clamps[lane] & 31, segment = (clamps[lane] >> 8) & 31;
    const int highest = (lane & segment) | (clamp & ~segment);
    const int lowest = lane & segment;
    int source = lane;
    bool inside = true;
    switch (ShuffleMode(step.immediate)) {
    case ShuffleMode::Up:
      source = lane - distance;
      inside = source >= highest;
      break;
    case ShuffleMode::Down:
      source = lane + distance;
      inside = source <= highest;
      break;
    case ShuffleMode::Butterfly:
      source = lane ^ distance;
      inside = source <= highest;
      break;
    case ShuffleMode::Index:
      source = lowest | (distance & ~segment);
      inside = source <= highest;
      break;
    }
    if (!inside)
      source = lane;
    if (!(machine.mask >> source & 1) || !(masks[lane] >> source & 1))
      return machine.fail(step, lane,
                          "takes the value of lane " + Twine(source) +
                              ", which does not take part in the shuffle");
    results[lane] = values[source];
    valid[lane] = inside;
  }
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    machine.at<uint32_t>(step.places[0])[lane] = results[lane];
    if (step.numResults > 1)
      machine.at<uint32_t>(step.places[1])[lane] = valid[lane];
  }
  return true;
}

Operation getShuffle(ShuffleMode mode) { return {runShuffle, int64_t(mode)}; }

static bool runVote(Machine &machine, const Step &step) {
  const uint32_t *masks = machine.at<uint32_t>(step.a);
  if (!gatherNamed(machine, step, masks))
    return false;
  const uint32_t *predicates = machine.at<uint32_t>(step.b);
  uint32_t *result = machine.at<uint32_t>(step.result);
  // The result of a lane may lie where its operands do.
  LaneMask yes = 0;
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    if (predicates[lane])
      yes |= LaneMask(1) << lane;
  }
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const LaneMask all = masks[lane] & machine.warp->lanes;
    const LaneMask those = yes & all;
    switch (VoteMode(step.immediate)) {
    case VoteMode::All:
      result[lane] = those == all;
      break;
    case VoteMode::Any:
      result[lane] = those != 0;
      break;
    case VoteMode::Uniform:
      result[lane] = those == all || those == 0;
      break;
    case VoteMode::Ballot:
      result[lane] = those;
      break;
    }
  }
  return true;
}

Operation getVote(VoteMode mode) { return {runVote, int64_t(mode)}; }

using Reduce = uint32_t (*)(uint32_t a, uint32_t b);

static bool runReduction(Machine &machine, const Step &step) {
  const uint32_t *masks = machine.at<uint32_t>(step.b);
  if (!gatherNamed(machine, step, masks))
    return false;
  const auto reduce = reinterpret_cast<Reduce>(step.immediate);
  const uint32_t *values = machine.at<uint32_t>(step.a);
  uint32_t *result = machine.at<uint32_t>(step.result);
  std::array<uint32_t, kLanes> results;
  for (LaneMask lanes = machine.mask; lanes; lanes &= lanes - 1) {
    const unsigned lane = llvm::countr_zero(lanes);
    LaneMask rest = masks[lane] & machine.warp->lanes;
    uint32_t value = values[llvm::countr_zero(rest)];
    for (rest &= rest - 1; rest; rest &= rest - 1)
      value = reduce(value, values[llvm::countr_zero(rest)]);
    results[lane] = value;
  }
  forLanes(machine.mask, [&](unsigned lane) { result[lane] = results[lane]; });
  return true;
}

template <float (*Choose)(float, float), bool IsAbsolute, bool KeepsNaN>
static uint32_t reduceFloat(uint32_t a, uint32_t b) {
  float x = bit_cast<float>(a), y = bit_cast<float>(b);
  if (IsAbsolute) {
    x = std::fabs(x);
    y = std::fabs(y);
  }
  if (KeepsNaN && (std::isnan(x) || std::isnan(y)))
    return bit_cast<uint32_t>(x + y);
  return bit_cast<uint32_t>(Choose(x, y));
}

static float greater(float a, float b) { return std::fmax(a, b); }
static float less(float a, float b) { return std::fmin(a, b); }

Operation getReduction(StringRef operation) {
  auto reduce =
      StringSwitch<Reduce>(operation)
          .Case("add", [](uint32_t a, uint32_t b) { return a + b; })
          .Case("and", [](uint32_t a, uint32_t b) { return a & b; })
          .Case("or", [](uint32_t a, uint32_t b) { return a | b; })
          .Case("xor", [](uint32_t a, uint32_t b) { return a ^ b; })
          .Case("umax", [](uint32_t a, uint32_t b) { return std::max(a, b); })
          .Case("umin", [](uint32_t a, uint32_t b) { return std::min(a, b); })
          .Case("max",
                [](uint32_t a, uint32_t b) {
                  return uint32_t(std::max(int32_t(a), int32_t(b)));
                })
          .Case("min",
                [](uint32_t a, uint32_t b) {
                  return uint32_t(std::min(int32_t(a), int32_t(b)));
                })
          .Case("fmax", reduceFloat<greater, false, false>)
          .Case("fmin", reduceFloat<less, false, false>)
          .Case("fmax.NaN", reduceFloat<greater, false, true>)
          .Case("fmin.NaN", reduceFloat<less, false, true>)
          .Case("fmax.abs", reduceFloat<greater, true, false>)
          .Case("fmin.abs", reduceFloat<less, true, false>)
          .Case("fmax.abs.NaN", reduceFloat<greater, true, true>)
          .Case("fmin.abs.NaN", reduceFloat<less, true, true>)
          .Default(nullptr);
  return {reduce ? runReduction : nullptr, reinterpret_cast<int64_t>(reduce)};
}

static bool runActiveMask(Machine &machine, const Step &step) {
  uint32_t *result = machine.at<uint32_t>(step.result);
  forLanes(machine.mask, [&](unsigned lane) { result[lane] = machine.mask; });
  return true;
}

Operation getActiveMask() { return {runActiveMask}; }

template <typename Value>
static bool runMatch(Machine &machine, const Step &step) {
  const uint32_t *places = step.places + step.numResults;
  const uint32_t *masks = machine.at<uint32_t>(places[0]);
  if (!gatherNamed(machine, step, masks))
    return false;
  const Value *values = machine.at<Value>(places[1]);
  std::array<LaneMask, kLanes> same{};
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1)
    for (LaneMask others = machine.mask; others; others &= others - 1) {
      const unsigned lane = llvm::countr_zero(rest);
      const unsigned other = llvm::countr_zero(others);
      if (values[lane] == values[other])
        same[lane] |= LaneMask(1) << other;
    }
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    same[lane] &= masks[lane];
    const bool all = same[lane] == (masks[lane] & machine.warp->lanes);
    machine.at<uint32_t>(step.places[0])[lane] =
        step.immediate && !all ? 0 : same[lane];
    if (step.numResults > 1)
      machine.at<uint32_t>(step.places[1])[lane] = all;
  }
  return true;
}

Operation getMatch(bool all, bool wide) {
  return {wide ? runMatch<uint64_t> : runMatch<uint32_t>, all};
}

static bool runWarpBarrier(Machine &machine, const Step &step) {
  if (!gatherNamed(machine, step, machine.at<uint32_t>(step.a)))
    return false;
  // Orders the accesses of the lanes; of all of them or it is not counted.
  if (machine.mask == machine.warp->lanes)
    ++machine.warp->step;
  return true;
}

Operation getWarpBarrier() { return {runWarpBarrier}; }

} // namespace sched::emulator
