//===- DecisionTable.h - Moves within one decision's domain -----*- C++ -*-===//
//
// Built once a decision: weighted draws, one-step neighbours, longer jumps and
// a distance, all by the decision's kind. This is the table of what mutation
// means; a new kind of decision is a new row here.
//
//   Ordered      neighbours: one step up or down; jump: a step of log-uniform
//                length; distance: steps / (size - 1)
//   Categorical  every other entry is a neighbour, at distance 1; a jump
//                follows the weights
//   PerfectTile  neighbours: one prime factor moved between two parts;
//                distance: L1 of the logarithms, at most 1
//   Permutation  neighbours: two adjacent values swapped; distance: share of
//                the places that differ
//
// Where that leaves an entry of a perfect tile or permutation without
// neighbours (the domain was cut down), its closest other entries stand in.
// Read next: Mutator.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_DECISIONTABLE_H
#define SCHEDOPT_SEARCH_DECISIONTABLE_H

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Search/Rng.h"
#include <optional>

namespace sched {

class DecisionTable {
public:
  /// `decision` must outlive the table.
  explicit DecisionTable(const Decision &decision);

  const Decision &getDecision() const { return *decision; }
  unsigned size() const { return decision->size(); }

  /// An entry drawn by the decision's weights.
  uint16_t draw(Rng &rng) const;

  /// An entry other than `index`, near or far by the kind's habit; `index`
  /// itself only where the domain has no other.
  uint16_t mutate(uint16_t index, Rng &rng) const;

  /// Appends the entries one step from `index`, in a fixed order.
  void getNeighbours(uint16_t index,
                     llvm::SmallVectorImpl<uint16_t> &result) const;

  /// The entry of these values or, of sizes and factorisations, the nearest;
  /// nullopt where none is like them.
  std::optional<uint16_t> findNearest(llvm::ArrayRef<int64_t> values) const;

  /// In [0, 1]; 0 only for equal entries.
  double distance(uint16_t a, uint16_t b) const;

private:
  void buildStoredNeighbours();
  uint16_t drawOther(uint16_t index, Rng &rng) const;
  llvm::ArrayRef<uint16_t> stored(uint16_t index) const {
    return llvm::ArrayRef<uint16_t>(neighbours)
        .slice(offsets[index], offsets[index + 1] - offsets[index]);
  }

  const Decision *decision;
  /// Running sums of the weights; empty means uniform.
  std::vector<double> cumulative;
  /// Perfect tiles and permutations: neighbours of entry i are
  /// neighbours[offsets[i] .. offsets[i + 1]).
  std::vector<uint16_t> neighbours;
  std::vector<uint32_t> offsets;
  /// Perfect tiles: log2 of every value, entry by entry.
  std::vector<float> logarithms;
  /// Perfect tiles: makes the largest distance 1.
  double scale = 1;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_DECISIONTABLE_H
