//===- WarpTest.cpp - What the lanes of a warp do together ----------------===//

#include "EmulatorTest.h"

using namespace sched;
using namespace sched::testing;
using ::testing::HasSubstr;

namespace {
class WarpTest : public EmulatorTest {
protected:
  /// Each thread stores %z; %v is a value of its own, 3 t + 1.
  static std::string kernel(const std::string &body) {
    return "define ptx_kernel void @k(ptr addrspace(1) %r) {\nentry:\n"
           "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
           "  %t3 = mul i32 %t, 3\n  %v = add i32 %t3, 1\n" +
           body +
           "\n  %p = getelementptr i32, ptr addrspace(1) %r, i32 %t\n"
           "  store i32 %z, ptr addrspace(1) %p\n  ret void\n}\n";
  }
  std::string tryRun(const std::string &body, unsigned threads) {
    data.clear();
    function.buffers.clear();
    addOutput(threads * sizeof(int));
    return run(kernel(body), {1, 1, 1}, {threads, 1, 1});
  }
  std::vector<int> check(const std::string &body, unsigned threads = 64) {
    EXPECT_EQ(tryRun(body, threads), "") << body;
    return getLast<int>();
  }
  static int valueOf(int thread) { return 3 * thread + 1; }
};
} // namespace

TEST_F(WarpTest, Shuffles) {
  auto shuffle = [&](const char *mode, int distance, int clamp) {
    return check(std::string("  %z = call i32 @llvm.nvvm.shfl.sync.") + mode +
                 ".i32(i32 -1, i32 %v, i32 " + std::to_string(distance) +
                 ", i32 " + std::to_string(clamp) + ")\n");
  };
  std::vector<int> up = shuffle("up", 3, 0), down = shuffle("down", 5, 31),
                   butterfly = shuffle("bfly", 9, 31),
                   index = shuffle("idx", 7, 31);
  // Segments of 8 lanes: the mask 24 in bits 8 to 12.
  std::vector<int> upIn8 = shuffle("up", 3, 24 << 8),
                   downIn8 = shuffle("down", 5, 7 | 24 << 8),
                   indexIn8 = shuffle("idx", 3, 7 | 24 << 8);
  for (int i = 0; i != 64; ++i) {
    const int lane = i % 32, first = i - lane, segment = i / 8 * 8;
    EXPECT_EQ(up[i], valueOf(lane >= 3 ? i - 3 : i));
    EXPECT_EQ(down[i], valueOf(lane + 5 < 32 ? i + 5 : i));
    EXPECT_EQ(butterfly[i], valueOf(first + (lane ^ 9)));
    EXPECT_EQ(index[i], valueOf(first + 7));
    EXPECT_EQ(upIn8[i], valueOf(i % 8 >= 3 ? i - 3 : i));
    EXPECT_EQ(downIn8[i], valueOf(i % 8 + 5 < 8 ? i + 5 : i));
    EXPECT_EQ(indexIn8[i], valueOf(segment + 3));
  }
}

TEST_F(WarpTest, ShuffleOfFloatsWithPredicate) {
  std::vector<int> result = check(
      "  %f = sitofp i32 %v to float\n"
      "  %s = call {float, i1} @llvm.nvvm.shfl.sync.down.f32p(i32 -1, float "
      "%f, "
      "i32 16, i32 31)\n"
      "  %x = extractvalue {float, i1} %s, 0\n"
      "  %b = extractvalue {float, i1} %s, 1\n"
      "  %n = fptosi float %x to i32\n  %z = select i1 %b, i32 %n, i32 -1\n");
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], i % 32 < 16 ? valueOf(i + 16) : -1);
}

TEST_F(WarpTest, VotesAndReductions) {
  EXPECT_EQ(check("  %c = icmp ult i32 %t, 40\n"
                  "  %z = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)"),
            [] {
              std::vector<int> all(64, -1);
              std::fill(all.begin() + 32, all.end(), 255);
              return all;
            }());
  std::vector<int> votes =
      check("  %c = icmp ult i32 %t, 40\n"
            "  %a = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %c)\n"
            "  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %c)\n"
            "  %ai = zext i1 %a to i32\n  %bi = zext i1 %b to i32\n"
            "  %a2 = mul i32 %ai, 2\n  %z = add i32 %a2, %bi\n");
  EXPECT_EQ(votes[0], 3);
  EXPECT_EQ(votes[63], 1);
  std::vector<int> sums =
      check("  %z = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 -1)\n");
  EXPECT_EQ(sums[5], 3 * 31 * 16 + 32);
  EXPECT_EQ(sums[32], 3 * (31 * 16 + 32 * 32) + 32);
  EXPECT_EQ(
      check("  %z = call i32 @llvm.nvvm.redux.sync.max(i32 %v, i32 -1)\n")[0],
      valueOf(31));
  // Halves of a warp with masks of their own.
  std::vector<int> halves =
      check("  %h = and i32 %t, 16\n  %m = shl i32 65535, %h\n"
            "  %z = call i32 @llvm.nvvm.redux.sync.min(i32 %v, i32 %m)\n");
  EXPECT_EQ(halves[3], valueOf(0));
  EXPECT_EQ(halves[17], valueOf(16));
  EXPECT_EQ(halves[50], valueOf(48));
  std::vector<int> same =
      check("  %o = and i32 %t, 3\n"
            "  %z = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %o)\n");
  EXPECT_EQ(same[1], 0x22222222);
}

TEST_F(WarpTest, SpecialRegisters) {
  std::vector<int> result =
      check("  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
            "  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpid()\n"
            "  %s = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()\n"
            "  %n = mul i32 %w, %s\n  %z = add i32 %n, %l\n");
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], i);
  EXPECT_EQ(
      check("  %z = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()\n")[37],
      31);
  EXPECT_EQ(
      check("  %z = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.gt()\n")[30],
      int(0x80000000));
  EXPECT_EQ(check("  %z = call i32 @llvm.nvvm.activemask()\n", 37)[36], 31);
}

TEST_F(WarpTest, LanesThatAreElsewhere) {
  const std::string shuffle =
      "  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 MASK, i32 %v, i32 1, "
      "i32 31)\n";
  auto guarded = [&](const char *mask) {
    std::string text = shuffle;
    text.replace(text.find("MASK"), 4, mask);
    return "  %c = icmp ult i32 %t, 8\n  br i1 %c, label %do, label %end\n"
           "do:\n" +
           text +
           "  br label %end\nend:\n"
           "  %z = phi i32 [%w, %do], [0, %entry]\n";
  };
  EXPECT_EQ(check(guarded("255"), 32)[4], valueOf(5));
  EXPECT_THAT(tryRun(guarded("-1"), 32),
              HasSubstr("thread (0, 0, 0): waits for other lanes of its warp, "
                        "but thread (8, 0, 0) has ended; at '%w = call i32 "
                        "@llvm.nvvm.shfl.sync.bfly.i32"));
  EXPECT_THAT(tryRun(guarded("15"), 32),
              HasSubstr("thread (4, 0, 0): takes part in an operation of its "
                        "warp whose mask 0xF lacks its lane 4"));
  // Lanes that the block does not have.
  EXPECT_THAT(
      tryRun("  %z = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, "
             "i32 %v, i32 16, i32 31)\n",
             20),
      HasSubstr("takes the value of lane 20, which does not take part"));
}
