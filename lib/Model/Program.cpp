//===- Program.cpp - Runs a sketch's flat program -------------------------===//

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Model/FeatureExtractor.h"
#include <algorithm>
#include <cassert>

using namespace sched;

void Program::run(llvm::ArrayRef<uint16_t> choices,
                  llvm::MutableArrayRef<int64_t> r) const {
  assert(choices.size() == decisions.size() && r.size() >= numRegisters);
  using Op = Instruction::Op;
  for (const Instruction &i : instructions) {
    switch (i.op) {
    case Op::Constant:
      r[i.dst] = i.imm;
      break;
    case Op::Choice:
      r[i.dst] = decisions[i.a].domain[choices[i.a]][i.b];
      break;
    case Op::Mul:
      r[i.dst] = r[i.a] * r[i.b];
      break;
    case Op::Add:
      r[i.dst] = r[i.a] + r[i.b];
      break;
    case Op::Sub:
      r[i.dst] = r[i.a] - r[i.b];
      break;
    case Op::CeilDiv:
      r[i.dst] = r[i.b] ? (r[i.a] + r[i.b] - 1) / r[i.b] : 0;
      break;
    case Op::FloorDiv:
      r[i.dst] = r[i.b] ? r[i.a] / r[i.b] : 0;
      break;
    case Op::Mod:
      r[i.dst] = r[i.b] ? r[i.a] % r[i.b] : 0;
      break;
    case Op::Min:
      r[i.dst] = std::min(r[i.a], r[i.b]);
      break;
    case Op::Max:
      r[i.dst] = std::max(r[i.a], r[i.b]);
      break;
    case Op::Select:
      r[i.dst] = r[i.a] ? r[i.b] : r[i.c];
      break;
    case Op::CmpLE:
      r[i.dst] = r[i.a] <= r[i.b];
      break;
    case Op::CmpLT:
      r[i.dst] = r[i.a] < r[i.b];
      break;
    case Op::CmpEQ:
      r[i.dst] = r[i.a] == r[i.b];
      break;
    case Op::CmpNE:
      r[i.dst] = r[i.a] != r[i.b];
      break;
    case Op::And:
      r[i.dst] = r[i.a] && r[i.b];
      break;
    case Op::Or:
      r[i.dst] = r[i.a] || r[i.b];
      break;
    }
  }
}

static int findFailure(llvm::ArrayRef<Require> requirements,
                       llvm::ArrayRef<int64_t> registers) {
  for (unsigned i = 0, e = requirements.size(); i != e; ++i)
    if (!registers[requirements[i].condition])
      return i;
  return -1;
}

bool Program::isLegal(llvm::ArrayRef<uint16_t> choices,
                      int *failedRequire) const {
  int64_t registers[kMaxRegisters];
  run(choices, registers);
  int failure = findFailure(requirements, registers);
  if (failedRequire)
    *failedRequire = failure;
  return failure < 0;
}

void Program::evaluate(llvm::ArrayRef<uint16_t> choices,
                       Evaluation &result) const {
  int64_t registers[kMaxRegisters];
  run(choices, registers);
  result.failedRequire = findFailure(requirements, registers);
  if (result.legal())
    extractFeatures(nest, target, flops, registers, result.features);
}

Choices Program::getDefault() const {
  Choices choices;
  for (const Decision &decision : decisions)
    choices.push_back(decision.defaultIndex);
  return choices;
}
