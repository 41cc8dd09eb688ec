//===- SketchCompilerTest.cpp - The abstract interpreter ------------------===//

#include "SchedOpt/Model/SketchCompiler.h"
#include "NestBuilder.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtension.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace sched;
using sched::test::NestRecorder;
using Lines = std::vector<std::string>;

namespace {

constexpr llvm::StringLiteral kPayload = R"mlir(
func.func @f(%a: tensor<13x16xf32>, %b: tensor<16x32xf32>) -> tensor<13x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<13x32xf32>) -> tensor<13x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<13x16xf32>, tensor<16x32xf32>)
                     outs(%i : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %r : tensor<13x32xf32>
}
)mlir";

class SketchCompiler : public testing::Test {
protected:
  SketchCompiler()
      : handler(&context, [&](Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return success();
        }) {
    DialectRegistry registry;
    bufferization::registerTransformDialectExtension(registry);
    linalg::registerTransformDialectExtension(registry);
    scf::registerTransformDialectExtension(registry);
    transform::registerLoopExtension(registry);
    registry.insert<arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, tensor::TensorDialect,
                    transform::TransformDialect, schedule::ScheduleDialect>();
    registerLoopModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Compiles a sketch of these ops for the payload.
  FailureOr<Program> compile(llvm::StringRef ops,
                             llvm::StringRef payload = kPayload) {
    module = parseSourceString<ModuleOp>(
        (payload + "schedule.sketch @s(%root: !transform.any_op) {\n" + ops +
         "\n}\n")
            .str(),
        &context);
    if (!module) {
      ADD_FAILURE() << "does not parse: " << messages;
      return failure();
    }
    return compileSketch(getSketch(), *module->getOps<func::FuncOp>().begin(),
                         test::makeTarget(), 2.0 * 13 * 32 * 16, alternatives,
                         unmodelled);
  }

  schedule::SketchOp getSketch() {
    return *module->getOps<schedule::SketchOp>().begin();
  }

  void expectError(llvm::StringRef ops, llvm::StringRef message) {
    messages.clear();
    EXPECT_TRUE(failed(compile(ops)));
    EXPECT_TRUE(llvm::StringRef(messages).contains(message)) << messages;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::string messages;
  ScopedDiagnosticHandler handler;
  Alternatives alternatives;
  SmallVector<Operation *> *unmodelled = nullptr;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(SketchCompiler, UntouchedPayload) {
  FailureOr<Program> program =
      compile("schedule.name_blocks %root [\"init\", \"anchor\"]");
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(NestRecorder::record(*program),
            (Lines{"init[13,32]", "anchor[13,32,16]"}));
  const BlockPlan &anchor = program->getNest().blocks.back();
  EXPECT_EQ(anchor.kind, BlockKind::Contraction);
  EXPECT_EQ(anchor.flopsPerPoint, 2u);
  ASSERT_EQ(anchor.accesses.size(), 3u);
  EXPECT_TRUE(anchor.accesses[2].isWrite);
  EXPECT_EQ(program->getNest().blocks.front().kind, BlockKind::Fill);
}

/// A convolution with 3 taps to 8 pixels, of an image that is an argument of
/// such a type with such attributes, at such indices of pixel q, tap s and
/// channel c.
static std::string getConvolution(StringRef type, StringRef attributes,
                                  StringRef indices) {
  return llvm::formatv(R"mlir(
func.func @f(%a: {0} {{{1}},
             %b: tensor<3x4x16xf32>) -> tensor<8x16xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {{indexing_maps = [
      affine_map<(q, f, s, c) -> ({2})>,
      affine_map<(q, f, s, c) -> (s, c, f)>, affine_map<(q, f, s, c) -> (q, f)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : {0}, tensor<3x4x16xf32>)
      outs(%i : tensor<8x16xf32>) {{
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
)mlir",
                       type, attributes, indices);
}

/// One of a line of `line`, at pixel * `stride` + tap * `dilation`; a zero on
/// the left of the line, `high` on the right.
static std::string getConvolution(int stride, int dilation, int line,
                                  int high) {
  return getConvolution(
      llvm::formatv("tensor<{0}x4xf32>", line).str(),
      llvm::formatv("schedule.border = array<i64: 1, {0}, 0, 0>", high).str(),
      llvm::formatv("q * {0} + s * {1}, c", stride, dilation).str());
}

TEST_F(SketchCompiler, BordersOfImages) {
  using Inside = std::vector<std::vector<std::pair<int64_t, int64_t>>>;
  auto getInsideOf = [&](const std::string &payload) {
    FailureOr<Program> program =
        compile("schedule.name_blocks %root [\"init\", \"anchor\"]", payload);
    EXPECT_TRUE(succeeded(program)) << messages;
    Inside inside;
    if (succeeded(program))
      for (const BorderPlan &border :
           program->getNest().blocks.back().borders) {
        inside.emplace_back();
        for (const BorderPlan::Range &range : border.inside)
          inside.back().emplace_back(range.begin, range.end);
      }
    return inside;
  };
  auto getInside = [&](int stride, int dilation, int line, int high) {
    return getInsideOf(getConvolution(stride, dilation, line, high));
  };
  // The first tap meets the zero on the left, the last one that on the right.
  EXPECT_EQ(getInside(1, 1, 10, 1), (Inside{{{1, 8}, {0, 8}, {0, 7}}}));
  EXPECT_EQ(getInside(1, 2, 12, 3), (Inside{{{1, 8}, {0, 7}, {0, 5}}}));
  // Of every other pixel, the last one ends before the zero on the right, or
  // does not.
  EXPECT_EQ(getInside(2, 1, 18, 1), (Inside{{{1, 8}, {0, 8}, {0, 8}}}));
  EXPECT_EQ(getInside(2, 1, 17, 1), (Inside{{{1, 8}, {0, 8}, {0, 7}}}));
  // A line that all rows but one reach with all taps but one is enough.
  EXPECT_EQ(getInside(1, 1, 10, 0), (Inside{{{1, 8}, {0, 8}, {0, 8}}}));
  // Pixels of a line of 16, two apart, side by side for each tap.
  EXPECT_EQ(getInsideOf(getConvolution(
                "tensor<3x8x4xf32>",
                "schedule.border = array<i64: 0, 0, 1, 1, 0, 0>, "
                "schedule.tap_rows = array<i64: 0, 2, 1, 16>",
                "s, q, c")),
            (Inside{{{1, 8}, {0, 8}, {0, 8}}}));
}

TEST_F(SketchCompiler, LinesOfAReductionAtOnce) {
  constexpr llvm::StringLiteral kSum = R"mlir(
func.func @f(%a: tensor<3x12x100xf32>, %s: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<3x12x100xf32>)
    outs(%s : tensor<3xf32>) dimensions = [1, 2]
  return %r : tensor<3xf32>
}
)mlir";
  auto compileLines = [&](llvm::StringRef lines) {
    return compile(
        ("schedule.name_blocks %root [\"sum\"]\n"
         "%l = transform.param.constant " +
         lines +
         " : i64 -> !transform.param<i64>\n"
         "%w = transform.param.constant 32 : i64 -> "
         "!transform.param<i64>\n"
         "schedule.split_reduction %root \"sum\" rank 3 dim 2 extent "
         "100 around [1] lines %l width %w rest_width %w keep %w")
            .str(),
        kSum);
  };
  FailureOr<Program> program = compileLines("4");
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(NestRecorder::record(*program),
            (Lines{"for(3) for(3) sum[3,4,32]", "~for(3) tail_sum[3,4,4]"}));
  // Five leave two lines over.
  program = compileLines("5");
  ASSERT_TRUE(succeeded(program)) << messages;
  Evaluation evaluation;
  program->evaluate({}, evaluation);
  EXPECT_FALSE(evaluation.legal());
}

TEST_F(SketchCompiler, DecidedTiles) {
  FailureOr<Program> program = compile(R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %k = transform.param.constant 16 : i64 -> !transform.param<i64>
    %mr = schedule.sample_categorical "mr" from [4, 6, 13] default 6 : !transform.param<i64>
    %ku = schedule.sample_categorical "ku" from [1, 4] : !transform.param<i64>
    %size = schedule.product %mr, %ku
    schedule.tile %root "anchor" fuse ["init"] rank 3 dims [0] extents(%m) sizes(%mr)
    schedule.tile %root "anchor" fuse [] rank 3 dims [2] extents(%k) sizes(%ku)
    %c24 = transform.param.constant 24 : i64 -> !transform.param<i64>
    %small = schedule.cmp lt %size, %c24
    schedule.require "the tile is small" %small)mlir");
  ASSERT_TRUE(succeeded(program)) << messages;
  ASSERT_EQ(program->getDecisions().size(), 2u);
  EXPECT_EQ(program->getDecisions()[0].name, "mr");
  EXPECT_EQ(program->getDecisions()[0].defaultIndex, 1u);
  EXPECT_EQ(NestRecorder::record(*program, {1, 1}),
            (Lines{"for(2) init[6,32]", "for(2) for(4) anchor[6,32,4]",
                   "~init[1,32]", "~for(4) anchor[1,32,4]"}));
  EXPECT_EQ(NestRecorder::record(*program, {2, 0}),
            (Lines{"init[13,32]", "for(16) anchor[13,32,1]"}));
  EXPECT_TRUE(program->isLegal({0, 1}));
  int failedRequire = -1;
  EXPECT_FALSE(program->isLegal({1, 1}, &failedRequire));
  ASSERT_EQ(failedRequire, 0);
  EXPECT_EQ(program->getRequires()[0].reason, "the tile is small");
}

TEST_F(SketchCompiler, SumsInABuffer) {
  constexpr llvm::StringLiteral kTiles = R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %k = transform.param.constant 16 : i64 -> !transform.param<i64>
    %n = transform.param.constant 32 : i64 -> !transform.param<i64>
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %copy = schedule.sample_categorical "cache_sums" from [0, 1] : !transform.param<i64>
    schedule.tile %root "anchor" fuse ["init"] rank 3 dims [0, 1] extents(%m, %n) sizes(%four, %four)
    schedule.tile %root "anchor" fuse [] rank 3 dims [2] extents(%k) sizes(%four)
    schedule.cache_write %root "anchor" )mlir";
  FailureOr<Program> program =
      compile((kTiles + "init \"init\" enable %copy").str());
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(program->getDecisions()[0].role, DecisionRole::Layout);
  // Around the steps, as these write all of it.
  auto lines = NestRecorder::record(*program, {1});
  EXPECT_EQ(lines.front(), "for(3) for(8) cache_write[4,4]");
  EXPECT_EQ(
      llvm::count_if(
          lines, [](llvm::StringRef line) { return line.contains("cache_"); }),
      2);
  EXPECT_FALSE(llvm::any_of(
      NestRecorder::record(*program, {0}),
      [](llvm::StringRef line) { return line.contains("cache_"); }));
  // A row of the tile after the other, in what begins the sums and in what adds
  // to them.
  for (int64_t enable : {0, 1}) {
    std::vector<int64_t> registers(program->getNumRegisters());
    program->run({uint16_t(enable)}, registers);
    for (const BlockPlan &block : program->getNest().blocks)
      if (block.kind != BlockKind::CacheCopy) {
        const AccessPlan &sums = block.accesses.back();
        EXPECT_EQ(registers[sums.strides[0]], enable ? 4 : 32) << block.name;
        EXPECT_EQ(registers[sums.strides[1]], 1) << block.name;
      }
  }
  // What nothing begins is copied in, too.
  program = compile((kTiles + "enable %copy").str());
  ASSERT_TRUE(succeeded(program)) << messages;
  lines = NestRecorder::record(*program, {1});
  EXPECT_TRUE(llvm::is_contained(lines, "for(3) for(8) cache_read[4,4]"));
  EXPECT_TRUE(llvm::is_contained(lines, "for(3) for(8) cache_write[4,4]"));
}

TEST_F(SketchCompiler, WhatReadsADecisionSaysWhatItIsAbout) {
  auto program = compile(R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %n = transform.param.constant 32 : i64 -> !transform.param<i64>
    %k = transform.param.constant 16 : i64 -> !transform.param<i64>
    %one = transform.param.constant 1 : i64 -> !transform.param<i64>
    %t = schedule.sample_categorical "t" from [1, 2] : !transform.param<i64>
    %dim = schedule.sample_categorical "dim" from [0, 1] : !transform.param<i64>
    schedule.tile_parallel %root "anchor" fuse ["init"] rank 3 dims [0, 1] extents(%m, %n) units(%one, %one) which %dim threads %t
    %copy = schedule.sample_categorical "copy" from [0, 1] : !transform.param<i64>
    schedule.cache_read %root "anchor" operand 0 enable %copy
    %at = schedule.sample_compute_location "at" from ["root", "tile"] : !transform.param<i64>
    %mr = schedule.sample_categorical "mr" from [4, 6, 13] : !transform.param<i64>
    schedule.tile %root "anchor" fuse [] rank 3 dims [0] extents(%m) sizes(%mr))mlir");
  ASSERT_TRUE(succeeded(program)) << messages;
  std::vector<DecisionRole> roles;
  for (const Decision &decision : program->getDecisions())
    roles.push_back(decision.role);
  EXPECT_EQ(roles, (std::vector<DecisionRole>{
                       DecisionRole::Parallel, DecisionRole::Parallel,
                       DecisionRole::Layout, DecisionRole::Location,
                       DecisionRole::Other}));
}

TEST_F(SketchCompiler, DecidedOrder) {
  FailureOr<Program> program = compile(R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %n = transform.param.constant 32 : i64 -> !transform.param<i64>
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %o0, %o1 = schedule.sample_permutation "order" of 2 : !transform.param<i64>, !transform.param<i64>
    schedule.tile %root "anchor" fuse [] rank 3 dims [0, 1] extents(%m, %n) sizes(%four, %four) order(%o0, %o1))mlir");
  ASSERT_TRUE(succeeded(program)) << messages;
  const auto &domain = program->getDecisions()[0].domain;
  ASSERT_EQ(domain.size(), 2u);
  for (uint16_t i : {0, 1})
    EXPECT_EQ(NestRecorder::record(*program, {i})[1],
              domain[i].front() == 0 ? "for(3) for(8) anchor[4,4,16]"
                                     : "for(8) for(3) anchor[4,4,16]");
}

TEST_F(SketchCompiler, OpWithoutAModel) {
  // The context knows the op, the model does not.
  expectError("transform.print %root : !transform.any_op",
              "'transform.print' op has no loop model");
}

TEST_F(SketchCompiler, OpWithoutAModelAfterOthers) {
  expectError(R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.structured.rewrite_in_destination_passing_style %op : (!transform.any_op) -> !transform.any_op)mlir",
              "'transform.structured.rewrite_in_destination_passing_style' op "
              "has no loop model");
}

TEST_F(SketchCompiler, WrongNumberOfNames) {
  expectError("schedule.name_blocks %root [\"anchor\"]",
              "names 1 blocks, but the payload has 2 structured ops");
}

TEST_F(SketchCompiler, UnknownBlock) {
  expectError(R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    schedule.tile %root "epilogue" fuse [] rank 2 dims [0] extents(%c4) sizes(%c4))mlir",
              "no block named 'epilogue'; the blocks are: init, anchor");
}

TEST_F(SketchCompiler, TooManyLoops) {
  // Each tiling nests one more loop; the model's arrays end somewhere.
  std::string sketch = R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
)mlir";
  const std::string tile =
      "schedule.tile %root \"anchor\" fuse [] rank 3 dims [0] extents(%m) "
      "sizes(%four)\n";
  std::string fits = sketch, tooMany;
  for (unsigned i = 0; i != kMaxLoops; ++i)
    fits += tile;
  tooMany = fits + tile;
  FailureOr<Program> program = compile(fits);
  ASSERT_TRUE(succeeded(program)) << messages;
  Evaluation evaluation;
  program->evaluate({}, evaluation);
  expectError(tooMany, "'schedule.tile' op nests 65 loops; the model has room "
                       "for 64: tile fewer times");
}

TEST_F(SketchCompiler, TooManyParameters) {
  std::string sketch = R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %p0 = schedule.sample_categorical "c" from [1, 2] : !transform.param<i64>
)mlir";
  for (unsigned i = 0; i != kMaxRegisters; ++i)
    sketch += "%p" + std::to_string(i + 1) + " = schedule.sum %p" +
              std::to_string(i) + ", %p0\n";
  expectError(sketch,
              "needs more parameters than the model has room for (512)");
}

TEST_F(SketchCompiler, DomainThatDependsOnADecision) {
  expectError(R"mlir(
    %c = schedule.sample_categorical "c" from [8, 16] : !transform.param<i64>
    %t = schedule.sample_tile "t" extent(%c) min 1 max 8 : !transform.param<i64>)mlir",
              "needs an extent that does not depend on other decisions");
}

TEST_F(SketchCompiler, EqualSketchesGiveEqualPrograms) {
  const llvm::StringRef sketch = R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %mr = schedule.sample_categorical "mr" from [4, 6, 13] : !transform.param<i64>
    schedule.tile %root "anchor" fuse ["init"] rank 3 dims [0] extents(%m) sizes(%mr))mlir";
  FailureOr<Program> first = compile(sketch);
  ASSERT_TRUE(succeeded(first)) << messages;
  FailureOr<Program> second = compile(sketch);
  ASSERT_TRUE(succeeded(second)) << messages;
  for (uint16_t i : {0, 1, 2}) {
    Evaluation a, b;
    first->evaluate({i}, a);
    second->evaluate({i}, b);
    EXPECT_EQ(a.features.values, b.features.values);
  }
}

constexpr llvm::StringLiteral kAlternatives = R"mlir(
    schedule.name_blocks %root ["init", "anchor"]
    %m = transform.param.constant 13 : i64 -> !transform.param<i64>
    %k = transform.param.constant 16 : i64 -> !transform.param<i64>
    %size = schedule.choose "side" default 1 : !transform.param<i64> {
      %mr = schedule.sample_categorical "mr" from [4, 6] : !transform.param<i64>
      schedule.tile %root "anchor" fuse ["init"] rank 3 dims [0] extents(%m) sizes(%mr)
      schedule.yield %mr : !transform.param<i64>
    }, {
      %ku = schedule.sample_categorical "ku" from [2, 4] : !transform.param<i64>
      schedule.choose "deep" {
        schedule.tile %root "anchor" fuse [] rank 3 dims [2] extents(%k) sizes(%ku)
      }, {
      }
      schedule.yield %ku : !transform.param<i64>
    }
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %small = schedule.cmp le %size, %four
    schedule.require "the size is small" %small)mlir";

TEST_F(SketchCompiler, EachCombinationOfAlternativesIsANest) {
  alternatives["side"] = 0;
  FailureOr<Program> rows = compile(kAlternatives);
  ASSERT_TRUE(succeeded(rows)) << messages;
  ASSERT_EQ(rows->getDecisions().size(), 1u);
  EXPECT_EQ(rows->getDecisions()[0].name, "mr");
  EXPECT_EQ(NestRecorder::record(*rows, {0}),
            (Lines{"for(3) init[4,32]", "for(3) anchor[4,32,16]", "~init[1,32]",
                   "~anchor[1,32,16]"}));
  // What the alternative yields is known outside of it.
  EXPECT_TRUE(rows->isLegal({0}));
  EXPECT_FALSE(rows->isLegal({1}));

  auto all = listAlternatives(getSketch(), 3);
  ASSERT_TRUE(succeeded(all));
  ASSERT_EQ(all->size(), 3u);
  // The default of all comes first.
  EXPECT_EQ((*all)[0].lookup("side"), 1);
  EXPECT_EQ((*all)[0].lookup("deep"), 0);
  EXPECT_EQ((*all)[1].lookup("deep"), 1);
  EXPECT_EQ((*all)[2].lookup("side"), 0);
  EXPECT_FALSE((*all)[2].contains("deep"));
  EXPECT_TRUE(failed(listAlternatives(getSketch(), 2)));
  EXPECT_TRUE(llvm::StringRef(messages).contains(
      "has more than 2 combinations of alternatives"))
      << messages;

  alternatives = (*all)[0];
  FailureOr<Program> steps = compile(kAlternatives);
  ASSERT_TRUE(succeeded(steps)) << messages;
  EXPECT_EQ(NestRecorder::record(*steps, {1}),
            (Lines{"init[13,32]", "for(4) anchor[13,32,4]"}));
}

TEST_F(SketchCompiler, WhatIsDecidedIsNotSearched) {
  FailureOr<Program> program = compile(R"mlir(
    %mr = schedule.sample_categorical "mr" from [4, 6] decided 6 : !transform.param<i64>
    %which = schedule.choose "which" decided 1 : !transform.any_op {
      schedule.yield %root : !transform.any_op
    }, {
      schedule.yield %root : !transform.any_op
    })mlir");
  EXPECT_TRUE(failed(program));
  auto all = listAlternatives(getSketch(), 8);
  ASSERT_TRUE(succeeded(all));
  ASSERT_EQ(all->size(), 1u);
  EXPECT_EQ((*all)[0].lookup("which"), 1);
  alternatives = (*all)[0];
  program = compileSketch(getSketch(), *module->getOps<func::FuncOp>().begin(),
                          test::makeTarget(), 1, alternatives);
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(program->getDecisions()[0].domain,
            (std::vector<std::vector<int64_t>>{{6}}));
}

TEST_F(SketchCompiler, OpsWithoutAModelArePassedOver) {
  SmallVector<Operation *> ops;
  unmodelled = &ops;
  FailureOr<Program> program = compile(R"mlir(
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %mr = schedule.sample_categorical "mr" from [4, 13] : !transform.param<i64>
    %times = schedule.sample_categorical "times" from [1, 2] : !transform.param<i64>
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%mr]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %g = transform.structured.rewrite_in_destination_passing_style %t : (!transform.any_op) -> !transform.any_op
    %nr = schedule.sample_categorical "nr" from [8, 16] : !transform.param<i64>
    transform.foreach %g : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %c, %o = transform.structured.tile_using_for %one tile_sizes [0, %nr]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    }
    // The model has no such loop to fuse into.
    %f, %n = transform.structured.fuse_into_containing_op %op into %g
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %not = transform.param.constant 13 : i64 -> !transform.param<i64>
    %isnt = schedule.cmp ne %mr, %not
    schedule.require "it is not 13" %isnt)mlir");
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(messages, "");
  SmallVector<StringRef> names;
  for (Operation *op : ops)
    names.push_back(op->getName().stripDialect());
  EXPECT_EQ(names, (SmallVector<StringRef>{
                       "structured.rewrite_in_destination_passing_style",
                       "foreach", "structured.fuse_into_containing_op"}));
  // All decisions are there, in their order.
  ASSERT_EQ(program->getDecisions().size(), 3u);
  EXPECT_EQ(program->getDecisions()[2].name, "nr");
  // 4 does not divide 13, which only a model minds; the sketch minds 13.
  EXPECT_TRUE(program->isLegal({0, 0, 0}));
  EXPECT_FALSE(program->isLegal({1, 0, 0}));
  ASSERT_EQ(program->getRequires().size(), 1u);
  EXPECT_EQ(program->getRequires()[0].reason, "it is not 13");
  // What the ops passed over do with a parameter makes programs differ.
  EXPECT_NE(program->hash({0, 0, 0}), program->hash({0, 0, 1}));
  EXPECT_EQ(program->hash({0, 0, 0}), program->hash({0, 1, 0}));
}

TEST_F(SketchCompiler, AParameterOfTheAlgebraMustStillBeKnown) {
  SmallVector<Operation *> ops;
  unmodelled = &ops;
  expectError(R"mlir(
    %n = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    %twice = schedule.product %n, %two)mlir",
              "uses a parameter that the loop-nest model does not know");
}

TEST_F(SketchCompiler, UpstreamOpsThatKeepTheNest) {
  FailureOr<Program> program = compile(R"mlir(
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.generalize %op : (!transform.any_op) -> !transform.any_op
    // k, m, n
    %i = transform.structured.interchange %g iterator_interchange = [2, 0, 1] : (!transform.any_op) -> !transform.any_op
    %same = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %same tile_sizes [4, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %l#0 {factor = 2} : !transform.any_op
    %two = schedule.sample_categorical "two" from [1, 2] : !transform.param<i64>
    schedule.unroll %l#1 by %two)mlir");
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(NestRecorder::record(*program, {0}),
            (Lines{"block0[13,32]", "for(4) for(4) block1[4,13,8]"}));
  EXPECT_NE(program->hash({0}), program->hash({1}));
  expectError(R"mlir(
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %i = transform.structured.interchange %op iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op)mlir",
              "orders 2 loops of an op that has 3");
}

TEST_F(SketchCompiler, ParallelTilesBySize) {
  FailureOr<Program> program = compile(R"mlir(
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %n = schedule.sample_categorical "n" from [8, 12] : !transform.param<i64>
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [0, %n]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op))mlir");
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(NestRecorder::record(*program, {0}),
            (Lines{"block0[13,32]", "forall(4) block1[13,8,16]"}));
  EXPECT_FALSE(program->isLegal({1}));
}
