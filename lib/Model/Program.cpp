//===- Program.cpp - Runs a sketch's flat program -------------------------===//

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Model/Arithmetic.h"
#include "SchedOpt/Model/FeatureExtractor.h"
#include "SchedOpt/Model/NestHash.h"
#include <cassert>

using namespace sched;

bool Program::run(llvm::ArrayRef<uint16_t> choices,
                  llvm::MutableArrayRef<int64_t> r) const {
  assert(choices.size() == decisions.size() && r.size() >= numRegisters);
  using Op = Instruction::Op;
  bool overflows = false;
  for (const Instruction &i : instructions) {
    switch (i.op) {
    case Op::Constant:
      r[i.dst] = i.imm;
      break;
    case Op::Choice:
      r[i.dst] = decisions[i.a].domain[choices[i.a]][i.b];
      break;
    case Op::Select:
      r[i.dst] = r[i.a] ? r[i.b] : r[i.c];
      break;
    default:
      r[i.dst] = applyBinary(i.op, r[i.a], r[i.b], overflows);
    }
  }
  return !overflows;
}

/// A requirement that fails is the better reason; after the last one comes what
/// does not fit into 64 bits.
static int findFailure(llvm::ArrayRef<Require> requirements,
                       llvm::ArrayRef<int64_t> registers, bool fits) {
  for (unsigned i = 0, e = requirements.size(); i != e; ++i)
    if (!registers[requirements[i].condition])
      return i;
  return fits ? -1 : int(requirements.size());
}

llvm::StringRef Program::getReason(int failedRequire) const {
  if (failedRequire < 0)
    return "";
  return size_t(failedRequire) < requirements.size()
             ? llvm::StringRef(requirements[failedRequire].reason)
             : "every number fits into 64 bits";
}

bool Program::isLegal(llvm::ArrayRef<uint16_t> choices,
                      int *failedRequire) const {
  int64_t registers[kMaxRegisters];
  const bool fits = run(choices, registers);
  int failure = findFailure(requirements, registers, fits);
  if (failedRequire)
    *failedRequire = failure;
  return failure < 0;
}

void Program::evaluate(llvm::ArrayRef<uint16_t> choices,
                       Evaluation &result) const {
  int64_t registers[kMaxRegisters];
  const bool fits = run(choices, registers);
  result.failedRequire = findFailure(requirements, registers, fits);
  if (result.legal())
    result.copies =
        extractFeatures(nest, target, flops, registers, result.features);
}

void Program::describeBlocks(llvm::ArrayRef<uint16_t> choices,
                             std::vector<BlockFeatureVector> &rows) const {
  int64_t registers[kMaxRegisters];
  run(choices, registers);
  extractBlockFeatures(nest, target, registers, rows);
}

uint64_t Program::hash(llvm::ArrayRef<uint16_t> choices) const {
  int64_t registers[kMaxRegisters];
  const bool fits = run(choices, registers);
  return findFailure(requirements, registers, fits) < 0
             ? hashNest(nest, registers)
             : 0;
}

Choices Program::getDefault() const {
  Choices choices;
  for (const Decision &decision : decisions)
    choices.push_back(decision.defaultIndex);
  return choices;
}
