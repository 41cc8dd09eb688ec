//===- DeviceTest.cpp - The GPU of this machine ---------------------------===//

#include "FakeDevice.h"

using namespace llvm;
using namespace sched;
using namespace sched::test;

namespace {

using DeviceTest = FakeDeviceTest;

TEST_F(DeviceTest, SaysWhatItIs) {
  ASSERT_NO_FATAL_FAILURE(open("sms=14\nl2=52428800\n"));
  const DeviceProperties &properties = device->getProperties();
  EXPECT_EQ(properties.name, "Fake GPU");
  EXPECT_EQ(properties.getChip(), "sm_90");
  EXPECT_EQ(properties.driverVersion, 12040);
  EXPECT_EQ(properties.multiprocessors, 14);
  EXPECT_EQ(properties.maxBlockSharedBytes, 232448);
  EXPECT_EQ(properties.l2Bytes, 52428800);
  EXPECT_NEAR(properties.clockGHz, 1.755, 1e-9);
  EXPECT_NEAR(properties.memoryGBs, 3352.32, 1e-6);
}

TEST_F(DeviceTest, ErrorsSayWhyThereIsNone) {
  Failure failure = take(Device::open("/none/libcuda.so.1").takeError());
  EXPECT_EQ(failure.kind, DeviceError::Kind::Absent);
  EXPECT_NE(failure.message.find("found no NVIDIA driver"), std::string::npos)
      << failure.message;
  EXPECT_NE(failure.message.find("SCHED_CUDA_DRIVER=FILE"), std::string::npos);

  auto refuse = [&](StringRef script) {
    write(script);
    return take(Device::open(SCHED_FAKE_DRIVER_PATH).takeError());
  };
  failure = refuse("init=100\n");
  EXPECT_EQ(failure.kind, DeviceError::Kind::Absent);
  EXPECT_EQ(failure.message,
            "starting the NVIDIA driver: CUDA_ERROR_NO_DEVICE");
  failure = refuse("devices=0\n");
  EXPECT_EQ(failure.kind, DeviceError::Kind::Absent);
  EXPECT_EQ(failure.message, "the NVIDIA driver finds no GPU");
  failure = refuse("init=803\n");
  EXPECT_EQ(failure.kind, DeviceError::Kind::DriverTooOld);
  EXPECT_EQ(failure.message, "starting the NVIDIA driver: CUDA error 803");
  failure = refuse("context=46\n");
  EXPECT_EQ(failure.kind, DeviceError::Kind::Absent);
  EXPECT_EQ(failure.message, "taking Fake GPU: CUDA_ERROR_DEVICE_UNAVAILABLE");
}

TEST_F(DeviceTest, ALibraryThatIsNoDriverIsRefused) {
  Failure failure = take(Driver::load("libc.so.6").takeError());
  EXPECT_EQ(failure.kind, DeviceError::Kind::DriverTooOld);
  EXPECT_NE(failure.message.find("found 'libc.so.6' without cuInit"),
            std::string::npos)
      << failure.message;
}

TEST_F(DeviceTest, TheEnvironmentNamesTheDriver) {
  setenv(kDriverVariable, SCHED_FAKE_DRIVER_PATH, /*overwrite=*/1);
  EXPECT_TRUE(bool(Device::open()));
  setenv(kDriverVariable, "/none/of/these", /*overwrite=*/1);
  Failure failure = take(Device::open().takeError());
  EXPECT_NE(failure.message.find("expected /none/of/these"), std::string::npos)
      << failure.message;
  unsetenv(kDriverVariable);
}

TEST_F(DeviceTest, CopiesThereAndBack) {
  ASSERT_NO_FATAL_FAILURE(open());
  Expected<DeviceBuffer> buffer = device->allocate(1000);
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ(buffer->getAddress() % 256, 0u);
  std::vector<char> sent(1000), got(1000);
  for (size_t i = 0; i != sent.size(); ++i)
    sent[i] = static_cast<char>(7 * i);
  ASSERT_FALSE(bool(device->upload(*buffer, sent.data())));
  ASSERT_FALSE(bool(device->download(*buffer, got.data())));
  EXPECT_EQ(got, sent);
  EXPECT_EQ(cantFail(device->findTrespass(*buffer)), std::nullopt);
  // Moved, it is the same memory, which is freed once.
  DeviceBuffer moved = std::move(*buffer);
  ASSERT_FALSE(bool(device->download(moved, got.data())));
  EXPECT_EQ(got, sent);
}

TEST_F(DeviceTest, FindsWhatWasWrittenBesideABuffer) {
  ASSERT_NO_FATAL_FAILURE(open());
  DeviceBuffer buffer = cantFail(device->allocate(100));
  for (int64_t offset : {-4096, -1, 100, 100 + 4095}) {
    const Driver::Address address = buffer.getAddress() + offset;
    char byte = 0;
    const Driver &driver = device->getDriver();
    char before = 0;
    ASSERT_EQ(driver.memcpyDtoH(&before, address, 1), Driver::kSuccess);
    ASSERT_EQ(driver.memcpyHtoD(address, &byte, 1), Driver::kSuccess);
    EXPECT_EQ(cantFail(device->findTrespass(buffer)), offset);
    ASSERT_EQ(driver.memcpyHtoD(address, &before, 1), Driver::kSuccess);
    EXPECT_EQ(cantFail(device->findTrespass(buffer)), std::nullopt);
  }
}

TEST_F(DeviceTest, ReportsWhatDoesNotFit) {
  ASSERT_NO_FATAL_FAILURE(open("memory=20000\n"));
  DeviceBuffer small = cantFail(device->allocate(1000));
  Failure failure = take(device->allocate(16384).takeError());
  EXPECT_EQ(failure.kind, DeviceError::Kind::Memory);
  EXPECT_EQ(failure.message, "allocating 16384 bytes on the GPU: "
                             "CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(DeviceTest, FlushesTwiceTheCache) {
  ASSERT_NO_FATAL_FAILURE(open("l2=1000000\nmemset-us=250\n"));
  // The buffer and its guard bands; from then on one write each.
  ASSERT_FALSE(bool(device->flushCache()));
  auto flush = [&] { return device->flushCache(); };
  EXPECT_NEAR(cantFail(device->time(flush)), 250e-6, 1e-9);
  ASSERT_NO_FATAL_FAILURE(open("l2=1000000\nmemory=2008191\n"));
  EXPECT_EQ(take(device->flushCache()).kind, DeviceError::Kind::Memory);
}

TEST_F(DeviceTest, TimesByEvents) {
  ASSERT_NO_FATAL_FAILURE(open("memset-us=1500\n"));
  DeviceBuffer buffer = cantFail(device->allocate(64));
  const Driver &driver = device->getDriver();
  auto twice = [&] {
    for (int i = 0; i != 2; ++i)
      cantFail(driver.check(
          driver.memsetD8Async(buffer.getAddress(), 1, 64, device->getStream()),
          "writing"));
    return Error::success();
  };
  EXPECT_NEAR(cantFail(device->time(twice)), 3e-3, 1e-9);
  // Nothing takes at least what events resolve.
  EXPECT_EQ(cantFail(device->time([] { return Error::success(); })), 5e-7);
  Failure failure =
      take(device->time([] { return createStringError("not even asked"); })
               .takeError());
  EXPECT_EQ(failure.message, "no DeviceError: not even asked");
}

} // namespace
