//===- DecisionDomain.cpp - What a decision can be ------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/DecisionDomain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// The divisors of `n` >= 1 in increasing order.
static llvm::SmallVector<int64_t> getDivisors(int64_t n) {
  llvm::SmallVector<int64_t> small, large;
  for (int64_t i = 1; i <= n / i; ++i) {
    if (n % i)
      continue;
    small.push_back(i);
    if (i != n / i)
      large.push_back(n / i);
  }
  llvm::append_range(small, llvm::reverse(large));
  return small;
}

DecisionDomain mlir::schedule::getFactorisations(int64_t extent, int64_t parts,
                                                 int64_t maxInnermost) {
  assert(extent >= 1 && parts >= 1 && "nothing to factorise");
  const llvm::SmallVector<int64_t> divisors = getDivisors(extent);
  DecisionDomain domain;
  std::vector<int64_t> entry;
  // Chooses the factors from the outermost inwards; `rest` is left for them.
  std::function<void(int64_t)> extend = [&](int64_t rest) {
    if (domain.size() > kMaxDomainSize)
      return;
    if (static_cast<int64_t>(entry.size()) + 1 == parts) {
      if (rest > maxInnermost)
        return;
      entry.push_back(rest);
      domain.push_back(entry);
      entry.pop_back();
      return;
    }
    for (int64_t divisor : divisors) {
      if (divisor > rest)
        break;
      if (rest % divisor)
        continue;
      entry.push_back(divisor);
      extend(rest / divisor);
      entry.pop_back();
    }
  };
  extend(extent);
  return domain;
}

DecisionDomain mlir::schedule::getPermutations(int64_t count) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  DecisionDomain domain;
  do
    domain.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return domain;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

std::optional<unsigned>
mlir::schedule::findEntry(const DecisionDomain &domain,
                          llvm::ArrayRef<int64_t> values) {
  for (auto [index, entry] : llvm::enumerate(domain))
    if (llvm::ArrayRef<int64_t>(entry) == values)
      return index;
  return std::nullopt;
}

unsigned
mlir::schedule::sampleEntry(const DecisionDomain &domain,
                            std::optional<llvm::ArrayRef<double>> weights,
                            llvm::function_ref<uint64_t()> bits) {
  // Uniform in [0, 1). The standard distributions differ between libraries.
  const double unit = std::ldexp(static_cast<double>(bits() >> 11), -53);
  const size_t last = domain.size() - 1;
  if (!weights)
    return std::min<size_t>(unit * domain.size(), last);
  double left = unit * std::accumulate(weights->begin(), weights->end(), 0.0);
  for (size_t i = 0; i != last; ++i) {
    left -= (*weights)[i];
    if (left < 0)
      return i;
  }
  return last;
}

static bool isPrime(int64_t n) {
  if (n < 2)
    return false;
  for (int64_t i = 2; i <= n / i; ++i)
    if (n % i == 0)
      return false;
  return true;
}

/// Whether `b` is `a` with one prime factor moved to another part.
static bool isOneFactorAway(llvm::ArrayRef<int64_t> a,
                            llvm::ArrayRef<int64_t> b) {
  // The products are equal: where one part shrinks and one grows, both change
  // by the same factor.
  std::optional<int64_t> grown, shrunk;
  for (auto [from, to] : llvm::zip_equal(a, b)) {
    if (from == to)
      continue;
    std::optional<int64_t> &change = to > from ? grown : shrunk;
    const int64_t large = std::max(from, to), small = std::min(from, to);
    if (change || large % small)
      return false;
    change = large / small;
  }
  return grown && shrunk && isPrime(*grown);
}

static bool isOneSwapAway(llvm::ArrayRef<int64_t> a,
                          llvm::ArrayRef<int64_t> b) {
  auto first = std::mismatch(a.begin(), a.end(), b.begin());
  if (first.first == a.end() || first.first + 1 == a.end())
    return false;
  return first.first[0] == first.second[1] &&
         first.first[1] == first.second[0] &&
         std::equal(first.first + 2, a.end(), first.second + 2);
}

llvm::SmallVector<unsigned>
mlir::schedule::getNeighbours(DecisionKind kind, const DecisionDomain &domain,
                              unsigned index) {
  auto isNeighbour = [&](unsigned other) {
    switch (kind) {
    case DecisionKind::Ordered:
      return other + 1 == index || index + 1 == other;
    case DecisionKind::Categorical:
      return other != index;
    case DecisionKind::PerfectTile:
      return isOneFactorAway(domain[index], domain[other]);
    case DecisionKind::Permutation:
      return isOneSwapAway(domain[index], domain[other]);
    }
    return false;
  };
  llvm::SmallVector<unsigned> result;
  for (unsigned other = 0, e = domain.size(); other != e; ++other)
    if (isNeighbour(other))
      result.push_back(other);
  return result;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string mlir::schedule::printValues(llvm::ArrayRef<int64_t> values) {
  if (values.size() == 1)
    return std::to_string(values.front());
  return "[" +
         llvm::join(llvm::map_range(
                        values, [](int64_t v) { return std::to_string(v); }),
                    ", ") +
         "]";
}

std::string mlir::schedule::printDomain(const DecisionDomain &domain) {
  constexpr size_t kShown = 16;
  const bool isLong = domain.size() > kShown;
  llvm::SmallVector<std::string> entries;
  for (const std::vector<int64_t> &entry :
       llvm::ArrayRef(domain).take_front(isLong ? kShown - 2 : kShown))
    entries.push_back(printValues(entry));
  if (isLong) {
    entries.push_back("...");
    entries.push_back(printValues(domain.back()));
  }
  return "[" + llvm::join(entries, ", ") + "]";
}
