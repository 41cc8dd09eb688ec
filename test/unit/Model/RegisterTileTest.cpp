//===- RegisterTileTest.cpp - Cycles of an innermost tile -----------------===//

#include "SchedOpt/Model/RegisterTile.h"
#include "NestBuilder.h"
#include "SchedOpt/Support/DotProduct.h"

using namespace sched;
using sched::test::makeTarget;

TEST(RegisterTile, VectorsOfARow) {
  const Target target = makeTarget();
  auto vectors = [&](int64_t n, unsigned elementBytes = 4) {
    return RegisterTile{1, n, 1, elementBytes}.vectors(target);
  };
  EXPECT_EQ(vectors(8), 1);
  EXPECT_EQ(vectors(16), 2);
  // What is less than a register is computed in one.
  EXPECT_EQ(vectors(7), 1);
  EXPECT_EQ(vectors(19), 3);
  EXPECT_EQ(vectors(12), 2);
  EXPECT_EQ(vectors(1), 1);
  EXPECT_EQ(vectors(8, /*elementBytes=*/8), 2);
  EXPECT_EQ(vectors(8, /*elementBytes=*/2), 1);
}

TEST(RegisterTile, Registers) {
  // Accumulators, a row of the right-hand side and a broadcast.
  EXPECT_EQ((RegisterTile{6, 16, 4, 4}.registers(makeTarget())), 12 + 2 + 1);
  // With many registers, two vectors more are loaded ahead.
  Target wide = makeTarget();
  wide.vectorRegisters = 32;
  EXPECT_EQ((RegisterTile{6, 16, 4, 4}.registers(wide)), 12 + 2 + 3);
  // A vector of each row, where elements of it are multiplied.
  wide.byElement = true;
  EXPECT_EQ((RegisterTile{6, 16, 4, 4}.registers(wide)), 12 + 2 + 8);
}

TEST(RegisterTile, ConversionsTakeThePortsOfMultiplications) {
  RegisterTile tile{6, 16, 4, 4};
  const double cycles = tile.cycles(makeTarget(), /*steps=*/256);
  tile.casts = 2;
  EXPECT_GT(tile.cycles(makeTarget(), /*steps=*/256), cycles);
}

TEST(RegisterTile, VectorsOfRowsSaveLoads) {
  // Four elements a load, if as many steps are unrolled.
  Target target = makeTarget();
  target.vectorBytes = 16;
  target.vectorRegisters = 32;
  target.fmaPorts = 8;
  target.fmaLatency = 1;
  target.byElement = true;
  const double loads = (8 / 4 + 1) / 1.8, broadcasts = (8 + 1) / 1.8;
  const double control = 1.5 * (1 - 8 / 24.0);
  EXPECT_DOUBLE_EQ((RegisterTile{8, 4, 4, 4}.cycles(target, 4)),
                   4 * loads + control);
  EXPECT_DOUBLE_EQ((RegisterTile{8, 4, 1, 4}.cycles(target, 1)),
                   broadcasts + control);
}

TEST(RegisterTile, IssueBoundsALargeTile) {
  // 12 FMAs on 2 ports are 6 cycles a step, and loop control costs 1.5 cycles
  // an iteration, of which 12 FMAs hide half.
  const RegisterTile tile{6, 16, 4, 4};
  EXPECT_DOUBLE_EQ(tile.cycles(makeTarget(), 16), 16 * 6 + 4 * 0.75);
}

TEST(RegisterTile, LatencyBoundsASmallTile) {
  const RegisterTile tile{1, 8, 1, 4};
  const double control = 1.5 * (1 - 1 / 24.0);
  EXPECT_DOUBLE_EQ(tile.cycles(makeTarget(), 10), 10 * 4 + 10 * control);
}

TEST(RegisterTile, LoadsBoundATallTile) {
  // Ten broadcasts and a vector are loaded for ten FMAs, 1.8 a cycle.
  const RegisterTile tile{10, 8, 1, 4};
  const double control = 1.5 * (1 - 10 / 24.0);
  EXPECT_DOUBLE_EQ(tile.cycles(makeTarget(), 1), 11 / 1.8 + control);
}

TEST(RegisterTile, MultiplyAndAddIssueTwice) {
  Target target = makeTarget();
  const RegisterTile tile{6, 16, 4, 4};
  const double fused = tile.cycles(target, 16);
  target.hasFMA = false;
  EXPECT_DOUBLE_EQ(tile.cycles(target, 16) - fused, 16 * 6);
}

TEST(RegisterTile, SpillsCostMoreThanTheyGain) {
  // 15 of 16 registers, against 17: more FMAs a step, but slower each.
  const RegisterTile fits{6, 16, 4, 4}, spills{7, 16, 4, 4};
  ASSERT_EQ(spills.registers(makeTarget()), 17);
  EXPECT_GT(spills.cycles(makeTarget(), 64) / 7,
            fits.cycles(makeTarget(), 64) / 6);
  // Each further register costs the same again.
  const RegisterTile more{8, 16, 4, 4};
  EXPECT_GT(more.cycles(makeTarget(), 64), spills.cycles(makeTarget(), 64));
}

TEST(RegisterTile, UnrollingSavesLoopControl) {
  const RegisterTile once{4, 8, 1, 4}, fourTimes{4, 8, 4, 4};
  EXPECT_LT(fourTimes.cycles(makeTarget(), 64), once.cycles(makeTarget(), 64));
}

TEST(RegisterTile, EntryAndExitOnce) {
  const RegisterTile tile{6, 16, 4, 4};
  EXPECT_DOUBLE_EQ(tile.entryExitCycles(makeTarget()), 12 * 0.75 + 4 + 2);
}

TEST(RegisterTile, LowTilesOfNeighbouringLinesShareColumns) {
  const Target target = makeTarget();
  auto cycles = [&](int64_t n, int64_t lines) {
    RegisterTile tile{14, n, 16, 4};
    tile.inTiles = true;
    tile.lines = lines;
    return tile.cycles(target, /*steps=*/16);
  };
  // Two products wait for the latency of one; four of two lines do not.
  EXPECT_DOUBLE_EQ(cycles(32, 1), 52);
  EXPECT_DOUBLE_EQ(cycles(32, 2), 4 * 14 / 2.0);
  EXPECT_DOUBLE_EQ(cycles(16, 4), 4 * 14 / 4.0);

  EXPECT_EQ(countPairedLines(14, 32), 2);
  EXPECT_EQ(countPairedLines(14, 16), 4);
  EXPECT_EQ(countPairedLines(14, 64), 1);
  EXPECT_EQ(countPairedLines(14, 128), 1);
  // More than a tile, and no line.
  EXPECT_EQ(countPairedLines(17, 16), 1);
  EXPECT_EQ(countPairedLines(1, 16), 1);
}

TEST(RegisterTile, LowTilesTakeAsLongAsTheyHaveRows) {
  const Target target = makeTarget();
  auto cycles = [&](int64_t m, bool copiesRows = false) {
    RegisterTile tile{m, 64, 16, 4};
    tile.inTiles = true;
    tile.copiesRows = copiesRows;
    return tile.cycles(target, /*steps=*/16);
  };
  // Four products of 16 cycles.
  EXPECT_DOUBLE_EQ(cycles(16), 64);
  EXPECT_DOUBLE_EQ(cycles(14), 56);
  // As long as the latency of one.
  EXPECT_DOUBLE_EQ(cycles(8), 52);
  // The second tile is whole, and has rows of the first.
  EXPECT_DOUBLE_EQ(cycles(28), cycles(32));
  // What is copied is a whole tile.
  EXPECT_DOUBLE_EQ(cycles(14, /*copiesRows=*/true), 64 + 4 * 14);
}

TEST(RegisterTile, InstructionsOfOtherTypesMayTakeLonger) {
  const Target target = makeTarget();
  RegisterTile tile{6, 16, 4, 4};
  const double before = tile.cycles(target, 4);
  tile.equalMultiplyAdds = 3.5;
  EXPECT_GT(tile.cycles(target, 4), 3 * before);
}

TEST(RegisterTile, StepsAreSharedEvenlyBetweenTiles) {
  // 14 of 16 groups; two of 12; 17 leave one over, which is padded.
  EXPECT_EQ(countTileGroups(14), 14);
  EXPECT_EQ(countTileGroups(24), 12);
  EXPECT_EQ(countTileGroups(32), 16);
  EXPECT_EQ(countTileGroups(17), 16);

  // A product of fewer groups takes as long; what is copied takes longer.
  RegisterTile tile{32, 32, 14, 4};
  tile.inTiles = true;
  const Target target = makeTarget();
  EXPECT_DOUBLE_EQ(tile.cycles(target, /*steps=*/7 * 14), 7 * 64);
  tile.copiesSteps = true;
  EXPECT_GT(tile.cycles(target, /*steps=*/7 * 14), 7 * 64);
}
