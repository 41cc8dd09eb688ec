"""What isa.py reads the inner loops of: operators, CPUs, and what is expected.

    CASES: of each operator on each CPU, its peak, and its bars
    PAYLOADS[name] -> text of a module with func.func @f
    CPUS[name] -> its triple
"""

from dataclasses import dataclass


def function(operands, result, result_type, element, body):
    """@f of two operands, %a and %b, whose op begins with zeros, %i."""
    a, b = operands
    zero = "0 : i32" if element == "i32" else "0.0 : " + element
    return f"""func.func @f(%a: {a}, %b: {b}) -> {result_type} {{
  %z = arith.constant {zero}
  %e = tensor.empty() : {result_type}
  %i = linalg.fill ins(%z : {element}) outs(%e : {result_type}) -> {result_type}
  %r = {result} ins(%a, %b : {a}, {b}) outs(%i : {result_type}){body} -> {result_type}
  return %r : {result_type}
}}
"""


def matmul(element, sum_element, m=256, n=256, k=256):
    operands = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>"
    c = f"tensor<{m}x{n}x{sum_element}>"
    return function(operands, "linalg.matmul", c, sum_element, "")


def mixed(left, right):
    """A product of bytes that are widened by the ops of these names."""
    t = "tensor<256x256x%s>"
    op = """linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
     """
    body = f""" {{
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.{left} %x : i8 to i32
    %ye = arith.{right} %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }}"""
    return function((t % "i8", t % "i8"), op, t % "i32", "i32", body)


def convolution(element, sum_element, size, channels, filters=64):
    """3x3, NHWC, of an image that is padded already."""
    x = f"tensor<1x{size + 2}x{size + 2}x{channels}x{element}>"
    w = f"tensor<3x3x{channels}x{filters}x{element}>"
    y = f"tensor<1x{size}x{size}x{filters}x{sum_element}>"
    return function((x, w), "linalg.conv_2d_nhwc_hwcf", y, sum_element, "")


def batch_matmul():
    t = "tensor<4x128x128x%s>"
    return function((t % "i8", t % "i8"), "linalg.batch_matmul", t % "i32", "i32", "")


PAYLOADS = {
    "matmul-f32": matmul("f32", "f32"),
    "conv-f32": convolution("f32", "f32", 28, 64),
    "matmul-f16": matmul("f16", "f32"),
    "matmul-f16-sums": matmul("f16", "f16"),
    "matmul-bf16": matmul("bf16", "f32"),
    # Steps that groups of four do not divide, as bfmmla has them.
    "matmul-bf16-pairs": matmul("bf16", "f32", k=254),
    "conv-bf16": convolution("bf16", "f32", 32, 128),
    "matmul-i8": matmul("i8", "i32"),
    "matmul-u8-i8": mixed("extui", "extsi"),
    "matmul-i8-u8": mixed("extsi", "extui"),
    "matmul-u8-u8": mixed("extui", "extui"),
    "batch-i8": batch_matmul(),
    "conv-i8": convolution("i8", "i32", 32, 256),
    "conv-i8-64": convolution("i8", "i32", 14, 64),
}

X86, AARCH64 = "x86_64-linux-gnu", "aarch64-linux-gnu"
CPUS = {
    "haswell": X86,
    "znver3": X86,
    "znver4": X86,
    "skylake-avx512": X86,
    "cascadelake": X86,
    "cooperlake": X86,
    "sapphirerapids": X86,
    "alderlake": X86,
    "sierraforest": X86,
    "neoverse-n1": AARCH64,
    "neoverse-n2": AARCH64,
    "neoverse-v1": AARCH64,
    "neoverse-v2": AARCH64,
}


@dataclass
class Case:
    payload: str
    cpu: str
    # What multiplies; "vfmadd" stands for its three orders of operands.
    instruction: str
    # Multiply-adds a cycle: instructions a cycle times what each does.
    peak: int
    # Bars: least percentage of the peak, most spills.
    share: float
    spills: int = 0
    # As LLVM names them, beside those of the CPU.
    features: str = ""

    @property
    def name(self):
        return self.payload + "/" + self.cpu + self.features


# Peaks. Instructions a cycle are those of LLVM's model of the CPU, as llvm-mca can
# reach no more; isa.py says so where an LLVM has others. They are the vendors' (Intel's
# and AMD's optimization manuals, Arm's software optimization guides), except that
# LLVM 22
#   - gives Sapphire Rapids one 512-bit multiplication a cycle instead of two,
#   - has no model of Cascade Lake and Cooper Lake, which are taken for Skylake-X,
#     nor of Sierra Forest, which is taken for Alder Lake's large cores,
#   - has placeholders for tiles, which isa.py replaces by the times of Intel's
#     manual: a product every 16 cycles,
#   - gives broadcasts from memory a slot of the shuffles on Zen, as if they were of
#     a register, which is what bfloat16 of znver3 misses most, and bytes.
# Where pairs of 16 bits are multiplied (vpmaddwd), each is added to its sum by an
# instruction of its own; with 512 bits both take the same two units.
#
# Bars. Shares are what the schedules of this table's date (November 2026) reach,
# less 1.5 and rounded down: room for another release of LLVM, none for a worse loop.
# No spills, but in six loops where the model chose a tile that is too large, or
# too many steps; each has the number that it had:
#   - matmul-f16/neoverse-n2 keeps both halves of four rows and of eight steps,
#   - matmul-i8/alderlake: broadcasts, whose signs are turned before they are used,
#   - conv-i8-64/cascadelake the same, in two iterations of 8 groups; longer loops
#     over channels (conv-i8) do not,
#   - smmla and usmmla on neoverse-n2: one vector, stored and loaded once.
# A schedule with fewer deserves a lower number here.
CASES = [
    Case("matmul-f32", "haswell", "vfmadd", 2 * 8, 98),
    Case("matmul-f32", "znver3", "vfmadd", 2 * 8, 98),
    Case("matmul-f32", "znver4", "vfmadd", 1 * 16, 98),
    Case("matmul-f32", "skylake-avx512", "vfmadd", 2 * 16, 91),
    Case("matmul-f32", "sapphirerapids", "vfmadd", 1 * 16, 98),
    Case("matmul-f32", "neoverse-n1", "fmla", 2 * 4, 95),
    Case("matmul-f32", "neoverse-n2", "fmla", 2 * 4, 98),
    Case("matmul-f32", "neoverse-v1", "fmla", 4 * 4, 98),
    Case("matmul-f32", "neoverse-v2", "fmla", 4 * 4, 95),
    Case("conv-f32", "haswell", "vfmadd", 2 * 8, 98),
    Case("conv-f32", "skylake-avx512", "vfmadd", 2 * 16, 98),
    Case("conv-f32", "neoverse-n1", "fmla", 2 * 4, 93),
    Case("matmul-f16", "znver3", "vfmadd", 2 * 8, 87),
    Case("matmul-f16", "cascadelake", "vfmadd", 2 * 16, 82),
    Case("matmul-f16", "neoverse-n2", "fmla", 2 * 4, 54, 8),
    Case("matmul-f16-sums", "sapphirerapids", "vfmadd", 1 * 32, 98),
    Case("matmul-f16-sums", "neoverse-n2", "fmla", 2 * 8, 98),
    Case("matmul-bf16", "znver3", "vfmadd", 2 * 8, 44),
    Case("matmul-bf16", "cascadelake", "vfmadd", 2 * 16, 64),
    Case("matmul-bf16", "cooperlake", "vdpbf16ps", 2 * 32, 87),
    Case("matmul-bf16", "sapphirerapids", "tdpbf16ps", 16 * 16 * 32 // 16, 98),
    Case("matmul-bf16", "neoverse-n2", "bfmmla", 2 * 16, 78),
    Case("matmul-bf16", "neoverse-v1", "bfmmla", 4 * 16, 78),
    Case("matmul-bf16-pairs", "neoverse-n2", "bfdot", 2 * 8, 58),
    Case("conv-bf16", "cooperlake", "vdpbf16ps", 2 * 32, 90),
    Case("conv-bf16", "sapphirerapids", "tdpbf16ps", 16 * 16 * 32 // 16, 98),
    Case("matmul-i8", "haswell", "vpmaddwd", 16, 98),
    Case("matmul-i8", "znver3", "vpmaddwd", 2 * 16, 55),
    Case("matmul-i8", "skylake-avx512", "vpmaddwd", 2 * 32, 49),
    Case("matmul-i8", "cascadelake", "vpdpbusd", 2 * 64, 78),
    Case("matmul-i8", "alderlake", "vpdpbusd", 2 * 32, 84, 74),
    Case("matmul-i8", "sierraforest", "vpdpbssd", 2 * 32, 98),
    Case("matmul-i8", "sapphirerapids", "tdpbssd", 16 * 16 * 64 // 16, 98),
    Case("matmul-i8", "neoverse-n1", "sdot", 2 * 16, 96),
    Case("matmul-i8", "neoverse-n2", "smmla", 2 * 32, 77, 2),
    Case("matmul-i8", "neoverse-v1", "smmla", 4 * 32, 78),
    Case("matmul-i8", "neoverse-n2", "sdot", 2 * 16, 98, features="-i8mm"),
    Case("matmul-u8-u8", "cascadelake", "vpdpwssd", 2 * 32, 83),
    Case("matmul-u8-i8", "cascadelake", "vpdpbusd", 2 * 64, 98),
    Case("matmul-u8-i8", "alderlake", "vpdpbusd", 2 * 32, 98),
    Case("matmul-u8-i8", "sapphirerapids", "tdpbusd", 16 * 16 * 64 // 16, 98),
    Case("matmul-u8-i8", "neoverse-n2", "usmmla", 2 * 32, 77, 2),
    Case("matmul-i8-u8", "neoverse-n2", "usdot", 2 * 16, 98),
    Case("batch-i8", "cascadelake", "vpdpbusd", 2 * 64, 73),
    Case("conv-i8", "haswell", "vpmaddwd", 16, 98),
    Case("conv-i8", "cascadelake", "vpdpbusd", 2 * 64, 65),
    Case("conv-i8", "sapphirerapids", "tdpbssd", 16 * 16 * 64 // 16, 98),
    Case("conv-i8", "neoverse-n1", "sdot", 2 * 16, 96),
    Case("conv-i8", "neoverse-n2", "smmla", 2 * 32, 77, 2),
    Case("conv-i8-64", "cascadelake", "vpdpbusd", 2 * 64, 61, 60),
]
