//===- FeatureExtractorTest.cpp - Features of hand-checked nests ----------===//
//
// The nest is a matmul of 12 x 32 x 16 in tiles of 6 x 16 x 4, unless a test
// says otherwise. Its numbers are worked out in the comments; the target is
// that of NestBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"
#include <cmath>

using namespace sched;
using namespace sched::test;

namespace {

/// Cycles of one register tile over the whole reduction: 16 steps of 6 cycles
/// (12 FMAs on 2 ports), 4 iterations of 0.75 cycles of control, and 12
/// accumulators that are cleared and stored.
constexpr double kTileCycles = 16 * 6 + 4 * 0.75 + (12 * 0.75 + 4 + 2);

/// Loops over m, n and k, in this order.
Matmul tile(Matmul matmul, int64_t mr = 6, int64_t nr = 16, int64_t ku = 4) {
  matmul.loop(matmul.m, mr);
  matmul.loop(matmul.n, nr);
  matmul.loop(matmul.k, ku);
  return matmul;
}

/// Adds a block after the anchor that reads `reads` tensors of its shape.
uint16_t addElementwise(Matmul &matmul, unsigned reads, int64_t columns) {
  NestBuilder &b = matmul.builder;
  BlockPlan plan;
  plan.name = "epilogue";
  plan.kind = BlockKind::Elementwise;
  plan.dims = {matmul.m, matmul.n};
  for (unsigned i = 0; i != reads + 1; ++i)
    plan.accesses.push_back(
        b.access({matmul.m, matmul.n}, {columns, 1}, i == reads));
  return b.addBlock(std::move(plan));
}

} // namespace

TEST(FeatureExtractor, MainTile) {
  const FeatureVector f = tile(Matmul(12, 32, 16)).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::Flops], 2 * 12 * 32 * 16);
  EXPECT_FLOAT_EQ(f[Feature::TileM], 6);
  EXPECT_FLOAT_EQ(f[Feature::TileN], 2);
  EXPECT_FLOAT_EQ(f[Feature::TileK], 4);
  EXPECT_FLOAT_EQ(f[Feature::Accumulators], 12);
  EXPECT_FLOAT_EQ(f[Feature::RegisterPressure], 15.0 / 16);
  EXPECT_FLOAT_EQ(f[Feature::LoopDepth], 3);
  EXPECT_FLOAT_EQ(f[Feature::VectorWaste], 1);
}

TEST(FeatureExtractor, Cycles) {
  const FeatureVector f = tile(Matmul(12, 32, 16)).getFeatures();
  // Two by two register tiles.
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles], 4 * kTileCycles);
  EXPECT_FLOAT_EQ(f[Feature::SerialCycles], 4 * kTileCycles);
  EXPECT_FLOAT_EQ(f[Feature::TailCycles], 0);
  // 12288 operations at 8 lanes x 2 ports x 2 a cycle.
  EXPECT_FLOAT_EQ(f[Feature::IdealCycles], 384);
  EXPECT_FLOAT_EQ(f[Feature::Threads], 1);
  EXPECT_FLOAT_EQ(f[Feature::ParallelRegions], 0);
}

TEST(FeatureExtractor, TailsOfRows) {
  const FeatureVector f = tile(Matmul(13, 32, 16)).getFeatures();
  // The last row is two tiles of 1 x 16: 4 cycles of latency a step, and two
  // accumulators.
  const double tail = 16 * 4 + 4 * (1.5 * (1 - 2 / 24.0)) + (2 * 0.75 + 4 + 2);
  EXPECT_FLOAT_EQ(f[Feature::TailCycles], 2 * tail);
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles], 4 * kTileCycles + 2 * tail);
  // The main tile is what it was.
  EXPECT_FLOAT_EQ(f[Feature::TileM], 6);
}

TEST(FeatureExtractor, CopiesOfTheCode) {
  EXPECT_EQ(tile(Matmul(12, 32, 16)).evaluate().copies, 1);
  // Rows that are left over, and columns and steps beside them.
  EXPECT_EQ(tile(Matmul(13, 32, 16)).evaluate().copies, 2);
  EXPECT_EQ(tile(Matmul(13, 33, 17)).evaluate().copies, 8);
  // Blocks of 10 and 6 rows in tiles of 2.
  auto inBlocks = [](int64_t rows) {
    Matmul matmul(16, 32, 16);
    matmul.loop(matmul.m, rows);
    return tile(std::move(matmul), /*mr=*/2).evaluate().copies;
  };
  EXPECT_EQ(inBlocks(10), 2);
  EXPECT_EQ(inBlocks(8), 1);
  // An epilogue of the whole result stands once: three places of two blocks.
  Matmul matmul = tile(Matmul(13, 32, 16));
  addElementwise(matmul, 1, 32);
  EXPECT_EQ(std::move(matmul).evaluate().copies, 1.5);
}

TEST(FeatureExtractor, VectorWaste) {
  // 20 columns at once: two vectors of 8 and one of 4, counted as a whole one.
  const FeatureVector f = tile(Matmul(12, 20, 16), 2, 20).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::TileN], 3);
  EXPECT_FLOAT_EQ(f[Feature::VectorWaste], 24.0 / 20);
}

TEST(FeatureExtractor, ThreadsShareTheRows) {
  Matmul matmul(12, 32, 16);
  matmul.builder.forall({matmul.anchor}, matmul.m, 2);
  const FeatureVector f = tile(std::move(matmul)).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::Threads], 2);
  EXPECT_FLOAT_EQ(f[Feature::ParallelRegions], 1);
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles], 2 * kTileCycles);
  EXPECT_FLOAT_EQ(f[Feature::SerialCycles], 0);
  EXPECT_FLOAT_EQ(f[Feature::IdealCycles], 192);
}

TEST(FeatureExtractor, RegionsInsideOfALoop) {
  // A team that is forked in every trip of a loop around it.
  Matmul matmul(12, 32, 16);
  matmul.loop(matmul.n, 8);
  matmul.builder.forall({matmul.anchor}, matmul.m, 2);
  const FeatureVector f = tile(std::move(matmul)).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::ParallelRegions], 4);
}

TEST(FeatureExtractor, ReductionInBlocks) {
  Matmul matmul(12, 32, 16);
  matmul.loop(matmul.k, 8);
  const FeatureVector f = tile(std::move(matmul)).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::ReductionBlocks], 2);
  // Each of the 2 x 2 tiles is loaded and stored once a block.
  EXPECT_FLOAT_EQ(f[Feature::AccumulatorSpills], 2 * 2 * 4);
  const FeatureVector whole = tile(Matmul(12, 32, 16)).getFeatures();
  EXPECT_FLOAT_EQ(whole[Feature::ReductionBlocks], 1);
  EXPECT_FLOAT_EQ(whole[Feature::AccumulatorSpills], 0);
}

TEST(FeatureExtractor, EverythingFitsInL1) {
  const FeatureVector f = tile(Matmul(12, 32, 16)).getFeatures();
  const double a = 12 * 16 * 4, b = 16 * 32 * 4, c = 12 * 32 * 4;
  EXPECT_FLOAT_EQ(f[Feature::L1Fill], (a + b + c) / (32 << 10));
  EXPECT_FLOAT_EQ(f[Feature::L2Fill], (a + b + c) / (512 << 10));
  // Each operand comes once, and the result also goes back.
  for (Feature feature : {Feature::L1Bytes, Feature::L2Bytes, Feature::L3Bytes})
    EXPECT_FLOAT_EQ(f[feature], a + b + 2 * c);
  EXPECT_FLOAT_EQ(f[Feature::BlockM], 12);
  EXPECT_FLOAT_EQ(f[Feature::BlockN], 32);
}

TEST(FeatureExtractor, TrafficWhereL1IsSmall) {
  Target target = makeTarget();
  target.l1Bytes = 2048;
  const FeatureVector f = tile(Matmul(12, 32, 16)).getFeatures(target);
  // What the k loop sweeps over fits: 6 x 16 of A, 16 x 16 of B, 6 x 16 of C.
  const double a = 6 * 16 * 4, b = 16 * 16 * 4, c = 6 * 16 * 4;
  EXPECT_FLOAT_EQ(f[Feature::L1Fill], (a + b + c) / 2048);
  // A stays while n runs; B and C change with every tile.
  EXPECT_FLOAT_EQ(f[Feature::L1Bytes], 2 * a + 4 * b + 4 * 2 * c);
  // The other caches hold everything as before.
  EXPECT_FLOAT_EQ(f[Feature::L2Bytes], 2 * a + 2 * b + 4 * 2 * c);
}

/// Of a convolution of `pixels` pixels of 16 channels by 3 taps into 32
/// channels, pixels and taps `pixel` and `tap` elements apart, in tiles of
/// `rows` by `columns`.
static FeatureVector
getWindowFeatures(int64_t pixel, int64_t tap, int64_t pixels = 12,
                  bool tapsFirst = false, int64_t rows = 6,
                  int64_t columns = 16,
                  llvm::ArrayRef<BorderPlan::Range> inside = {}) {
  NestBuilder b;
  const uint8_t v = b.addDim("v", b.constant(pixels)),
                f = b.addDim("f", b.constant(32)),
                q = b.addDim("q", b.constant(3)),
                c = b.addDim("c", b.constant(16));
  BlockPlan plan;
  plan.name = "anchor";
  plan.kind = BlockKind::Contraction;
  plan.dims = {v, f, q, c};
  AccessPlan image = tapsFirst ? b.access({q, v, c}, {tap, pixel, 1})
                               : b.access({v, q, c}, {pixel, tap, 1});
  image.overlaps = 1;
  plan.accesses = {image, b.access({q, c, f}, {16 * 32, 32, 1}),
                   b.access({v, f}, {32, 1}, true)};
  if (!inside.empty())
    plan.borders.push_back(
        {v, q, llvm::SmallVector<BorderPlan::Range, 3>(inside)});
  const uint16_t anchor = b.addBlock(std::move(plan));
  b.loop({anchor}, v, rows);
  b.loop({anchor}, f, columns);
  b.loop({anchor}, q, 1);
  b.loop({anchor}, c, 4);
  const Program program = std::move(b).finish(makeTarget(), 0);
  Evaluation evaluation;
  program.evaluate({}, evaluation);
  return evaluation.features;
}

TEST(FeatureExtractor, RowsOfWhichTilesReadParts) {
  // Tiles read 16 of the 32 columns of B, and six rows of A as a whole.
  Target target = makeTarget();
  const FeatureVector f = tile(Matmul(12, 32, 16)).getFeatures(target);
  EXPECT_FLOAT_EQ(f[Feature::L1Rows], 2 * 16);
  EXPECT_FLOAT_EQ(f[Feature::L2Rows], 2 * 16);
  // B comes again for the other six rows.
  target.l1Bytes = 2048;
  const FeatureVector again = tile(Matmul(12, 32, 16)).getFeatures(target);
  EXPECT_FLOAT_EQ(again[Feature::L1Rows], 2 * 2 * 16);
  EXPECT_FLOAT_EQ(again[Feature::L2Rows], 2 * 16);
  // Of half the columns, tiles read all.
  const FeatureVector narrow = tile(Matmul(12, 16, 16)).getFeatures();
  EXPECT_FLOAT_EQ(narrow[Feature::L1Rows], 0);
  // Rows of windows are those of the tiles beside, and count no more than those
  // of the weights: 3 x 16 rows, half of each at a time.
  EXPECT_FLOAT_EQ(getWindowFeatures(16, 16)[Feature::L1Rows], 2 * 3 * 16);
}

TEST(FeatureExtractor, TrafficOfTails) {
  Target target = makeTarget();
  target.l1Bytes = 2048;
  const FeatureVector whole = tile(Matmul(12, 32, 16)).getFeatures(target),
                      f = tile(Matmul(12 + 5, 32, 16)).getFeatures(target);
  // Five rows are left over, for which 16 x 16 of B come twice again.
  const double a = 5 * 16 * 4, b = 16 * 16 * 4, c = 5 * 16 * 4;
  EXPECT_FLOAT_EQ(f[Feature::L1Bytes] - whole[Feature::L1Bytes],
                  a + 2 * b + 2 * 2 * c);
  // Where everything fits, it comes once.
  const FeatureVector large = tile(Matmul(12 + 5, 32, 16)).getFeatures();
  EXPECT_FLOAT_EQ(large[Feature::L1Bytes],
                  4 * (17 * 16 + 16 * 32 + 2 * 17 * 32));
}

TEST(FeatureExtractor, TrafficOfLastSteps) {
  // A sweep over the steps does not fit. Three are left over for each of the
  // four tiles, with no loop of their own; A stays while n runs.
  Target target = makeTarget();
  target.l1Bytes = 1024;
  const FeatureVector whole = tile(Matmul(12, 32, 16)).getFeatures(target),
                      f = tile(Matmul(12, 32, 16 + 3)).getFeatures(target);
  const double a = 6 * 3 * 4, b = 3 * 16 * 4, c = 6 * 16 * 4;
  EXPECT_FLOAT_EQ(f[Feature::L1Bytes] - whole[Feature::L1Bytes],
                  2 * a + 4 * b + 4 * 2 * c);
}

TEST(FeatureExtractor, RowsThatEvictEachOther) {
  // Rows of A lie a power of two apart, so that they share a few sets: with 8
  // ways of 4 KiB, rows of 4 KiB share one line's set.
  const FeatureVector apart = tile(Matmul(12, 32, 1024), 12).getFeatures();
  EXPECT_FLOAT_EQ(apart[Feature::ConflictRows], 12.0 / 8);
  // A cache that is half as large again has more ways, not longer ones.
  Target target = makeTarget();
  target.l1Bytes = 48 << 10;
  const FeatureVector larger =
      tile(Matmul(12, 32, 1024), 12).getFeatures(target);
  EXPECT_FLOAT_EQ(larger[Feature::ConflictRows], 12.0 / 12);
  const FeatureVector odd = tile(Matmul(12, 32, 1040), 12).getFeatures();
  EXPECT_LT(odd[Feature::ConflictRows], 1);
  // Rows of B are read a vector at a time, and those of C wait in registers.
  const FeatureVector wide = tile(Matmul(12, 1024, 64)).getFeatures();
  EXPECT_LT(wide[Feature::ConflictRows], 0.5);
}

TEST(FeatureExtractor, PanelsAreOneRun) {
  // A panel of 1024 x 16 in rows of its own width has no stride, and cannot
  // evict itself by one.
  NestBuilder b;
  const uint8_t m = b.addDim("m", b.constant(12)),
                panel = b.addDim("panel", b.constant(2)),
                k = b.addDim("k", b.constant(1024)),
                lane = b.addDim("lane", b.constant(16));
  BlockPlan plan;
  plan.name = "anchor";
  plan.kind = BlockKind::Contraction;
  plan.dims = {m, panel, k, lane};
  plan.accesses = {b.access({m, k}, {1024, 1}),
                   b.access({panel, k, lane}, {1024 * 16, 16, 1}),
                   b.access({m, panel, lane}, {32, 16, 1}, true)};
  const uint16_t anchor = b.addBlock(std::move(plan));
  b.loop({anchor}, panel, 1);
  b.loop({anchor}, m, 6);
  b.loop({anchor}, k, 4);
  const Program program = std::move(b).finish(makeTarget(), 0);
  Evaluation evaluation;
  program.evaluate({}, evaluation);
  // What is left are the six rows of A, as long as a way.
  EXPECT_FLOAT_EQ(evaluation.features[Feature::ConflictRows], 6.0 / 8);
}

TEST(FeatureExtractor, WindowsShareElements) {
  auto countPixels = [](int64_t pixel, int64_t tap, int64_t pixels = 12) {
    const double others = 3 * 16 * 32 + 2 * pixels * 32;
    const FeatureVector f = getWindowFeatures(pixel, tap, pixels),
                        other = getWindowFeatures(pixel, tap, pixels, true);
    EXPECT_FLOAT_EQ(f[Feature::L1Bytes], other[Feature::L1Bytes]);
    return (f[Feature::L1Bytes] / 4 - others) / 16;
  };
  EXPECT_FLOAT_EQ(countPixels(16, 16), 12 + 2);
  // A stride of two, and of three, where windows touch; then gaps.
  EXPECT_FLOAT_EQ(countPixels(2 * 16, 16), 2 * 11 + 3);
  EXPECT_FLOAT_EQ(countPixels(3 * 16, 16), 12 * 3);
  EXPECT_FLOAT_EQ(countPixels(4 * 16, 16), 12 * 3);
  // Taps that are two pixels apart.
  EXPECT_FLOAT_EQ(countPixels(16, 2 * 16), 12 + 2 * 2);
  // Of one pixel none are between the taps; nor do all strides meet.
  EXPECT_FLOAT_EQ(countPixels(16, 2 * 16, 1), 3);
  EXPECT_FLOAT_EQ(countPixels(16, 16, 1), 3);
  EXPECT_FLOAT_EQ(countPixels(3 * 16, 2 * 16), 12 * 3);
}

TEST(FeatureExtractor, PaddingIsNotMultiplied) {
  using Inside = llvm::ArrayRef<BorderPlan::Range>;
  auto getCycles = [](Inside inside, int64_t rows, int64_t pixel,
                      int64_t pixels) {
    return getWindowFeatures(pixel, 16, pixels, false, rows, 8,
                             inside)[Feature::ComputeCycles];
  };
  auto countSaved = [&](Inside inside, int64_t rows = 12, int64_t pixel = 16,
                        int64_t pixels = 12) {
    return getCycles({}, rows, pixel, pixels) -
           getCycles(inside, rows, pixel, pixels);
  };
  // Of 3 taps at 12 pixels, the first one is at a zero and the last one. A step
  // has 12 FMAs, two a cycle, in four tiles of 3 x 16 steps.
  // The loop over four at a time hides less of its control behind fewer FMAs.
  constexpr double kSteps = 4 * 3 * 16, kControl = kSteps / 4 * 1.5 / 24;
  EXPECT_FLOAT_EQ(countSaved({{1, 12}, {0, 12}, {0, 11}}),
                  (kSteps / 2 - kControl) * 2 / 3);
  EXPECT_FLOAT_EQ(countSaved({{2, 12}, {1, 12}, {0, 10}}),
                  (kSteps / 2 - kControl) * 5 / 3);
  // Where loads take longer (TapsShareLoads), one of 13 is left out.
  EXPECT_NEAR(countSaved({{1, 12}, {0, 12}, {0, 11}}, 12, 32),
              (kSteps / 1.8 - kControl) * 2 / 3, 1e-3);
  // A step takes the four cycles of an FMA at least, as eight of them do.
  EXPECT_FLOAT_EQ(countSaved({{6, 12}, {0, 12}, {0, 6}}),
                  (kSteps * (6 - 4) - 6 * kControl) * 2 / 3);
  // Each half of a line of 24 is at one border.
  EXPECT_FLOAT_EQ(countSaved({{1, 24}, {0, 24}, {0, 23}}, 12, 16, 24),
                  (kSteps / 2 - kControl) * 2 / 3);
  // One row of 91 is not worth while.
  EXPECT_FLOAT_EQ(countSaved({{1, 96}, {0, 96}, {0, 96}}, 96, 16, 96), 0);
  // A line of more than seven tiles stays whole.
  EXPECT_FLOAT_EQ(countSaved({{1, 96}, {0, 96}, {0, 0}}, 12, 16, 96), 0);
}

TEST(FeatureExtractor, ThreadsSplitRowsOfResults) {
  // A depthwise convolution of 12 x 12 pixels by a tap, where two threads have
  // half of the lines of the image, or half of the channels.
  auto getCycles = [](int64_t channels, bool splitsRows, int64_t pixels = 6,
                      bool isInLoop = false) {
    NestBuilder b;
    const uint8_t y = b.addDim("y", b.constant(12)),
                  x = b.addDim("x", b.constant(12)),
                  c = b.addDim("c", b.constant(channels)),
                  q = b.addDim("q", b.constant(1));
    BlockPlan plan;
    plan.name = "anchor";
    plan.kind = BlockKind::Contraction;
    plan.dims = {y, x, c, q};
    plan.accesses = {b.access({y, x, c}, {12 * channels, channels, 1}),
                     b.access({q, c}, {channels, 1}),
                     b.access({y, x, c}, {12 * channels, channels, 1}, true)};
    const uint16_t anchor = b.addBlock(std::move(plan));
    if (isInLoop)
      b.loop({anchor}, x, 4);
    b.forall({anchor}, splitsRows ? c : y, 2);
    b.loop({anchor}, y, 1);
    b.loop({anchor}, x, pixels);
    b.loop({anchor}, c, 8);
    const Program program = std::move(b).finish(makeTarget(), 0);
    Evaluation evaluation;
    program.evaluate({}, evaluation);
    return evaluation.features[Feature::ComputeCycles];
  };
  // Each pixel's row ends in the page in which the other thread's begins; not
  // so where each thread has a page of it.
  EXPECT_FLOAT_EQ(getCycles(64, true) - getCycles(64, false), 12 * 12 * 50);
  EXPECT_FLOAT_EQ(getCycles(2048, true), getCycles(2048, false));
  // So it is by single pixels, and where threads meet in each turn of a loop.
  EXPECT_FLOAT_EQ(getCycles(64, true, 1) - getCycles(64, false, 1),
                  12 * 12 * 50);
  EXPECT_FLOAT_EQ(getCycles(64, true, 4, true) - getCycles(64, false, 4, true),
                  12 * 12 * 50);
}

TEST(FeatureExtractor, TransposesFindPagesAgain) {
  // 1024 x 1024 elements by squares of 8 in blocks of which a row of them fits
  // in L2, along what is read or along what is written.
  constexpr int64_t kSize = 1024;
  constexpr double kBytes = 4.0 * kSize * kSize;
  auto countWaste = [&](int64_t read, int64_t written, bool readsInOrder) {
    NestBuilder b;
    const uint8_t c = b.addDim("c", b.constant(kSize)),
                  r = b.addDim("r", b.constant(kSize));
    BlockPlan plan;
    plan.name = "root";
    plan.kind = BlockKind::Elementwise;
    plan.dims = {c, r};
    plan.accesses = {b.access({c, r}, {1, kSize}),
                     b.access({c, r}, {kSize, 1}, true)};
    const uint16_t root = b.addBlock(std::move(plan));
    b.setStaged(2 * kBytes);
    for (uint8_t dim : {readsInOrder ? r : c, readsInOrder ? c : r})
      b.loop({root}, dim, dim == r ? written : read);
    b.loop({root}, c, 8);
    b.loop({root}, r, 8);
    const Program program = std::move(b).finish(makeTarget(), 0);
    Evaluation evaluation;
    program.evaluate({}, evaluation);
    return evaluation.features[Feature::L1Bytes] / kBytes - 2;
  };
  // Of what is used of a page that is written it costs a share of 32 bytes, of
  // one that is read 256; whole rows of the other side are one page each.
  EXPECT_NEAR(countWaste(128, 16, true), 32.0 / 64 + 256.0 / 4096, 1e-5);
  EXPECT_NEAR(countWaste(128, 32, true), 32.0 / 128 + 256.0 / 4096, 1e-5);
  EXPECT_NEAR(countWaste(32, 128, false), 256.0 / 128 + 32.0 / 4096, 1e-5);
  // Half of a line is left over as well.
  EXPECT_NEAR(countWaste(8, 128, false), (32.0 + 256) / 32 + 32.0 / 4096, 1e-5);
}

TEST(FeatureExtractor, TapsShareLoads) {
  auto getCycles = [](int64_t pixel, int64_t tap, int64_t rows,
                      int64_t columns = 8) {
    return getWindowFeatures(pixel, tap, 12, false, rows,
                             columns)[Feature::ComputeCycles];
  };
  // Of 12 rows of one vector, a step has 12 FMAs on two ports. By itself, a tap
  // takes 12 elements and a vector from memory, 1.8 a cycle; three of them
  // share 14 elements, which is less than the FMAs take.
  constexpr double kSteps = 4 * 3 * 16;
  EXPECT_FLOAT_EQ(getCycles(2 * 16, 16, 12) - getCycles(16, 16, 12),
                  kSteps * (13 / 1.8 - 6));
  EXPECT_FLOAT_EQ(getCycles(16, 2 * 16, 12), getCycles(16, 16, 12));
  // Two vectors a row are not limited by loads, whatever the stride.
  EXPECT_FLOAT_EQ(getCycles(2 * 16, 16, 6, 16), getCycles(16, 16, 6, 16));
}

TEST(FeatureExtractor, WindowsTakeFewSets) {
  // Pixels are a way of 4 KiB apart: the six of a tile, a tap at a time.
  const FeatureVector f = getWindowFeatures(1024, 1024);
  EXPECT_FLOAT_EQ(f[Feature::ConflictRows], 6.0 / 8);
}

TEST(FeatureExtractor, PagesOfASweep) {
  // The 64 rows of B are a page apart; A and C have rows shorter than that.
  const FeatureVector f = tile(Matmul(12, 1024, 64)).getFeatures();
  const double a = 6 * 64 * 4 / 4096.0;
  // C's six rows lie a page apart too.
  EXPECT_FLOAT_EQ(f[Feature::PagesPerTile], a + 64 + 6);
}

TEST(FeatureExtractor, EpilogueInRegisters) {
  Matmul matmul(12, 32, 16);
  const uint16_t epilogue = addElementwise(matmul, 2, 32);
  matmul.builder.loop({matmul.anchor, epilogue}, matmul.m, 6);
  matmul.builder.loop({matmul.anchor, epilogue}, matmul.n, 16);
  matmul.loop(matmul.k, 4);
  const FeatureVector f = std::move(matmul).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::EpilogueBytes], 0);
  // 4 tiles of 12 vectors, with 2 loads of 0.75 cycles each.
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles], 4 * kTileCycles + 4 * 12 * 1.5);
}

TEST(FeatureExtractor, EpilogueOverTheWholeResult) {
  Matmul matmul(12, 32, 16);
  addElementwise(matmul, 2, 32);
  const FeatureVector f = tile(std::move(matmul)).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::EpilogueBytes], 12 * 32 * 4 * 3);
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles],
                  4 * kTileCycles + 12 * 32 / 8 * 3 * 0.75);
}

TEST(FeatureExtractor, Packing) {
  for (bool isFree : {false, true}) {
    Matmul matmul(12, 32, 16);
    NestBuilder &b = matmul.builder;
    BlockPlan plan;
    plan.name = "pack";
    plan.kind = BlockKind::Pack;
    plan.dims = {matmul.n, matmul.k};
    plan.isFree = isFree;
    plan.accesses = {b.access({matmul.k, matmul.n}, {32, 1}),
                     b.access({matmul.k, matmul.n}, {32, 1}, true)};
    const uint16_t pack = b.addBlock(std::move(plan));
    b.forall({pack}, matmul.n, 2);
    const FeatureVector f = tile(std::move(matmul)).getFeatures();
    // Read and written once, by two threads that take half of it each.
    const double bytes = isFree ? 0 : 2 * 16 * 32 * 4;
    EXPECT_FLOAT_EQ(f[Feature::PackBytes], bytes);
    EXPECT_FLOAT_EQ(f[Feature::PackCycles], bytes / 2 / 8);
  }
}

TEST(FeatureExtractor, PlaceOfPacking) {
  // 2 MiB of panels at once, which L2 does not hold, or 128 KiB sixteen times.
  for (bool isInside : {false, true}) {
    Matmul matmul(12, 1024, 512);
    NestBuilder &b = matmul.builder;
    BlockPlan plan;
    plan.name = "pack";
    plan.kind = BlockKind::Pack;
    plan.dims = {matmul.n, matmul.k};
    plan.accesses = {b.access({matmul.k, matmul.n}, {1024, 1}),
                     b.access({matmul.k, matmul.n}, {1024, 1}, true)};
    const uint16_t pack = b.addBlock(std::move(plan));
    if (isInside)
      b.loop({pack}, matmul.n, 64);
    b.loop({pack}, matmul.n, 16);
    b.loop({pack}, matmul.k, 8);
    const FeatureVector f = tile(std::move(matmul)).getFeatures();
    const double bytes = 2 * 512 * 1024 * 4;
    EXPECT_FLOAT_EQ(f[Feature::PackBytes], bytes);
    EXPECT_FLOAT_EQ(f[Feature::PackCycles], bytes / (isInside ? 8 : 4));
  }
}

TEST(FeatureExtractor, PlaceOfProducers) {
  // 2 MiB of A at once, or 128 KiB of it sixteen times, which stay in L2.
  auto getFeatures = [](bool isInside, bool feeds) {
    Matmul matmul(512, 512, 1024);
    NestBuilder &b = matmul.builder;
    BlockPlan plan;
    plan.name = "producer";
    plan.dims = {matmul.m, matmul.k};
    plan.accesses = {b.access({matmul.m, matmul.k}, {1024, 1}),
                     b.access({matmul.m, matmul.k}, {1024, 1}, true)};
    if (feeds)
      plan.feeds = 0;
    const uint16_t producer = b.addBlock(std::move(plan));
    if (isInside)
      b.loop({producer, matmul.anchor}, matmul.k, 64);
    b.beginAction();
    b.loop({producer}, matmul.m, 1);
    b.loop({producer}, matmul.k, 32);
    b.beginAction();
    return tile(std::move(matmul)).getFeatures();
  };
  const double bytes = 512 * 1024 * 4;
  const FeatureVector inside = getFeatures(true, true),
                      other = getFeatures(true, false);
  EXPECT_FLOAT_EQ(inside[Feature::L2Bytes], other[Feature::L2Bytes] - bytes);
  EXPECT_FLOAT_EQ(inside[Feature::PackCycles], 0);
  const FeatureVector before = getFeatures(false, true),
                      noProducer = getFeatures(false, false);
  EXPECT_FLOAT_EQ(before[Feature::L2Bytes], noProducer[Feature::L2Bytes]);
  EXPECT_FLOAT_EQ(before[Feature::PackCycles], bytes / 10);
}

TEST(FeatureExtractor, CopyOfABlock) {
  Matmul matmul(12, 32, 16);
  const uint16_t loop = matmul.builder.loop({matmul.anchor}, matmul.m, 6);
  BlockPlan plan;
  plan.name = "copy";
  plan.kind = BlockKind::CacheCopy;
  plan.dims = {matmul.m, matmul.k};
  plan.accesses = {matmul.builder.access({matmul.m, matmul.k}, {16, 1}),
                   matmul.builder.access({matmul.m, matmul.k}, {16, 1}, true)};
  matmul.builder.insertInto(loop,
                            matmul.builder.addDetachedBlock(std::move(plan)),
                            matmul.builder.constant(1));
  matmul.loop(matmul.n, 16);
  matmul.loop(matmul.k, 4);
  const FeatureVector f = std::move(matmul).getFeatures();
  // 6 x 16 elements, read and written, in each of two blocks.
  const double bytes = 2 * (2 * 6 * 16 * 4);
  EXPECT_FLOAT_EQ(f[Feature::CacheReadBytes], bytes);
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles], 4 * kTileCycles + bytes / 16);
}

TEST(FeatureExtractor, DoublePrecision) {
  const FeatureVector f = tile(Matmul(12, 32, 16, 8), 6, 8).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::TileN], 2);
  // Half the lanes.
  EXPECT_FLOAT_EQ(f[Feature::IdealCycles], 768);
  EXPECT_FLOAT_EQ(f[Feature::ComputeCycles], 8 * kTileCycles);
}

TEST(FeatureExtractor, TheTargetItself) {
  const FeatureVector f = tile(Matmul(12, 32, 16)).getFeatures();
  EXPECT_FLOAT_EQ(f[Feature::VectorBytes], 32);
  EXPECT_FLOAT_EQ(f[Feature::VectorRegisters], 16);
  EXPECT_FLOAT_EQ(f[Feature::L1Size], 32 << 10);
  EXPECT_FLOAT_EQ(f[Feature::L2Size], 512 << 10);
  EXPECT_FLOAT_EQ(f[Feature::L3Size], 16 << 20);
  EXPECT_FLOAT_EQ(f[Feature::Cores], 4);
}

TEST(FeatureExtractor, FiniteForEveryTile) {
  for (int64_t extent : {1, 2, 7, 31, 130})
    for (int64_t size : {1, 3, 8, 64})
      for (int64_t steps : {1, 5, 64}) {
        Matmul matmul(extent, 33, extent);
        matmul.builder.forall({matmul.anchor}, matmul.n, 3);
        const FeatureVector f =
            tile(std::move(matmul), size, size, steps).getFeatures();
        for (unsigned i = 0; i != kNumFeatures; ++i)
          EXPECT_TRUE(std::isfinite(f.values[i]) && f.values[i] >= 0)
              << getFeatureInfo(static_cast<Feature>(i)).name.str() << " is "
              << f.values[i];
      }
}
