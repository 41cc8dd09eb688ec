//===- SearchSpace.cpp - All sketches of a task ---------------------------===//

#include "SchedOpt/Search/SearchSpace.h"
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

using namespace sched;

SketchView::~SketchView() = default;

SearchSpace::SearchSpace(std::vector<const SketchView *> views)
    : sketches(std::move(views)) {
  assert(!sketches.empty() && sketches.size() <= 0xffff &&
         "a space has 1 to 65535 sketches");
  for (const SketchView *sketch : sketches) {
    std::vector<DecisionTable> &row = tables.emplace_back();
    for (const Decision &decision : sketch->getDecisions())
      row.emplace_back(decision);
  }
  buildTranslations();
}

/// The entry of `to` that means the same as `entry` of another domain.
static uint16_t
findEntry(const Decision &to,
          const std::map<std::vector<int64_t>, uint16_t> &indexOf,
          const std::vector<int64_t> &entry, uint16_t none) {
  auto it = indexOf.find(entry);
  if (it != indexOf.end())
    return it->second;
  if (to.kind != DecisionKind::Ordered || entry.size() != 1)
    return none;
  uint16_t nearest = none;
  double best = std::numeric_limits<double>::infinity();
  for (unsigned i = 0, e = to.size(); i != e; ++i) {
    if (to.domain[i].size() != 1)
      return none;
    double distance = std::abs(double(to.domain[i][0]) - double(entry[0]));
    if (distance < best) {
      best = distance;
      nearest = i;
    }
  }
  return nearest;
}

void SearchSpace::buildTranslations() {
  unsigned n = sketches.size();
  translations.resize(size_t(n) * n);
  for (unsigned to = 0; to != n; ++to) {
    llvm::ArrayRef<Decision> toDecisions = sketches[to]->getDecisions();
    for (unsigned d = 0, e = toDecisions.size(); d != e; ++d) {
      const Decision &toDecision = toDecisions[d];
      std::map<std::vector<int64_t>, uint16_t> indexOf;
      for (unsigned i = 0, size = toDecision.size(); i != size; ++i)
        indexOf.emplace(toDecision.domain[i], i);
      for (unsigned from = 0; from != n; ++from) {
        Translation &translation =
            translations[size_t(from) * n + to].emplace_back();
        if (from == to)
          continue;
        llvm::ArrayRef<Decision> fromDecisions = sketches[from]->getDecisions();
        for (unsigned s = 0, count = fromDecisions.size(); s != count; ++s) {
          if (fromDecisions[s].name != toDecision.name)
            continue;
          translation.source = s;
          for (const std::vector<int64_t> &entry : fromDecisions[s].domain)
            translation.entries.push_back(
                findEntry(toDecision, indexOf, entry, kNone));
          break;
        }
      }
    }
  }
}

Candidate SearchSpace::getDefault(unsigned sketch) const {
  Candidate candidate;
  candidate.sketch = sketch;
  for (const Decision &decision : sketches[sketch]->getDecisions())
    candidate.choices.push_back(decision.defaultIndex);
  return candidate;
}

uint64_t SearchSpace::hashProgram(const Candidate &candidate) const {
  const uint64_t hash =
      sketches[candidate.sketch]->hashProgram(candidate.choices);
  // 63 bits, as Candidate::hash.
  return hash == 0 ? 0 : (mixBits(hash + candidate.sketch) >> 1) | 1;
}

bool SearchSpace::contains(const Candidate &candidate) const {
  if (candidate.sketch >= sketches.size())
    return false;
  const std::vector<DecisionTable> &row = tables[candidate.sketch];
  if (candidate.choices.size() != row.size())
    return false;
  for (size_t i = 0, e = row.size(); i != e; ++i)
    if (candidate.choices[i] >= row[i].size())
      return false;
  return true;
}

void SearchSpace::reset(Candidate &candidate, unsigned sketch) const {
  candidate.sketch = sketch;
  candidate.choices.assign(tables[sketch].size(), 0);
}

bool SearchSpace::advance(Candidate &candidate) const {
  const std::vector<DecisionTable> &row = tables[candidate.sketch];
  for (size_t i = 0, e = row.size(); i != e; ++i) {
    if (++candidate.choices[i] < row[i].size())
      return true;
    candidate.choices[i] = 0;
  }
  bool last = candidate.sketch + 1u == sketches.size();
  reset(candidate, last ? 0 : candidate.sketch + 1);
  return !last;
}

uint64_t SearchSpace::size() const {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  uint64_t sum = 0;
  for (const std::vector<DecisionTable> &row : tables) {
    uint64_t product = 1;
    for (const DecisionTable &table : row)
      if (__builtin_mul_overflow(product, uint64_t(table.size()), &product))
        return kMax;
    if (__builtin_add_overflow(sum, product, &sum))
      return kMax;
  }
  return sum;
}

std::optional<uint16_t> SearchSpace::translate(const Candidate &from,
                                               unsigned to,
                                               unsigned decision) const {
  if (from.sketch == to)
    return from.choices[decision];
  const Translation &translation =
      translations[size_t(from.sketch) * sketches.size() + to][decision];
  if (translation.source < 0)
    return std::nullopt;
  uint16_t entry = translation.entries[from.choices[translation.source]];
  if (entry == kNone)
    return std::nullopt;
  return entry;
}
