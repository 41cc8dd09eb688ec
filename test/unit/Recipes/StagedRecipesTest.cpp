//===- StagedRecipesTest.cpp - Recipes without a contraction --------------===//
//
// As RecipesTest.cpp, for reductions and softmax: the candidate of each recipe
// is found by its decisions, and the model, the IR and the vector code are held
// against the recipe's loops.
//
// The softmax written by hand reduces 64 columns to one element at each step;
// the sum of rows keeps 64 partial results and reduces those at the end of a
// row.
//
// Read next: ../Pipelines/NestListing.h (how a loop nest is written).
//
//===----------------------------------------------------------------------===//

#include "../Pipelines/NestListing.h"
#include "../Pipelines/RandomTask.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

struct StagedRecipe {
  const char *name;
  /// As a user writes it.
  const char *payload;
  /// All of them, as in the text of a trace.
  const char *decisions;
  /// What NestListing.h lists, in program order.
  std::vector<std::string> blocks;
  /// Where partial results start from and meet.
  std::vector<std::string> helpers;
  /// The arithmetic of the vector code, with its loops and its elements.
  std::vector<std::string> arithmetic;
};

void PrintTo(const StagedRecipe &recipe, std::ostream *os) {
  *os << recipe.name;
}

const StagedRecipe recipes[] = {
    {"RowSum128x1024",
     R"(
func.func @f(%a: tensor<128x1024xf32>) -> tensor<128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<128x1024xf32>)
    outs(%i : tensor<128xf32>) dimensions = [1]
  return %r : tensor<128xf32>
})",
     "partials = 8, keep_partials = 1",
     {"for(128) init0[1,]", "for(128) for(16) root[1,64,]"},
     {"for(128) partial_root[1,64,]", "for(128) combine_root[1,64,]"},
     {"for(128) for(16) arith.addf 64",
      "for(128) vector.multi_reduction add 64"}},
    {"Softmax128x1024",
     R"(
func.func @f(%a: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  %e = tensor.empty() : tensor<128x1024xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<128x1024xf32>)
    outs(%e : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  return %r : tensor<128x1024xf32>
})",
     "vectors = 8, partials = 8, keep_partials = 0, rows = 1, t = 1, "
     "parallel_dim = 0",
     {"for(128) init0[1,]", "for(128) for(16) stage0[1,64,]",
      "for(128) for(16) stage1[1,64,]", "for(128) init1[1,]",
      "for(128) for(16) stage2[1,64,]", "for(128) for(16) root[1,64,]"},
     {},
     {"for(128) for(16) vector.multi_reduction maxnumf 64",
      "for(128) for(16) arith.subf 64", "for(128) for(16) math.exp 64",
      "for(128) for(16) vector.multi_reduction add 64",
      "for(128) for(16) arith.divf 64"}},
};

/// Arithmetic on vectors as lines.
std::vector<std::string> listArithmetic(ModuleOp module) {
  std::vector<std::string> lines;
  module.walk([&](Operation *op) {
    if (op->getNumOperands() == 0 ||
        !isa<arith::ArithDialect, math::MathDialect, vector::VectorDialect>(
            op->getDialect()) ||
        (isa<vector::VectorDialect>(op->getDialect()) &&
         !isa<vector::MultiDimReductionOp>(op)))
      return;
    auto type = dyn_cast<VectorType>(op->getOperand(0).getType());
    if (!type)
      return;
    std::string loops;
    for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp())
      if (auto forOp = dyn_cast<scf::ForOp>(loop)) {
        auto trips = forOp.getStaticTripCount();
        loops = "for(" + std::to_string(trips ? trips->getSExtValue() : -1) +
                ") " + loops;
      }
    std::string name = op->getName().getStringRef().str();
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
      name += " " + vector::stringifyCombiningKind(reduction.getKind()).str();
    lines.push_back(loops + name + " " + std::to_string(type.getNumElements()));
  });
  return lines;
}

class StagedRecipes : public ::testing::TestWithParam<StagedRecipe> {};

} // namespace

TEST_P(StagedRecipes, ArePointsOfTheSpace) {
  const StagedRecipe &recipe = GetParam();
  auto module = parseSourceString<ModuleOp>(recipe.payload, &getContext());
  ASSERT_TRUE(bool(module));
  auto tasks = extractTasks(*module);
  ASSERT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
  ASSERT_EQ(tasks->size(), 1u);
  auto target = Target::parse("cpu:mcpu=znver3", 1);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  auto space = TaskSpace::create(tasks->front(), *target);
  ASSERT_TRUE(bool(space)) << llvm::toString(space.takeError());
  ASSERT_TRUE(bool(*space));

  auto trace = schedule::parseTrace(("schedule.trace of @rows decisions {" +
                                     StringRef(recipe.decisions) + "}")
                                        .str());
  ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
  auto candidate = (*space)->getCandidate(*trace);
  ASSERT_TRUE(candidate.has_value());
  const Program &program = (*space)->getProgram(candidate->sketch);
  int failed = -1;
  EXPECT_TRUE(program.isLegal(candidate->choices, &failed))
      << program.getReason(failed).str();

  // The model's loops are the recipe's.
  NestListing model = listModel(program, candidate->choices);
  EXPECT_EQ(joinLines(recipe.blocks), joinLines(model.blocks));
  EXPECT_EQ(joinLines({}), joinLines(model.copies));
  EXPECT_EQ(joinLines(recipe.helpers), joinLines(model.helpers));

  // So are the script's vectors, and its loops.
  auto script = (*space)->makeScript(*candidate);
  ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
  OwningOpRef<ModuleOp> scheduled = applyScript(tasks->front(), **script);
  ASSERT_TRUE(bool(scheduled)) << "the script does not apply";
  EXPECT_EQ(joinLines(recipe.arithmetic),
            joinLines(listArithmetic(*scheduled)));

  keepBlocks(**space);
  script = (*space)->makeScript(*candidate);
  ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
  OwningOpRef<ModuleOp> tiled = applyScript(tasks->front(), **script);
  ASSERT_TRUE(bool(tiled)) << "the script does not apply";
  NestListing ir = listIR(*tiled);
  EXPECT_EQ(joinLines(recipe.blocks), joinLines(ir.blocks));
  EXPECT_EQ(joinLines(recipe.helpers), joinLines(ir.helpers));
}

INSTANTIATE_TEST_SUITE_P(
    Staged, StagedRecipes, ::testing::ValuesIn(recipes),
    [](const ::testing::TestParamInfo<StagedRecipe> &info) {
      return std::string(info.param.name);
    });
