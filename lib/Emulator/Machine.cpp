//===- Machine.cpp - Runs the blocks of a launch --------------------------===//

#include "Machine.h"
#include "Handlers.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace sched::emulator {

Machine::Machine(const Program &program, Memory &memory,
                 std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block,
                 ArrayRef<uint64_t> arguments)
    : program(program), memory(memory), block(block) {
  const unsigned threads = block[0] * block[1] * block[2];
  warps.resize((threads + kLanes - 1) / kLanes);
  for (auto [number, warp] : llvm::enumerate(warps)) {
    warp.number = number;
    const unsigned lanes =
        std::min(kLanes, threads - unsigned(number) * kLanes);
    warp.lanes = lanes == kLanes ? kAllLanes : (LaneMask(1) << lanes) - 1;
    warp.registers =
        std::make_unique<uint64_t[]>((program.registerBytes + 7) / 8);
    auto *file = reinterpret_cast<uint8_t *>(warp.registers.get());
    for (const BoundValue &value : program.bound) {
      for (unsigned lane = 0; lane != kLanes; ++lane) {
        const unsigned thread = number * kLanes + lane;
        uint64_t bits = value.value;
        switch (value.kind) {
        case BoundValue::Kind::Argument:
          bits = arguments[value.value];
          break;
        case BoundValue::Kind::ThreadX:
          bits = thread % block[0];
          break;
        case BoundValue::Kind::ThreadY:
          bits = thread / block[0] % block[1];
          break;
        case BoundValue::Kind::ThreadZ:
          bits = thread / block[0] / block[1];
          break;
        case BoundValue::Kind::ThreadsX:
        case BoundValue::Kind::ThreadsY:
        case BoundValue::Kind::ThreadsZ:
          bits = block[unsigned(value.kind) -
                       unsigned(BoundValue::Kind::ThreadsX)];
          break;
        case BoundValue::Kind::BlocksX:
        case BoundValue::Kind::BlocksY:
        case BoundValue::Kind::BlocksZ:
          bits =
              grid[unsigned(value.kind) - unsigned(BoundValue::Kind::BlocksX)];
          break;
        case BoundValue::Kind::Lane:
          bits = lane;
          break;
        case BoundValue::Kind::Warp:
          bits = number;
          break;
        default:
          break;
        }
        if (value.wide)
          reinterpret_cast<uint64_t *>(file + value.place)[lane] = bits;
        else
          reinterpret_cast<uint32_t *>(file + value.place)[lane] =
              uint32_t(bits);
      }
    }
  }
  memory.onUnwritten = [this](Thread thread, StringRef what) {
    firstUnwritten = describe(this->program.steps[pc - 1], thread.number, what);
  };
  local.resize(program.localBytes * threads);
  Region &region = memory.regions[kLocalRegion];
  region.kind = Region::Kind::Local;
  region.name = "local memory";
  region.data = local.data();
  region.size = memory.localBytes = program.localBytes;
}

void Machine::bindBlock() {
  for (const BoundValue &value : program.bound) {
    if (value.kind < BoundValue::Kind::BlockX)
      continue;
    const unsigned dimension =
        unsigned(value.kind) - unsigned(BoundValue::Kind::BlockX);
    for (Warp &warp : warps)
      std::fill_n(
          reinterpret_cast<uint32_t *>(
              reinterpret_cast<uint8_t *>(warp.registers.get()) + value.place),
          kLanes, position[dimension]);
  }
}

const Step &Machine::stepOf(const Group &group) const {
  // Lanes at a barrier go on behind it.
  return program
      .steps[group.state == Group::State::AtBarrier ? group.pc - 1 : group.pc];
}

bool Machine::fail(const Step &step, unsigned lane, const Twine &text) {
  failedStep = &step;
  failedThread = warp->number * kLanes + lane;
  problem = text.str();
  return false;
}

static std::string describeInstruction(const Instruction &instruction) {
  std::string text;
  raw_string_ostream(text) << instruction;
  return StringRef(text).trim().substr(0, 300).str();
}

std::string Machine::describe(const Step &step, unsigned thread,
                              StringRef what) const {
  std::string text;
  raw_string_ostream os(text);
  os << "kernel '" << program.name << "', block (" << position[0] << ", "
     << position[1] << ", " << position[2] << "), thread "
     << memory.describeThread(thread) << ": " << what << "; at '";
  const Instruction *source = program.sources[step.source];
  os << describeInstruction(*source) << "'";
  if (const DebugLoc &location = source->getDebugLoc()) {
    os << " (";
    location.print(os);
    os << ")";
  }
  return text;
}

std::string Machine::describeError() const {
  return describe(*failedStep, failedThread, problem);
}

bool Machine::park(Group::State state) {
  warp->groups.push_back({mask, pc, state});
  mask = 0;
  return false;
}

bool Machine::gather(const Step &step, LaneMask wanted) {
  if ((wanted & ~warp->lanes) != 0)
    return fail(step, llvm::countr_zero(mask),
                "needs a whole warp, and the block has only " +
                    Twine(llvm::popcount(warp->lanes)) +
                    " threads in its last one");
  const uint32_t here = pc - 1;
  for (unsigned i = warp->groups.size(); i-- != 0;)
    if (warp->groups[i].pc == here &&
        warp->groups[i].state != Group::State::AtBarrier) {
      mask |= warp->groups[i].mask;
      warp->groups.erase(warp->groups.begin() + i);
    }
  if ((wanted & ~mask) == 0)
    return true;
  --pc;
  return park(Group::State::AtCollective);
}

std::string Machine::describePlace(const Warp &other, unsigned lane) const {
  for (const Group &group : other.groups)
    if (group.mask >> lane & 1)
      return " waits at '" +
             describeInstruction(*program.sources[stepOf(group).source]) + "'";
  return " has ended";
}

bool Machine::runWarp(Warp &current) {
  warp = &current;
  registers = reinterpret_cast<uint8_t *>(current.registers.get());
  const Step *steps = program.steps.data();
  while (true) {
    auto next = current.groups.end();
    for (auto group = current.groups.begin(); group != current.groups.end();
         ++group)
      if (group->state == Group::State::Ready &&
          (next == current.groups.end() || group->pc < next->pc))
        next = group;
    if (next == current.groups.end())
      break;
    mask = next->mask;
    pc = next->pc;
    current.groups.erase(next);
    // The step is read before pc moves on, as it may be set.
    while (true) {
      const Step &step = steps[pc++];
      if (!step.run(*this, step))
        break;
    }
    if (failedStep)
      return false;
  }
  const Group *stuck = nullptr;
  for (const Group &group : current.groups)
    if (group.state == Group::State::AtCollective &&
        (!stuck ||
         llvm::countr_zero(group.mask) < llvm::countr_zero(stuck->mask)))
      stuck = &group;
  if (!stuck)
    return true;
  const unsigned other = llvm::countr_zero(current.lanes & ~stuck->mask);
  const Step &step = stepOf(*stuck);
  return fail(step, llvm::countr_zero(stuck->mask),
              (isBarrier(step) ? "waits at a barrier for its warp"
                               : "waits for other lanes of its warp") +
                  Twine(", but thread ") +
                  memory.describeThread(current.number * kLanes + other) +
                  describePlace(current, other));
}

bool Machine::passBarrier() {
  const Step *barrier = nullptr;
  unsigned waiting = 0, all = 0, counted = 0;
  int arrived = -1, missing = -1;
  uint32_t number = 0;
  for (Warp &each : warps) {
    LaneMask here = 0;
    for (const Group &group : each.groups) {
      warp = &each;
      registers = reinterpret_cast<uint8_t *>(each.registers.get());
      const Step &step = stepOf(group);
      const unsigned lane = llvm::countr_zero(group.mask);
      const uint32_t named = at<uint32_t>(step.places[step.numResults])[lane];
      if (!barrier) {
        barrier = &step;
        number = named;
      }
      if (named != number)
        return fail(step, lane,
                    "waits at barrier " + Twine(named) + " while thread " +
                        memory.describeThread(arrived) + " waits at barrier " +
                        Twine(number));
      if (step.numOperands > 1) {
        const uint32_t *predicates =
            at<uint32_t>(step.places[step.numResults + 1]);
        for (LaneMask rest = group.mask; rest; rest &= rest - 1)
          counted += predicates[llvm::countr_zero(rest)];
      }
      here |= group.mask;
      if (arrived < 0)
        arrived = each.number * kLanes + lane;
    }
    waiting += llvm::popcount(here);
    all += llvm::popcount(each.lanes);
    if (missing < 0 && here != each.lanes)
      missing = each.number * kLanes + llvm::countr_zero(each.lanes & ~here);
  }
  if (waiting == 0)
    return false;
  if (waiting != all) {
    warp = &warps[arrived / kLanes];
    return fail(*barrier, arrived % kLanes,
                "waits at a barrier that " + Twine(all - waiting) +
                    " threads of the block do not reach, such as thread " +
                    memory.describeThread(missing) + ", which has ended");
  }
  for (Warp &each : warps) {
    registers = reinterpret_cast<uint8_t *>(each.registers.get());
    for (Group &group : each.groups) {
      const Step &step = stepOf(group);
      if (step.numResults) {
        const auto mode = BarrierMode(step.immediate);
        const uint32_t value = mode == BarrierMode::And  ? counted == all
                               : mode == BarrierMode::Or ? counted != 0
                                                         : counted;
        uint32_t *result = at<uint32_t>(step.places[0]);
        forLanes(group.mask, [&](unsigned lane) { result[lane] = value; });
      }
      group.state = Group::State::Ready;
    }
    // Lanes that waited at one place go on together.
    for (unsigned i = each.groups.size(); i-- > 1;)
      if (each.groups[i].pc == each.groups[0].pc) {
        each.groups[0].mask |= each.groups[i].mask;
        each.groups.erase(each.groups.begin() + i);
      }
  }
  return true;
}

bool Machine::runBlock(std::array<uint32_t, 3> at) {
  position = at;
  memory.block = block;
  memory.blockStart = ++memory.now;
  bindBlock();
  // What nobody wrote shows: it is no number in any format.
  std::fill(local.begin(), local.end(), 0xff);
  const Region &shared = memory.regions[kSharedRegion];
  std::fill_n(shared.data, shared.size, 0xff);
  for (Warp &each : warps) {
    each.groups.assign(1, {each.lanes, 0, Group::State::Ready});
    each.step = 0;
    each.commits.fill(0);
  }
  while (true) {
    for (Warp &each : warps)
      if (!runWarp(each))
        return false;
    if (!passBarrier()) {
      if (failedStep)
        return false;
      break;
    }
    ++memory.now;
  }
  for (Warp &each : warps)
    for (std::vector<Copy> &copies : each.copies) {
      for (const Copy &copy : copies)
        memory.dropCopy(copy.address, copy.bytes);
      copies.clear();
    }
  return true;
}

} // namespace sched::emulator
