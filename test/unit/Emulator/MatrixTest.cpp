//===- MatrixTest.cpp - ldmatrix and mma.sync against a plain product -----===//
//
// The fragments are loaded as the PTX ISA spreads them over the lanes, by code
// of this test; so are the results stored.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTest.h"
#include <cmath>

using namespace sched;
using namespace sched::testing;
using ::testing::HasSubstr;

namespace {
uint16_t toHalf(int value) {
  // Of small whole numbers.
  if (value == 0)
    return 0;
  const unsigned magnitude = std::abs(value);
  const unsigned exponent = 31 - llvm::countl_zero(magnitude);
  return (value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
         ((magnitude << (10 - exponent)) & 0x3ff);
}
uint16_t toBFloat(int value) {
  return llvm::bit_cast<uint32_t>(float(value)) >> 16;
}

class MatrixTest : public EmulatorTest {
protected:
  static int lhs(int row, int k) { return (row * 5 + k * 3) % 11 - 5; }
  static int rhs(int k, int column) { return (k * 7 + column * 2) % 9 - 4; }
  static float start(int row, int column) { return row * 0.5f - column; }

  void checkProduct(int depth) {
    std::vector<float> result = getLast<float>();
    for (int row = 0; row != 16; ++row)
      for (int column = 0; column != 8; ++column) {
        float sum = start(row, column);
        for (int k = 0; k != depth; ++k)
          sum += lhs(row, k) * rhs(k, column);
        EXPECT_EQ(result[row * 8 + column], sum) << row << ", " << column;
      }
  }

  /// Row and twice the column of the lane's first element, and the start
  /// values; A, B and C are the inputs, R the result.
  static std::string begin() {
    std::string text =
        "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, "
        "ptr addrspace(1) %c, ptr addrspace(1) %r) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %g = lshr i32 %t, 2\n  %q = and i32 %t, 3\n  %q2 = mul i32 %q, 2\n"
        "  %g8 = add i32 %g, 8\n";
    for (int i = 0; i != 4; ++i) {
      const std::string n = std::to_string(i);
      text += "  %ro" + n + " = mul i32 " + (i < 2 ? "%g" : "%g8") +
              ", 8\n  %co" + n + " = add i32 %q2, " + std::to_string(i % 2) +
              "\n  %o" + n + " = add i32 %ro" + n + ", %co" + n + "\n  %pc" +
              n + " = getelementptr float, ptr addrspace(1) %c, i32 %o" + n +
              "\n  %pr" + n +
              " = getelementptr float, ptr addrspace(1) %r, i32 %o" + n +
              "\n  %c" + n + " = load float, ptr addrspace(1) %pc" + n + "\n";
    }
    return text;
  }
  static std::string end() {
    std::string text;
    for (int i = 0; i != 4; ++i) {
      const std::string n = std::to_string(i);
      text += "  %d" + n + " = extractvalue {float, float, float, float} %d, " +
              n + "\n  store float %d" + n + ", ptr addrspace(1) %pr" + n +
              "\n";
    }
    return text + "  ret void\n}\n";
  }
  /// Loads `type` at [row * pitch + column] of `buffer`, in units of `element`.
  static std::string load(const std::string &name, const char *buffer,
                          const std::string &type, const char *element,
                          const char *row, int pitch, const char *column,
                          int more) {
    return "  %x" + name + " = mul i32 " + row + ", " + std::to_string(pitch) +
           "\n  %y" + name + " = add i32 %x" + name + ", " + column + "\n  %z" +
           name + " = add i32 %y" + name + ", " + std::to_string(more) +
           "\n  %p" + name + " = getelementptr " + element +
           ", ptr addrspace(1) " + buffer + ", i32 %z" + name + "\n  %" + name +
           " = load " + type + ", ptr addrspace(1) %p" + name + "\n";
  }

  /// A row-major, B column-major (both along the depth), C.
  void addMatrices(int depth, uint16_t (*convert)(int)) {
    std::vector<uint16_t> a, b;
    for (int row = 0; row != 16; ++row)
      for (int k = 0; k != depth; ++k)
        a.push_back(convert(lhs(row, k)));
    for (int column = 0; column != 8; ++column)
      for (int k = 0; k != depth; ++k)
        b.push_back(convert(rhs(k, column)));
    addInput(a);
    addInput(b);
    addStart();
  }
  void addStart() {
    std::vector<float> c;
    for (int row = 0; row != 16; ++row)
      for (int column = 0; column != 8; ++column)
        c.push_back(start(row, column));
    addInput(c);
    addOutput(16 * 8 * 4);
  }
  std::string makeProduct(int depth, const std::string &type,
                          const std::string &name) {
    std::string text = begin(), operands;
    for (int i = 0; i != depth / 4; ++i) {
      const std::string register_ = "a" + std::to_string(i);
      text += load(register_, "%a", type, "i16", i % 2 ? "%g8" : "%g", depth,
                   "%q2", i / 2 * 8);
      operands += type + " %" + register_ + ", ";
    }
    for (int i = 0; i != depth / 8; ++i) {
      const std::string register_ = "b" + std::to_string(i);
      text += load(register_, "%b", type, "i16", "%g", depth, "%q2", i * 8);
      operands += type + " %" + register_ + ", ";
    }
    return text + "  %d = call {float, float, float, float} @llvm.nvvm.mma." +
           name + "(" + operands +
           "float %c0, float %c1, float %c2, float %c3)\n" + end();
  }
};
} // namespace

TEST_F(MatrixTest, Half16) {
  addMatrices(16, toHalf);
  EXPECT_EQ(run(makeProduct(16, "<2 x half>", "m16n8k16.row.col.f32.f32"),
                {1, 1, 1}, {32, 1, 1}),
            "");
  checkProduct(16);
}

TEST_F(MatrixTest, Half8) {
  addMatrices(8, toHalf);
  EXPECT_EQ(run(makeProduct(8, "<2 x half>", "m16n8k8.row.col.f32.f32"),
                {1, 1, 1}, {32, 1, 1}),
            "");
  checkProduct(8);
}

TEST_F(MatrixTest, BFloat16) {
  addMatrices(16, toBFloat);
  EXPECT_EQ(run(makeProduct(16, "i32", "m16n8k16.row.col.bf16"), {1, 1, 1},
                {32, 1, 1}),
            "");
  checkProduct(16);
}

TEST_F(MatrixTest, TF32) {
  std::vector<float> a, b;
  // What tf32 cannot hold is cut off, not rounded.
  for (int row = 0; row != 16; ++row)
    for (int k = 0; k != 8; ++k)
      a.push_back(lhs(row, k) * (1 + 0x1.cp-11f));
  for (int column = 0; column != 8; ++column)
    for (int k = 0; k != 8; ++k)
      b.push_back(rhs(k, column));
  addInput(a);
  addInput(b);
  addStart();
  std::string text = begin();
  for (int i = 0; i != 4; ++i)
    text += load("a" + std::to_string(i), "%a", "i32", "float",
                 i % 2 ? "%g8" : "%g", 8, "%q", i / 2 * 4);
  for (int i = 0; i != 2; ++i)
    text += load("b" + std::to_string(i), "%b", "i32", "float", "%g", 8, "%q",
                 i * 4);
  text +=
      "  %d = call {float, float, float, float} "
      "@llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %a0, i32 %a1, i32 %a2, i32 "
      "%a3, i32 %b0, i32 %b1, float %c0, float %c1, float %c2, float %c3)\n" +
      end();
  EXPECT_EQ(run(text, {1, 1, 1}, {32, 1, 1}), "");
  std::vector<float> result = getLast<float>();
  for (int row = 0; row != 16; ++row)
    for (int column = 0; column != 8; ++column) {
      double sum = start(row, column);
      for (int k = 0; k != 8; ++k)
        sum += double(llvm::bit_cast<float>(
                   llvm::bit_cast<uint32_t>(a[row * 8 + k]) & 0xffffe000u)) *
               rhs(k, column);
      EXPECT_EQ(result[row * 8 + column], float(sum));
    }
}

TEST_F(MatrixTest, LoadMatrix) {
  // 32 rows of 8 in shared memory, 24 elements apart; lane i has row i.
  auto text = [](const char *variant) {
    std::string all =
        "@s = internal addrspace(3) global [1536 x i8] undef, align 16\n"
        "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %r) "
        "{\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %ps = getelementptr [24 x i16], ptr addrspace(3) @s, i32 %t\n"
        "  %pa = getelementptr [8 x i16], ptr addrspace(1) %a, i32 %t\n"
        "  %row = load <8 x i16>, ptr addrspace(1) %pa, align 16\n"
        "  store <8 x i16> %row, ptr addrspace(3) %ps, align 16\n"
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
        "  %m = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned."
        "m8n8.x4." +
        std::string(variant) +
        "b16.p3(ptr addrspace(3) %ps)\n"
        "  %t4 = mul i32 %t, 4\n";
    for (int i = 0; i != 4; ++i) {
      const std::string n = std::to_string(i);
      all += "  %m" + n + " = extractvalue {i32, i32, i32, i32} %m, " + n +
             "\n  %o" + n + " = add i32 %t4, " + n + "\n  %p" + n +
             " = getelementptr i32, ptr addrspace(1) %r, i32 %o" + n +
             "\n  store i32 %m" + n + ", ptr addrspace(1) %p" + n + "\n";
    }
    return all + "  ret void\n}\n";
  };
  std::vector<uint16_t> rows;
  for (int i = 0; i != 256; ++i)
    rows.push_back(i);
  addInput(rows);
  addOutput(32 * 16);
  EXPECT_EQ(run(text(""), {1, 1, 1}, {32, 1, 1}), "");
  std::vector<uint16_t> plain = getLast<uint16_t>();
  EXPECT_EQ(run(text("trans."), {1, 1, 1}, {32, 1, 1}), "");
  std::vector<uint16_t> transposed = getLast<uint16_t>();
  for (int lane = 0; lane != 32; ++lane)
    for (int matrix = 0; matrix != 4; ++matrix)
      for (int i = 0; i != 2; ++i) {
        const int row = lane / 4, column = lane % 4 * 2 + i;
        const int at = lane * 8 + matrix * 2 + i;
        EXPECT_EQ(plain[at], matrix * 64 + row * 8 + column);
        EXPECT_EQ(transposed[at], matrix * 64 + column * 8 + row);
      }
  EXPECT_THAT(run(text(""), {1, 1, 1}, {16, 1, 1}),
              HasSubstr("needs a whole warp, and the block has only 16 threads "
                        "in its last one"));
}

TEST_F(MatrixTest, NeedsTheWholeWarp) {
  addMatrices(16, toHalf);
  std::string text = makeProduct(16, "<2 x half>", "m16n8k16.row.col.f32.f32");
  // Half of the warp leaves before.
  const std::string at = "  %d = call";
  text.insert(text.find(at),
              "  %h = icmp ult i32 %t, 16\n  br i1 %h, label %do, label %end\n"
              "end:\n  ret void\ndo:\n");
  EXPECT_THAT(run(text, {1, 1, 1}, {32, 1, 1}),
              HasSubstr("waits for other lanes of its warp, but thread (16, 0, "
                        "0) has ended"));
}
