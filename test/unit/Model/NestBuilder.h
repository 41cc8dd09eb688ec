//===- NestBuilder.h - Small nests to test the model with -------*- C++ -*-===//
//
// What the tests of the model share: a target of round numbers, a matmul as a
// block, and a nest's loops and blocks as lines of text.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_MODEL_NESTBUILDER_H
#define SCHEDOPT_TEST_UNIT_MODEL_NESTBUILDER_H

#include "SchedOpt/Model/NestWalker.h"
#include "SchedOpt/Model/ProgramBuilder.h"
#include "gtest/gtest.h"

namespace sched::test {

/// Eight f32 lanes, sixteen registers, two FMA ports of four cycles.
inline Target makeTarget() {
  Target target;
  target.vectorBytes = 32;
  target.vectorRegisters = 16;
  target.fmaPorts = 2;
  target.fmaLatency = 4;
  target.hasFMA = true;
  target.cores = 4;
  target.l1Bytes = 32 << 10;
  target.l2Bytes = 512 << 10;
  target.l3Bytes = 16 << 20;
  target.cacheLineBytes = 64;
  return target;
}

/// A nest that is built loop by loop.
class NestBuilder : public ProgramBuilder {
public:
  /// Wraps the blocks; fails the test where that is not possible.
  uint16_t loop(llvm::ArrayRef<uint16_t> blocks, uint8_t dim, Expr size) {
    return add(blocks, NestNode::Kind::Loop, dim, size);
  }
  uint16_t loop(llvm::ArrayRef<uint16_t> blocks, uint8_t dim, int64_t size) {
    return loop(blocks, dim, constant(size));
  }
  uint16_t forall(llvm::ArrayRef<uint16_t> blocks, uint8_t dim,
                  int64_t threads) {
    return add(blocks, NestNode::Kind::Forall, dim, constant(threads));
  }

  /// A block over `dims` that touches nothing.
  uint16_t block(llvm::StringRef name, llvm::ArrayRef<uint8_t> dims) {
    BlockPlan plan;
    plan.name = name.str();
    plan.dims.assign(dims.begin(), dims.end());
    return addBlock(std::move(plan));
  }

  /// A tensor of these dimensions, row-major, that the block touches.
  AccessPlan access(llvm::ArrayRef<uint8_t> dims,
                    llvm::ArrayRef<int64_t> strides, bool isWrite = false,
                    unsigned elementBytes = 4) {
    AccessPlan result;
    result.dims.assign(dims.begin(), dims.end());
    for (int64_t stride : strides)
      result.strides.push_back(constant(stride).reg);
    result.isWrite = isWrite;
    result.elementBytes = elementBytes;
    return result;
  }

private:
  uint16_t add(llvm::ArrayRef<uint16_t> blocks, NestNode::Kind kind,
               uint8_t dim, Expr size) {
    auto node = wrap(blocks, kind, dim, size);
    EXPECT_TRUE(bool(node)) << llvm::toString(node.takeError());
    return node ? *node : 0;
  }
};

/// C[m, n] += A[m, k] * B[k, n], row-major, of `elementBytes` bytes.
struct Matmul {
  NestBuilder builder;
  uint8_t m, n, k;
  uint16_t anchor;
  double flops;

  Matmul(int64_t rows, int64_t columns, int64_t steps,
         unsigned elementBytes = 4)
      : m(builder.addDim("m", builder.constant(rows))),
        n(builder.addDim("n", builder.constant(columns))),
        k(builder.addDim("k", builder.constant(steps))),
        flops(2.0 * rows * columns * steps) {
    BlockPlan plan;
    plan.name = "anchor";
    plan.kind = BlockKind::Contraction;
    plan.dims = {m, n, k};
    plan.flopsPerPoint = 2;
    plan.accesses = {builder.access({m, k}, {steps, 1}, false, elementBytes),
                     builder.access({k, n}, {columns, 1}, false, elementBytes),
                     builder.access({m, n}, {columns, 1}, true, elementBytes)};
    anchor = builder.addBlock(std::move(plan));
  }

  void loop(uint8_t dim, int64_t size) { builder.loop({anchor}, dim, size); }

  Evaluation evaluate(const Target &target = makeTarget()) && {
    const Program program = std::move(builder).finish(target, flops);
    Evaluation evaluation;
    program.evaluate(program.getDefault(), evaluation);
    EXPECT_TRUE(evaluation.legal());
    return evaluation;
  }

  FeatureVector getFeatures(const Target &target = makeTarget()) && {
    return std::move(*this).evaluate(target).features;
  }
};

/// "for(2) forall(4) anchor[3,16]" a block, main parts before tails; "~" stands
/// before what is in a tail.
class NestRecorder {
public:
  static std::vector<std::string>
  record(const Program &program, llvm::ArrayRef<uint16_t> choices = {}) {
    std::vector<int64_t> registers(program.getNumRegisters());
    program.run(choices, registers);
    NestRecorder recorder;
    NestWalker<NestRecorder> walker(program.getNest(), registers, recorder);
    walker.walk();
    EXPECT_EQ(recorder.depth, 0u) << "loops are left as often as entered";
    return recorder.lines;
  }

  void enterLoop(const WalkState &state) { EXPECT_EQ(++depth, state.depth); }
  void exitLoop(const WalkState &state) { EXPECT_EQ(depth--, state.depth); }
  void block(const BlockPlan &plan, const WalkState &state) {
    std::string line = state.tail ? "~" : "";
    for (unsigned i = 0; i != state.depth; ++i)
      line += (state.loops[i].isForall ? "forall(" : "for(") +
              std::to_string(state.loops[i].trips) + ") ";
    line += plan.name + "[";
    for (size_t i = 0; i != plan.dims.size(); ++i)
      line += (i ? "," : "") + std::to_string(state.extents[plan.dims[i]]);
    lines.push_back(line + "]");
  }

private:
  std::vector<std::string> lines;
  unsigned depth = 0;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_MODEL_NESTBUILDER_H
