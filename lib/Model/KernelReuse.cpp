//===- KernelReuse.cpp - What stages find in registers --------------------===//
//
// The stages of a kernel that go through elements, here called walks, are
// reductions, what is kept in shared memory, and the result. All else is
// computed where a walk asks for it: once if it is then in registers for the
// next walk, which is so if both write their loops out, and otherwise by each.
// The same goes for what is loaded from memory. These are the rules of
// Codegen/StageKeeping.cpp and StageEmitter.cpp, which threads of equal loops
// of all stages follow.
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"
#include "llvm/ADT/bit.h"

using namespace sched;

/// Stages beyond these find nothing.
static constexpr size_t kMostStages = 32;

namespace {
/// The word of a stage's `keep`; "" if it has none.
llvm::StringRef getWord(const StagePlan &stage,
                        llvm::ArrayRef<int64_t> registers) {
  if (stage.places.empty())
    return "";
  const int64_t number = stage.keep == kNoReg ? 0 : registers[stage.keep];
  const int64_t last = int64_t(stage.places.size()) - 1;
  return stage.places[std::clamp<int64_t>(number, 0, last)];
}
} // namespace

int64_t KernelCosts::countOwn(const StagePlan &stage, unsigned i) const {
  const int64_t tile = getTile(nest.blocks[stage.block].dims[i]);
  const int64_t width = i == getAlong(stage) ? getCount(stage.vector, 1) : 1;
  return llvm::divideCeil(tile, getThreads(stage, i) * width) * width;
}

int64_t KernelCosts::countOwn(const StagePlan &stage,
                              const AccessPlan *access) const {
  const BlockPlan &block = nest.blocks[stage.block];
  int64_t count = 1;
  for (unsigned i = 0, e = block.dims.size(); i != e; ++i)
    if (!access || llvm::is_contained(access->dims, block.dims[i]))
      count *= countOwn(stage, i);
  // What does not have loops of its own threads is dealt out as it is stored.
  if (stage.threads.empty() && blockThreads > 0)
    count = llvm::divideCeil(count, blockThreads);
  return count;
}

bool KernelCosts::reduces(const StagePlan &stage) const {
  const BlockPlan &block = nest.blocks[stage.block];
  return llvm::any_of(block.dims, [&](uint8_t dim) {
    return !llvm::is_contained(block.accesses.back().dims, dim);
  });
}

void KernelCosts::planReuse() {
  const size_t count = std::min(kernel.stages.size(), kMostStages);
  reuse.resize(kernel.stages.size());
  bool isTiled = false;
  for (auto [position, stage] : llvm::enumerate(kernel.stages)) {
    StageReuse &own = reuse[position];
    own.loads.assign(nest.blocks[stage.block].accesses.size(), 1);
    const llvm::StringRef word = getWord(stage, registers);
    own.place = word == "shared"      ? Place::Shared
                : word == "recompute" ? Place::Recompute
                                      : Place::Registers;
    own.isWalk = stage.isTiled || isResult(position) ||
                 own.place == Place::Shared || reduces(stage);
    isTiled |= stage.isTiled;
    int64_t product = 1;
    for (Reg reg : stage.threads)
      product *= getCount(reg, 1);
    if (!stage.threads.empty() && !stage.isTiled)
      blockThreads = std::max(blockThreads, product);
  }
  // What follows a tiled contraction is computed where its sums are.
  if (count < 2 || isTiled)
    return;

  using Walks = uint32_t;
  auto reads = [&](size_t reader, const AccessPlan &what) {
    return llvm::any_of(nest.blocks[kernel.stages[reader].block].accesses,
                        [&](const AccessPlan &access) {
                          return !access.isWrite &&
                                 access.buffer == what.buffer;
                        });
  };
  auto getResult = [&](size_t position) -> const AccessPlan & {
    return nest.blocks[kernel.stages[position].block].accesses.back();
  };
  // The walks that need a result, seen through what is computed in between.
  std::array<Walks, kMostStages> needed{}, computed{};
  for (size_t position = count; position-- != 0;) {
    if (reuse[position].isWalk) {
      needed[position] = Walks(1) << position;
      continue;
    }
    for (size_t reader = position + 1; reader != count; ++reader)
      if (reads(reader, getResult(position)))
        needed[position] |= needed[reader];
  }
  for (size_t walk = 0; walk != count; ++walk) {
    StageReuse &own = reuse[walk];
    if (!own.isWalk)
      continue;
    const StagePlan &stage = kernel.stages[walk];
    bool isForced = false, isRolled = false;
    for (size_t other = 0; other != walk; ++other) {
      if (reuse[other].isWalk || !(needed[other] >> walk & 1) ||
          llvm::popcount(needed[other]) < 2)
        continue;
      const llvm::StringRef word = getWord(kernel.stages[other], registers);
      isForced |= word == "registers";
      isRolled |= word == "recompute";
    }
    const int64_t elements = countOwn(stage);
    const int64_t atOnce =
        std::max(kElementsAtOnce, kVectorsAtOnce * getCount(stage.vector, 1));
    own.isWrittenOut =
        isForced || elements <= (isRolled ? atOnce : getUnrollLimit());
  }
  // Of the walks that need something, those that do not find it.
  auto compute = [&](Walks of) {
    Walks result = 0;
    bool isThere = false;
    for (size_t walk = 0; walk != count; ++walk) {
      if (!(of >> walk & 1) || (isThere && reuse[walk].isWrittenOut))
        continue;
      result |= Walks(1) << walk;
      isThere |= reuse[walk].isWrittenOut;
    }
    return result;
  };
  // Registers that are taken after each walk.
  std::array<int64_t, kMostStages> live{};
  auto keep = [&](Walks of, Walks made, const AccessPlan &access) {
    const Walks found = of & ~made;
    if (found == 0)
      return;
    size_t first = 0;
    while (!(of >> first & 1) || !reuse[first].isWrittenOut)
      ++first;
    const size_t last = llvm::bit_width(found) - 1;
    const int64_t words = countOwn(kernel.stages[first], &access) *
                          llvm::divideCeil(int64_t(access.elementBytes), 4);
    for (size_t walk = first; walk < last; ++walk)
      live[walk] += words;
  };
  for (size_t position = count; position-- != 0;) {
    if (reuse[position].isWalk) {
      computed[position] = needed[position];
      continue;
    }
    Walks of = 0;
    for (size_t reader = position + 1; reader != count; ++reader)
      if (reads(reader, getResult(position)))
        of |= computed[reader];
    computed[position] = compute(of);
    reuse[position].times =
        std::max<unsigned>(llvm::popcount(computed[position]), 1);
    keep(of, computed[position], getResult(position));
  }
  // What several stages load, each element by the first of them.
  for (size_t position = 0; position != count; ++position) {
    const BlockPlan &block = nest.blocks[kernel.stages[position].block];
    for (auto [number, access] : llvm::enumerate(block.accesses)) {
      if (!isExternal(access, position))
        continue;
      Walks of = 0, before = 0;
      bool isFirst = true;
      for (size_t other = 0; other != count; ++other)
        for (const AccessPlan &same :
             nest.blocks[kernel.stages[other].block].accesses)
          if (!same.isWrite && same.buffer == access.buffer &&
              same.dims == access.dims) {
            of |= computed[other];
            if (other < position) {
              before |= computed[other];
              isFirst = false;
            }
          }
      const Walks loaded = compute(of);
      reuse[position].loads[number] =
          llvm::popcount(computed[position] & loaded & ~before);
      if (isFirst)
        keep(of, loaded, access);
    }
  }
  keptRegisters += *std::max_element(live.begin(), live.end());
}

int64_t KernelCosts::countMeetingBytes(const StagePlan &stage,
                                       bool inRegisters) const {
  const BlockPlan &block = nest.blocks[stage.block];
  const AccessPlan &result = block.accesses.back();
  const unsigned rank = block.dims.size(), along = getAlong(stage);
  auto isReduced = [&](unsigned i) {
    return !llvm::is_contained(result.dims, block.dims[i]);
  };
  // Digits of a thread's number: the lowest goes along the vectors, the next
  // ones along the other loops, the innermost first.
  bool isFar = false;
  int64_t used = 1;
  auto place = [&](unsigned i) {
    const int64_t threads = getThreads(stage, i);
    int64_t near = 1;
    if (used < gpu.warp && llvm::isPowerOf2_64(used) &&
        llvm::isPowerOf2_64(threads))
      near = std::min(threads, gpu.warp / used);
    isFar |= isReduced(i) && threads > near;
    used *= threads;
  };
  if (along < rank)
    place(along);
  for (unsigned i = rank; i-- != 0;)
    if (i != along)
      place(i);
  if (!isFar)
    return 0;
  const int64_t threads = llvm::alignTo(blockThreads, gpu.warp);
  const int64_t slots = threads % used == 0 ? threads : used;
  // Results that a thread has at a time.
  const int64_t vector = getCount(stage.vector, 1);
  int64_t results = 1, points = std::max<int64_t>(4, kElementsAtOnce / vector);
  const bool all = inRegisters || countOwn(stage) <= getUnrollLimit();
  for (unsigned i = rank; i-- != 0;) {
    const int64_t width = i == along ? vector : 1;
    const int64_t steps = countOwn(stage, i) / width;
    int64_t written = steps;
    if (!all && steps > points) {
      written = points;
      while (written > 1 && steps % written != 0)
        --written;
      written = written > 1 ? written : points;
      points = 1;
    } else if (!all) {
      points /= steps;
    }
    if (!isReduced(i))
      results *= written * width;
  }
  return results * llvm::alignTo(slots * result.elementBytes, 16);
}
