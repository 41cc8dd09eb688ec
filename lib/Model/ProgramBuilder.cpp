//===- ProgramBuilder.cpp - Builds a Program from symbolic steps ----------===//

#include "SchedOpt/Model/ProgramBuilder.h"
#include "SchedOpt/Model/Arithmetic.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Support/DotProduct.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

ProgramBuilder::ProgramBuilder() {
  NestNode root;
  root.kind = NestNode::Kind::Loop;
  plan.nodes.push_back(std::move(root));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Reg ProgramBuilder::newRegister() {
  if (values.size() == kMaxRegisters) {
    problem = "needs more parameters than the model has room for (" +
              std::to_string(kMaxRegisters) +
              "); use fewer parameter ops or actions";
    return 0;
  }
  values.emplace_back();
  return values.size() - 1;
}

Expr ProgramBuilder::constant(int64_t value) {
  auto [it, isNew] = constants.try_emplace(value, kNoReg);
  if (isNew) {
    it->second = newRegister();
    values[it->second] = value;
    Instruction instruction{Op::Constant, it->second};
    instruction.imm = value;
    instructions.push_back(instruction);
  }
  return {it->second, value};
}

llvm::SmallVector<Expr> ProgramBuilder::decision(Decision decision) {
  llvm::SmallVector<Expr> results;
  const uint16_t index = decisions.size();
  for (unsigned i = 0, e = decision.domain.front().size(); i != e; ++i) {
    Instruction instruction{Op::Choice, newRegister()};
    instruction.a = index;
    instruction.b = i;
    instructions.push_back(instruction);
    results.push_back({instruction.dst, std::nullopt});
  }
  decisions.push_back(std::move(decision));
  return results;
}

Expr ProgramBuilder::apply(Op op, Expr a, Expr b) {
  if (a.constant && b.constant) {
    bool overflows = false;
    const int64_t value = applyBinary(op, *a.constant, *b.constant, overflows);
    if (overflows)
      problem = "computes a constant parameter that needs more than 64 bits";
    return constant(value);
  }
  auto [it, isNew] = known.try_emplace({op, a.reg, b.reg, 0}, kNoReg);
  if (isNew) {
    it->second = newRegister();
    instructions.push_back({op, it->second, a.reg, b.reg});
  }
  return {it->second, std::nullopt};
}

Expr ProgramBuilder::select(Expr condition, Expr ifTrue, Expr ifFalse) {
  if (condition.constant)
    return *condition.constant ? ifTrue : ifFalse;
  auto [it, isNew] = known.try_emplace(
      {Op::Select, condition.reg, ifTrue.reg, ifFalse.reg}, kNoReg);
  if (isNew) {
    it->second = newRegister();
    instructions.push_back(
        {Op::Select, it->second, condition.reg, ifTrue.reg, ifFalse.reg});
  }
  return {it->second, std::nullopt};
}

void ProgramBuilder::require(Expr condition, llvm::StringRef reason) {
  if (condition.constant && *condition.constant)
    return;
  requirements.push_back({condition.reg, reason.str()});
}

void ProgramBuilder::keepRequirements(const std::vector<bool> &kept) {
  std::vector<Require> left;
  for (auto [require, isKept] : llvm::zip_equal(requirements, kept))
    if (isKept)
      left.push_back(std::move(require));
  requirements = std::move(left);
}

//===----------------------------------------------------------------------===//
// Loop nest
//===----------------------------------------------------------------------===//

uint8_t ProgramBuilder::addDim(llvm::StringRef name, Expr extent) {
  if (plan.extents.size() == kMaxDims) {
    problem = "needs more loop dimensions than the model has room for (" +
              std::to_string(kMaxDims) + ")";
    return kMaxDims - 1;
  }
  plan.extents.push_back(extent.reg);
  plan.dimNames.push_back(name.str());
  return plan.extents.size() - 1;
}

uint16_t ProgramBuilder::addNode(NestNode node) {
  node.action = action;
  plan.nodes.push_back(std::move(node));
  return plan.nodes.size() - 1;
}

uint16_t ProgramBuilder::addBlock(BlockPlan block) {
  plan.blocks.push_back(std::move(block));
  NestNode leaf;
  leaf.block = plan.blocks.size() - 1;
  uint16_t node = addNode(std::move(leaf));
  plan.nodes.front().children.push_back(node);
  return plan.blocks.size() - 1;
}

uint16_t ProgramBuilder::insertBlock(BlockPlan block, uint16_t before,
                                     Expr enable) {
  uint16_t index = addBlock(std::move(block));
  auto &children = plan.nodes.front().children;
  setEnable(children.back(), enable);
  std::rotate(llvm::find(children, before), children.end() - 1, children.end());
  return index;
}

llvm::Expected<uint16_t> ProgramBuilder::findBlock(llvm::StringRef name) const {
  std::string names;
  for (unsigned i = 0, e = plan.blocks.size(); i != e; ++i) {
    if (plan.blocks[i].name == name)
      return i;
    names += (i ? ", " : "") + plan.blocks[i].name;
  }
  return llvm::createStringError("no block named '" + name.str() +
                                 "'; the blocks are: " + names);
}

bool ProgramBuilder::findPath(uint16_t node, uint16_t block,
                              llvm::SmallVectorImpl<uint16_t> &path) const {
  const NestNode &n = plan.nodes[node];
  path.push_back(node);
  if (n.kind == NestNode::Kind::Block && n.block == block)
    return true;
  for (const auto *list : {&n.children, &n.tail})
    for (uint16_t child : *list)
      if (findPath(child, block, path))
        return true;
  path.pop_back();
  return false;
}

llvm::SmallVector<uint16_t> ProgramBuilder::pathTo(uint16_t block) const {
  llvm::SmallVector<uint16_t> path;
  findPath(0, block, path);
  return path;
}

llvm::SmallVectorImpl<uint16_t> &
ProgramBuilder::childrenHolding(uint16_t node, uint16_t child) {
  NestNode &n = plan.nodes[node];
  if (n.ownTail && llvm::is_contained(n.tail, child))
    return n.tail;
  return n.children;
}

llvm::Expected<uint16_t> ProgramBuilder::wrap(llvm::ArrayRef<uint16_t> blocks,
                                              NestNode::Kind kind, uint8_t dim,
                                              Expr size) {
  // The innermost node around all of the blocks.
  llvm::SmallVector<llvm::SmallVector<uint16_t>> paths;
  for (uint16_t block : blocks)
    paths.push_back(pathTo(block));
  unsigned common = 0;
  while (llvm::all_of(paths, [&](auto &path) {
    return common + 1 < path.size() && path[common] == paths[0][common];
  }))
    ++common;
  const uint16_t parent = paths[0][common - 1];
  const uint16_t first = paths[0][common];
  llvm::SmallVector<uint16_t> inside;
  for (auto &path : paths)
    if (!llvm::is_contained(inside, path[common]))
      inside.push_back(path[common]);

  NestNode loop;
  loop.kind = kind;
  loop.dim = dim;
  loop.size = size.reg;
  const uint16_t index = addNode(std::move(loop));
  auto &siblings = childrenHolding(parent, first);
  auto *begin = llvm::find_if(siblings, [&](uint16_t node) {
    return llvm::is_contained(inside, node);
  });
  auto *end = begin;
  while (end != siblings.end() && llvm::is_contained(inside, *end))
    ++end;
  if (static_cast<size_t>(end - begin) != inside.size())
    return llvm::createStringError(
        "blocks to fuse are not neighbours in the loop nest; list the blocks "
        "between them too");
  plan.nodes[index].children.assign(begin, end);
  *begin = index;
  siblings.erase(begin + 1, end);
  return index;
}

llvm::SmallVector<uint16_t>
ProgramBuilder::separateTail(uint16_t node, llvm::StringRef prefix) {
  llvm::SmallVector<uint16_t> blocks;
  llvm::SmallVector<uint16_t> leaves;
  for (uint16_t child : plan.nodes[node].children) {
    // Only bare blocks are separated: nothing has been tiled below yet.
    BlockPlan copy = plan.blocks[plan.nodes[child].block];
    copy.name = prefix.str() + copy.name;
    plan.blocks.push_back(std::move(copy));
    blocks.push_back(plan.blocks.size() - 1);
    NestNode leaf;
    leaf.block = blocks.back();
    leaves.push_back(addNode(std::move(leaf)));
  }
  plan.nodes[node].ownTail = true;
  plan.nodes[node].tail.assign(leaves.begin(), leaves.end());
  return blocks;
}

void ProgramBuilder::shareTail(uint16_t node, uint16_t shared) {
  plan.nodes[node].ownTail = true;
  plan.nodes[node].tail = {shared};
}

llvm::SmallVector<uint16_t> ProgramBuilder::siblingsUpTo(uint16_t block) const {
  llvm::SmallVector<uint16_t> path = pathTo(block), result;
  for (uint16_t child : plan.nodes[path[path.size() - 2]].children) {
    if (plan.nodes[child].kind == NestNode::Kind::Block)
      result.push_back(plan.nodes[child].block);
    if (child == path.back())
      break;
  }
  return result;
}

void ProgramBuilder::moveInto(uint16_t block, uint16_t node) {
  llvm::SmallVector<uint16_t> path = pathTo(block);
  auto &siblings = childrenHolding(path[path.size() - 2], path.back());
  siblings.erase(llvm::find(siblings, path.back()));
  auto &children = plan.nodes[node].children;
  children.insert(children.begin(), path.back());
}

Expr ProgramBuilder::extentAt(uint16_t block, uint8_t dim) {
  Expr extent = getExtent(dim);
  for (uint16_t index : pathTo(block)) {
    const NestNode &node = plan.nodes[index];
    if (node.kind == NestNode::Kind::Block || node.dim != dim ||
        node.size == kNoReg)
      continue;
    const Expr size{node.size, values[node.size]};
    if (node.kind == NestNode::Kind::Forall) {
      extent = floorDiv(extent, apply(Op::Max, size, constant(1)));
      continue;
    }
    const Expr isLoop = apply(Op::And, apply(Op::CmpLT, constant(0), size),
                              apply(Op::CmpLT, size, extent));
    extent = select(isLoop, size, extent);
  }
  return extent;
}

llvm::SmallVector<ProgramBuilder::PathLoop>
ProgramBuilder::getLoopsAround(uint16_t block) {
  llvm::SmallVector<PathLoop> loops;
  for (uint16_t index : pathTo(block)) {
    const NestNode &node = plan.nodes[index];
    if (node.kind == NestNode::Kind::Block || node.size == kNoReg)
      continue;
    const uint16_t action = node.action;
    const uint8_t dim = node.dim;
    const Expr size{node.size, values[node.size]};
    const Expr slices =
        node.kind == NestNode::Kind::Forall
            ? apply(Op::CmpLT, constant(1), size)
            : apply(Op::And, apply(Op::CmpLT, constant(0), size),
                    apply(Op::CmpLT, size, getExtent(dim)));
    loops.push_back({index, action, dim, slices});
  }
  return loops;
}

uint16_t ProgramBuilder::addDetachedBlock(BlockPlan block) {
  plan.blocks.push_back(std::move(block));
  return plan.blocks.size() - 1;
}

void ProgramBuilder::setEnable(uint16_t node, Expr enable) {
  if (!enable.constant || *enable.constant == 0)
    plan.nodes[node].enable = enable.reg;
}

void ProgramBuilder::enableOnly(uint16_t block, Expr enable) {
  setEnable(pathTo(block).back(), enable);
}

uint16_t ProgramBuilder::insertBefore(uint16_t block, BlockPlan inserted,
                                      Expr enable) {
  return insertBeside(block, std::move(inserted), enable, /*after=*/false);
}

uint16_t ProgramBuilder::insertAfter(uint16_t block, BlockPlan inserted,
                                     Expr enable) {
  return insertBeside(block, std::move(inserted), enable, /*after=*/true);
}

uint16_t ProgramBuilder::insertBeside(uint16_t block, BlockPlan inserted,
                                      Expr enable, bool after) {
  NestNode leaf;
  leaf.block = addDetachedBlock(std::move(inserted));
  const uint16_t index = addNode(leaf);
  setEnable(index, enable);
  llvm::SmallVector<uint16_t> path = pathTo(block);
  auto &siblings = childrenHolding(path[path.size() - 2], path.back());
  siblings.insert(llvm::find(siblings, path.back()) + after, index);
  return leaf.block;
}

void ProgramBuilder::insertInto(uint16_t node, uint16_t block, Expr enable) {
  NestNode leaf;
  leaf.block = block;
  leaf.enable = enable.reg;
  const uint16_t index = addNode(std::move(leaf));
  // At the front: what is fused later must stay side by side.
  auto &children = plan.nodes[node].children;
  children.insert(children.begin(), index);
}

unsigned ProgramBuilder::getDepth(uint16_t node) const {
  const NestNode &top = plan.nodes[node];
  unsigned deepest = 0;
  for (llvm::ArrayRef<uint16_t> below : {llvm::ArrayRef<uint16_t>(top.children),
                                         llvm::ArrayRef<uint16_t>(top.tail)})
    for (uint16_t child : below)
      deepest = std::max(deepest, getDepth(child));
  return deepest + (node != 0 && top.kind != NestNode::Kind::Block);
}

std::string ProgramBuilder::findProblem() const {
  if (!problem.empty())
    return problem;
  const unsigned depth = getDepth(/*node=*/0);
  if (depth > kMaxLoops)
    return "nests " + std::to_string(depth) +
           " loops; the model has room for " + std::to_string(kMaxLoops) +
           ": tile fewer times";
  return "";
}

Program ProgramBuilder::finish(const Target &target, double flops) && {
  Program program;
  program.decisions = std::move(decisions);
  program.instructions = std::move(instructions);
  program.requirements = std::move(requirements);
  program.numRegisters = values.size();
  program.nest = std::move(plan);
  auto isWidened = [](const BorderPlan &border) { return border.isWidened; };
  // Only a block of groups, and one of images that are widened, asks what LLVM
  // knows of the target.
  for (BlockPlan &block : program.nest.blocks) {
    if (block.stepsAtOnce == 1 && llvm::none_of(block.borders, isWidened))
      continue;
    const DotProducts dots = findDotProducts(target);
    if (dots.bindsRows())
      llvm::erase_if(block.borders, isWidened);
    if (!dots.covers(DotForm::Lanes, NarrowType::SignedByte,
                     NarrowType::SignedByte))
      llvm::erase_if(block.borders,
                     [](const BorderPlan &border) { return border.isSigned; });
    if (block.stepsAtOnce == 1)
      continue;
    const auto lhs = block.accesses[0].narrow, rhs = block.accesses[1].narrow;
    if (!lhs || !rhs)
      continue;
    program.nest.hasTiles = dots.covers(DotForm::Tiles, *lhs, *rhs);
    program.nest.equalMultiplyAdds = dots.countEqualMultiplyAdds(*lhs);
    program.nest.changesRows = dots.changesRows(*lhs, *rhs);
  }
  if (target.kind == Target::Kind::NVVM)
    planKernels(program.nest);
  program.target = target;
  program.flops = flops;
  return program;
}
