//===- KernelCostsTest.cpp - What kernels cost by the model ---------------===//
//
// Candidates of the spaces that KernelRulesTest.cpp has: what the model counts
// of them, and which of two it holds to be the faster.
//
//===----------------------------------------------------------------------===//

#include "KernelRulesTest.h"
#include <cmath>

using namespace mlir;
using namespace sched;
using namespace sched::test;

using KernelCostsTest = KernelRulesTest;

TEST_F(KernelCostsTest, CountsWhatABlockHas) {
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

TEST_F(KernelCostsTest, FetchIsAsWideAsTheExtentProves) {
  for (auto [k, width] : {std::pair(512, 16), {514, 8}, {515, 4}}) {
    compile(product(1024, 1024, k));
    EXPECT_EQ(kernel()[F::FetchWidthRows], width) << k;
    EXPECT_EQ(kernel()[F::FetchWidthColumns], 16) << k;
  }
}

TEST_F(KernelCostsTest, WindowsAreFetchedAsOne) {
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

TEST_F(KernelCostsTest, WhatIsTransposedGoesThroughRegisters) {
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

TEST_F(KernelCostsTest, WhatIsLoadedComesBackByRegisters) {
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

TEST_F(KernelCostsTest, PaddingAndOrderDecideConflicts) {
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

TEST_F(KernelCostsTest, EpiloguesAreInTheKernel) {
  compile(productWithEpilogue(1024, 1024, 512));
  const KernelFeatureVector f = kernel();
  EXPECT_EQ(f[F::Stages], 2);
  // The operands, the bias and the result, but nothing in between.
  EXPECT_EQ(f[F::UniqueBytes], 4.0f * (2 * 1024 * 512 + 1024 + 1024 * 1024));
  EXPECT_GT(f[F::Flops], 2.0f * 1024 * 1024 * 512);
}

TEST_F(KernelCostsTest, MatrixInstructionsAreFaster) {
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

TEST_F(KernelCostsTest, SlicesShareTheSteps) {
  compile(product(512, 512, 2048, "f16"));
  auto with = [&](int64_t warps, int64_t slices, int64_t depth,
                  int64_t stages) {
    return kernel({{"bm", 32},
                   {"bn", 64},
                   {"bk", depth},
                   {"wy", warps},
                   {"wx", warps},
                   {"slices", slices},
                   {"stages", stages},
                   {"async", stages > 1},
                   {"fetch_a", 8},
                   {"fetch_b", 8},
                   {"pad_a", 8},
                   {"pad_b", 8}});
  };
  const KernelFeatureVector parts = with(2, 1, 128, 3),
                            slices = with(1, 4, 128, 3);
  EXPECT_EQ(parts[F::Threads], 128);
  EXPECT_EQ(slices[F::Threads], 128);
  EXPECT_EQ(slices[F::Slices], 4);
  EXPECT_EQ(slices[F::ThreadRows], 32);
  EXPECT_EQ(slices[F::ThreadColumns], 64);
  // Four warps load 16 + 32 lines of 128 steps, or 32 + 64 of 32; the sums of
  // the latter are written and read once.
  EXPECT_NEAR(parts[F::SharedCycles] - slices[F::SharedCycles],
              16 * (4 * 48 * 128 - 4 * 96 * 32) * 2 / 128.0 -
                  2 * 4 * 32 * 64 * 4 / 128.0,
              1);
  EXPECT_LT(slices[F::IssueCycles], parts[F::IssueCycles]);
  EXPECT_LT(slices[F::Cycles], parts[F::Cycles]);
  EXPECT_EQ(slices[F::SharedBytes], parts[F::SharedBytes]);
  // Where it is more than the buffer, the sums say how much memory there is.
  EXPECT_EQ(with(2, 1, 64, 1)[F::SharedBytes], (32 + 64) * (64 + 8) * 2);
  EXPECT_EQ(with(1, 4, 64, 1)[F::SharedBytes], 4 * 32 * 64 * 4);
  // Sixteen steps are four turns of a loop with four slots; with three, two
  // steps are a turn, and slots are no constants.
  EXPECT_LT(with(1, 4, 128, 4)[F::IssueCycles], slices[F::IssueCycles]);
}

TEST_F(KernelCostsTest, RowsThatAreCloseShareAddresses) {
  // Rows of the right-hand side are 1 KiB apart, or 8.
  auto cyclesOf = [&](int64_t columns) {
    compile(product(512, columns, 1024, "f16"));
    return kernel({{"bm", 32},
                   {"bn", 64},
                   {"bk", 128},
                   {"wy", 2},
                   {"wx", 2},
                   {"slices", 1},
                   {"stages", 3},
                   {"async", 1},
                   {"fetch_a", 8},
                   {"fetch_b", 8}})[F::IssueCycles];
  };
  // Of eight copies in each of eight steps, three addresses instead of eight.
  EXPECT_NEAR(cyclesOf(4096) / 8 - cyclesOf(512), 8 * (8 - 3) * 2, 1);
}

TEST_F(KernelCostsTest, ProductsOfF32AreRoundedOnRequest) {
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
  // tf32 has half the rate of f16, and 5.25 times that of threads, which have
  // a multiply-add each.
  const float rounded = cyclesOf("f32", kRounding);
  EXPECT_EQ(kernel()[F::RoundedLanes], 672);
  EXPECT_FLOAT_EQ(rounded, 2 * cyclesOf("f16", kHopper));
  EXPECT_FLOAT_EQ(5.25f * rounded, cyclesOf("f32", kHopper));

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

TEST_F(KernelCostsTest, LargerTilesAreFasterUntilMultiprocessorsIdle) {
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

TEST_F(KernelCostsTest, NeighboursShareWhatMemoryHas) {
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

TEST_F(KernelCostsTest, OneBlockMoreTakesFewerRegisters) {
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

TEST_F(KernelCostsTest, StagesHideLatency) {
  compile(product(1024, 1024, 1024));
  const float one = cycles({{"stages", 1}, {"async", 0}}),
              two = cycles({{"stages", 2}}), three = cycles({{"stages", 3}});
  EXPECT_GT(one, two);
  EXPECT_GE(two, three);
}

TEST_F(KernelCostsTest, DefaultsAreNearTheRoof) {
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

TEST_F(KernelCostsTest, DefaultsOfMatrixInstructionsFitTheChip) {
  const auto expectDefault = [&](llvm::StringRef text, llvm::StringRef spec,
                                 float rows, float columns, float depth,
                                 float ofWarp) {
    compile(text.str(), spec);
    const KernelFeatureVector f = kernel();
    EXPECT_EQ(f[F::IsMatrix], 1);
    EXPECT_EQ(f[F::TileRows], rows);
    EXPECT_EQ(f[F::TileColumns], columns);
    EXPECT_EQ(f[F::StepDepth], depth);
    EXPECT_EQ(f[F::ThreadRows] * f[F::ThreadColumns], ofWarp);
  };
  const std::string even = product(4096, 4096, 4096, "f16");
  for (llvm::StringRef spec : {kHopper, llvm::StringLiteral("nvvm:sm_80")})
    expectDefault(even, spec, 256, 128, 64, 64 * 64);
  // Three tiles of that size are more than its shared memory.
  expectDefault(even, "nvvm:sm_86", 128, 128, 32, 64 * 64);
  // Elements that are moved one by one go through registers.
  for (llvm::StringRef spec : {kHopper, llvm::StringLiteral("nvvm:sm_86")})
    expectDefault(product(4095, 4095, 4095, "f16"), spec, 128, 128, 32,
                  32 * 64);
}

TEST_F(KernelCostsTest, OperandsThatAreLoadedAheadTakeRegisters) {
  compile(product(4096, 4096, 4096, "f16"));
  const float ahead = kernel()[F::Registers];
  // 64 x 64 a warp: 4 x 4 + 8 x 2 registers for the operands of a part.
  EXPECT_EQ(kernel({{"stages", 2}})[F::Registers], ahead - 32);
  EXPECT_EQ(kernel({{"bk", 16}, {"stages", 3}})[F::Registers],
            kernel({{"bk", 16}, {"stages", 2}})[F::Registers]);
}

TEST_F(KernelCostsTest, NarrowCopiesCost) {
  compile(product(4096, 4096, 4096, "f16"));
  EXPECT_LT(cycles(), cycles({{"fetch_b", 4}}));
  EXPECT_LT(cycles({{"fetch_b", 4}}), cycles({{"fetch_a", 4}, {"fetch_b", 4}}));
}

TEST_F(KernelCostsTest, WhatSeveralStagesReadComesFromMemoryOnce) {
  compile(softmax(4096, 1024));
  EXPECT_EQ(kernel()[F::UniqueBytes], 2 * 4 * 4096 * 1024);
}

TEST_F(KernelCostsTest, NeighbouringLanesReadNeighbours) {
  // Threads along columns of one element each read lines apart.
  compile(elementwise("tensor<4096x4096xf32>"));
  EXPECT_LT(cycles({{"threads_x", 128}, {"threads_y", 1}}),
            cycles({{"threads_x", 2}, {"threads_y", 64}, {"vector", 1}}));
}

TEST_F(KernelCostsTest, WhatAnEpilogueReadsIsInlined) {
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

TEST_F(KernelCostsTest, ProducersAreInlinedOrKernels) {
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

TEST_F(KernelCostsTest, PlacesOfARowDiffer) {
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

TEST_F(KernelCostsTest, ElementsOfARowAreReadOnce) {
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

TEST_F(KernelCostsTest, OnlyWhatSeveralStagesReadHasAPlace) {
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
