//===- DecisionTable.cpp - How to move within one decision's domain -------===//

#include "SchedOpt/Search/DecisionTable.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

using namespace sched;

/// The prime factors of `value`, each once.
static llvm::SmallVector<int64_t, 8> primesOf(int64_t value) {
  llvm::SmallVector<int64_t, 8> primes;
  for (int64_t p = 2; p * p <= value; ++p) {
    if (value % p)
      continue;
    primes.push_back(p);
    while (value % p == 0)
      value /= p;
  }
  if (value > 1)
    primes.push_back(value);
  return primes;
}

DecisionTable::DecisionTable(const Decision &decision) : decision(&decision) {
  assert(decision.size() > 0 && decision.size() <= 0xffff &&
         "a domain has 1 to 65535 entries");
  assert((decision.weights.empty() ||
          decision.weights.size() == decision.size()) &&
         "one weight an entry");
  double sum = 0;
  for (double weight : decision.weights)
    cumulative.push_back(sum += weight);
  if (sum <= 0)
    cumulative.clear();

  if (decision.kind == DecisionKind::PerfectTile) {
    for (const std::vector<int64_t> &entry : decision.domain)
      for (int64_t value : entry)
        logarithms.push_back(std::log2(std::max<double>(value, 1)));
    // Two factorisations of E differ by at most 2 log2(E).
    double extent = 0;
    for (unsigned i = 0, e = decision.domain[0].size(); i != e; ++i)
      extent += logarithms[i];
    scale = extent > 0 ? 1 / (2 * extent) : 1;
  }
  if (decision.kind == DecisionKind::PerfectTile ||
      decision.kind == DecisionKind::Permutation)
    buildStoredNeighbours();
}

void DecisionTable::buildStoredNeighbours() {
  std::map<std::vector<int64_t>, uint16_t> indexOf;
  for (unsigned i = 0, e = size(); i != e; ++i)
    indexOf.emplace(decision->domain[i], i);

  offsets.push_back(0);
  for (unsigned i = 0, e = size(); i != e; ++i) {
    std::vector<int64_t> values = decision->domain[i];
    size_t first = neighbours.size();
    auto addIfPresent = [&] {
      auto it = indexOf.find(values);
      if (it != indexOf.end() && it->second != i)
        neighbours.push_back(it->second);
    };
    for (size_t from = 0, parts = values.size(); from != parts; ++from) {
      if (decision->kind == DecisionKind::Permutation) {
        if (from + 1 == parts)
          break;
        std::swap(values[from], values[from + 1]);
        addIfPresent();
        std::swap(values[from], values[from + 1]);
        continue;
      }
      for (int64_t prime : primesOf(values[from])) {
        for (size_t to = 0; to != parts; ++to) {
          if (to == from)
            continue;
          values[from] /= prime;
          values[to] *= prime;
          addIfPresent();
          values[from] *= prime;
          values[to] /= prime;
        }
      }
    }
    if (neighbours.size() == first && e > 1) {
      double nearest = 2;
      for (unsigned j = 0; j != e; ++j)
        if (j != i)
          nearest = std::min(nearest, distance(i, j));
      for (unsigned j = 0; j != e; ++j)
        if (j != i && distance(i, j) <= nearest)
          neighbours.push_back(j);
    }
    std::sort(neighbours.begin() + first, neighbours.end());
    neighbours.erase(std::unique(neighbours.begin() + first, neighbours.end()),
                     neighbours.end());
    offsets.push_back(neighbours.size());
  }
}

uint16_t DecisionTable::draw(Rng &rng) const {
  if (cumulative.empty())
    return rng.below(size());
  double at = rng.uniform() * cumulative.back();
  auto it = std::upper_bound(cumulative.begin(), cumulative.end(), at);
  return std::min<size_t>(it - cumulative.begin(), size() - 1);
}

uint16_t DecisionTable::drawOther(uint16_t index, Rng &rng) const {
  // A weight of almost 1 on `index` would make rejection slow; fall back to a
  // uniform draw among the others.
  for (unsigned attempt = 0; attempt != 4; ++attempt) {
    uint16_t other = draw(rng);
    if (other != index)
      return other;
  }
  uint16_t other = rng.below(size() - 1);
  return other + (other >= index);
}

uint16_t DecisionTable::mutate(uint16_t index, Rng &rng) const {
  unsigned n = size();
  if (n == 1)
    return index;
  switch (decision->kind) {
  case DecisionKind::Categorical:
    return drawOther(index, rng);
  case DecisionKind::Ordered: {
    bool up = rng.next() & 1;
    unsigned room = up ? n - 1 - index : index;
    if (room == 0) {
      up = !up;
      room = n - 1;
    }
    unsigned step = 1;
    if (room > 1 && rng.chance(0.4))
      // 2^u with u uniform: half of the jumps stay within sqrt(room).
      step = std::min<unsigned>(
          room, 1 + static_cast<unsigned>(
                        std::exp2(rng.uniform() * std::log2(double(room)))));
    return up ? index + step : index - step;
  }
  case DecisionKind::PerfectTile:
  case DecisionKind::Permutation: {
    if (rng.chance(0.25))
      return drawOther(index, rng);
    llvm::ArrayRef<uint16_t> near = stored(index);
    uint16_t other = near[rng.below(near.size())];
    // Sometimes a second factor moves in the same step.
    if (rng.chance(0.25)) {
      near = stored(other);
      uint16_t further = near[rng.below(near.size())];
      if (further != index)
        other = further;
    }
    return other;
  }
  }
  llvm_unreachable("unknown kind of decision");
}

void DecisionTable::getNeighbours(
    uint16_t index, llvm::SmallVectorImpl<uint16_t> &result) const {
  switch (decision->kind) {
  case DecisionKind::Ordered:
    if (index > 0)
      result.push_back(index - 1);
    if (index + 1u < size())
      result.push_back(index + 1);
    return;
  case DecisionKind::Categorical:
    for (unsigned i = 0, e = size(); i != e; ++i)
      if (i != index)
        result.push_back(i);
    return;
  case DecisionKind::PerfectTile:
  case DecisionKind::Permutation: {
    llvm::ArrayRef<uint16_t> near = stored(index);
    result.append(near.begin(), near.end());
    return;
  }
  }
}

std::optional<uint16_t>
DecisionTable::findNearest(llvm::ArrayRef<int64_t> values) const {
  const bool isSize = decision->kind == DecisionKind::Ordered ||
                      decision->kind == DecisionKind::PerfectTile;
  std::optional<uint16_t> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned i = 0, e = size(); i != e; ++i) {
    llvm::ArrayRef<int64_t> entry = decision->domain[i];
    if (entry == values)
      return i;
    if (!isSize || entry.size() != values.size())
      continue;
    // By ratios; 0 and what is below have none, and are nearest to themselves.
    double sum = 0;
    for (size_t part = 0; part != entry.size(); ++part)
      sum += std::abs(std::log2(std::max<double>(entry[part], 0.5)) -
                      std::log2(std::max<double>(values[part], 0.5)));
    if (sum < least) {
      least = sum;
      nearest = i;
    }
  }
  return nearest;
}

double DecisionTable::distance(uint16_t a, uint16_t b) const {
  if (a == b)
    return 0;
  switch (decision->kind) {
  case DecisionKind::Categorical:
    return 1;
  case DecisionKind::Ordered:
    return std::abs(int(a) - int(b)) / double(size() - 1);
  case DecisionKind::PerfectTile: {
    size_t parts = decision->domain[0].size();
    double sum = 0;
    for (size_t i = 0; i != parts; ++i)
      sum += std::abs(logarithms[a * parts + i] - logarithms[b * parts + i]);
    return std::min(1.0, sum * scale);
  }
  case DecisionKind::Permutation: {
    const std::vector<int64_t> &x = decision->domain[a];
    const std::vector<int64_t> &y = decision->domain[b];
    size_t differing = 0, places = std::min(x.size(), y.size());
    for (size_t i = 0; i != places; ++i)
      differing += x[i] != y[i];
    return double(std::max<size_t>(differing, 1)) / std::max<size_t>(places, 1);
  }
  }
  llvm_unreachable("unknown kind of decision");
}
