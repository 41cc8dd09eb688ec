//===- SketchWriter.cpp - Pieces that sketches are written from -----------===//

#include "SketchWriter.h"
#include "ContractionRules.h"
#include "DefaultTile.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace sched;

namespace {
constexpr int64_t kMultiples[] = {1,  2,  3,  4,  5,  6,  8,  10, 12,
                                  16, 20, 24, 32, 40, 48, 64, 96, 128};
constexpr int64_t kReductionBlocks[] = {32,  64,  96,  128, 192, 256,
                                        320, 384, 512, 768, 1024};
} // namespace

SketchWriter::SketchWriter(const Task &task, const Target &target, bool packed,
                           StepGroup steps)
    : SketchText(task, target), packed(packed), steps(steps),
      m(task.blocks.shape->m), n(task.blocks.shape->n),
      k(task.blocks.shape->k / steps.steps), group(steps.steps) {
  lanes = task.blocks.shape->countLanes(target);
  // A group of steps is side by side in a row.
  packsLhs = group == 1 && canPackLhs(task);
  // What is packed beforehand costs nothing in any loop; and a loop must remain
  // around what fills the panels, or fusion would take it into every tile.
  packWaits = packed && task.blocks.shape->isMatmul() &&
              k > mlir::schedule::kPackRows &&
              !isLayoutFree(task, task.blocks.shape->rhsOperand);
  for (auto [role, extents] :
       llvm::zip_equal(task.blocks.roles, task.blocks.extents)) {
    init |= role == BlockRole::Init;
    epilogues += role == BlockRole::Epilogue;
    if (role == BlockRole::Producer)
      producerExtents.push_back(extents);
  }
}

std::string SketchWriter::fuseList() const {
  llvm::SmallVector<std::string> names;
  // Consumers first.
  for (unsigned i = epilogues; i > 1; --i)
    names.push_back("\"chain" + std::to_string(i - 2) + "\"");
  if (hasEpilogue())
    names.push_back("\"anchor\"");
  // Fusion stops at a reshape.
  if (producerWaits() && !task.blocks.producers[*late].isReshaped)
    names.push_back(lateProducer());
  if (packWaits)
    names.push_back("\"late_pack\"");
  if (init)
    names.push_back("\"init\"");
  return "[" + llvm::join(names, ", ") + "]";
}

unsigned SketchWriter::resultRank() const {
  unsigned rank = packed ? 3 : 2;
  for (const OuterLoop &loop : task.blocks.shape->outer)
    rank += !loop.isReduction;
  return rank;
}

unsigned SketchWriter::anchorRank() const {
  return task.blocks.shape->loops.size() + packed + (group > 1);
}

llvm::SmallVector<unsigned> SketchWriter::outerLoops(bool reductions) const {
  llvm::SmallVector<unsigned> axes;
  for (auto [i, loop] : llvm::enumerate(task.blocks.shape->outer))
    if (loop.isReduction == reductions)
      axes.push_back(kOuter + i);
  return axes;
}

void SketchWriter::tile(llvm::StringRef block, bool fuse,
                        llvm::ArrayRef<TiledLoop> loops,
                        llvm::StringRef order) {
  tileFusing(block, fuse ? fuseList() : "[]", loops, order);
}

void SketchWriter::tileFusing(llvm::StringRef block, const std::string &fused,
                              llvm::ArrayRef<TiledLoop> loops,
                              llvm::StringRef order) {
  const bool isAnchor = block.ends_with("anchor");
  const ContractionShape &shape = *task.blocks.shape;
  llvm::SmallVector<std::string> dims, extents, sizes;
  for (const TiledLoop &loop : loops) {
    dims.push_back(
        std::to_string((isAnchor ? shape.loops : shape.resultDims)[loop.axis]));
    extents.push_back(extentOf(loop.axis));
    sizes.push_back(loop.size);
  }
  line("schedule.tile %f \"" + block + "\" fuse " + fused + " rank " +
       llvm::Twine(isAnchor ? anchorRank() : resultRank()) + " dims [" +
       llvm::join(dims, ", ") + "] extents(" + llvm::join(extents, ", ") +
       ") sizes(" + llvm::join(sizes, ", ") + ")" + order);
}

std::string SketchWriter::extentOf(unsigned axis) const {
  if (axis >= kOuter)
    return "%o" + std::to_string(axis - kOuter) + "_extent";
  if (axis == kN && packed)
    return "%panels";
  return axis == kM ? "%m" : axis == kN ? "%n" : "%k";
}

std::string SketchWriter::product(llvm::StringRef name, bool blocked) {
  begin(name);
  findTails();
  if (steps.form == DotForm::Tiles)
    matrixTile(blocked);
  else
    registerTile();
  decideTails();
  blocks(/*inBlocks=*/blocked);
  parallel();
  batches(/*canMove=*/blocked || sharesInBatches());
  cacheBlocks();
  if (blocked) {
    cacheSums();
    reductionBlocks();
  } else {
    latePanels();
    innerBatches(root(), /*fuse=*/true);
  }
  cacheLhs();
  registerTiles(/*fuse=*/!blocked);
  unrollReduction();
  if (blocked)
    tileOutside();
  return end();
}

void SketchWriter::begin(llvm::StringRef name) {
  text +=
      ("schedule.sketch @" + name + " (%root: !transform.any_op) {\n").str();
  constant("zero", 0);
  constant("m", m);
  constant("n", n);
  constant("k", k);
  for (auto [i, loop] : llvm::enumerate(task.blocks.shape->outer))
    constant("o" + std::to_string(i) + "_extent", loop.extent);
}

std::string SketchWriter::nameBlocks() {
  llvm::SmallVector<std::string> names;
  unsigned seen = 0, produced = 0;
  for (BlockRole role : task.blocks.roles) {
    switch (role) {
    case BlockRole::Init:
      names.push_back("init");
      break;
    case BlockRole::Anchor:
      names.push_back("anchor");
      break;
    case BlockRole::Epilogue:
      // The last of a chain is the root of the fusion.
      names.push_back(++seen == epilogues ? "epilogue"
                                          : "chain" + std::to_string(seen - 1));
      break;
    case BlockRole::Producer:
      names.push_back("producer" + std::to_string(produced++));
      break;
    case BlockRole::Other:
    case BlockRole::Root:
    case BlockRole::Stage:
      names.push_back("");
      break;
    }
  }
  return beginBlocks(names, /*splitsSoftmax=*/false);
}

void SketchWriter::blocks(bool inBlocks) {
  const std::string function = nameBlocks();
  llvm::SmallVector<int64_t> threads;
  const bool parallel = task.flops / target.threads >= kFlopsPerThread;
  for (int64_t t = 1; t <= target.threads; ++t) {
    if (t != 1 && target.threads % t != 0)
      continue;
    threads.push_back(t);
    if (parallel && llvm::any_of(parallelLoops(), [&](unsigned axis) {
          return sharesOf(axis) >= t;
        }))
      defaultThreads = t;
  }
  decide("t", threads, defaultThreads);
  placeProducer(inBlocks);
  producers(function);
  if (packsLhs) {
    decide("pack_lhs", {0, 1}, 0);
    line("schedule.pack_lhs " + function + " \"anchor\" m " + llvm::Twine(m) +
         " k " + llvm::Twine(k) + " enable %pack_lhs threads %t");
  }
  auto defer = [&] {
    if (producerWaits())
      line("schedule.defer %f \"producer" + llvm::Twine(*late) +
           "\" of \"anchor\" if %producer_at");
  };
  if (!packed) {
    matchFunction("f");
    return defer();
  }
  if (packWaits)
    decide("pack_at", {0, 1}, 0);
  // Packing fuses elementwise ops.
  const bool isApart =
      producerWaits() ||
      llvm::any_of(task.blocks.producers,
                   [](const ProducerBlock &p) { return p.isReshaped; });
  // What whole panels leave of n is narrower, so that more rows of it fit.
  constant("most_rows", std::min(m, kMaxTileRows));
  line("%rest = schedule.mod %n, %nr");
  // A part of a vector is one or more smaller vectors: two of them, say.
  constant("most_parts", 2);
  line("%rest_whole = schedule.floordiv %rest, %lanes");
  line("%rest_part = schedule.mod %rest, %lanes");
  line("%rest_parts = schedule.min %rest_part, %most_parts");
  line("%rest_vectors = schedule.sum %rest_whole, %rest_parts");
  line("%rest_width = schedule.max %rest_vectors, %one");
  line("%rest_rows = schedule.floordiv %accumulators, %rest_width");
  line("%tail_rows = schedule.min %rest_rows, %most_rows");
  line("%f = schedule.pack_rhs " + function + " \"anchor\"" +
       (init ? " init \"init\"" : "") +
       (hasEpilogue() ? " epilogue \"epilogue\"" : "") + " n " +
       llvm::Twine(n) + panelLoops() +
       (group > 1 ? " group " + std::to_string(group) : "") +
       (isApart ? " apart" : "") + " tile %nr threads %t tail(%tail_rows, " +
       (steps.form == DotForm::Tiles ? "%tail_ku" : "%ku") + ")" +
       (packWaits ? " defer %pack_at" : ""));
  line("%panels = schedule.floordiv %n, %nr");
  defer();
}

llvm::SmallVector<unsigned> SketchWriter::parallelLoops() const {
  llvm::SmallVector<unsigned> axes{kM, kN};
  llvm::append_range(axes, outerLoops(/*reductions=*/false));
  return axes;
}

int64_t SketchWriter::sharesOf(unsigned axis) const {
  if (axis >= kOuter)
    return task.blocks.shape->outer[axis - kOuter].extent;
  return axis == kM ? m / defaultTile[0] : n / defaultTile[1];
}

const char *SketchWriter::unitOf(unsigned axis) const {
  if (axis == kM)
    return "%unit";
  return axis == kN && !packed ? "%nr" : "%one";
}

void SketchWriter::parallel() {
  if (target.threads <= 1)
    return;
  // The dimension that leaves less behind when it is shared evenly; all of it
  // where a thread gets no tile. Of equals the outermost.
  auto rest = [&](unsigned axis) {
    const int64_t shares = sharesOf(axis);
    const int64_t extent = axis == kM ? m : axis == kN ? n : shares;
    const int64_t unit = axis < kOuter ? defaultTile[axis] : 1;
    return double(extent % (unit * defaultThreads)) / extent;
  };
  const llvm::SmallVector<unsigned> axes = parallelLoops();
  llvm::SmallVector<int64_t> choices;
  llvm::SmallVector<std::string> dims, extents, units;
  unsigned best = axes.size() > 2 ? 2 : 0;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    choices.push_back(i);
    dims.push_back(std::to_string(rootDim(axis)));
    extents.push_back(extentOf(axis));
    units.push_back(unitOf(axis));
  }
  // Of an image, whole lines come first: what is split waits
  // (lib/Model/FeatureCosts.h).
  const unsigned first = task.blocks.shape->isWindowed ? 2 : 0;
  for (unsigned i = 0, e = axes.size(); i != e; ++i) {
    const unsigned next = (first + i) % e;
    if (rest(axes[next]) < rest(axes[best]))
      best = next;
  }
  decide("parallel_dim", choices, best);
  line("schedule.tile_parallel %f \"" + root() + "\" fuse " + fuseList() +
       " rank " + llvm::Twine(rootRank()) + " dims [" + llvm::join(dims, ", ") +
       "] extents(" + llvm::join(extents, ", ") + ") units(" +
       llvm::join(units, ", ") + ") which %parallel_dim threads %t");
}

llvm::SmallVector<unsigned> SketchWriter::movableBatches() const {
  llvm::SmallVector<unsigned> axes = outerLoops(/*reductions=*/false);
  llvm::erase_if(axes, [&](unsigned axis) {
    return task.blocks.shape->outer[axis - kOuter].extent == 1;
  });
  return axes;
}

bool SketchWriter::sharesInBatches() const {
  const ContractionShape &shape = *task.blocks.shape;
  // Windows share a few weights, and lines of an image are best read in order.
  if (shape.isWindowed)
    return false;
  return llvm::any_of(movableBatches(), [&](unsigned axis) {
    return !shape.outer[axis - kOuter].isShared ||
           shape.resultDims[axis] > shape.resultDims[kM];
  });
}

void SketchWriter::batches(bool canMove) {
  const llvm::SmallVector<unsigned> axes = outerLoops(/*reductions=*/false);
  if (canMove)
    movedBatches = movableBatches();
  if (movedBatches.empty())
    return tileByOne(root(), /*fuse=*/true, axes);
  llvm::SmallVector<int64_t> counts{0};
  for (auto [i, axis] : llvm::enumerate(llvm::reverse(movedBatches))) {
    counts.push_back(i + 1);
    constant("most_around" + std::to_string(axis), i);
  }
  decide("inner_batches", counts, chooseInnerBatches());
  llvm::SmallVector<std::string> sizes(axes.size(), "%one");
  for (auto [axis, size] : llvm::zip_equal(axes, sizes)) {
    if (!llvm::is_contained(movedBatches, axis))
      continue;
    const std::string name = std::to_string(axis);
    line("%is_around" + name +
         " = schedule.cmp le %inner_batches, %most_around" + name);
    size = "%around" + name;
    line(size + " = schedule.select %is_around" + name + ", %one, %zero");
  }
  tileBySizes(root(), /*fuse=*/true, axes, sizes);
}

void SketchWriter::innerBatches(llvm::StringRef block, bool fuse) {
  if (movedBatches.empty())
    return;
  llvm::SmallVector<std::string> sizes;
  for (unsigned axis : movedBatches) {
    const std::string name = std::to_string(axis);
    sizes.push_back("%inside" + name);
    line(sizes.back() + " = schedule.select %is_around" + name +
         ", %zero, %one");
  }
  tileBySizes(block, fuse, movedBatches, sizes);
}

void SketchWriter::tileBySizes(llvm::StringRef block, bool fuse,
                               llvm::ArrayRef<unsigned> axes,
                               llvm::ArrayRef<std::string> sizes) {
  llvm::SmallVector<TiledLoop> loops;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes))
    loops.push_back({axis, size.c_str()});
  tile(block, fuse, loops);
}

void SketchWriter::tileByOne(llvm::StringRef block, bool fuse,
                             llvm::ArrayRef<unsigned> axes) {
  if (!axes.empty())
    tileBySizes(block, fuse, axes,
                llvm::SmallVector<std::string>(axes.size(), "%one"));
}

llvm::SmallVector<int64_t> SketchWriter::rowBlocks() const {
  llvm::SmallVector<int64_t> rows;
  for (int64_t i : kMultiples)
    if (i < m)
      rows.push_back(i);
  rows.push_back(m);
  return rows;
}

void SketchWriter::rowBlock(llvm::StringRef name, llvm::StringRef count) {
  const std::string block = "%" + name.str();
  line(block + " = schedule.product %" + count + ", %unit");
  line(block + "_holds = schedule.cmp le %mr, " + block);
  line("schedule.require \"a block holds a register tile\" " + block +
       "_holds");
}

void SketchWriter::evenBlocks(llvm::StringRef name) {
  if (m == 1)
    return;
  auto value = [&](llvm::StringRef what) {
    return ("%" + name + "_" + what).str();
  };
  // Tails in the rest of the blocks would be one kind of tail too many.
  if (target.threads > 1) {
    line(value("share") + " = schedule.floordiv %m, %t");
    line(value("rows") + " = schedule.select %parallel_dim, %m, " +
         value("share"));
  } else {
    line(value("rows") + " = schedule.product %m, %one");
  }
  line(value("rest") + " = schedule.mod " + value("rows") + ", %" + name);
  line(value("divides") + " = schedule.cmp eq " + value("rest") + ", %zero");
  line(value("covers") + " = schedule.cmp le " + value("rows") + ", %" + name);
  line(value("even") + " = schedule.or %whole_tiles, " + value("divides") +
       ", " + value("covers"));
  line("schedule.require \"blocks that are not whole register tiles share the "
       "rows evenly\" " +
       value("even"));
}

void SketchWriter::cacheBlocks() {
  const llvm::SmallVector<int64_t> rows = rowBlocks();
  llvm::SmallVector<int64_t> columns;
  for (int64_t i : kMultiples)
    if (i * lanes < n)
      columns.push_back(i);
  columns.push_back(n);
  // A block of the left-hand side should fill half of L2, and stay there.
  const int64_t bytes =
      group * task.blocks.shape->lhsType.getIntOrFloatBitWidth() / 8;
  const int64_t reduction = std::min<int64_t>(k, 1024);
  const int64_t wanted =
      target.l2Bytes / 2 / std::max<int64_t>(1, reduction * bytes) / 6;
  int64_t defaultRows = m;
  if (wanted * 6 < m)
    for (int64_t i : rows)
      if (i <= std::max<int64_t>(1, wanted))
        defaultRows = i;
  int64_t defaultColumns = n;
  for (int64_t i : columns)
    if (i == 16)
      defaultColumns = i;
  // Of weights that batches share, what stays in L2 until the next one.
  if (chooseInnerBatches() != 0)
    for (int64_t i : llvm::reverse(columns))
      if (holdsWeights(i * defaultTile[1])) {
        defaultColumns = i;
        break;
      }
  decide("m_tiles", rows, defaultRows);
  decide("n_tiles", columns, defaultColumns);
  line("%o0, %o1 = schedule.sample_permutation \"block_order\" of 2 default "
       "[1, 0] : !transform.param<i64>, !transform.param<i64>");
  rowBlock("mc", "m_tiles");
  evenBlocks("mc");
  if (packed)
    line("%nc = schedule.product %n_tiles, %one");
  else
    line("%nc = schedule.product %n_tiles, %nr");
  tile(root(), /*fuse=*/true, {{kM, "%mc"}, {kN, "%nc"}}, " order(%o0, %o1)");
  if (packWaits)
    requirePackOnce();
  if (producerWaits())
    requireSlices();
}

void SketchWriter::reductionBlocks() {
  llvm::SmallVector<int64_t> sizes;
  const int64_t unit = steps.form == DotForm::Tiles ? stepUnit() : 1;
  for (int64_t i : kReductionBlocks)
    if (i < k && i % unit == 0)
      sizes.push_back(i);
  // All of it, if the loops over the outer reductions remain.
  const llvm::SmallVector<unsigned> steps = outerLoops(/*reductions=*/true);
  if (sizes.empty() || hasTaps())
    sizes.push_back(k);
  // A panel of the right-hand side should fill half of L1.
  const int64_t bytes =
      group * task.blocks.shape->rhsType.getIntOrFloatBitWidth() / 8;
  int64_t defaultSize = sizes.front();
  for (int64_t i : sizes)
    if (i * 2 * lanes * bytes <= target.l1Bytes / 2)
      defaultSize = i;
  decide("kc", sizes, defaultSize);
  llvm::SmallVector<TiledLoop> loops{{kK, "%kc"}};
  for (unsigned axis : steps)
    loops.push_back({axis, "%one"});
  llvm::SmallVector<std::string> names, conditions;
  std::string reshaped;
  if (producerWaits()) {
    names.push_back(lateProducer());
    conditions.push_back("%producer_at");
    if (task.blocks.producers[*late].isReshaped)
      reshaped = " reshaped [" + lateProducer() + "]";
  }
  if (packWaits) {
    names.push_back("\"late_pack\"");
    conditions.push_back("%pack_at");
  }
  tileFusing("anchor",
             names.empty() ? "[]"
                           : "exactly [" + llvm::join(names, ", ") + "] if(" +
                                 llvm::join(conditions, ", ") + ")" + reshaped,
             loops);
  if (producerWaits())
    tileProducer("%f", *late, lateProducer(), "%one",
                 "%width" + std::to_string(*late));
  if (packWaits)
    tileLatePack();
  // Batches and rows inside of the reduction: all of them share its block of
  // the right-hand side, and a small block of the left-hand side stays in L2.
  innerBatches("anchor", /*fuse=*/false);
  decide("inner_m_tiles", rowBlocks(), m);
  rowBlock("mi", "inner_m_tiles");
  tile("anchor", /*fuse=*/false, {{kM, "%mi"}});
}

void SketchWriter::registerTiles(bool fuse) {
  line("%r0, %r1 = schedule.sample_permutation \"tile_order\" of 2 default "
       "[1, 0] : !transform.param<i64>, !transform.param<i64>");
  tile(fuse ? root() : "anchor", fuse,
       {{kM, "%mr"}, {kN, packed ? "%one" : "%nr"}}, " order(%r0, %r1)");
  if (!fuse)
    return;
  if (steps.form == DotForm::Tiles)
    orderSteps();
  tileByOne("anchor", /*fuse=*/false, outerLoops(/*reductions=*/true));
}

void SketchWriter::unrollReduction() {
  if (fillsTails() && !packed)
    fillTails("anchor", /*masked=*/false, startsFromFill ? "init" : "");
  tile("anchor", /*fuse=*/false, {{kK, ordersSteps ? "%ku_inside" : "%ku"}});
  if (llvm::is_contained(tailChoices, kMaskedTails))
    fillTails(packed ? "tail_anchor" : "anchor", /*masked=*/true);
}

void SketchWriter::tileOutside() {
  if (init)
    tileRows("init");
  for (unsigned i = 1; i < epilogues; ++i)
    tileRows("chain" + std::to_string(i - 1));
  if (hasEpilogue())
    tileRows("epilogue");
}

void SketchWriter::tileRows(llvm::StringRef block) {
  tileByOne(block, /*fuse=*/false, outerLoops(/*reductions=*/false));
  tile(block, /*fuse=*/false, {{kM, "%one"}, {kN, packed ? "%one" : "%nr"}});
}

std::string SketchWriter::end() {
  const ContractionShape &shape = *task.blocks.shape;
  auto unrollRows = [&](llvm::StringRef block, unsigned rank) {
    line("schedule.unroll_points %f \"" + block + "\" rank " +
         llvm::Twine(rank) + " dims [" + llvm::Twine(shape.loops[kM]) + "]");
  };
  if (shape.rowStep != 1) {
    unrollRows("anchor", anchorRank());
    if (packed)
      unrollRows("tail_anchor", shape.loops.size());
  }
  line(std::string("schedule.vectorize %f") +
       (shape.outer.empty() ? ""
        : packed            ? " generalize [\"anchor\", \"tail_anchor\"]"
                            : " generalize [\"anchor\"]") +
       (fillsTails() ? " filled %tails" : ""));
  line("schedule.yield");
  text += "}\n";
  return std::move(text);
}
