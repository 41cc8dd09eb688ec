//===- BlockFeaturesTest.cpp - Rows of hand-checked nests -----------------===//
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

using F = BlockFeature;

Matmul tile(Matmul matmul, int64_t mr = 6, int64_t nr = 16, int64_t ku = 4) {
  matmul.loop(matmul.m, mr);
  matmul.loop(matmul.n, nr);
  matmul.loop(matmul.k, ku);
  return matmul;
}

struct Rows {
  FeatureVector program;
  std::vector<BlockFeatureVector> blocks;
};

Rows getRows(NestBuilder builder, double flops = 0) {
  const Program program = std::move(builder).finish(makeTarget(), flops);
  Rows rows;
  Evaluation evaluation;
  program.evaluate(program.getDefault(), evaluation);
  EXPECT_TRUE(evaluation.legal());
  rows.program = evaluation.features;
  program.describeBlocks(program.getDefault(), rows.blocks);
  return rows;
}

/// The only row.
BlockFeatureVector getRow(Matmul matmul) {
  const Rows rows = getRows(std::move(matmul.builder));
  EXPECT_EQ(rows.blocks.size(), 1u);
  return rows.blocks.front();
}

TEST(BlockFeatures, Arithmetic) {
  Matmul matmul(12, 32, 16);
  BlockPlan &anchor = matmul.builder.getBlock(matmul.anchor);
  anchor.flopsPerPoint = 11;
  anchor.callsPerPoint = 3;
  anchor.ops.mulAdds = 1;
  anchor.ops.addSubs = 2;
  anchor.ops.muls = 4;
  anchor.ops.divs = 5;
  anchor.ops.compares = 6;
  anchor.ops.casts = 7;
  const BlockFeatureVector f = getRow(tile(std::move(matmul)));
  const double points = 12 * 32 * 16;
  EXPECT_FLOAT_EQ(f[F::Points], points);
  EXPECT_FLOAT_EQ(f[F::Flops], 11 * points);
  EXPECT_FLOAT_EQ(f[F::MulAdds], points);
  EXPECT_FLOAT_EQ(f[F::AddSubs], 2 * points);
  EXPECT_FLOAT_EQ(f[F::Multiplies], 4 * points);
  EXPECT_FLOAT_EQ(f[F::Divisions], 5 * points);
  EXPECT_FLOAT_EQ(f[F::Comparisons], 6 * points);
  EXPECT_FLOAT_EQ(f[F::Casts], 7 * points);
  EXPECT_FLOAT_EQ(f[F::Calls], 3 * points);
  EXPECT_FLOAT_EQ(f[F::IsContraction], 1);
  EXPECT_FLOAT_EQ(
      f[F::IsReduction] + f[F::IsElementwise] + f[F::IsFill] + f[F::IsCopy], 0);
}

TEST(BlockFeatures, Tile) {
  const BlockFeatureVector f = getRow(tile(Matmul(12, 32, 16)));
  EXPECT_FLOAT_EQ(f[F::VectorElements], 16);
  EXPECT_FLOAT_EQ(f[F::Vectors], 2);
  EXPECT_FLOAT_EQ(f[F::TileRows], 6);
  EXPECT_FLOAT_EQ(f[F::TileSteps], 4);
  EXPECT_FLOAT_EQ(f[F::UnrolledVectors], 2 * 6 * 4);
  EXPECT_FLOAT_EQ(f[F::Accumulators], 12);
  EXPECT_FLOAT_EQ(f[F::RegisterPressure], 15.0 / 16);
  EXPECT_FLOAT_EQ(f[F::VectorWaste], 1);
  // A is the same for all lanes, B and C are contiguous.
  EXPECT_FLOAT_EQ(f[F::ContiguousShare], 1);
}

TEST(BlockFeatures, Loops) {
  const BlockFeatureVector f = getRow(tile(Matmul(12, 32, 16)));
  EXPECT_FLOAT_EQ(f[F::OuterTrips], 2 * 2 * 4);
  EXPECT_FLOAT_EQ(f[F::Depth], 3);
  EXPECT_FLOAT_EQ(f[F::InnerTrips], 4);
  EXPECT_FLOAT_EQ(f[F::ReductionTrips], 4);
  EXPECT_FLOAT_EQ(f[F::ReductionBlocks], 1);
  EXPECT_FLOAT_EQ(f[F::Places], 1);
  EXPECT_FLOAT_EQ(f[F::TailPoints], 0);
  EXPECT_FLOAT_EQ(f[F::Threads], 1);
  EXPECT_FLOAT_EQ(f[F::ForkJoins], 0);
}

TEST(BlockFeatures, SplitReduction) {
  Matmul matmul(12, 32, 16);
  matmul.loop(matmul.k, 8);
  const BlockFeatureVector f = getRow(tile(std::move(matmul)));
  EXPECT_FLOAT_EQ(f[F::ReductionTrips], 2);
  EXPECT_FLOAT_EQ(f[F::ReductionBlocks], 2);
}

TEST(BlockFeatures, Buffers) {
  const BlockFeatureVector f = getRow(tile(Matmul(12, 32, 16)));
  // C stays in registers while k goes by; its rows of 16 elements are a line.
  EXPECT_FLOAT_EQ(f[F::Buffer0UniqueBytes], 12 * 32 * 4);
  EXPECT_FLOAT_EQ(f[F::Buffer0UniqueLines], 12 * 32 * 4 / 64);
  EXPECT_FLOAT_EQ(f[F::Buffer0Bytes], 12 * 32 * 4);
  EXPECT_FLOAT_EQ(f[F::Buffer0Lines], 4 * 6);
  EXPECT_FLOAT_EQ(f[F::Buffer0Stride], 4);
  EXPECT_FLOAT_EQ(f[F::Buffer0ReuseCount], 4);
  EXPECT_FLOAT_EQ(f[F::Buffer0ReusePoints], 6 * 16 * 4);
  // A line for each of 6 rows of A, 4 of B and 6 of C.
  EXPECT_FLOAT_EQ(f[F::Buffer0ReuseBytes], (6 + 4 + 6) * 64);
  // B, the larger operand, comes again with the next rows.
  EXPECT_FLOAT_EQ(f[F::Buffer1UniqueBytes], 16 * 32 * 4);
  EXPECT_FLOAT_EQ(f[F::Buffer1Bytes], 2 * 16 * 32 * 4);
  EXPECT_FLOAT_EQ(f[F::Buffer1ReuseCount], 2);
  EXPECT_FLOAT_EQ(f[F::Buffer1ReusePoints], 6 * 32 * 16);
  EXPECT_FLOAT_EQ(f[F::Buffer1ReuseBytes], (6 * 16 + 16 * 32 + 6 * 32) * 4);
  // A with the next columns; its element is the same for all lanes.
  EXPECT_FLOAT_EQ(f[F::Buffer2UniqueBytes], 12 * 16 * 4);
  EXPECT_FLOAT_EQ(f[F::Buffer2Bytes], 2 * 12 * 16 * 4);
  EXPECT_FLOAT_EQ(f[F::Buffer2ReusePoints], 6 * 16 * 16);
  EXPECT_FLOAT_EQ(f[F::Buffer2Stride], 0);
}

TEST(BlockFeatures, MissingOperandsAreZero) {
  NestBuilder b;
  const uint8_t n = b.addDim("n", b.constant(64));
  BlockPlan plan;
  plan.kind = BlockKind::Fill;
  plan.dims = {n};
  plan.accesses = {b.access({n}, {1}, true)};
  b.addBlock(std::move(plan));
  const Rows rows = getRows(std::move(b));
  ASSERT_EQ(rows.blocks.size(), 1u);
  EXPECT_FLOAT_EQ(rows.blocks[0][F::Buffer0Bytes], 64 * 4);
  for (unsigned i = static_cast<unsigned>(F::Buffer1Bytes),
                e = static_cast<unsigned>(F::VectorBytes);
       i != e; ++i)
    EXPECT_FLOAT_EQ(rows.blocks[0].values[i], 0)
        << getBlockFeatureInfo(static_cast<F>(i)).name.str();
}

TEST(BlockFeatures, Intensity) {
  const BlockFeatureVector f = getRow(tile(Matmul(12, 32, 16)));
  EXPECT_FLOAT_EQ(f[F::Intensity0], 2 * 6 * 16 * 4 / (16 * 64.0));
  const double lines = (12 * 16 + 16 * 32 + 12 * 32) * 4;
  EXPECT_FLOAT_EQ(f[F::Intensity5], 2 * 12 * 32 * 16 / lines);
  // From tile to all the points double four times, twice of them in k: a fifth
  // is 0.4 of the way to the end of k, where A and C have 6 lines and B 16.
  const double ofTile = f[F::Intensity0],
               ofSteps = 2 * 6 * 16 * 16 / ((6 + 16 + 6) * 64.0);
  EXPECT_FLOAT_EQ(f[F::Intensity1], ofTile + 0.4 * (ofSteps - ofTile));
  EXPECT_GT(f[F::Intensity2], f[F::Intensity1]);
}

TEST(BlockFeatures, TrafficOfWhatFits) {
  const BlockFeatureVector f = getRow(tile(Matmul(12, 32, 16)));
  // Once each, C twice.
  const double bytes = (12 * 16 + 16 * 32 + 2 * 12 * 32) * 4;
  EXPECT_FLOAT_EQ(f[F::L1Bytes], bytes);
  EXPECT_FLOAT_EQ(f[F::L2Bytes], bytes);
  EXPECT_FLOAT_EQ(f[F::L3Bytes], bytes);
  EXPECT_FLOAT_EQ(f[F::L1Fill],
                  (12 * 16 + 16 * 32 + 12 * 32) * 4 / double(32 << 10));
}

TEST(BlockFeatures, TrafficOfWhatDoesNot) {
  // B has 256 KiB: for L1 it comes again with each of the two blocks of rows,
  // once for L2. A row of tiles of A, and C, are touched once.
  const BlockFeatureVector f = getRow(tile(Matmul(12, 256, 256)));
  const double a = 12 * 256 * 4, b = 256 * 256 * 4, c = 2 * 12 * 256 * 4;
  EXPECT_FLOAT_EQ(f[F::L1Bytes], a + 2 * b + c);
  EXPECT_FLOAT_EQ(f[F::L2Bytes], a + b + c);
}

TEST(BlockFeatures, TailsOfRowsCountOnce) {
  const Rows rows = getRows(tile(Matmul(13, 32, 16)).builder);
  ASSERT_EQ(rows.blocks.size(), 1u);
  const BlockFeatureVector &f = rows.blocks.front();
  EXPECT_FLOAT_EQ(f[F::Points], 13 * 32 * 16);
  EXPECT_FLOAT_EQ(f[F::TailPoints], 32 * 16);
  EXPECT_FLOAT_EQ(f[F::Places], 2);
  EXPECT_FLOAT_EQ(f[F::Cycles], rows.program[Feature::ComputeCycles]);
  EXPECT_FLOAT_EQ(f[F::TailCycles], rows.program[Feature::TailCycles]);
  EXPECT_GT(f[F::TailCycles], 0);
  // C is written once, by main tiles and tails together.
  EXPECT_FLOAT_EQ(f[F::Buffer0Bytes], 13 * 32 * 4);
  // The tile is the main one.
  EXPECT_FLOAT_EQ(f[F::TileRows], 6);
}

TEST(BlockFeatures, CyclesAreThoseOfTheProgram) {
  Matmul matmul(12, 32, 16);
  NestBuilder &b = matmul.builder;
  BlockPlan plan;
  plan.kind = BlockKind::Elementwise;
  plan.dims = {matmul.m, matmul.n};
  plan.flopsPerPoint = 1;
  plan.accesses = {b.access({matmul.m, matmul.n}, {32, 1}),
                   b.access({matmul.m, matmul.n}, {32, 1}, true)};
  b.addBlock(std::move(plan));
  const Rows rows = getRows(std::move(tile(std::move(matmul)).builder));
  ASSERT_EQ(rows.blocks.size(), 2u);
  const BlockFeatureVector &anchor = rows.blocks[0], &epilogue = rows.blocks[1];
  EXPECT_GT(epilogue[F::Cycles], 0);
  EXPECT_FLOAT_EQ(anchor[F::Cycles] + epilogue[F::Cycles],
                  rows.program[Feature::ComputeCycles]);
  EXPECT_FLOAT_EQ(anchor[F::CyclesShare] + epilogue[F::CyclesShare], 1);
  EXPECT_FLOAT_EQ(anchor[F::Position], 0);
  EXPECT_FLOAT_EQ(epilogue[F::Position], 0.5);
}

TEST(BlockFeatures, ReuseOfWhatABlockWrote) {
  // The epilogue reads the tile of C that the anchor left, or all of C.
  for (bool isFused : {true, false}) {
    Matmul matmul(12, 32, 16);
    NestBuilder &b = matmul.builder;
    const uint16_t c = b.addBuffer();
    b.getBlock(matmul.anchor).accesses.back().buffer = c;
    BlockPlan plan;
    plan.kind = BlockKind::Elementwise;
    plan.dims = {matmul.m, matmul.n};
    plan.accesses = {b.access({matmul.m, matmul.n}, {32, 1}),
                     b.access({matmul.m, matmul.n}, {32, 1}, true)};
    plan.accesses.front().buffer = c;
    const uint16_t epilogue = b.addBlock(std::move(plan));
    llvm::SmallVector<uint16_t> blocks{matmul.anchor, epilogue};
    if (!isFused)
      blocks.pop_back();
    b.loop(blocks, matmul.m, 6);
    b.loop(blocks, matmul.n, 16);
    b.loop({matmul.anchor}, matmul.k, 4);
    const Rows rows = getRows(std::move(b));
    ASSERT_EQ(rows.blocks.size(), 2u);
    const BlockFeatureVector &f = rows.blocks[1];
    // Slot 0 is what it writes, which nothing has touched.
    EXPECT_FLOAT_EQ(f[F::Buffer0ReuseCount], 0);
    EXPECT_FLOAT_EQ(f[F::Buffer1ReuseCount], 1);
    const double points = isFused ? 6 * 16 : 12 * 32;
    EXPECT_FLOAT_EQ(f[F::Buffer1ReusePoints], points);
    EXPECT_FLOAT_EQ(f[F::Buffer1ReuseBytes], 2 * points * 4);
  }
}

TEST(BlockFeatures, Threads) {
  Matmul matmul(12, 32, 16);
  matmul.loop(matmul.k, 8);
  matmul.builder.forall({matmul.anchor}, matmul.n, 2);
  const BlockFeatureVector f = getRow(tile(std::move(matmul)));
  EXPECT_FLOAT_EQ(f[F::Points], 12 * 32 * 16);
  EXPECT_FLOAT_EQ(f[F::Threads], 2);
  // Inside of a loop of two trips.
  EXPECT_FLOAT_EQ(f[F::ForkJoins], 2);
  EXPECT_FLOAT_EQ(f[F::SharedReduction], 0);
  EXPECT_FLOAT_EQ(f[F::SerialCycles], 0);
  EXPECT_FLOAT_EQ(f[F::OuterTrips], 2 * 2 * 2 * 2);
}

TEST(BlockFeatures, ThreadsShareAReduction) {
  Matmul matmul(12, 32, 16);
  matmul.builder.forall({matmul.anchor}, matmul.k, 2);
  const BlockFeatureVector f = getRow(tile(std::move(matmul)));
  EXPECT_FLOAT_EQ(f[F::SharedReduction], 1);
  EXPECT_FLOAT_EQ(f[F::ReductionBlocks], 1);
}

TEST(BlockFeatures, PackedPanels) {
  // A panel of 64 columns at a time.
  Matmul matmul(12, 1024, 512);
  NestBuilder &b = matmul.builder;
  BlockPlan plan;
  plan.kind = BlockKind::Pack;
  plan.dims = {matmul.n, matmul.k};
  plan.accesses = {b.access({matmul.k, matmul.n}, {1024, 1}),
                   b.access({matmul.k, matmul.n}, {1024, 1}, true)};
  const uint16_t pack = b.addBlock(std::move(plan));
  b.loop({pack}, matmul.n, 64);
  b.loop({pack}, matmul.n, 16);
  b.loop({pack}, matmul.k, 8);
  const Rows rows = getRows(std::move(tile(std::move(matmul)).builder));
  ASSERT_EQ(rows.blocks.size(), 2u);
  const BlockFeatureVector &f = rows.blocks[1];
  EXPECT_FLOAT_EQ(f[F::IsCopy], 1);
  EXPECT_FLOAT_EQ(f[F::BufferBytes], 64 * 512 * 4);
  EXPECT_FLOAT_EQ(f[F::BufferFills], 16);
  EXPECT_FLOAT_EQ(f[F::BufferShare], 64 * 512 * 4 / double(512 << 10));
  EXPECT_FLOAT_EQ(f[F::Cycles], rows.program[Feature::PackCycles]);
}

TEST(BlockFeatures, RowsAreAppended) {
  const Program program =
      std::move(tile(Matmul(12, 32, 16)).builder).finish(makeTarget(), 0);
  std::vector<BlockFeatureVector> rows;
  program.describeBlocks({}, rows);
  program.describeBlocks({}, rows);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].values, rows[1].values);
}

TEST(BlockFeatures, TheTargetItself) {
  const BlockFeatureVector f = getRow(tile(Matmul(12, 32, 16)));
  EXPECT_FLOAT_EQ(f[F::VectorBytes], 32);
  EXPECT_FLOAT_EQ(f[F::VectorRegisters], 16);
  EXPECT_FLOAT_EQ(f[F::FmaPorts], 2);
  EXPECT_FLOAT_EQ(f[F::FmaLatency], 4);
  EXPECT_FLOAT_EQ(f[F::L1Size], 32 << 10);
  EXPECT_FLOAT_EQ(f[F::L2Size], 512 << 10);
  EXPECT_FLOAT_EQ(f[F::L3Size], 16 << 20);
  EXPECT_FLOAT_EQ(f[F::Cores], 4);
}

TEST(BlockFeatures, FiniteForEveryTile) {
  for (int64_t extent : {1, 2, 7, 31, 130})
    for (int64_t size : {1, 3, 8, 64})
      for (int64_t steps : {1, 5, 64}) {
        Matmul matmul(extent, 33, extent);
        matmul.builder.forall({matmul.anchor}, matmul.n, 3);
        const BlockFeatureVector f =
            getRow(tile(std::move(matmul), size, size, steps));
        for (unsigned i = 0; i != kNumBlockFeatures; ++i)
          EXPECT_TRUE(std::isfinite(f.values[i]) && f.values[i] >= 0)
              << getBlockFeatureInfo(static_cast<F>(i)).name.str() << " is "
              << f.values[i];
        EXPECT_FLOAT_EQ(f[F::Points], extent * 33 * extent);
      }
}

} // namespace
