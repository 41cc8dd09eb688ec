//===- NestHash.cpp - Which candidates are the same program ---------------===//

#include "SchedOpt/Model/NestHash.h"
#include "SchedOpt/Model/NestWalker.h"

using namespace sched;

namespace {
class Hasher {
public:
  Hasher(const LoopNestPlan &nest, llvm::ArrayRef<int64_t> registers)
      : nest(nest), registers(registers) {}

  void enterLoop(const WalkState &state) {
    const WalkLoop &loop = state.loops[state.depth - 1];
    add(loop.isForall ? 2 : 1);
    add(loop.dim);
    add(loop.trips);
    add(state.extents[loop.dim]);
  }

  void exitLoop(const WalkState &) { add(3); }

  void block(const BlockPlan &block, const WalkState &state) {
    add(4);
    add(&block - nest.blocks.data());
    if (block.keepsPartials != kNoReg)
      add(registers[block.keepsPartials] != 0);
    for (uint8_t dim : block.dims)
      add(state.extents[dim]);
    if (state.fill)
      add(state.fill->isMasked ? 6 : 5);
    for (const AccessPlan &access : block.accesses)
      for (Reg stride : access.strides)
        add(registers[stride]);
  }

  uint64_t get() {
    for (Reg param : nest.otherParams)
      add(registers[param]);
    return hash | 1;
  }

private:
  /// As in splitmix64 (Steele et al., "Fast Splittable Pseudorandom Number
  /// Generators", 2014).
  void add(int64_t value) {
    hash += static_cast<uint64_t>(value) + 0x9e3779b97f4a7c15ull;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebull;
    hash ^= hash >> 31;
  }

  const LoopNestPlan &nest;
  llvm::ArrayRef<int64_t> registers;
  uint64_t hash = 0;
};
} // namespace

uint64_t sched::hashNest(const LoopNestPlan &nest,
                         llvm::ArrayRef<int64_t> registers) {
  Hasher hasher(nest, registers);
  NestWalker<Hasher> walker(nest, registers, hasher);
  walker.walk();
  return hasher.get();
}
