//===- CompileTest.cpp - Functions on tensors, compiled and called --------===//

#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/Header.h"
#include "SchedOpt/Codegen/JIT.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ObjectFile.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace sched;

namespace {

class Compile : public testing::Test {
protected:
  Compile() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerCodegenDialects(registry);
    return registry;
  }

  std::string compile(llvm::StringRef text, llvm::StringRef spec = "native",
                      int threads = 1) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(bool(module));
    auto target = Target::parse(spec, threads);
    EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
    CompileOptions options;
    options.threads = threads;
    options.packedWrapper = true;
    options.verify = true;
    llvm::SmallVector<char, 0> object;
    error.clear();
    if (llvm::Error e = compileToObject(*module, *target, options, object))
      error = llvm::toString(std::move(e));
    return std::string(object.data(), object.size());
  }

  void call(llvm::StringRef object, std::vector<void *> pointers) {
    auto library = KernelLibrary::load(object);
    ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
    auto entry = library->lookup("f");
    ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
    library->packArguments("f", pointers);
    (*entry)(pointers.data());
  }

  MLIRContext context;
  std::string error;
};

} // namespace

TEST_F(Compile, TwoResultsAndAConstant) {
  std::string object = compile(R"mlir(
func.func @f(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %e = tensor.empty() : tensor<5xf32>
  %s = linalg.add ins(%a, %c : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %s, %a : tensor<5xf32>, tensor<5xf32>
})mlir");
  ASSERT_EQ(error, "");
  float a[] = {10, 20, 30, 40, 50}, sum[5], copy[5];
  call(object, {a, sum, copy});
  for (int i = 0; i != 5; ++i) {
    EXPECT_EQ(sum[i], a[i] + i + 1);
    EXPECT_EQ(copy[i], a[i]);
  }
}

TEST_F(Compile, ParallelLoopAndVectors) {
  std::string object = compile(R"mlir(
func.func @f(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x16xf32>) {
    %row = tensor.extract_slice %o[%i, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>
    %v = vector.transfer_read %a[%i, %c0], %p {in_bounds = [true, true]} : tensor<8x16xf32>, vector<1x16xf32>
    %x = math.exp %v : vector<1x16xf32>
    %w = vector.transfer_write %x, %row[%c0, %c0] {in_bounds = [true, true]} : vector<1x16xf32>, tensor<1x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
})mlir",
                               "native", 2);
  ASSERT_EQ(error, "");
  EXPECT_NE(object.find("__kmpc_fork_call"), std::string::npos);
  std::vector<float> a(128), result(128, NAN);
  for (int i = 0; i != 128; ++i)
    a[i] = (i - 64) / 16.0f;
  call(object, {a.data(), result.data()});
  for (int i = 0; i != 128; ++i)
    EXPECT_NEAR(result[i], std::exp(a[i]), 1e-5f * std::exp(a[i]));
}

TEST_F(Compile, LayoutFreeArgumentIsPackedApart) {
  std::string object = compile(R"mlir(
func.func @f(%a: tensor<3x4xf32>, %b: tensor<4x6xf32> {schedule.layout_free}) -> tensor<3x6xf32> {
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<6x4xf32>
  %p = linalg.transpose ins(%b : tensor<4x6xf32>) outs(%t : tensor<6x4xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<3x6xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x6xf32>) -> tensor<3x6xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %p : tensor<3x4xf32>, tensor<6x4xf32>) outs(%i : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %r : tensor<3x6xf32>
})mlir");
  ASSERT_EQ(error, "");
  EXPECT_NE(object.find("f_pack_arg1_bytes"), std::string::npos);
  std::vector<float> a(12), b(24), result(18, NAN);
  for (int i = 0; i != 12; ++i)
    a[i] = i;
  for (int i = 0; i != 24; ++i)
    b[i] = i % 7;
  call(object, {a.data(), b.data(), result.data()});
  for (int i = 0; i != 3; ++i)
    for (int j = 0; j != 6; ++j) {
      float sum = 0;
      for (int k = 0; k != 4; ++k)
        sum += a[i * 4 + k] * b[k * 6 + j];
      EXPECT_EQ(result[i * 6 + j], sum);
    }
}

TEST_F(Compile, OtherMachines) {
  const char *text = R"mlir(
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
})mlir";
  for (auto [spec, arch] :
       {std::pair("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu",
                  llvm::Triple::x86_64),
        std::pair("cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu",
                  llvm::Triple::aarch64)}) {
    std::string bytes = compile(text, spec);
    ASSERT_EQ(error, "");
    auto object = llvm::object::ObjectFile::createObjectFile(
        llvm::MemoryBufferRef(bytes, "object"));
    ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
    EXPECT_EQ((*object)->getArch(), arch);
  }
}

TEST_F(Compile, DynamicShapesAreAnError) {
  compile(R"mlir(
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
})mlir");
  EXPECT_NE(error.find("expected a dense ranked tensor of static shape"),
            std::string::npos)
      << error;
}

TEST_F(Compile, HeaderDeclaresTheFunction) {
  auto module = parseSourceString<ModuleOp>(R"mlir(
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xi8>) -> tensor<f64> {
  %c = arith.constant dense<0.0> : tensor<f64>
  return %c : tensor<f64>
})mlir",
                                            &context);
  auto header = emitCHeader(*module, "out/my-kernel.h", 2);
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  EXPECT_NE(header->find("#ifndef MY_KERNEL_H"), std::string::npos);
  EXPECT_NE(header->find("void f(const float *arg0, const int8_t *arg1, double "
                         "*result0);"),
            std::string::npos)
      << *header;
  EXPECT_NE(header->find("float[2][3], read"), std::string::npos);
}

TEST_F(Compile, HeaderNamesOpenMPWhereItIsUsed) {
  auto module = parseSourceString<ModuleOp>(R"mlir(
func.func @serial(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @parallel(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %a) -> tensor<4xf32> {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xf32>
})mlir",
                                            &context);
  ASSERT_TRUE(bool(module));
  auto header = emitCHeader(*module, "f.h", 2);
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  const size_t found = header->find("libomp");
  EXPECT_GT(found, header->find("/* parallel:"));
  EXPECT_LT(found, header->find("void parallel("));
  EXPECT_EQ(header->find("libomp", found + 1), std::string::npos) << *header;
}

TEST_F(Compile, HeaderGoesNotByTheNameAlone) {
  // The user's own functions may end as those that packing makes.
  auto module = parseSourceString<ModuleOp>(R"mlir(
func.func @f_bytes(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @f_pack_arg0(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
})mlir",
                                            &context);
  auto header = emitCHeader(*module, "f.h", 1);
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  EXPECT_EQ(header->find("packed buffer"), std::string::npos) << *header;
}
