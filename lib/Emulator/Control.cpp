//===- Control.cpp - Branches and barriers --------------------------------===//

#include "Handlers.h"
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sched::emulator {

/// Paths join at the start of a block.
static bool runBlockStart(Machine &machine, const Step &step) {
  auto &groups = machine.warp->groups;
  if (!groups.empty()) {
    const uint32_t here = machine.pc - 1;
    bool isBehind = false;
    for (unsigned i = groups.size(); i-- != 0;) {
      if (groups[i].state != Group::State::Ready)
        continue;
      if (groups[i].pc == here) {
        machine.mask |= groups[i].mask;
        groups.erase(groups.begin() + i);
      } else if (groups[i].pc < here) {
        isBehind = true;
      }
    }
    if (isBehind) {
      machine.pc = here;
      return machine.park(Group::State::Ready);
    }
  }
  machine.executed += uint64_t(step.immediate) * llvm::popcount(machine.mask);
  if (machine.executed > machine.limit)
    return machine.fail(step, llvm::countr_zero(machine.mask),
                        "goes beyond the limit of " + Twine(machine.limit) +
                            " instructions of threads; does a loop never end?");
  return true;
}

Operation getBlockStart(unsigned instructions) {
  return {runBlockStart, instructions};
}

static bool runJump(Machine &machine, const Step &step) {
  machine.pc = uint32_t(step.immediate);
  return true;
}

Operation getJump() { return {runJump}; }

/// Some lanes go on at `here`, the others of those that run at `there`.
static void part(Machine &machine, LaneMask some, uint32_t here,
                 uint32_t there) {
  LaneMask others = machine.mask & ~some;
  if (there < here) {
    std::swap(some, others);
    std::swap(here, there);
  }
  machine.warp->groups.push_back({others, there, Group::State::Ready});
  machine.mask = some;
  machine.pc = here;
}

static bool runBranch(Machine &machine, const Step &step) {
  const uint32_t *condition = machine.at<uint32_t>(step.a);
  const uint32_t yes = uint32_t(step.immediate);
  const uint32_t no = uint32_t(uint64_t(step.immediate) >> 32);
  LaneMask taken = 0;
  for (unsigned lane = 0; lane != kLanes; ++lane)
    taken |= LaneMask(condition[lane] & 1) << lane;
  taken &= machine.mask;
  if (taken == machine.mask)
    machine.pc = yes;
  else if (taken == 0)
    machine.pc = no;
  else
    part(machine, taken, yes, no);
  return true;
}

Operation getBranch() { return {runBranch}; }

template <typename Value>
static bool runSwitch(Machine &machine, const Step &step) {
  const Value *values = machine.at<Value>(step.a);
  const SwitchTable &table = machine.program.switches[step.immediate];
  SmallVector<std::pair<uint32_t, LaneMask>, 8> targets;
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint32_t target = table.other;
    for (const auto &[value, place] : table.cases)
      if (value == values[lane])
        target = place;
    auto *found = llvm::find_if(
        targets, [&](const auto &entry) { return entry.first == target; });
    if (found == targets.end())
      targets.push_back({target, LaneMask(1) << lane});
    else
      found->second |= LaneMask(1) << lane;
  }
  llvm::sort(targets);
  machine.pc = targets.front().first;
  machine.mask = targets.front().second;
  for (auto [target, mask] : llvm::drop_begin(targets))
    machine.warp->groups.push_back({mask, target, Group::State::Ready});
  return true;
}

Operation getSwitch(Scalar type) {
  return {type.isWide() ? runSwitch<uint64_t> : runSwitch<uint32_t>};
}

static bool runReturn(Machine &, const Step &) { return false; }

Operation getReturn() { return {runReturn}; }

static bool runTrap(Machine &machine, const Step &step) {
  return machine.fail(step, llvm::countr_zero(machine.mask),
                      "gets to where the program says that no thread gets");
}

Operation getTrap() { return {runTrap}; }

/// What the barrier combines is done when all have arrived (Machine.cpp).
template <bool IsAligned>
static bool runBarrier(Machine &machine, const Step &step) {
  if (IsAligned && !machine.gather(step, machine.warp->lanes))
    return false;
  return machine.park(Group::State::AtBarrier);
}

Operation getBarrier(BarrierMode mode, bool aligned) {
  return {aligned ? runBarrier<true> : runBarrier<false>, int64_t(mode)};
}

bool isBarrier(const Step &step) {
  return step.run == runBarrier<true> || step.run == runBarrier<false>;
}

} // namespace sched::emulator
