//===- LaneTileTest.cpp - Cycles of a reduction in lanes ------------------===//

#include "SchedOpt/Model/LaneTile.h"
#include "NestBuilder.h"

using namespace sched;
using sched::test::makeTarget;

TEST(LaneTile, CountsWholeVectors) {
  const LaneTile tile{2, 3, 17, 4};
  EXPECT_EQ(tile.lanes(makeTarget()), 8);
  EXPECT_EQ(tile.vectors(makeTarget()), 3);
  EXPECT_EQ(tile.accumulators(makeTarget()), 18);
  // The vectors of two rows are held, those of three come one by one.
  EXPECT_EQ(tile.registers(makeTarget()), 18 + 6 + 1);
}

TEST(LaneTile, LoadsBoundASingleRow) {
  // Nine loads on two ports take longer than eight FMAs on two.
  EXPECT_DOUBLE_EQ((LaneTile{1, 8, 8, 4}.stepCycles(makeTarget())), 4.5 + 1);
}

TEST(LaneTile, LatencyBoundsFewSums) {
  EXPECT_DOUBLE_EQ((LaneTile{1, 2, 8, 4}.stepCycles(makeTarget())), 4 + 1);
}

TEST(LaneTile, SpillsCost) {
  // 16 sums, a vector held and one loaded are 18 of 16 registers.
  EXPECT_DOUBLE_EQ((LaneTile{1, 16, 8, 4}.stepCycles(makeTarget())),
                   8.5 + 2 * 3 + 1);
}

TEST(LaneTile, MoreRowsAreAddedUpFasterEach) {
  const Target target = makeTarget();
  auto endCycles = [&](int64_t rows) {
    return LaneTile{1, rows, 8, 4}.endCycles(target);
  };
  EXPECT_LT(endCycles(8) / 8, endCycles(4) / 4);
  // A pair is joined by two shuffles; with fewer rows than lanes, that is one
  // fold less each time that there are twice as many.
  EXPECT_DOUBLE_EQ(endCycles(2) - endCycles(1), 1 + 2 - 2);
  // Nine rows are five, three, and then two that have all.
  EXPECT_DOUBLE_EQ(endCycles(9) - endCycles(8), 1 + (5 + 3 + 2 - 7) * 2);
}
