//===- KernelTiles.cpp - What a tiled contraction costs -------------------===//
//
// A block of threads computes rows x columns of the result; in each step it
// takes `depth` of the reduction from memory to shared memory, and each thread
// (or warp, with matrix instructions) multiplies its own rows and columns from
// there. What this says of registers and shared memory is what sketches require
// (Space/KernelWriter.cpp).
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"
#include "SchedOpt/Support/TensorFloat.h"
#include <cmath>

using namespace sched;

/// Instructions of a fetch, of which 64 bits of an address are two.
static constexpr double kFetchInstructions = 3, kAddressInstructions = 2;
/// What a copy that goes by way of the first level costs besides (products of
/// 4096^3 on an H100, docs/Rationale.md).
static constexpr double kNarrowInstructions = 8;
/// Instructions of a step, for its barrier, its buffers and the loop itself;
/// the latter, without and with those for buffers, are once a turn of the loop.
static constexpr double kStepInstructions = 20, kLoopInstructions = 4,
                        kTurnInstructions = 12;

namespace {
/// What becomes of one operand: that of the rows, or of the columns.
struct Operand {
  const AccessPlan *access = nullptr;
  /// Elements of the tile along its own dimensions, those that threads cover,
  /// and of these the ones of a thread, or of a warp, that are neighbours.
  int64_t size = 1, covered = 1, own = 1;
  /// Neighbours in shared memory are neighbours in the tile, or in steps.
  bool isAlongTile = false;
  int64_t pitch = 0, lines = 0;
  /// Elements that a thread loads from shared memory, and fetches from memory,
  /// at once.
  int64_t loadWidth = 1, fetchWidth = 1;
  double conflicts = 1, coalescing = 1;
};
} // namespace

/// The entry of `mma` that says tf32.
static constexpr int64_t kRounded = 2;

/// Bytes of a thread's sums of a matrix instruction.
static constexpr int64_t kSquareBytes = 16;

/// How often lanes that read words, each of 8 neighbours in each of 4 lines,
/// go to the banks of shared memory.
static double countLineConflicts(int64_t pitch) {
  std::array<int, 32> words{};
  for (int64_t line = 0; line != 4; ++line)
    for (int64_t i = 0; i != 8; ++i)
      ++words[(line * pitch + i) % 32];
  return *llvm::max_element(words);
}

double KernelCosts::countAddresses(const AccessPlan &access, ExtentFn across,
                                   int64_t groups, int64_t threads,
                                   double rounds) const {
  int64_t rows = 1;
  double pitch = 0;
  for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
    if (const int64_t size = across(dim); size > 1) {
      pitch = rows == 1 ? double(registers[stride]) * access.elementBytes
                        : kCopyReach;
      rows *= size;
    }
  const bool isClose = 2 * pitch <= kCopyReach && groups > 0 &&
                       groups * kWidestBytes % kBankBytes == 0 &&
                       groups <= threads && rows % (threads / groups) == 0 &&
                       rounds <= kCopiesWrittenOut;
  return isClose ? std::min(rounds, std::ceil(rounds * pitch / kCopyReach) + 1)
                 : rounds;
}

void KernelCosts::addTiled(const StagePlan &stage, size_t position) {
  const BlockPlan &block = nest.blocks[stage.block];
  const AccessPlan &result = block.accesses.back();
  auto uses = [](const AccessPlan &access, uint8_t dim) {
    return llvm::is_contained(access.dims, dim);
  };
  // Columns are what the result is contiguous along.
  unsigned columnsAt = 1;
  for (uint8_t dim : llvm::reverse(result.dims))
    if (getWhole(dim) > 1) {
      columnsAt = uses(block.accesses[1], dim) || !uses(block.accesses[0], dim);
      break;
    }
  Operand operands[2];
  Operand &rows = operands[0], &columns = operands[1];
  rows.access = &block.accesses[1 - columnsAt];
  columns.access = &block.accesses[columnsAt];

  // Batches are computed one after another.
  int64_t batches = 1, depth = 1, steps = 1;
  double useful = 1, reduction = 1;
  for (uint8_t dim : block.dims) {
    const int64_t tile = getTile(dim);
    useful *=
        double(getWhole(dim)) / (tile * llvm::divideCeil(getWhole(dim), tile));
    if (!uses(result, dim)) {
      depth *= getStep(dim);
      steps *= llvm::divideCeil(tile, getStep(dim));
      reduction *= tile;
    } else if (uses(*rows.access, dim) && uses(*columns.access, dim)) {
      batches *= tile;
    } else {
      const bool isRow = uses(*rows.access, dim);
      (isRow ? rows : columns).size *= tile;
      (isRow ? gridRows : gridColumns) *= llvm::divideCeil(getWhole(dim), tile);
    }
  }
  auto extent = [&](uint8_t dim) {
    return uses(result, dim) ? getTile(dim) : getStep(dim);
  };

  const int64_t slices = getCount(stage.slices, 1);
  const bool isMatrix = get(stage.mma, 0) != 0,
             isRounded = get(stage.mma, 0) == kRounded;
  // No more buffers than steps.
  const int64_t pipeline = std::min(getCount(stage.stages, 2), steps);
  const bool isAsync = pipeline > 1 && get(stage.async, 1) != 0;
  int64_t unrolled = std::min(getCount(stage.unroll, 8), depth);
  int64_t stageThreads = 0, sums = 0;
  double computed = 0, lanesX = 1, lanesY = 1;
  if (isMatrix) {
    const int64_t warpsY = getCount(stage.warps[0], 2),
                  warpsX = getCount(stage.warps[1], 2);
    stageThreads = gpu.warp * warpsY * warpsX * slices;
    rows.own = llvm::alignTo(llvm::divideCeil(rows.size, warpsY), kMatrixRows);
    columns.own =
        llvm::alignTo(llvm::divideCeil(columns.size, warpsX), kMatrixColumns);
    rows.covered = rows.own * warpsY;
    columns.covered = columns.own * warpsX;
    sums = rows.own * columns.own / gpu.warp;
    computed = double(rows.covered) * columns.covered;
    unrolled = depth;
  } else {
    auto at = [&](unsigned i) {
      return i < stage.threads.size() ? getCount(stage.threads[i], 16)
                                      : int64_t(16);
    };
    const int64_t threadsY = at(0), threadsX = at(1);
    const int64_t apartY = getCount(stage.vthreads[0], 1),
                  apartX = getCount(stage.vthreads[1], 1);
    stageThreads = threadsY * threadsX;
    rows.own =
        getCount(stage.tile[0], llvm::divideCeil(rows.size, threadsY * apartY));
    columns.own = getCount(stage.tile[1],
                           llvm::divideCeil(columns.size, threadsX * apartX));
    rows.covered = rows.own * apartY * threadsY;
    columns.covered = columns.own * apartX * threadsX;
    sums = rows.own * apartY * columns.own * apartX;
    computed = double(sums) * stageThreads;
    lanesX = std::min<double>(threadsX, gpu.warp);
    lanesY = std::max(1.0, gpu.warp / lanesX);
  }
  const double warps = llvm::divideCeil(stageThreads, gpu.warp);

  int64_t fragments = 0, fetched = 0, copied = 0, stageShared = 0;
  double issued = 0, requests = 0, loads = 0, sharedCycles = 0, sectors = 0;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    const AccessPlan &access = *operand.access;
    const int64_t bytes = access.elementBytes;
    // Of several, as of pixels and taps, those of the result.
    bool isContiguousAlongTile = false, isContiguousAlongSteps = false;
    for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
      if (registers[stride] == 1 && getWhole(dim) > 1)
        (uses(result, dim) ? isContiguousAlongTile : isContiguousAlongSteps) =
            true;
    isContiguousAlongTile |= !isContiguousAlongSteps;
    const bool isTransposed = get(stage.transpose[i], 0) != 0;
    operand.isAlongTile = isContiguousAlongTile != isTransposed;
    operand.lines = operand.isAlongTile ? depth : operand.covered;
    operand.pitch = (operand.isAlongTile ? operand.covered : depth) +
                    std::max<int64_t>(get(stage.pad[i], 0), 0);
    stageShared +=
        llvm::alignTo(operand.lines * operand.pitch * bytes, kWidestBytes);

    const int64_t run = countRun(access, extent);
    operand.coalescing = getCoalescing(access, run);
    // Loops of one axis that go through memory without gaps are fetched as one,
    // as those of a filter's window.
    const int64_t row = countRun(access, [&](uint8_t dim) -> int64_t {
      return uses(result, dim) == isContiguousAlongTile ? extent(dim) : 1;
    });
    auto acrossExtent = [&](uint8_t dim) -> int64_t {
      return uses(result, dim) == isContiguousAlongTile ? 1 : extent(dim);
    };
    operand.fetchWidth = proveWidth(
        access, row, /*inside=*/row,
        getPowerDividing(getCount(stage.fetch[i], 4), kWidestBytes / bytes));
    const double elements = double(operand.size) * depth;
    const double own =
        std::ceil(elements / (stageThreads * double(operand.fetchWidth)));
    requests += own;
    // A request of a warp for each line of 128 bytes that it touches.
    const double ofWarp = double(gpu.warp) * operand.fetchWidth,
                 passes = std::max(1.0, ofWarp * bytes / kSharedBytesPerCycle);
    sharedCycles +=
        warps * own * std::max(passes, ofWarp / std::max<int64_t>(run, 1));
    // Stores of what is transposed: neighbours are a vector of lines apart.
    const int64_t fetchBytes = operand.fetchWidth * bytes;
    const double stores = isTransposed ? own * operand.fetchWidth : own;
    double storing = passes;
    if (isTransposed)
      storing = countConflicts(
          std::min<int64_t>(gpu.warp,
                            (isContiguousAlongTile ? operand.size : depth) /
                                operand.fetchWidth),
          fetchBytes * operand.pitch, bytes);
    // Copies by themselves move elements as they lie, words at least; less than
    // the widest go by way of the first level.
    if (isAsync && (!isTransposed || operand.fetchWidth == 1) &&
        fetchBytes >= 4) {
      const int64_t groups =
          (isContiguousAlongTile ? operand.size : depth) / operand.fetchWidth;
      ++copied;
      issued += own;
      issued +=
          kAddressInstructions *
          (fetchBytes == kWidestBytes
               ? countAddresses(access, acrossExtent, groups, stageThreads, own)
               : own);
      if (fetchBytes < kWidestBytes) {
        sharedCycles += warps * own * storing;
        issued += kNarrowInstructions * own;
      }
    } else {
      issued += kFetchInstructions * own;
      fetched +=
          llvm::divideCeil(static_cast<int64_t>(elements), stageThreads) *
          bytes;
      issued += stores;
      sharedCycles += warps * stores * storing;
    }
    sectors += elements * bytes / operand.coalescing;

    const int64_t widest = std::max<int64_t>(kWidestBytes / bytes, 1);
    if (isMatrix) {
      // Rows of 16 bytes, 8 of them at once (ldmatrix); words cannot be
      // transposed on the way, and are loaded one by one.
      const bool isByWords = isRounded && operand.isAlongTile;
      operand.conflicts = isByWords
                              ? countLineConflicts(operand.pitch)
                              : countConflicts(8, operand.pitch * bytes, 16);
      const double read = double(operand.own) * depth / slices * bytes;
      sharedCycles += warps * read / kSharedBytesPerCycle * operand.conflicts;
      loads += read / (gpu.warp * (isByWords ? bytes : kWidestBytes));
      // Each word is rounded, by two instructions (ptxas 13.0, sm_80 to sm_90).
      if (isRounded)
        loads += 2 * read / (gpu.warp * bytes);
      fragments +=
          llvm::divideCeil(operand.own * kMatrixBytes, int64_t(4) * gpu.warp);
      continue;
    }
    operand.loadWidth =
        getPowerDividing(operand.isAlongTile ? operand.own : depth, widest);
    operand.loadWidth = getPowerDividing(operand.pitch, operand.loadWidth);
    // A vector of steps is multiplied as a whole.
    if (!operand.isAlongTile)
      unrolled = std::max(unrolled, operand.loadWidth);
    const int64_t apart = getCount(stage.vthreads[i], 1);
    const double own2 = double(operand.own) * apart * depth / operand.loadWidth;
    // A register of each lane comes back a cycle; two where all lanes ask for
    // the same in pairs, as those along the other axis do. So many lanes are
    // served at a time, and meet in banks.
    const double loadBytes = operand.loadWidth * bytes,
                 lanes = i == 1 ? lanesX : lanesY;
    const bool isSame = i == 1 ? lanesX == 1 : int64_t(lanesX) % 2 == 0;
    const double served = (isSame ? 2 : 1) * kSharedBytesPerCycle /
                          std::max(loadBytes, 4.0) / (i == 1 ? 1.0 : lanesX);
    operand.conflicts = countConflicts(
        std::clamp<int64_t>(served, 1, lanes),
        (operand.isAlongTile ? 1 : operand.pitch) * operand.own * bytes,
        operand.loadWidth * bytes);
    sharedCycles += warps * own2 *
                    std::max({1.0, loadBytes / (isSame ? 8 : 4),
                              lanes * loadBytes / kSharedBytesPerCycle}) *
                    operand.conflicts;
    loads += own2;
    fragments += llvm::divideCeil(
        operand.own * apart * (operand.isAlongTile ? 1 : operand.loadWidth) *
            bytes,
        4);
  }

  const double sumBytes = result.elementBytes,
               operandBytes = rows.access->elementBytes;
  // Those of the next part, too (Codegen/ContractionEmitter.cpp).
  if (isMatrix && copied == 2 && pipeline > 2 &&
      depth * operandBytes > kMatrixBytes * slices)
    fragments *= 2;
  double multiplies = computed * depth;
  double lanes = isRounded  ? countTensorFloatLanes(target)
                 : isMatrix ? gpu.matrixLanes
                            : gpu.floatLanes;
  // f64 has half the rate of f32 at best.
  if (!isMatrix && sumBytes > 4)
    lanes /= 2;
  const double instructions =
      multiplies / (isMatrix ? double(kMatrixRows) * kMatrixColumns *
                                   kMatrixBytes / operandBytes
                             : double(gpu.warp));
  // Steps that are written out, with slots that are constants if it is one of
  // each (Codegen/ContractionEmitter.cpp).
  double stepInstructions = kStepInstructions;
  const double ofStep = instructions / warps;
  for (const int64_t turn : {pipeline, int64_t(2)})
    if (isMatrix && pipeline > 1 && ofStep * turn <= kMatricesOfTurn &&
        steps % turn == 0 && steps >= 2 * turn) {
      const double saved =
          turn == pipeline ? kTurnInstructions : kLoopInstructions;
      stepInstructions -= saved * (1 - 1.0 / turn);
      break;
    }
  const double stepArithmetic = multiplies / lanes;
  const double stepIssue =
      (instructions +
       warps * (loads + issued + 4.0 * depth / unrolled + stepInstructions)) /
      kSchedulers;
  const double stepBarriers = pipeline > 1 ? 1 : 2;
  const double alone = std::max({stepArithmetic, stepIssue, sharedCycles}) /
                       std::min(1.0, warps / kSchedulers);
  // Until a step's tiles are there; so many steps are on their way at once.
  const double fetching =
      std::max(kMemoryLatency, kSectorLatency + sectors / kSectorBytesPerCycle);
  const double stepLatency =
      (pipeline > 1 ? std::max(alone, fetching / (pipeline - 1))
                    : alone + fetching) +
      stepBarriers * kBarrierCycles;
  const double allSteps = double(steps) * batches;

  threads = std::max(threads, stageThreads);
  threadRegisters = std::max<int64_t>(
      threadRegisters,
      sums * llvm::divideCeil(int64_t(result.elementBytes), 4) + fragments +
          fetched / 4 + static_cast<int64_t>(requests / 2) + kAddressRegisters);
  keptRegisters = 0;
  // Slices write all squares to shared memory, and read them once.
  int64_t meeting = 0;
  if (slices > 1) {
    const int64_t down = rows.own / kMatrixRows,
                  right = columns.own / kMatrixColumns,
                  squares = std::min(llvm::alignTo(down, slices) * right,
                                     llvm::alignTo(right, slices) * down);
    meeting = stageThreads * squares * kSquareBytes;
    const double moved = 2 * double(meeting) * batches;
    shared += moved / kSharedBytesPerCycle;
    issue += (moved / kWidestBytes + moved / 8) / gpu.warp / kSchedulers;
    latency += batches * (moved / kSharedBytesPerCycle + kSharedLatency +
                          2 * kBarrierCycles);
    barriers += 2 * batches;
  }
  sharedBytes += std::max(pipeline * stageShared, meeting);
  arithmetic += allSteps * stepArithmetic;
  issue += allSteps * stepIssue;
  shared += allSteps * sharedCycles;
  sectorBytes += allSteps * sectors;
  latency += kMemoryLatency + allSteps * stepLatency;
  barriers += allSteps * stepBarriers;
  independent = std::max<double>(independent, isMatrix ? 4 : sums);
  computedPoints += computed;
  usefulPoints += useful * rows.size * columns.size;
  rowBytes = reduction * rows.access->elementBytes;
  columnBytes = reduction * columns.access->elementBytes;
  tileRows = rows.size;
  tileColumns = columns.size;
  registerLimit = get(stage.maxRegisters, 0);
  rowGroup = std::min<double>(getCount(stage.raster[0], 1), gridRows);

  const int64_t resultRun = countRun(result, extent);
  features[Feature::CoalescingResult] = getCoalescing(result, resultRun);
  if (isResult(position))
    sectorBytes += double(rows.size) * columns.size * batches * sumBytes /
                   features[Feature::CoalescingResult];
  features[Feature::IsTiled] = 1;
  features[Feature::IsMatrix] = isMatrix;
  features[Feature::IsRounded] = isRounded;
  features[Feature::TileRows] = rows.size;
  features[Feature::TileColumns] = columns.size;
  features[Feature::StepDepth] = depth;
  features[Feature::Steps] = allSteps;
  features[Feature::RowGroup] = rowGroup;
  features[Feature::ThreadRows] =
      rows.own * (isMatrix ? 1 : getCount(stage.vthreads[0], 1));
  features[Feature::ThreadColumns] =
      columns.own * (isMatrix ? 1 : getCount(stage.vthreads[1], 1));
  features[Feature::Slices] = slices;
  features[Feature::PipelineStages] = pipeline;
  features[Feature::Unroll] = unrolled;
  features[Feature::Vector] = columns.fetchWidth;
  features[Feature::ConflictsRows] = rows.conflicts;
  features[Feature::ConflictsColumns] = columns.conflicts;
  features[Feature::CoalescingRows] = rows.coalescing;
  features[Feature::CoalescingColumns] = columns.coalescing;
  features[Feature::FetchWidthRows] =
      rows.fetchWidth * rows.access->elementBytes;
  features[Feature::FetchWidthColumns] =
      columns.fetchWidth * columns.access->elementBytes;
}
