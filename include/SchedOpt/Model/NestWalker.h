//===- NestWalker.h - Enumerates a candidate's concrete loops ---*- C++ -*-===//
//
// Walks a LoopNestPlan with the register values of one candidate: every loop
// that exists, in program order, main part before tail, and every block with
// the sizes it is left with. Feature extraction and the tests that compare the
// model with IR are visitors of this walk.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_NESTWALKER_H
#define SCHEDOPT_MODEL_NESTWALKER_H

#include "SchedOpt/Model/LoopNest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <utility>

namespace sched {

/// A loop on the current path.
struct WalkLoop {
  uint8_t dim;
  bool isForall;
  /// Of the node: see NestNode.
  uint16_t action;
  int64_t trips;
};

/// A loop on the current path that runs its remainder: the loops around it, its
/// dimension, and what both its main part and the remainder are of.
struct WalkTail {
  unsigned depth;
  uint8_t dim;
  int64_t extent;
};

/// The current path: loops from the outermost inwards, and the extents that are
/// left of each dimension.
struct WalkState {
  std::array<int64_t, kMaxDims> extents;
  std::array<WalkLoop, kMaxLoops> loops;
  unsigned depth = 0;
  /// The innermost loop that runs its remainder, if any does.
  std::optional<WalkTail> tail;
  /// What fills the vectors of the block that is visited; its extents are those
  /// that it computes.
  const TailFill *fill = nullptr;
};

/// Calls `visitor.enterLoop(state)` after pushing a loop with more than one
/// trip, `visitor.exitLoop(state)` before popping it, and
/// `visitor.block(plan, state)` at every block. No allocation.
template <typename Visitor> class NestWalker {
public:
  NestWalker(const LoopNestPlan &plan, llvm::ArrayRef<int64_t> registers,
             Visitor &visitor)
      : plan(plan), registers(registers), visitor(visitor) {}

  void walk() {
    for (unsigned i = 0, e = plan.extents.size(); i != e; ++i)
      state.extents[i] = registers[plan.extents[i]];
    walkAll(plan.nodes.front().children);
  }

private:
  void walkAll(llvm::ArrayRef<uint16_t> nodes) {
    for (uint16_t node : nodes)
      walkNode(plan.nodes[node]);
  }

  void walkNode(const NestNode &node) {
    bool exists = node.enable == kNoReg || registers[node.enable] != 0;
    if (node.kind == NestNode::Kind::Block) {
      if (exists)
        visitBlock(plan.blocks[node.block]);
      return;
    }
    const int64_t extent = state.extents[node.dim];
    const int64_t size = exists ? registers[node.size] : 0;
    if (node.kind == NestNode::Kind::Forall) {
      if (size <= 1)
        return walkAll(node.children);
      walkLoop(node, size, extent / size, /*isForall=*/true);
      state.extents[node.dim] = extent;
      return;
    }
    if (size <= 0 || size >= extent)
      return walkAll(node.children);
    if (node.kind != NestNode::Kind::Loop) {
      walkLoop(node, llvm::divideCeil(extent, size), size,
               node.kind == NestNode::Kind::Grid);
      state.extents[node.dim] = extent;
      return;
    }
    walkLoop(node, extent / size, size, /*isForall=*/false);
    if (int64_t rest = extent % size) {
      const auto outer =
          std::exchange(state.tail, WalkTail{state.depth, node.dim, extent});
      state.extents[node.dim] = rest;
      walkAll(node.ownTail ? node.tail : node.children);
      state.tail = outer;
    }
    state.extents[node.dim] = extent;
  }

  void visitBlock(const BlockPlan &block) {
    const TailFill *fill = llvm::find_if(block.fills, [&](const TailFill &f) {
      return registers[f.enable] != 0 && state.extents[f.dim] % f.multiple != 0;
    });
    if (fill == block.fills.end())
      return visitor.block(block, state);
    const int64_t extent = state.extents[fill->dim];
    state.extents[fill->dim] = llvm::alignTo(extent, fill->multiple);
    state.fill = fill;
    visitor.block(block, state);
    state.fill = nullptr;
    state.extents[fill->dim] = extent;
  }

  /// Runs the children `trips` times with `extent` left of the dimension. A
  /// single trip is no loop: canonicalisation inlines it.
  void walkLoop(const NestNode &node, int64_t trips, int64_t extent,
                bool isForall) {
    state.extents[node.dim] = extent;
    if (trips == 1)
      return walkAll(node.children);
    state.loops[state.depth++] = {node.dim, isForall, node.action, trips};
    visitor.enterLoop(state);
    walkAll(node.children);
    visitor.exitLoop(state);
    --state.depth;
  }

  const LoopNestPlan &plan;
  llvm::ArrayRef<int64_t> registers;
  Visitor &visitor;
  WalkState state;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_NESTWALKER_H
