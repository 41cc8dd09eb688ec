// RUN: sched-opt %s --sched-kernel-abi -verify-diagnostics -split-input-file

// expected-error @below {{argument 1 has type 'tensor<?x4xf32>'; expected a dense ranked tensor of static shape: pass linalg on tensors with constant sizes}}
func.func @dynamic(%a: tensor<4xf32>, %b: tensor<?x4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

#rows = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @sparse(%a: tensor<4xf32>,
    // expected-error @below {{expected a dense ranked tensor}}
    %b: tensor<4x4xf32, #rows>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 has type 'memref<4xf32>'; expected a dense ranked tensor of static shape}}
func.func @buffer(%a: memref<4xf32>) -> tensor<4xf32> {
  %r = tensor.empty() : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{result 1 has type 'f32'; expected a dense ranked tensor of static shape}}
func.func @scalar(%a: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, f32) {
  return %a, %s : tensor<4xf32>, f32
}

// -----

func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls a function that has no body here; expected ops on tensors only: compute it outside of @calls}}
  %r = call @outside(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @recurses(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls a function that cannot be inlined; expected no recursion and one block a function in @recurses}}
  %r = call @recurses(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @prints(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  // expected-error @below {{'vector.print' op has side effects; expected ops on tensors only: move it out of @prints}}
  vector.print %s : f32
  return %a : tensor<4xf32>
}

// -----

func.func @scattered(%a: tensor<9x4xf32>, %b: tensor<3x1x4xf32>, %i: tensor<3x1xindex>) -> tensor<9x4xf32> {
  // expected-error @below {{'tensor.scatter' op has no lowering for a CPU; expected ops of linalg, tensor, vector, scf, arith and math in @scattered}}
  %r = tensor.scatter %b into %a[%i] scatter_dims([0]) unique : (tensor<3x1x4xf32>, tensor<9x4xf32>, tensor<3x1xindex>) -> tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}

// -----

func.func @unknown(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tosa.custom' op has no lowering for a CPU; expected ops of linalg, tensor, vector, scf, arith and math in @unknown}}
  %r = tosa.custom %a {operator_name = "x", domain_name = "y", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{has control flow between blocks; expected one block of structured ops}}
func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %a : tensor<4xf32>
}
