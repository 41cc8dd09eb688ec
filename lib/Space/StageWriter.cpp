//===- StageWriter.cpp - Pieces of sketches without a contraction ---------===//

#include "StageWriter.h"
#include "SchedOpt/Support/PageOffset.h"
#include "StageRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <functional>
#include <numeric>

using namespace sched;

namespace {
/// Vectors of a row at a time by default. A math function keeps several values
/// in registers: four in flight hide its latency, eight spill.
constexpr int64_t kPlainVectors = 8, kCallVectors = 4, kSumVectors = 4;
/// Partial results of a reduction, in vectors.
constexpr int64_t kPartialVectors = 8;
/// Rows that a reduction of columns takes at a time: each partial sum is loaded
/// and stored once for so many additions.
constexpr int64_t kColumnRows = 8;
/// As how many bytes a math function counts where threads share work.
constexpr double kBytesPerCall = 16;
} // namespace

StageWriter::StageWriter(const Task &task, const Target &target)
    : SketchText(task, target), shape(*task.blocks.staged) {
  unsigned inits = 0, stages = 0;
  for (auto [i, role] : llvm::enumerate(task.blocks.roles)) {
    switch (role) {
    case BlockRole::Root:
      root = i;
      names.push_back("root");
      break;
    case BlockRole::Init:
      names.push_back("init" + std::to_string(inits++));
      break;
    default:
      names.push_back("stage" + std::to_string(stages++));
    }
  }
}

int64_t StageWriter::lanesOf(const StagedShape::Stage &stage) const {
  const int64_t bytes =
      std::max(1u, stage.elementType.getIntOrFloatBitWidth() / 8);
  return std::max<int64_t>(1, target.vectorBytes / bytes);
}

std::optional<unsigned> StageWriter::rowLoop() const {
  const StagedShape::Stage &stage = rootStage();
  if (stage.acrossLoop)
    return stage.acrossLoop;
  // Of a reduction of columns, the largest.
  if (!stage.reductions.empty())
    return *llvm::max_element(stage.reductions, [&](unsigned a, unsigned b) {
      return extents()[a] < extents()[b];
    });
  if (extents().size() < 2)
    return std::nullopt;
  return extents().size() - 2;
}

void StageWriter::begin(llvm::StringRef name) {
  text +=
      ("schedule.sketch @" + name + " (%root: !transform.any_op) {\n").str();
  constant("zero", 0);
  constant("one", 1);
}

int64_t StageWriter::decideWidth(llvm::StringRef name, llvm::StringRef count,
                                 int64_t extent, int64_t lanes, int64_t vectors,
                                 int64_t most) {
  llvm::SmallVector<int64_t> counts;
  for (int64_t i : {1, 2, 4, 8, 16})
    if (i == 1 || (i * lanes <= extent && i <= most))
      counts.push_back(i);
  const int64_t standard = std::min(vectors, counts.back());
  decide(count, counts, standard);
  constant(name.str() + "_lanes", lanes);
  line("%" + name + " = schedule.product %" + count + ", %" + name + "_lanes");
  return standard;
}

void StageWriter::tiles(int64_t transposedVectors) {
  const StagedShape::Stage &stage = rootStage();
  const bool sums = !stage.reductions.empty();
  const std::optional<unsigned> rows = rowLoop();
  // Sums are added row by row: only their own vectors stay.
  const int64_t room = (sums ? 4 : 1) * std::max(target.vectorRegisters, 8),
                most = sums               ? kColumnRows
                       : stage.acrossLoop ? lanesOf(stage)
                                          : 1;
  llvm::SmallVector<int64_t> counts;
  int64_t standard = 1;
  for (int64_t i : {1, 2, 4, 8, 16})
    if (rows && i <= extents()[*rows]) {
      counts.push_back(i);
      standard = i <= most ? i : standard;
    }
  decideWidth(
      "width", "vectors", extents()[stage.vectorLoop], lanesOf(stage),
      stage.acrossLoop
          ? std::clamp<int64_t>(room / standard, 1, transposedVectors)
      : sums ? kSumVectors
      : llvm::any_of(shape.stages, [](const auto &s) { return s.calls; })
          ? kCallVectors
          : kPlainVectors);
  if (!rows)
    return;
  decide("rows", counts, standard);
  line("%tile = schedule.product %rows, %vectors");
  constant("room", room);
  line("%fits = schedule.cmp le %tile, %room");
  line("schedule.require \"the tile fits in the vector registers\" %fits");
}

void StageWriter::widths() {
  reducesRows = true;
  int64_t row = 1, lanes = lanesOf(rootStage());
  bool hasElementwise = false;
  for (auto [stage, extents] :
       llvm::zip_equal(shape.stages, task.blocks.extents)) {
    if (stage.reductions.empty())
      hasElementwise |= extents.size() > shape.rowDims;
    if (stage.reductions.empty() || extents.back() < row)
      continue;
    row = extents.back();
    lanes = lanesOf(stage);
  }
  if (hasElementwise)
    decideWidth("width", "vectors", row, lanes, kCallVectors);
  // Partial results leave half of the registers to what is added to them.
  partials =
      decideWidth("reduce_width", "partials", row, lanes, kPartialVectors,
                  std::max(target.vectorRegisters / 2, 4));
  if (row <= lanes) {
    constant("keep_partials", 1);
    return;
  }
  decide("keep_partials", {0, 1}, 1);
  constant("row", row);
  line("%has_steps = schedule.cmp lt %reduce_width, %row");
  line("%steps_differ = schedule.or %has_steps, %keep_partials");
  line("schedule.require \"a row of one step has no partial results to give "
       "up\" %steps_differ");
}

void StageWriter::linesAtOnce(bool isShared) {
  auto hasLines = [](const StagedShape::Stage &stage) {
    return stage.reductions.size() > 1;
  };
  if (llvm::count_if(shape.stages, hasLines) != 1)
    return;
  const unsigned position =
      llvm::find_if(shape.stages, hasLines) - shape.stages.begin();
  const StagedShape::Stage &stage = shape.stages[position];
  const Extents &extents = task.blocks.extents[position];
  auto countShares = [&](unsigned dim) {
    return isShared && getSharedDim(position) == dim ? target.threads : 1;
  };
  const unsigned row = stage.reductions.back(),
                 along = stage.reductions.end()[-2];
  if (extents[row] / countShares(row) * countBytes(stage.elementType) <
      int64_t(kPageBytes))
    return;
  llvm::SmallVector<int64_t> counts;
  for (int64_t i : {1, 2, 4, 8})
    if (extents[along] % (i * countShares(along)) == 0)
      counts.push_back(i);
  if (decideAtOnce("lines", counts, /*standard=*/1,
                   std::max(target.vectorRegisters / 2, 4)))
    linesOfStep = " lines %lines";
}

bool StageWriter::decideAtOnce(const std::string &name,
                               llvm::ArrayRef<int64_t> counts, int64_t standard,
                               int64_t room) {
  if (counts.size() < 2)
    return false;
  decide(name, counts, standard);
  line("%sums = schedule.product %" + name + ", %partials");
  constant("room", room);
  line("%fit = schedule.cmp le %sums, %room");
  line("schedule.require \"the " + name +
       "' partial results fit in the vector registers\" %fit");
  return true;
}

void StageWriter::rowsAtOnce() {
  // A root that reduces is tiled with what it starts from.
  if (shape.rowDims == 0 || !rootStage().reductions.empty() ||
      llvm::any_of(shape.stages, [](const StagedShape::Stage &stage) {
        return stage.reductions.size() > 1;
      }))
    return;
  int64_t bytes = 1;
  for (auto [stage, extents] :
       llvm::zip_equal(shape.stages, task.blocks.extents))
    if (!stage.reductions.empty())
      bytes = std::max(bytes, extents.back() * countBytes(stage.elementType));
  const int64_t rows = extents()[shape.rowDims - 1];
  llvm::SmallVector<int64_t> counts;
  int64_t standard = 1;
  for (int64_t i : {1, 2, 4}) {
    if (i > rows)
      continue;
    counts.push_back(i);
    // The lanes of several rows are joined by fewer instructions. Four at once
    // are worth the registers where a row has one or two vectors (AVX-512:
    // layer norm of 64 elements 1.16 of the time of two, softmax of 32 elements
    // 0.9).
    if (i * i * partials <= target.vectorRegisters &&
        rows >= i * target.threads && i * bytes <= target.l1Bytes)
      standard = i;
  }
  if (decideAtOnce("rows", counts, standard,
                   std::max(target.vectorRegisters, 8)))
    rowsOfStep = "%rows";
}

void StageWriter::blocks() {
  function = beginBlocks(names, /*splitsSoftmax=*/reducesRows);
}

void StageWriter::threads(llvm::ArrayRef<unsigned> dims, unsigned last) {
  double bytes = task.bytes;
  for (auto [stage, extents] :
       llvm::zip_equal(shape.stages, task.blocks.extents))
    if (stage.calls)
      bytes += kBytesPerCall * std::accumulate(extents.begin(), extents.end(),
                                               1.0, std::multiplies<>());
  const bool isWorthIt = bytes / target.threads >= kBytesPerThread;
  llvm::SmallVector<int64_t> counts, choices;
  int64_t most = 1;
  for (unsigned dim : dims)
    most = std::max(most, extents()[dim]);
  int64_t standard = 1;
  for (int64_t t = 1; t <= std::min<int64_t>(target.threads, most); ++t) {
    if (target.threads % t != 0)
      continue;
    counts.push_back(t);
    if (isWorthIt)
      standard = t;
  }
  // The outermost with enough for all, best without a rest.
  int64_t best = 0, bestRank = -1;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (extents()[dim] < 2 && dims.size() > 1)
      continue;
    choices.push_back(i);
    const int64_t rank = (extents()[dim] >= standard ? 4 : 0) +
                         (extents()[dim] % standard == 0 ? 1 : 0) +
                         (i == last ? 0 : 2);
    if (rank > bestRank) {
      bestRank = rank;
      best = i;
    }
  }
  if (choices.empty())
    choices.push_back(0);
  if (!llvm::is_contained(choices, best))
    best = choices.front();
  decide("t", counts, extents()[dims[best]] >= standard ? standard : 1);
  decide("parallel_dim", choices, best);
}

llvm::SmallVector<int64_t>
StageWriter::decideShares(llvm::ArrayRef<int64_t> shared) {
  llvm::SmallVector<int64_t> counts;
  for (int64_t t = 2; t <= target.threads; ++t)
    if (target.threads % t == 0 && t <= *llvm::min_element(shared))
      counts.push_back(t);
  decide("t", counts, counts.back());
  return counts;
}

bool StageWriter::shareReduction(unsigned position, unsigned dim, bool buffered,
                                 llvm::ArrayRef<int64_t> counts) {
  const Extents &extents = task.blocks.extents[position];
  line("schedule.share_reduction " + function + " \"" + names[position] +
       "\" rank " + llvm::Twine(extents.size()) + " dim " + llvm::Twine(dim) +
       " extent " + llvm::Twine(extents[dim]) + (buffered ? " buffered" : "") +
       " threads %t");
  return llvm::any_of(counts,
                      [&](int64_t count) { return extents[dim] % count != 0; });
}

void StageWriter::tileJoin(unsigned position, llvm::StringRef last) {
  llvm::SmallVector<std::string> dims, extents, sizes;
  for (auto [dim, extent] : llvm::enumerate(task.blocks.extents[position])) {
    if (llvm::is_contained(shape.stages[position].reductions, dim))
      continue;
    const std::string name =
        names[position] + "_join_extent" + std::to_string(dims.size());
    constant(name, extent);
    dims.push_back(std::to_string(dims.size()));
    extents.push_back("%" + name);
    sizes.push_back("%one");
  }
  if (dims.empty())
    return;
  sizes.back() = last;
  for (llvm::StringRef prefix : {"start_", "join_"})
    line("schedule.tile " + function + " \"" + prefix + names[position] +
         "\" fuse [] rank " + llvm::Twine(dims.size() + 1) + " dims [" +
         llvm::join(dims, ", ") + "] extents(" + llvm::join(extents, ", ") +
         ") sizes(" + llvm::join(sizes, ", ") + ")");
}

std::string StageWriter::dimensions(unsigned position,
                                    llvm::ArrayRef<unsigned> dims) {
  llvm::SmallVector<std::string> positions, extents;
  for (unsigned dim : dims) {
    const std::string name = names[position] + "_extent" + std::to_string(dim);
    if (!llvm::StringRef(text).contains("%" + name + " ="))
      constant(name, task.blocks.extents[position][dim]);
    positions.push_back(std::to_string(dim));
    extents.push_back("%" + name);
  }
  return " rank " + std::to_string(task.blocks.extents[position].size()) +
         " dims [" + llvm::join(positions, ", ") + "] extents(" +
         llvm::join(extents, ", ") + ")";
}

std::string StageWriter::stageList() const {
  llvm::SmallVector<std::string> list;
  for (unsigned i = names.size(); i-- > 0;)
    if (i != root)
      list.push_back("\"" + names[i] + "\"");
  return "[" + llvm::join(list, ", ") + "]";
}

void StageWriter::fuseTiles() {
  const unsigned vectorLoop = rootStage().vectorLoop;
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<std::string> sizes;
  for (unsigned dim = 0, e = extents().size(); dim != e; ++dim) {
    dims.push_back(dim);
    sizes.push_back(dim == vectorLoop  ? "%width"
                    : dim == rowLoop() ? "%rows"
                                       : "%one");
  }
  threads(dims, dims.size() > 1 ? vectorLoop : dims.size());
  const std::string where = dimensions(root, dims);
  line("schedule.fuse_stages " + function + " \"root\" stages " + stageList() +
       where + " sizes(" + llvm::join(sizes, ", ") +
       ") which %parallel_dim threads %t");
}

void StageWriter::fuseRows() {
  if (shape.rowDims == 0)
    return;
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = 0, e = extents().size(); dim != e; ++dim)
    if (rootStage().reductions.empty()
            ? dim < shape.rowDims
            : !llvm::is_contained(rootStage().reductions, dim))
      dims.push_back(dim);
  llvm::SmallVector<std::string> sizes(dims.size(), "%one");
  const std::string ones = llvm::join(sizes, ", ");
  sizes.back() = rowsOfStep;
  const std::string where = dimensions(root, dims);
  // Threads write the result of a reduction where it starts from: nothing that
  // is fused later reaches an init of theirs.
  const bool hasInit = !rootStage().reductions.empty() &&
                       llvm::is_contained(task.blocks.roles, BlockRole::Init);
  if (hasInit && names.size() == 2) {
    if (target.threads > 1) {
      threads(dims, dims.size());
      line("schedule.tile_parallel " + function + " \"root\" fuse " +
           stageList() + where + " units(" + ones +
           ") which %parallel_dim threads %t");
    }
    line("schedule.tile " + function + " \"root\" fuse " + stageList() + where +
         " sizes(" + ones + ")");
    return;
  }
  if (!hasInit)
    threads(dims, dims.size());
  line("schedule.fuse_stages " + function + " \"root\" stages " + stageList() +
       where + " sizes(" + llvm::join(sizes, ", ") + ") which " +
       (hasInit ? "%zero threads %one" : "%parallel_dim threads %t"));
}

void StageWriter::splitRow(const std::string &block, unsigned position,
                           llvm::StringRef shares) {
  const StagedShape::Stage &stage = shape.stages[position];
  const Extents &extents = task.blocks.extents[position];
  const unsigned rank = extents.size();
  std::string around;
  if (stage.reductions.size() > 1)
    around = " around [" +
             llvm::join(llvm::map_range(
                            llvm::ArrayRef(stage.reductions).drop_back(),
                            [](unsigned dim) { return std::to_string(dim); }),
                        ", ") +
             "]" + linesOfStep;
  line("schedule.split_reduction " + function + " \"" + block + "\" rank " +
       llvm::Twine(rank) + " dim " + llvm::Twine(rank - 1) + " extent " +
       llvm::Twine(extents.back()) + shares + around +
       " width %reduce_width rest_width %reduce_width_lanes keep "
       "%keep_partials");
}

void StageWriter::stages() {
  for (unsigned i = 0, e = names.size(); i != e; ++i) {
    const unsigned rank = task.blocks.extents[i].size();
    if (!shape.stages[i].reductions.empty()) {
      splitRow(names[i], i);
      continue;
    }
    if (rank <= shape.rowDims)
      continue;
    llvm::SmallVector<unsigned> dims;
    llvm::SmallVector<std::string> sizes;
    for (unsigned dim = shape.rowDims; dim != rank; ++dim) {
      dims.push_back(dim);
      sizes.push_back(dim + 1 == rank ? "%width" : "%one");
    }
    const std::string where = dimensions(i, dims);
    line("schedule.tile " + function + " \"" + names[i] + "\" fuse []" + where +
         " sizes(" + llvm::join(sizes, ", ") + ")");
  }
}

void StageWriter::columns() {
  const StagedShape::Stage &stage = rootStage();
  llvm::SmallVector<unsigned> parallel;
  for (unsigned dim = 0, e = extents().size(); dim != e; ++dim)
    if (!llvm::is_contained(stage.reductions, dim))
      parallel.push_back(dim);
  if (target.threads > 1) {
    threads(parallel, parallel.size());
    const std::string where = dimensions(root, parallel);
    line("schedule.tile_parallel " + function + " \"root\" fuse " +
         stageList() + where + " units(" +
         llvm::join(llvm::SmallVector<std::string>(parallel.size(), "%one"),
                    ", ") +
         ") which %parallel_dim threads %t");
  }
  tileColumns("root");
  tileInit();
}

void StageWriter::tileColumns(const std::string &block) {
  const StagedShape::Stage &stage = rootStage();
  llvm::SmallVector<unsigned> loops;
  for (unsigned dim = 0, e = extents().size(); dim != e; ++dim)
    if (dim != stage.vectorLoop)
      loops.push_back(dim);
  loops.push_back(stage.vectorLoop);
  llvm::SmallVector<std::string> sizes;
  for (unsigned dim : loops)
    sizes.push_back(dim == stage.vectorLoop ? "%width"
                    : dim == rowLoop()      ? "%rows"
                                            : "%one");
  // The partial sums of a row pass through the cache, the rows through memory
  // in their order.
  const std::string where = dimensions(root, loops);
  line("schedule.tile " + function + " \"" + block + "\" fuse []" + where +
       " sizes(" + llvm::join(sizes, ", ") + ")");
}

void StageWriter::tileInit() {
  if (names.size() == 1)
    return;
  const unsigned init = 1 - root;
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<std::string> sizes;
  for (unsigned dim = 0, e = task.blocks.extents[init].size(); dim != e;
       ++dim) {
    dims.push_back(dim);
    sizes.push_back(dim + 1 == e ? "%width" : "%one");
  }
  const std::string where = dimensions(init, dims);
  line("schedule.tile " + function + " \"" + names[init] + "\" fuse []" +
       where + " sizes(" + llvm::join(sizes, ", ") + ")");
}

std::string StageWriter::end() {
  line("schedule.vectorize " + function);
  line("schedule.yield");
  text += "}\n";
  return std::move(text);
}
