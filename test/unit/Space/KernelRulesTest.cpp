//===- KernelRulesTest.cpp - Sketches for GPUs ----------------------------===//
//
// Which rule applies to what; that the defaults are legal for every shape, as
// are enough of the random candidates. Read next: KernelCostsTest.cpp, what the
// model says of candidates that differ in one thing.
//
//===----------------------------------------------------------------------===//

#include "KernelRulesTest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace sched;
using namespace sched::test;

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
                                  product(4096, 4096, 4096, "f16"),
                                  product(4095, 4095, 4095, "f16"),
                                  product(4095, 4096, 129, "bf16"),
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
