//===- SketchCache.cpp - A copy of the left-hand side ---------------------===//
//
// A block of the left-hand side that many columns read may be copied first,
// dense, so that its rows neither share sets of the cache nor pages with what
// lies between them. Whether it is, is a decision, %cache_lhs.
//
//===----------------------------------------------------------------------===//

#include "SketchWriter.h"
#include "llvm/ADT/Twine.h"

using namespace sched;

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
  if (target.threads > 1) {
    // What is left over may be smaller than a cache block, and has no slice of
    // its own there: the model would have to place its copy apart.
    line("%chunk = schedule.product %unit, %t");
    line("%left_over = schedule.mod %m, %chunk");
    line("%no_copy = schedule.cmp eq %cache_lhs, %zero");
    line("%all_shared = schedule.cmp eq %left_over, %zero");
    line("%whole_rows = schedule.cmp ne %parallel_dim, %zero");
    line("%alone = schedule.cmp eq %t, %one");
    line("%regular = schedule.or %no_copy, %all_shared, %whole_rows, "
         "%alone");
    line("schedule.require \"threads that copy rows share all of them\" "
         "%regular");
  }
  line("schedule.cache_read %f \"anchor\" operand " +
       llvm::Twine(task.blocks.shape->lhsOperand) + " enable %cache_lhs");
}
