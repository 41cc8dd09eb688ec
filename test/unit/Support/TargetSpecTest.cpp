//===- TargetSpecTest.cpp - Every key and error of a spec -----------------===//

#include "SchedOpt/Support/Target.h"
#include "SchedOpt/Support/TensorFloat.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using sched::Target;

/// The target of a spec that must parse.
static Target parse(llvm::StringRef spec, int threads = 0) {
  llvm::Expected<Target> target = Target::parse(spec, threads);
  if (target)
    return *target;
  ADD_FAILURE() << spec.str() << ": " << llvm::toString(target.takeError());
  return Target();
}

/// The message of a spec that must not.
static std::string parseError(llvm::StringRef spec, int threads = 0) {
  llvm::Expected<Target> target = Target::parse(spec, threads);
  if (!target)
    return llvm::toString(target.takeError());
  ADD_FAILURE() << spec.str() << " parsed to " << target->str();
  return "";
}

static bool contains(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

/// What the code generator and the model see of a target.
static void expectSame(const Target &a, const Target &b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.triple, b.triple);
  EXPECT_EQ(a.mcpu, b.mcpu);
  EXPECT_EQ(a.cores, b.cores);
  EXPECT_EQ(a.vectorBytes, b.vectorBytes);
  EXPECT_EQ(a.vectorRegisters, b.vectorRegisters);
  EXPECT_EQ(a.fmaPorts, b.fmaPorts);
  EXPECT_EQ(a.fmaLatency, b.fmaLatency);
  EXPECT_EQ(a.hasFMA, b.hasFMA);
  EXPECT_EQ(a.l1Bytes, b.l1Bytes);
  EXPECT_EQ(a.l2Bytes, b.l2Bytes);
  EXPECT_EQ(a.l3Bytes, b.l3Bytes);
  EXPECT_EQ(a.str(), b.str());
}

TEST(TargetSpec, NativeIsThisMachine) {
  Target target = parse("native");
  EXPECT_EQ(target.kind, Target::Kind::CPU);
  EXPECT_EQ(target.mcpu, llvm::sys::getHostCPUName());
  EXPECT_FALSE(target.features.empty());
  EXPECT_GE(target.cores, 1);
  EXPECT_EQ(target.threads, target.cores);
  EXPECT_GE(target.vectorBytes, 16);
  EXPECT_GE(target.l1Bytes, 8 << 10);
  EXPECT_GE(target.l2Bytes, target.l1Bytes);
  EXPECT_GT(target.clockGHz, 0.5);
  EXPECT_TRUE(target.isHost());
  expectSame(target, parse("cpu"));
  expectSame(target, parse("cpu:mcpu=native"));
}

TEST(TargetSpec, ThreadsAreSeparate) {
  EXPECT_EQ(parse("native", 3).threads, 3);
  Target one = parse("cpu:mcpu=znver3", 1), two = parse("cpu:mcpu=znver3", 2);
  EXPECT_EQ(one.threads, 1);
  EXPECT_EQ(two.threads, 2);
  EXPECT_TRUE(contains(parseError("native", -1), "found -1"));
}

TEST(TargetSpec, InstructionSetGivesVectors) {
  struct {
    const char *spec;
    int bytes, registers;
    bool fma;
  } cases[] = {
      {"cpu:mcpu=x86-64,triple=x86_64-linux-gnu", 16, 16, false},
      {"cpu:mcpu=sandybridge,triple=x86_64-linux-gnu", 32, 16, false},
      {"cpu:mcpu=haswell,triple=x86_64-linux-gnu", 32, 16, true},
      {"cpu:mcpu=znver3,triple=x86_64-linux-gnu", 32, 16, true},
      {"cpu:mcpu=znver4,triple=x86_64-linux-gnu", 64, 32, true},
      {"cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu", 64, 32, true},
      {"cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu", 16, 32, true},
      {"cpu:mcpu=apple-m1,triple=arm64-apple-macosx", 16, 32, true}};
  for (const auto &c : cases) {
    Target target = parse(c.spec);
    EXPECT_EQ(target.vectorBytes, c.bytes) << c.spec;
    EXPECT_EQ(target.vectorRegisters, c.registers) << c.spec;
    EXPECT_EQ(target.hasFMA, c.fma) << c.spec;
  }
}

TEST(TargetSpec, FeaturesChangeTheInstructionSet) {
  Target target = parse("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,"
                        "features=-avx512f");
  EXPECT_EQ(target.vectorBytes, 32);
  EXPECT_EQ(target.vectorRegisters, 16);
  target = parse("cpu:mcpu=x86-64,triple=x86_64-linux-gnu,features=+avx2;+fma");
  EXPECT_EQ(target.features, "+avx2,+fma");
  EXPECT_EQ(target.vectorBytes, 32);
  EXPECT_TRUE(target.hasFMA);
}

TEST(TargetSpec, KeysOverride) {
  Target target =
      parse("cpu:mcpu=znver3,triple=x86_64-linux-gnu,cores=12,l1=1000,l2=2000,"
            "l3=5000000000,vector-bytes=16,vector-registers=8",
            4);
  EXPECT_EQ(target.cores, 12);
  EXPECT_EQ(target.threads, 4);
  EXPECT_EQ(target.l1Bytes, 1000);
  EXPECT_EQ(target.l2Bytes, 2000);
  EXPECT_EQ(target.l3Bytes, 5000000000);
  EXPECT_EQ(target.vectorBytes, 16);
  EXPECT_EQ(target.vectorRegisters, 8);
}

TEST(TargetSpec, BytesThatStayInTheLastLevel) {
  Target target;
  target.l2Bytes = 1 << 20;
  target.l3Bytes = int64_t(32) << 20;
  EXPECT_EQ(target.getKeptBytes(), int64_t(32) << 20);
  EXPECT_EQ(target.getKeptBesideBytes(), target.getKeptBytes());
  EXPECT_EQ(target.getNearBytes(), int64_t(8) << 20);
  EXPECT_EQ(target.getFarBytes(), target.getNearBytes());
  EXPECT_FALSE(target.hasServerCache());
  // A server's, however large.
  target.l3Bytes = int64_t(260) << 20;
  EXPECT_EQ(target.getKeptBytes(), int64_t(8) << 20);
  EXPECT_EQ(target.getKeptBesideBytes(), target.getKeptBytes());
  EXPECT_EQ(target.getNearBytes(), int64_t(24) << 20);
  EXPECT_EQ(target.getFarBytes(), int64_t(8) << 20);
  EXPECT_TRUE(target.hasServerCache());
  target.l3Bytes = int64_t(480) << 20;
  EXPECT_EQ(target.getKeptBytes(), int64_t(8) << 20);
  EXPECT_EQ(target.getKeptBesideBytes(), int64_t(10) << 20);
  // None: then the second one is the last.
  target.l3Bytes = 0;
  EXPECT_EQ(target.getNearBytes(), target.l2Bytes);
  EXPECT_EQ(target.getFarBytes(), target.l2Bytes);
}

TEST(TargetSpec, ProcessorsThatNobodyListsGetDefaults) {
  Target target = parse("cpu:mcpu=btver2,triple=x86_64-linux-gnu");
  Target defaults;
  EXPECT_EQ(target.l2Bytes, defaults.l2Bytes);
  EXPECT_EQ(target.fmaLatency, defaults.fmaLatency);
}

TEST(TargetSpec, StringParsesToTheSameTarget) {
  for (const char *spec :
       {"native", "cpu:mcpu=znver3,triple=x86_64-linux-gnu",
        "cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu",
        "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu",
        "cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,features=-avx512f",
        "cpu:mcpu=x86-64,triple=x86_64-linux-gnu,features=+avx2;+fma",
        "cpu:mcpu=znver3,triple=x86_64-linux-gnu,l3=4194304,cores=3,"
        "vector-bytes=16"}) {
    Target target = parse(spec, 2);
    expectSame(target, parse(target.str(), 2));
  }
}

TEST(TargetSpec, StringTellsInstructionSetsApart) {
  // A virtual machine may hide a part of its processor.
  Target whole = parse("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu");
  Target hidden = parse("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,"
                        "features=-amx-tile");
  EXPECT_NE(whole.str(), hidden.str());
  EXPECT_TRUE(contains(hidden.str(), "-amx-tile"));
  // What the processor has anyhow, or misses anyhow, is no difference.
  EXPECT_EQ(whole.str(),
            parse("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,"
                  "features=+avx2;-sse4a")
                .str());
}

TEST(TargetSpec, AForeignTargetIsNotTheHost) {
  EXPECT_FALSE(
      parse("cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu").isHost() &&
      parse("cpu:mcpu=znver3,triple=x86_64-linux-gnu").isHost());
}

TEST(TargetSpec, AChipHasItsParameters) {
  const Target hopper = parse("nvvm:sm_90a"), ampere = parse("nvvm:chip=sm_80");
  EXPECT_EQ(hopper.kind, Target::Kind::NVVM);
  EXPECT_EQ(hopper.mcpu, "sm_90a");
  EXPECT_EQ(hopper.gpu.multiprocessors, 132);
  EXPECT_EQ(hopper.gpu.maxBlockSharedBytes, 227 * 1024);
  EXPECT_EQ(ampere.gpu.maxBlockSharedBytes, 163 * 1024);
  EXPECT_FALSE(hopper.isHost());
  const Target small = parse("nvvm:sm_80,multiprocessors=14,l2=1000000");
  EXPECT_EQ(small.gpu.multiprocessors, 14);
  EXPECT_EQ(parse(small.str()).str(), small.str());
}

TEST(TargetSpec, ProductsOfF32AreRoundedOnRequest) {
  const Target exact = parse("nvvm:sm_90a"),
               rounded = parse("nvvm:sm_90a,features=+tf32");
  EXPECT_FALSE(allowsTensorFloat(exact));
  EXPECT_TRUE(allowsTensorFloat(rounded));
  // Records tell the two apart.
  EXPECT_EQ(rounded.str(), exact.str() + ",features=+tf32");
  EXPECT_TRUE(allowsTensorFloat(parse(rounded.str())));
  EXPECT_FALSE(allowsTensorFloat(parse("native")));
  EXPECT_TRUE(contains(parseError("nvvm:sm_80,features=+ptx80"),
                       "unknown feature '+ptx80' in target "
                       "'nvvm:sm_80,features=+ptx80'; expected +tf32"));

  auto allow = [](llvm::StringRef spec, bool wanted) {
    return llvm::cantFail(sched::allowTensorFloat(spec, wanted));
  };
  EXPECT_EQ(allow("native", false), "native");
  EXPECT_EQ(allow("nvvm:sm_80", false), "nvvm:sm_80");
  EXPECT_EQ(allow("nvvm:sm_80", true), "nvvm:sm_80,features=+tf32");
  EXPECT_EQ(allow("nvvm:sm_80,features=+tf32", true),
            "nvvm:sm_80,features=+tf32");
  EXPECT_EQ(llvm::toString(sched::allowTensorFloat("cpu", true).takeError()),
            "found allow-tf32 for target 'cpu'; it is for GPUs, such as "
            "target=nvvm:sm_90a");
  // Of f16 it has twice as many.
  EXPECT_EQ(countTensorFloatLanes(parse("nvvm:sm_80")), 512);
}

TEST(TargetSpec, ErrorsSayWhatToDo) {
  std::string message = parseError("nvvm:sm_70");
  EXPECT_TRUE(contains(message, "chip 'sm_70' in target 'nvvm:sm_70' is too "
                                "old; expected sm_80 or later"));
  EXPECT_TRUE(contains(parseError("nvvm:gfx90a"), "expected one of sm_80"));
  EXPECT_TRUE(contains(parseError("nvvm"), "names no chip"));
  EXPECT_TRUE(contains(parseError("nvvm:sm_80,l2=0"),
                       "'l2' needs a positive number; found '0'"));
  EXPECT_TRUE(
      contains(parseError("nvvm:sm_80,colour=1"), "unknown key 'colour'"));

  EXPECT_TRUE(contains(parseError("tpu"), "unknown target 'tpu'; expected"));
  EXPECT_TRUE(contains(parseError(""), "expected 'native'"));

  message = parseError("cpu:mcpu=znver3,color=red");
  EXPECT_TRUE(contains(message, "unknown key 'color'"));
  EXPECT_TRUE(contains(message, "vector-registers"));

  message = parseError("cpu:mcpu=znver33,triple=x86_64-linux-gnu");
  EXPECT_TRUE(contains(message, "unknown mcpu 'znver33'"));
  EXPECT_TRUE(contains(message, "znver3")) << message;
  EXPECT_TRUE(contains(message, "-mcpu=help"));

  message = parseError("cpu:mcpu=znver3,triple=aarch64-linux-gnu");
  EXPECT_TRUE(contains(message, "'znver3' is no processor of aarch64"));
  EXPECT_TRUE(contains(message, "add 'triple=x86_64-linux-gnu'")) << message;

  message = parseError("cpu:mcpu=znver3,triple=m99k-none-linux");
  EXPECT_TRUE(contains(message, "m99k"));
  EXPECT_TRUE(contains(message, "expected one that LLVM"));

  message =
      parseError("cpu:triple=" + std::string(parse("native").triple[0] == 'x'
                                                 ? "aarch64-linux-gnu"
                                                 : "x86_64-linux-gnu"));
  EXPECT_TRUE(contains(message, "add 'mcpu=NAME'"));
}

TEST(TargetSpec, ValuesAreChecked) {
  const std::string cpu = "cpu:mcpu=znver3,triple=x86_64-linux-gnu,";
  EXPECT_TRUE(contains(parseError(cpu + "cores=0"), "found '0'"));
  EXPECT_TRUE(contains(parseError(cpu + "l2=512K"), "found '512K'"));
  EXPECT_TRUE(contains(parseError(cpu + "vector-bytes=24"), "found '24'"));
  EXPECT_TRUE(contains(parseError(cpu + "cores=4294967297"), "4294967297"));
  EXPECT_TRUE(contains(parseError(cpu + "features=avx2"), "'avx2'"));
  EXPECT_TRUE(contains(parseError(cpu + "features=+avx9"), "'+avx9'"));
  EXPECT_TRUE(contains(parseError(cpu + "l1=1,l1=2"), "'l1' twice"));
  EXPECT_TRUE(contains(parseError("cpu:mcpu"), "needs a value"));
}
