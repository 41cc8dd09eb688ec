//===- StrategyKind.h - Strategies by name ----------------------*- C++ -*-===//
//
// From the name that a user gives to the strategy. Read next:
// SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_STRATEGYKIND_H
#define SCHEDOPT_SEARCH_STRATEGYKIND_H

#include "SchedOpt/Search/EvolutionarySearch.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace sched {

enum class StrategyKind {
  Evolutionary, ///< "evolutionary"
  Random,       ///< "random"
  Grid,         ///< "grid"
  Replay,       ///< "replay"
  None,         ///< "none"
};

/// An error says which names there are.
llvm::Expected<StrategyKind> parseStrategy(llvm::StringRef name);

/// What strategies are made of. What is referred to must outlive them.
struct StrategyInputs {
  const SearchSpace &space;
  /// May be the same.
  const CostModel &draft, &model;
  uint64_t seed = 0;
  EvolutionOptions evolution = {};
  /// For Replay: legal candidates, the most promising first.
  std::vector<Candidate> given = {};
};
std::unique_ptr<SearchStrategy> makeStrategy(StrategyKind kind,
                                             StrategyInputs inputs);

} // namespace sched

#endif // SCHEDOPT_SEARCH_STRATEGYKIND_H
