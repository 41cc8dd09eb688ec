//===- MoveTest.cpp - What pads, concatenations and gathers move ----------===//
//
// Sizes that vectors do not divide, and some that are worth two threads.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sched;
using namespace sched::testing;

namespace {
class MoveTest : public KernelTest {
protected:
  /// Elements of any type that differ from their neighbours.
  template <typename T> static void number(Tensor<T> &tensor) {
    for (size_t i = 0; i != tensor.size(); ++i)
      tensor[i] = T(1 + i % 113);
  }

  /// Pads an image by 1 and 2 lines, 2 and 1 pixels, with -1.
  template <typename T>
  void pad(llvm::StringRef type, int images, int rows, int columns,
           int channels, int threads) {
    SCOPED_TRACE(llvm::formatv("{0}x{1}x{2}x{3}x{4}, {5} threads", images, rows,
                               columns, channels, type, threads)
                     .str());
    const int outRows = rows + 3, outColumns = columns + 3;
    Tensor<T> a(images * rows * columns * channels, 1),
        r(images * outRows * outColumns * channels, 3);
    number(a);
    const std::string in = llvm::formatv("tensor<{0}x{1}x{2}x{3}x{4}>", images,
                                         rows, columns, channels, type),
                      out = llvm::formatv("tensor<{0}x{1}x{2}x{3}x{4}>", images,
                                          outRows, outColumns, channels, type);
    const bool isFloat = type.starts_with("f");
    run(llvm::formatv(R"mlir(
func.func @f(%a: {0}) -> {1} {{
  %z = arith.constant {3} : {2}
  %r = tensor.pad %a low[0, 1, 2, 0] high[0, 2, 1, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : {2}
  } : {0} to {1}
  return %r : {1}
})mlir",
                      in, out, type, isFloat ? "-1.0" : "-1")
            .str(),
        threads, a, r);
    size_t place = 0;
    for (int n = 0; n != images; ++n)
      for (int i = -1; i != outRows - 1; ++i)
        for (int j = -2; j != outColumns - 2; ++j)
          for (int c = 0; c != channels; ++c, ++place) {
            const bool isInside = i >= 0 && i < rows && j >= 0 && j < columns;
            const T expected =
                isInside ? a[((n * rows + i) * columns + j) * channels + c]
                         : T(-1);
            ASSERT_EQ(r[place], expected)
                << n << ", " << i << ", " << j << ", " << c;
          }
  }

  /// Puts outer x (first, second, third) x inner elements side by side.
  void concatenate(int outer, int first, int second, int third, int inner,
                   int threads) {
    SCOPED_TRACE(llvm::formatv("{0}x({1}, {2}, {3})x{4}, {5} threads", outer,
                               first, second, third, inner, threads)
                     .str());
    const int whole = first + second + third;
    Tensor<float> a(outer * first * inner), b(outer * second * inner, 1),
        c(outer * third * inner, 2), r(outer * whole * inner, 3);
    number(a), number(b), number(c);
    auto type = [&](int count) -> std::string {
      return llvm::formatv("tensor<{0}x{1}x{2}xf32>", outer, count, inner);
    };
    run(llvm::formatv(R"mlir(
func.func @f(%a: {0}, %b: {1}, %c: {2}) -> {3} {{
  %r = tensor.concat dim(1) %a, %b, %c : ({0}, {1}, {2}) -> {3}
  return %r : {3}
})mlir",
                      type(first), type(second), type(third), type(whole))
            .str(),
        threads, a, b, c, r);
    size_t place = 0;
    for (int o = 0; o != outer; ++o)
      for (Tensor<float> *source : {&a, &b, &c}) {
        const size_t count = source->size() / outer;
        for (size_t i = 0; i != count; ++i, ++place)
          ASSERT_EQ(r[place], (*source)[o * count + i]) << o << ", " << i;
      }
  }
  template <typename T, typename Place>
  void lookUp(llvm::StringRef type, llvm::StringRef placeType, bool isShared,
              int rows, int count, int threads);
};

/// Elements of `rows` lines of 37, `count` of each, at places of any kind that
/// are of the line's own, or of all lines; and each of them, doubled.
template <typename T, typename Place>
void MoveTest::lookUp(llvm::StringRef type, llvm::StringRef placeType,
                      bool isShared, int rows, int count, int threads) {
  SCOPED_TRACE(llvm::formatv("{0}x{1}x{2} at {3}, {4} threads", rows, count,
                             type, placeType, threads)
                   .str());
  Tensor<T> table(rows * 37), r(rows * count, 3), d(rows * count, 4);
  Tensor<Place> places(isShared ? count : rows * count);
  number(table);
  for (size_t i = 0; i != places.size(); ++i)
    places[i] = Place(i * 11 % 37);
  const bool isFloat = type.starts_with("f");
  run(llvm::formatv(
          R"mlir(
func.func @f(%t: tensor<{0}x37x{2}>, %p: tensor<{4}{1}x{3}>)
    -> (tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>) {{
  %e = tensor.empty() : tensor<{0}x{1}x{2}>
  %r = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> ({5}j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<{4}{1}x{3}>) outs(%e : tensor<{0}x{1}x{2}>) {{
  ^bb0(%a: {3}, %o: {2}):
    %i = linalg.index 0 : index
    %j = {6}
    %v = tensor.extract %t[%i, %j] : tensor<{0}x37x{2}>
    linalg.yield %v : {2}
  } -> tensor<{0}x{1}x{2}>
  %d = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<{0}x{1}x{2}>) outs(%e : tensor<{0}x{1}x{2}>) {{
  ^bb0(%a: {2}, %o: {2}):
    %v = arith.{7} %a, %a : {2}
    linalg.yield %v : {2}
  } -> tensor<{0}x{1}x{2}>
  return %r, %d : tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>
})mlir",
          rows, count, type, placeType,
          isShared ? "" : std::to_string(rows) + "x", isShared ? "" : "i, ",
          placeType == "index"
              ? "arith.maxsi %a, %a : index"
              : "arith.index_cast %a : " + placeType.str() + " to index",
          isFloat ? "addf" : "addi")
          .str(),
      threads, table, places, r, d);
  for (int i = 0; i != rows; ++i)
    for (int j = 0; j != count; ++j) {
      const T expected = table[i * 37 + places[isShared ? j : i * count + j]];
      ASSERT_EQ(r[i * count + j], expected) << i << ", " << j;
      ASSERT_EQ(d[i * count + j], T(expected + expected)) << i << ", " << j;
    }
}

TEST_F(MoveTest, LooksUpElements) {
  for (int threads : {1, 2}) {
    lookUp<float, int32_t>("f32", "i32", false, 3, 16, threads);
    lookUp<float, int64_t>("f32", "i64", true, 700, 101, threads);
    lookUp<double, int32_t>("f64", "i32", false, 513, 67, threads);
    lookUp<int8_t, int32_t>("i8", "i32", true, 5, 300, threads);
    lookUp<int16_t, int8_t>("i16", "i8", false, 2, 5, threads);
    lookUp<float, int64_t>("f32", "index", false, 1, 1, threads);
  }
}

TEST_F(MoveTest, LooksUpElementsOfAColumn) {
  // Of the last 64 of 65 rows; the places are one lane's number and more.
  Tensor<float> table(65 * 3), r(100003, 3);
  Tensor<uint8_t> places(100003);
  number(table);
  for (size_t i = 0; i != places.size(); ++i)
    places[i] = uint8_t(i * 7);
  for (int threads : {1, 2}) {
    run(R"mlir(
func.func @f(%t: tensor<65x3xf32>, %p: tensor<100003xi8>) -> tensor<100003xf32> {
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %s = tensor.extract_slice %t[1, 1] [64, 1] [1, 1] : tensor<65x3xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<100003xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]}
    ins(%p : tensor<100003xi8>) outs(%e : tensor<100003xf32>) {
  ^bb0(%a: i8, %o: f32):
    %i = linalg.index 0 : index
    %b = arith.index_castui %a : i8 to index
    %isFar = arith.cmpi uge, %b, %c7 : index
    %sum = arith.addi %i, %b : index
    %c = arith.select %isFar, %sum, %b : index
    %d = arith.remui %c, %c64 : index
    %v = tensor.extract %s[%d] : tensor<64xf32>
    linalg.yield %v : f32
  } -> tensor<100003xf32>
  return %r : tensor<100003xf32>
})mlir",
        threads, table, places, r);
    for (size_t i = 0; i != r.size(); ++i) {
      const size_t place = places[i] >= 7 ? i + places[i] : places[i];
      ASSERT_EQ(r[i], table[(1 + place % 64) * 3 + 1]) << i;
    }
  }
}

} // namespace

TEST_F(MoveTest, Pads) {
  for (int threads : {1, 2}) {
    pad<float>("f32", 1, 5, 7, 3, threads);
    pad<float>("f32", 2, 1, 1, 1, threads);
    pad<float>("f32", 1, 3, 101, 1, threads);
    pad<double>("f64", 3, 4, 5, 13, threads);
    pad<int8_t>("i8", 1, 2, 67, 5, threads);
    // Enough for two threads, of images and of lines.
    pad<float>("f32", 2, 61, 67, 17, threads);
    pad<float>("f32", 1, 127, 113, 7, threads);
  }
}

TEST_F(MoveTest, PadOfBits) {
  Tensor<bool> a(19), r(22);
  for (size_t i = 0; i != a.size(); ++i)
    a[i] = i % 3 == 0;
  run(R"mlir(
func.func @f(%a: tensor<19xi1>) -> tensor<22xi1> {
  %z = arith.constant true
  %r = tensor.pad %a low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : i1
  } : tensor<19xi1> to tensor<22xi1>
  return %r : tensor<22xi1>
})mlir",
      1, a, r);
  for (int i = 0; i != 22; ++i)
    EXPECT_EQ(r[i], i < 2 || i > 20 || (i - 2) % 3 == 0) << i;
}

TEST_F(MoveTest, Concatenations) {
  for (int threads : {1, 2}) {
    concatenate(1, 5, 1, 2, 1, threads);
    concatenate(13, 3, 17, 1, 1, threads);
    concatenate(5, 2, 3, 1, 29, threads);
    concatenate(1, 31, 500, 7, 211, threads);
    concatenate(311, 97, 101, 103, 1, threads);
  }
}

TEST_F(MoveTest, RowsWithGapsBetween) {
  // Rows are concatenated along the outermost dimension; each thread has a part
  // of the second source.
  const int count = 100003;
  for (int threads : {1, 2}) {
    Tensor<float> a(5), b(count), r(count + 5);
    number(a), number(b);
    run(R"mlir(
func.func @f(%a: tensor<5xf32>, %b: tensor<100003xf32>) -> tensor<100008xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<5xf32>, tensor<100003xf32>) -> tensor<100008xf32>
  return %r : tensor<100008xf32>
})mlir",
        threads, a, b, r);
    for (int i = 0; i != count + 5; ++i)
      ASSERT_EQ(r[i], i < 5 ? a[i] : b[i - 5]) << i;
  }
}

TEST_F(MoveTest, ConcatenationOfWhatIsComputed) {
  Tensor<float> a(7 * 5), b(7 * 3), r(7 * 13);
  number(a), number(b);
  run(R"mlir(
func.func @f(%a: tensor<7x5xf32>, %b: tensor<7x3xf32>) -> tensor<7x13xf32> {
  %d = tensor.empty() : tensor<7x5xf32>
  %e = tensor.empty() : tensor<7x3xf32>
  %n = linalg.negf ins(%a : tensor<7x5xf32>) outs(%d : tensor<7x5xf32>) -> tensor<7x5xf32>
  %s = linalg.square ins(%b : tensor<7x3xf32>) outs(%e : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = tensor.concat dim(1) %s, %a, %n : (tensor<7x3xf32>, tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x13xf32>
  return %r : tensor<7x13xf32>
})mlir",
      1, a, b, r);
  for (int i = 0; i != 7; ++i)
    for (int j = 0; j != 13; ++j)
      ASSERT_EQ(r[i * 13 + j], j < 3   ? b[i * 3 + j] * b[i * 3 + j]
                               : j < 8 ? a[i * 5 + j - 3]
                                       : -a[i * 5 + j - 8])
          << i << ", " << j;
}

TEST_F(MoveTest, RowsOfATable) {
  // The second of two tables, at places that are computed.
  const int rows = 257, columns = 521, places = 600;
  Tensor<float> table(2 * rows * columns), r(places * columns);
  Tensor<int32_t> where(places);
  number(table);
  for (int i = 0; i != places; ++i)
    where[i] = (i * 7919) % rows - 1;
  for (int threads : {1, 2}) {
    run(R"mlir(
#place = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%t: tensor<2x257x521xf32>, %p: tensor<600xi32>) -> tensor<600x521xf32> {
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<600x521xf32>
  %r = linalg.generic {indexing_maps = [#place, #both], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<600xi32>) outs(%e : tensor<600x521xf32>) {
  ^bb0(%a: i32, %o: f32):
    %before = arith.index_cast %a : i32 to index
    %row = arith.addi %before, %one : index
    %column = linalg.index 1 : index
    %v = tensor.extract %t[%one, %row, %column] : tensor<2x257x521xf32>
    linalg.yield %v : f32
  } -> tensor<600x521xf32>
  return %r : tensor<600x521xf32>
})mlir",
        threads, table, where, r);
    for (int i = 0; i != places; ++i)
      for (int j = 0; j != columns; ++j)
        ASSERT_EQ(r[i * columns + j],
                  table[(rows + where[i] + 1) * columns + j])
            << i << ", " << j;
  }
}

TEST_F(MoveTest, Gathers) {
  // Lines, columns, and single elements.
  Tensor<float> table(7 * 11 * 13), lines(3 * 13), columns(3 * 7 * 1 * 13),
      elements(3);
  Tensor<int32_t> pairs(3 * 2), places(3);
  Tensor<int64_t> triples(3 * 3);
  number(table);
  for (int i = 0; i != 3; ++i) {
    pairs[2 * i] = 6 - i, pairs[2 * i + 1] = 5 * i;
    places[i] = 10 - 4 * i;
    triples[3 * i] = 2 * i, triples[3 * i + 1] = i, triples[3 * i + 2] = 12 - i;
  }
  run(R"mlir(
func.func @f(%t: tensor<7x11x13xf32>, %p: tensor<3x2xi32>, %q: tensor<3x1xi32>, %s: tensor<3x3xi64>)
    -> (tensor<3x13xf32>, tensor<3x7x1x13xf32>, tensor<3xf32>) {
  %a = tensor.gather %t[%p] gather_dims([0, 1])
    : (tensor<7x11x13xf32>, tensor<3x2xi32>) -> tensor<3x13xf32>
  %b = tensor.gather %t[%q] gather_dims([1])
    : (tensor<7x11x13xf32>, tensor<3x1xi32>) -> tensor<3x7x1x13xf32>
  %c = tensor.gather %t[%s] gather_dims([0, 1, 2])
    : (tensor<7x11x13xf32>, tensor<3x3xi64>) -> tensor<3xf32>
  return %a, %b, %c : tensor<3x13xf32>, tensor<3x7x1x13xf32>, tensor<3xf32>
})mlir",
      1, table, pairs, places, triples, lines, columns, elements);
  auto at = [&](int i, int j, int k) { return table[(i * 11 + j) * 13 + k]; };
  for (int i = 0; i != 3; ++i) {
    for (int k = 0; k != 13; ++k) {
      EXPECT_EQ(lines[i * 13 + k], at(pairs[2 * i], pairs[2 * i + 1], k));
      for (int n = 0; n != 7; ++n)
        EXPECT_EQ(columns[(i * 7 + n) * 13 + k], at(n, places[i], k));
    }
    EXPECT_EQ(elements[i],
              at(triples[3 * i], triples[3 * i + 1], triples[3 * i + 2]));
  }
}
