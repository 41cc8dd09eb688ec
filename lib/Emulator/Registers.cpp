//===- Registers.cpp - Places in the register file ------------------------===//
//
// A linear scan: a register lives from its first step to its last, in the order
// of steps, and through every block that it is live in. Lanes that are
// elsewhere keep their own, as a place has each lane apart.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/BitVector.h"
#include <queue>

using namespace llvm;

namespace sched::emulator {

namespace {
struct Lifetime {
  // Steps are even numbers; what a step writes lives from the next one.
  uint32_t begin = UINT32_MAX, end = 0;
  void add(uint32_t position) {
    begin = std::min(begin, position);
    end = std::max(end, position);
  }
};

/// Registers that are live at the borders of blocks.
class Liveness {
public:
  Liveness(ArrayRef<Draft> drafts, ArrayRef<DraftBlock> blocks,
           ArrayRef<Register> registers)
      : numbers(registers.size(), UINT32_MAX) {
    std::vector<uint32_t> writtenIn(registers.size(), UINT32_MAX);
    std::vector<SmallVector<uint32_t, 8>> read(blocks.size());
    for (auto [number, block] : llvm::enumerate(blocks))
      for (uint32_t i = block.begin; i != block.end; ++i) {
        for (uint32_t operand : drafts[i].operands)
          if (!registers[operand].isBound && writtenIn[operand] != number) {
            if (numbers[operand] == UINT32_MAX) {
              numbers[operand] = crossing.size();
              crossing.push_back(operand);
            }
            read[number].push_back(numbers[operand]);
          }
        for (uint32_t result : drafts[i].results)
          writtenIn[result] = number;
      }
    const unsigned count = crossing.size();
    liveIn.assign(blocks.size(), BitVector(count));
    liveOut.assign(blocks.size(), BitVector(count));
    std::vector<BitVector> written(blocks.size(), BitVector(count));
    for (auto [number, block] : llvm::enumerate(blocks)) {
      for (uint32_t i = block.begin; i != block.end; ++i)
        for (uint32_t result : drafts[i].results)
          if (numbers[result] != UINT32_MAX)
            written[number].set(numbers[result]);
      for (uint32_t each : read[number])
        liveIn[number].set(each);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t number = blocks.size(); number-- != 0;) {
        BitVector out(count);
        for (uint32_t successor : blocks[number].successors)
          out |= liveIn[successor];
        if (out == liveOut[number])
          continue;
        liveOut[number] = out;
        out.reset(written[number]);
        BitVector in = liveIn[number];
        in |= out;
        if (in != liveIn[number]) {
          liveIn[number] = std::move(in);
          changed = true;
        }
      }
    }
  }
  /// Those that are live at the border of some block.
  std::vector<uint32_t> crossing;
  std::vector<BitVector> liveIn, liveOut;

private:
  /// Positions in `crossing`.
  std::vector<uint32_t> numbers;
};
} // namespace

void placeRegisters(ArrayRef<Draft> drafts, ArrayRef<DraftBlock> blocks,
                    ArrayRef<Register> registers, Program &program,
                    std::vector<uint32_t> &places) {
  std::vector<Lifetime> lifetimes(registers.size());
  for (auto [position, draft] : llvm::enumerate(drafts)) {
    for (uint32_t operand : draft.operands)
      lifetimes[operand].add(2 * position);
    for (uint32_t result : draft.results)
      lifetimes[result].add(2 * position + 1);
  }
  Liveness liveness(drafts, blocks, registers);
  for (auto [number, block] : llvm::enumerate(blocks)) {
    for (unsigned bit : liveness.liveIn[number].set_bits())
      lifetimes[liveness.crossing[bit]].add(2 * block.begin);
    for (unsigned bit : liveness.liveOut[number].set_bits())
      lifetimes[liveness.crossing[bit]].add(2 * block.end);
  }

  uint32_t bytes = 0;
  auto allocate = [&](bool wide) {
    const uint32_t place = bytes;
    bytes += kLanes * (wide ? 8 : 4);
    return place;
  };
  places.assign(registers.size(), 0);
  std::vector<uint32_t> order;
  for (auto [number, each] : llvm::enumerate(registers)) {
    if (each.isBound) {
      places[number] = allocate(each.wide);
      program.bound.push_back(each.bound);
      program.bound.back().wide = each.wide;
      program.bound.back().place = places[number];
    } else if (lifetimes[number].begin != UINT32_MAX) {
      order.push_back(number);
    }
  }
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return std::make_pair(lifetimes[a].begin, a) <
           std::make_pair(lifetimes[b].begin, b);
  });
  using Ending = std::pair<uint32_t, uint32_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> active;
  SmallVector<uint32_t, 64> unused[2];
  for (uint32_t number : order) {
    while (!active.empty() && active.top().first < lifetimes[number].begin) {
      const uint32_t ended = active.top().second;
      unused[registers[ended].wide].push_back(places[ended]);
      active.pop();
    }
    auto &pool = unused[registers[number].wide];
    places[number] =
        pool.empty() ? allocate(registers[number].wide) : pool.pop_back_val();
    active.push({lifetimes[number].end, number});
  }
  program.registerBytes = bytes;
}

} // namespace sched::emulator
