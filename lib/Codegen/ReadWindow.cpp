//===- ReadWindow.cpp - What the iterations of a loop read ----------------===//

#include "ReadWindow.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

std::optional<WindowRead> sched::getWindowRead(vector::TransferReadOp read,
                                               int64_t dims) {
  WindowRead found{read, {}};
  const AffineMap map = read.getPermutationMap();
  for (int64_t dim = 0; dim != dims; ++dim) {
    Reach reach;
    const auto lane =
        map.getResultPosition(getAffineDimExpr(dim, read.getContext()));
    if (lane) {
      if (!read.isDimInBounds(*lane))
        return std::nullopt;
      reach.extent = read.getVectorType().getDimSize(*lane);
    }
    if (!reach.begin.add(read.getIndices()[dim], 1))
      return std::nullopt;
    found.reaches.push_back(std::move(reach));
  }
  return found;
}

std::optional<Window> sched::getWindow(LoopLikeOpInterface loop,
                                       ArrayRef<WindowRead> reads,
                                       int64_t dim) {
  Window window;
  std::optional<Interval> spread;
  for (const WindowRead &read : reads) {
    const Reach &reach = read.reaches[dim];
    IndexSum fixed, moving;
    moving.constant = reach.begin.constant;
    for (auto [value, factor] : reach.begin.terms)
      (loop.isDefinedOutsideOfLoop(value) ||
               llvm::is_contained(*loop.getLoopInductionVars(), value)
           ? fixed
           : moving)
          .terms[value] += factor;
    auto interval = moving.getInterval();
    if (!interval)
      return std::nullopt;
    interval->most += reach.extent - 1;
    if (!spread) {
      window.begin = fixed;
      spread = interval;
      continue;
    }
    if (fixed.terms.size() != window.begin.terms.size() ||
        !llvm::all_of(fixed.terms, [&](const auto &term) {
          return window.begin.terms.lookup(term.first) == term.second;
        }))
      return std::nullopt;
    spread->least = std::min(spread->least, interval->least);
    spread->most = std::max(spread->most, interval->most);
  }
  window.begin.constant = spread->least;
  window.size = spread->most - spread->least + 1;
  return window;
}
