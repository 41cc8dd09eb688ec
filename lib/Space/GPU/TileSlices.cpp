//===- TileSlices.cpp - Warps that share the steps of a tile --------------===//
//
// The warps of a block may share the steps of a tile, not only its rows and
// columns: each has more squares of sums then, and loads less for a matrix
// instruction. After the last step the slices' sums meet in shared memory
// (Codegen/MatrixProduct.cpp).
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Support/KernelNumbers.h"
#include "TileWriter.h"
#include <algorithm>

using namespace sched;

void TileWriter::slices() {
  constexpr int64_t kMostSlices = 4;
  const int64_t steps = countMatrixSteps(shape.lhsType),
                most = std::min(kMostSlices, mostDepth / steps);
  isSliced = most > 1;
  if (!isSliced)
    return constant("slices", 1);
  decide("slices", listPowers(1, most, most), 1);
  constant("matrix_steps", steps);
  compute("steps_of_slices", "product", {"%slices", "%matrix_steps"});
  require("steps_for_all", "le", "%steps_of_slices", "%depth",
          "every slice has a step");
}

void TileWriter::sharedMemory() {
  if (!isSliced)
    return compute("shared", "product", {"%buffer", "%buffers"});
  compute("all_buffers", "product", {"%buffer", "%buffers"});
  // All squares of a warp, and those that slices lack of an equal share.
  for (const std::string side : {"rows", "columns"}) {
    const std::string parts = "%" + side + "_parts", share = side + "_of_slice",
                      other = side == "rows" ? "%columns_parts" : "%rows_parts";
    compute(share, "ceildiv", {parts, "%slices"});
    compute("squares_by_" + side, "product", {"%" + share, "%slices", other});
  }
  compute("squares", "min", {"%squares_by_rows", "%squares_by_columns"});
  constant("square_bytes",
           kMatrixRows * kMatrixColumns * 4 / int64_t(target.gpu.warp));
  compute("meeting", "product", {"%squares", "%square_bytes", "%threads"});
  line("%has_slices = schedule.cmp lt %one, %slices");
  line("%meeting_bytes = schedule.select %has_slices, %meeting, %zero");
  compute("shared", "max", {"%all_buffers", "%meeting_bytes"});
}
