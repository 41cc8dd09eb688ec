// C = A * B, f32, 127x255 times 255x129.
func.func @f(%a: tensor<127x255xf32>, %b: tensor<255x129xf32>) -> tensor<127x129xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<127x129xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<127x129xf32>) -> tensor<127x129xf32>
  %product = linalg.matmul ins(%a, %b : tensor<127x255xf32>, tensor<255x129xf32>)
                           outs(%init : tensor<127x129xf32>) -> tensor<127x129xf32>
  return %product : tensor<127x129xf32>
}
