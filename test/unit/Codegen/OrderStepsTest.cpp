//===- OrderStepsTest.cpp - The order of multiplications ------------------===//
//
// Two sums, a and b, of two steps each. A name says the sum and the step.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Codegen/OrderSteps.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

/// The multiplications of `body`, whose elements %x to %u become vectors
/// %vx to %vu, after orderSteps has ordered them.
static std::string getOrder(StringRef body) {
  std::string text =
      "declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x "
      "float>)\n"
      "define void @f(float %x, float %y, float %z, float %u, <16 x float> "
      "%w0, <16 x "
      "float> %w1, <16 x float> %sa, <16 x float> %sb, ptr %out) {\n";
  for (StringRef name : {"x", "y", "z", "u"})
    text += formatv("  %i{0} = insertelement <16 x float> poison, float %{0}, "
                    "i64 0\n  %v{0} = shufflevector <16 x float> %i{0}, <16 x "
                    "float> poison, <16 x i32> zeroinitializer\n",
                    name);
  text += "  %pair = insertelement <2 x float> poison, float %x, i64 0\n"
          "  %both = insertelement <2 x float> %pair, float %y, i64 1\n"
          "  %vp = shufflevector <2 x float> %both, <2 x float> poison, <16 x "
          "i32> zeroinitializer\n"
          "  %vq = shufflevector <2 x float> %both, <2 x float> poison, <16 x "
          "i32> splat (i32 1)\n";
  SmallVector<StringRef> lines;
  body.split(lines, ';');
  for (StringRef line : lines) {
    SmallVector<StringRef, 4> words;
    line.trim().split(words, ' ');
    text += formatv("  %{0} = call <16 x float> @llvm.fma.v16f32(<16 x float> "
                    "%{1}, <16 x float> %{2}, <16 x float> %{3})\n",
                    words[0], words[1], words[2], words[3]);
  }
  text += "  store <16 x float> %a2, ptr %out\n"
          "  store <16 x float> %b2, ptr %out\n  ret void\n}\n";
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  if (!module)
    return error.getMessage().str();
  sched::orderSteps(*module);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  std::string order;
  for (Instruction &instruction : module->getFunction("f")->front())
    if (isa<CallInst>(instruction))
      order += (order.empty() ? "" : " ") + instruction.getName().str();
  return order;
}

TEST(OrderSteps, RowsBecomeSteps) {
  EXPECT_EQ(getOrder("a1 vx w0 sa; a2 vy w1 a1; b1 vz w0 sb; b2 vu w1 b1"),
            "a1 b1 a2 b2");
  // Whose element is the first operand does not matter.
  EXPECT_EQ(getOrder("a1 w0 vx sa; a2 w1 vy a1; b1 w0 vz sb; b2 vu w1 b1"),
            "a1 b1 a2 b2");
}

TEST(OrderSteps, ColumnsThatShareAPixelStayTogether) {
  // b's first step multiplies what a's second does, right after it.
  EXPECT_EQ(getOrder("a1 vx w0 sa; b1 vy w0 sb; a2 vy w1 a1; b2 vz w1 b1"),
            "a1 b1 a2 b2");
  EXPECT_EQ(getOrder("a1 vx w0 sa; a2 vy w1 a1; b1 vy w0 sb; b2 vz w1 b1"),
            "a1 a2 b1 b2");
}

TEST(OrderSteps, ElementsOfAShortVector) {
  // %vp and %vq are the two elements of one.
  EXPECT_EQ(getOrder("a1 vp w0 sa; a2 vq w1 a1; b1 vq w0 sb; b2 vz w1 b1"),
            "a1 a2 b1 b2");
  EXPECT_EQ(getOrder("a1 vp w0 sa; a2 vq w1 a1; b1 vx w0 sb; b2 vy w1 b1"),
            "a1 b1 a2 b2");
}

TEST(OrderSteps, EqualPixelsApartAreNoReasonToKeepTheOrder) {
  // y is shared, too, but with something between, as where LLVM found it.
  EXPECT_EQ(getOrder("a1 vx w0 sa; a2 vy w1 a1; b1 vz w0 sb; b2 vx w1 b1"),
            "a1 b1 a2 b2");
}
