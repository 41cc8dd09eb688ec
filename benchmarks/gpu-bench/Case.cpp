//===- Case.cpp - What is measured on a GPU -------------------------------===//

#include "Case.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace sched::bench {

static TensorSpec makeSpec(std::vector<int64_t> shape,
                           ElementType type = ElementType::F32) {
  TensorSpec spec;
  spec.shape = std::move(shape);
  spec.elementType = type;
  return spec;
}

static TensorSpec makeResult(std::vector<int64_t> shape,
                             int64_t reductionLength) {
  TensorSpec spec = makeSpec(std::move(shape));
  spec.isResult = true;
  spec.reductionLength = reductionLength;
  spec.precision = ElementType::F32;
  return spec;
}

static Case makeMatmul(int64_t n, ElementType type, double bar) {
  Case result;
  const std::string element = str(type).str();
  result.name = formatv("matmul_{0}_{1}", n, element);
  result.payload = formatv(
      R"(func.func @f(%a: tensor<{0}x{0}x{1}>, %b: tensor<{0}x{0}x{1}>) -> tensor<{0}x{0}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{0}x{0}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32>
  %r = linalg.matmul ins(%a, %b : tensor<{0}x{0}x{1}>, tensor<{0}x{0}x{1}>) outs(%init : tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32>
  return %r : tensor<{0}x{0}xf32>
}
)",
      n, element);
  result.operands = {makeSpec({n, n}, type), makeSpec({n, n}, type),
                     makeResult({n, n}, n)};
  result.flops = 2.0 * n * n * n;
  result.opponent = Opponent::Cublas;
  result.bar = bar;
  return result;
}

/// The last convolution of ResNet-50, with bias and relu.
static Case makeConvolution(int64_t channels) {
  Case result;
  result.name = formatv("conv_7x7x{0}", channels);
  result.payload = formatv(
      R"(func.func @f(%x: tensor<1x{0}x7x7xf32>, %w: tensor<{0}x{0}x3x3xf32>, %bias: tensor<{0}xf32>) -> tensor<1x{0}x7x7xf32> {{
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x{0}x7x7xf32> to tensor<1x{0}x9x9xf32>
  %empty = tensor.empty() : tensor<1x{0}x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x{0}x7x7xf32>) -> tensor<1x{0}x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x{0}x9x9xf32>, tensor<{0}x{0}x3x3xf32>) outs(%init : tensor<1x{0}x7x7xf32>) -> tensor<1x{0}x7x7xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %bias : tensor<1x{0}x7x7xf32>, tensor<{0}xf32>) outs(%empty : tensor<1x{0}x7x7xf32>) {{
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x{0}x7x7xf32>
  return %r : tensor<1x{0}x7x7xf32>
}
)",
      channels);
  result.operands = {makeSpec({1, channels, 7, 7}),
                     makeSpec({channels, channels, 3, 3}), makeSpec({channels}),
                     makeResult({1, channels, 7, 7}, 9 * channels)};
  result.flops = 2.0 * channels * 49 * 9 * channels;
  result.opponent = Opponent::Cudnn;
  result.bar = 1.0;
  return result;
}

static Case makeSoftmax(int64_t n) {
  Case result;
  result.name = formatv("softmax_{0}x{0}", n);
  result.payload = formatv(
      R"(func.func @f(%x: tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32> {{
  %empty = tensor.empty() : tensor<{0}x{0}xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<{0}x{0}xf32>) outs(%empty : tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32>
  return %r : tensor<{0}x{0}xf32>
}
)",
      n);
  result.operands = {makeSpec({n, n}), makeResult({n, n}, n)};
  result.opponent = Opponent::Copy;
  result.bar = 0.8;
  return result;
}

/// (x - mean) * rsqrt(variance + 1e-5) * scale + shift, of each row.
static Case makeLayerNorm(int64_t n) {
  Case result;
  result.name = formatv("layer_norm_{0}x{0}", n);
  result.payload = formatv(
      R"(#both = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
func.func @f(%x: tensor<{0}x{0}xf32>, %scale: tensor<{0}xf32>, %shift: tensor<{0}xf32>) -> tensor<{0}x{0}xf32> {{
  %zero = arith.constant 0.0 : f32
  %share = arith.constant {1:e10} : f32
  %small = arith.constant 1.0e-05 : f32
  %row = tensor.empty() : tensor<{0}xf32>
  %all = tensor.empty() : tensor<{0}x{0}xf32>
  %none = linalg.fill ins(%zero : f32) outs(%row : tensor<{0}xf32>) -> tensor<{0}xf32>
  %sum = linalg.generic {{indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<{0}x{0}xf32>) outs(%none : tensor<{0}xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<{0}xf32>
  %squares = linalg.generic {{indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %sum : tensor<{0}x{0}xf32>, tensor<{0}xf32>) outs(%none : tensor<{0}xf32>) {{
  ^bb0(%a: f32, %s: f32, %o: f32):
    %mean = arith.mulf %s, %share : f32
    %d = arith.subf %a, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %r = arith.addf %o, %dd : f32
    linalg.yield %r : f32
  } -> tensor<{0}xf32>
  %r = linalg.generic {{indexing_maps = [#both, #row, #row, #column, #column, #both], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %squares, %scale, %shift : tensor<{0}x{0}xf32>, tensor<{0}xf32>, tensor<{0}xf32>, tensor<{0}xf32>, tensor<{0}xf32>) outs(%all : tensor<{0}x{0}xf32>) {{
  ^bb0(%a: f32, %s: f32, %q: f32, %g: f32, %h: f32, %o: f32):
    %mean = arith.mulf %s, %share : f32
    %d = arith.subf %a, %mean : f32
    %v = arith.mulf %q, %share : f32
    %e = arith.addf %v, %small : f32
    %t = math.rsqrt %e : f32
    %u = arith.mulf %d, %t : f32
    %w = arith.mulf %u, %g : f32
    %y = arith.addf %w, %h : f32
    linalg.yield %y : f32
  } -> tensor<{0}x{0}xf32>
  return %r : tensor<{0}x{0}xf32>
}
)",
      n, 1.0 / static_cast<double>(n));
  result.operands = {makeSpec({n, n}), makeSpec({n}), makeSpec({n}),
                     makeResult({n, n}, 2 * n)};
  result.opponent = Opponent::Copy;
  result.bar = 0.8;
  return result;
}

std::vector<Case> makeCases(const CaseSizes &sizes) {
  std::vector<Case> cases;
  cases.push_back(makeMatmul(sizes.matmul, ElementType::F32, 0.85));
  cases.push_back(makeConvolution(sizes.channels));
  cases.push_back(makeMatmul(sizes.matmul, ElementType::F16, 0.6));
  cases.push_back(makeSoftmax(sizes.rows));
  cases.push_back(makeLayerNorm(sizes.rows));
  return cases;
}

} // namespace sched::bench
