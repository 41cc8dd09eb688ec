"""MLIR that the tests of the package share, and where it is kept."""

import os
import sys

# A folder of the test's own: its first argument, taken from unittest's.
FOLDER = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "."
os.makedirs(FOLDER, exist_ok=True)


def matmul_add(m=16, n=32, k=24, element="f32", free=False):
    """c = a * b + d."""
    zero = "0" if element.startswith("i") else "0.0"
    constant = "arith.constant %s : %s" % (zero, element)
    attribute = " {schedule.layout_free}" if free else ""
    return """
func.func @f(%%a: tensor<%(m)dx%(k)dx%(e)s>, %%b: tensor<%(k)dx%(n)dx%(e)s>%(free)s,
             %%d: tensor<%(m)dx%(n)dx%(e)s>) -> tensor<%(m)dx%(n)dx%(e)s> {
  %%z = %(zero)s
  %%e = tensor.empty() : tensor<%(m)dx%(n)dx%(e)s>
  %%i = linalg.fill ins(%%z : %(e)s) outs(%%e : tensor<%(m)dx%(n)dx%(e)s>)
      -> tensor<%(m)dx%(n)dx%(e)s>
  %%p = linalg.matmul ins(%%a, %%b : tensor<%(m)dx%(k)dx%(e)s>, tensor<%(k)dx%(n)dx%(e)s>)
      outs(%%i : tensor<%(m)dx%(n)dx%(e)s>) -> tensor<%(m)dx%(n)dx%(e)s>
  %%r = linalg.add ins(%%p, %%d : tensor<%(m)dx%(n)dx%(e)s>, tensor<%(m)dx%(n)dx%(e)s>)
      outs(%%e : tensor<%(m)dx%(n)dx%(e)s>) -> tensor<%(m)dx%(n)dx%(e)s>
  return %%r : tensor<%(m)dx%(n)dx%(e)s>
}
""" % {"m": m, "n": n, "k": k, "e": element, "free": attribute, "zero": constant}


# int8 times int8, summed in int32.
QUANTIZED = """
func.func @q(%a: tensor<8x16xi8>, %b: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x8xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x8xi8>)
      outs(%i : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}
"""

# Two functions; the second has two results and an operand of no dimensions.
SEVERAL = """
#line = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @twice(%a: tensor<33xf64>) -> tensor<33xf64> {
  %e = tensor.empty() : tensor<33xf64>
  %r = linalg.add ins(%a, %a : tensor<33xf64>, tensor<33xf64>)
      outs(%e : tensor<33xf64>) -> tensor<33xf64>
  return %r : tensor<33xf64>
}
func.func @both(%a: tensor<33xf64>, %s: tensor<f64>) -> (tensor<33xf64>, tensor<33xf64>) {
  %e = tensor.empty() : tensor<33xf64>
  %sum = linalg.generic {indexing_maps = [#line, #none, #line], iterator_types = ["parallel"]}
      ins(%a, %s : tensor<33xf64>, tensor<f64>) outs(%e : tensor<33xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %v = arith.addf %x, %y : f64
    linalg.yield %v : f64
  } -> tensor<33xf64>
  %product = linalg.generic {indexing_maps = [#line, #none, #line],
                             iterator_types = ["parallel"]}
      ins(%a, %s : tensor<33xf64>, tensor<f64>) outs(%e : tensor<33xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %v = arith.mulf %x, %y : f64
    linalg.yield %v : f64
  } -> tensor<33xf64>
  return %sum, %product : tensor<33xf64>, tensor<33xf64>
}
"""
