//===- ProposalReport.cpp - How a proposal came about ---------------------===//

#include "SchedOpt/Search/ProposalReport.h"
#include "llvm/Support/ErrorHandling.h"

using namespace sched;

const char *sched::nameOf(PickReason reason) {
  switch (reason) {
  case PickReason::Default:
    return "default";
  case PickReason::Local:
    return "local";
  case PickReason::Optimistic:
    return "optimistic";
  case PickReason::Random:
    return "random";
  case PickReason::Replayed:
    return "replayed";
  case PickReason::Ordered:
    return "ordered";
  }
  llvm_unreachable("unknown reason");
}

const char *sched::nameOf(GenerationKind kind) {
  switch (kind) {
  case GenerationKind::Bred:
    return "bred";
  case GenerationKind::Descent:
    return "descent";
  case GenerationKind::Refined:
    return "refined";
  }
  llvm_unreachable("unknown kind");
}
