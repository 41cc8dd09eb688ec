//===- TaskPadsTest.cpp - Pads are timed with the op that reads them ------===//

#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/WorkloadHash.h"
#include "SpaceTest.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace sched;

namespace {
/// A depthwise convolution `%r<n>` of an image padded with `%<value>`.
std::string convolve(int n, llvm::StringRef value,
                     llvm::StringRef low = "0, 1, 1, 0",
                     llvm::StringRef high = "0, 1, 1, 0") {
  return llvm::formatv(R"(
  %p{0} = tensor.pad %x low[{2}] high[{3}] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %{1} : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %e{0} = tensor.empty() : tensor<1x8x8x16xf32>
  %f{0} = linalg.fill ins(%zero : f32) outs(%e{0} : tensor<1x8x8x16xf32>)
    -> tensor<1x8x8x16xf32>
  %r{0} = linalg.depthwise_conv_2d_nhwc_hwc
    ins(%p{0}, %w : tensor<1x10x10x16xf32>, tensor<3x3x16xf32>)
    outs(%f{0} : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>)",
                       n, value, low, high)
      .str();
}

/// A function that returns the values `names` of the types `types`.
std::string makeFunction(llvm::StringRef body, llvm::StringRef names,
                         llvm::StringRef types) {
  return llvm::formatv(R"(
func.func @f(%x: tensor<1x8x8x16xf32>,
             %w: tensor<3x3x16xf32> {{schedule.layout_free}) -> ({2}) {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  {0}
  return {1} : {2}
})",
                       body, names, types)
      .str();
}

constexpr llvm::StringLiteral kResult = "tensor<1x8x8x16xf32>";

class TaskPadsTest : public SpaceTest {
protected:
  Task extractConvolution(llvm::StringRef body) {
    return extractOne(makeFunction(body, "%r0", kResult));
  }

  /// The task of the function `text` once it has a function of its own.
  Task outlineOne(llvm::StringRef text, const OutlineOptions &options = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    EXPECT_FALSE(bool(outlineTasks(*module, /*rewritten=*/nullptr, options)));
    llvm::Expected<std::vector<Task>> tasks = extractTasks(*module);
    EXPECT_TRUE(bool(tasks));
    EXPECT_EQ(tasks->size(), 1u);
    return std::move(tasks->front());
  }

  /// The function of `module` that is timed.
  static func::FuncOp getTimed(ModuleOp module) {
    return *llvm::find_if(
        module.getOps<func::FuncOp>(),
        [](func::FuncOp candidate) { return candidate.isPublic(); });
  }
};
} // namespace

TEST_F(TaskPadsTest, IsTimedWithItsReader) {
  Task task = extractConvolution(convolve(0, "zero"));
  // A script sees the op alone.
  EXPECT_TRUE(task.module->getOps<tensor::PadOp>().empty());
  EXPECT_TRUE(task.getFunction().getOps<tensor::PadOp>().empty());
  // But the model knows where zeros are.
  auto border = task.getFunction().getArgAttrOfType<DenseI64ArrayAttr>(
      0, "schedule.border");
  ASSERT_TRUE(border);
  EXPECT_EQ(border.asArrayRef(),
            llvm::ArrayRef<int64_t>({0, 0, 1, 1, 1, 1, 0, 0}));
  ASSERT_TRUE(task.padded);
  EXPECT_TRUE(succeeded(verify(*task.padded)));
  func::FuncOp function = getTimed(*task.padded);
  EXPECT_EQ(llvm::range_size(function.getOps<tensor::PadOp>()), 1);
  EXPECT_EQ(llvm::range_size(function.getOps<func::CallOp>()), 1);
  EXPECT_TRUE(function.getArgAttr(1, "schedule.layout_free"));
  // Image, weights, result.
  EXPECT_EQ(task.bytes, 4 * (8 * 8 * 16 + 9 * 16 + 8 * 8 * 16));
  EXPECT_TRUE(succeeded(inlineTasks(*task.padded)));
  EXPECT_EQ(llvm::range_size(task.padded->getOps<func::FuncOp>()), 1);
}

TEST_F(TaskPadsTest, IsPartOfTheWorkload) {
  Task task = extractConvolution(convolve(0, "zero"));
  EXPECT_NE(task.hash, hashWorkload(task.getFunction()));
  for (const std::string &other :
       {convolve(0, "one"), convolve(0, "zero", "0, 0, 1, 0", "0, 2, 1, 0")})
    EXPECT_NE(task.hash, extractConvolution(other).hash);
  // Nothing changes where the task has a function already.
  Task outlined = outlineOne(makeFunction(convolve(0, "zero"), "%r0", kResult));
  EXPECT_EQ(outlined.hash, task.hash);
  EXPECT_EQ(outlined.bytes, task.bytes);
  EXPECT_TRUE(outlined.padded);
}

TEST_F(TaskPadsTest, BorderIsWhatTypesSay) {
  auto getBorder = [&](const std::string &body) {
    auto border =
        extractConvolution(body)
            .getFunction()
            .getArgAttrOfType<DenseI64ArrayAttr>(0, "schedule.border");
    return border ? llvm::to_vector(border.asArrayRef())
                  : llvm::SmallVector<int64_t>();
  };
  const llvm::SmallVector<int64_t> ones{0, 0, 1, 1, 1, 1, 0, 0};
  EXPECT_EQ(getBorder("  %o = arith.constant 1 : index\n" +
                      convolve(0, "zero", "0, 1, 1, 0", "0, %o, 1, 0")),
            ones);
  EXPECT_EQ(getBorder(convolve(0, "zero", "0, 2, 1, 0", "0, 0, 1, 0")),
            (llvm::SmallVector<int64_t>{0, 0, 2, 0, 1, 1, 0, 0}));
  // Taken away are no zeros.
  EXPECT_TRUE(
      getBorder(convolve(0, "zero", "0, 3, 1, 0", "0, -1, 1, 0")).empty());
}

TEST_F(TaskPadsTest, RowsAStrideApartAreMovedInTheTimedModule) {
  const char *text = R"(
func.func @f(%x: tensor<1x16x16x64xbf16>, %w: tensor<3x3x64x32xbf16>) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x16x16x64xbf16> to tensor<1x18x18x64xbf16>
  %f = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %i = linalg.fill ins(%f : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<1x18x18x64xbf16>, tensor<3x3x64x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
})";
  Task task = outlineOne(text);
  EXPECT_NE(task.hash, hashWorkload(task.getFunction()));
  ASSERT_TRUE(task.padded);
  EXPECT_TRUE(succeeded(verify(*task.padded)));
  func::FuncOp function = getTimed(*task.padded);
  EXPECT_EQ(function.getArgumentTypes().front(),
            cast<func::FuncOp>(SymbolTable::lookupSymbolIn(*module, "f"))
                .getArgumentTypes()
                .front());
  EXPECT_EQ(llvm::range_size(function.getOps<tensor::PadOp>()), 1);
  EXPECT_EQ(llvm::range_size(function.getOps<tensor::InsertSliceOp>()), 3);
  // Image, weights, result.
  EXPECT_EQ(task.bytes, 2 * (16 * 16 * 64 + 9 * 64 * 32) + 4 * 8 * 8 * 32);
}

TEST_F(TaskPadsTest, LinesThatAreJoinedArePaddedInTheTimedModule) {
  const char *text = R"(
func.func @f(%x: tensor<1x7x7x64xi8>, %w: tensor<3x3x64x32xi8>) -> tensor<1x7x7x32xi32> {
  %zero = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : i8
  } : tensor<1x7x7x64xi8> to tensor<1x9x9x64xi8>
  %f = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x32xi32>
  %i = linalg.fill ins(%f : i32) outs(%e : tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf
      ins(%p, %w : tensor<1x9x9x64xi8>, tensor<3x3x64x32xi8>) outs(%i : tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32>
  return %r : tensor<1x7x7x32xi32>
})";
  OutlineOptions options;
  options.tiles = true;
  Task task = outlineOne(text, options);
  EXPECT_NE(task.hash, hashWorkload(task.getFunction()));
  ASSERT_TRUE(task.padded);
  func::FuncOp function = getTimed(*task.padded);
  EXPECT_EQ(llvm::range_size(function.getOps<tensor::PadOp>()), 1);
  EXPECT_EQ(llvm::range_size(function.getOps<tensor::CollapseShapeOp>()), 1);
  // Image, weights, the sums of 7 lines of 9.
  EXPECT_EQ(task.bytes, 7 * 7 * 64 + 9 * 64 * 32 + 4 * 63 * 32);
}

TEST_F(TaskPadsTest, IsNotWhereOthersReadIt) {
  Task task =
      extractOne(makeFunction(convolve(0, "zero"), "%r0, %p0",
                              "tensor<1x8x8x16xf32>, tensor<1x10x10x16xf32>"));
  EXPECT_FALSE(task.padded);
  EXPECT_EQ(task.hash, hashWorkload(task.getFunction()));
}

TEST_F(TaskPadsTest, IsNotWhereItsReaderIsInALoop) {
  const std::string all = convolve(0, "zero");
  const size_t end = all.find("  %e0");
  const std::string body = all.substr(0, end) + R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %start = tensor.empty() : tensor<1x8x8x16xf32>
  %last = scf.for %n = %c0 to %c9 step %c1 iter_args(%previous = %start)
      -> (tensor<1x8x8x16xf32>) {
)" + all.substr(end) + R"(
    scf.yield %r0 : tensor<1x8x8x16xf32>
  })";
  Task task = extractOne(makeFunction(body, "%last", kResult));
  EXPECT_FALSE(task.padded);
}

TEST_F(TaskPadsTest, TasksThatDifferInPadsHaveFunctionsOfTheirOwn) {
  // The same op twice, of pads of one shape but not of one value.
  module = parseSourceString<ModuleOp>(
      makeFunction(convolve(0, "zero") + convolve(1, "one"), "%r0, %r1",
                   (kResult + ", " + kResult).str()),
      &context);
  ASSERT_TRUE(module);
  ASSERT_FALSE(bool(outlineTasks(*module)));
  EXPECT_EQ(llvm::range_size(module->getOps<func::FuncOp>()), 3);
  llvm::Expected<std::vector<Task>> tasks = extractTasks(*module);
  ASSERT_TRUE(bool(tasks));
  ASSERT_EQ(tasks->size(), 2u);
  EXPECT_NE((*tasks)[0].hash, (*tasks)[1].hash);
}
