//===- WorkloadHashTest.cpp - The key of a workload -----------------------===//

#include "SchedOpt/Space/WorkloadHash.h"
#include "SpaceTest.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// A matmul with an elementwise op, to be varied by replacing words.
constexpr llvm::StringLiteral kBase = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, #id, #id],
                       iterator_types = ["parallel", "parallel"]}
    ins(%r, %c : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
})";

class WorkloadHashTest : public SpaceTest {
protected:
  std::string hash(llvm::StringRef text) {
    Task task = extractOne(text);
    return task.hash;
  }

  /// The hash of the base with `from` replaced by `to` everywhere.
  std::string hashWith(llvm::StringRef from, llvm::StringRef to) {
    EXPECT_TRUE(kBase.contains(from)) << from.str();
    std::string text;
    llvm::StringRef rest = kBase;
    for (size_t at; (at = rest.find(from)) != llvm::StringRef::npos;
         rest = rest.drop_front(at + from.size()))
      text += (rest.take_front(at) + to).str();
    return hash(text + rest.str());
  }
};

TEST_F(WorkloadHashTest, IsStable) {
  // Records on disk rely on it: a change here orphans them, and wants a new
  // version in the key.
  std::string base = hash(kBase);
  EXPECT_EQ(base.size(), 16u);
  EXPECT_EQ(base, "eefdf949ffa33697");
}

TEST_F(WorkloadHashTest, IgnoresNames) {
  std::string base = hash(kBase);
  EXPECT_EQ(hashWith("@f", "@another"), base);
  EXPECT_EQ(hashWith("%r", "%product"), base);
  EXPECT_EQ(hashWith("%p", "%left"), base);
}

TEST_F(WorkloadHashTest, IgnoresLocationsAndDiscardableAttributes) {
  std::string base = hash(kBase);
  EXPECT_EQ(hashWith("-> tensor<8x8xf32>\n  return",
                     "-> tensor<8x8xf32> loc(\"here\")\n  return"),
            base);
  EXPECT_EQ(hashWith("linalg.matmul", "linalg.matmul {tag}"), base);
}

TEST_F(WorkloadHashTest, IgnoresTheOrderOfArguments) {
  EXPECT_EQ(hashWith("%a: tensor<8x8xf32>, %b", "%b: tensor<8x8xf32>, %a"),
            hash(kBase));
}

TEST_F(WorkloadHashTest, IgnoresPlaceAndNumberOfConstants) {
  std::string base = hash(kBase);
  EXPECT_EQ(hashWith("  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : "
                     "tensor<8x8xf32>\n",
                     "  %e = tensor.empty() : tensor<8x8xf32>\n"
                     "  %unused = arith.constant 1.0 : f32\n"
                     "  %z = arith.constant 0.0 : f32\n"),
            base);
  EXPECT_EQ(hashWith("  %x = linalg.generic",
                     "  %again = tensor.empty() : tensor<8x8xf32>\n"
                     "  %x = linalg.generic"),
            base);
}

TEST_F(WorkloadHashTest, TellsShapesApart) {
  EXPECT_NE(hashWith("8x8", "16x16"), hash(kBase));
}

TEST_F(WorkloadHashTest, TellsTypesApart) {
  EXPECT_NE(hashWith("f32", "f64"), hash(kBase));
}

TEST_F(WorkloadHashTest, TellsEpiloguesApart) {
  std::string base = hash(kBase);
  EXPECT_NE(hashWith("arith.addf", "arith.subf"), base);
  EXPECT_NE(hashWith("%p, %q", "%q, %p"), base);
  EXPECT_NE(hashWith("return %x", "return %r"), base);
}

TEST_F(WorkloadHashTest, TellsConstantsApart) {
  EXPECT_NE(hashWith("0.0", "1.0"), hash(kBase));
}

TEST_F(WorkloadHashTest, TellsSemanticAttributesApart) {
  EXPECT_NE(
      hashWith("arith.addf %p, %q", "arith.addf %p, %q fastmath<contract>"),
      hash(kBase));
}

TEST_F(WorkloadHashTest, TellsFreeLayoutsApart) {
  std::string free = hashWith("%b: tensor<8x8xf32>",
                              "%b: tensor<8x8xf32> {schedule.layout_free}");
  EXPECT_NE(free, hash(kBase));
  EXPECT_NE(free, hashWith("%a: tensor<8x8xf32>",
                           "%a: tensor<8x8xf32> {schedule.layout_free}"));
}

TEST_F(WorkloadHashTest, TellsWhichOperandIsWhich) {
  // The same types and ops, wired otherwise.
  EXPECT_NE(hashWith("ins(%a, %b", "ins(%a, %a"), hash(kBase));
  EXPECT_EQ(hashWith("ins(%a, %b", "ins(%b, %a"), hash(kBase));
}

TEST_F(WorkloadHashTest, IgnoresWeights) {
  auto with = [&](llvm::StringRef value) {
    return hash((R"(
func.func @f(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<)" +
                 value + R"(> : tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>)
                     outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
})")
                    .str());
  };
  std::string base = with("[[1.0, 2.0], [3.0, 4.0]]");
  EXPECT_EQ(with("[[5.0, 6.0], [7.0, 8.0]]"), base);
  EXPECT_NE(with("1.0"), base);
}

TEST_F(WorkloadHashTest, IgnoresNamesOfResources) {
  auto with = [&](const std::string &name) {
    return hash(R"(
func.func @f(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense_resource<)" +
                name + R"(> : tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>)
                     outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
{-# dialect_resources: { builtin: {
  )" + name + R"(: "0x0400000000000000000000000000000000000000"
} } #-})");
  };
  EXPECT_EQ(with("weights"), with("others"));
}

TEST_F(WorkloadHashTest, KeyIsReadable) {
  Task task = extractOne(kBase);
  std::string key = writeWorkloadKey(task.getFunction());
  EXPECT_TRUE(llvm::StringRef(key).starts_with(
      "workload 1\nlinalg.fill(arith.constant:f32=0.000000e+00 : f32,"
      "tensor.empty:tensor<8x8xf32>,)"))
      << key;
}
} // namespace
