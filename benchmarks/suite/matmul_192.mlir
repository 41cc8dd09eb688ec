// C = A * B, f32, 192x192 times 192x192.
func.func @f(%a: tensor<192x192xf32>, %b: tensor<192x192xf32>) -> tensor<192x192xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<192x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<192x192xf32>) -> tensor<192x192xf32>
  %product = linalg.matmul ins(%a, %b : tensor<192x192xf32>, tensor<192x192xf32>)
                           outs(%init : tensor<192x192xf32>) -> tensor<192x192xf32>
  return %product : tensor<192x192xf32>
}
