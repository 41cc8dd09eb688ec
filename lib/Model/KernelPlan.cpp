//===- KernelPlan.cpp - The kernels of a nest -----------------------------===//

#include "SchedOpt/Model/KernelFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sched;
using Kind = NestNode::Kind;

static StagePlan::Pair *findPair(StagePlan &stage, llvm::StringRef key) {
  return llvm::StringSwitch<StagePlan::Pair *>(key)
      .Case("vthreads", &stage.vthreads)
      .Case("tile", &stage.tile)
      .Case("warps", &stage.warps)
      .Case("fetch", &stage.fetch)
      .Case("pad", &stage.pad)
      .Case("transpose", &stage.transpose)
      .Case("raster", &stage.raster)
      .Default(nullptr);
}

static Reg *findSingle(StagePlan &stage, llvm::StringRef key) {
  return llvm::StringSwitch<Reg *>(key)
      .Case("stages", &stage.stages)
      .Case("async", &stage.async)
      .Case("unroll", &stage.unroll)
      .Case("mma", &stage.mma)
      .Case("slices", &stage.slices)
      .Case("vector", &stage.vector)
      .Case("along", &stage.along)
      .Case("keep", &stage.keep)
      .Case("max_registers", &stage.maxRegisters)
      .Default(nullptr);
}

static StagePlan planStage(const LoopNestPlan &nest, uint16_t block) {
  const BlockPlan &code = nest.blocks[block];
  StagePlan stage;
  stage.block = block;
  for (const Annotation &entry : code.annotations) {
    if (entry.key == "threads")
      stage.threads.assign(entry.values.begin(), entry.values.end());
    else if (StagePlan::Pair *pair = findPair(stage, entry.key)) {
      if (entry.values.size() == pair->size())
        llvm::copy(entry.values, pair->begin());
    } else if (Reg *single = findSingle(stage, entry.key))
      *single = entry.values.empty() ? kNoReg : entry.values.front();
    if (entry.key == "keep")
      stage.places.assign(entry.words.begin(), entry.words.end());
  }
  stage.isTiled = code.kind == BlockKind::Contraction &&
                  !code.annotations.empty() && stage.vector == kNoReg;
  return stage;
}

/// Whether no kernel computes the block: it is a value that sums start from, or
/// computed in each place where it is read.
static bool isInlined(const BlockPlan &block) {
  return block.kind == BlockKind::Fill ||
         llvm::any_of(block.annotations, [](const Annotation &entry) {
           return entry.key == "keep" && entry.values.empty() &&
                  llvm::is_contained(entry.words, "recompute");
         });
}

/// Adds what is below `node` to `kernel`.
static void collect(const LoopNestPlan &nest, uint16_t index,
                    KernelPlan &kernel) {
  const NestNode &node = nest.nodes[index];
  switch (node.kind) {
  case Kind::Block:
    if (nest.blocks[node.block].kind != BlockKind::Fill)
      kernel.stages.push_back(planStage(nest, node.block));
    break;
  case Kind::Grid:
    kernel.tiles[node.dim] = node.size;
    break;
  case Kind::Steps:
    kernel.steps[node.dim] = node.size;
    break;
  case Kind::Loop:
  case Kind::Forall:
    break;
  }
  for (uint16_t child : node.children)
    collect(nest, child, kernel);
}

void sched::planKernels(LoopNestPlan &nest) {
  for (uint16_t index : nest.nodes.front().children) {
    const NestNode &node = nest.nodes[index];
    if (node.kind == Kind::Block && isInlined(nest.blocks[node.block]))
      continue;
    KernelPlan kernel;
    kernel.tiles.fill(kNoReg);
    kernel.steps.fill(kNoReg);
    collect(nest, index, kernel);
    if (!kernel.stages.empty())
      nest.kernels.push_back(std::move(kernel));
  }
}
