//===- KernelPayloads.h - Functions to schedule for a GPU -------*- C++ -*-===//
//
// Functions @f of one task each, as text.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_SPACE_KERNELPAYLOADS_H
#define SCHEDOPT_TEST_UNIT_SPACE_KERNELPAYLOADS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace sched::test {

/// @f: the function with the body `ops`, whose last value %r is returned. `%e`
/// is an empty tensor and `%i` a fill, of the result's type.
inline std::string function(llvm::StringRef arguments, llvm::StringRef result,
                            llvm::StringRef ops) {
  const llvm::StringRef element = result.rsplit('x').second.drop_back();
  return llvm::formatv(R"(
    func.func @f({0}) -> {1} {{
      %z = arith.constant {4} : {2}
      %e = tensor.empty() : {1}
      %i = linalg.fill ins(%z : {2}) outs(%e : {1}) -> {1}
      {3}
      return %r : {1}
    }
  )",
                       arguments, result, element, ops,
                       element.starts_with("i") ? "0" : "0.0");
}

inline std::string product(int64_t m, int64_t n, int64_t k,
                           llvm::StringRef type = "f32",
                           llvm::StringRef sum = "f32") {
  const std::string a = llvm::formatv("tensor<{0}x{1}x{2}>", m, k, type),
                    b = llvm::formatv("tensor<{0}x{1}x{2}>", k, n, type),
                    c = llvm::formatv("tensor<{0}x{1}x{2}>", m, n, sum);
  return function("%a: " + a + ", %b: " + b, c,
                  "%r = linalg.matmul ins(%a, %b : " + a + ", " + b +
                      ") outs(%i : " + c + ") -> " + c);
}

/// With %b stored as n x k.
inline std::string transposedProduct(int64_t m, int64_t n, int64_t k) {
  const std::string a = llvm::formatv("tensor<{0}x{1}xf32>", m, k),
                    b = llvm::formatv("tensor<{0}x{1}xf32>", n, k),
                    c = llvm::formatv("tensor<{0}x{1}xf32>", m, n);
  return function("%a: " + a + ", %b: " + b, c,
                  R"(%r = linalg.matmul indexing_maps =
    [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
     affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : )" +
                      a + ", " + b + ") outs(%i : " + c + ") -> " + c);
}

/// A product, a bias along the columns, and what is not below 0 of it.
inline std::string productWithEpilogue(int64_t m, int64_t n, int64_t k) {
  const std::string a = llvm::formatv("tensor<{0}x{1}xf32>", m, k),
                    b = llvm::formatv("tensor<{0}x{1}xf32>", k, n),
                    c = llvm::formatv("tensor<{0}x{1}xf32>", m, n),
                    d = llvm::formatv("tensor<{0}xf32>", n);
  return function(
      "%a: " + a + ", %b: " + b + ", %d: " + d, c,
      "%p = linalg.matmul ins(%a, %b : " + a + ", " + b + ") outs(%i : " + c +
          ") -> " + c + "\n%s = linalg.broadcast ins(%d : " + d +
          ") outs(%e : " + c + ") dimensions = [0]\n%t = linalg.add ins(%p, " +
          "%s : " + c + ", " + c + ") outs(%e : " + c + ") -> " + c +
          "\n%r = linalg.max ins(%t, %i : " + c + ", " + c +
          ") outs(%e : " + c + ") -> " + c);
}

inline std::string batchProduct(int64_t batch, int64_t m, int64_t n,
                                int64_t k) {
  const std::string a = llvm::formatv("tensor<{0}x{1}x{2}xf32>", batch, m, k),
                    b = llvm::formatv("tensor<{0}x{1}x{2}xf32>", batch, k, n),
                    c = llvm::formatv("tensor<{0}x{1}x{2}xf32>", batch, m, n);
  return function("%a: " + a + ", %b: " + b, c,
                  "%r = linalg.batch_matmul ins(%a, %b : " + a + ", " + b +
                      ") outs(%i : " + c + ") -> " + c);
}

/// Channels last, `stride` apart.
inline std::string convolution(int64_t images, int64_t size, int64_t channels,
                               int64_t filters, int64_t window,
                               int64_t stride = 1) {
  const int64_t in = (size - 1) * stride + window;
  const std::string x = llvm::formatv("tensor<{0}x{1}x{1}x{2}xf32>", images, in,
                                      channels),
                    w = llvm::formatv("tensor<{0}x{0}x{1}x{2}xf32>", window,
                                      channels, filters),
                    y = llvm::formatv("tensor<{0}x{1}x{1}x{2}xf32>", images,
                                      size, filters);
  return function("%x: " + x + ", %w: " + w, y,
                  llvm::formatv("%r = linalg.conv_2d_nhwc_hwcf {{strides = "
                                "dense<{0}> : tensor<2xi64>} ins(%x, %w : ",
                                stride)
                          .str() +
                      x + ", " + w + ") outs(%i : " + y + ") -> " + y);
}

inline std::string channelsFirst(int64_t images, int64_t size, int64_t channels,
                                 int64_t filters, int64_t window) {
  const std::string x = llvm::formatv("tensor<{0}x{2}x{1}x{1}xf32>", images,
                                      size + window - 1, channels),
                    w = llvm::formatv("tensor<{2}x{1}x{0}x{0}xf32>", window,
                                      channels, filters),
                    y = llvm::formatv("tensor<{0}x{2}x{1}x{1}xf32>", images,
                                      size, filters);
  return function("%x: " + x + ", %w: " + w, y,
                  "%r = linalg.conv_2d_nchw_fchw ins(%x, %w : " + x + ", " + w +
                      ") outs(%i : " + y + ") -> " + y);
}

inline std::string depthwise(int64_t size, int64_t channels) {
  const std::string x = llvm::formatv("tensor<1x{0}x{0}x{1}xf32>", size + 2,
                                      channels),
                    w = llvm::formatv("tensor<3x3x{0}xf32>", channels),
                    y = llvm::formatv("tensor<1x{0}x{0}x{1}xf32>", size,
                                      channels);
  return function("%x: " + x + ", %w: " + w, y,
                  "%r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : " + x +
                      ", " + w + ") outs(%i : " + y + ") -> " + y);
}

inline std::string softmax(int64_t rows, int64_t columns) {
  const std::string x = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
  return function("%x: " + x, x,
                  "%r = linalg.softmax dimension(1) ins(%x : " + x +
                      ") outs(%e : " + x + ") -> " + x);
}

/// A sum along dimension `dim`.
inline std::string sum(int64_t rows, int64_t columns, int64_t dim) {
  const std::string x = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns),
                    y = llvm::formatv("tensor<{0}xf32>", dim ? rows : columns);
  return function("%x: " + x, y,
                  llvm::formatv("%r = linalg.reduce {{ arith.addf } ins(%x : "
                                "{0}) outs(%i : {1}) dimensions = [{2}]",
                                x, y, dim)
                      .str());
}

inline std::string elementwise(llvm::StringRef type) {
  return function(("%a: " + type + ", %b: " + type).str(), type,
                  ("%r = linalg.add ins(%a, %b : " + type + ", " + type +
                   ") outs(%e : " + type + ") -> " + type)
                      .str());
}

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_SPACE_KERNELPAYLOADS_H
