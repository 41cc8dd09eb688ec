//===- KernelFeatures.cpp - The features of each kernel of a GPU ----------===//
//
// What the stages of a kernel need (KernelTiles.cpp, KernelStages.cpp) becomes
// the cycles of the multiprocessor that has the most blocks.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/KernelFeatures.h"
#include "KernelCosts.h"
#include "SchedOpt/Support/TensorFloat.h"
#include <cmath>
#include <numeric>

using namespace sched;

/// From the call of the driver until a kernel runs, back to back.
static constexpr double kLaunchSeconds = 2.5e-6;
/// How much of the lesser resources' time is not hidden by the largest.
static constexpr double kExposed = 0.15;

const FeatureInfo &sched::getKernelFeatureInfo(KernelFeature feature) {
  static constexpr FeatureInfo infos[] = {
#define FEATURE(name, unit, definition) {#name, unit, definition},
#include "SchedOpt/Model/KernelFeatures.def"
  };
  return infos[static_cast<unsigned>(feature)];
}

int64_t sched::countResidentBlocks(const Target::GPU &gpu, int64_t threads,
                                   int64_t registers, int64_t sharedBytes) {
  const int64_t warps = llvm::divideCeil(threads, gpu.warp);
  // Each warp's registers are a multiple of 256, each block has 1 KiB of shared
  // memory that is not its own.
  const int64_t ofWarp =
      llvm::alignTo(std::max<int64_t>(registers, 1) * gpu.warp, 256);
  int64_t blocks =
      std::min<int64_t>(gpu.maxBlocks, gpu.maxThreads / (warps * gpu.warp));
  blocks = std::min(blocks, gpu.registers / (ofWarp * warps));
  blocks = std::min(blocks, gpu.sharedBytes / (sharedBytes + 1024));
  if (threads > gpu.maxBlockThreads || registers > gpu.maxThreadRegisters ||
      sharedBytes > gpu.maxBlockSharedBytes)
    return 0;
  return blocks;
}

double sched::countConflicts(int64_t lanes, int64_t stride, int64_t width) {
  // Lanes are served together as long as they fill the banks.
  const int64_t together = std::min<int64_t>(
      lanes, std::max<int64_t>(128 / std::max<int64_t>(width, 4), 1));
  if (together <= 1 || stride <= 0)
    return 1;
  // The places of lanes repeat after so many.
  const int64_t unit = std::max<int64_t>(width, 4), places = 128 / unit;
  if (stride % unit != 0)
    return stride < unit ? 1 : 2;
  const int64_t distinct = places / std::gcd(stride / unit, places);
  return double(llvm::divideCeil(together, distinct));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

int64_t KernelCosts::countBlocks() const {
  int64_t blocks = 1;
  for (unsigned dim = 0, e = nest.extents.size(); dim != e; ++dim)
    if (kernel.tiles[dim] != kNoReg)
      blocks *= llvm::divideCeil(getWhole(dim), getTile(dim));
  return blocks;
}

int64_t KernelCosts::countElements(const AccessPlan &access,
                                   ExtentFn extent) const {
  // Dimensions by their strides: those that run into each other index the same
  // dimension of the tensor, as in a convolution.
  std::array<std::pair<int64_t, uint8_t>, kMaxDims> order;
  unsigned count = 0;
  for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
    if (count != kMaxDims && getWhole(dim) > 1)
      order[count++] = {registers[stride], dim};
  std::sort(order.begin(), order.begin() + count);
  int64_t elements = 1, length = 1, base = 1, reach = 1;
  for (unsigned i = 0; i != count; ++i) {
    auto [stride, dim] = order[i];
    const int64_t size = extent(dim);
    if (i != 0 && stride < reach && stride % base == 0) {
      length += (size - 1) * (stride / base);
      reach += (getWhole(dim) - 1) * stride;
      continue;
    }
    elements *= length;
    length = size;
    base = std::max<int64_t>(stride, 1);
    reach = base * getWhole(dim);
  }
  return elements * length;
}

int64_t KernelCosts::countRun(const AccessPlan &access, ExtentFn extent) const {
  int64_t run = 1;
  for (bool grows = true; grows;) {
    grows = false;
    for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides)) {
      const int64_t size = extent(dim);
      if (registers[stride] != run || getWhole(dim) == 1)
        continue;
      run *= size;
      grows = size == getWhole(dim) && size > 1;
      break;
    }
  }
  return run;
}

int64_t KernelCosts::proveWidth(const AccessPlan &access, int64_t run,
                                int64_t inside, int64_t wanted) const {
  int64_t width = getPowerDividing(run, wanted);
  for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
    if (getWhole(dim) > 1 && registers[stride] > 1 &&
        registers[stride] >= inside)
      width = getPowerDividing(registers[stride], width);
  return width;
}

double KernelCosts::getCoalescing(const AccessPlan &access, int64_t run) const {
  const int64_t bytes = run * access.elementBytes;
  bool aligned = bytes % kSectorBytes == 0;
  for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
    aligned &= registers[stride] < run || getWhole(dim) == 1 ||
               registers[stride] * access.elementBytes % kSectorBytes == 0;
  const double sectors =
      aligned ? bytes / kSectorBytes : double(bytes - 1) / kSectorBytes + 1;
  return bytes / (sectors * kSectorBytes);
}

bool KernelCosts::isExternal(const AccessPlan &access, size_t position) const {
  if (access.isWrite)
    return false;
  for (const StagePlan &before :
       llvm::ArrayRef(kernel.stages).take_front(position))
    if (nest.blocks[before.block].accesses.back().buffer == access.buffer)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void KernelCosts::addWork(const BlockPlan &block, size_t position) {
  double points = 1;
  auto whole = [&](uint8_t dim) { return getWhole(dim); };
  for (uint8_t dim : block.dims)
    points *= whole(dim);
  features[Feature::Flops] += points * block.flopsPerPoint;
  features[Feature::MulAdds] += points * block.ops.mulAdds;
  features[Feature::Calls] += points * block.callsPerPoint;
  for (const AccessPlan &access : block.accesses) {
    if (!isExternal(access, position) &&
        !(access.isWrite && isResult(position)))
      continue;
    // What several stages read comes from memory once.
    if (access.buffer != kNoBuffer) {
      if (llvm::is_contained(buffers, access.buffer))
        continue;
      buffers.push_back(access.buffer);
    }
    uniqueBytes += double(countElements(access, whole)) * access.elementBytes;
  }
}

KernelFeatureVector KernelCosts::run() {
  features[Feature::UsefulShare] = features[Feature::CoalescingRows] =
      features[Feature::CoalescingColumns] =
          features[Feature::CoalescingResult] = 1;
  features[Feature::ConflictsRows] = features[Feature::ConflictsColumns] = 1;
  features[Feature::Stages] = kernel.stages.size();
  planReuse();
  for (auto [position, stage] : llvm::enumerate(kernel.stages)) {
    addWork(nest.blocks[stage.block], position);
    if (stage.isTiled)
      addTiled(stage, position);
    else
      addStage(stage, position);
  }
  finish();
  return features;
}

void KernelCosts::finish() {
  const AccessPlan &result =
      nest.blocks[kernel.stages.back().block].accesses.back();
  const double multiprocessors = gpu.multiprocessors;
  const double blocks = countBlocks();
  int64_t perThread = std::min<int64_t>(threadRegisters + keptRegisters,
                                        4 * gpu.maxThreadRegisters);
  // Sketches ask for no less than the assembler can do with.
  if (registerLimit > 0)
    perThread = std::min(perThread, registerLimit);
  // What does not fit spills; a block that does not fit at all is illegal.
  const int64_t resident = std::max<int64_t>(
      countResidentBlocks(gpu, threads,
                          std::min<int64_t>(perThread, gpu.maxThreadRegisters),
                          sharedBytes),
      1);
  const double busiest = std::ceil(blocks / multiprocessors);
  const double together = std::min<double>(resident, busiest);
  const double warps = llvm::divideCeil(threads, gpu.warp);

  // Few warps do not keep the units busy: each scheduler has its own, and a
  // multiply-add takes 4 cycles until the next may use its result.
  const double atOnce = together * warps;
  const double fed =
      std::min({1.0, atOnce / kSchedulers,
                atOnce * std::max(1.0, independent) / (4 * kSchedulers)});
  const double spills =
      1 + std::max<double>(perThread - gpu.maxThreadRegisters, 0) / 64;
  const double arithmeticAll = busiest * arithmetic / fed * spills;
  const double issueAll =
      busiest * issue / std::min(1.0, atOnce / kSchedulers) * spills;
  const double sharedAll = busiest * shared * spills;
  const double sectorAll = busiest * sectorBytes / kSectorBytesPerCycle;
  const double latencyAll = std::ceil(busiest / together) * latency;

  // Where the operands do not fit into the second level, the blocks of a wave
  // share what they read of them.
  double memory = uniqueBytes;
  const double wave = multiprocessors * resident;
  if (uniqueBytes > kKeptShareOfL2 * target.l2Bytes && rowBytes > 0) {
    const double columns = std::min(gridColumns, std::ceil(wave / rowGroup));
    const double rows =
        std::min(gridRows, std::max(rowGroup, std::ceil(wave / gridColumns)));
    const double ofWave =
        rows * tileRows * rowBytes + columns * tileColumns * columnBytes;
    memory = std::max(memory, std::ceil(blocks / wave) * ofWave);
  }
  const double hz = std::max(0.1, target.clockGHz) * 1e9;
  const double bytesPerCycle = std::max(1.0, target.memoryGBs) * 1e9 / hz;
  const double memoryAll = memory / bytesPerCycle;

  const double parts[] = {arithmeticAll, issueAll,  sharedAll,
                          sectorAll,     memoryAll, latencyAll};
  const double largest = *std::max_element(std::begin(parts), std::end(parts));
  const double sum = std::accumulate(std::begin(parts), std::end(parts), 0.0);
  const double launch = kLaunchSeconds * hz;
  const int roundedLanes = countTensorFloatLanes(target);
  const double lanes = features[Feature::IsRounded] > 0  ? roundedLanes
                       : features[Feature::IsMatrix] > 0 ? gpu.matrixLanes
                                                         : gpu.floatLanes;

  features[Feature::ElementBytes] = result.elementBytes;
  features[Feature::Blocks] = blocks;
  features[Feature::Threads] = threads;
  features[Feature::Registers] = perThread;
  features[Feature::SharedBytes] = sharedBytes;
  features[Feature::ResidentBlocks] = resident;
  features[Feature::Occupancy] =
      std::min(1.0, atOnce * gpu.warp / gpu.maxThreads);
  features[Feature::Waves] = blocks / wave;
  features[Feature::IdleShare] = 1 - blocks / (multiprocessors * busiest);
  features[Feature::UsefulShare] =
      computedPoints > 0 ? std::min(1.0, usefulPoints / computedPoints) : 1;
  features[Feature::ArithmeticCycles] = arithmeticAll;
  features[Feature::IssueCycles] = issueAll;
  features[Feature::SharedCycles] = sharedAll;
  features[Feature::SectorCycles] = sectorAll;
  features[Feature::LatencyCycles] = latencyAll;
  features[Feature::Barriers] = barriers;
  features[Feature::UniqueBytes] = uniqueBytes;
  features[Feature::SectorBytes] = sectorBytes * blocks;
  features[Feature::MemoryBytes] = memory;
  features[Feature::LaunchCycles] = launch;
  features[Feature::Cycles] = largest + kExposed * (sum - largest) + launch;
  features[Feature::CyclesShare] = 1;
  features[Feature::IdealCycles] =
      std::max<double>(features[Feature::MulAdds] / (multiprocessors * lanes),
                       uniqueBytes / bytesPerCycle);
  features[Feature::Multiprocessors] = multiprocessors;
  features[Feature::FloatLanes] = gpu.floatLanes;
  features[Feature::MatrixLanes] = gpu.matrixLanes;
  features[Feature::RoundedLanes] = roundedLanes;
  features[Feature::SharedSize] = gpu.sharedBytes;
  features[Feature::RegisterCount] = gpu.registers;
  features[Feature::L2Size] = target.l2Bytes;
  features[Feature::ClockGHz] = target.clockGHz;
  features[Feature::MemoryGBs] = target.memoryGBs;
}

KernelFeatureVector
sched::extractKernelFeatures(const LoopNestPlan &nest, const KernelPlan &kernel,
                             const Target &target,
                             llvm::ArrayRef<int64_t> registers) {
  return KernelCosts(nest, kernel, target, registers).run();
}

/// Whether the candidate computes the kernel's one block where it is read.
static bool isComputedInPlace(const KernelPlan &kernel,
                              llvm::ArrayRef<int64_t> registers) {
  const StagePlan &stage = kernel.stages.front();
  if (kernel.stages.size() != 1 || stage.keep == kNoReg)
    return false;
  const int64_t word = registers[stage.keep];
  return word >= 0 && word < int64_t(stage.places.size()) &&
         stage.places[word] == "recompute";
}

void sched::extractKernelRows(const LoopNestPlan &nest, const Target &target,
                              llvm::ArrayRef<int64_t> registers,
                              std::vector<BlockFeatureVector> &rows) {
  const size_t begin = rows.size();
  constexpr auto cycles = static_cast<unsigned>(KernelFeature::Cycles),
                 share = static_cast<unsigned>(KernelFeature::CyclesShare);
  float sum = 0;
  for (const KernelPlan &kernel : nest.kernels) {
    if (isComputedInPlace(kernel, registers))
      continue;
    const KernelFeatureVector features =
        extractKernelFeatures(nest, kernel, target, registers);
    BlockFeatureVector &row = rows.emplace_back();
    llvm::copy(features.values, row.values.begin());
    sum += row.values[cycles];
  }
  for (size_t i = begin, e = rows.size(); i != e; ++i)
    rows[i].values[share] = rows[i].values[cycles] / std::max(sum, 1.0f);
}

void sched::summarizeKernels(const LoopNestPlan &nest, const Target &target,
                             double flops, llvm::ArrayRef<int64_t> registers,
                             FeatureVector &features) {
  float most = 0;
  features[Feature::Flops] = flops;
  features[Feature::L2Size] = target.l2Bytes;
  features[Feature::Cores] = target.gpu.multiprocessors;
  for (const KernelPlan &kernel : nest.kernels) {
    if (isComputedInPlace(kernel, registers))
      continue;
    ++features[Feature::ParallelRegions];
    const KernelFeatureVector own =
        extractKernelFeatures(nest, kernel, target, registers);
    features[Feature::ComputeCycles] += own[KernelFeature::Cycles];
    features[Feature::IdealCycles] += own[KernelFeature::IdealCycles];
    features[Feature::L2Bytes] += own[KernelFeature::SectorBytes];
    features[Feature::L3Bytes] += own[KernelFeature::MemoryBytes];
    if (own[KernelFeature::Cycles] <= most)
      continue;
    most = own[KernelFeature::Cycles];
    features[Feature::Threads] = own[KernelFeature::Threads];
    features[Feature::BlockM] = own[KernelFeature::TileRows];
    features[Feature::BlockN] = own[KernelFeature::TileColumns];
    features[Feature::TileK] = own[KernelFeature::StepDepth];
    features[Feature::ReductionBlocks] = own[KernelFeature::Steps];
    features[Feature::RegisterPressure] =
        own[KernelFeature::Registers] / target.gpu.maxThreadRegisters;
  }
}
