//===- FakeDevice.h - A GPU that does what a test says ----------*- C++ -*-===//

#ifndef SCHEDOPT_TEST_UNIT_DEVICE_FAKEDEVICE_H
#define SCHEDOPT_TEST_UNIT_DEVICE_FAKEDEVICE_H

#include "SchedOpt/Device/Device.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

namespace sched::test {

/// Runs a test on the driver of test/FakeDriver, with a script of its own.
class FakeDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("fake-gpu", "txt", path));
    setenv("SCHED_FAKE_CUDA", path.c_str(), /*overwrite=*/1);
  }
  void TearDown() override {
    device.reset();
    for (llvm::StringRef suffix : {"", ".count", ".loads", ".lost"})
      llvm::sys::fs::remove(path + suffix);
    unsetenv("SCHED_FAKE_CUDA");
  }

  void write(llvm::StringRef script) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << script;
    ASSERT_FALSE(code);
  }

  /// Opens the device, which works by `script`.
  void open(llvm::StringRef script = "") {
    write(script);
    llvm::Expected<std::unique_ptr<Device>> opened =
        Device::open(SCHED_FAKE_DRIVER_PATH);
    ASSERT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
    device = std::move(*opened);
  }

  llvm::SmallString<128> path;
  std::unique_ptr<Device> device;
};

/// Kind and text of an error of the device.
struct Failure {
  DeviceError::Kind kind = DeviceError::Kind::Other;
  std::string message;
};

inline Failure take(llvm::Error error) {
  Failure failure;
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceError &failed) {
        failure = {failed.kind, failed.message};
      },
      [&](const llvm::ErrorInfoBase &other) {
        failure.message = "no DeviceError: " + other.message();
      });
  return failure;
}

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_DEVICE_FAKEDEVICE_H
