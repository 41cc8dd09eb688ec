//===- Program.h - A sketch as a flat program over its decisions -*- C++
//-*-===//
//
// The abstract side of a sketch. A sketch is compiled once (SketchCompiler.h)
// into this form: a list of integer instructions over registers, with the
// decision vector as input. Sampling, mutation, legality and the features of a
// candidate all run on it without touching IR, without allocating, and from any
// number of threads at once. Search and CostModel see a task only through here.
//
// Read next: LoopNest.h (what the registers describe), Features.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_PROGRAM_H
#define SCHEDOPT_MODEL_PROGRAM_H

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sched {

/// What a mutator may assume of a decision's domain.
enum class DecisionKind {
  /// Sizes in increasing order: neighbouring indices are similar.
  Ordered,
  /// Unordered alternatives.
  Categorical,
  /// Factorisations of an extent; neighbours move one prime factor.
  PerfectTile,
  /// Orders of loops.
  Permutation,
};

/// What is decided, where the kind of the decision does not say it: who reads
/// of a search wants to know which of its moves are of which sort.
enum class DecisionRole {
  /// A size, an order of loops, or anything else.
  Other,
  /// Where in the nest something is computed.
  Location,
  /// Whether an operand is copied or packed.
  Layout,
  /// How many threads there are, and what they share.
  Parallel,
};

/// One decision of a sketch. A candidate stores an index into `domain`; the
/// values at that index are what the script's parameters become.
struct Decision {
  std::string name;
  DecisionKind kind = DecisionKind::Categorical;
  DecisionRole role = DecisionRole::Other;
  /// Each entry holds one value a result of the decision op.
  std::vector<std::vector<int64_t>> domain;
  /// Sampling weights, one an entry, positive; empty means uniform.
  std::vector<double> weights;
  /// The entry of the default schedule.
  unsigned defaultIndex = 0;

  unsigned size() const { return domain.size(); }
};

/// A decision vector: one domain index a decision.
using Choices = llvm::SmallVector<uint16_t, 24>;

/// Bounds the register file, which lives on the stack.
constexpr unsigned kMaxRegisters = 512;

/// What evaluating a candidate yields.
struct Evaluation {
  /// Index of the first failed requirement, or -1: the candidate is legal. The
  /// number of requirements where all hold, but a parameter needs more than 64
  /// bits.
  int failedRequire = -1;
  /// Valid only when legal.
  FeatureVector features;
  /// Places in the nest where a block stands, tails included, on the average of
  /// those that compute: how often its code is written down. At least 1.
  double copies = 1;

  bool legal() const { return failedRequire < 0; }
};

/// An integer instruction: register `dst` becomes `op(a, b, c)`.
struct Instruction {
  enum class Op : uint8_t {
    Constant, ///< dst = imm
    Choice,   ///< dst = value `b` of decision `a`'s chosen entry
    Mul,
    Add,
    Sub,
    CeilDiv, ///< by 0 gives 0, as do FloorDiv and Mod (of the sign of b)
    FloorDiv,
    Mod,
    Min,
    Max,
    Select, ///< dst = a ? b : c
    CmpLE,
    CmpLT,
    CmpEQ,
    CmpNE,
    And,
    Or,
  };
  Op op;
  Reg dst = 0, a = 0, b = 0, c = 0;
  int64_t imm = 0;
};

/// A constraint: the candidate is legal only if register `condition` is not 0.
struct Require {
  Reg condition;
  std::string reason;
};

/// The compiled sketch. Immutable after construction; all methods are const,
/// reentrant and deterministic.
class Program {
public:
  llvm::ArrayRef<Decision> getDecisions() const { return decisions; }
  llvm::ArrayRef<Require> getRequires() const { return requirements; }

  /// What `failedRequire` of `isLegal` or of an evaluation means; "" for -1.
  llvm::StringRef getReason(int failedRequire) const;

  /// Runs legality and, if the candidate is legal, the features.
  /// `choices` has one in-range index a decision.
  void evaluate(llvm::ArrayRef<uint16_t> choices, Evaluation &result) const;

  /// Appends the rows of a legal candidate's blocks.
  void describeBlocks(llvm::ArrayRef<uint16_t> choices,
                      std::vector<BlockFeatureVector> &rows) const;

  /// Equal for candidates that become the same program (NestHash.h); 0 for an
  /// illegal one.
  uint64_t hash(llvm::ArrayRef<uint16_t> choices) const;

  /// Legality alone; several times cheaper than `evaluate`.
  bool isLegal(llvm::ArrayRef<uint16_t> choices,
               int *failedRequire = nullptr) const;

  /// The default schedule's decision vector.
  Choices getDefault() const;

  /// Register values of a candidate, for tests and for printing. False where
  /// one of them does not fit into 64 bits.
  bool run(llvm::ArrayRef<uint16_t> choices,
           llvm::MutableArrayRef<int64_t> registers) const;
  unsigned getNumRegisters() const { return numRegisters; }
  const LoopNestPlan &getNest() const { return nest; }
  const Target &getTarget() const { return target; }
  double getFlops() const { return flops; }

private:
  friend class ProgramBuilder;
  std::vector<Decision> decisions;
  std::vector<Instruction> instructions;
  std::vector<Require> requirements;
  unsigned numRegisters = 0;
  LoopNestPlan nest;
  Target target;
  double flops = 0;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_PROGRAM_H
