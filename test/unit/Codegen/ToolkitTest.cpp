//===- ToolkitTest.cpp - What assemblers report ---------------------------===//

#include "SchedOpt/Codegen/Toolkit.h"
#include "gtest/gtest.h"

using namespace sched;

TEST(ToolkitTest, readsWhatEachKernelTakes) {
  const llvm::StringMap<KernelResources> kernels = parseAssemblerLog(
      R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'f_kernel_0' for 'sm_90a'
ptxas info    : Function properties for f_kernel_0
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers, 400 bytes smem, 16 bytes cmem[2]
ptxas info    : Compile time = 42.157 ms
ptxas info    : Compiling entry function 'f_kernel_1' for 'sm_90a'
ptxas info    : Function properties for f_kernel_1
    72 bytes stack frame, 128 bytes spill stores, 64 bytes spill loads
ptxas info    : Function properties for helper
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 80 bytes cumulative stack size
)");
  ASSERT_EQ(kernels.size(), 2u);
  const KernelResources first = kernels.lookup("f_kernel_0"),
                        second = kernels.lookup("f_kernel_1");
  EXPECT_EQ(first.registers, 168u);
  EXPECT_EQ(first.sharedBytes, 400u);
  EXPECT_EQ(first.stackBytes, 0u);
  EXPECT_EQ(first.spillStoreBytes, 0u);
  EXPECT_EQ(second.registers, 24u);
  EXPECT_EQ(second.sharedBytes, 0u);
  EXPECT_EQ(second.stackBytes, 80u);
  EXPECT_EQ(second.spillStoreBytes, 128u);
  EXPECT_EQ(second.spillLoadBytes, 64u);
}

TEST(ToolkitTest, findsNoKernelInOtherText) {
  EXPECT_TRUE(parseAssemblerLog("").empty());
  EXPECT_TRUE(parseAssemblerLog("ptxas info : Used 8 registers\n"
                                "    8 bytes stack frame\n")
                  .empty());
}
