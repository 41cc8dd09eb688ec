// C = A * B + D, f32, 1024^3. The layout of B is free: it may be packed
// beforehand, outside of f, by the function f_pack_arg1 that comes with it.
!matrix = tensor<1024x1024xf32>
func.func @f(%a: !matrix, %b: !matrix {schedule.layout_free}, %d: !matrix) -> !matrix {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !matrix
  %init = linalg.fill ins(%zero : f32) outs(%empty : !matrix) -> !matrix
  %product = linalg.matmul ins(%a, %b : !matrix, !matrix) outs(%init : !matrix) -> !matrix
  %place = tensor.empty() : !matrix
  %sum = linalg.add ins(%product, %d : !matrix, !matrix) outs(%place : !matrix) -> !matrix
  return %sum : !matrix
}
