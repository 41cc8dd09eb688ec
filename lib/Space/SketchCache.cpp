//===- SketchCache.cpp - A copy of the left-hand side ---------------------===//
//
// A block of the left-hand side that many columns read may be copied first,
// dense, so that its rows neither share sets of the cache nor pages with what
// lies between them. Whether it is, is a decision, %cache_lhs. The sums of a
// block: SketchSums.cpp.
//
//===----------------------------------------------------------------------===//

#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace sched;

void SketchWriter::requireEvenShares(llvm::StringRef decision,
                                     llvm::ArrayRef<unsigned> axes) {
  if (target.threads == 1)
    return;
  const std::string name = ("%" + decision).str();
  line(name + "_none = schedule.cmp eq " + name + ", %zero");
  line(name + "_alone = schedule.cmp eq %t, %one");
  for (auto [i, axis] : llvm::enumerate(parallelLoops())) {
    if (!llvm::is_contained(axes, axis))
      continue;
    const std::string id = std::to_string(i), own = name + id;
    constant((decision + "_dim" + id).str(), i);
    line(own + "_chunk = schedule.product " + unitOf(axis) + ", %t");
    line(own + "_rest = schedule.mod " + extentOf(axis) + ", " + own +
         "_chunk");
    line(own + "_even = schedule.cmp eq " + own + "_rest, %zero");
    line(own + "_whole = schedule.cmp ne %parallel_dim, " + name + "_dim" + id);
    line(own + "_regular = schedule.or " + name + "_none, " + name +
         "_alone, " + own + "_even, " + own + "_whole");
    line("schedule.require \"threads that copy tiles share all of them\" " +
         own + "_regular");
  }
}

void SketchWriter::cacheLhs() {
  if (task.blocks.shape->overlaps)
    return;
  decide("cache_lhs", {0, 1}, 0);
  if (producerWaits()) {
    line("%copies_slice = schedule.product %producer_at, %cache_lhs");
    line("%no_slice_copied = schedule.cmp eq %copies_slice, %zero");
    line("schedule.require \"slices that are computed are not copied\" "
         "%no_slice_copied");
  }
  if (packsLhs) {
    line("%twice = schedule.product %pack_lhs, %cache_lhs");
    line("%packed_once = schedule.cmp eq %twice, %zero");
    line("schedule.require \"what is packed before is not copied\" "
         "%packed_once");
  }
  requireEvenShares("cache_lhs", {kM});
  line("schedule.cache_read %f \"anchor\" operand " +
       llvm::Twine(task.blocks.shape->lhsOperand) + " enable %cache_lhs");
}
