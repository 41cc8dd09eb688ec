//===- DecisionDomainTest.cpp - Domains as plain data ---------------------===//

#include "SchedOpt/Dialect/Schedule/IR/DecisionDomain.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

using namespace mlir::schedule;

namespace {

using Indices = llvm::SmallVector<unsigned>;

int64_t product(llvm::ArrayRef<int64_t> values) {
  return std::accumulate(values.begin(), values.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

TEST(DecisionDomain, FactorisationsAreAllAndOnlyThose) {
  for (int64_t extent : {1, 2, 12, 97, 128, 360}) {
    for (int64_t parts : {1, 2, 3, 4}) {
      const int64_t maxInnermost = 16;
      // Every tuple of numbers up to the extent, by brute force over divisors.
      std::set<std::vector<int64_t>> expected;
      std::vector<int64_t> divisors;
      for (int64_t i = 1; i <= extent; ++i)
        if (extent % i == 0)
          divisors.push_back(i);
      std::vector<size_t> digits(parts, 0);
      for (bool done = false; !done;) {
        std::vector<int64_t> entry;
        for (size_t digit : digits)
          entry.push_back(divisors[digit]);
        if (product(entry) == extent && entry.back() <= maxInnermost)
          expected.insert(entry);
        size_t i = 0;
        while (i < digits.size() && ++digits[i] == divisors.size())
          digits[i++] = 0;
        done = i == digits.size();
      }
      DecisionDomain domain = getFactorisations(extent, parts, maxInnermost);
      EXPECT_TRUE(llvm::is_sorted(domain));
      EXPECT_EQ(std::set<std::vector<int64_t>>(domain.begin(), domain.end()),
                expected)
          << extent << " into " << parts;
      EXPECT_EQ(domain.size(), expected.size());
    }
  }
}

TEST(DecisionDomain, FactorisationsStopWhereTheyAreTooMany) {
  // 2^5 3^3 5^2 7 11 into 8 parts are many millions.
  EXPECT_EQ(getFactorisations(1663200, 8, 1663200).size(),
            size_t(kMaxDomainSize) + 1);
}

TEST(DecisionDomain, Permutations) {
  DecisionDomain domain = getPermutations(3);
  ASSERT_EQ(domain.size(), 6u);
  EXPECT_EQ(domain.front(), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(domain.back(), (std::vector<int64_t>{2, 1, 0}));
}

TEST(DecisionDomain, FindEntry) {
  DecisionDomain domain = getPermutations(3);
  for (auto [index, entry] : llvm::enumerate(domain))
    EXPECT_EQ(findEntry(domain, entry), unsigned(index));
  EXPECT_EQ(findEntry(domain, {0, 1, 1}), std::nullopt);
  EXPECT_EQ(findEntry(domain, {0, 1}), std::nullopt);
}

TEST(DecisionDomain, NeighboursOfSizesAreOneStepAway) {
  DecisionDomain domain{{1}, {2}, {4}, {8}};
  EXPECT_EQ(getNeighbours(DecisionKind::Ordered, domain, 0), Indices({1}));
  EXPECT_EQ(getNeighbours(DecisionKind::Ordered, domain, 2), Indices({1, 3}));
  EXPECT_EQ(getNeighbours(DecisionKind::Categorical, domain, 2),
            Indices({0, 1, 3}));
}

TEST(DecisionDomain, NeighboursOfTilesMoveOnePrimeFactor) {
  DecisionDomain domain = getFactorisations(12, 2, 12);
  auto at = [&](std::vector<int64_t> entry) {
    return *findEntry(domain, entry);
  };
  // (2, 6): a 2 to the right, a 2 or a 3 to the left. A factor of 6 is two.
  EXPECT_EQ(getNeighbours(DecisionKind::PerfectTile, domain, at({2, 6})),
            Indices({at({1, 12}), at({4, 3}), at({6, 2})}));
  // Three parts: the third must stay.
  DecisionDomain three = getFactorisations(4, 3, 4);
  auto in = [&](std::vector<int64_t> entry) {
    return *findEntry(three, entry);
  };
  EXPECT_EQ(
      getNeighbours(DecisionKind::PerfectTile, three, in({1, 2, 2})),
      Indices({in({1, 1, 4}), in({1, 4, 1}), in({2, 1, 2}), in({2, 2, 1})}));
}

TEST(DecisionDomain, NeighboursOfOrdersSwapOnePair) {
  DecisionDomain domain = getPermutations(3);
  auto at = [&](std::vector<int64_t> entry) {
    return *findEntry(domain, entry);
  };
  EXPECT_EQ(getNeighbours(DecisionKind::Permutation, domain, at({0, 1, 2})),
            Indices({at({0, 2, 1}), at({1, 0, 2})}));
  EXPECT_TRUE(
      getNeighbours(DecisionKind::Permutation, getPermutations(1), 0).empty());
}

TEST(DecisionDomain, NeighbourhoodIsSymmetric) {
  for (DecisionKind kind :
       {DecisionKind::Ordered, DecisionKind::Categorical,
        DecisionKind::PerfectTile, DecisionKind::Permutation}) {
    DecisionDomain domain = kind == DecisionKind::Permutation
                                ? getPermutations(4)
                                : getFactorisations(72, 3, 8);
    for (unsigned i = 0; i != domain.size(); ++i)
      for (unsigned j : getNeighbours(kind, domain, i))
        EXPECT_TRUE(llvm::is_contained(getNeighbours(kind, domain, j), i));
  }
}

TEST(DecisionDomain, SamplesFollowTheWeights) {
  DecisionDomain domain{{1}, {2}, {3}};
  const double weights[] = {1, 2, 5};
  std::mt19937_64 engine(7);
  auto bits = [&] { return engine(); };
  int uniform[3] = {}, weighted[3] = {};
  const int draws = 80000;
  for (int i = 0; i != draws; ++i) {
    ++uniform[sampleEntry(domain, std::nullopt, bits)];
    ++weighted[sampleEntry(domain, llvm::ArrayRef(weights), bits)];
  }
  for (int i = 0; i != 3; ++i) {
    EXPECT_NEAR(uniform[i], draws / 3.0, draws * 0.01);
    EXPECT_NEAR(weighted[i], draws * weights[i] / 8, draws * 0.01);
  }
}

TEST(DecisionDomain, SamplesStayInside) {
  DecisionDomain domain{{1}, {2}, {3}};
  const double weights[] = {1, 2, 5};
  for (uint64_t bits : {uint64_t(0), ~uint64_t(0)}) {
    const unsigned expected = bits ? 2 : 0;
    EXPECT_EQ(sampleEntry(domain, std::nullopt, [&] { return bits; }),
              expected);
    EXPECT_EQ(
        sampleEntry(domain, llvm::ArrayRef(weights), [&] { return bits; }),
        expected);
  }
}

TEST(DecisionDomain, Print) {
  EXPECT_EQ(printDomain({{4}, {5}}), "[4, 5]");
  EXPECT_EQ(printDomain({{1, 2}, {2, 1}}), "[[1, 2], [2, 1]]");
  DecisionDomain longOne;
  for (int64_t i = 1; i <= 17; ++i)
    longOne.push_back({i});
  EXPECT_EQ(printDomain(longOne),
            "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ..., 17]");
}

} // namespace
