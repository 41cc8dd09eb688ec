//===- ProgramTest.cpp - Parameters and requirements of a program ---------===//

#include "NestBuilder.h"
#include <limits>
#include <random>

using namespace sched;
using namespace sched::test;
using Op = Instruction::Op;

namespace {

constexpr Op kBinary[] = {
    Op::Mul, Op::Add,   Op::Sub,   Op::CeilDiv, Op::FloorDiv, Op::Mod, Op::Min,
    Op::Max, Op::CmpLE, Op::CmpLT, Op::CmpEQ,   Op::CmpNE,    Op::And, Op::Or};

/// A decision between these values.
Expr decide(ProgramBuilder &builder, llvm::StringRef name,
            llvm::ArrayRef<int64_t> values, unsigned defaultIndex = 0) {
  Decision decision;
  decision.name = name.str();
  for (int64_t value : values)
    decision.domain.push_back({value});
  decision.defaultIndex = defaultIndex;
  return builder.decision(std::move(decision)).front();
}

std::vector<int64_t> run(const Program &program,
                         llvm::ArrayRef<uint16_t> choices) {
  std::vector<int64_t> registers(program.getNumRegisters());
  program.run(choices, registers);
  return registers;
}

} // namespace

TEST(Program, FoldsWhatItWouldCompute) {
  // Whether values are known early or late makes no difference.
  const int64_t values[] = {0, 1, 2, 3, 7, 16, 100};
  for (Op op : kBinary)
    for (uint16_t i = 0; i != std::size(values); ++i)
      for (uint16_t j = 0; j != std::size(values); ++j) {
        ProgramBuilder builder;
        const Expr folded = builder.apply(op, builder.constant(values[i]),
                                          builder.constant(values[j]));
        ASSERT_TRUE(folded.constant);
        const Expr computed = builder.apply(op, decide(builder, "a", values),
                                            decide(builder, "b", values));
        EXPECT_FALSE(computed.constant);
        const Program program = std::move(builder).finish(makeTarget(), 0);
        auto registers = run(program, {i, j});
        EXPECT_EQ(registers[computed.reg], *folded.constant)
            << "instruction " << static_cast<int>(op) << " of " << values[i]
            << " and " << values[j];
        EXPECT_EQ(registers[folded.reg], *folded.constant);
      }
}

TEST(Program, Arithmetic) {
  ProgramBuilder b;
  auto value = [&](Op op, int64_t x, int64_t y) {
    return *b.apply(op, b.constant(x), b.constant(y)).constant;
  };
  EXPECT_EQ(value(Op::CeilDiv, 7, 3), 3);
  EXPECT_EQ(value(Op::CeilDiv, 6, 3), 2);
  EXPECT_EQ(value(Op::FloorDiv, 7, 3), 2);
  EXPECT_EQ(value(Op::Mod, 7, 3), 1);
  EXPECT_EQ(value(Op::Sub, 3, 7), -4);
  // Division by 0 gives 0.
  for (Op op : {Op::CeilDiv, Op::FloorDiv, Op::Mod})
    EXPECT_EQ(value(op, 7, 0), 0);
  // Any value but 0 is true.
  EXPECT_EQ(value(Op::And, 2, 4), 1);
  EXPECT_EQ(value(Op::And, 2, 0), 0);
  EXPECT_EQ(value(Op::Or, 0, 4), 1);
  EXPECT_EQ(value(Op::Or, 0, 0), 0);
}

TEST(Program, Select) {
  ProgramBuilder b;
  const Expr condition = decide(b, "condition", {0, 1, 5});
  const Expr chosen = b.select(condition, b.constant(10), b.constant(20));
  // A known condition leaves nothing to select.
  EXPECT_EQ(b.select(b.constant(3), condition, chosen).reg, condition.reg);
  EXPECT_EQ(b.select(b.constant(0), condition, chosen).reg, chosen.reg);
  const Program program = std::move(b).finish(makeTarget(), 0);
  EXPECT_EQ(run(program, {0})[chosen.reg], 20);
  EXPECT_EQ(run(program, {1})[chosen.reg], 10);
  EXPECT_EQ(run(program, {2})[chosen.reg], 10);
}

TEST(Program, SharesEqualExpressions) {
  ProgramBuilder b;
  const Expr x = decide(b, "x", {1, 2}), y = decide(b, "y", {1, 2});
  EXPECT_EQ(b.constant(5).reg, b.constant(5).reg);
  EXPECT_EQ(b.mul(x, y).reg, b.mul(x, y).reg);
  EXPECT_NE(b.mul(x, y).reg, b.apply(Op::Sub, x, y).reg);
  EXPECT_NE(b.apply(Op::Sub, x, y).reg, b.apply(Op::Sub, y, x).reg);
  EXPECT_EQ(b.select(x, y, x).reg, b.select(x, y, x).reg);
  EXPECT_NE(b.select(x, y, x).reg, b.select(x, x, y).reg);
}

TEST(Program, DecisionsWithSeveralValues) {
  ProgramBuilder b;
  Decision order;
  order.name = "order";
  order.domain = {{0, 1}, {1, 0}};
  order.defaultIndex = 1;
  auto positions = b.decision(order);
  const Expr size = decide(b, "size", {4, 8, 16}, 2);
  ASSERT_EQ(positions.size(), 2u);
  const Program program = std::move(b).finish(makeTarget(), 0);
  ASSERT_EQ(program.getDecisions().size(), 2u);
  EXPECT_EQ(program.getDecisions()[0].name, "order");
  EXPECT_EQ(program.getDefault(), (Choices{1, 2}));
  auto registers = run(program, {1, 0});
  EXPECT_EQ(registers[positions[0].reg], 1);
  EXPECT_EQ(registers[positions[1].reg], 0);
  EXPECT_EQ(registers[size.reg], 4);
}

TEST(Program, FirstFailedRequirementIsNamed) {
  ProgramBuilder b;
  const Expr x = decide(b, "x", {1, 2, 3, 4, 5, 6});
  b.require(b.constant(1), "always holds");
  b.require(b.apply(Op::CmpLE, x, b.constant(4)), "x is at most 4");
  b.require(b.apply(Op::CmpEQ, b.mod(x, b.constant(2)), b.constant(0)),
            "x is even");
  const Program program = std::move(b).finish(makeTarget(), 0);
  // What holds for every candidate is not asked of each.
  ASSERT_EQ(program.getRequires().size(), 2u);
  const char *const verdicts[] = {
      "x is even", "", "x is even", "", "x is at most 4", "x is at most 4"};
  for (uint16_t i = 0; i != std::size(verdicts); ++i) {
    int failed = 7;
    Evaluation evaluation;
    program.evaluate({i}, evaluation);
    EXPECT_EQ(program.isLegal({i}, &failed), evaluation.legal());
    EXPECT_EQ(failed, evaluation.failedRequire);
    EXPECT_EQ(program.getReason(failed), verdicts[i]) << "x = " << i + 1;
  }
}

TEST(Program, WhatLeaves64BitsIsNamed) {
  ProgramBuilder b;
  const Expr x = decide(b, "x", {1, int64_t(1) << 40});
  b.require(b.apply(Op::CmpLT, b.constant(0), x), "x is not 0");
  b.mul(x, x);
  const Program program = std::move(b).finish(makeTarget(), 0);
  int failed = 7;
  EXPECT_TRUE(program.isLegal({0}, &failed));
  EXPECT_EQ(program.getReason(failed), "");
  EXPECT_FALSE(program.isLegal({1}, &failed));
  ASSERT_EQ(failed, 1);
  EXPECT_EQ(program.getReason(failed), "every number fits into 64 bits");
}

TEST(Program, RequirementThatNeverHolds) {
  ProgramBuilder b;
  decide(b, "x", {1, 2});
  b.require(b.constant(0), "never holds");
  const Program program = std::move(b).finish(makeTarget(), 0);
  for (uint16_t i : {0, 1})
    EXPECT_FALSE(program.isLegal({i}));
}

TEST(Program, DividesAsTheDialectDoes) {
  ProgramBuilder b;
  auto value = [&](Op op, int64_t x, int64_t y) {
    return *b.apply(op, b.constant(x), b.constant(y)).constant;
  };
  EXPECT_EQ(value(Op::FloorDiv, -7, 3), -3);
  EXPECT_EQ(value(Op::FloorDiv, 7, -3), -3);
  EXPECT_EQ(value(Op::CeilDiv, -7, 3), -2);
  EXPECT_EQ(value(Op::CeilDiv, 7, -3), -2);
  EXPECT_EQ(value(Op::CeilDiv, 7, -1), -7);
  EXPECT_EQ(value(Op::Mod, -7, 3), 2);
  EXPECT_EQ(value(Op::Mod, 7, -1), 0);
  // Near the end of the range nothing is added on the way.
  const int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(value(Op::CeilDiv, largest, 2), largest / 2 + 1);
  EXPECT_EQ(b.findProblem(), "");
}

TEST(Program, WhatNeedsMoreThan64BitsIsIllegal) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const int64_t smallest = std::numeric_limits<int64_t>::min();
  struct Case {
    Op op;
    int64_t left, right;
  };
  for (auto [op, left, right] :
       {Case{Op::Mul, int64_t(1) << 32, int64_t(1) << 31},
        Case{Op::Add, largest, 1}, Case{Op::Sub, smallest, 1},
        Case{Op::FloorDiv, smallest, -1}, Case{Op::CeilDiv, smallest, -1}}) {
    ProgramBuilder b;
    const Expr x = decide(b, "x", {left, 1}), y = decide(b, "y", {right, 1});
    b.require(b.apply(Op::CmpLE, x, b.constant(largest)), "x is a number");
    b.apply(op, x, y);
    const Program program = std::move(b).finish(makeTarget(), 0);
    int failed = -1;
    EXPECT_FALSE(program.isLegal({0, 0}, &failed));
    EXPECT_EQ(failed, 1) << "after all requirements";
    Evaluation evaluation;
    program.evaluate({0, 0}, evaluation);
    EXPECT_FALSE(evaluation.legal());
    EXPECT_TRUE(program.isLegal({1, 1}));

    // Known at once, it is an error of the sketch.
    ProgramBuilder known;
    known.apply(op, known.constant(left), known.constant(right));
    EXPECT_NE(known.findProblem().find("more than 64 bits"), std::string::npos);
  }
}

TEST(Program, RandomExpressions) {
  // Any tree of expressions has the value that its constants fold to.
  std::mt19937_64 bits(5);
  for (unsigned round = 0; round != 200; ++round) {
    ProgramBuilder b;
    std::vector<Expr> early, late;
    Choices choices;
    for (unsigned i = 0; i != 4; ++i) {
      const int64_t values[] = {int64_t(bits() % 9), int64_t(bits() % 9)};
      choices.push_back(bits() % 2);
      early.push_back(b.constant(values[choices.back()]));
      late.push_back(decide(b, "d" + std::to_string(i), values));
    }
    for (unsigned i = 0; i != 20; ++i) {
      const size_t x = bits() % late.size(), y = bits() % late.size(),
                   z = bits() % late.size();
      if (bits() % 4 == 0) {
        early.push_back(b.select(early[x], early[y], early[z]));
        late.push_back(b.select(late[x], late[y], late[z]));
        continue;
      }
      // Products of products would overflow.
      const Op op = kBinary[1 + bits() % (std::size(kBinary) - 1)];
      early.push_back(b.apply(op, early[x], early[y]));
      late.push_back(b.apply(op, late[x], late[y]));
    }
    const Program program = std::move(b).finish(makeTarget(), 0);
    auto registers = run(program, choices);
    for (size_t i = 0; i != late.size(); ++i)
      ASSERT_EQ(registers[late[i].reg], *early[i].constant)
          << "expression " << i << " of round " << round;
  }
}
