//===- DecisionDomain.h - What a decision can be ----------------*- C++ -*-===//
//
// The domains of decisions as plain data, and what can be asked of them. The
// decision ops build them; sampling, replay and export use them.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_DECISIONDOMAIN_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_DECISIONDOMAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::schedule {

/// What neighbours in a domain have in common.
enum class DecisionKind {
  Ordered,     ///< sizes in increasing order: one step up or down
  Categorical, ///< nothing: every entry is a neighbour of every other
  PerfectTile, ///< factorisations: one prime factor in another part
  Permutation, ///< orders: two positions next to each other swapped
};

/// Entries x values; all entries have the same number of values.
using DecisionDomain = std::vector<std::vector<int64_t>>;

/// Most entries a domain may have: the search stores an index in 16 bits.
constexpr unsigned kMaxDomainSize = 65535;

/// The factorisations of `extent` >= 1 into `parts` >= 1 factors of which the
/// last is at most `maxInnermost`, in lexicographic order; more than
/// `kMaxDomainSize` of them are cut off after one too many.
DecisionDomain getFactorisations(int64_t extent, int64_t parts,
                                 int64_t maxInnermost);

/// The permutations of 0 .. count - 1 in lexicographic order.
DecisionDomain getPermutations(int64_t count);

/// Index of the entry `values`.
std::optional<unsigned> findEntry(const DecisionDomain &domain,
                                  llvm::ArrayRef<int64_t> values);

/// Index of an entry drawn by `weights` (none: uniformly). `bits` gives 64
/// uniform bits; the same bits give the same entry on every machine.
unsigned sampleEntry(const DecisionDomain &domain,
                     std::optional<llvm::ArrayRef<double>> weights,
                     llvm::function_ref<uint64_t()> bits);

/// Indices of the entries one step away from entry `index`, in a fixed order.
llvm::SmallVector<unsigned>
getNeighbours(DecisionKind kind, const DecisionDomain &domain, unsigned index);

/// One value as `6`, several as `[4, 8, 2]`.
std::string printValues(llvm::ArrayRef<int64_t> values);

/// The entries in brackets; the middle of a long domain is left out.
std::string printDomain(const DecisionDomain &domain);

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_DECISIONDOMAIN_H
