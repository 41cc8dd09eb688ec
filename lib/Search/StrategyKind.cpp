//===- StrategyKind.cpp - Strategies by name ------------------------------===//

#include "SchedOpt/Search/StrategyKind.h"
#include "SchedOpt/Search/DefaultSearch.h"
#include "SchedOpt/Search/GridSearch.h"
#include "SchedOpt/Search/RandomSearch.h"
#include "SchedOpt/Search/ReplaySearch.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace sched;

llvm::Expected<StrategyKind> sched::parseStrategy(llvm::StringRef name) {
  const auto kind = llvm::StringSwitch<std::optional<StrategyKind>>(name)
                        .Case("evolutionary", StrategyKind::Evolutionary)
                        .Case("random", StrategyKind::Random)
                        .Case("grid", StrategyKind::Grid)
                        .Case("replay", StrategyKind::Replay)
                        .Case("none", StrategyKind::None)
                        .Default(std::nullopt);
  if (kind)
    return *kind;
  return llvm::createStringError("unknown strategy '" + name +
                                 "'; expected evolutionary, random, grid, "
                                 "replay or none");
}

std::unique_ptr<SearchStrategy> sched::makeStrategy(StrategyKind kind,
                                                    StrategyInputs inputs) {
  switch (kind) {
  case StrategyKind::Evolutionary:
    return std::make_unique<EvolutionarySearch>(inputs.space, inputs.draft,
                                                inputs.model, inputs.seed,
                                                std::move(inputs.evolution));
  case StrategyKind::Random:
    return std::make_unique<RandomSearch>(inputs.space, inputs.seed);
  case StrategyKind::Grid:
    return std::make_unique<GridSearch>(inputs.space);
  case StrategyKind::Replay:
    return std::make_unique<ReplaySearch>(inputs.space,
                                          std::move(inputs.given));
  case StrategyKind::None:
    return std::make_unique<DefaultSearch>(inputs.space);
  }
  llvm_unreachable("unknown strategy");
}
