//===- KernelRulesTest.cpp - Sketches for GPUs ----------------------------===//
//
// Which rule applies to what; that the defaults are legal for every shape, as
// are enough of the random candidates; and what the model says of candidates
// that differ in one thing: numbers that can be counted by hand, and which of
// them is faster.
//
//===----------------------------------------------------------------------===//

#include "KernelPayloads.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Space/SpaceGenerator.h"
#include "SpaceTest.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>
#include <random>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

constexpr llvm::StringLiteral kHopper = "nvvm:sm_90a";
constexpr llvm::StringLiteral kCPU = "cpu:mcpu=znver3";

using Values = std::map<std::string, int64_t>;

class KernelRulesTest : public SpaceTest {
protected:
  KernelRulesTest() {
    DialectRegistry registry;
    registry.insert<schedule::ScheduleDialect, transform::TransformDialect>();
    registerAllExtensions(registry);
    registerLoopModels(registry);
    context.appendDialectRegistry(registry);
    context
        .loadDialect<schedule::ScheduleDialect, transform::TransformDialect>();
  }

  /// Compiles the sketches of the only task of `text`, in order.
  std::string compile(llvm::StringRef text, llvm::StringRef spec = kHopper) {
    auto parsed = Target::parse(spec);
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError());
      return "";
    }
    target = *parsed;
    programs.clear();
    Task task = extractOne(text);
    auto rules = createSketchRules();
    if (!task.module || writeSpace(task, target, rules).empty())
      return "";
    auto space = generateSpace(task, target, rules, &context);
    if (!space) {
      ADD_FAILURE() << llvm::toString(space.takeError());
      return "";
    }
    std::vector<std::string> names;
    (*space)->walk([&](schedule::SketchOp sketch) {
      names.push_back(sketch.getSymName().str());
      auto program =
          compileSketch(sketch, task.getFunction(), target, task.flops);
      if (failed(program))
        ADD_FAILURE() << names.back() << ": " << llvm::join(errors, "\n");
      else
        programs.push_back(*std::move(program));
    });
    return llvm::join(names, " ");
  }

  /// The default of the first sketch but for `values`.
  Choices choose(const Values &values, const Program &program) {
    Choices choices = program.getDefault();
    for (const auto &[name, value] : values) {
      bool isSet = false;
      for (auto [i, decision] : llvm::enumerate(program.getDecisions()))
        if (decision.name == name)
          for (auto [entry, sizes] : llvm::enumerate(decision.domain))
            if (sizes.front() == value) {
              choices[i] = entry;
              isSet = true;
            }
      EXPECT_TRUE(isSet) << name << " cannot be " << value;
    }
    return choices;
  }

  /// Why the first sketch has no such candidate; "" if it has.
  std::string reason(const Values &values) {
    int failed = -1;
    programs.front().isLegal(choose(values, programs.front()), &failed);
    return programs.front().getReason(failed).str();
  }

  /// The kernels of a candidate of the first sketch.
  std::vector<KernelFeatureVector> kernels(const Values &values = {}) {
    const Program &program = programs.front();
    const Choices choices = choose(values, program);
    int failed = -1;
    EXPECT_TRUE(program.isLegal(choices, &failed))
        << program.getReason(failed).str();
    std::vector<BlockFeatureVector> rows;
    program.describeBlocks(choices, rows);
    std::vector<KernelFeatureVector> result(rows.size());
    for (auto [row, features] : llvm::zip_equal(rows, result))
      std::copy_n(row.values.begin(), kNumKernelFeatures,
                  features.values.begin());
    return result;
  }
  KernelFeatureVector kernel(const Values &values = {}) {
    auto all = kernels(values);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? KernelFeatureVector() : all.front();
  }

  /// Cycles of a candidate of the first sketch, as the analytic model has it.
  float cycles(const Values &values = {}) {
    Evaluation evaluation;
    programs.front().evaluate(choose(values, programs.front()), evaluation);
    EXPECT_TRUE(evaluation.legal())
        << programs.front().getReason(evaluation.failedRequire).str();
    return evaluation.features[Feature::ComputeCycles];
  }

  Target target;
  std::vector<Program> programs;
};

using F = KernelFeature;
} // namespace

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

TEST_F(KernelRulesTest, ContractionsAreTiled) {
  EXPECT_EQ(compile(product(64, 64, 64)), "thread_tiles");
  EXPECT_EQ(compile(productWithEpilogue(64, 64, 64)), "thread_tiles");
  EXPECT_EQ(compile(batchProduct(3, 17, 19, 23)), "thread_tiles");
  EXPECT_EQ(compile(convolution(1, 14, 8, 16, 3)), "thread_tiles");
  EXPECT_EQ(compile(channelsFirst(1, 14, 8, 16, 3)), "thread_tiles");
}

TEST_F(KernelRulesTest, CopiesOfAProductAreLeftAlone) {
  EXPECT_EQ(compile(function("%a: tensor<8x9xf32>, %b: tensor<9x7xf32>",
                             "tensor<3x8x7xf32>", R"(
      %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (k, n)>,
                           affine_map<(b, m, n, k) -> (b, m, n)>],
                           iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<8x9xf32>, tensor<9x7xf32>) outs(%i : tensor<3x8x7xf32>) {
      ^bb0(%x0: f32, %x1: f32, %o: f32):
        %b0 = arith.mulf %x0, %x1 : f32
        %b1 = arith.addf %o, %b0 : f32
        linalg.yield %b1 : f32
      } -> tensor<3x8x7xf32>)")),
            "");
}

TEST_F(KernelRulesTest, MatrixInstructionsTakeNarrowFloats) {
  EXPECT_EQ(compile(product(64, 64, 64, "f16")), "matrix_tiles thread_tiles");
  EXPECT_EQ(compile(product(64, 64, 64, "bf16")), "matrix_tiles thread_tiles");
  // Sums of f16, f32, and less than one step of the instruction.
  EXPECT_EQ(compile(product(64, 64, 64, "f16", "f16")), "thread_tiles");
  EXPECT_EQ(compile(product(64, 64, 64)), "thread_tiles");
  EXPECT_EQ(compile(product(64, 64, 15, "f16")), "thread_tiles");
}

TEST_F(KernelRulesTest, RowsAreShared) {
  EXPECT_EQ(compile(softmax(100, 1000)), "thread_rows");
  EXPECT_EQ(compile(sum(100, 1000, 1)), "thread_rows");
  EXPECT_EQ(compile(sum(100, 1000, 0)), "thread_rows");
  EXPECT_EQ(compile(product(1, 1000, 512)), "thread_rows");
  EXPECT_EQ(compile(product(1000, 1, 512)), "thread_rows");
  EXPECT_EQ(compile(product(2, 1000, 512)), "thread_tiles");
}

TEST_F(KernelRulesTest, PointsAreOnTheirOwn) {
  EXPECT_EQ(compile(elementwise("tensor<1000x37xf32>")), "thread_points");
  EXPECT_EQ(compile(depthwise(14, 32)), "thread_points");
  // A single element is no grid.
  EXPECT_EQ(compile(elementwise("tensor<1x1xf32>")), "");
}

TEST_F(KernelRulesTest, RulesAreForTheirKindOfTarget) {
  for (const std::string &text : {product(64, 64, 64), softmax(100, 1000),
                                  elementwise("tensor<1000x37xf32>")}) {
    const std::string cpu = compile(text, kCPU);
    EXPECT_NE(cpu, "");
    EXPECT_FALSE(llvm::StringRef(cpu).contains("thread_")) << cpu;
    EXPECT_TRUE(llvm::StringRef(compile(text)).starts_with("thread_"));
  }
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

TEST_F(KernelRulesTest, DefaultsAndEnoughCandidatesAreLegal) {
  const std::string payloads[] = {product(1000, 777, 515),
                                  product(4096, 4096, 4096),
                                  product(1024, 1024, 1024),
                                  product(7, 5, 3),
                                  product(2, 2, 1),
                                  product(3, 1000, 17),
                                  product(17, 19, 23),
                                  product(31, 2, 1009),
                                  product(1024, 1024, 1024, "f16"),
                                  product(100, 77, 50, "bf16"),
                                  product(16, 8, 16, "f16"),
                                  product(33, 9, 17, "f16"),
                                  transposedProduct(128, 127, 126),
                                  productWithEpilogue(100, 10, 4096),
                                  batchProduct(12, 64, 64, 64),
                                  batchProduct(5, 1, 31, 7),
                                  convolution(1, 56, 64, 64, 3),
                                  convolution(8, 7, 512, 512, 3),
                                  convolution(1, 112, 3, 64, 7, 2),
                                  convolution(1, 1, 5, 7, 3),
                                  channelsFirst(1, 14, 256, 256, 3),
                                  channelsFirst(2, 13, 3, 5, 5),
                                  depthwise(112, 32),
                                  depthwise(7, 13),
                                  softmax(1024, 1000),
                                  softmax(3, 100000),
                                  softmax(2, 1),
                                  softmax(16384, 17),
                                  sum(1000, 1009, 0),
                                  sum(1000, 1009, 1),
                                  sum(1, 100000, 1),
                                  sum(2, 3, 0),
                                  product(1, 4096, 4096),
                                  product(4096, 1, 4096),
                                  product(1, 3, 5),
                                  elementwise("tensor<1000003xf32>"),
                                  elementwise("tensor<2xf32>"),
                                  elementwise("tensor<8x7x7x512xf32>"),
                                  elementwise("tensor<64x7x7xf16>"),
                                  elementwise("tensor<1x1x5xf64>")};
  std::mt19937 random(11);
  for (const std::string &text : payloads)
    for (llvm::StringRef spec : {kHopper, llvm::StringLiteral("nvvm:sm_86")}) {
      SCOPED_TRACE(text);
      ASSERT_NE(compile(text, spec), "");
      for (const Program &program : programs) {
        int failed = -1;
        EXPECT_TRUE(program.isLegal(program.getDefault(), &failed))
            << program.getReason(failed).str();
        unsigned legal = 0;
        constexpr unsigned kSamples = 2000;
        for (unsigned i = 0; i != kSamples; ++i) {
          Choices choices;
          for (const Decision &decision : program.getDecisions())
            choices.push_back(random() % decision.size());
          Evaluation evaluation;
          program.evaluate(choices, evaluation);
          if (!evaluation.legal())
            continue;
          ++legal;
          EXPECT_GT(evaluation.features[Feature::ComputeCycles], 0);
          std::vector<BlockFeatureVector> rows;
          program.describeBlocks(choices, rows);
          EXPECT_FALSE(rows.empty());
          for (const BlockFeatureVector &row : rows)
            for (unsigned f = 0; f != kNumKernelFeatures; ++f) {
              const FeatureInfo &info =
                  getKernelFeatureInfo(static_cast<KernelFeature>(f));
              ASSERT_TRUE(std::isfinite(row.values[f]) && row.values[f] >= 0)
                  << info.name.str() << " is " << row.values[f];
            }
        }
        EXPECT_GE(legal, kSamples / 200) << "of " << kSamples;
      }
    }
}

TEST_F(KernelRulesTest, LimitsAreThoseOfTheChip) {
  compile(product(4096, 4096, 4096));
  EXPECT_EQ(reason({}), "");
  EXPECT_EQ(reason({{"tm", 2}, {"tn", 2}, {"vy", 1}, {"vx", 1}}),
            "a block has at most 1024 threads");
  EXPECT_EQ(reason({{"tm", 8}, {"tn", 8}, {"vy", 2}, {"vx", 2}}),
            "a thread has at most 255 registers");
  EXPECT_EQ(reason({{"bm", 256},
                    {"bn", 256},
                    {"tm", 8},
                    {"tn", 8},
                    {"vy", 1},
                    {"vx", 1}}),
            "a multiprocessor has the registers of a block");
  EXPECT_EQ(reason({{"bk", 64}, {"stages", 4}}),
            "a block has at most 232448 bytes of shared memory");
  EXPECT_EQ(reason({{"bm", 16}, {"bn", 16}}),
            "a block has a whole warp at least");
  EXPECT_EQ(reason({{"bm", 4}}), "a thread has no more rows than the tile");
  EXPECT_EQ(reason({{"stages", 1}}),
            "a copy that goes by itself has a buffer of its own");
  // A smaller chip has less.
  compile(product(4096, 4096, 4096), "nvvm:sm_86");
  EXPECT_EQ(reason({{"bk", 32}, {"stages", 4}}),
            "a block has at most 101376 bytes of shared memory");
  // One block is no grid.
  compile(product(16, 16, 16));
  EXPECT_EQ(reason({{"bm", 16}, {"bn", 16}}),
            "the grid has more than one block");
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

TEST_F(KernelRulesTest, CountsWhatABlockHas) {
  compile(product(1000, 777, 515));
  const KernelFeatureVector f = kernel({{"bm", 128},
                                        {"bn", 128},
                                        {"bk", 16},
                                        {"tm", 4},
                                        {"tn", 4},
                                        {"vy", 2},
                                        {"vx", 2},
                                        {"stages", 3},
                                        {"async", 1},
                                        {"unroll", 16}});
  EXPECT_EQ(f[F::Blocks], 8 * 7);
  EXPECT_EQ(f[F::Threads], 256);
  EXPECT_EQ(f[F::TileRows], 128);
  EXPECT_EQ(f[F::TileColumns], 128);
  EXPECT_EQ(f[F::StepDepth], 16);
  EXPECT_EQ(f[F::Steps], 33);
  EXPECT_EQ(f[F::ThreadRows], 8);
  EXPECT_EQ(f[F::SharedBytes], 3 * 2 * 128 * 16 * 4);
  // 64 sums, 8 rows of 4 steps, 8 columns, 16 fetches, addresses.
  EXPECT_EQ(f[F::Registers], 64 + 32 + 8 + 8 + 32);
  // Of 65536 registers, 256 x 144 are left for no second block.
  EXPECT_EQ(f[F::ResidentBlocks], 1);
  EXPECT_NEAR(f[F::UsefulShare], 1000.0 * 777 / (1024 * 896), 1e-4);
  EXPECT_NEAR(f[F::IdleShare], 1 - 56.0 / 132, 1e-4);
  // 515 and 777 elements a row: one by one.
  EXPECT_EQ(f[F::FetchWidthRows], 4);
  EXPECT_EQ(f[F::FetchWidthColumns], 4);
  EXPECT_EQ(f[F::UniqueBytes], 4.0f * (1000 * 515 + 515 * 777 + 1000 * 777));
}

TEST_F(KernelRulesTest, FetchIsAsWideAsTheExtentProves) {
  for (auto [k, width] : {std::pair(512, 16), {514, 8}, {515, 4}}) {
    compile(product(1024, 1024, k));
    EXPECT_EQ(kernel()[F::FetchWidthRows], width) << k;
    EXPECT_EQ(kernel()[F::FetchWidthColumns], 16) << k;
  }
}

TEST_F(KernelRulesTest, WindowsAreFetchedAsOne) {
  // 8 channels of 3 x 3 are 72 elements of a filter without a gap; a line of
  // the image has 7 of 9.
  compile(channelsFirst(1, 7, 512, 512, 3));
  const KernelFeatureVector f = kernel({{"bm", 32},
                                        {"bn", 7},
                                        {"bk", 8},
                                        {"bo2", 3},
                                        {"bo3", 3},
                                        {"unroll", 8},
                                        {"fetch_a", 4}});
  EXPECT_EQ(f[F::FetchWidthRows], 16);
  EXPECT_EQ(f[F::FetchWidthColumns], 4);
}

TEST_F(KernelRulesTest, WhatIsTransposedGoesThroughRegisters) {
  compile(product(1024, 1024, 1024));
  const Values tile{{"bm", 64},   {"bn", 64},    {"bk", 32},   {"tm", 4},
                    {"tn", 4},    {"vy", 2},     {"vx", 1},    {"unroll", 16},
                    {"pad_a", 4}, {"stages", 3}, {"async", 1}, {"fetch_b", 4}};
  auto with = [&](int64_t transpose, int64_t fetch) {
    Values values = tile;
    values["transpose_a"] = transpose;
    values["fetch_a"] = fetch;
    return kernel(values);
  };
  const KernelFeatureVector single = with(1, 1), wide = with(1, 4),
                            straight = with(0, 4), narrow = with(0, 1);
  // 16 elements of a thread are on their way, by 4 fetches, not by 16.
  EXPECT_EQ(wide[F::Registers] - single[F::Registers], 16 + (4 - 16) / 2);
  // A thread's 8 rows of 4 steps, not of one.
  EXPECT_EQ(straight[F::Registers] - wide[F::Registers], 32 - 8 - 16);
  EXPECT_LT(straight[F::SharedCycles], wide[F::SharedCycles]);
  EXPECT_LT(straight[F::IssueCycles], wide[F::IssueCycles]);
  EXPECT_LT(straight[F::SharedCycles], single[F::SharedCycles]);
  // Narrow copies are more, and go by way of the first level.
  EXPECT_LT(straight[F::SharedCycles], narrow[F::SharedCycles]);
  EXPECT_LT(straight[F::IssueCycles], narrow[F::IssueCycles]);
  EXPECT_LT(straight[F::Cycles], narrow[F::Cycles]);
  EXPECT_LT(straight[F::Cycles], wide[F::Cycles]);
}

TEST_F(KernelRulesTest, WhatIsLoadedComesBackByRegisters) {
  // Each of 128 threads loads, in a step, 4 rows and 4 columns for 16
  // multiply-adds: the columns take 4 cycles of a warp, the rows, which 16
  // neighbours have in common, 2. Copies of 64 x 32 and 32 x 32 elements take 1
  // for 128 bytes.
  compile(product(1024, 1024, 1024), "nvvm:sm_80");
  Values tile{{"bm", 64},         {"bn", 32},   {"bk", 32}, {"tm", 4},
              {"tn", 4},          {"vy", 1},    {"vx", 1},  {"pad_a", 4},
              {"transpose_a", 0}, {"stages", 2}};
  const KernelFeatureVector small = kernel(tile);
  EXPECT_EQ(small[F::SharedCycles],
            5 * 32 * (4 * 32 * (4 + 2) + (64 + 32) * 32 * 4 / 128.0f));
  // Twice as many rows a thread: half the columns are loaded.
  tile["vy"] = 2;
  const KernelFeatureVector large = kernel(tile);
  EXPECT_EQ(large[F::SharedCycles],
            5 * 32 * (2 * 32 * (4 + 4) + (64 + 32) * 32 * 4 / 128.0f));
  EXPECT_LT(large[F::Cycles], small[F::Cycles]);
  // Of 7 threads along the columns not all are pairs of the same rows. 112
  // threads copy 64 x 32 elements in 5 rounds, and lines of 28 in 2.
  compile(product(1024, 1008, 1024), "nvvm:sm_80");
  tile["vy"] = 1;
  tile["bn"] = 28;
  EXPECT_NEAR(kernel(tile)[F::SharedCycles],
              6 * 32 * (4 * 32 * (4 + 4) + 4 * (5 * 4 + 2 * 128 / 28.0)), 1);
}

TEST_F(KernelRulesTest, PaddingAndOrderDecideConflicts) {
  // Columns that are contiguous along the reduction: neighbouring threads read
  // 4 x 16 elements apart.
  compile(transposedProduct(1024, 1024, 1024));
  const Values tile{{"bm", 64}, {"bn", 64}, {"bk", 32}, {"tm", 4},
                    {"tn", 4},  {"vy", 1},  {"vx", 1},  {"unroll", 4}};
  auto with = [&](int64_t pad, int64_t transpose) {
    Values values = tile;
    values["pad_b"] = pad;
    values["transpose_b"] = transpose;
    return kernel(values)[F::ConflictsColumns];
  };
  EXPECT_EQ(with(0, 0), 8);
  EXPECT_LT(with(4, 0), 8);
  EXPECT_EQ(with(0, 1), 1);
}

TEST_F(KernelRulesTest, EpiloguesAreInTheKernel) {
  compile(productWithEpilogue(1024, 1024, 512));
  const KernelFeatureVector f = kernel();
  EXPECT_EQ(f[F::Stages], 2);
  // The operands, the bias and the result, but nothing in between.
  EXPECT_EQ(f[F::UniqueBytes], 4.0f * (2 * 1024 * 512 + 1024 + 1024 * 1024));
  EXPECT_GT(f[F::Flops], 2.0f * 1024 * 1024 * 512);
}

TEST_F(KernelRulesTest, MatrixInstructionsAreFaster) {
  compile(product(4096, 4096, 4096, "f16"));
  ASSERT_EQ(programs.size(), 2u);
  Evaluation matrix, threads;
  programs[0].evaluate(programs[0].getDefault(), matrix);
  programs[1].evaluate(programs[1].getDefault(), threads);
  EXPECT_LT(3 * matrix.features[Feature::ComputeCycles],
            threads.features[Feature::ComputeCycles]);
  EXPECT_EQ(kernel()[F::IsMatrix], 1);
  // Rows of 64 bytes and 16 more: lanes of ldmatrix meet in no bank.
  EXPECT_EQ(kernel()[F::ConflictsRows], 1);
  EXPECT_GT(kernel({{"pad_a", 0}})[F::ConflictsRows], 1);
}

TEST_F(KernelRulesTest, ProductsOfF32AreRoundedOnRequest) {
  constexpr llvm::StringLiteral kRounding = "nvvm:sm_90a,features=+tf32";
  for (const std::string &text :
       {product(64, 64, 64), batchProduct(3, 17, 19, 23),
        convolution(1, 14, 8, 16, 3), channelsFirst(1, 14, 8, 16, 3)}) {
    EXPECT_EQ(compile(text, kRounding), "matrix_tiles thread_tiles");
    EXPECT_EQ(kernel()[F::IsRounded], 1);
    EXPECT_EQ(compile(text), "thread_tiles");
    EXPECT_EQ(kernel()[F::IsRounded], 0);
  }
  // Fewer steps than an instruction has.
  EXPECT_EQ(compile(product(64, 64, 7), kRounding), "thread_tiles");
  // What is exact stays so.
  EXPECT_EQ(compile(product(64, 64, 64, "f64", "f64"), kRounding),
            "thread_tiles");

  const auto cyclesOf = [&](llvm::StringRef type, llvm::StringRef spec) {
    compile(product(4096, 4096, 4096, type.str()), spec);
    return kernel()[F::ArithmeticCycles];
  };
  // tf32 has half the rate of f16, and 4 times that of threads.
  const float rounded = cyclesOf("f32", kRounding);
  EXPECT_EQ(kernel()[F::RoundedLanes], 512);
  EXPECT_EQ(rounded, 2 * cyclesOf("f16", kHopper));
  EXPECT_EQ(4 * rounded, cyclesOf("f32", kHopper));

  // Rows of the right-hand side are read across: lanes meet in no bank where
  // they are 8 words longer.
  compile(product(4096, 4096, 4096), kRounding);
  EXPECT_EQ(kernel()[F::ConflictsRows], 1);
  EXPECT_EQ(kernel()[F::ConflictsColumns], 1);
  EXPECT_EQ(kernel({{"pad_b", 0}})[F::ConflictsColumns], 4);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST_F(KernelRulesTest, LargerTilesAreFasterUntilMultiprocessorsIdle) {
  const Values t16{{"bm", 16}, {"bn", 16}, {"tm", 2},
                   {"tn", 2},  {"vy", 1},  {"vx", 1}},
      t32{{"bm", 32}, {"bn", 32}, {"tm", 4}, {"tn", 2}, {"vy", 1}, {"vx", 1}},
      t64{{"bm", 64}, {"bn", 64}, {"tm", 4}, {"tn", 4}, {"vy", 1}, {"vx", 1}},
      t128{{"bm", 128}, {"bn", 128}, {"tm", 4},
           {"tn", 4},   {"vy", 2},   {"vx", 2}};
  compile(product(4096, 4096, 4096));
  EXPECT_GT(cycles(t16), cycles(t32));
  EXPECT_GT(cycles(t32), cycles(t64));
  EXPECT_GT(cycles(t64), cycles(t128));
  // 16 blocks of 128 x 128 leave most of 132 multiprocessors without work.
  compile(product(512, 512, 512));
  EXPECT_LT(cycles(t64), cycles(t128));
  EXPECT_LT(cycles(t32), cycles(t128));
}

TEST_F(KernelRulesTest, NeighboursShareWhatMemoryHas) {
  // 192 MB of operands; the second level has 50. Waves of 132 blocks are 5 rows
  // of 32, or 8 of 17.
  compile(product(4096, 4096, 4096));
  Values tile{{"bm", 128}, {"bn", 128}, {"tm", 8},       {"tn", 8},
              {"vy", 1},   {"vx", 1},   {"row_group", 1}};
  const KernelFeatureVector rowByRow = kernel(tile);
  tile["row_group"] = 8;
  const KernelFeatureVector inGroups = kernel(tile);
  EXPECT_EQ(rowByRow[F::RowGroup], 1);
  EXPECT_EQ(inGroups[F::RowGroup], 8);
  const double wave = 132 * rowByRow[F::ResidentBlocks];
  const double row = 128 * 4096 * 4, waves = std::ceil(1024 / wave);
  EXPECT_EQ(rowByRow[F::MemoryBytes],
            float(waves * row * (32 + std::ceil(wave / 32))));
  EXPECT_EQ(inGroups[F::MemoryBytes],
            float(waves * row *
                  (std::max(8.0, std::ceil(wave / 32)) +
                   std::min(32.0, std::ceil(wave / 8)))));
  EXPECT_LT(inGroups[F::MemoryBytes], rowByRow[F::MemoryBytes]);
  // Where all fits, there is nothing to decide.
  compile(product(1024, 1024, 1024));
  for (const auto &decision : programs.front().getDecisions())
    EXPECT_NE(decision.name, "row_group");
}

TEST_F(KernelRulesTest, OneBlockMoreTakesFewerRegisters) {
  compile(product(4096, 4096, 1024));
  Values tile{{"bm", 64}, {"bn", 64}, {"tm", 4},         {"tn", 4},
              {"vy", 1},  {"vx", 1},  {"more_blocks", 0}};
  const KernelFeatureVector asMany = kernel(tile);
  tile["more_blocks"] = 1;
  const KernelFeatureVector more = kernel(tile);
  EXPECT_EQ(more[F::ResidentBlocks], asMany[F::ResidentBlocks] + 1);
  EXPECT_LT(more[F::Registers], asMany[F::Registers]);
  EXPECT_GE(more[F::Registers], 0.8f * asMany[F::Registers]);
  // A second block of 512 threads would leave 64 for each.
  tile["bm"] = tile["bn"] = 128;
  tile["tm"] = 8;
  EXPECT_EQ(reason(tile),
            "a thread makes do with four fifths of its registers");
  tile["more_blocks"] = 0;
  EXPECT_GT(kernel(tile)[F::Registers], 80);
  // Where all blocks run at once, there are none to hold.
  compile(product(512, 512, 1024));
  for (const auto &decision : programs.front().getDecisions())
    EXPECT_NE(decision.name, "more_blocks");
}

TEST_F(KernelRulesTest, StagesHideLatency) {
  compile(product(1024, 1024, 1024));
  const float one = cycles({{"stages", 1}, {"async", 0}}),
              two = cycles({{"stages", 2}}), three = cycles({{"stages", 3}});
  EXPECT_GT(one, two);
  EXPECT_GE(two, three);
}

TEST_F(KernelRulesTest, DefaultsAreNearTheRoof) {
  // Of a large product, more than half of the arithmetic; of a sum, more than
  // half of the bandwidth.
  for (const std::string &text :
       {product(4096, 4096, 4096), product(4096, 4096, 4096, "f16"),
        convolution(32, 56, 128, 128, 3), sum(16384, 16384, 1),
        sum(16384, 16384, 0), softmax(65536, 1024),
        elementwise("tensor<16384x16384xf32>"), product(1, 32768, 8192)}) {
    SCOPED_TRACE(text);
    compile(text);
    const KernelFeatureVector f = kernel();
    EXPECT_GT(2 * f[F::IdealCycles], f[F::Cycles]);
    EXPECT_LE(f[F::IdealCycles], f[F::Cycles]);
  }
}

TEST_F(KernelRulesTest, NeighbouringLanesReadNeighbours) {
  // Threads along columns of one element each read lines apart.
  compile(elementwise("tensor<4096x4096xf32>"));
  EXPECT_LT(cycles({{"threads_x", 128}, {"threads_y", 1}}),
            cycles({{"threads_x", 2}, {"threads_y", 64}, {"vector", 1}}));
}

TEST_F(KernelRulesTest, WhatAnEpilogueReadsIsInlined) {
  // A broadcast that reads an argument, between the product and what adds it,
  // and one before the product.
  EXPECT_EQ(compile(function(
                "%a: tensor<251xi32>, %b: tensor<7x9xi32>, %d: tensor<251xi32>",
                "tensor<251x7xi32>", R"(
      %f = tensor.empty() : tensor<251x9xi32>
      %s = linalg.broadcast ins(%a : tensor<251xi32>) outs(%f : tensor<251x9xi32>) dimensions = [1]
      %p = linalg.generic {indexing_maps = [affine_map<(a, k, n) -> (a, k)>, affine_map<(a, k, n) -> (n, k)>,
                           affine_map<(a, k, n) -> (a, n)>], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%s, %b : tensor<251x9xi32>, tensor<7x9xi32>) outs(%i : tensor<251x7xi32>) {
      ^bb0(%x0: i32, %x1: i32, %o: i32):
        %b0 = arith.muli %x0, %x1 : i32
        %b1 = arith.addi %o, %b0 : i32
        linalg.yield %b1 : i32
      } -> tensor<251x7xi32>
      %t = linalg.broadcast ins(%d : tensor<251xi32>) outs(%e : tensor<251x7xi32>) dimensions = [1]
      %r = linalg.max ins(%p, %t : tensor<251x7xi32>, tensor<251x7xi32>) outs(%e : tensor<251x7xi32>) -> tensor<251x7xi32>
      )")),
            "thread_tiles");
  EXPECT_EQ(kernels().size(), 1u);
}

TEST_F(KernelRulesTest, ProducersAreInlinedOrKernels) {
  const std::string a = "tensor<256x256xf32>";
  compile(function("%a: " + a + ", %b: " + a, a,
                   "%s = linalg.exp ins(%a : " + a + ") outs(%e : " + a +
                       ") -> " + a + "\n%r = linalg.matmul ins(%s, %b : " + a +
                       ", " + a + ") outs(%i : " + a + ") -> " + a));
  EXPECT_EQ(kernels({{"inline_producer0", 1}}).size(), 1u);
  EXPECT_EQ(kernels({{"inline_producer0", 0}}).size(), 2u);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST_F(KernelRulesTest, PlacesOfARowDiffer) {
  // 96 elements a thread: more than are written out unasked.
  compile(softmax(64, 3072));
  const Values threads{
      {"vector", 4}, {"threads_across", 32}, {"rows", 1}, {"threads_rows", 1}};
  auto with = [&](int64_t keep) {
    Values values = threads;
    values["keep_stage1"] = keep;
    return values;
  };
  const KernelFeatureVector registers = kernel(with(0)),
                            shared = kernel(with(1)), again = kernel(with(2));
  // A row of exponentials is in the one place, in the other, or in none.
  EXPECT_EQ(registers[F::SharedBytes], 0);
  EXPECT_EQ(shared[F::SharedBytes], 3072 * 4);
  EXPECT_EQ(again[F::SharedBytes], 0);
  EXPECT_EQ(registers[F::Registers] - again[F::Registers], 96);
  EXPECT_EQ(shared[F::Registers], again[F::Registers]);
  EXPECT_GT(shared[F::SharedCycles], registers[F::SharedCycles]);
  // What is computed again reads the row again: three times instead of two.
  EXPECT_EQ(again[F::SectorBytes] - registers[F::SectorBytes],
            64.0f * 3072 * 4);
  EXPECT_EQ(shared[F::SectorBytes], registers[F::SectorBytes]);
  EXPECT_GT(again[F::ArithmeticCycles], registers[F::ArithmeticCycles]);
  EXPECT_EQ(shared[F::ArithmeticCycles], registers[F::ArithmeticCycles]);
  // With few elements all of them are in registers, whatever is said.
  EXPECT_EQ(
      reason({{"vector", 4}, {"threads_across", 256}, {"keep_stage1", 2}}),
      "a thread has more elements than it computes at a time, where it "
      "keeps none");
}

TEST_F(KernelRulesTest, ElementsOfARowAreReadOnce) {
  // Written out, all stages find what the first one has read.
  compile(softmax(64, 1024));
  EXPECT_EQ(kernel({{"vector", 4}, {"threads_across", 128}})[F::SectorBytes],
            64.0f * 1024 * 4 * 2);
  // 256 elements a thread are not: the maximum, the exponentials, the
  // quotients.
  compile(softmax(64, 32768));
  EXPECT_EQ(kernel({{"vector", 4},
                    {"threads_across", 128},
                    {"keep_stage1", 2}})[F::SectorBytes],
            64.0f * 32768 * 4 * 4);
}

TEST_F(KernelRulesTest, OnlyWhatSeveralStagesReadHasAPlace) {
  auto decides = [&] {
    return llvm::any_of(
        programs.front().getDecisions(), [](const Decision &decision) {
          return llvm::StringRef(decision.name).starts_with("keep_");
        });
  };
  compile(softmax(64, 1024));
  EXPECT_TRUE(decides());
  // One stage reads what is squared.
  const std::string x = "tensor<64x1024xf32>", y = "tensor<64xf32>";
  compile(function("%x: " + x, y,
                   "%t = tensor.empty() : " + x +
                       "\n%s = linalg.exp ins(%x : " + x + ") outs(%t : " + x +
                       ") -> " + x +
                       "\n%r = linalg.reduce { arith.addf } ins(%s : " + x +
                       ") outs(%i : " + y + ") dimensions = [1]"));
  EXPECT_FALSE(decides());
}
