//===- RecipesTest.cpp - Schedules written by hand are in the space -------===//
//
// Finds the candidate of each recipe by its decisions, and holds the model, the
// IR and the vector code against the recipe's loops. So whatever people found
// by hand, the search can find too.
//
// Read next: Recipes.h (the table), ../Pipelines/NestListing.h (how a loop nest
// is written).
//
//===----------------------------------------------------------------------===//

#include "Recipes.h"
#include "../Pipelines/NestListing.h"
#include "../Pipelines/RandomTask.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

/// The payload as a user writes it: row-major tensors.
std::string writeRecipePayload(const Recipe &recipe) {
  auto type = [&](int64_t rows, int64_t columns) {
    return "tensor<" +
           (recipe.batch ? std::to_string(recipe.batch) + "x" : "") +
           std::to_string(rows) + "x" + std::to_string(columns) + "xf32>";
  };
  const bool isFree = recipe.packing == Packing::Beforehand;
  const std::string a = type(recipe.m, recipe.k), b = type(recipe.k, recipe.n),
                    c = type(recipe.m, recipe.n);
  std::string text =
      "func.func @f(%a: " + a + ", %b: " + b +
      (isFree ? " {schedule.layout_free}" : "") + ", %d: " + c + ") -> " + c +
      " {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : " + c +
      "\n  %i = linalg.fill ins(%z : f32) outs(%e : " + c + ") -> " + c +
      "\n  %r = linalg." + (recipe.batch ? "batch_matmul" : "matmul") +
      " ins(%a, %b : " + a + ", " + b + ") outs(%i : " + c + ") -> " + c + "\n";
  if (recipe.add)
    text += "  %s = linalg.add ins(%r, %d : " + c + ", " + c +
            ") outs(%e : " + c + ") -> " + c + "\n";
  return text + "  return " + (recipe.add ? "%s" : "%r") + " : " + c + "\n}\n";
}

/// A convolution as its recipe has it: columns of the padded image, a product
/// with them, a bias to start from. The weights are ordered (taps, in, out).
std::string writeConvolution(const Recipe &recipe) {
  const bool isLast = recipe.image == Image::ChannelsLast;
  const std::string image =
      isLast ? "tensor<1x7x7x512xf32>" : "tensor<1x512x7x7xf32>";
  std::string text = "func.func @f(%x: " + image +
                     ", %w: tensor<3x3x512x512xf32> {schedule.layout_free}, "
                     "%b: tensor<512xf32>) -> " +
                     image + " {\n  %z = arith.constant 0.0 : f32\n";
  if (isLast)
    text += R"(
  %x3 = tensor.collapse_shape %x [[0, 1], [2], [3]]
    : tensor<1x7x7x512xf32> into tensor<7x7x512xf32>)";
  else
    text += R"(
  %xc = tensor.collapse_shape %x [[0, 1], [2, 3]]
    : tensor<1x512x7x7xf32> into tensor<512x49xf32>
  %xe = tensor.empty() : tensor<49x512xf32>
  %xt = linalg.transpose ins(%xc : tensor<512x49xf32>)
    outs(%xe : tensor<49x512xf32>) permutation = [1, 0]
  %x3 = tensor.expand_shape %xt [[0, 1], [2]] output_shape [7, 7, 512]
    : tensor<49x512xf32> into tensor<7x7x512xf32>)";
  text += R"(
  %p = tensor.pad %x3 low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%h: index, %v: index, %c: index):
    tensor.yield %z : f32
  } : tensor<7x7x512xf32> to tensor<9x9x512xf32>
  %ce = tensor.empty() : tensor<3x3x7x7x512xf32>
  %col5 = linalg.generic {
    indexing_maps = [affine_map<(a, b, h, v, c) -> (h + a, v + b, c)>,
                     affine_map<(a, b, h, v, c) -> (a, b, h, v, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel",
                      "parallel"]}
    ins(%p : tensor<9x9x512xf32>) outs(%ce : tensor<3x3x7x7x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x3x7x7x512xf32>
  %col = tensor.collapse_shape %col5 [[0], [1], [2, 3], [4]]
    : tensor<3x3x7x7x512xf32> into tensor<3x3x49x512xf32>
  %e = tensor.empty() : tensor<49x512xf32>
  %i = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<512xf32>) outs(%e : tensor<49x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<49x512xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, a, b, k) -> (a, b, m, k)>,
                     affine_map<(m, n, a, b, k) -> (a, b, k, n)>,
                     affine_map<(m, n, a, b, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction",
                      "reduction"]}
    ins(%col, %w : tensor<3x3x49x512xf32>, tensor<3x3x512x512xf32>)
    outs(%i : tensor<49x512xf32>) {
  ^bb0(%l: f32, %g: f32, %s: f32):
    %q = arith.mulf %l, %g : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<49x512xf32>
  %ye = tensor.empty() : tensor<49x512xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<49x512xf32>) outs(%ye : tensor<49x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.maximumf %in, %z : f32
    linalg.yield %t : f32
  } -> tensor<49x512xf32>)";
  text += isLast ? R"(
  %f = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [1, 7, 7, 512]
    : tensor<49x512xf32> into tensor<1x7x7x512xf32>)"
                 : R"(
  %fe = tensor.empty() : tensor<512x49xf32>
  %ft = linalg.transpose ins(%y : tensor<49x512xf32>)
    outs(%fe : tensor<512x49xf32>) permutation = [1, 0]
  %f = tensor.expand_shape %ft [[0, 1], [2, 3]] output_shape [1, 512, 7, 7]
    : tensor<512x49xf32> into tensor<1x512x7x7xf32>)";
  return text + "\n  return %f : " + image + "\n}\n";
}

/// The recipe's decisions, and the defaults of what it leaves out.
schedule::Trace getRecipeTrace(const TaskSpace &space, const Recipe &recipe) {
  auto decided =
      schedule::parseTrace(("schedule.trace of @" + StringRef(recipe.sketch) +
                            " decisions {" + recipe.decisions + "}")
                               .str());
  if (!decided) {
    ADD_FAILURE() << llvm::toString(decided.takeError());
    return {};
  }
  for (unsigned i = 0; i != space.getNumSketches(); ++i) {
    Candidate candidate;
    candidate.sketch = i;
    candidate.choices = space.getProgram(i).getDefault();
    schedule::Trace trace = space.getTrace(candidate);
    if (trace.sketch != decided->sketch)
      continue;
    for (const schedule::Trace::Decision &decision : decided->decisions) {
      auto found = llvm::find_if(trace.decisions, [&](const auto &other) {
        return other.name == decision.name;
      });
      if (found == trace.decisions.end())
        ADD_FAILURE() << "the sketch does not decide " << decision.name;
      else
        found->values = decision.values;
    }
    return trace;
  }
  ADD_FAILURE() << "there is no sketch " << recipe.sketch;
  return {};
}

/// The anchors of a listing, as the contractions that they become:
/// "for(8) for(32) 4x16x4". Unit dimensions of packed operands are folded.
std::vector<std::string> listAnchors(const Recipe &recipe) {
  std::vector<std::string> lines;
  for (StringRef line : recipe.blocks) {
    auto [loops, sizes] = line.split(recipe.batch ? "anchor[1," : "anchor[");
    if (sizes.empty())
      continue;
    SmallVector<StringRef> parts;
    sizes.drop_back().split(parts, ',', -1, /*KeepEmpty=*/false);
    // (m, n, k), or (m, panel, ..., k, n in the panel).
    const bool isPacked = parts.size() > 3;
    StringRef n = isPacked ? parts.back() : parts[1],
              k = isPacked ? parts[parts.size() - 2] : parts[2];
    lines.push_back((loops + parts[0] + "x" + n + "x" + k).str());
  }
  return lines;
}

/// The same of vector code: contractions with the loops around them.
std::vector<std::string> listContractions(ModuleOp module) {
  std::vector<std::string> lines;
  module.walk([&](vector::ContractionOp op) {
    std::string text;
    for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp())
      if (auto forOp = dyn_cast<scf::ForOp>(loop)) {
        auto trips = forOp.getStaticTripCount();
        text = "for(" +
               (trips ? std::to_string(trips->getSExtValue()) : "dynamic") +
               ") " + text;
      } else if (auto forall = dyn_cast<scf::ForallOp>(loop)) {
        text = "forall(" + std::to_string(forall.getStaticUpperBound()[0]) +
               ") " + text;
      }
    // A dimension of size 1 may be missing from the iteration space.
    int64_t m = 1, n = 1, k = 1;
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);
    const AffineMap lhs = op.getIndexingMapsArray()[0];
    for (auto [dim, type] : llvm::enumerate(op.getIteratorTypesArray()))
      (type == vector::IteratorType::reduction ? k
       : lhs.isFunctionOfDim(dim)              ? m
                                               : n) *= bounds[dim];
    lines.push_back(text + std::to_string(m) + "x" + std::to_string(n) + "x" +
                    std::to_string(k));
  });
  return lines;
}

/// Whether code generation finds a right-hand side to pack beforehand, and cuts
/// a function for it.
bool cutsPacking(ModuleOp scheduled) {
  PassManager passes(scheduled.getContext());
  passes.addPass(createOutlinePackingPass());
  EXPECT_TRUE(succeeded(passes.run(scheduled)));
  return llvm::any_of(scheduled.getOps<func::FuncOp>(), [](func::FuncOp op) {
    return op.getName().contains("_pack_arg");
  });
}

class Recipes : public ::testing::TestWithParam<Recipe> {};

} // namespace

TEST_P(Recipes, ArePointsOfTheSpace) {
  const Recipe &recipe = GetParam();
  auto module = parseSourceString<ModuleOp>(recipe.image == Image::None
                                                ? writeRecipePayload(recipe)
                                                : writeConvolution(recipe),
                                            &getContext());
  ASSERT_TRUE(bool(module));
  auto tasks = extractTasks(*module);
  ASSERT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
  // The transposes around are two more.
  ASSERT_EQ(tasks->size(), recipe.image == Image::ChannelsFirst ? 3u : 1u);
  const Task &task = *llvm::find_if(
      *tasks, [](const Task &task) { return task.shape.has_value(); });
  auto target = Target::parse("cpu:mcpu=znver3", recipe.threads);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  auto space = TaskSpace::create(task, *target);
  ASSERT_TRUE(bool(space)) << llvm::toString(space.takeError());
  ASSERT_TRUE(bool(*space));

  // Each of its values is in the domain of its decision.
  const schedule::Trace trace = getRecipeTrace(**space, recipe);
  SCOPED_TRACE(schedule::printTrace(trace));
  auto candidate = (*space)->getCandidate(trace);
  ASSERT_TRUE(candidate.has_value());
  const Program &program = (*space)->getProgram(candidate->sketch);
  int failed = -1;
  EXPECT_TRUE(program.isLegal(candidate->choices, &failed))
      << program.getReason(failed).str();

  // The model's loops are the recipe's.
  auto withoutPack = [&](NestListing listing) {
    llvm::erase_if(listing.blocks, [&](StringRef line) {
      return recipe.packing == Packing::Beforehand && line.contains(" pack[");
    });
    return listing;
  };
  NestListing model = withoutPack(listModel(program, candidate->choices));
  EXPECT_EQ(joinLines(recipe.blocks), joinLines(model.blocks));
  EXPECT_EQ(joinLines(recipe.copies), joinLines(model.copies));
  const auto &blocks = program.getNest().blocks;
  auto pack = llvm::find_if(blocks, [](const BlockPlan &block) {
    return block.kind == BlockKind::Pack;
  });
  EXPECT_EQ(pack != blocks.end(), recipe.packing != Packing::None);
  if (pack != blocks.end())
    EXPECT_EQ(pack->isFree, recipe.packing == Packing::Beforehand);

  // So are the loops of the script, and its vectors.
  auto script = (*space)->makeScript(*candidate);
  ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
  OwningOpRef<ModuleOp> scheduled = applyScript(task, **script);
  ASSERT_TRUE(bool(scheduled)) << "the script does not apply";
  EXPECT_EQ(joinLines(listAnchors(recipe)),
            joinLines(listContractions(*scheduled)));
  EXPECT_EQ(cutsPacking(*scheduled), recipe.packing == Packing::Beforehand);

  keepBlocks(**space);
  script = (*space)->makeScript(*candidate);
  ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
  OwningOpRef<ModuleOp> tiled = applyScript(task, **script);
  ASSERT_TRUE(bool(tiled)) << "the script does not apply";
  NestListing ir = withoutPack(listIR(*tiled));
  EXPECT_EQ(joinLines(recipe.blocks), joinLines(ir.blocks));
  EXPECT_EQ(joinLines(recipe.copies), joinLines(ir.copies));
}

INSTANTIATE_TEST_SUITE_P(Matmul, Recipes, ::testing::ValuesIn(getRecipes()),
                         [](const ::testing::TestParamInfo<Recipe> &info) {
                           return std::string(info.param.name);
                         });
