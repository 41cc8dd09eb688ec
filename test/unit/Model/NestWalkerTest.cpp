//===- NestWalkerTest.cpp - Loops and blocks of a nest --------------------===//

#include "NestBuilder.h"

using namespace sched;
using namespace sched::test;
using Lines = std::vector<std::string>;

namespace {

/// Two dimensions and a block over both.
struct NestWalkerTest : ::testing::Test {
  NestWalkerTest() { start(12, 32); }

  void start(int64_t rows, int64_t columns) {
    b = NestBuilder();
    m = b.addDim("m", b.constant(rows));
    n = b.addDim("n", b.constant(columns));
    x = b.block("x", {m, n});
  }
  std::vector<std::string> walk(llvm::ArrayRef<uint16_t> choices = {}) {
    return NestRecorder::record(std::move(b).finish(makeTarget(), 0), choices);
  }
  Expr decide(llvm::ArrayRef<int64_t> values) {
    Decision decision;
    decision.name = "d";
    for (int64_t value : values)
      decision.domain.push_back({value});
    return b.decision(std::move(decision)).front();
  }

  NestBuilder b;
  uint8_t m, n;
  uint16_t x;
};

} // namespace

TEST_F(NestWalkerTest, NoLoops) { EXPECT_EQ(walk(), (Lines{"x[12,32]"})); }

TEST_F(NestWalkerTest, TilesThatDivide) {
  b.loop({x}, m, 6);
  b.loop({x}, n, 16);
  b.loop({x}, m, 2);
  EXPECT_EQ(walk(), (Lines{"for(2) for(2) for(3) x[2,16]"}));
}

TEST_F(NestWalkerTest, RemainderIsPeeled) {
  b.loop({x}, m, 5);
  EXPECT_EQ(walk(), (Lines{"for(2) x[5,32]", "~x[2,32]"}));
}

TEST_F(NestWalkerTest, RemaindersOfNestedLoops) {
  b.loop({x}, m, 5);
  b.loop({x}, n, 12);
  b.loop({x}, m, 2);
  EXPECT_EQ(walk(), (Lines{"for(2) for(2) for(2) x[2,12]",
                           "~for(2) for(2) x[1,12]", "~for(2) for(2) x[2,8]",
                           "~for(2) x[1,8]", "~for(2) x[2,12]", "~x[2,8]"}));
}

TEST_F(NestWalkerTest, LoopsThatAreNone) {
  b.loop({x}, m, int64_t(0));
  b.loop({x}, m, 12);
  b.loop({x}, m, 100);
  EXPECT_EQ(walk(), (Lines{"x[12,32]"}));
}

TEST_F(NestWalkerTest, SingleTripIsInlined) {
  b.loop({x}, m, 8);
  EXPECT_EQ(walk(), (Lines{"x[8,32]", "~x[4,32]"}));
}

TEST_F(NestWalkerTest, SizesAreDecisions) {
  b.loop({x}, m, decide({1, 5, 6, 0}));
  const Program program = std::move(b).finish(makeTarget(), 0);
  EXPECT_EQ(NestRecorder::record(program, {0}), (Lines{"for(12) x[1,32]"}));
  EXPECT_EQ(NestRecorder::record(program, {1}),
            (Lines{"for(2) x[5,32]", "~x[2,32]"}));
  EXPECT_EQ(NestRecorder::record(program, {2}), (Lines{"for(2) x[6,32]"}));
  EXPECT_EQ(NestRecorder::record(program, {3}), (Lines{"x[12,32]"}));
}

TEST_F(NestWalkerTest, ThreadsShareTheExtent) {
  b.forall({x}, m, 2);
  b.loop({x}, m, 3);
  EXPECT_EQ(walk(), (Lines{"forall(2) for(2) x[3,32]"}));
}

TEST_F(NestWalkerTest, OneThreadIsNoTeam) {
  b.forall({x}, m, 1);
  EXPECT_EQ(walk(), (Lines{"x[12,32]"}));
}

TEST_F(NestWalkerTest, FusedBlocksShareLoops) {
  const uint16_t y = b.block("y", {m, n});
  b.loop({x, y}, m, 6);
  b.loop({y}, n, 16);
  EXPECT_EQ(walk(), (Lines{"for(2) x[6,32]", "for(2) for(2) y[6,16]"}));
}

TEST_F(NestWalkerTest, LoopsAroundLoops) {
  // The outer loop of the later action is around the inner loop of the earlier
  // one, where that is what holds all of the blocks.
  const uint16_t y = b.block("y", {m, n});
  b.loop({x}, n, 16);
  b.loop({x, y}, m, 6);
  EXPECT_EQ(walk(), (Lines{"for(2) for(2) x[6,16]", "for(2) y[6,32]"}));
}

TEST_F(NestWalkerTest, OnlyNeighboursFuse) {
  b.block("y", {m, n});
  const uint16_t z = b.block("z", {m, n});
  auto node = b.wrap({x, z}, NestNode::Kind::Loop, m, b.constant(6));
  ASSERT_FALSE(bool(node));
  EXPECT_TRUE(llvm::StringRef(llvm::toString(node.takeError()))
                  .contains("list the blocks between them too"));
}

TEST_F(NestWalkerTest, TailOfItsOwn) {
  const uint16_t loop = b.loop({x}, m, 5);
  auto tail = b.separateTail(loop, "tail_");
  ASSERT_EQ(tail.size(), 1u);
  b.loop({tail.front()}, n, 4);
  b.loop({x}, n, 8);
  EXPECT_EQ(walk(), (Lines{"for(2) for(4) x[5,8]", "~for(8) tail_x[2,4]"}));
}

TEST_F(NestWalkerTest, SharedTailSkipsTheTeam) {
  // As a parallel loop does: the rest runs what the threads run, but serially.
  const uint16_t cut = b.loop({x}, m, 8);
  b.forall({x}, m, 4);
  const uint16_t shared = b.loop({x}, m, int64_t(0));
  b.shareTail(cut, shared);
  b.loop({x}, n, 16);
  EXPECT_EQ(walk(), (Lines{"forall(4) for(2) x[2,16]", "~for(2) x[4,16]"}));
}

TEST_F(NestWalkerTest, BlocksThatAreSwitchedOff) {
  const uint16_t loop = b.loop({x}, m, 6);
  BlockPlan plan;
  plan.name = "copy";
  plan.dims = {m};
  b.insertInto(loop, b.addDetachedBlock(std::move(plan)), decide({0, 1}));
  const Program program = std::move(b).finish(makeTarget(), 0);
  EXPECT_EQ(NestRecorder::record(program, {0}), (Lines{"for(2) x[6,32]"}));
  EXPECT_EQ(NestRecorder::record(program, {1}),
            (Lines{"for(2) copy[6]", "for(2) x[6,32]"}));
}

TEST_F(NestWalkerTest, ExtentInsideOfLoops) {
  start(13, 32);
  const Expr size = decide({4, 20, 0});
  b.loop({x}, m, size);
  b.forall({x}, n, 2);
  b.loop({x}, n, 5);
  const Expr rows = b.extentAt(x, m), columns = b.extentAt(x, n);
  const Program program = std::move(b).finish(makeTarget(), 0);
  const int64_t expected[] = {4, 13, 13};
  for (uint16_t i = 0; i != std::size(expected); ++i) {
    std::vector<int64_t> registers(program.getNumRegisters());
    program.run({i}, registers);
    EXPECT_EQ(registers[rows.reg], expected[i]);
    EXPECT_EQ(registers[columns.reg], 5);
  }
}

TEST_F(NestWalkerTest, MovesAProducerIntoALoop) {
  const uint16_t y = b.block("y", {m, n});
  const uint16_t loop = b.loop({y}, m, 6);
  b.moveInto(x, loop);
  EXPECT_EQ(walk(), (Lines{"for(2) x[6,32]", "for(2) y[6,32]"}));
}

TEST_F(NestWalkerTest, UnknownBlockNamesTheOthers) {
  b.block("y", {m, n});
  EXPECT_EQ(*b.findBlock("y"), 1u);
  auto block = b.findBlock("z");
  ASSERT_FALSE(bool(block));
  EXPECT_TRUE(
      llvm::StringRef(llvm::toString(block.takeError())).contains("x, y"));
}
