//===- SketchPanels.cpp - Where panels are filled -------------------------===//
//
// The right-hand side's panels: how they lie in memory, and what a place inside
// of the loops asks of the schedule (see SketchWriter.cpp).
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SketchWriter.h"
#include "llvm/ADT/Twine.h"

using namespace sched;

std::string SketchWriter::panelLoops() const {
  const ContractionShape &shape = *task.blocks.shape;
  if (shape.isMatmul())
    return shape.rhsTransposed ? " transposed" : "";
  llvm::SmallVector<int64_t> result(shape.resultDims.begin(),
                                    shape.resultDims.end());
  result[kK] = -1;
  for (unsigned axis : outerLoops(/*reductions=*/true))
    result[axis] = -1;
  auto print = [](llvm::ArrayRef<unsigned> positions) {
    return printList(
        llvm::SmallVector<int64_t>(positions.begin(), positions.end()));
  };
  return " loops " + print(shape.loops) + " result " + printList(result) +
         " rhs " + print(shape.panelLoops);
}

void SketchWriter::requirePackOnce() {
  line("%early = schedule.cmp eq %pack_at, %zero");
  if (target.threads > 1) {
    line("%serial = schedule.cmp eq %t, %one");
    line("%own_columns = schedule.cmp eq %parallel_dim, %one");
    line("%once = schedule.or %early, %serial, %own_columns");
    line("schedule.require \"each thread packs columns of its own\" %once");
  }
  line("%all_rows = schedule.cmp le %m, %mc");
  line("%reused = schedule.or %early, %all_rows");
  line("schedule.require \"all rows share what is packed inside of the loops\" "
       "%reused");
}

void SketchWriter::tileLatePack() {
  packWaits = false;
  constant("pack_rows", mlir::schedule::getPackedRows(group));
  line("schedule.tile %f \"late_pack\" fuse [] rank " +
       llvm::Twine(group > 1 ? 4 : 3) +
       " dims [0, 1] extents(%panels, %k) sizes(%one, %pack_rows)");
}

void SketchWriter::latePanels() {
  if (!packWaits)
    return;
  tileLatePack();
  decide("inner_m_tiles", rowBlocks(), m);
  rowBlock("mi", "inner_m_tiles");
  evenBlocks("mi");
  line("%mi_all = schedule.cmp le %m, %mi");
  line("%mi_needed = schedule.or %pack_at, %mi_all");
  line("schedule.require \"rows are in blocks inside of those of the columns "
       "only where these are packed\" %mi_needed");
  tile(root(), /*fuse=*/true, {{kM, "%mi"}});
}
