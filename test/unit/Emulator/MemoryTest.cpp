//===- MemoryTest.cpp - Accesses, and what is wrong with them -------------===//

#include "EmulatorTest.h"
#include <cmath>
#include <numeric>

using namespace sched;
using namespace sched::testing;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

namespace {
class MemoryTest : public EmulatorTest {
protected:
  /// A kernel of two buffers, an input %a and a result %r, with the thread's
  /// number as %t and %i.
  static std::string kernel(const std::string &body,
                            const std::string &globals = "") {
    return globals +
           "\ndefine ptx_kernel void @k(ptr addrspace(1) %a, "
           "ptr addrspace(1) %r) {\n"
           "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
           "  %i = zext i32 %t to i64\n" +
           body + "\n  ret void\n}\n";
  }
  /// `count` floats in, `count` floats out.
  void setFloats(unsigned count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0);
    addInput(values);
    addOutput(count * sizeof(float));
  }
  /// Loads %x from the input and has the place of the thread in both buffers.
  static std::string load() {
    return "  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i\n"
           "  %pr = getelementptr float, ptr addrspace(1) %r, i64 %i\n"
           "  %x = load float, ptr addrspace(1) %pa\n";
  }
};
constexpr char kShared[] =
    "@s = internal addrspace(3) global [64 x float] undef, align 16\n";
/// The place of the thread in shared memory, and of its neighbour.
constexpr char kPlaces[] =
    "  %ps = getelementptr float, ptr addrspace(3) @s, i64 %i\n"
    "  %n = xor i64 %i, 1\n"
    "  %pn = getelementptr float, ptr addrspace(3) @s, i64 %n\n";
constexpr char kBarrier[] =
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
} // namespace

TEST_F(MemoryTest, Vectors) {
  setFloats(128);
  EXPECT_EQ(
      run(kernel(
              "  %pa = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %i\n"
              "  %pr = getelementptr <4 x float>, ptr addrspace(1) %r, i64 %i\n"
              "  %v = load <4 x float>, ptr addrspace(1) %pa, align 16\n"
              "  %w = fadd <4 x float> %v, <float 1.0, float 2.0, float 3.0, "
              "float 4.0>\n"
              "  store <4 x float> %w, ptr addrspace(1) %pr, align 16"),
          {1, 1, 1}, {32, 1, 1}),
      "");
  std::vector<float> result = getLast<float>();
  for (unsigned i = 0; i != 128; ++i)
    EXPECT_EQ(result[i], float(i + i % 4 + 1));
  // Of each of 32 threads: four additions, two addresses, and a cast, a load, a
  // store and the end.
  EXPECT_EQ(report.threadInstructions, 32 * 10u);
}

TEST_F(MemoryTest, SeveralBlocksAndDimensions) {
  addInput(std::vector<int>(1));
  addOutput(2 * 3 * 4 * 2 * 3 * 2 * sizeof(int));
  // The number of the thread in the whole launch.
  std::string text = "define ptx_kernel void @k(ptr addrspace(1) %a, "
                     "ptr addrspace(1) %r) {\n";
  std::string sum = "0";
  for (const char *each : {"ctaid.z 2", "ctaid.y 3", "ctaid.x 4", "tid.z 2",
                           "tid.y 3", "tid.x 2"}) {
    std::string name = std::string(each).substr(0, strlen(each) - 2);
    std::string size = std::string(each).substr(strlen(each) - 1);
    text += "  %" + name + " = call i32 @llvm.nvvm.read.ptx.sreg." + name +
            "()\n  %m" + name + " = mul i32 " + sum + ", " + size + "\n  %s" +
            name + " = add i32 %m" + name + ", %" + name + "\n";
    sum = "%s" + name;
  }
  text += "  %n = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()\n"
          "  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()\n"
          "  %v0 = mul i32 %n, " +
          sum +
          "\n  %v = add i32 %v0, %m\n"
          "  %p = getelementptr i32, ptr addrspace(1) %r, i32 " +
          sum +
          "\n"
          "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n";
  EXPECT_EQ(run(text, {4, 3, 2}, {2, 3, 2}), "");
  std::vector<int> result = getLast<int>();
  for (unsigned i = 0; i != result.size(); ++i)
    EXPECT_EQ(result[i], int(3 * i + 3));
}

TEST_F(MemoryTest, ConstantsAndLocalMemory) {
  addInput(std::vector<int>(1));
  addOutput(32 * sizeof(int));
  EXPECT_EQ(
      run("@table = internal addrspace(4) constant [4 x i32] "
          "[i32 3, i32 1, i32 4, i32 1], align 4\n"
          "define internal i32 @square(i32 %x) {\n"
          "  %y = mul i32 %x, %x\n  ret i32 %y\n}\n" +
              kernel(
                  "  %s = alloca [4 x i32], align 4\n"
                  "  %n = and i64 %i, 3\n"
                  "  %pc = getelementptr i32, ptr addrspace(4) @table, i64 %n\n"
                  "  %c = load i32, ptr addrspace(4) %pc\n"
                  "  %ps = getelementptr i32, ptr %s, i64 %n\n"
                  "  store i32 %t, ptr %ps\n"
                  "  %l = load i32, ptr %ps\n"
                  "  %q = call i32 @square(i32 %l)\n"
                  "  %z = add i32 %q, %c\n"
                  "  %pr = getelementptr i32, ptr addrspace(1) %r, i64 %i\n"
                  "  store i32 %z, ptr addrspace(1) %pr"),
          {1, 1, 1}, {32, 1, 1}),
      "");
  std::vector<int> result = getLast<int>();
  const int table[] = {3, 1, 4, 1};
  for (int i = 0; i != 32; ++i)
    EXPECT_EQ(result[i], i * i + table[i % 4]);
}

TEST_F(MemoryTest, SharedThroughGenericPointersAndDynamic) {
  setFloats(64);
  EXPECT_EQ(
      run(kernel(
              load() +
                  "  %g = addrspacecast ptr addrspace(3) @d to ptr\n"
                  "  %ps = getelementptr float, ptr %g, i64 %i\n"
                  "  store float %x, ptr %ps\n" +
                  kBarrier +
                  "  %n = sub i64 63, %i\n"
                  "  %pn = getelementptr float, ptr addrspace(3) @d, i64 %n\n"
                  "  %y = load float, ptr addrspace(3) %pn\n"
                  "  store float %y, ptr addrspace(1) %pr",
              "@d = external addrspace(3) global [0 x i8], align 16"),
          {1, 1, 1}, {64, 1, 1}, 256),
      "");
  std::vector<float> result = getLast<float>();
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], float(63 - i));
}

TEST_F(MemoryTest, Atomics) {
  addInput(std::vector<int>(1));
  addOutput(8);
  function.buffers.back().role = LaunchBuffer::Role::Output;
  // Block 0 of the first launch sets it; then all threads add to it.
  const char *text =
      "define ptx_kernel void @zero(ptr addrspace(1) %r) {\n"
      "  store i32 0, ptr addrspace(1) %r\n"
      "  %p = getelementptr i8, ptr addrspace(1) %r, i64 4\n"
      "  store float 0.0, ptr addrspace(1) %p\n  ret void\n}\n"
      "define ptx_kernel void @k(ptr addrspace(1) %r) {\n"
      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "  %o = atomicrmw add ptr addrspace(1) %r, i32 %t monotonic\n"
      "  %p = getelementptr i8, ptr addrspace(1) %r, i64 4\n"
      "  %q = atomicrmw fadd ptr addrspace(1) %p, float 0.5 monotonic\n"
      "  ret void\n}\n";
  KernelLaunch zero;
  zero.kernel = "zero";
  zero.arguments = {1};
  launch.grid = {4, 1, 1};
  launch.block = {50, 1, 1};
  launch.arguments = {1};
  function.launches = {zero, launch};
  EXPECT_EQ(runPlan(text), "");
  EXPECT_EQ(getLast<int>()[0], 4 * 50 * 49 / 2);
  EXPECT_EQ(getLast<float>()[1], 100);
}

TEST_F(MemoryTest, ScratchBetweenLaunches) {
  setFloats(32);
  addScratch(128);
  KernelLaunch second = launch;
  launch.kernel = "first";
  launch.block = second.block = {32, 1, 1};
  launch.arguments = {0, 2};
  second.arguments = {2, 1};
  const std::string text =
      "define ptx_kernel void @first(ptr addrspace(1) %a, ptr addrspace(1) %r)"
      " {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "  %i = zext i32 %t to i64\n" +
      load() + "  store float %x, ptr addrspace(1) %pr\n  ret void\n}\n" +
      kernel(load() + "  %y = fmul float %x, 2.0\n"
                      "  store float %y, ptr addrspace(1) %pr");
  function.launches = {launch, second};
  EXPECT_EQ(runPlan(text), "");
  EXPECT_EQ(getLast<float>()[31], 62);
  // Nobody wrote what the second one reads.
  function.launches = {second};
  EXPECT_THAT(
      runPlan(text),
      HasSubstr("kernel 'k', block (0, 0, 0), thread (0, 0, 0): reads 4 "
                "bytes at byte 0 of scratch 0 (tensor<128xi8>), which "
                "no thread wrote; at '%x = load float"));
}

TEST_F(MemoryTest, OutOfBounds) {
  setFloats(32);
  const std::string text =
      kernel(load() + "  store float %x, ptr addrspace(1) %pr");
  EXPECT_EQ(run(text, {1, 1, 1}, {32, 1, 1}), "");
  EXPECT_EQ(run(text, {1, 1, 1}, {33, 1, 1}),
            "kernel 'k', block (0, 0, 0), thread (32, 0, 0): reads 4 bytes at "
            "byte 128 of input 0 (tensor<128xi8>), which has 128 bytes; at '%x "
            "= load float, ptr addrspace(1) %pa, align 4'");
  EXPECT_THAT(
      run(kernel("  %p = getelementptr i8, ptr addrspace(1) %r, i64 -4\n"
                 "  store i32 0, ptr addrspace(1) %p"),
          {1, 1, 1}, {1, 1, 1}),
      HasSubstr("writes 4 bytes at byte -4 of result 0"));
  EXPECT_THAT(
      run(kernel("  %p = getelementptr i8, ptr addrspace(1) %a, i64 -400\n"
                 "  %x = load i32, ptr addrspace(1) %p"),
          {1, 1, 1}, {1, 1, 1}),
      HasSubstr("reads 4 bytes at byte -400 of input 0"));
  EXPECT_THAT(
      run(kernel("  store i32 0, ptr null"), {1, 1, 1}, {1, 1, 1}),
      HasSubstr("writes 4 bytes at address 0x0, which is in no buffer"));
  EXPECT_THAT(
      run(kernel(load() + kPlaces +
                     "  %p = getelementptr i8, ptr addrspace(3) %ps, i64 256\n"
                     "  store float %x, ptr addrspace(3) %p",
                 kShared),
          {1, 1, 1}, {1, 1, 1}),
      HasSubstr("writes 4 bytes at byte 256 of shared memory, which "
                "has 256 bytes"));
  EXPECT_THAT(run(kernel("  %s = alloca i32\n"
                         "  %p = getelementptr i32, ptr %s, i64 1\n"
                         "  store i32 0, ptr %p"),
                  {1, 1, 1}, {1, 1, 1}),
              HasSubstr("writes 4 bytes at byte 4 of local memory"));
}

TEST_F(MemoryTest, Misaligned) {
  setFloats(32);
  EXPECT_THAT(
      run(kernel("  %p = getelementptr i8, ptr addrspace(1) %a, i64 8\n"
                 "  %x = load <4 x float>, ptr addrspace(1) %p, align 16"),
          {1, 1, 1}, {1, 1, 1}),
      HasSubstr("reads 16 bytes at byte 8 of input 0 (tensor<128xi8>), "
                "which is aligned to 8; the instruction demands an "
                "alignment of 16"));
  // A buffer is not more aligned than the plan says.
  EXPECT_THAT(
      run(kernel("  %x = load <8 x float>, ptr addrspace(1) %a, align 32"),
          {1, 1, 1}, {1, 1, 1}),
      HasSubstr("aligned to 16; the instruction demands an alignment "
                "of 32"));
}

TEST_F(MemoryTest, WritesToInputsAndUnwrittenResults) {
  setFloats(32);
  EXPECT_THAT(run(kernel("  store float 0.0, ptr addrspace(1) %a"), {1, 1, 1},
                  {1, 1, 1}),
              HasSubstr("writes 4 bytes at byte 0 of input 0 (tensor<128xi8>), "
                        "which must not be written"));
  EXPECT_THAT(run(kernel(load() + "  store float %x, ptr addrspace(1) %pr"),
                  {1, 1, 1}, {31, 1, 1}),
              HasSubstr("does not write byte 124 of result 0"));
  EXPECT_THAT(run(kernel("  %y = load float, ptr addrspace(1) %r"), {1, 1, 1},
                  {1, 1, 1}),
              HasSubstr("of result 0 (tensor<128xi8>), which no thread wrote"));
}

TEST_F(MemoryTest, UnwrittenSharedMemory) {
  setFloats(64);
  EXPECT_THAT(
      run(kernel(load() + kPlaces + "  %y = load float, ptr addrspace(3) %ps",
                 kShared),
          {1, 1, 1}, {32, 1, 1}),
      HasSubstr("thread (0, 0, 0): reads 4 bytes at byte 0 of shared "
                "memory, which no thread wrote"));
  // What another block left behind is no more defined.
  EXPECT_THAT(
      run(kernel(load() + kPlaces +
                     "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                     "  %c = icmp eq i32 %b, 0\n"
                     "  br i1 %c, label %first, label %other\nfirst:\n"
                     "  store float %x, ptr addrspace(3) %ps\n  ret void\n"
                     "other:\n  %y = load float, ptr addrspace(3) %ps",
                 kShared),
          {2, 1, 1}, {32, 1, 1}),
      HasSubstr("block (1, 0, 0), thread (0, 0, 0): reads 4 bytes at byte 0 of "
                "shared memory, which no thread wrote"));
}

TEST_F(MemoryTest, UnwrittenSharedMemoryIsNoNumber) {
  setFloats(64);
  options.allowUnwrittenShared = true;
  // Every second thread writes, all read; the others drop what they get.
  const std::string text =
      load() + kPlaces +
      "  %o = and i32 %t, 1\n  %c = icmp eq i32 %o, 0\n"
      "  br i1 %c, label %do, label %end\ndo:\n"
      "  store float %x, ptr addrspace(3) %ps\n  br label %end\nend:\n" +
      kBarrier + "  %y = load float, ptr addrspace(3) %ps\n";
  EXPECT_EQ(run(kernel(text + "  %z = select i1 %c, float %y, float 1.0\n"
                              "  store float %z, ptr addrspace(1) %pr",
                       kShared),
                {1, 1, 1}, {64, 1, 1}),
            "");
  EXPECT_EQ(getLast<float>()[6], 6);
  EXPECT_EQ(getLast<float>()[7], 1);
  EXPECT_THAT(
      report.firstUnwrittenRead,
      HasSubstr("block (0, 0, 0), thread (1, 0, 0): reads 4 bytes at "
                "byte 4 of shared memory, which no thread wrote; at '%y "
                "= load float"));
  EXPECT_EQ(
      run(kernel(text + "  store float %y, ptr addrspace(1) %pr", kShared),
          {1, 1, 1}, {64, 1, 1}),
      "");
  EXPECT_EQ(getLast<float>()[6], 6);
  EXPECT_TRUE(std::isnan(getLast<float>()[7]));
}

TEST_F(MemoryTest, Races) {
  setFloats(64);
  const std::string write = "  store float %x, ptr addrspace(3) %ps\n";
  const std::string read = "  %y = load float, ptr addrspace(3) %pn\n";
  const std::string out = "  store float %y, ptr addrspace(1) %pr\n";
  const std::string start = load() + kPlaces;
  EXPECT_EQ(run(kernel(start + write + kBarrier + read + out, kShared),
                {1, 1, 1}, {64, 1, 1}),
            "");
  EXPECT_EQ(getLast<float>()[6], 7);
  EXPECT_THAT(
      run(kernel(start + write + read + out, kShared), {1, 1, 1}, {64, 1, 1}),
      HasSubstr("reads 4 bytes at byte 4 of shared memory, which thread "
                "(1, 0, 0) wrote with no barrier between: a race"));
  EXPECT_THAT(
      run(kernel(start + write + kBarrier + read + write + out, kShared),
          {1, 1, 1}, {64, 1, 1}),
      HasSubstr("writes 4 bytes at byte 0 of shared memory, which thread "
                "(1, 0, 0) read with no barrier between: a race"));
  EXPECT_THAT(
      run(kernel(start + "  store float %x, ptr addrspace(3) @s\n", kShared),
          {1, 1, 1}, {64, 1, 1}),
      HasSubstr("thread (1, 0, 0): writes 4 bytes at byte 0 of shared "
                "memory, which thread (0, 0, 0) wrote with no barrier"));
  // The threads of a warp can do with a barrier of their own.
  const std::string warpBarrier =
      "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
  EXPECT_EQ(run(kernel(start + write + warpBarrier + read + out, kShared),
                {1, 1, 1}, {64, 1, 1}),
            "");
  EXPECT_THAT(
      run(kernel(
              load() +
                  "  %n = xor i64 %i, 32\n"
                  "  %ps = getelementptr float, ptr addrspace(3) @s, i64 %i\n"
                  "  %pn = getelementptr float, ptr addrspace(3) @s, i64 %n\n" +
                  write + warpBarrier + read + out,
              kShared),
          {1, 1, 1}, {64, 1, 1}),
      // The first warp runs before the second one wrote.
      HasSubstr("thread (0, 0, 0): reads 4 bytes at byte 128 of shared "
                "memory, which no thread wrote"));
}

TEST_F(MemoryTest, RacesOnGlobalMemory) {
  setFloats(64);
  EXPECT_THAT(
      run(kernel(load() + "  store float %x, ptr addrspace(1) %r"), {1, 1, 1},
          {64, 1, 1}),
      HasSubstr("thread (1, 0, 0): writes 4 bytes at byte 0 of result 0 "
                "(tensor<256xi8>), which thread (0, 0, 0) wrote with "
                "no barrier between: a race"));
  EXPECT_THAT(run(kernel(load() + "  store float %x, ptr addrspace(1) %pr"),
                  {2, 1, 1}, {64, 1, 1}),
              HasSubstr("block (1, 0, 0), thread (0, 0, 0): writes 4 bytes at "
                        "byte 0 of result 0 (tensor<256xi8>), which another "
                        "block of the launch wrote: a race"));
}

TEST_F(MemoryTest, AsynchronousCopies) {
  setFloats(64);
  const std::string start = load() + kPlaces;
  const std::string copy =
      "  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %ps,"
      " ptr addrspace(1) %pa)\n";
  const std::string commit = "  call void @llvm.nvvm.cp.async.commit.group()\n";
  auto wait = [](int groups) {
    return "  call void @llvm.nvvm.cp.async.wait.group(i32 " +
           std::to_string(groups) + ")\n";
  };
  const std::string read = "  %y = load float, ptr addrspace(3) %pn\n"
                           "  store float %y, ptr addrspace(1) %pr\n";
  auto check = [&](const std::string &body) {
    return run(kernel(start + body, kShared), {1, 1, 1}, {64, 1, 1});
  };
  EXPECT_EQ(check(copy + commit + wait(0) + kBarrier + read), "");
  EXPECT_EQ(getLast<float>()[10], 11);
  EXPECT_EQ(check(copy + "  call void @llvm.nvvm.cp.async.wait.all()\n" +
                  kBarrier + read),
            "");
  // Waited for, but others do not know.
  EXPECT_THAT(check(copy + commit + wait(0) + read),
              HasSubstr("which thread (1, 0, 0) wrote with no barrier between: "
                        "a race"));
  // A barrier without waiting, and a wait for older groups only.
  EXPECT_THAT(check(copy + commit + kBarrier + read),
              HasSubstr("reads 4 bytes at byte 4 of shared memory, where an "
                        "asynchronous copy of thread (1, 0, 0) is on its way"));
  EXPECT_THAT(check(copy + commit + wait(1) + kBarrier + read),
              HasSubstr("is on its way"));
  EXPECT_EQ(check(copy + commit + commit + wait(1) + kBarrier + read), "");
  EXPECT_THAT(check(copy + wait(0) + kBarrier + read),
              HasSubstr("is on its way"));
  EXPECT_THAT(
      check(copy + commit + "  %y = load float, ptr addrspace(3) %ps\n"),
      HasSubstr("where an asynchronous copy of its own has not been "
                "waited for"));
  EXPECT_THAT(check(copy + commit + "  store float %x, ptr addrspace(3) %pn\n"),
              HasSubstr("writes 4 bytes at byte 4 of shared memory, where an "
                        "asynchronous copy of thread (1, 0, 0) is on its way"));
}

TEST_F(MemoryTest, AsynchronousCopiesOfLess) {
  setFloats(64);
  // Of 16 bytes each thread reads 0, 4, 8 or 12: the rest is zero. Beyond the
  // buffer nothing is read.
  EXPECT_EQ(
      run(kernel("  %t4 = mul i64 %i, 4\n"
                 "  %pa = getelementptr float, ptr addrspace(1) %a, i64 %t4\n"
                 "  %ps = getelementptr float, ptr addrspace(3) @s, i64 %t4\n"
                 "  %pr = getelementptr float, ptr addrspace(1) %r, i64 %t4\n"
                 "  %n = and i32 %t, 3\n  %b = mul i32 %n, 4\n"
                 "  call void @llvm.nvvm.cp.async.cg.shared.global.16.s("
                 "ptr addrspace(3) %ps, ptr addrspace(1) %pa, i32 %b)\n"
                 "  call void @llvm.nvvm.cp.async.wait.all()\n"
                 "  %v = load <4 x float>, ptr addrspace(3) %ps, align 16\n"
                 "  store <4 x float> %v, ptr addrspace(1) %pr, align 16",
                 kShared),
          {1, 1, 1}, {16, 1, 1}),
      "");
  std::vector<float> result = getLast<float>();
  for (unsigned i = 0; i != 64; ++i)
    EXPECT_EQ(result[i], i % 4 < i / 4 % 4 ? float(i) : 0) << i;
}

TEST_F(MemoryTest, Traffic) {
  // Lane t accesses elements t * `stride` of width `width`; in shared memory
  // first, so that global memory is written whole.
  auto count = [&](unsigned stride, const std::string &type, unsigned bytes) {
    data.clear();
    function.buffers.clear();
    addInput(std::vector<char>(32 * stride * bytes));
    addOutput(32 * bytes);
    options.countTraffic = true;
    const std::string align = ", align " + std::to_string(bytes) + "\n";
    EXPECT_EQ(
        run(kernel("  %n = mul i64 %i, " + std::to_string(stride) +
                       "\n  %pa = getelementptr " + type +
                       ", ptr addrspace(1) %a, i64 %n\n  %ps = getelementptr " +
                       type +
                       ", ptr addrspace(3) @d, i64 %n\n"
                       "  %pr = getelementptr " +
                       type + ", ptr addrspace(1) %r, i64 %i\n  %x = load " +
                       type + ", ptr addrspace(1) %pa" + align + "  store " +
                       type + " %x, ptr addrspace(3) %ps" + align + "  store " +
                       type + " %x, ptr addrspace(1) %pr" + align,
                   "@d = external addrspace(3) global [0 x i8], align 16"),
            {1, 1, 1}, {32, 1, 1}, 32 * stride * bytes),
        "");
    return report.traffic;
  };
  MemoryTraffic rows = count(1, "float", 4);
  EXPECT_EQ(rows.sharedAccesses, 1u);
  EXPECT_EQ(rows.sharedTurns, 1u);
  EXPECT_EQ(rows.globalBytes, 256u);
  EXPECT_EQ(rows.globalSectors, 8u);
  // Every bank of the even ones twice, and half of each sector.
  MemoryTraffic apart = count(2, "float", 4);
  EXPECT_EQ(apart.sharedTurns, 2u);
  EXPECT_EQ(apart.globalSectors, 4u + 8u);
  EXPECT_EQ(count(32, "float", 4).sharedTurns, 32u);
  EXPECT_EQ(count(33, "float", 4).sharedTurns, 1u);
  // Eight lanes at a time.
  MemoryTraffic wide = count(1, "<4 x float>", 16);
  EXPECT_EQ(wide.sharedAccesses, 4u);
  EXPECT_EQ(wide.sharedTurns, 4u);
  EXPECT_EQ(count(2, "<4 x float>", 16).sharedTurns, 8u);
}

TEST_F(MemoryTest, LaunchLimits) {
  setFloats(64);
  const std::string text =
      kernel(load() + "  store float %x, ptr addrspace(1) %pr");
  EXPECT_THAT(run(text, {1, 1, 1}, {1025, 1, 1}),
              HasSubstr("found blocks of 1025 x 1 x 1 threads; expected 1 to "
                        "1024"));
  EXPECT_THAT(run(text, {1, 65536, 1}, {32, 1, 1}),
              HasSubstr("found a grid of 1 x 65536 x 1 blocks"));
  EXPECT_THAT(run(text, {1, 1, 1}, {64, 1, 1}, 300000),
              HasSubstr("found 300000 bytes of shared memory a block; a block "
                        "of sm_90a has 232448"));
  const std::string fixed =
      "define ptx_kernel void @k(ptr addrspace(1) align 32 %a, "
      "ptr addrspace(1) %r) #0 {\n  ret void\n}\n"
      "attributes #0 = { \"nvvm.reqntid\"=\"64,1,1\" }\n";
  EXPECT_THAT(run(fixed, {1, 1, 1}, {32, 1, 1}),
              HasSubstr("found blocks of 32 x 1 x 1 threads; the kernel is "
                        "compiled for 64 x 1 x 1"));
  EXPECT_THAT(run(fixed, {1, 1, 1}, {64, 1, 1}),
              HasSubstr("argument 0 is aligned to 16 bytes; the kernel demands "
                        "32"));
  launch.kernel = "other";
  EXPECT_THAT(run(text, {1, 1, 1}, {32, 1, 1}),
              HasSubstr("found no kernel 'other' in the module"));
  launch.kernel = "k";
  data.pop_back();
  EXPECT_THAT(run(text, {1, 1, 1}, {32, 1, 1}),
              HasSubstr("result 0 (tensor<256xi8>) of 'f' has 256 bytes; found "
                        "no argument for it"));
}
