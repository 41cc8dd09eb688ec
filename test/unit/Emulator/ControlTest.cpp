//===- ControlTest.cpp - Branches, loops and barriers ---------------------===//

#include "EmulatorTest.h"

using namespace sched;
using namespace sched::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {
class ControlTest : public EmulatorTest {
protected:
  /// Each thread stores what `body` makes of its number %t as %z.
  static std::string kernel(const std::string &body) {
    return "define ptx_kernel void @k(ptr addrspace(1) %r) {\nentry:\n"
           "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
           body +
           "\n  %p = getelementptr i32, ptr addrspace(1) %r, i32 %t\n"
           "  store i32 %z, ptr addrspace(1) %p\n  ret void\n}\n";
  }
  std::vector<int> check(const std::string &body, unsigned threads = 64) {
    data.clear();
    function.buffers.clear();
    addOutput(threads * sizeof(int));
    EXPECT_EQ(run(kernel(body), {1, 1, 1}, {threads, 1, 1}), "") << body;
    return getLast<int>();
  }
  std::string fail(const std::string &body, unsigned threads = 64) {
    data.clear();
    function.buffers.clear();
    addOutput(threads * sizeof(int));
    return run(kernel(body), {1, 1, 1}, {threads, 1, 1});
  }
};
constexpr char kBarrier[] =
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
} // namespace

TEST_F(ControlTest, LoopsOfDifferentLengths) {
  // Values of a lane that has left the loop are its own.
  std::vector<int> result = check("  br label %loop\nloop:\n"
                                  "  %i = phi i32 [0, %entry], [%j, %loop]\n"
                                  "  %s = phi i32 [0, %entry], [%u, %loop]\n"
                                  "  %u = add i32 %s, %i\n"
                                  "  %j = add i32 %i, 1\n"
                                  "  %c = icmp ule i32 %j, %t\n"
                                  "  br i1 %c, label %loop, label %end\nend:\n"
                                  "  %z = add i32 %u, %j\n");
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], i * (i + 1) / 2 + i + 1);
}

TEST_F(ControlTest, PathsMeetAgain) {
  // A shuffle of the whole warp behind the paths needs all of them.
  std::vector<int> result =
      check("  %c = icmp ult i32 %t, 5\n  br i1 %c, label %a, label %b\n"
            "a:\n  %x = mul i32 %t, 10\n  br label %join\n"
            "b:\n  %o = and i32 %t, 1\n  %d = icmp eq i32 %o, 0\n"
            "  br i1 %d, label %even, label %join\n"
            "even:\n  br label %join\n"
            "join:\n  %v = phi i32 [%x, %a], [7, %b], [8, %even]\n"
            "  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 "
            "1, i32 31)\n"
            "  %z = add i32 %w, 0\n");
  for (int i = 0; i != 64; ++i) {
    const int other = i ^ 1;
    EXPECT_EQ(result[i], other < 5 ? other * 10 : other % 2 ? 7 : 8) << i;
  }
}

TEST_F(ControlTest, Switches) {
  std::vector<int> result =
      check("  %n = and i32 %t, 7\n"
            "  switch i32 %n, label %other [i32 1, label %one i32 2, label %two"
            " i32 5, label %one]\n"
            "one:\n  %x = add i32 %t, 100\n  br label %end\n"
            "two:\n  br label %end\nother:\n  br label %end\n"
            "end:\n  %z = phi i32 [%x, %one], [-2, %two], [-3, %other]\n");
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], i % 8 == 1 || i % 8 == 5 ? i + 100
                         : i % 8 == 2             ? -2
                                                  : -3);
}

TEST_F(ControlTest, PhisSwapAtOnce) {
  std::vector<int> result =
      check("  br label %loop\nloop:\n"
            "  %a = phi i32 [1, %entry], [%b, %loop]\n"
            "  %b = phi i32 [2, %entry], [%a, %loop]\n"
            "  %i = phi i32 [0, %entry], [%j, %loop]\n"
            "  %j = add i32 %i, 1\n  %c = icmp slt i32 %j, 4\n"
            "  br i1 %c, label %loop, label %end\nend:\n"
            "  %m = mul i32 %a, 10\n  %z = add i32 %m, %b\n",
            32);
  EXPECT_EQ(result[0], 21);
}

TEST_F(ControlTest, NestedDivergentLoops) {
  std::vector<int> result =
      check("  br label %outer\nouter:\n"
            "  %i = phi i32 [0, %entry], [%i1, %next]\n"
            "  %s = phi i32 [0, %entry], [%u, %next]\n"
            "  br label %inner\ninner:\n"
            "  %j = phi i32 [0, %outer], [%j1, %again]\n"
            "  %u = phi i32 [%s, %outer], [%v, %again]\n"
            "  %c = icmp ult i32 %j, %i\n"
            "  br i1 %c, label %again, label %next\nagain:\n"
            "  %v = add i32 %u, %t\n  %j1 = add i32 %j, 1\n  br label %inner\n"
            "next:\n  %i1 = add i32 %i, 1\n  %d = icmp ult i32 %i1, %t\n"
            "  br i1 %d, label %outer, label %end\nend:\n"
            "  %z = add i32 %u, 0\n");
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], i == 0 ? 0 : i * (i * (i - 1) / 2)) << i;
}

TEST_F(ControlTest, BarrierCombines) {
  std::vector<int> result = check(
      "  %c = icmp ult i32 %t, 10\n"
      "  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 "
      "%c)\n"
      "  %a = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 "
      "%c)\n"
      "  %o = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %c)\n"
      "  %ai = zext i1 %a to i32\n  %oi = zext i1 %o to i32\n"
      "  %x = mul i32 %n, 100\n  %y = mul i32 %ai, 10\n"
      "  %s = add i32 %x, %y\n  %z = add i32 %s, %oi\n");
  EXPECT_EQ(result[0], 1001);
  EXPECT_EQ(result[63], 1001);
}

TEST_F(ControlTest, DivergentBarriers) {
  auto guarded = [](const std::string &condition) {
    return "  %c = icmp ult i32 %t, " + condition +
           "\n  br i1 %c, label %do, label %end\ndo:\n" + kBarrier +
           "  br label %end\nend:\n  %z = add i32 %t, 0\n";
  };
  EXPECT_THAT(
      fail(guarded("16")),
      HasSubstr("kernel 'k', block (0, 0, 0), thread (0, 0, 0): waits at "
                "a barrier for its warp, but thread (16, 0, 0) has "
                "ended; at 'call void @llvm.nvvm.barrier.cta.sync"));
  EXPECT_THAT(fail(guarded("32")),
              HasSubstr("thread (0, 0, 0): waits at a barrier that 32 threads "
                        "of the block do not reach, such as thread (32, 0, 0), "
                        "which has ended"));
  // Two barriers of a warp are not one.
  EXPECT_THAT(
      fail("  %c = icmp ult i32 %t, 16\n"
           "  br i1 %c, label %a, label %b\na:\n" +
           std::string(kBarrier) + "  br label %end\nb:\n" + kBarrier +
           "  br label %end\nend:\n  %z = add i32 %t, 0\n"),
      HasSubstr("waits at a barrier for its warp, but thread (16, 0, 0) "
                "waits at 'call void"));
  // But two of the block are, if they have one number.
  auto two = [](const char *number) {
    return "  %c = icmp ult i32 %t, 32\n"
           "  br i1 %c, label %a, label %b\na:\n" +
           std::string(kBarrier) +
           "  br label %end\nb:\n"
           "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 " +
           number + ")\n  br label %end\nend:\n  %z = add i32 %t, 0\n";
  };
  EXPECT_EQ(check(two("0"))[40], 40);
  EXPECT_THAT(fail(two("1")),
              HasSubstr("waits at barrier 1 while thread (0, 0, "
                        "0) waits at barrier 0"));
}

TEST_F(ControlTest, Errors) {
  options.maxThreadInstructions = 10000;
  EXPECT_THAT(fail("  br label %loop\nloop:\n  br label %loop\nend:\n"
                   "  %z = add i32 0, 0\n"),
              HasSubstr("goes beyond the limit of 10000 instructions of "
                        "threads"));
  EXPECT_THAT(fail("  %z = udiv i32 7, %t\n"), HasSubstr("divides by zero"));
  EXPECT_THAT(fail("  unreachable\nend:\n  %z = add i32 0, 0\n"),
              HasSubstr("gets to where the program says that no thread gets"));
  EXPECT_THAT(
      fail("  %z = call i32 asm \"add.u32 $0, $1, 1;\", \"=r,r\"(i32 %t)\n"),
      AllOf(HasSubstr("has inline assembly, which cannot be emulated"),
            HasSubstr("add.u32")));
  EXPECT_THAT(fail("  %z = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"),
              HasSubstr("calls 'llvm.nvvm.read.ptx.sreg.clock', which the "
                        "emulator does not know"));
}

TEST_F(ControlTest, RecursionAndPlaces) {
  addOutput(4);
  EXPECT_THAT(run("define i32 @g(i32 %x) {\n  %y = call i32 @g(i32 %x)\n"
                  "  ret i32 %y\n}\n"
                  "define ptx_kernel void @k(ptr addrspace(1) %r) {\n"
                  "  %z = call i32 @g(i32 1)\n  ret void\n}\n",
                  {1, 1, 1}, {1, 1, 1}),
              HasSubstr("expected functions that do not call themselves"));
  // The place in the source is named.
  EXPECT_THAT(run("define ptx_kernel void @k(ptr addrspace(1) %r) !dbg !3 {\n"
                  "  store i32 0, ptr null, !dbg !5\n  ret void\n}\n"
                  "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
                  "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, "
                  "emissionKind: FullDebug)\n"
                  "!1 = !DIFile(filename: \"in.mlir\", directory: \"/\")\n"
                  "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
                  "!3 = distinct !DISubprogram(name: \"k\", file: !1, line: 1, "
                  "type: !4,"
                  " unit: !0, spFlags: DISPFlagDefinition)\n"
                  "!4 = !DISubroutineType(types: !{})\n"
                  "!5 = !DILocation(line: 42, column: 7, scope: !3)\n",
                  {1, 1, 1}, {1, 1, 1}),
              HasSubstr("(in.mlir:42:7)"));
}
