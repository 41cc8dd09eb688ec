//===- Ranking.cpp - How well a model ranks, on average -------------------===//

#include "Ranking.h"
#include "SchedOpt/CostModel/Validation.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sched;
using namespace sched::bench;

void Ranking::add(llvm::ArrayRef<double> scores,
                  llvm::ArrayRef<double> seconds) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-scores[a], a) < std::pair(-scores[b], b);
  });
  double best = INFINITY, four = INFINITY;
  for (double time : seconds)
    best = std::min(best, time);
  for (size_t i = 0; i != std::min<size_t>(4, order.size()); ++i)
    four = std::min(four, seconds[order[i]]);
  ++tasks;
  rankCorrelation += validate(scores, seconds).rankCorrelation;
  first += best / seconds[order[0]];
  firstFour += best / four;
}

llvm::json::Object Ranking::toJSON() const {
  const double n = std::max<size_t>(1, tasks);
  return llvm::json::Object{{"tasks", int64_t(tasks)},
                            {"rank_correlation", rankCorrelation / n},
                            {"first", first / n},
                            {"first_four", firstFour / n}};
}

std::string Ranking::str() const {
  const double n = std::max<size_t>(1, tasks);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%6.3f %6.3f %6.3f", rankCorrelation / n, first / n,
                     firstFour / n);
  return text;
}
