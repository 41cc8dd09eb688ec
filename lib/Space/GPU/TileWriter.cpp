//===- TileWriter.cpp - Sketches of tiled contractions --------------------===//

#include "TileWriter.h"
#include "SchedOpt/Support/KernelNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace sched;

namespace {
/// Rows or columns of a tile, and points of an outer loop in it, at most.
constexpr int64_t kMostRows = 256, kMostOuter = 16;
/// Steps of a tile at most.
constexpr int64_t kMostDepth = 128;
} // namespace

int64_t sched::countMatrixSteps(mlir::Type type) {
  return kMatrixBytes / countElementBytes(type);
}

bool sched::isTiledContraction(const Task &task) {
  if (!task.blocks.shape)
    return false;
  const ContractionShape &shape = *task.blocks.shape;
  int64_t rows = shape.m, columns = shape.n;
  for (const OuterLoop &loop : shape.outer) {
    if (!loop.isReduction && !loop.isShared)
      (loop.isColumn ? columns : rows) *= loop.extent;
    // Copies of the same product are none of its rows or columns.
    if (!loop.isRead)
      return false;
  }
  return !shape.isWindowed && rows > 1 && columns > 1 && shape.n > 1 &&
         llvm::count(task.blocks.roles, BlockRole::Anchor) == 1 &&
         llvm::count(task.blocks.roles, BlockRole::Init) <= 1;
}

TileWriter::TileWriter(const Task &task, const Target &target, bool isMatrix)
    : KernelWriter(task, target), isMatrix(isMatrix),
      shape(*task.blocks.shape) {
  axes = {{0, shape.m, Side::Rows, "bm"},
          {1, shape.n, Side::Columns, "bn"},
          {2, shape.k, Side::Steps, "bk"}};
  for (auto [i, loop] : llvm::enumerate(shape.outer)) {
    const Side side = loop.isReduction ? Side::Steps
                      : loop.isShared  ? Side::Batch
                      : loop.isColumn  ? Side::Columns
                                       : Side::Rows;
    axes.push_back({ContractionShape::kFirstOuter + unsigned(i), loop.extent,
                    side, "bo" + std::to_string(i)});
  }
}

const std::string &TileWriter::countTiles(Axis &axis) {
  if (!axis.tiles.empty())
    return axis.tiles;
  constant(axis.size + "_whole", axis.extent);
  compute(axis.size + "_tiles", "ceildiv",
          {"%" + axis.size + "_whole",
           axis.side == Side::Batch ? "%one" : sizeOf(axis)});
  axis.tiles = "%" + axis.size + "_tiles";
  return axis.tiles;
}

int64_t TileWriter::countAll(Side side) const {
  int64_t count = 1;
  for (const Axis &axis : axes)
    if (axis.side == side)
      count *= axis.extent;
  return count;
}

unsigned TileWriter::rootDim(const Axis &axis) const {
  return (hasEpilogue() ? shape.resultDims : shape.loops)[axis.position];
}

int64_t TileWriter::bytesOf(Side side) const {
  return countElementBytes(side == Side::Rows ? shape.lhsType : shape.rhsType);
}

int64_t TileWriter::sumBytes() const {
  return countElementBytes(shape.accType);
}

llvm::SmallVector<int64_t> TileWriter::listFetches(Side side) const {
  llvm::SmallVector<int64_t> values = listPowers(
      1, std::max<int64_t>(kWidestBytes / bytesOf(side), 1), kWidestBytes);
  // Of the dimension that is contiguous, if a vector can divide it.
  const bool isOwn = isContiguousAlong(side);
  const int64_t extent = !isOwn               ? shape.k
                         : side == Side::Rows ? shape.m
                                              : shape.n;
  llvm::erase_if(values, [&](int64_t width) { return extent % width != 0; });
  return values;
}

bool TileWriter::canCopy() const {
  return llvm::all_of(std::array{Side::Rows, Side::Columns}, [&](Side side) {
    return listFetches(side).back() * bytesOf(side) >= 4;
  });
}

bool TileWriter::hasDeepTiles() const {
  return isMatrix && canCopy() &&
         target.gpu.maxBlockSharedBytes >= kDeepTilesBytes;
}

bool TileWriter::isRounded() const { return isMatrix && shape.lhsType.isF32(); }

bool TileWriter::isContiguousAlong(Side side) const {
  return side == Side::Rows ? shape.lhsTransposed : !shape.rhsTransposed;
}

void TileWriter::chooseTile() {
  // The first two where tiles are deep.
  static constexpr int64_t kTiles[][2] = {
      {256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64},
      {64, 32},   {32, 64},   {32, 32},   {32, 16},  {16, 32},  {16, 16}};
  // What is read of the operands for a multiply-add counts as much as this many
  // of them at tiles of one. Matrix instructions leave it less time: an H100
  // takes 1.25 times as long for f16 4096^3 with 128 x 128 as with 256 x 128.
  const double reading = hasDeepTiles() ? 128 : 24;
  double best = 0;
  for (auto [tileRows, tileColumns] :
       llvm::ArrayRef(kTiles).drop_front(hasDeepTiles() ? 0 : 2)) {
    // The last tiles may be nearly empty.
    const double blocks =
        double(llvm::divideCeil(countAll(Side::Rows), tileRows)) *
        llvm::divideCeil(countAll(Side::Columns), tileColumns) *
        countAll(Side::Batch);
    const double time = std::ceil(blocks / target.gpu.multiprocessors) *
                        tileRows * tileColumns *
                        (1 + reading / tileRows + reading / tileColumns);
    if (best != 0 && time >= best)
      continue;
    best = time;
    wantedRows = tileRows;
    wantedColumns = tileColumns;
  }
}

void TileWriter::multiplySizes(llvm::StringRef name, Side side) {
  llvm::SmallVector<std::string> sizes;
  for (const Axis &axis : axes)
    if (axis.side == side)
      sizes.push_back(sizeOf(axis));
  sizes.push_back("%one");
  compute(name, "product", sizes);
}

void TileWriter::blockTile() {
  chooseTile();
  // The loops of the product first, then the others from the innermost.
  struct Cut {
    const Axis *axis;
    llvm::SmallVector<int64_t> sizes;
    int64_t size;
  };
  llvm::SmallVector<Cut> cuts;
  rows = columns = 1;
  auto add = [&](const Axis &axis) {
    if (axis.side != Side::Rows && axis.side != Side::Columns)
      return;
    const bool isRow = axis.side == Side::Rows;
    int64_t &filled = isRow ? rows : columns;
    const bool isOuter = axis.position >= ContractionShape::kFirstOuter;
    Cut cut{&axis, listTiles(axis.extent, isOuter ? kMostOuter : kMostRows), 0};
    // The columns of a tile are what it has several of along the result's
    // innermost dimension.
    if (axis.position == ContractionShape::kColumns)
      cut.sizes.erase(cut.sizes.begin());
    cut.size = pickAtMost(
        cut.sizes,
        std::max<int64_t>((isRow ? wantedRows : wantedColumns) / filled, 1));
    filled *= cut.size;
    cuts.push_back(std::move(cut));
  };
  for (const Axis &axis : axes)
    if (axis.position < ContractionShape::kFirstOuter)
      add(axis);
  for (const Axis &axis : llvm::reverse(axes))
    if (axis.position >= ContractionShape::kFirstOuter)
      add(axis);
  // All in one tile is no grid: some loop is cut, the last one that can be.
  bool isCut =
      countAll(Side::Batch) > 1 || llvm::any_of(cuts, [](const Cut &cut) {
        return cut.size < cut.axis->extent;
      });
  for (Cut &cut : llvm::reverse(cuts)) {
    if (isCut || cut.size == cut.sizes.front())
      continue;
    int64_t &filled = cut.axis->side == Side::Rows ? rows : columns;
    filled /= cut.size;
    cut.size = pickAtMost(cut.sizes, cut.size / 2);
    filled *= cut.size;
    isCut = true;
  }
  for (const Cut &cut : cuts)
    decide(cut.axis->size, cut.sizes, cut.size);
  multiplySizes("rows", Side::Rows);
  multiplySizes("columns", Side::Columns);
}

void TileWriter::stepTile() {
  const int64_t matrixSteps = countMatrixSteps(shape.lhsType);
  const int64_t wanted =
      isMatrix ? (hasDeepTiles() ? 4 : 2) * matrixSteps
               : 16 * std::max<int64_t>(4 / bytesOf(Side::Rows), 1);
  const Axis &steps = axes[ContractionShape::kSteps];
  llvm::SmallVector<int64_t> sizes;
  if (isMatrix)
    sizes = listPowers(matrixSteps, kMostDepth, steps.extent / 2 + 1);
  else
    sizes = listTiles(steps.extent, 64);
  if (!isMatrix && sizes.size() > 1)
    llvm::erase_if(sizes, [&](int64_t size) {
      return size < 4 && size != steps.extent && steps.extent > 4;
    });
  depth = pickAtMost(sizes, wanted);
  decide(steps.size, sizes, depth);
  mostDepth = sizes.back();
  // Few channels leave room for a line of the window, or all of it.
  for (const Axis &axis : llvm::reverse(axes)) {
    if (axis.side != Side::Steps ||
        axis.position < ContractionShape::kFirstOuter)
      continue;
    const bool isWhole =
        !isMatrix && depth == steps.extent && depth * axis.extent <= 2 * wanted;
    const bool hasChoice = !isMatrix && axis.extent > 1;
    if (hasChoice)
      decide(axis.size, {1, axis.extent}, isWhole ? axis.extent : 1);
    else
      constant(axis.size, 1);
    if (isWhole)
      depth *= axis.extent;
  }
  multiplySizes("depth", Side::Steps);
  constant("most_depth", std::max(kMostDepth, depth));
  require("depth_fits", "le", "%depth", "%most_depth",
          "a step takes at most " +
              std::to_string(std::max(kMostDepth, depth)) +
              " of the reduction");
}

void TileWriter::threadTile() {
  // Sums of a thread: as many as registers hold, fewer where tiles are small.
  const int64_t area = rows * columns;
  const int64_t sums = area >= 128 * 128  ? 64
                       : area >= 64 * 128 ? 32
                       : area >= 32 * 64  ? 16
                       : area >= 32 * 32  ? 8
                                          : 4;
  const int64_t wanted =
      std::clamp<int64_t>(llvm::PowerOf2Ceil(area) / sums, 32, 256);
  auto most = [](int64_t size) {
    return int64_t(llvm::bit_floor(uint64_t(size)));
  };
  int64_t threadsX = std::min<int64_t>(most(columns), 16);
  int64_t threadsY =
      std::min<int64_t>(most(rows), std::max<int64_t>(wanted / threadsX, 1));
  while (threadsX * threadsY < target.gpu.warp && 2 * threadsX <= columns)
    threadsX *= 2;
  auto apart = [](int64_t size, int64_t threads) -> int64_t {
    return size >= 8 * threads ? 2 : 1;
  };
  // The tile of a thread says how many there are: so few choices are illegal.
  constexpr int64_t kMostOwn = 8;
  auto own = [&](llvm::StringRef name, llvm::StringRef copies, Side side,
                 int64_t threads) {
    const int64_t size = side == Side::Rows ? rows : columns,
                  all = countAll(side), several = apart(size, threads);
    llvm::SmallVector<int64_t> sizes;
    for (int64_t i = 1; i <= std::min(kMostOwn, all); ++i)
      sizes.push_back(i);
    const int64_t standard =
        pickAtMost(sizes, llvm::divideCeil(size, threads * several));
    decide(copies, listPowers(1, 4, all), several);
    decide(name, sizes, standard);
    return llvm::divideCeil(size, standard * several);
  };
  const int64_t threads = own("tm", "vy", Side::Rows, threadsY) *
                          own("tn", "vx", Side::Columns, threadsX);
  compute("own_rows", "product", {"%tm", "%vy"});
  compute("own_columns", "product", {"%tn", "%vx"});
  require("rows_for_all", "le", "%own_rows", "%rows",
          "a thread has no more rows than the tile");
  require("columns_for_all", "le", "%own_columns", "%columns",
          "a thread has no more columns than the tile");
  compute("ty", "ceildiv", {"%rows", "%own_rows"});
  compute("tx", "ceildiv", {"%columns", "%own_columns"});
  compute("covered_rows", "product", {"%ty", "%own_rows"});
  compute("covered_columns", "product", {"%tx", "%own_columns"});
  compute("threads", "product", {"%ty", "%tx"});
  // Of a result that has warps enough.
  const int64_t warps = countAll(Side::Rows) * countAll(Side::Columns) *
                        countAll(Side::Batch) / target.gpu.warp;
  if (threads >= target.gpu.warp && warps >= target.gpu.warp) {
    constant("warp", target.gpu.warp);
    require("whole_warps", "le", "%warp", "%threads",
            "a block has a whole warp at least");
  }
  compute("sums", "product", {"%tm", "%vy", "%tn", "%vx"});
}

void TileWriter::warpTile() {
  constant("matrix_rows", kMatrixRows);
  constant("matrix_columns", kMatrixColumns);
  constant("warp", target.gpu.warp);
  const int64_t area = rows * columns;
  // A warp has 64 x 64 at most, or half where elements that are on their way
  // take registers.
  const int64_t most = canCopy() ? 64 * 64 : 64 * 32;
  const int64_t warps = area >= 8 * most ? 8 : area >= 64 * 64 ? 4 : 2;
  int64_t warpsY = 1, warpsX = 1;
  while (warpsY * warpsX < warps) {
    const bool canY = rows >= 2 * warpsY * kMatrixRows,
               canX = columns >= 2 * warpsX * kMatrixColumns;
    if (!canY && !canX)
      break;
    if (canY && (!canX || rows / warpsY > columns / warpsX))
      warpsY *= 2;
    else
      warpsX *= 2;
  }
  decide("wy",
         listPowers(1, 8, llvm::divideCeil(countAll(Side::Rows), kMatrixRows)),
         warpsY);
  decide("wx",
         listPowers(1, 8,
                    llvm::divideCeil(countAll(Side::Columns), kMatrixColumns)),
         warpsX);
  for (const char *side : {"rows", "columns"}) {
    const bool isRow = side[0] == 'r';
    const std::string share = std::string(side) + "_share",
                      parts = std::string(side) + "_parts",
                      unit = isRow ? "%matrix_rows" : "%matrix_columns";
    const std::string count = isRow ? "%wy" : "%wx";
    compute(share, "ceildiv", {"%" + std::string(side), count});
    compute(parts, "ceildiv", {"%" + share, unit});
    compute(isRow ? "wm" : "wn", "product", {"%" + parts, unit});
    // Warps beyond the tile have nothing to do.
    compute(std::string(side) + "_before", "sub", {count, "%one"});
    compute(std::string(side) + "_reached", "product",
            {"%" + std::string(side) + "_before", isRow ? "%wm" : "%wn"});
    require(std::string(side) + "_for_all", "lt",
            "%" + std::string(side) + "_reached", "%" + std::string(side),
            isRow ? "every warp has a row" : "every warp has a column");
  }
  slices();
  compute("covered_rows", "product", {"%wy", "%wm"});
  compute("covered_columns", "product", {"%wx", "%wn"});
  compute("threads", "product", {"%wy", "%wx", "%slices", "%warp"});
  compute("all_sums", "product", {"%wm", "%wn"});
  compute("sums", "ceildiv", {"%all_sums", "%warp"});
}

void TileWriter::pipeline() {
  const auto rowWidths = listFetches(Side::Rows),
             columnWidths = listFetches(Side::Columns);
  decide("fetch_a", rowWidths, rowWidths.back());
  decide("fetch_b", columnWidths, columnWidths.back());
  decide("stages", {1, 2, 3, 4}, canCopy() ? 3 : 2);
  decide("async", {0, 1}, canCopy());
  line("%several = schedule.cmp lt %one, %stages");
  line("%no_async = schedule.cmp eq %async, %zero");
  line("%async_in_turns = schedule.or %several, %no_async");
  line(
      "schedule.require \"a copy that goes by itself has a buffer of its own\" "
      "%async_in_turns");
  auto pad = [&](llvm::StringRef name, Side side) {
    int64_t pad = std::max<int64_t>(kWidestBytes / bytesOf(side), 1);
    // Words that are read across their lines, four lines at a time, meet in no
    // bank where a line is 8 banks further than the last.
    if (isRounded() && isContiguousAlong(side))
      pad *= 2;
    decide(name, {0, pad}, isMatrix ? pad : 0);
  };
  pad("pad_a", Side::Rows);
  pad("pad_b", Side::Columns);
  if (isMatrix) {
    constant("transpose_a", 0);
    constant("transpose_b", 0);
    constant("unroll", countMatrixSteps(shape.lhsType));
    return;
  }
  // Threads read neighbouring columns; along steps they would meet in banks.
  const bool turns = !isContiguousAlong(Side::Columns);
  decide("transpose_a", {0, 1}, 0);
  decide("transpose_b", {0, 1}, turns);
  llvm::SmallVector<int64_t> unrolls{1};
  for (int64_t unroll : {2, 4, 8, 16, 32})
    if (unroll <= std::max<int64_t>(depth, 16))
      unrolls.push_back(unroll);
  decide("unroll", unrolls, pickAtMost(unrolls, std::min<int64_t>(depth, 16)));
  require("unrolls_a_step", "le", "%unroll", "%depth",
          "no more is unrolled than a step has");
}

void TileWriter::resources() {
  // Shared memory: lines of one operand, each with what pads it.
  constant("widest", kWidestBytes);
  for (Side side : {Side::Rows, Side::Columns}) {
    const bool isRow = side == Side::Rows;
    const std::string id = isRow ? "a" : "b",
                      size = isRow ? "%rows" : "%columns",
                      covered = isRow ? "%covered_rows" : "%covered_columns";
    const std::string own = "%" + id + "_own", other = "%" + id + "_other";
    auto name = [&](const char *what) { return id + "_" + what; };
    compute(name("own_pitch"), "sum", {covered, "%pad_" + id});
    compute(name("other_pitch"), "sum", {"%depth", "%pad_" + id});
    compute(name("own"), "product", {"%depth", own + "_pitch"});
    compute(name("other"), "product", {covered, other + "_pitch"});
    const bool natural = isContiguousAlong(side);
    line("%" + name("elements") + " = schedule.select %transpose_" + id + ", " +
         (natural ? other : own) + ", " + (natural ? own : other));
    constant(name("bytes_each"), bytesOf(side));
    // Buffers begin where the widest access may.
    compute(name("all_bytes"), "product",
            {"%" + name("elements"), "%" + name("bytes_each")});
    compute(name("chunks"), "ceildiv", {"%" + name("all_bytes"), "%widest"});
    compute(name("bytes"), "product", {"%" + name("chunks"), "%widest"});
    // What a thread holds of it: a row's element, or several steps of it.
    constant(name("load"), std::max<int64_t>(kWidestBytes / bytesOf(side), 1));
    compute(name("steps"), "min", {"%" + name("load"), "%depth"});
    line("%" + name("width") + " = schedule.select %transpose_" + id + ", " +
         (natural ? "%" + name("steps") : "%one") + ", " +
         (natural ? "%one" : "%" + name("steps")));
    constant(name("words"), 4);
    if (isMatrix) {
      // The steps of an instruction, shared by the lanes of a warp.
      constant(name("step_bytes"), kMatrixBytes);
      constant(name("lane_bytes"), 4 * target.gpu.warp);
      compute(name("fragment_bytes"), "product",
              {isRow ? "%wm" : "%wn", "%" + name("step_bytes")});
      compute(name("fragment"), "ceildiv",
              {"%" + name("fragment_bytes"), "%" + name("lane_bytes")});
    } else {
      compute(name("fragment_bytes"), "product",
              {isRow ? "%tm" : "%tn", isRow ? "%vy" : "%vx",
               "%" + name("width"), "%" + name("bytes_each")});
      compute(name("fragment"), "ceildiv",
              {"%" + name("fragment_bytes"), "%" + name("words")});
    }
    // Copies go by themselves where elements stay as they lie, and words are
    // moved; all else is on its way through registers.
    line("%" + name("apart") + " = schedule.cmp le %fetch_" + id + ", %one");
    line("%" + name("kept") + " = schedule.cmp eq %transpose_" + id +
         ", %zero");
    line("%" + name("straight") + " = schedule.or %" + name("apart") + ", %" +
         name("kept"));
    compute(name("fetch_bytes"), "product",
            {"%fetch_" + id, "%" + name("bytes_each")});
    line("%" + name("whole") + " = schedule.cmp le %" + name("words") + ", %" +
         name("fetch_bytes"));
    line("%" + name("copied") + " = schedule.and %async, %" + name("straight") +
         ", %" + name("whole"));
    compute(name("tile"), "product", {size, "%depth"});
    compute(name("share"), "ceildiv", {"%" + name("tile"), "%threads"});
    compute(name("share_bytes"), "product",
            {"%" + name("share"), "%" + name("bytes_each")});
    compute(name("share_words"), "ceildiv",
            {"%" + name("share_bytes"), "%" + name("words")});
    line("%" + name("staged") + " = schedule.select %" + name("copied") +
         ", %zero, %" + name("share_words"));
    compute(name("fetches"), "ceildiv", {"%" + name("share"), "%fetch_" + id});
  }
  compute("buffer", "sum", {"%a_bytes", "%b_bytes"});
  // No more buffers than steps.
  llvm::SmallVector<std::string> steps{"%one"};
  for (Axis &axis : axes)
    if (axis.side == Side::Steps)
      steps.push_back(countTiles(axis));
  compute("steps", "product", steps);
  compute("buffers", "min", {"%stages", "%steps"});
  sharedMemory();
  constant("sum_words", llvm::divideCeil(sumBytes(), 4));
  compute("sum_registers", "product", {"%sums", "%sum_words"});
  constant("address_registers", kAddressRegisters);
  // Every other fetch has an address of its own.
  constant("two", 2);
  compute("fetches", "sum", {"%a_fetches", "%b_fetches"});
  compute("fetch_registers", "floordiv", {"%fetches", "%two"});
  compute("registers", "sum",
          {"%sum_registers", fragments(), "%a_staged", "%b_staged",
           "%fetch_registers", "%address_registers"});
  limits("%threads", "%registers", "%shared");
}

std::string TileWriter::fragments() {
  compute("fragments", "sum", {"%a_fragment", "%b_fragment"});
  if (!isMatrix)
    return "%fragments";
  // Those of the next part, too, where they are loaded ahead.
  line("%both_copied = schedule.and %a_copied, %b_copied");
  line("%slots_ahead = schedule.cmp lt %two, %buffers");
  compute("part_steps", "product", {"%unroll", "%slices"});
  line("%parts_ahead = schedule.cmp lt %part_steps, %depth");
  line("%several_ahead = schedule.and %slots_ahead, %parts_ahead");
  line("%ahead = schedule.and %both_copied, %several_ahead");
  line("%sets = schedule.select %ahead, %two, %one");
  compute("fragments_of_all", "product", {"%fragments", "%sets"});
  return "%fragments_of_all";
}

std::string TileWriter::rasterEntry() {
  if (double(task.bytes) <= kKeptShareOfL2 * double(target.l2Bytes))
    return "";
  // A row of the grid: the last loops that are of one side.
  llvm::SmallVector<Axis *> order;
  for (Axis &axis : axes)
    if (axis.side != Side::Steps && axis.extent > 1)
      order.push_back(&axis);
  llvm::sort(order, [&](const Axis *a, const Axis *b) {
    return rootDim(*a) > rootDim(*b);
  });
  // Next to each other there are batches, which share nothing; or there is a
  // single row.
  const Side side = order.front()->side;
  if (side == Side::Batch ||
      llvm::all_of(order, [&](const Axis *axis) { return axis->side == side; }))
    return "";
  llvm::SmallVector<std::string> counts{"%one"};
  for (Axis *axis : order) {
    if (axis->side != side)
      break;
    counts.push_back(countTiles(*axis));
  }
  decide("row_group", {1, 4, 8, 16}, 8);
  compute("grid_columns", "product", counts);
  return ", raster = [%row_group, %grid_columns]";
}

std::string TileWriter::write(llvm::StringRef name) {
  begin(name);
  blockTile();
  stepTile();
  if (isMatrix)
    warpTile();
  else
    threadTile();
  pipeline();
  resources();
  residents();
  const std::string raster = rasterEntry();
  nameBlocks();
  inlineProducers();

  llvm::SmallVector<TileLoop> grid;
  llvm::SmallVector<std::string> dims, counts, sizes;
  for (const Axis &axis : axes)
    if (axis.side != Side::Steps)
      grid.push_back({rootDim(axis), axis.extent,
                      axis.side == Side::Batch ? "%one" : sizeOf(axis)});
  tileGrid(grid, /*stages=*/false);
  // Windows around channels: the latter are contiguous.
  for (bool isOuter : {true, false})
    for (const Axis &axis : axes) {
      if (axis.side != Side::Steps ||
          (axis.position >= ContractionShape::kFirstOuter) != isOuter)
        continue;
      const std::string extent = axis.size + "_extent";
      constant(extent, axis.extent);
      dims.push_back(std::to_string(shape.loops[axis.position]));
      counts.push_back("%" + extent);
      sizes.push_back(sizeOf(axis));
    }
  line("schedule.tile_steps " + function + " \"anchor\" rank " +
       llvm::Twine(shape.loops.size()) + " dims [" + llvm::join(dims, ", ") +
       "] extents(" + llvm::join(counts, ", ") + ") sizes(" +
       llvm::join(sizes, ", ") + ")");
  const std::string common =
      "stages = %stages, async = %async, fetch = [%fetch_a, %fetch_b], "
      "pad = [%pad_a, %pad_b], transpose = [%transpose_a, %transpose_b], "
      "max_registers = %max_registers" +
      raster;
  if (isMatrix)
    annotate("anchor", (isRounded() ? "mma = %two" : "mma = %one") +
                           std::string(", warps = [%wy, %wx], slices = ") +
                           "%slices, " + common);
  else
    annotate("anchor",
             "threads = [%ty, %tx], vthreads = [%vy, %vx], tile = [%tm, %tn], "
             "unroll = %unroll, " +
                 common);
  return end();
}
