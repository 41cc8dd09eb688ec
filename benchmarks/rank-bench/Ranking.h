//===- Ranking.h - How well a model ranks, on average -----------*- C++ -*-===//
//
// Means over tasks of three figures on candidates that were not learned from.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_RANKBENCH_RANKING_H
#define SCHEDOPT_BENCHMARKS_RANKBENCH_RANKING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace sched::bench {

struct Ranking {
  size_t tasks = 0;
  /// Sums over tasks: rank correlation; the least time of all over that of the
  /// first, and of the best of the first four, by score.
  double rankCorrelation = 0, first = 0, firstFour = 0;

  /// Adds a task's candidates.
  void add(llvm::ArrayRef<double> scores, llvm::ArrayRef<double> seconds);
  llvm::json::Object toJSON() const;
  std::string str() const;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_RANKBENCH_RANKING_H
