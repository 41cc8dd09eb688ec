//===- DotProductTest.cpp - What instructions processors have -------------===//

#include "SchedOpt/Support/DotProduct.h"
#include "gtest/gtest.h"

using namespace sched;

static DotProducts findFor(llvm::StringRef mcpu) {
  llvm::Expected<Target> target = Target::parse(
      ("cpu:triple=x86_64-linux-gnu,mcpu=" + mcpu).str(), /*threads=*/1);
  if (target)
    return findDotProducts(*target);
  ADD_FAILURE() << llvm::toString(target.takeError());
  return {};
}

TEST(DotProducts, TilesTakeTheirTypes) {
  const DotProducts amx = findFor("sapphirerapids"), vnni = findFor("znver4");
  for (NarrowType type : {NarrowType::BFloat, NarrowType::SignedByte}) {
    EXPECT_TRUE(amx.covers(DotForm::Tiles, type, type));
    EXPECT_FALSE(vnni.covers(DotForm::Tiles, type, type));
    EXPECT_TRUE(vnni.covers(DotForm::Lanes, type, type));
  }
  EXPECT_FALSE(
      amx.covers(DotForm::Tiles, NarrowType::BFloat, NarrowType::SignedByte));
}

TEST(DotProducts, BFloatsAreSlowBesideTiles) {
  EXPECT_EQ(findFor("znver4").countEqualMultiplyAdds(NarrowType::BFloat), 1);
  EXPECT_EQ(findFor("cooperlake").countEqualMultiplyAdds(NarrowType::BFloat),
            1);
  const DotProducts amx = findFor("sapphirerapids");
  EXPECT_GT(amx.countEqualMultiplyAdds(NarrowType::BFloat), 2);
  EXPECT_EQ(amx.countEqualMultiplyAdds(NarrowType::SignedByte), 1);
}

TEST(DotProducts, BFloatsAreSlowWhereTilesAreHidden) {
  const DotProducts dots =
      findFor("sapphirerapids,features=-amx-bf16;-amx-int8;-amx-tile");
  EXPECT_FALSE(dots.hasTiles());
  EXPECT_GT(dots.countEqualMultiplyAdds(NarrowType::BFloat), 2);
  // Of a processor that has no name, its features tell.
  EXPECT_GT(findFor("x86-64-v4,features=+avx512bf16;+amx-bf16")
                .countEqualMultiplyAdds(NarrowType::BFloat),
            2);
}

TEST(DotProducts, SignedRowsAreChangedForUnsignedInstructions) {
  const NarrowType i8 = NarrowType::SignedByte, u8 = NarrowType::UnsignedByte;
  const DotProducts vnni = findFor("znver4");
  EXPECT_TRUE(vnni.changesRows(i8, i8));
  EXPECT_FALSE(vnni.changesRows(u8, i8));
  EXPECT_FALSE(vnni.changesRows(NarrowType::BFloat, NarrowType::BFloat));
  // AVX-VNNI-INT8 multiplies signed bytes.
  EXPECT_TRUE(findFor("alderlake").changesRows(i8, i8));
  EXPECT_FALSE(findFor("arrowlake-s").changesRows(i8, i8));
}

TEST(DotProducts, RowsAreWidenedWhereBytesHaveNoProducts) {
  const NarrowType i8 = NarrowType::SignedByte, u8 = NarrowType::UnsignedByte,
                   i16 = NarrowType::Short;
  for (const char *mcpu : {"x86-64", "haswell", "skylake-avx512"}) {
    const DotProducts pairs = findFor(mcpu);
    for (NarrowType lhs : {i8, u8})
      for (NarrowType rhs : {i8, u8})
        EXPECT_TRUE(pairs.widensRows(lhs, rhs)) << mcpu;
    EXPECT_TRUE(pairs.covers(DotForm::Lanes, i16, i8));
    EXPECT_FALSE(pairs.covers(DotForm::Lanes, i8, i16));
    EXPECT_FALSE(pairs.covers(DotForm::Tiles, i16, i8));
    EXPECT_FALSE(pairs.widensRows(i16, i8));
    EXPECT_FALSE(pairs.widensRows(NarrowType::BFloat, NarrowType::BFloat));
    EXPECT_GT(pairs.countEqualMultiplyAdds(i16), 1);
  }
  // AVX-512 lacks products of unsigned bytes, which AVX-VNNI-INT8 and AMX have.
  const DotProducts vnni = findFor("znver4");
  EXPECT_FALSE(vnni.widensRows(i8, i8));
  EXPECT_FALSE(vnni.widensRows(u8, i8));
  EXPECT_TRUE(vnni.widensRows(u8, u8));
  EXPECT_EQ(vnni.countEqualMultiplyAdds(i16), 1);
  EXPECT_FALSE(findFor("arrowlake-s").widensRows(u8, u8));
  EXPECT_FALSE(findFor("sapphirerapids").widensRows(u8, u8));
  EXPECT_EQ(countStepsAtOnce(DotForm::Lanes, i16), 2);
}

TEST(DotProducts, NoPairsOfShortsElsewhere) {
  auto target = Target::parse("cpu:triple=aarch64-linux-gnu,mcpu=cortex-a72",
                              /*threads=*/1);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  const DotProducts dots = findDotProducts(*target);
  EXPECT_FALSE(dots.widensRows(NarrowType::SignedByte, NarrowType::SignedByte));
  EXPECT_FALSE(
      dots.covers(DotForm::Lanes, NarrowType::Short, NarrowType::SignedByte));
}

TEST(DotProducts, SumsOfHalfAreOfFloatWithoutArithmetic) {
  auto addsInFloat = [](llvm::StringRef spec) {
    llvm::Expected<Target> target = Target::parse(spec.str(), /*threads=*/1);
    if (target)
      return addsHalfInFloat(*target);
    ADD_FAILURE() << llvm::toString(target.takeError());
    return false;
  };
  EXPECT_TRUE(addsInFloat("cpu:triple=x86_64-linux-gnu,mcpu=znver3"));
  EXPECT_TRUE(addsInFloat("cpu:triple=x86_64-linux-gnu,mcpu=cascadelake"));
  EXPECT_FALSE(addsInFloat("cpu:triple=x86_64-linux-gnu,mcpu=sapphirerapids"));
  EXPECT_TRUE(addsInFloat("cpu:triple=x86_64-linux-gnu,mcpu=sapphirerapids,"
                          "features=-avx512fp16"));
  EXPECT_TRUE(addsInFloat("cpu:triple=aarch64-linux-gnu,mcpu=cortex-a72"));
  EXPECT_FALSE(addsInFloat("cpu:triple=aarch64-linux-gnu,mcpu=neoverse-n1"));
  EXPECT_FALSE(addsInFloat("nvvm:sm_90a"));
}
