//===- SketchRules.cpp - The list of rules and their conditions -----------===//

#include "ContractionRules.h"
#include "GPU/KernelRules.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "StageRules.h"
#include "TaskGrouping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

namespace {
/// A rule that is for targets of one kind.
class RuleOfKind final : public SketchRule {
public:
  RuleOfKind(Target::Kind kind, std::unique_ptr<SketchRule> rule)
      : kind(kind), rule(std::move(rule)) {}
  llvm::StringRef getName() const override { return rule->getName(); }
  bool applies(const Task &task, const Target &target) const override {
    return target.kind == kind && rule->applies(task, target);
  }
  int getPriority(const Task &task, const Target &target) const override {
    return rule->getPriority(task, target);
  }
  std::string write(const Task &task, const Target &target) const override {
    return rule->write(task, target);
  }

private:
  Target::Kind kind;
  std::unique_ptr<SketchRule> rule;
};
} // namespace

std::vector<std::unique_ptr<SketchRule>> sched::createSketchRules() {
  std::vector<std::unique_ptr<SketchRule>> rules;
  auto add = [&](Target::Kind kind, std::unique_ptr<SketchRule> rule) {
    rules.push_back(std::make_unique<RuleOfKind>(kind, std::move(rule)));
  };
  const Target::Kind cpu = Target::Kind::CPU, nvvm = Target::Kind::NVVM;
  for (bool packed : {false, true}) {
    add(cpu, createRegisterReduction(packed));
    add(cpu, createBlockedReduction(packed));
  }
  for (DotForm form : {DotForm::Lanes, DotForm::Squares, DotForm::Tiles})
    for (bool blocked : {false, true})
      add(cpu, createDotProducts(form, blocked));
  add(cpu, createLaneReduction());
  add(cpu, createElementwiseRule());
  add(cpu, createTransposedBlocksRule());
  add(cpu, createRowsRule());
  add(cpu, createColumnsRule());
  add(cpu, createSharedRowsRule());
  add(cpu, createSharedColumnsRule());
  add(cpu, createSharedReduction());
  add(nvvm, createMatrixTilesRule());
  add(nvvm, createThreadTilesRule());
  add(nvvm, createThreadRowsRule());
  add(nvvm, createThreadPointsRule());
  return rules;
}

/// A depthwise convolution that makes a few results of each channel, which come
/// innermost: vectors of them are mostly empty, where LLVM's own run along
/// more.
static bool hasFewResultsAChannel(const ContractionShape &shape) {
  constexpr int64_t kFewest = 3;
  return shape.overlaps && !shape.isWindowed && shape.n < kFewest &&
         llvm::any_of(
             shape.outer,
             [](const OuterLoop &loop) {
               return !loop.isReduction && loop.isShared;
             });
}

bool sched::isSchedulableContraction(const Task &task) {
  const TaskBlocks &blocks = task.blocks;
  if (!blocks.shape || hasFewResultsAChannel(*blocks.shape))
    return false;
  unsigned producers = 0;
  for (auto [role, extents] : llvm::zip_equal(blocks.roles, blocks.extents)) {
    if (role != BlockRole::Producer)
      continue;
    ++producers;
    // A single element has no loop that would keep it apart.
    if (llvm::all_of(extents, [](int64_t extent) { return extent == 1; }))
      return false;
  }
  return llvm::count(blocks.roles, BlockRole::Anchor) == 1 &&
         llvm::count(blocks.roles, BlockRole::Init) <= 1 &&
         // What cannot be fused into an epilogue would be computed again in
         // every tile, as fusion by upstream follows producers greedily.
         !llvm::is_contained(blocks.roles, BlockRole::Other) &&
         // No chains: each producer feeds the anchor itself.
         producers == blocks.producers.size();
}

static int64_t bytes(mlir::Type type) {
  return std::max(1u, type.getIntOrFloatBitWidth() / 8);
}

/// Whether an operand of the contraction has one value everywhere. Where it is
/// packed, the fusion of what follows folds that into the contraction's body:
/// then the op is no contraction any more, and nothing finds it.
static bool readsOneValue(const Task &task) {
  auto ops = collectLinalgOps(task.getFunction());
  const auto anchor = llvm::find(task.roles, BlockRole::Anchor);
  return anchor != task.roles.end() &&
         llvm::any_of(ops[anchor - task.roles.begin()].getDpsInputs(),
                      [](mlir::Value operand) {
                        mlir::SplatElementsAttr splat;
                        return operand.getDefiningOp<mlir::linalg::FillOp>() ||
                               matchPattern(operand, mlir::m_Constant(&splat));
                      });
}

bool sched::canPackRhs(const Task &task, const Target &target) {
  // The reshape that packing makes of the result folds into a fill and into one
  // elementwise op, and into nothing else.
  return !task.blocks.shape->panelLoops.empty() && task.blocks.hasPlainInit &&
         !readsOneValue(task) &&
         llvm::count(task.blocks.roles, BlockRole::Epilogue) <= 1 &&
         task.blocks.shape->n >= task.blocks.shape->countLanes(target);
}

bool sched::isLayoutFree(const Task &task, unsigned operand) {
  auto ops = collectLinalgOps(task.getFunction());
  const auto anchor = llvm::find(task.roles, BlockRole::Anchor);
  if (anchor == task.roles.end())
    return false;
  mlir::Value value = ops[anchor - task.roles.begin()]->getOperand(operand);
  // What depends on the argument alone is packed with it.
  while (auto producer = value.getDefiningOp<mlir::linalg::LinalgOp>()) {
    if (producer.getNumDpsInputs() != 1)
      return false;
    value = producer.getDpsInputOperand(0)->get();
  }
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  return argument && task.layoutFree[argument.getArgNumber()];
}

bool sched::canPackLhs(const Task &task) {
  if (!isLayoutFree(task, 0) || !task.blocks.shape->isMatmul() ||
      !task.blocks.producers.empty())
    return false;
  const int64_t least = std::min(task.blocks.shape->m, task.blocks.shape->k);
  auto ops = task.getFunction().getOps<mlir::linalg::MatmulOp>();
  // It is transposed by its name, which fusion may take from it.
  return !llvm::is_contained(task.blocks.generalize,
                             mlir::linalg::MatmulOp::getOperationName()) &&
         least > mlir::schedule::kPackRows && !ops.empty() &&
         !(*ops.begin()).hasUserDefinedMaps();
}

/// Fewer rows read the panels too seldom to pay for packing them.
static constexpr int64_t kRowsWorthPacking = 16;

bool sched::isLargeRhs(const Task &task, const Target &target) {
  const ContractionShape &shape = *task.blocks.shape;
  // Those of other lines and images read the same panels.
  int64_t rows = shape.m;
  for (auto [loop, position] : llvm::zip_equal(
           shape.outer,
           llvm::drop_begin(shape.loops, ContractionShape::kFirstOuter)))
    if (!loop.isReduction && !llvm::is_contained(shape.panelLoops, position))
      rows *= loop.extent;
  const bool isWorthIt =
      rows >= kRowsWorthPacking || isLayoutFree(task, shape.rhsOperand);
  return isWorthIt && shape.n * shape.countSteps() * bytes(shape.rhsType) >
                          target.l2Bytes / 2;
}
