//===- TargetTest.cpp - Target specs --------------------------------------===//

#include "SchedOpt/Support/Target.h"
#include "gtest/gtest.h"

using sched::Target;

static Target parse(llvm::StringRef spec, int threads = 0) {
  auto target = Target::parse(spec, threads);
  EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
  return target ? *target : Target();
}

static std::string errorOf(llvm::StringRef spec, int threads = 0) {
  auto target = Target::parse(spec, threads);
  return target ? "no error" : llvm::toString(target.takeError());
}

TEST(Target, InstructionSetFollowsTheProcessor) {
  Target zen3 = parse("cpu:mcpu=znver3,triple=x86_64-linux-gnu");
  EXPECT_EQ(zen3.vectorBytes, 32);
  EXPECT_EQ(zen3.vectorRegisters, 16);
  EXPECT_TRUE(zen3.hasFMA);
  EXPECT_EQ(zen3.l2Bytes, 512 << 10);
  Target spr = parse("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu");
  EXPECT_EQ(spr.vectorBytes, 64);
  EXPECT_EQ(spr.vectorRegisters, 32);
  Target neoverse = parse("cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu");
  EXPECT_EQ(neoverse.vectorBytes, 16);
  EXPECT_EQ(neoverse.vectorRegisters, 32);
  EXPECT_FALSE(parse("cpu:mcpu=x86-64,triple=x86_64-linux-gnu").hasFMA);
}

TEST(Target, NativeIsTheHost) {
  Target native = parse("native", 3);
  EXPECT_TRUE(native.isHost());
  EXPECT_EQ(native.threads, 3);
  EXPECT_FALSE(native.mcpu.empty());
  EXPECT_GE(native.cores, 1);
  EXPECT_EQ(parse("native").threads, native.cores);
  EXPECT_FALSE(
      parse("cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu").isHost() &&
      parse("cpu:mcpu=znver3,triple=x86_64-linux-gnu").isHost());
}

TEST(Target, TextRoundTrips) {
  for (llvm::StringRef spec :
       {"native", "cpu:mcpu=znver3,triple=x86_64-linux-gnu,l2=1048576",
        "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu"}) {
    Target target = parse(spec, 2);
    EXPECT_EQ(parse(target.str(), 2).str(), target.str());
  }
  EXPECT_EQ(parse("cpu:mcpu=znver3,triple=x86_64-linux-gnu,l2=1048576").l2Bytes,
            1048576);
}

TEST(Target, ErrorsSayWhatToDo) {
  EXPECT_EQ(errorOf("vax"),
            "unknown target 'vax'; expected 'native', 'cpu', "
            "'cpu:mcpu=NAME[,triple=...]' or 'nvvm:CHIP', such as nvvm:sm_90a");
  EXPECT_NE(errorOf("cpu:mcpu=znver33").find("near: znver3"),
            std::string::npos);
  EXPECT_NE(errorOf("cpu:mcpu=znver3,triple=nosuch").find("unknown triple"),
            std::string::npos);
  EXPECT_NE(errorOf("cpu:colour=red").find("unknown key 'colour'"),
            std::string::npos);
  EXPECT_NE(errorOf("cpu:l1=big").find("needs a positive number; found 'big'"),
            std::string::npos);
  EXPECT_NE(errorOf("cpu:triple=aarch64-linux-gnu").find("add 'mcpu=NAME'"),
            std::string::npos);
  EXPECT_NE(errorOf("native", -1).find("threads must be 0"), std::string::npos);
}
