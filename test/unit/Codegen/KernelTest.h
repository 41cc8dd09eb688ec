//===- KernelTest.h - Compiles MLIR text and calls it -----------*- C++ -*-===//
//
// What the tests of the code generator share: a context, the way from text to a
// function of this process, and tensors that notice writes beside them.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_CODEGEN_KERNELTEST_H
#define SCHEDOPT_TEST_UNIT_CODEGEN_KERNELTEST_H

#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/JIT.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>
#include <memory>
#include <vector>

namespace sched::testing {

/// A tensor's elements with a zone before and after them that nobody may write.
/// `offset` elements past a 64-byte boundary: any alignment of the type is
/// fine.
template <typename T> class Tensor {
public:
  explicit Tensor(size_t count, size_t offset = 0)
      : count(count), offset(offset),
        bytes(count * sizeof(T) + 3 * kZone, kCanary) {
    for (size_t i = 0; i != count; ++i)
      data()[i] = T(0);
  }

  /// Small whole numbers, so that sums of products are exact in any order.
  Tensor &fill(int seed) {
    for (size_t i = 0; i != count; ++i)
      data()[i] = T(int((i * 7 + seed * 13) % 11) - 5);
    return *this;
  }

  T *data() {
    auto begin = reinterpret_cast<uintptr_t>(bytes.data()) + kZone;
    begin = (begin + 63) / 64 * 64 + offset * sizeof(T);
    return reinterpret_cast<T *>(begin);
  }
  T &operator[](size_t i) { return data()[i]; }
  size_t size() const { return count; }

  /// Whether all bytes around the elements are as they were.
  bool isIntact() {
    auto *begin = reinterpret_cast<unsigned char *>(data());
    auto *end = begin + count * sizeof(T);
    for (unsigned char &byte : bytes)
      if ((&byte < begin || &byte >= end) && byte != kCanary)
        return false;
    return true;
  }

private:
  static constexpr size_t kZone = 128;
  static constexpr unsigned char kCanary = 0xA5;
  size_t count, offset;
  std::vector<unsigned char> bytes;
};

class KernelTest : public ::testing::Test {
protected:
  KernelTest()
      : context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {}

  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerCodegenDialects(registry);
    return registry;
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "in.mlir");
    EXPECT_TRUE(bool(module));
    return module;
  }

  static Target getTarget(llvm::StringRef spec, int threads) {
    llvm::Expected<Target> target = Target::parse(spec, threads);
    if (target)
      return *target;
    ADD_FAILURE() << llvm::toString(target.takeError());
    return Target();
  }

  static CompileOptions getOptions(int threads) {
    CompileOptions options;
    options.threads = threads;
    options.packedWrapper = true;
    options.verify = true;
    return options;
  }

  /// The object; empty after a failed expectation.
  std::string compile(llvm::StringRef text, const CompileOptions &options,
                      llvm::StringRef spec = "native") {
    auto module = parse(text);
    if (!module)
      return "";
    llvm::SmallVector<char, 0> object;
    if (llvm::Error error = compileToObject(
            *module, getTarget(spec, options.threads), options, object)) {
      ADD_FAILURE() << llvm::toString(std::move(error));
      return "";
    }
    return std::string(object.data(), object.size());
  }

  /// The message with which it fails.
  std::string compileError(llvm::StringRef text) {
    auto module = parse(text);
    if (!module)
      return "";
    llvm::SmallVector<char, 0> object;
    llvm::Error error =
        compileToObject(*module, getTarget("native", 1), getOptions(1), object);
    EXPECT_TRUE(bool(error)) << "it compiles";
    return llvm::toString(std::move(error));
  }

  /// The code as text: LLVM IR, or assembly for a target.
  std::string toLLVM(llvm::StringRef text, int optLevel, int threads = 1,
                     llvm::StringRef spec = "native") {
    return toText(text, optLevel, threads, spec, /*assembly=*/false);
  }
  std::string toAssembly(llvm::StringRef text, llvm::StringRef spec,
                         int threads = 1) {
    return toText(text, /*optLevel=*/3, threads, spec, /*assembly=*/true);
  }

  /// Calls function `f` of the text once with the tensors.
  template <typename... T>
  void run(llvm::StringRef text, int threads, Tensor<T> &...tensors) {
    call(compile(text, getOptions(threads)), tensors...);
  }
  template <typename... T>
  void call(llvm::StringRef object, Tensor<T> &...tensors) {
    if (object.empty())
      return;
    llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
    ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
    auto entry = library->lookup("f");
    ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
    void *pointers[] = {tensors.data()...};
    (*entry)(pointers);
    for (bool isIntact : {tensors.isIntact()...})
      EXPECT_TRUE(isIntact) << "wrote beside a tensor";
  }

  mlir::MLIRContext context;

private:
  std::string toText(llvm::StringRef text, int optLevel, int threads,
                     llvm::StringRef spec, bool assembly) {
    auto module = parse(text);
    if (!module)
      return "";
    llvm::LLVMContext llvmContext;
    CompileOptions options = getOptions(threads);
    options.optLevel = optLevel;
    options.packedWrapper = false;
    const Target target = getTarget(spec, threads);
    auto llvmModule = compileToLLVM(*module, llvmContext, target, options);
    if (!llvmModule) {
      ADD_FAILURE() << llvm::toString(llvmModule.takeError());
      return "";
    }
    std::string result;
    if (!assembly) {
      llvm::raw_string_ostream stream(result);
      (*llvmModule)->print(stream, nullptr);
      return result;
    }
    llvm::SmallVector<char, 0> code;
    llvm::Error error =
        emitCode(**llvmModule, target, CodeFile::Assembly, optLevel, code);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return std::string(code.data(), code.size());
  }
};

inline bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.contains(part);
}

} // namespace sched::testing

#endif // SCHEDOPT_TEST_UNIT_CODEGEN_KERNELTEST_H
