//===- TargetConversionTest.cpp - Target and #schedule.target -------------===//

#include "SchedOpt/Dialect/Schedule/IR/TargetConversion.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::schedule;

namespace {

class TargetConversion : public testing::Test {
protected:
  TargetConversion() { context.loadDialect<ScheduleDialect>(); }
  TargetAttr parse(StringRef text) {
    return dyn_cast_or_null<TargetAttr>(parseAttribute(text, &context));
  }
  MLIRContext context;
};

TEST_F(TargetConversion, ValueToAttributeAndBack) {
  ::sched::Target target;
  target.triple = "aarch64-linux-gnu";
  target.mcpu = "neoverse-v2";
  target.features = "+sve";
  target.cores = 72;
  target.threads = 8;
  target.vectorRegisters = 32;
  target.byElement = true;
  target.fmaPorts = 4;
  target.l1Bytes = 65536;
  target.l2Bytes = 1 << 20;
  target.l3Bytes = 117 << 20;
  target.clockGHz = 3.1;
  target.memoryGBs = 480.5;
  TargetAttr attribute = getTargetAttr(&context, target);
  EXPECT_EQ(attribute.getLine(), 64);
  llvm::Expected<::sched::Target> back = getTarget(attribute);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->triple, target.triple);
  EXPECT_EQ(back->mcpu, target.mcpu);
  EXPECT_EQ(back->features, target.features);
  EXPECT_EQ(back->cores, 72);
  EXPECT_EQ(back->threads, 8);
  EXPECT_EQ(back->vectorBytes, 16);
  EXPECT_EQ(back->vectorRegisters, 32);
  EXPECT_EQ(back->fmaPorts, 4);
  EXPECT_TRUE(back->hasFMA);
  EXPECT_TRUE(back->byElement);
  EXPECT_EQ(back->l1Bytes, 65536);
  EXPECT_EQ(back->l2Bytes, 1 << 20);
  EXPECT_EQ(back->l3Bytes, 117 << 20);
  EXPECT_EQ(back->cacheLineBytes, 64);
  EXPECT_DOUBLE_EQ(back->clockGHz, 3.1);
  EXPECT_DOUBLE_EQ(back->memoryGBs, 480.5);
  EXPECT_EQ(getTargetAttr(&context, *back), attribute);
}

TEST_F(TargetConversion, NoFMA) {
  ::sched::Target target;
  target.hasFMA = false;
  TargetAttr attribute = getTargetAttr(&context, target);
  EXPECT_EQ(attribute.getFmaPorts(), 0);
  llvm::Expected<::sched::Target> back = getTarget(attribute);
  ASSERT_TRUE(bool(back));
  EXPECT_FALSE(back->hasFMA);
  EXPECT_EQ(getTargetAttr(&context, *back), attribute);
}

TEST_F(TargetConversion, UnknownClockKeepsTheDefault) {
  llvm::Expected<::sched::Target> target =
      getTarget(parse("#schedule.target<cpu, mcpu = \"znver3\">"));
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->mcpu, "znver3");
  EXPECT_EQ(target->clockGHz, ::sched::Target().clockGHz);
  EXPECT_EQ(target->memoryGBs, ::sched::Target().memoryGBs);
}

TEST_F(TargetConversion, GPU) {
  auto parsed = ::sched::Target::parse("nvvm:sm_90a,multiprocessors=16");
  ASSERT_TRUE(bool(parsed));
  const TargetAttr attribute = getTargetAttr(&context, *parsed);
  EXPECT_EQ(attribute, parse("#schedule.target<nvvm, memory_mbs = 3350000, "
                             "arch = \"sm_90a\", multiprocessors = 16, "
                             "shared_memory = 233472, registers = 65536, "
                             "max_threads = 1024, warp = 32>"));
  llvm::Expected<::sched::Target> target = getTarget(attribute);
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->kind, ::sched::Target::Kind::NVVM);
  EXPECT_EQ(target->str(), parsed->str());

  parsed = ::sched::Target::parse("nvvm:sm_80,features=+tf32");
  ASSERT_TRUE(bool(parsed));
  target = getTarget(getTargetAttr(&context, *parsed));
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->str(), parsed->str());
  EXPECT_EQ(target->features, "+tf32");

  target = getTarget(
      parse("#schedule.target<nvvm, arch = \"sm_35\", multiprocessors = 8, "
            "shared_memory = 49152, registers = 65536, max_threads = 1024, "
            "warp = 32>"));
  ASSERT_FALSE(bool(target));
  EXPECT_NE(llvm::toString(target.takeError()).find("too old"),
            std::string::npos);
}

} // namespace
