// A linalg.transpose of a tensor without dimensions ends upstream's verifier:
// the map of no dimensions is null. Nothing of ours can be done about it. When
// this test fails, upstream has mended it: delete the test.

// RUN: not --crash mlir-opt-22 %s

func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = linalg.transpose ins(%a : tensor<f32>) outs(%b : tensor<f32>) permutation = []
  return %r : tensor<f32>
}
