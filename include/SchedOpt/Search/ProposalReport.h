//===- ProposalReport.h - How a proposal came about -------------*- C++ -*-===//
//
// What a strategy tells of one proposal to whoever asks for it: for logs and
// for stops, never for the search itself. Plain values. Scores are natural
// logarithms, of which only differences mean anything.
// Read next: SearchStrategy.h; ../Tuning/SearchLog.h writes it down.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_PROPOSALREPORT_H
#define SCHEDOPT_SEARCH_PROPOSALREPORT_H

#include "SchedOpt/Search/Candidate.h"
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace sched {

/// What became of the attempts of one kind of move.
struct MoveCount {
  /// A new legal candidate; one that had been seen before; none, as a
  /// requirement refused it or there is nothing to change.
  unsigned kept = 0, known = 0, refused = 0;
  /// Of those kept, how many score better than what they were made of.
  unsigned improved = 0;
};

/// What a population is.
enum class GenerationKind {
  Bred,    ///< the first, or one that was bred from the one before
  Descent, ///< where the last coordinate descents from the best have ended
  Refined, ///< bred from the best on the score of the ranking model
};
/// "bred", "descent", "refined".
const char *nameOf(GenerationKind kind);

/// A population, and its scores.
struct GenerationReport {
  GenerationKind kind = GenerationKind::Bred;
  unsigned population = 0;
  double best = 0, median = 0;
};

/// Candidates that one requirement refused, with the first of them.
struct RefusalReport {
  unsigned count = 0;
  Candidate example;
};

/// Why a candidate is in a batch.
enum class PickReason {
  Default,    ///< a sketch's default schedule, or that on one thread
  Local,      ///< a neighbour of one of the fastest
  Optimistic, ///< by score and uncertainty
  Random,     ///< to find out a wrong model
  Replayed,   ///< taken from a record
  Ordered,    ///< the next in order
};
const char *nameOf(PickReason reason);

struct PickReport {
  Candidate candidate;
  PickReason reason = PickReason::Optimistic;
  /// The score by which it was chosen, and the standard deviation of that;
  /// NaN where there was none.
  double score = std::numeric_limits<double>::quiet_NaN();
  double doubt = std::numeric_limits<double>::quiet_NaN();
};

struct ProposalReport {
  /// The space was small enough to look at all of it.
  bool enumerated = false;
  /// Random candidates of the first population, tries that gave none, and
  /// candidates that descents found.
  unsigned sampled = 0, samplesRefused = 0, seeds = 0;
  /// Candidates that the draft model and the ranking model scored; one number
  /// where that is the same model.
  unsigned drafted = 0, ranked = 0;
  std::vector<GenerationReport> generations;
  /// By the move's name, and by sketch and decision for moves of one decision.
  std::map<std::string, MoveCount> moves;
  std::map<std::pair<unsigned, unsigned>, MoveCount> decisions;
  /// By sketch and index of the requirement.
  using Refusals = std::map<std::pair<unsigned, int>, RefusalReport>;
  Refusals refusals;
  /// The same of candidates that repair could not make legal: the requirement
  /// at which it ended, and one of those that it gave up.
  Refusals unrepaired;
  /// In the order of the proposal.
  std::vector<PickReport> batch;
  /// Seconds.
  double draftS = 0, rankS = 0, pickS = 0;
  /// What the batch may be expected to gain over the fastest measured, on the
  /// logarithm; infinity where that is not known.
  double expectedGain = std::numeric_limits<double>::infinity();
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_PROPOSALREPORT_H
