//===- XGBoostLibraryTest.cpp - Which libraries are taken -----------------===//

#include "LearnedData.h"
#include "SchedOpt/CostModel/CostModelFactory.h"

using namespace sched;
using namespace sched::test;

/// The error of loading `name`; "" where there is none.
static std::string getError(llvm::StringRef name) {
  auto library = XGBoostLibrary::load(name);
  return library ? "" : llvm::toString(library.takeError());
}

TEST(XGBoostLibrary, SaysThatThereIsNone) {
  const std::string error = getError("/nowhere/libxgboost.so");
  EXPECT_NE(error.find("found no XGBoost (/nowhere/libxgboost.so: "),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("; expected XGBoost 1.7.0 or later, before 4.0.0 "
                       "(Debian: apt-get install libxgboost-dev)"),
            std::string::npos)
      << error;
}

TEST(XGBoostLibrary, RefusesOtherReleases) {
  EXPECT_EQ(getError(OLD_XGBOOST),
            "found XGBoost 0.90.2 in '" OLD_XGBOOST
            "'; expected XGBoost 1.7.0 or later, before 4.0.0 (Debian: apt-get "
            "install libxgboost-dev)");
}

TEST(XGBoostLibrary, RefusesWhatIsNoXGBoost) {
  const std::string error = getError(NO_XGBOOST);
  EXPECT_NE(error.find("which does not say its version"), std::string::npos)
      << error;
}

TEST(XGBoostLibrary, RefusesOneThatLacksFunctions) {
  const std::string error = getError(BARE_XGBOOST);
  EXPECT_NE(error.find("found XGBoost 1.7.5 in '" BARE_XGBOOST
                       "', which lacks XGBGetLastError"),
            std::string::npos)
      << error;
}

TEST(XGBoostLibrary, TheAnalyticModelTakesOverWithOneWarning) {
  for (llvm::StringRef name :
       {"xgboost", "ensemble", "xgboost-fresh", "auto"}) {
    std::vector<std::string> warnings;
    auto model = createCostModel(
        name, makeTarget(), 0,
        [&](const llvm::Twine &text) { warnings.push_back(text.str()); },
        llvm::StringRef("/nowhere/libxgboost.so"));
    ASSERT_TRUE(bool(model));
    EXPECT_EQ((*model)->name(), "analytic");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(llvm::StringRef(warnings[0]).starts_with("found no XGBoost"));
    EXPECT_TRUE(llvm::StringRef(warnings[0])
                    .ends_with("; the analytic cost model is used instead"));
  }
}

TEST_F(WithXGBoost, IsOfTheRange) {
  EXPECT_FALSE(library->getVersion() < XGBoostLibrary::kFirst);
  EXPECT_TRUE(library->getVersion() < XGBoostLibrary::kEnd);
}

TEST_F(WithXGBoost, ErrorsAreOneLine) {
  XGBoostLibrary::Handle handle = nullptr;
  ASSERT_EQ(library->boosterCreate(nullptr, 0, &handle), 0);
  const std::string error =
      llvm::toString(library->check(library->boosterLoad(handle, "{}", 2)));
  EXPECT_TRUE(llvm::StringRef(error).starts_with("XGBoost: ")) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  library->boosterFree(handle);
}
