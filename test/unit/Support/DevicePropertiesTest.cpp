//===- DevicePropertiesTest.cpp - What a driver says of a GPU -------------===//

#include "SchedOpt/Support/DeviceProperties.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace sched;

namespace {

DeviceProperties makeDevice(int major, int minor) {
  DeviceProperties device;
  device.name = "GPU";
  device.major = major;
  device.minor = minor;
  return device;
}

std::string name(StringRef spec, const DeviceProperties &device) {
  Expected<std::string> named = nameGraphicsProcessor(spec, device);
  return named ? *named : toString(named.takeError());
}

TEST(DeviceProperties, SpecsOfThisMachineAreTold) {
  EXPECT_TRUE(isNativeGraphicsProcessor("nvvm:native"));
  EXPECT_TRUE(isNativeGraphicsProcessor("nvvm:native,l2=1"));
  EXPECT_FALSE(isNativeGraphicsProcessor("nvvm:natives"));
  EXPECT_FALSE(isNativeGraphicsProcessor("nvvm:sm_80"));
  EXPECT_FALSE(isNativeGraphicsProcessor("native"));
  EXPECT_TRUE(isGraphicsProcessor("nvvm:sm_80"));
  EXPECT_TRUE(isGraphicsProcessor("nvvm"));
  EXPECT_FALSE(isGraphicsProcessor("nvvmx:sm_80"));
  EXPECT_FALSE(isGraphicsProcessor("native"));
}

TEST(DeviceProperties, ANameIsTheNearestChipWithWhatTheDriverSays) {
  DeviceProperties hopper = makeDevice(9, 0);
  hopper.multiprocessors = 78;
  hopper.memoryGBs = 4022.9;
  hopper.l2Bytes = int64_t(1) << 40; // no figure that a spec takes
  EXPECT_EQ(name("nvvm:native", hopper),
            "nvvm:chip=sm_90a,multiprocessors=78,memory-gbs=4022");
  // Keys that are given win.
  EXPECT_EQ(name("nvvm:native,multiprocessors=4", hopper),
            "nvvm:chip=sm_90a,memory-gbs=4022,multiprocessors=4");
  // What it says parses, and stands for the same.
  Expected<Target> target = Target::parse(name("nvvm:native", hopper));
  ASSERT_TRUE(bool(target)) << toString(target.takeError());
  EXPECT_EQ(target->gpu.multiprocessors, 78);
  // 8.7 runs code for 8.6, 8.0 only its own.
  EXPECT_EQ(name("nvvm:native", makeDevice(8, 7)), "nvvm:chip=sm_86");
  EXPECT_EQ(name("nvvm:native", makeDevice(8, 0)), "nvvm:chip=sm_80");
  EXPECT_NE(name("nvvm:native", makeDevice(7, 5))
                .find("found GPU, a GPU of sm_75, for target 'nvvm:native'; "
                      "expected one that runs code for sm_80, "),
            std::string::npos);
}

TEST(DeviceProperties, CodeRunsOnItsChipAndLaterOnesOfItsGeneration) {
  auto runs = [](StringRef chip, int major, int minor) {
    Expected<Target> target = Target::parse(("nvvm:" + chip).str());
    EXPECT_TRUE(bool(target));
    Error error = checkRunsOn(*target, makeDevice(major, minor));
    const bool isFine = !error;
    consumeError(std::move(error));
    return isFine;
  };
  EXPECT_TRUE(runs("sm_80", 8, 0));
  EXPECT_TRUE(runs("sm_80", 8, 9));
  EXPECT_FALSE(runs("sm_89", 8, 6));
  EXPECT_FALSE(runs("sm_80", 9, 0));
  EXPECT_TRUE(runs("sm_90a", 9, 0));
  EXPECT_TRUE(runs("sm_100", 10, 3));
  EXPECT_FALSE(runs("sm_100a", 10, 3));
}

TEST(DeviceProperties, OnlyASearchKnowsTheMachinesGPU) {
  Expected<Target> target = Target::parse("nvvm:native");
  ASSERT_FALSE(bool(target));
  EXPECT_NE(toString(target.takeError())
                .find("target 'nvvm:native' is the GPU of this machine"),
            std::string::npos);
}

} // namespace
