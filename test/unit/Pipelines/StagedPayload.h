//===- StagedPayload.h - Payloads without a contraction ---------*- C++ -*-===//
//
// Elementwise chains, reductions, softmax and norms of given sizes: the text,
// and what it must compute, in double precision.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PIPELINES_STAGEDPAYLOAD_H
#define SCHEDOPT_TEST_UNIT_PIPELINES_STAGEDPAYLOAD_H

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sched::test {

enum class Kind {
  BiasRelu,
  TransposedAdd,
  RowSum,
  RowMax,
  RowProduct,
  ColumnSum,
  MeanOfColumns,
  Softmax,
  LayerNorm,
  RMSNorm,
  CubeNorm,
  CubeMiddle,
  CubeSum,
  ScaledCube,
  Last = ScaledCube
};

/// @f(%a, %b) over m x n elements: %a is m x n (n x m where it is transposed),
/// %b has m x n elements for TransposedAdd, and else n. Cubes are m x k x n,
/// k x m x n where only m is not reduced.
struct Payload {
  Kind kind;
  int64_t m, n, k = 1;

  static Payload draw(std::mt19937_64 &bits) {
    static const int64_t sizes[] = {1,  2,  3,  5,  7,  8,   16,  17,
                                    31, 33, 64, 67, 97, 128, 200, 293};
    auto size = [&] { return sizes[bits() % std::size(sizes)]; };
    Payload payload = {Kind(bits() % (unsigned(Kind::Last) + 1)), size(),
                       size()};
    if (payload.isCube()) {
      payload.m = sizes[bits() % 6];
      payload.k = sizes[bits() % 6];
    }
    return payload;
  }

  bool isCube() const { return kind >= Kind::CubeNorm; }

  bool isVector() const {
    switch (kind) {
    case Kind::RowSum:
    case Kind::RowMax:
    case Kind::RowProduct:
    case Kind::ColumnSum:
    case Kind::MeanOfColumns:
      return true;
    default:
      return false;
    }
  }
  bool isOfColumns() const {
    return kind == Kind::ColumnSum || kind == Kind::MeanOfColumns;
  }
  int64_t resultSize() const {
    if (isCube())
      return kind == Kind::ScaledCube ? m * k * n
             : kind == Kind::CubeSum  ? 1
                                      : m;
    return !isVector() ? m * n : isOfColumns() ? n : m;
  }

  std::string tensor(int64_t rows, int64_t columns) const {
    return llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
  }

  /// Sums of squares over two or three dimensions, and what is made of them.
  std::string writeCube() const {
    const bool isMiddle = kind == Kind::CubeMiddle,
               isAll = kind == Kind::CubeSum;
    const std::string cube = llvm::formatv(
        "tensor<{0}x{1}x{2}xf32>", isMiddle ? k : m, isMiddle ? m : k, n);
    const std::string sums =
        isAll ? "tensor<f32>" : llvm::formatv("tensor<{0}xf32>", m).str();
    const std::string parallel = "\"parallel\"", reduction = "\"reduction\"";
    std::string text = llvm::formatv(
        R"(
#all = affine_map<(x, y, z) -> (x, y, z)>
#sum = affine_map<(x, y, z) -> ({0})>
func.func @f(%a: {1}, %b: tensor<{2}xf32>) -> {3} {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c = tensor.empty() : {1}
  %e = tensor.empty() : {4}
  %i = linalg.fill ins(%zero : f32) outs(%e : {4}) -> {4}
  %s = linalg.generic {{indexing_maps = [#all, #sum],
    iterator_types = [{5}, {6}, "reduction"]} ins(%a : {1}) outs(%i : {4}) {{
  ^bb0(%x: f32, %o: f32):
    %q = arith.mulf %x, %x : f32
    %t = arith.addf %q, %o : f32
    linalg.yield %t : f32
  } -> {4}
)",
        isAll      ? ""
        : isMiddle ? "y"
                   : "x",
        cube, n, kind == Kind::ScaledCube ? cube : sums, sums,
        isAll || isMiddle ? reduction : parallel,
        isMiddle ? parallel : reduction);
    switch (kind) {
    case Kind::CubeNorm:
      return text + llvm::formatv(R"(
  %r = linalg.sqrt ins(%s : {0}) outs(%e : {0}) -> {0}
  return %r : {0}
}
)",
                                  sums)
                        .str();
    case Kind::ScaledCube:
      return text + llvm::formatv(R"(
  %r = linalg.generic {{indexing_maps = [#all, #sum, #all],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a, %s : {0}, {1}) outs(%c : {0}) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %w = arith.addf %y, %one : f32
    %d = arith.divf %x, %w : f32
    linalg.yield %d : f32
  } -> {0}
  return %r : {0}
}
)",
                                  cube, sums)
                        .str();
    default:
      return text + "  return %s : " + sums + "\n}\n";
    }
  }

  std::string write() const {
    if (isCube())
      return writeCube();
    const std::string matrix = tensor(m, n),
                      row = llvm::formatv("tensor<{0}xf32>", n),
                      column = llvm::formatv("tensor<{0}xf32>", m);
    const std::string a = kind == Kind::TransposedAdd ? tensor(n, m) : matrix;
    const std::string b = kind == Kind::TransposedAdd ? matrix : row;
    const std::string result = !isVector()     ? matrix
                               : isOfColumns() ? row
                                               : column;
    std::string text = llvm::formatv(
        R"(
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
func.func @f(%a: {0}, %b: {1}) -> {2} {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %size = arith.constant {3} : f32
  %eps = arith.constant 1.0e-3 : f32
  %e = tensor.empty() : {4}
  %er = tensor.empty() : {5}
  %ec = tensor.empty() : {6}
)",
        a, b, result, llvm::formatv("{0}.0", isOfColumns() ? m : n), matrix,
        row, column);
    auto reduce = [&](llvm::StringRef name, llvm::StringRef start,
                      llvm::StringRef body, bool columns = false,
                      llvm::StringRef also = "") {
      const std::string out = columns ? row : column;
      const std::string second = also.empty() ? "" : (", " + also).str();
      text += llvm::formatv(
          R"(
  %{0}_i = linalg.fill ins(%{1} : f32) outs(%{2} : {3}) -> {3}
  %{0} = linalg.generic {{indexing_maps = [#ij{9}, {4}],
    iterator_types = [{5}]} ins(%a{6} : {7}{10}) outs(%{0}_i : {3}) {{
  ^bb0(%x: f32{11}, %o: f32):
    {8}
    linalg.yield %s : f32
  } -> {3}
)",
          name, start, columns ? "er" : "ec", out, columns ? "#j" : "#i",
          columns ? "\"reduction\", \"parallel\""
                  : "\"parallel\", \"reduction\"",
          second, matrix, body, also.empty() ? "" : ", #i",
          also.empty() ? "" : ", " + column, also.empty() ? "" : ", %y: f32");
    };
    auto map = [&](llvm::StringRef name, llvm::StringRef maps,
                   llvm::StringRef ins, llvm::StringRef arguments,
                   llvm::StringRef body, llvm::StringRef type,
                   llvm::StringRef empty, unsigned rank) {
      text += llvm::formatv(
          R"(
  %{0} = linalg.generic {{indexing_maps = [{1}], iterator_types = [{2}]}
    ins({3}) outs(%{4} : {5}) {{
  ^bb0({6}, %o: f32):
    {7}
    linalg.yield %s : f32
  } -> {5}
)",
          name, maps, rank == 2 ? "\"parallel\", \"parallel\"" : "\"parallel\"",
          ins, empty, type, arguments, body);
    };
    switch (kind) {
    case Kind::BiasRelu:
      text += llvm::formatv(R"(
  %w = linalg.broadcast ins(%b : {0}) outs(%e : {1}) dimensions = [0]
  %t = linalg.add ins(%a, %w : {1}, {1}) outs(%e : {1}) -> {1}
)",
                            row, matrix);
      map("r", "#ij, #ij", "%t : " + matrix, "%x: f32",
          "%s = arith.maximumf %x, %zero : f32", matrix, "e", 2);
      break;
    case Kind::TransposedAdd:
      text += llvm::formatv(R"(
  %w = linalg.transpose ins(%a : {0}) outs(%e : {1}) permutation = [1, 0]
  %r = linalg.add ins(%w, %b : {1}, {1}) outs(%e : {1}) -> {1}
)",
                            a, matrix);
      break;
    case Kind::RowSum:
      reduce("r", "zero", "%s = arith.addf %x, %o : f32");
      break;
    case Kind::RowMax:
      reduce("r", "low", "%s = arith.maximumf %x, %o : f32");
      break;
    case Kind::RowProduct:
      reduce("r", "one", "%s = arith.mulf %x, %o : f32");
      break;
    case Kind::ColumnSum:
      reduce("r", "zero",
             "%q = arith.mulf %x, %x : f32\n    %s = arith.addf %q, %o : f32",
             /*columns=*/true);
      break;
    case Kind::MeanOfColumns:
      reduce("t", "zero", "%s = arith.addf %x, %o : f32", /*columns=*/true);
      map("r", "#v, #v", "%t : " + row, "%x: f32",
          "%s = arith.divf %x, %size : f32", row, "er", 1);
      break;
    case Kind::Softmax:
      text += llvm::formatv("  %r = linalg.softmax dimension(1) ins(%a : {0}) "
                            "outs(%e : {0}) -> {0}\n",
                            matrix);
      break;
    case Kind::LayerNorm:
      reduce("t", "zero", "%s = arith.addf %x, %o : f32");
      reduce("u", "zero",
             "%m = arith.divf %y, %size : f32\n"
             "    %d = arith.subf %x, %m : f32\n"
             "    %q = arith.mulf %d, %d : f32\n"
             "    %s = arith.addf %q, %o : f32",
             /*columns=*/false, "%t");
      map("r", "#ij, #i, #i, #j, #ij",
          "%a, %t, %u, %b : " + matrix + ", " + column + ", " + column + ", " +
              row,
          "%x: f32, %y: f32, %z: f32, %g: f32",
          "%m = arith.divf %y, %size : f32\n"
          "    %d = arith.subf %x, %m : f32\n"
          "    %v = arith.divf %z, %size : f32\n"
          "    %w = arith.addf %v, %eps : f32\n"
          "    %k = math.rsqrt %w : f32\n"
          "    %h = arith.mulf %d, %k : f32\n"
          "    %s = arith.mulf %h, %g : f32",
          matrix, "e", 2);
      break;
    case Kind::RMSNorm:
      reduce("t", "zero",
             "%q = arith.mulf %x, %x : f32\n    %s = arith.addf %q, %o : f32");
      map("u", "#v, #v", "%t : " + column, "%x: f32",
          "%v = arith.divf %x, %size : f32\n"
          "    %w = arith.addf %v, %eps : f32\n"
          "    %s = math.rsqrt %w : f32",
          column, "ec", 1);
      map("r", "#ij, #i, #j, #ij",
          "%a, %u, %b : " + matrix + ", " + column + ", " + row,
          "%x: f32, %y: f32, %g: f32",
          "%h = arith.mulf %x, %y : f32\n    %s = arith.mulf %h, %g : f32",
          matrix, "e", 2);
      break;
    default:
      break;
    }
    return text + "  return %r : " + result + "\n}\n";
  }

  /// What element `index` of the result is.
  double getExpected(const std::vector<float> &a, const std::vector<float> &b,
                     int64_t index) const {
    const int64_t i = index / n, j = index % n;
    auto sum = [&](int64_t row, auto &&value) {
      double total = 0;
      for (int64_t l = 0; l != n; ++l)
        total += value(double(a[row * n + l]));
      return total;
    };
    // Of the squares that element `kept` of m keeps.
    auto cube = [&](int64_t kept) {
      double total = 0;
      for (int64_t l = 0; l != k; ++l)
        for (int64_t j = 0; j != n; ++j) {
          const double x =
              a[(kind == Kind::CubeMiddle ? l * m + kept : kept * k + l) * n +
                j];
          total += x * x;
        }
      return total;
    };
    switch (kind) {
    case Kind::CubeNorm:
      return std::sqrt(cube(index));
    case Kind::CubeMiddle:
      return cube(index);
    case Kind::CubeSum: {
      double total = 0;
      for (int64_t l = 0; l != m; ++l)
        total += cube(l);
      return total;
    }
    case Kind::ScaledCube:
      return a[index] / (1 + cube(index / (k * n)));
    case Kind::BiasRelu:
      return std::max(0.0, double(a[index]) + b[j]);
    case Kind::TransposedAdd:
      return double(a[j * m + i]) + b[index];
    case Kind::RowSum:
      return sum(index, [](double x) { return x; });
    case Kind::RowMax:
      return *std::max_element(&a[index * n], &a[index * n] + n);
    case Kind::RowProduct: {
      double product = 1;
      for (int64_t l = 0; l != n; ++l)
        product *= a[index * n + l];
      return product;
    }
    case Kind::ColumnSum:
    case Kind::MeanOfColumns: {
      double total = 0;
      for (int64_t l = 0; l != m; ++l) {
        const double x = a[l * n + index];
        total += kind == Kind::ColumnSum ? x * x : x;
      }
      return kind == Kind::ColumnSum ? total : total / m;
    }
    case Kind::Softmax: {
      const double most = *std::max_element(&a[i * n], &a[i * n] + n);
      return std::exp(a[index] - most) /
             sum(i, [&](double x) { return std::exp(x - most); });
    }
    case Kind::LayerNorm: {
      const double mean = sum(i, [](double x) { return x; }) / n;
      const double variance =
          sum(i, [&](double x) { return (x - mean) * (x - mean); }) / n;
      return (a[index] - mean) / std::sqrt(variance + 1e-3) * b[j];
    }
    case Kind::RMSNorm:
      return a[index] /
             std::sqrt(sum(i, [](double x) { return x * x; }) / n + 1e-3) *
             b[j];
    }
    return 0;
  }
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_STAGEDPAYLOAD_H
