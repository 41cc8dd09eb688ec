//===- SketchWriter.cpp - Pieces that sketches are written from -----------===//

#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace sched;

namespace {
/// Tiles beyond this have no more reuse to gain on any vector unit.
constexpr int64_t kMaxTileRows = 14;
/// Reduction steps a loop iteration. Two are left out: pairs are loaded as one
/// scalar and taken apart again, at half the speed.
constexpr int64_t kUnrolls[] = {1, 3, 4, 5, 6, 7, 8};
constexpr int64_t kMultiples[] = {1,  2,  3,  4,  5,  6,  8,  10, 12,
                                  16, 20, 24, 32, 40, 48, 64, 96, 128};
constexpr int64_t kReductionBlocks[] = {32,  64,  96,  128, 192, 256,
                                        320, 384, 512, 768, 1024};
/// Vectors of a row that a producer computes at a time.
constexpr int64_t kProducerVectors = 4;
/// Below this much work a thread, forking costs more than it saves.
constexpr double kFlopsPerThread = 4.0e5;
} // namespace

SketchWriter::SketchWriter(const Task &task, const Target &target, bool packed)
    : task(task), target(target), packed(packed), m(task.blocks.shape.m),
      n(task.blocks.shape.n), k(task.blocks.shape.k) {
  const unsigned bytes =
      std::max(1u, task.blocks.shape.accType.getIntOrFloatBitWidth() / 8);
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  for (BlockRole role : task.blocks.roles) {
    init |= role == BlockRole::Init;
    epilogues += role == BlockRole::Epilogue;
  }
}

void SketchWriter::line(const llvm::Twine &content) {
  text += "  " + content.str() + "\n";
}

static std::string list(llvm::ArrayRef<int64_t> values) {
  return "[" +
         llvm::join(llvm::map_range(
                        values, [](int64_t v) { return std::to_string(v); }),
                    ", ") +
         "]";
}

void SketchWriter::decide(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                          int64_t defaultValue) {
  line("%" + name + " = schedule.sample_categorical \"" + name + "\" from " +
       list(values) + " default " + llvm::Twine(defaultValue) +
       " : !transform.param<i64>");
}

void SketchWriter::constant(llvm::StringRef name, int64_t value) {
  line("%" + name + " = transform.param.constant " + llvm::Twine(value) +
       " : i64 -> !transform.param<i64>");
}

std::string SketchWriter::fuseList() const {
  llvm::SmallVector<std::string> names;
  // Consumers first.
  for (unsigned i = epilogues; i > 1; --i)
    names.push_back("\"chain" + std::to_string(i - 2) + "\"");
  if (hasEpilogue())
    names.push_back("\"anchor\"");
  if (init)
    names.push_back("\"init\"");
  return "[" + llvm::join(names, ", ") + "]";
}

unsigned SketchWriter::rootRank() const {
  return (packed ? 3 : 2) + (hasEpilogue() ? 0 : 1);
}

void SketchWriter::begin(llvm::StringRef name) {
  text +=
      ("schedule.sketch @" + name + " (%root: !transform.any_op) {\n").str();
  constant("zero", 0);
  constant("m", m);
  constant("n", n);
  constant("k", k);
}

void SketchWriter::registerTile() {
  const int64_t registers = target.vectorRegisters;
  // Rows and vectors with the most arithmetic a load that fit.
  int64_t bestRows = 1, bestVectors = 1;
  double best = 0;
  for (int64_t vectors : {1, 2, 4, 8})
    for (int64_t rows = 1; rows <= std::min(m, kMaxTileRows); ++rows) {
      if (rows * vectors + vectors + 1 > registers ||
          (vectors > 1 && vectors * lanes > n))
        continue;
      double reuse = double(rows * vectors) / (rows + vectors);
      // A divisor saves a tail, which is worth a little reuse.
      reuse *= m % rows == 0 ? 1.05 : 1.0;
      if (reuse > best) {
        best = reuse;
        bestRows = rows;
        bestVectors = vectors;
      }
    }
  defaultTile = {bestRows, bestVectors * std::min(lanes, n)};
  llvm::SmallVector<int64_t> rows, vectors, unrolls;
  for (int64_t i = 1; i <= std::min(m, kMaxTileRows); ++i)
    rows.push_back(i);
  for (int64_t i : {1, 2, 4, 8, 16})
    if (i == 1 || (i * lanes <= n && i <= (m == 1 ? registers : 8)))
      vectors.push_back(i);
  for (int64_t i : kUnrolls)
    if (i <= k && (i == 1 || i == 4 || i == 8 || k % i == 0))
      unrolls.push_back(i);
  decide("mr", rows, bestRows);
  decide("vectors", vectors, bestVectors);
  decide("ku", unrolls, k >= 4 ? 4 : 1);
  constant("lanes", std::min(lanes, n));
  constant("registers", registers);
  line("%nr = schedule.product %vectors, %lanes");
  line("%accumulators = schedule.product %mr, %vectors");
  line("%one = transform.param.constant 1 : i64 -> !transform.param<i64>");
  // A single row uses each vector of the right-hand side once: multiplied from
  // memory, it takes no register.
  line(m == 1 ? "%live = schedule.sum %accumulators, %zero"
              : "%live = schedule.sum %accumulators, %vectors, %one");
  line("%fits = schedule.cmp le %live, %registers");
  line("schedule.require \"the accumulators fit in the vector registers\" "
       "%fits");
  // Fewer independent FMAs than latency x ports leave the ports idle, unless
  // the problem has no more.
  const int64_t wanted =
      std::min<int64_t>({6, target.fmaLatency * int64_t(target.fmaPorts),
                         bestRows * bestVectors});
  constant("wanted", wanted);
  line("%hides = schedule.cmp le %wanted, %accumulators");
  line("schedule.require \"the accumulators hide the latency of FMA\" %hides");
  // What threads and cache blocks share m by: whole register tiles, which leave
  // the rest to the end, or rows, which leave a tail in each share.
  if (m == 1) {
    constant("unit", 1);
    return;
  }
  decide("whole_tiles", {0, 1}, 1);
  line("%unit = schedule.select %whole_tiles, %mr, %one");
}

void SketchWriter::blocks() {
  llvm::SmallVector<std::string> names;
  unsigned seen = 0, produced = 0;
  for (BlockRole role : task.blocks.roles) {
    switch (role) {
    case BlockRole::Init:
      names.push_back("\"init\"");
      break;
    case BlockRole::Anchor:
      names.push_back("\"anchor\"");
      break;
    case BlockRole::Epilogue:
      // The last of a chain is the root of the fusion.
      names.push_back(++seen == epilogues
                          ? "\"epilogue\""
                          : "\"chain" + std::to_string(seen - 1) + "\"");
      break;
    case BlockRole::Producer:
      names.push_back("\"producer" + std::to_string(produced++) + "\"");
      break;
    case BlockRole::Other:
      names.push_back("\"\"");
      break;
    }
  }
  line("%func = transform.structured.match ops{[\"func.func\"]} "
       "attributes{sym_name = " +
       toStringLiteral(task.getFunction().getSymName()) +
       "} in %root : "
       "(!transform.any_op) -> !transform.any_op");
  std::string function = "%func";
  if (task.blocks.isFused) {
    auto quoted =
        llvm::map_range(task.blocks.generalize,
                        [](const std::string &op) { return "\"" + op + "\""; });
    function = "%fused";
    line(function + " = schedule.fuse_elementwise %func [" +
         llvm::join(quoted, ", ") + "]");
  }
  line("schedule.name_blocks " + function + " [" + llvm::join(names, ", ") +
       "]");
  llvm::SmallVector<int64_t> threads;
  const bool parallel = task.flops / target.threads >= kFlopsPerThread;
  for (int64_t t = 1; t <= target.threads; ++t) {
    if (t != 1 && target.threads % t != 0)
      continue;
    threads.push_back(t);
    if (parallel && (tilesOf(0) >= t || tilesOf(1) >= t))
      defaultThreads = t;
  }
  decide("t", threads, defaultThreads);
  producers(function);
  if (!packed) {
    line("%f = transform.structured.match ops{[\"func.func\"]} "
         "attributes{sym_name = " +
         toStringLiteral(task.getFunction().getSymName()) +
         "} in %root : "
         "(!transform.any_op) -> !transform.any_op");
    return;
  }
  line("%f = schedule.pack_rhs " + function + " \"anchor\"" +
       (init ? " init \"init\"" : "") +
       (hasEpilogue() ? " epilogue \"epilogue\"" : "") + " n " +
       llvm::Twine(n) + (task.blocks.shape.rhsTransposed ? " transposed" : "") +
       " tile %nr threads %t tail(%mr, %ku)");
  line("%panels = schedule.floordiv %n, %nr");
}

void SketchWriter::producers(llvm::StringRef function) {
  unsigned number = 0;
  for (auto [role, extents] :
       llvm::zip_equal(task.blocks.roles, task.blocks.extents)) {
    if (role != BlockRole::Producer)
      continue;
    const std::string id = std::to_string(number++);
    const std::string rows = "%rows" + id, columns = "%columns" + id,
                      width = "%width" + id;
    constant("rows" + id, extents[0]);
    constant("columns" + id, extents[1]);
    // A loop must remain: it is what keeps the producer from being fused.
    const int64_t wide = kProducerVectors * lanes;
    constant("width" + id,
             extents[0] > 1 || extents[1] > wide ? wide : extents[1] - 1);
    const std::string block = " \"producer" + id + "\" fuse [] rank 2 dims ";
    if (target.threads > 1) {
      line("%shares" + id + " = schedule.cmp le %t, " + rows);
      line("%team" + id + " = schedule.select %shares" + id + ", %t, %one");
      line("schedule.tile_parallel " + function + block + "[0] extents(" +
           rows + ") units(%one) which %zero threads %team" + id);
    }
    line("schedule.tile " + function + block + "[0, 1] extents(" + rows + ", " +
         columns + ") sizes(%one, " + width + ")");
  }
}

void SketchWriter::parallel() {
  if (target.threads <= 1)
    return;
  // The dimension that leaves less behind when it is shared evenly; all of it
  // where a thread gets no tile.
  auto rest = [&](unsigned dim) {
    const int64_t extent = dim == 0 ? m : n;
    return double(extent % (defaultTile[dim] * defaultThreads)) / extent;
  };
  decide("parallel_dim", {0, 1}, rest(0) <= rest(1) ? 0 : 1);
  line("schedule.tile_parallel %f \"" + root() + "\" fuse " + fuseList() +
       " rank " + llvm::Twine(rootRank()) + " dims [0, 1] extents(%m, " +
       (packed ? "%panels" : "%n") + ") units(%unit, " +
       (packed ? "%one" : "%nr") + ") which %parallel_dim threads %t");
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

void SketchWriter::evenBlocks() {
  if (m == 1)
    return;
  // Tails in the rest of the blocks would be one kind of tail too many.
  if (target.threads > 1) {
    line("%share = schedule.floordiv %m, %t");
    line("%rows = schedule.select %parallel_dim, %m, %share");
  } else {
    line("%rows = schedule.product %m, %one");
  }
  line("%rest = schedule.mod %rows, %mc");
  line("%divides = schedule.cmp eq %rest, %zero");
  line("%covers = schedule.cmp le %rows, %mc");
  line("%even = schedule.or %whole_tiles, %divides, %covers");
  line("schedule.require \"blocks that are not whole register tiles share the "
       "rows evenly\" %even");
}

void SketchWriter::cacheBlocks() {
  const llvm::SmallVector<int64_t> rows = rowBlocks();
  llvm::SmallVector<int64_t> columns;
  for (int64_t i : kMultiples)
    if (i * lanes < n)
      columns.push_back(i);
  columns.push_back(n);
  // A block of the left-hand side should fill half of L2, and stay there.
  const int64_t bytes = task.blocks.shape.lhsType.getIntOrFloatBitWidth() / 8;
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
  decide("m_tiles", rows, defaultRows);
  decide("n_tiles", columns, defaultColumns);
  line("%o0, %o1 = schedule.sample_permutation \"block_order\" of 2 default "
       "[1, 0] : !transform.param<i64>, !transform.param<i64>");
  rowBlock("mc", "m_tiles");
  evenBlocks();
  if (packed)
    line("%nc = schedule.product %n_tiles, %one");
  else
    line("%nc = schedule.product %n_tiles, %nr");
  line("schedule.tile %f \"" + root() + "\" fuse " + fuseList() + " rank " +
       llvm::Twine(rootRank()) + " dims [0, 1] extents(%m, " +
       (packed ? "%panels" : "%n") + ") sizes(%mc, %nc) order(%o0, %o1)");
}

void SketchWriter::reductionBlocks() {
  llvm::SmallVector<int64_t> sizes;
  for (int64_t i : kReductionBlocks)
    if (i < k)
      sizes.push_back(i);
  // A panel of the right-hand side should fill half of L1.
  const int64_t bytes = task.blocks.shape.rhsType.getIntOrFloatBitWidth() / 8;
  int64_t defaultSize = sizes.front();
  for (int64_t i : sizes)
    if (i * 2 * lanes * bytes <= target.l1Bytes / 2)
      defaultSize = i;
  decide("kc", sizes, defaultSize);
  line("schedule.tile %f \"anchor\" fuse [] rank " + llvm::Twine(anchorRank()) +
       " dims [2] extents(%k) sizes(%kc)");
  // Rows inside of the reduction: all of them share its block of the right-hand
  // side, and a small block of the left-hand side stays in L2.
  decide("inner_m_tiles", rowBlocks(), m);
  rowBlock("mi", "inner_m_tiles");
  line("schedule.tile %f \"anchor\" fuse [] rank " + llvm::Twine(anchorRank()) +
       " dims [0] extents(%m) sizes(%mi)");
}

void SketchWriter::cacheLhs() {
  decide("cache_lhs", {0, 1}, 0);
  line("schedule.cache_read %f \"anchor\" operand 0 enable %cache_lhs");
}

void SketchWriter::registerTiles(bool fuse) {
  line("%r0, %r1 = schedule.sample_permutation \"tile_order\" of 2 default "
       "[1, 0] : !transform.param<i64>, !transform.param<i64>");
  const std::string block = fuse ? root() : "anchor";
  line("schedule.tile %f \"" + block + "\" fuse " + (fuse ? fuseList() : "[]") +
       " rank " + llvm::Twine(fuse ? rootRank() : anchorRank()) +
       " dims [0, 1] extents(%m, " + (packed ? "%panels" : "%n") +
       ") sizes(%mr, " + (packed ? "%one" : "%nr") + ") order(%r0, %r1)");
}

void SketchWriter::unrollReduction() {
  line("schedule.tile %f \"anchor\" fuse [] rank " + llvm::Twine(anchorRank()) +
       " dims [2] extents(%k) sizes(%ku)");
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
  line("schedule.tile %f \"" + block + "\" fuse [] rank " +
       llvm::Twine(packed ? 3 : 2) + " dims [0, 1] extents(%m, " +
       (packed ? "%panels" : "%n") + ") sizes(%one, " +
       (packed ? "%one" : "%nr") + ")");
}

std::string SketchWriter::end() {
  line("schedule.vectorize %f");
  line("schedule.yield");
  text += "}\n";
  return std::move(text);
}
