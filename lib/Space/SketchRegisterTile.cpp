//===- SketchRegisterTile.cpp - Register tiles of vectors -----------------===//
//
// The decisions on a register tile whose sums are vectors (see
// SketchWriter.cpp).
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "DefaultTile.h"
#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace sched;

/// Reduction steps a loop iteration. Two are for groups of 64 bits, which fill
/// a register then; of others, pairs are loaded as one scalar and taken apart
/// again, at half the speed.
static constexpr int64_t kUnrolls[] = {1, 2, 3, 4, 5, 6, 7, 8};

/// Products of vectors in an iteration of several steps. What the loop itself
/// costs is hidden by far fewer; each takes its time to compile.
static constexpr int64_t kTurnProducts = 128;

void SketchWriter::registerTile() {
  const int64_t registers = target.vectorRegisters;
  const int64_t rowStep = steps.form == DotForm::Squares ? 2 : 1;
  const TileNeeds needs{steps.columnRegisters, rowStep, steps.steps > 1};
  const DefaultTile tile = chooseDefaultTile(*task.blocks.shape, target, needs);
  const int64_t bestRows = tile.rows, bestVectors = tile.vectors;
  defaultTile = {bestRows, bestVectors * std::min(lanes, n)};
  llvm::SmallVector<int64_t> rows, vectors, unrolls;
  const int64_t most = registers > 16 && rowStep == 1 ? m : kMaxTileRows;
  for (int64_t i : kTileRows)
    if (i <= std::min(m, most) && i % rowStep == 0)
      rows.push_back(i);
  // What is filled is as good as whole vectors.
  ContractionShape filled = *task.blocks.shape;
  if (fillsTails() && !packed)
    filled.n = llvm::alignTo(filled.n, lanes);
  for (int64_t i : kTileVectors)
    if (needs.allows(i, *task.blocks.shape, target) &&
        isTileWidth(filled, target, i))
      vectors.push_back(i);
  for (int64_t i : kUnrolls)
    if (i <= k && (i != 2 || rowStep == 2) &&
        (i == 1 || (task.blocks.shape->unrollable && !steps.addsApart)) &&
        (i == 1 || i == 2 || i == 4 || i == 8 || k % i == 0))
      unrolls.push_back(i);
  decide("mr", rows, bestRows);
  decide("vectors", vectors, bestVectors);
  // At most 31 sums, so that four steps are no long turn.
  const int64_t bestUnroll = rowStep == 2 ? 2 : 4;
  assert(bestRows * bestVectors * bestUnroll <= kTurnProducts &&
         "the default schedule is legal");
  decide("ku", unrolls,
         llvm::is_contained(unrolls, bestUnroll) ? bestUnroll : 1);
  constant("lanes", std::min(lanes, n));
  constant("registers", registers);
  line("%nr = schedule.product %vectors, %lanes");
  line("%accumulators = schedule.product %mr, %vectors");
  line("%one = transform.param.constant 1 : i64 -> !transform.param<i64>");
  // A single row uses each vector of the right-hand side once: multiplied from
  // memory, it takes no register.
  if (m == 1) {
    line("%live = schedule.sum %accumulators, %zero");
  } else {
    const int64_t preferred = target.countLhsRegisters(0);
    const int64_t none = preferred - target.countSpareRegisters();
    const bool perRow = target.countLhsRegisters(1) != preferred;
    if (none > 1)
      constant("ahead", none);
    line(std::string("%live = schedule.sum %accumulators, %vectors, ") +
         (none > 1 ? "%ahead" : "%one") + (perRow ? ", %mr" : "") +
         (steps.columnRegisters > 1 ? ", %vectors" : ""));
  }
  line("%fits = schedule.cmp le %live, %registers");
  line("schedule.require \"the accumulators fit in the vector registers\" "
       "%fits");
  if (task.blocks.shape->isWindowed) {
    constant("window_accumulators", kWindowAccumulators);
    line("%few = schedule.cmp le %accumulators, %window_accumulators");
    line("schedule.require \"windows have few accumulators\" %few");
  }
  // Fewer independent FMAs than latency x ports leave the ports idle, unless
  // the problem has no more.
  const int64_t wanted =
      std::min<int64_t>({6, target.fmaLatency * int64_t(target.fmaPorts),
                         bestRows * bestVectors});
  constant("wanted", wanted);
  line("%hides = schedule.cmp le %wanted, %accumulators");
  line("schedule.require \"the accumulators hide the latency of FMA\" %hides");
  constant("most_products", kTurnProducts);
  line("%products = schedule.product %accumulators, %ku");
  line("%has_few = schedule.cmp le %products, %most_products");
  line("%is_step = schedule.cmp le %ku, %one");
  line("%is_short = schedule.or %has_few, %is_step");
  line("schedule.require \"a turn of the loop over the steps is not long\" "
       "%is_short");
  // What threads and cache blocks share m by: whole register tiles, which leave
  // the rest to the end, or rows, which leave a tail in each share.
  if (m == 1) {
    constant("unit", 1);
    return;
  }
  decide("whole_tiles", {0, 1}, 1);
  line("%unit = schedule.select %whole_tiles, %mr, %one");
}
