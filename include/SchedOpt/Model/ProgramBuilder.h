//===- ProgramBuilder.h - Builds a Program from symbolic steps --*- C++ -*-===//
//
// Used once a sketch by the abstract interpreter (SketchCompiler.h): arithmetic
// on parameters becomes instructions (constants are folded, equal expressions
// shared), and the loop nest is edited through the tree operations that actions
// need. `finish` gives the immutable Program.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_PROGRAMBUILDER_H
#define SCHEDOPT_MODEL_PROGRAMBUILDER_H

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <tuple>

namespace sched {

/// A value during the abstract interpretation: a register that holds it, and
/// its constant where it is known.
struct Expr {
  Reg reg = kNoReg;
  std::optional<int64_t> constant;
};

class ProgramBuilder {
public:
  using Op = Instruction::Op;

  /// \name Parameters
  /// @{
  Expr constant(int64_t value);
  /// Appends a decision; returns one expression a value of its entries.
  llvm::SmallVector<Expr> decision(Decision decision);
  Expr apply(Op op, Expr a, Expr b);
  Expr select(Expr condition, Expr ifTrue, Expr ifFalse);
  /// Adds a constraint; `condition` is true where it is not 0.
  void require(Expr condition, llvm::StringRef reason);
  size_t countRequirements() const { return requirements.size(); }
  /// Takes back the requirements for which `kept`, one entry each, is false.
  void keepRequirements(const std::vector<bool> &kept);
  Expr mul(Expr a, Expr b) { return apply(Op::Mul, a, b); }
  Expr floorDiv(Expr a, Expr b) { return apply(Op::FloorDiv, a, b); }
  Expr ceilDiv(Expr a, Expr b) { return apply(Op::CeilDiv, a, b); }
  Expr mod(Expr a, Expr b) { return apply(Op::Mod, a, b); }
  /// @}

  /// \name Loop nest
  /// @{
  uint8_t addDim(llvm::StringRef name, Expr extent);
  /// See LoopNestPlan::otherParams.
  void addOtherParam(Expr param) { plan.otherParams.push_back(param.reg); }
  /// See LoopNestPlan::isStaged and externalBytes.
  void setStaged(double externalBytes) {
    plan.isStaged = true;
    plan.externalBytes = externalBytes;
  }
  /// A new number of a tensor, for AccessPlan::buffer.
  uint16_t addBuffer() { return numBuffers++; }
  /// Appends a block at the end of the root.
  uint16_t addBlock(BlockPlan block);
  /// The block of that name, or an error that lists the names there are.
  llvm::Expected<uint16_t> findBlock(llvm::StringRef name) const;
  BlockPlan &getBlock(uint16_t block) { return plan.blocks[block]; }
  const BlockPlan &getBlock(uint16_t block) const { return plan.blocks[block]; }
  Expr getExtent(uint8_t dim) const {
    return {plan.extents[dim], std::nullopt};
  }

  /// Wraps the sibling nodes that hold `blocks` (the innermost node around all
  /// of them is found first; they must be neighbours there) into a new loop and
  /// returns it. Used from the outermost loop inwards.
  llvm::Expected<uint16_t> wrap(llvm::ArrayRef<uint16_t> blocks,
                                NestNode::Kind kind, uint8_t dim, Expr size);
  /// Gives loop `node` a tail of its own: copies of its blocks, renamed with
  /// `prefix`; returns the new blocks in order.
  llvm::SmallVector<uint16_t> separateTail(uint16_t node,
                                           llvm::StringRef prefix);
  /// Lets the remainder of loop `node` run what is inside of `shared`, a node
  /// below it; later edits of that part reach both.
  void shareTail(uint16_t node, uint16_t shared);
  /// Extent of `dim` that is left at the main part of `block`.
  Expr extentAt(uint16_t block, uint8_t dim);
  /// `block` and the blocks before it that stand directly beside it.
  llvm::SmallVector<uint16_t> siblingsUpTo(uint16_t block) const;
  /// Lets `block`, which always exists, do so only where `enable` is not 0.
  void enableOnly(uint16_t block, Expr enable);
  /// Moves `block` to the front of loop `node`.
  void moveInto(uint16_t block, uint16_t node);
  /// A loop around a block: its node, the action that made it, its dimension,
  /// and whether the action took slices along that dimension. It does so by the
  /// whole extent: a loop of one trip vanishes, but the slices stay in it.
  struct PathLoop {
    uint16_t node, action;
    uint8_t dim;
    Expr slices;
  };
  /// The loops around the main part of `block`, from the outermost inwards.
  llvm::SmallVector<PathLoop> getLoopsAround(uint16_t block);
  /// Inserts a block first inside of node `node` (0: the root), to exist where
  /// `enable` is not 0.
  void insertInto(uint16_t node, uint16_t block, Expr enable);
  /// Appends a block without a place in the nest, for `insertInto`.
  uint16_t addDetachedBlock(BlockPlan block);
  /// From now on, nodes are marked as those of the next action.
  void beginAction() { ++action; }
  /// Inserts a new serial block into the root, before its node `before`, to
  /// exist where `enable` is not 0.
  uint16_t insertBlock(BlockPlan block, uint16_t before, Expr enable);
  /// Inserts a new block beside `block`, directly before or after it.
  uint16_t insertBefore(uint16_t block, BlockPlan inserted, Expr enable);
  uint16_t insertAfter(uint16_t block, BlockPlan inserted, Expr enable);
  /// @}

  /// Ends the building. `target` and `flops` feed the features.
  Program finish(const Target &target, double flops) &&;

  /// What of the steps so far cannot be a Program, as the end of a sentence
  /// about the last one; "" if nothing.
  std::string findProblem() const;

  ProgramBuilder();

private:
  Reg newRegister();
  /// Loops on the longest path from `node` down.
  unsigned getDepth(uint16_t node) const;
  /// Node indices from the root to the node that holds `block`.
  llvm::SmallVector<uint16_t> pathTo(uint16_t block) const;
  bool findPath(uint16_t node, uint16_t block,
                llvm::SmallVectorImpl<uint16_t> &path) const;
  uint16_t addNode(NestNode node);
  void setEnable(uint16_t node, Expr enable);
  uint16_t insertBeside(uint16_t block, BlockPlan inserted, Expr enable,
                        bool after);
  llvm::SmallVectorImpl<uint16_t> &childrenHolding(uint16_t node,
                                                   uint16_t block);

  std::vector<Decision> decisions;
  std::vector<Instruction> instructions;
  std::vector<Require> requirements;
  LoopNestPlan plan;
  uint16_t action = 0;
  uint16_t numBuffers = 0;
  std::string problem;
  std::map<std::tuple<Op, Reg, Reg, Reg>, Reg> known;
  std::map<int64_t, Reg> constants;
  std::vector<std::optional<int64_t>> values;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_PROGRAMBUILDER_H
