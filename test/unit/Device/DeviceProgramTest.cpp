//===- DeviceProgramTest.cpp - Kernels in a file, and on a device ---------===//

#include "SchedOpt/Device/DeviceProgram.h"
#include "FakeDevice.h"

using namespace llvm;
using namespace sched;
using namespace sched::test;

namespace {

/// A function of one tensor of 64 bytes: its kernel copies to scratch memory,
/// and a second one to the result.
DeviceProgram makeProgram() {
  DeviceProgram program;
  program.plan.chip = "sm_90a";
  LaunchFunction &function = program.plan.functions.emplace_back();
  function.name = "f";
  using Role = LaunchBuffer::Role;
  for (Role role : {Role::Input, Role::Output, Role::Scratch})
    function.buffers.push_back({role, "tensor<16xf32>", 64, 16});
  auto add = [&](const char *kernel, SmallVector<uint32_t> arguments) {
    KernelLaunch launch;
    launch.kernel = kernel;
    launch.grid = {2, 1, 1};
    launch.block = {32, 4, 1};
    launch.sharedBytes = 4096;
    launch.arguments = std::move(arguments);
    function.launches.push_back(std::move(launch));
  };
  add("f_kernel_0", {0, 2});
  add("f_kernel_1", {2, 1});
  program.ptx = ".visible .entry f_kernel_0(\n)\n.visible .entry f_kernel_1(\n";
  return program;
}

DeviceProgram makeAssembled() {
  DeviceProgram program = makeProgram();
  const std::string cubin = "cubin " + program.ptx;
  program.cubin.assign(cubin.begin(), cubin.end());
  program.cubin.push_back('\0');
  return program;
}

TEST(DeviceProgram, FilesRoundTrip) {
  DeviceProgram program = makeAssembled();
  Expected<DeviceProgram> read = DeviceProgram::parse(program.str(), "x.o");
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_EQ(read->ptx, program.ptx);
  EXPECT_EQ(read->cubin, program.cubin);
  EXPECT_EQ(read->str(), program.str());
  EXPECT_EQ(read->plan.functions[0].launches[1].arguments,
            (SmallVector<uint32_t>{2, 1}));
}

TEST(DeviceProgram, ErrorsSayWhatAFileIs) {
  auto complain = [](StringRef content) {
    return toString(DeviceProgram::parse(content, "x.o").takeError());
  };
  EXPECT_EQ(complain("\177ELF"), "found no JSON in 'x.o', expected a device "
                                 "program of format 1");
  EXPECT_NE(complain("{}\n").find("found another kind of file in 'x.o'"),
            std::string::npos);
  const std::string whole = makeProgram().str();
  const std::string message = complain(StringRef(whole).drop_back(3));
  EXPECT_NE(
      message.find("bytes of code, which is not what its first line says"),
      std::string::npos)
      << message;
}

class LoadedProgramTest : public FakeDeviceTest {
protected:
  Expected<LoadedProgram> load(const DeviceProgram &program,
                               StringRef function = "f") {
    return LoadedProgram::load(*device, program, function);
  }
  /// Memory of the operands, the input filled with `fill`.
  void provide(char fill) {
    for (int i = 0; i != 2; ++i) {
      buffers.push_back(cantFail(device->allocate(64)));
      addresses.push_back(buffers.back().getAddress());
    }
    const std::vector<char> input(64, fill);
    cantFail(device->upload(buffers[0], input.data()));
  }
  void TearDown() override {
    buffers.clear();
    FakeDeviceTest::TearDown();
  }
  std::vector<DeviceBuffer> buffers;
  SmallVector<Driver::Address> addresses;
};

TEST_F(LoadedProgramTest, LaunchesRunInOrderOverScratchMemory) {
  ASSERT_NO_FATAL_FAILURE(open("launch-us=40\n"));
  Expected<LoadedProgram> program = load(makeAssembled());
  ASSERT_TRUE(bool(program)) << toString(program.takeError());
  EXPECT_EQ(program->getOperands().size(), 2u);
  EXPECT_EQ(program->getResources().at("f_kernel_0").registers, 32u);
  provide(7);
  EXPECT_NEAR(
      cantFail(device->time([&] { return program->launch(addresses); })), 80e-6,
      1e-9);
  std::vector<char> result(64);
  ASSERT_FALSE(bool(device->download(buffers[1], result.data())));
  EXPECT_EQ(result, std::vector<char>(64, 7));
}

TEST_F(LoadedProgramTest, TheDriverAssemblesWhereTheToolkitWasTooNew) {
  ASSERT_NO_FATAL_FAILURE(open("cubin=209\nspill=24\n"));
  Expected<LoadedProgram> program = load(makeAssembled());
  ASSERT_TRUE(bool(program)) << toString(program.takeError());
  // It says what it made of it.
  EXPECT_EQ(program->getResources().at("f_kernel_1").spillStoreBytes, 24u);
}

TEST_F(LoadedProgramTest, ErrorsNameDriverAndChip) {
  ASSERT_NO_FATAL_FAILURE(open("ptx=222\ncubin=209\ndriver=11040\n"));
  Failure failure = take(load(makeAssembled()).takeError());
  EXPECT_EQ(failure.kind, DeviceError::Kind::DriverTooOld);
  EXPECT_EQ(failure.message,
            "loading PTX for sm_90a on Fake GPU (sm_90, driver for CUDA 11.4); "
            "Unsupported .version 8.0; current is 7.4: "
            "CUDA_ERROR_UNSUPPORTED_PTX_VERSION; update the NVIDIA driver, or "
            "install a CUDA toolkit that is no newer than it");
  DeviceProgram onlyCubin = makeAssembled();
  onlyCubin.ptx.clear();
  failure = take(load(onlyCubin).takeError());
  EXPECT_EQ(failure.kind, DeviceError::Kind::WrongCode);
  EXPECT_EQ(failure.message,
            "loading a cubin for sm_90a on Fake GPU (sm_90, driver for CUDA "
            "11.4); not for this chip: CUDA_ERROR_NO_BINARY_FOR_GPU");

  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(take(load(makeProgram(), "g").takeError()).message,
            "found no function g in the launch plan");
  DeviceProgram other = makeProgram();
  other.plan.functions[0].launches[0].kernel = "nobody";
  EXPECT_EQ(take(load(other).takeError()).message,
            "looking for the kernel nobody: CUDA_ERROR_NOT_FOUND");
  other = makeProgram();
  other.plan.functions[0].launches[0].arguments = {0, 3};
  EXPECT_EQ(take(load(other).takeError()).message,
            "found an argument of f_kernel_0 that is no buffer of f");
  other = makeProgram();
  other.plan.functions[0].launches[0].sharedBytes = 240000;
  failure = take(load(other).takeError());
  EXPECT_EQ(failure.kind, DeviceError::Kind::OverLimit);
  EXPECT_EQ(failure.message,
            "found 240000 bytes of shared memory for a block of f_kernel_0, "
            "expected at most 232448 on this GPU");
}

TEST_F(LoadedProgramTest, AFaultSticks) {
  ASSERT_NO_FATAL_FAILURE(open("crash-at=2\n"));
  LoadedProgram program = cantFail(load(makeAssembled()));
  provide(1);
  // The launch itself is well; who waits learns of it.
  ASSERT_FALSE(bool(program.launch(addresses)));
  std::vector<char> result(64);
  Failure failure = take(device->download(buffers[1], result.data()));
  EXPECT_EQ(failure.kind, DeviceError::Kind::Crash);
  EXPECT_EQ(failure.message, "running kernels: CUDA_ERROR_ILLEGAL_ADDRESS (an "
                             "illegal memory access was encountered)");
  EXPECT_EQ(take(program.launch(addresses)).kind, DeviceError::Kind::Crash);
  EXPECT_EQ(take(device->allocate(1).takeError()).kind,
            DeviceError::Kind::Crash);
}

TEST_F(LoadedProgramTest, ARefusedLaunchDoesNot) {
  ASSERT_NO_FATAL_FAILURE(open("refuse-at=1\n"));
  LoadedProgram program = cantFail(load(makeAssembled()));
  provide(1);
  Failure failure = take(program.launch(addresses));
  EXPECT_EQ(failure.kind, DeviceError::Kind::OverLimit);
  EXPECT_EQ(failure.message, "launching f_kernel_0: "
                             "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
  EXPECT_FALSE(bool(program.launch(addresses)));
  EXPECT_FALSE(bool(device->synchronize("running kernels")));
}

TEST_F(LoadedProgramTest, ALostDeviceIsGoneForAll) {
  ASSERT_NO_FATAL_FAILURE(open("lost-at=1\n"));
  LoadedProgram program = cantFail(load(makeAssembled()));
  provide(1);
  ASSERT_FALSE(bool(program.launch(addresses)));
  EXPECT_EQ(take(device->synchronize("running kernels")).kind,
            DeviceError::Kind::Crash);
  EXPECT_EQ(take(Device::open(SCHED_FAKE_DRIVER_PATH).takeError()).kind,
            DeviceError::Kind::Absent);
}

} // namespace
