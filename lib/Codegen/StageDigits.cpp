//===- StageDigits.cpp - Digits of threads' numbers -----------------------===//
//
// The number of a thread has a digit for each loop that threads share. Read
// next: StageLayout.cpp, which chooses them.
//
//===----------------------------------------------------------------------===//

#include "StageLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Loops that threads share, by the digit that they have, the lowest first.
static SmallVector<LoopLayout> getShared(const StageLayout &layout) {
  SmallVector<LoopLayout> shared;
  llvm::copy_if(layout.loops, std::back_inserter(shared),
                [](const LoopLayout &loop) { return loop.threads > 1; });
  llvm::sort(shared, [](const LoopLayout &lhs, const LoopLayout &rhs) {
    return lhs.stride < rhs.stride;
  });
  return shared;
}

int64_t StageLayout::getVectorLoop() const {
  for (auto [number, loop] : llvm::enumerate(loops))
    if (loop.vector > 1)
      return number;
  return -1;
}

int64_t StageLayout::getWidth() const {
  const int64_t loop = getVectorLoop();
  return loop < 0 ? 1 : loops[loop].vector;
}

int64_t StageLayout::countElements() const {
  int64_t count = 1;
  for (const LoopLayout &loop : loops)
    count *= loop.countSteps() * loop.vector;
  return count;
}

bool StageLayout::hasOwnDigits() const {
  int64_t next = 1;
  for (const LoopLayout &loop : getShared(*this)) {
    if (loop.stride % next != 0)
      return false;
    next = loop.stride * loop.threads;
  }
  return true;
}

SmallVector<StageLayout::Digit, 4>
StageLayout::getDuplicates(int64_t blockSize) const {
  SmallVector<Digit, 4> digits;
  int64_t next = 1;
  for (const LoopLayout &loop : getShared(*this)) {
    if (loop.stride > next)
      digits.push_back({next, loop.stride / next});
    next = loop.stride * loop.threads;
  }
  if (blockSize > next)
    digits.push_back({next, int64_t(llvm::divideCeil(blockSize, next))});
  return digits;
}
