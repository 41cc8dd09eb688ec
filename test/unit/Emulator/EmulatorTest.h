//===- EmulatorTest.h - Runs LLVM IR text in the emulator -------*- C++ -*-===//
//
// What the tests of the emulator share: buffers, a launch of the kernel @k, and
// kernels that apply one instruction to the elements of two inputs.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_EMULATOR_EMULATORTEST_H
#define SCHEDOPT_TEST_UNIT_EMULATOR_EMULATORTEST_H

#include "SchedOpt/Emulator/Emulator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>
#include <vector>

namespace sched::testing {

class EmulatorTest : public ::testing::Test {
protected:
  using Size = std::array<uint32_t, 3>;

  EmulatorTest() {
    target = llvm::cantFail(Target::parse("nvvm:sm_90a"));
    function.name = "f";
    launch.kernel = "k";
  }

  template <typename T>
  void addInput(const std::vector<T> &values, unsigned alignment = 16) {
    addBuffer(LaunchBuffer::Role::Input, values.size() * sizeof(T), alignment);
    data.emplace_back(values.size() * sizeof(T));
    std::memcpy(data.back().data(), values.data(), data.back().size());
  }
  void addOutput(size_t bytes, unsigned alignment = 16) {
    addBuffer(LaunchBuffer::Role::Output, bytes, alignment);
    data.emplace_back(bytes, char(0x5a));
  }
  void addScratch(size_t bytes) {
    addBuffer(LaunchBuffer::Role::Scratch, bytes, 16);
  }

  /// Runs @k of the module `text` with all buffers. Returns the error, "" for
  /// none.
  std::string run(llvm::StringRef text, Size grid, Size block,
                  uint32_t sharedBytes = 0) {
    launch.grid = grid;
    launch.block = block;
    launch.sharedBytes = sharedBytes;
    launch.arguments.clear();
    for (uint32_t i = 0; i != function.buffers.size(); ++i)
      launch.arguments.push_back(i);
    function.launches = {launch};
    return runPlan(text);
  }

  /// Runs the launches that are in `function`.
  std::string runPlan(llvm::StringRef text) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(text, diagnostic, context);
    if (!module) {
      std::string message;
      llvm::raw_string_ostream os(message);
      diagnostic.print("test", os);
      ADD_FAILURE() << message;
      return "no module";
    }
    std::vector<llvm::MutableArrayRef<char>> arguments;
    for (std::vector<char> &each : data)
      arguments.push_back(each);
    llvm::Expected<EmulationReport> result =
        emulate(*module, function, arguments, target, options);
    if (!result)
      return llvm::toString(result.takeError());
    report = *result;
    return "";
  }

  /// Elements of the last argument.
  template <typename T> std::vector<T> getLast() const {
    std::vector<T> values(data.back().size() / sizeof(T));
    std::memcpy(values.data(), data.back().data(), data.back().size());
    return values;
  }

  /// A kernel that applies `body`, which makes %z of %x and %y and may use the
  /// thread's number %t and %lane, to each of `count` elements. The types are
  /// those of memory. Two warps, of which the second is not full.
  template <typename T, typename R>
  std::vector<R> apply(llvm::StringRef type, llvm::StringRef resultType,
                       llvm::StringRef body, const std::vector<T> &x,
                       const std::vector<T> &y,
                       llvm::StringRef declarations = "") {
    EXPECT_EQ(x.size(), y.size());
    data.clear();
    function.buffers.clear();
    addInput(x);
    addInput(y);
    addOutput(x.size() * sizeof(R));
    const std::string t = type.str(), r = resultType.str();
    const std::string text =
        declarations.str() +
        "\ndefine ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b,"
        " ptr addrspace(1) %r) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
        "  %i = zext i32 %t to i64\n"
        "  %in = icmp ult i32 %t, " +
        std::to_string(x.size()) +
        "\n"
        "  br i1 %in, label %do, label %end\ndo:\n"
        "  %pa = getelementptr " +
        t +
        ", ptr addrspace(1) %a, i64 %i\n"
        "  %pb = getelementptr " +
        t +
        ", ptr addrspace(1) %b, i64 %i\n"
        "  %pr = getelementptr " +
        r +
        ", ptr addrspace(1) %r, i64 %i\n"
        "  %x = load " +
        t +
        ", ptr addrspace(1) %pa\n"
        "  %y = load " +
        t + ", ptr addrspace(1) %pb\n" + body.str() +
        "\n"
        "  store " +
        r +
        " %z, ptr addrspace(1) %pr\n"
        "  br label %end\nend:\n  ret void\n}\n";
    const std::string error =
        run(text, {1, 1, 1}, {uint32_t((x.size() + 31) / 32 * 32), 1, 1});
    EXPECT_EQ(error, "") << text;
    return getLast<R>();
  }

  LaunchFunction function;
  KernelLaunch launch;
  Target target;
  EmulationOptions options;
  EmulationReport report;
  std::vector<std::vector<char>> data;

private:
  void addBuffer(LaunchBuffer::Role role, size_t bytes, unsigned alignment) {
    LaunchBuffer buffer;
    buffer.role = role;
    buffer.type = "tensor<" + std::to_string(bytes) + "xi8>";
    buffer.bytes = bytes;
    buffer.alignment = alignment;
    function.buffers.push_back(buffer);
  }
  llvm::LLVMContext context;
};

} // namespace sched::testing

#endif // SCHEDOPT_TEST_UNIT_EMULATOR_EMULATORTEST_H
