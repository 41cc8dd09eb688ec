//===- SearchSpace.h - All sketches of a task -------------------*- C++ -*-===//
//
// Search: finds the candidates that are worth measuring. May use Model (through
// SketchView below) and CostModel; no MLIR, no processes, no files. Everything
// is seeded and depends on nothing but its arguments.
//
// A SearchSpace is the list of a task's sketches plus what is computed once for
// all candidates: a DecisionTable a decision, and how a candidate of one sketch
// translates into another (decisions of the same name keep their values).
//
// Read next: Candidate.h, DecisionTable.h, Mutator.h, then SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_SEARCHSPACE_H
#define SCHEDOPT_SEARCH_SEARCHSPACE_H

#include "SchedOpt/Search/Candidate.h"
#include "SchedOpt/Search/DecisionTable.h"
#include <optional>

namespace sched {

/// One sketch. Implementations are immutable and safe to call from any thread.
/// ProgramView.h adapts a Program.
class SketchView {
public:
  virtual ~SketchView();
  virtual llvm::ArrayRef<Decision> getDecisions() const = 0;
  virtual void evaluate(llvm::ArrayRef<uint16_t> choices,
                        Evaluation &result) const = 0;
  /// Appends a row for each block of a legal candidate, for models that read
  /// them; none by default.
  virtual void describeBlocks(llvm::ArrayRef<uint16_t> choices,
                              std::vector<BlockFeatureVector> &rows) const {}
  /// Cheaper than `evaluate`. Requirements have a fixed order; the first one
  /// that fails goes to `failedRequire`, -1 if none does.
  virtual bool isLegal(llvm::ArrayRef<uint16_t> choices,
                       int *failedRequire = nullptr) const = 0;
  /// What it means that this requirement failed, for people.
  virtual llvm::StringRef getReason(int failedRequire) const { return ""; }
  /// Equal for candidates that become the same program; 0: not known.
  virtual uint64_t hashProgram(llvm::ArrayRef<uint16_t> choices) const {
    return 0;
  }
};

class SearchSpace {
public:
  /// The views and their decisions must outlive the space. At least one sketch;
  /// sketch 0 holds candidate 0, the task's default schedule.
  explicit SearchSpace(std::vector<const SketchView *> sketches);

  unsigned getNumSketches() const { return sketches.size(); }
  const SketchView &getSketch(unsigned sketch) const {
    return *sketches[sketch];
  }
  llvm::ArrayRef<DecisionTable> getTables(unsigned sketch) const {
    return tables[sketch];
  }

  /// The default schedule of a sketch. It may be illegal for a given payload.
  Candidate getDefault(unsigned sketch) const;

  bool isLegal(const Candidate &candidate) const {
    return sketches[candidate.sketch]->isLegal(candidate.choices);
  }

  /// Equal for candidates that become the same program; 0: not known.
  uint64_t hashProgram(const Candidate &candidate) const;

  /// Whether the candidate names a sketch, and entries, that exist here.
  bool contains(const Candidate &candidate) const;

  /// Moves to the next decision vector in counting order (first decision
  /// fastest, sketches last), legal or not. False, and all zero, after the
  /// last. Start from `Candidate first; reset(first, 0)`.
  bool advance(Candidate &candidate) const;
  /// The first decision vector of a sketch: all entries 0.
  void reset(Candidate &candidate, unsigned sketch) const;

  /// Number of decision vectors, legal or not; UINT64_MAX when more than that.
  uint64_t size() const;

  /// Decision `decision` of sketch `to`, with the value that `from` (of any
  /// sketch) gives the decision of that name: the equal entry, or of ordered
  /// ones the nearest. nullopt where `from` has no such decision or value.
  std::optional<uint16_t> translate(const Candidate &from, unsigned to,
                                    unsigned decision) const;

private:
  /// From a decision of one sketch to the one of the same name in another.
  struct Translation {
    int source = -1;
    /// For each entry of the source, the entry here, or kNone.
    std::vector<uint16_t> entries;
  };
  static constexpr uint16_t kNone = 0xffff;
  void buildTranslations();

  std::vector<const SketchView *> sketches;
  std::vector<std::vector<DecisionTable>> tables;
  /// translations[from * sketches + to][decision of `to`]
  std::vector<std::vector<Translation>> translations;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_SEARCHSPACE_H
