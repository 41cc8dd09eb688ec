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

std::string SketchWriter::sharesEvenly(unsigned number, unsigned axis) {
  const std::string id = std::to_string(number), even = "%even" + id;
  if (!evenAxes.insert(axis).second)
    return even;
  constant("even_dim" + id, number);
  line(even + "_alone = schedule.cmp eq %t, %one");
  line(even + "_chunk = schedule.product " + unitOf(axis) + ", %t");
  line(even + "_rest = schedule.mod " + extentOf(axis) + ", " + even +
       "_chunk");
  line(even + "_divides = schedule.cmp eq " + even + "_rest, %zero");
  line(even + "_elsewhere = schedule.cmp ne %parallel_dim, " + "%even_dim" +
       id);
  line(even + " = schedule.or " + even + "_alone, " + even + "_divides, " +
       even + "_elsewhere");
  return even;
}

void SketchWriter::requireEvenShares(llvm::StringRef decision,
                                     llvm::ArrayRef<unsigned> axes) {
  if (target.threads == 1)
    return;
  const std::string none = ("%" + decision + "_none").str();
  line(none + " = schedule.cmp eq %" + decision + ", %zero");
  for (auto [i, axis] : llvm::enumerate(parallelLoops())) {
    if (!llvm::is_contained(axes, axis))
      continue;
    const std::string even = sharesEvenly(i, axis),
                      regular = none + "_or_even" + std::to_string(i);
    line(regular + " = schedule.or " + none + ", " + even);
    line("schedule.require \"threads share all tiles of which " + decision +
         " makes copies\" " + regular);
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
