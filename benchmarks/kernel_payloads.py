"""The operators that kernels.py builds for GPUs, as MLIR.

    PAYLOADS[name].write(small) -> text of a module with func.func @f

Each has its full shape, which is compiled, and a small one of the same kind
(ragged where the full one is), which the emulator runs.
"""

from dataclasses import dataclass
from typing import Callable, Tuple

RELU = """    %s = arith.addf %o, %b : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32"""


def filled(shape):
    """%e, an empty tensor, and %f of zeros, for f32."""
    return f"""  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{shape}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{shape}xf32>) -> tensor<{shape}xf32>"""


def matmul(m, n, k, element="f32"):
    """relu(a * b + bias); sums of f32."""
    ab = f"tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>"
    c = f"tensor<{m}x{n}xf32>"
    return f"""func.func @f(%a: tensor<{m}x{k}x{element}>, %b: tensor<{k}x{n}x{element}>,
    %bias: tensor<{n}xf32>) -> {c} {{
{filled(f"{m}x{n}")}
  %p = linalg.matmul ins(%a, %b : {ab}) outs(%f : {c}) -> {c}
  %r = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%p, %bias : {c}, tensor<{n}xf32>) outs(%e : {c}) {{
  ^bb0(%o: f32, %b0: f32, %u: f32):
{RELU.replace("%b :", "%b0 :")}
  }} -> {c}
  return %r : {c}
}}
"""


def batch_matmul(batch, m, n, k):
    a, b, c = (f"tensor<{batch}x{r}x{q}xf32>" for r, q in ((m, k), (k, n), (m, n)))
    return f"""func.func @f(%a: {a}, %b: {b}) -> {c} {{
{filled(f"{batch}x{m}x{n}")}
  %p = linalg.batch_matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}
  return %p : {c}
}}
"""


def softmax(rows, columns):
    t = f"tensor<{rows}x{columns}xf32>"
    return f"""func.func @f(%x: {t}) -> {t} {{
  %e = tensor.empty() : {t}
  %r = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
  return %r : {t}
}}
"""


def layer_norm(rows, columns):
    x, row, column = (
        f"tensor<{s}xf32>" for s in (f"{rows}x{columns}", str(rows), str(columns))
    )
    reduce = 'iterator_types = ["parallel", "reduction"]'
    return f"""#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @f(%x: {x}, %scale: {column}, %shift: {column}) -> {x} {{
{filled(rows)}
  %n = arith.constant {columns}.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %out = tensor.empty() : {x}
  %sum = linalg.generic {{indexing_maps = [#all, #row], {reduce}}}
      ins(%x : {x}) outs(%f : {row}) {{
  ^bb0(%v: f32, %a: f32):
    %s = arith.addf %a, %v : f32
    linalg.yield %s : f32
  }} -> {row}
  %squares = linalg.generic {{indexing_maps = [#all, #row, #row], {reduce}}}
      ins(%x, %sum : {x}, {row}) outs(%f : {row}) {{
  ^bb0(%v: f32, %t: f32, %a: f32):
    %mean = arith.divf %t, %n : f32
    %d = arith.subf %v, %mean : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %a, %q : f32
    linalg.yield %s : f32
  }} -> {row}
  %r = linalg.generic {{
      indexing_maps = [#all, #row, #row, #column, #column, #all],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %sum, %squares, %scale, %shift : {x}, {row}, {row}, {column}, {column})
      outs(%out : {x}) {{
  ^bb0(%v: f32, %t: f32, %q: f32, %g: f32, %h: f32, %u: f32):
    %mean = arith.divf %t, %n : f32
    %variance = arith.divf %q, %n : f32
    %safe = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %safe : f32
    %d = arith.subf %v, %mean : f32
    %normal = arith.mulf %d, %inverse : f32
    %scaled = arith.mulf %normal, %g : f32
    %shifted = arith.addf %scaled, %h : f32
    linalg.yield %shifted : f32
  }} -> {x}
  return %r : {x}
}}
"""


def convolution(channels, filters, size):
    """relu(3x3 convolution, padded by one, + bias), NCHW."""
    x = f"tensor<1x{channels}x{size}x{size}xf32>"
    padded = f"tensor<1x{channels}x{size + 2}x{size + 2}xf32>"
    w = f"tensor<{filters}x{channels}x3x3xf32>"
    y = f"tensor<1x{filters}x{size}x{size}xf32>"
    return f"""func.func @f(%x: {x}, %w: {w}, %bias: tensor<{filters}xf32>) -> {y} {{
{filled(f"1x{filters}x{size}x{size}")}
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  }} : {x} to {padded}
  %c = linalg.conv_2d_nchw_fchw {{dilations = dense<1> : tensor<2xi64>,
      strides = dense<1> : tensor<2xi64>}}
      ins(%padded, %w : {padded}, {w}) outs(%f : {y}) -> {y}
  %r = linalg.generic {{
      indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>,
                       affine_map<(n, f, h, w) -> (f)>,
                       affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%c, %bias : {y}, tensor<{filters}xf32>) outs(%e : {y}) {{
  ^bb0(%o: f32, %b: f32, %u: f32):
{RELU}
  }} -> {y}
  return %r : {y}
}}
"""


def depthwise(channels, size):
    """3x3, NHWC, of an image that is padded already."""
    x = f"tensor<1x{size + 2}x{size + 2}x{channels}xf32>"
    y = f"tensor<1x{size}x{size}x{channels}xf32>"
    w = f"tensor<3x3x{channels}xf32>"
    return f"""func.func @f(%x: {x}, %w: {w}) -> {y} {{
{filled(f"1x{size}x{size}x{channels}")}
  %c = linalg.depthwise_conv_2d_nhwc_hwc {{dilations = dense<1> : tensor<2xi64>,
      strides = dense<1> : tensor<2xi64>}} ins(%x, %w : {x}, {w}) outs(%f : {y}) -> {y}
  return %c : {y}
}}
"""


@dataclass(frozen=True)
class Payload:
    make: Callable[..., str]
    full: Tuple
    small: Tuple

    def write(self, small=False):
        return self.make(*(self.small if small else self.full))


PAYLOADS = {
    "matmul_f32": Payload(matmul, (1024, 1024, 1024), (256, 256, 64)),
    "matmul_odd": Payload(matmul, (1000, 777, 515), (100, 77, 51)),
    "matmul_f16": Payload(matmul, (512, 512, 1024, "f16"), (128, 64, 96, "f16")),
    "matmul_bf16": Payload(matmul, (512, 512, 1024, "bf16"), (65, 77, 96, "bf16")),
    "batch_matmul": Payload(batch_matmul, (16, 128, 128, 64), (3, 50, 40, 33)),
    "softmax": Payload(softmax, (256, 1000), (17, 131)),
    "layer_norm": Payload(layer_norm, (256, 1000), (9, 130)),
    "convolution": Payload(convolution, (512, 512, 7), (24, 40, 7)),
    "depthwise": Payload(depthwise, (96, 56), (13, 9)),
    # For the inner loops alone: large enough for the largest tiles.
    "large_f32": Payload(matmul, (4096, 4096, 4096), (256, 128, 32)),
    "large_f16": Payload(matmul, (4096, 4096, 4096, "f16"), (256, 128, 64, "f16")),
}
