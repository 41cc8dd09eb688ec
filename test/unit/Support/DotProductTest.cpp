//===- DotProductTest.cpp - What instructions processors have -------------===//

#include "SchedOpt/Support/DotProduct.h"
#include "gtest/gtest.h"

using namespace sched;

static DotProducts findFor(llvm::StringRef mcpu) {
  llvm::Expected<Target> target = Target::parse(
      ("cpu:mcpu=" + mcpu + ",triple=x86_64-linux-gnu").str(), /*threads=*/1);
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
