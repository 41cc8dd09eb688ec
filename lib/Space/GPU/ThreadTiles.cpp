//===- ThreadTiles.cpp - Tiles of threads ---------------------------------===//
//
// Rule: a tile of the result a block, a tile of it a thread, in registers. The
// threads' tiles may be cut into several that are apart (vthreads): neighbours
// then read neighbouring elements of shared memory.
//
//===----------------------------------------------------------------------===//

#include "KernelRules.h"
#include "TileWriter.h"

using namespace sched;

namespace {
class ThreadTilesRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "thread_tiles"; }
  bool applies(const Task &task, const Target &) const override {
    return isTiledContraction(task);
  }
  int getPriority(const Task &, const Target &) const override { return 2; }
  std::string write(const Task &task, const Target &target) const override {
    return TileWriter(task, target, /*isMatrix=*/false).write(getName());
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createThreadTilesRule() {
  return std::make_unique<ThreadTilesRule>();
}
