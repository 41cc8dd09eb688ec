//===- SketchProducers.cpp - Where producers are computed -----------------===//
//
// What computes the operands comes first, in loops of its own. That of the
// left-hand side may wait instead, until the blocks of the reduction (see
// SketchWriter.cpp) compute what they read of it, slice by slice.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace sched;

namespace {
/// Vectors of a row that a producer computes at a time.
constexpr int64_t kProducerVectors = 4;
constexpr int64_t kProducerWidths[] = {1, 2, 4, 8};
} // namespace

std::string SketchWriter::lateProducer() const {
  return ("\"" + mlir::schedule::kLatePrefix + "producer" + llvm::Twine(*late) +
          "\"")
      .str();
}

void SketchWriter::placeProducer(bool inBlocks) {
  if (!inBlocks)
    return;
  const unsigned lhs = task.blocks.shape->lhsOperand;
  for (auto [number, producer] : llvm::enumerate(task.blocks.producers))
    if (producer.operand == lhs && producer.hasSlices)
      late = number;
  if (!producerWaits())
    return;
  decide("producer_at", {0, 1}, 0);
  line("%producer_first = schedule.select %producer_at, %zero, %one");
}

void SketchWriter::producers(llvm::StringRef function) {
  for (unsigned number = 0; number != producerExtents.size(); ++number) {
    const llvm::ArrayRef<int64_t> extents = producerExtents[number];
    const std::string id = std::to_string(number);
    for (auto [dim, extent] : llvm::enumerate(extents))
      constant("extent" + id + "_" + std::to_string(dim), extent);
    // A loop must remain: it is what keeps the producer from being fused.
    const int64_t wide = kProducerVectors * lanes, columns = extents.back();
    const bool hasRows = llvm::any_of(
        extents.drop_back(), [](int64_t extent) { return extent > 1; });
    llvm::SmallVector<int64_t> vectors;
    const bool isScalar = task.blocks.producers[number].hasStrides;
    for (int64_t i : kProducerWidths)
      if (i * lanes < columns && !isScalar)
        vectors.push_back(i);
    std::string width = "%width" + id;
    if (late == number && hasRows && !vectors.empty()) {
      decide("producer_vectors", vectors,
             std::min(kProducerVectors, vectors.back()));
      line(width + " = schedule.product %producer_vectors, %lanes");
    } else {
      const int64_t most = hasRows || columns > wide ? wide : columns - 1;
      constant("width" + id, isScalar ? 1 : most);
    }
    const std::string name = "producer" + id;
    std::string one = "%one";
    if (late == number) {
      // Not now if it waits.
      one = "%producer_first";
      line("%early_width = schedule.product " + width + ", " + one);
    }
    if (target.threads > 1 && extents.size() > 1) {
      // The outermost dimension that has work for the threads.
      unsigned shared = 0;
      while (shared + 2 < extents.size() && extents[shared] < target.threads)
        ++shared;
      const std::string dim = std::to_string(shared),
                        rows = "%extent" + id + "_" + dim;
      line("%shares" + id + " = schedule.cmp le %t, " + rows);
      if (late == number)
        line("%shares_early = schedule.product %shares" + id + ", " + one);
      line("%team" + id + " = schedule.select " +
           (late == number ? "%shares_early" : "%shares" + id) + ", %t, %one");
      line("schedule.tile_parallel " + function + " \"" + name +
           "\" fuse [] rank " + llvm::Twine(extents.size()) + " dims [" + dim +
           "] extents(" + rows + ") units(%one) which %zero threads %team" +
           id);
    }
    tileProducer(function, number, "\"" + name + "\"", one,
                 late == number ? "%early_width" : width);
  }
}

void SketchWriter::tileProducer(llvm::StringRef function, unsigned number,
                                const std::string &name, llvm::StringRef one,
                                llvm::StringRef width) {
  const unsigned rank = producerExtents[number].size();
  llvm::SmallVector<std::string> dims, counts, sizes(rank, one.str());
  sizes.back() = width.str();
  for (unsigned dim = 0; dim != rank; ++dim) {
    dims.push_back(std::to_string(dim));
    counts.push_back("%extent" + std::to_string(number) + "_" + dims.back());
  }
  line("schedule.tile " + function + " " + name + " fuse [] rank " +
       llvm::Twine(rank) + " dims [" + llvm::join(dims, ", ") + "] extents(" +
       llvm::join(counts, ", ") + ") sizes(" + llvm::join(sizes, ", ") + ")");
}

void SketchWriter::requireSlices() {
  const bool isReshaped = task.blocks.producers[*late].isReshaped;
  auto require = [&](const char *reason, const std::string &condition) {
    line("%" + condition + "_or_first = schedule.or %" + condition +
         ", %producer_first");
    line(std::string("schedule.require \"") + reason + "\" %" + condition +
         "_or_first");
  };
  line("%whole_columns = schedule.cmp le " + extentOf(kN) + ", %nc");
  require("all columns share a slice of what is computed for the rows",
          "whole_columns");
  if (packed) {
    line("%columns_over = schedule.mod %n, %nr");
    line("%only_panels = schedule.cmp eq %columns_over, %zero");
    require("what is computed in slices has no columns outside of the panels",
            "only_panels");
  }
  if (isReshaped) {
    line("%whole_rows_of_slices = schedule.cmp le %m, %mc");
    require("slices of what is reshaped have all rows", "whole_rows_of_slices");
  }
  if (target.threads == 1)
    return;
  line("%one_thread = schedule.cmp eq %t, %one");
  // What threads leave over of the columns is a reader of its own.
  line("%column_chunk = schedule.product %t, " +
       std::string(packed ? "%one" : "%nr"));
  line("%columns_left = schedule.mod " + extentOf(kN) + ", %column_chunk");
  line("%even_columns = schedule.cmp eq %columns_left, %zero");
  line("%shares_rows = schedule.cmp eq %parallel_dim, %zero");
  line("%shares_columns = schedule.cmp eq %parallel_dim, %one");
  line("%own_slices = schedule.select %shares_columns, %even_columns, %one");
  if (isReshaped) {
    line("%rows_apart = schedule.select %shares_rows, %one_thread, %one");
    require("threads do not share the rows of what is reshaped", "rows_apart");
    for (auto [i, axis] : llvm::enumerate(parallelLoops())) {
      if (i < 2)
        continue;
      // Nor are there two readers of what stands outside of all loops.
      const std::string id = std::to_string(i);
      constant("batch_dim" + id, i);
      line("%shares_batch" + id + " = schedule.cmp eq %parallel_dim, " +
           "%batch_dim" + id);
      line("%batch_left" + id + " = schedule.mod " + extentOf(axis) + ", %t");
      line("%batch_even" + id + " = schedule.cmp eq %batch_left" + id +
           ", %zero");
      line("%batch_slices" + id + " = schedule.select %shares_batch" + id +
           ", %batch_even" + id + ", %one");
      require("threads that compute slices share batches evenly",
              "batch_slices" + id);
    }
  }
  line("%slices_meet = schedule.or %one_thread, %own_slices");
  require("threads that compute slices share columns evenly", "slices_meet");
}
