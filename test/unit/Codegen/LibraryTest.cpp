//===- LibraryTest.cpp - Objects, and loading them ------------------------===//

#include "KernelTest.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace sched;
using namespace sched::testing;

namespace {
using LibraryTest = KernelTest;

std::string getScale(const char *factor) {
  return std::string(R"mlir(
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<)mlir") +
         factor + R"mlir(> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.mul ins(%a, %c : tensor<8xf32>, tensor<8xf32>)
                  outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
})mlir";
}

/// The message with which the bytes do not load.
std::string loadError(llvm::StringRef object) {
  llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
  if (!library)
    return llvm::toString(library.takeError());
  ADD_FAILURE() << "it loads";
  return "";
}

std::vector<std::string> getDefinedSymbols(llvm::StringRef bytes) {
  std::vector<std::string> names;
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(bytes, "object"));
  if (!object) {
    ADD_FAILURE() << llvm::toString(object.takeError());
    return names;
  }
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    const uint32_t flags = llvm::cantFail(symbol.getFlags());
    if ((flags & llvm::object::SymbolRef::SF_Global) &&
        !(flags & llvm::object::SymbolRef::SF_Undefined))
      names.push_back(llvm::cantFail(symbol.getName()).str());
  }
  return names;
}
} // namespace

TEST_F(LibraryTest, ObjectDefinesTheFunctionAndNothingElse) {
  CompileOptions options = getOptions(1);
  options.packedWrapper = false;
  EXPECT_EQ(getDefinedSymbols(compile(getScale("2.0"), options)),
            std::vector<std::string>{"f"});
  options.packedWrapper = true;
  EXPECT_EQ(getDefinedSymbols(compile(getScale("2.0"), options)).size(), 2u);
}

TEST_F(LibraryTest, ObjectsOfOtherMachines) {
  for (auto [spec, machine] :
       {std::pair("cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu",
                  llvm::ELF::EM_X86_64),
        std::pair("cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu",
                  llvm::ELF::EM_AARCH64)}) {
    const std::string bytes = compile(getScale("2.0"), getOptions(1), spec);
    auto object = llvm::object::ObjectFile::createObjectFile(
        llvm::MemoryBufferRef(bytes, "object"));
    ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
    auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(object->get());
    ASSERT_TRUE(elf);
    EXPECT_EQ(elf->getEMachine(), machine);
    EXPECT_TRUE((*object)->isRelocatableObject());
  }
}

TEST_F(LibraryTest, LibrariesDoNotMix) {
  // Both define @f.
  auto two = KernelLibrary::load(compile(getScale("2.0"), getOptions(1)));
  auto three = KernelLibrary::load(compile(getScale("3.0"), getOptions(1)));
  ASSERT_TRUE(two && three);
  Tensor<float> a(8), r(8);
  a.fill(1);
  void *pointers[] = {a.data(), r.data()};
  llvm::cantFail(two->lookup("f"))(pointers);
  for (int i = 0; i != 8; ++i)
    EXPECT_EQ(r[i], 2 * a[i]);
  llvm::cantFail(three->lookup("f"))(pointers);
  for (int i = 0; i != 8; ++i)
    EXPECT_EQ(r[i], 3 * a[i]);
}

TEST_F(LibraryTest, LoadErrors) {
  EXPECT_TRUE(contains(loadError("not an object"), "not an object file"));
  EXPECT_TRUE(contains(loadError(""), "not an object file"));
  const std::string here = compile(getScale("2.0"), getOptions(1));
  const bool isX86 = getTarget("native", 1).triple[0] == 'x';
  const std::string other =
      compile(getScale("2.0"), getOptions(1),
              isX86 ? "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu"
                    : "cpu:mcpu=znver3,triple=x86_64-linux-gnu");
  const std::string message = loadError(other);
  EXPECT_TRUE(contains(message, isX86 ? "aarch64" : "x86_64")) << message;

  auto library = KernelLibrary::load(here);
  ASSERT_TRUE(bool(library));
  auto missing = library->lookup("g");
  ASSERT_FALSE(bool(missing));
  EXPECT_TRUE(contains(llvm::toString(missing.takeError()), "_sched_packed_g"));
}

TEST_F(LibraryTest, PhasesAreTimed) {
  auto module = parse(getScale("2.0"));
  CompileTimes times;
  llvm::SmallVector<char, 0> object;
  ASSERT_FALSE(bool(compileToObject(*module, getTarget("native", 1),
                                    getOptions(1), object, &times)));
  for (double seconds :
       {times.lower, times.translate, times.optimize, times.codegen}) {
    EXPECT_GT(seconds, 0);
    EXPECT_LT(seconds, 60);
  }
}
