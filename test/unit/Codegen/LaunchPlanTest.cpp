//===- LaunchPlanTest.cpp - Launch plans: JSON, and from modules ----------===//

#include "SchedOpt/Codegen/LaunchPlan.h"
#include "KernelTest.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sched;
using namespace sched::testing;

static LaunchPlan makePlan() {
  LaunchPlan plan;
  plan.chip = "sm_90a";
  LaunchFunction function;
  function.name = "f";
  function.buffers = {{LaunchBuffer::Role::Input, "tensor<3x5xf32>", 60, 16},
                      {LaunchBuffer::Role::Output, "tensor<3xf16>", 6, 16},
                      {LaunchBuffer::Role::Scratch, "tensor<15xi8>", 15, 128}};
  function.launches = {{"f_kernel_0", {7, 2, 1}, {32, 4, 1}, 1024, {0, 2}},
                       {"f_kernel_1", {1, 1, 1}, {1024, 1, 1}, 0, {2, 1}}};
  plan.functions.push_back(function);
  return plan;
}

static std::string print(const LaunchPlan &plan) {
  return llvm::formatv("{0:2}", toJSON(plan));
}

/// What is said of `text`; empty where it is a plan.
static std::string getError(llvm::StringRef text) {
  llvm::Expected<LaunchPlan> plan = parseLaunchPlan(text);
  return plan ? "" : llvm::toString(plan.takeError());
}

/// What is said of the plan with `from` replaced by `to`.
static std::string getErrorWith(llvm::StringRef from, llvm::StringRef to) {
  std::string text = print(makePlan());
  const size_t position = text.find(from);
  if (position == std::string::npos)
    return "not found: " + from.str();
  return getError(text.replace(position, from.size(), to));
}

TEST(LaunchPlanTest, isTheSameAfterJSON) {
  const LaunchPlan plan = makePlan();
  llvm::Expected<LaunchPlan> read = parseLaunchPlan(print(plan));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(print(*read), print(plan));
  const LaunchFunction *function = read->find("f");
  ASSERT_TRUE(function);
  EXPECT_EQ(read->find("g"), nullptr);
  EXPECT_EQ(read->chip, "sm_90a");
  ASSERT_EQ(function->buffers.size(), 3u);
  EXPECT_EQ(function->buffers[1].role, LaunchBuffer::Role::Output);
  EXPECT_EQ(function->buffers[1].type, "tensor<3xf16>");
  EXPECT_EQ(function->buffers[2].bytes, 15u);
  EXPECT_EQ(function->buffers[2].alignment, 128u);
  ASSERT_EQ(function->launches.size(), 2u);
  const std::array<uint32_t, 3> grid = {7, 2, 1}, block = {32, 4, 1};
  EXPECT_EQ(function->launches[0].grid, grid);
  EXPECT_EQ(function->launches[0].block, block);
  EXPECT_EQ(function->launches[0].sharedBytes, 1024u);
  EXPECT_EQ(function->launches[1].arguments[0], 2u);
}

TEST(LaunchPlanTest, saysWhatIsWrongAndWhere) {
  EXPECT_NE(getError("{").find("launch plan is no JSON"), std::string::npos);
  EXPECT_EQ(getError("[]"), "expected object when parsing launch plan");
  EXPECT_EQ(getErrorWith("\"chip\"", "\"ship\""),
            "missing value at launch plan.chip");
  EXPECT_EQ(getErrorWith("\"version\": 1", "\"version\": 2"),
            "expected version 1; write the file anew at launch plan.version");
  EXPECT_EQ(getErrorWith("\"bytes\": 60", "\"bytes\": \"60\""),
            "expected uint64_t at launch plan.functions[0].buffers[0].bytes");
  EXPECT_EQ(getErrorWith("\"output\"", "\"result\""),
            "expected input, output or scratch at launch "
            "plan.functions[0].buffers[1].role");
  EXPECT_EQ(getErrorWith("\"output\"", "\"scratch\"").find("expected"),
            std::string::npos);
  EXPECT_EQ(getErrorWith("\"input\"", "\"scratch\""),
            "expected inputs, then outputs, then scratch at launch "
            "plan.functions[0].buffers[1].role");
  EXPECT_EQ(getErrorWith("\"alignment\": 128", "\"alignment\": 12"),
            "expected a power of two at launch "
            "plan.functions[0].buffers[2].alignment");
  EXPECT_EQ(getErrorWith("\"shared_bytes\": 1024", "\"shared_bytes\": -1"),
            "expected a whole number from 0 to 4294967295 at launch "
            "plan.functions[0].launches[0].shared_bytes");
}

TEST(LaunchPlanTest, checksLaunches) {
  auto getErrorOf = [](void (*change)(KernelLaunch &)) {
    LaunchPlan plan = makePlan();
    change(plan.functions[0].launches[0]);
    return getError(print(plan));
  };
  EXPECT_EQ(getErrorOf([](KernelLaunch &launch) { launch.grid[1] = 0; }),
            "expected at least 1 at launch "
            "plan.functions[0].launches[0].grid[1]");
  EXPECT_EQ(getErrorOf([](KernelLaunch &launch) { launch.arguments[1] = 3; }),
            "expected the position of a buffer at launch "
            "plan.functions[0].launches[0].arguments[1]");
}

namespace {
class LaunchPlanOfModuleTest : public KernelTest {
protected:
  /// The plan of a module whose function has `body`; its kernel reads `a` and
  /// writes `b`.
  llvm::Expected<LaunchPlan>
  getPlan(llvm::StringRef body,
          llvm::StringRef arguments = "%a: memref<4x2xf32>, "
                                      "%b: memref<8xf32>") {
    module = parse(R"(module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @copy(%a: memref<8xf32>, %b: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
    gpu.return
  }
}
func.func @f()" + arguments.str() +
                   ") {\n%c1 = arith.constant 1 : index\n" + body.str() +
                   "\nreturn }}");
    return getLaunchPlan(*module, "sm_80");
  }

  std::string getError(llvm::StringRef body,
                       llvm::StringRef arguments = "%a: memref<8xf32>, "
                                                   "%b: memref<8xf32>") {
    llvm::Expected<LaunchPlan> plan = getPlan(body, arguments);
    return plan ? "" : llvm::toString(plan.takeError());
  }

  static constexpr llvm::StringLiteral kCopy =
      "gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in "
      "(%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<8xf32>)";

  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

TEST_F(LaunchPlanOfModuleTest, readsBuffersThroughViews) {
  llvm::Expected<LaunchPlan> plan = getPlan(R"(
    %c8 = arith.constant 8 : index
    %bytes = arith.constant 64 : i32
    %flat = memref.collapse_shape %a [[0, 1]] : memref<4x2xf32> into memref<8xf32>
    %t = memref.alloc() : memref<8xf32>
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%flat : memref<8xf32>, %t : memref<8xf32>)
    gpu.launch_func @kernels::@copy blocks in (%c1, %c8, %c1) threads in (%c8, %c1, %c1) dynamic_shared_memory_size %bytes args(%t : memref<8xf32>, %b : memref<8xf32>)
  )");
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  const LaunchFunction *function = plan->find("f");
  ASSERT_TRUE(function);
  ASSERT_EQ(function->buffers.size(), 3u);
  EXPECT_EQ(function->buffers[0].role, LaunchBuffer::Role::Input);
  EXPECT_EQ(function->buffers[0].type, "tensor<4x2xf32>");
  EXPECT_EQ(function->buffers[1].role, LaunchBuffer::Role::Output);
  EXPECT_EQ(function->buffers[2].role, LaunchBuffer::Role::Scratch);
  EXPECT_EQ(function->buffers[2].bytes, 32u);
  ASSERT_EQ(function->launches.size(), 2u);
  const KernelLaunch &first = function->launches[0],
                     &second = function->launches[1];
  EXPECT_EQ(first.kernel, "copy");
  EXPECT_EQ(first.block[0], 8u);
  EXPECT_EQ(first.sharedBytes, 0u);
  EXPECT_EQ(llvm::ArrayRef(first.arguments), llvm::ArrayRef<uint32_t>({0, 2}));
  EXPECT_EQ(second.grid[1], 8u);
  EXPECT_EQ(second.sharedBytes, 64u);
  EXPECT_EQ(llvm::ArrayRef(second.arguments), llvm::ArrayRef<uint32_t>({2, 1}));
}

TEST_F(LaunchPlanOfModuleTest, refusesWhatIsNoLaunch) {
  EXPECT_EQ(getError(kCopy), "");
  EXPECT_NE(getError("%x = memref.load %a[%c1] : memref<8xf32>\n" + kCopy.str())
                .find("in.mlir:12:6: 'memref.load' stands among the launches "
                      "of @f; expected buffers and launches only"),
            std::string::npos);
  EXPECT_NE(getError(kCopy, "%a: memref<8xf32>, %b: memref<8xf32>, "
                            "%c: memref<8xf32>")
                .find("argument #2 of @f is only read, but stands after a "
                      "result"),
            std::string::npos);
  EXPECT_NE(getError(kCopy, "%a: memref<8xf32>, %b: memref<8xf32>, "
                            "%c: memref<?xf32>")
                .find("has type memref<?xf32>; expected a memref of static "
                      "shape"),
            std::string::npos);
  EXPECT_NE(getError(R"(
    %n = arith.constant 0 : index
    gpu.launch_func @kernels::@copy blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<8xf32>)
  )")
                .find("no positive constant of 32 bits"),
            std::string::npos);
}
