// RUN: sched-opt %s --schedule-extract-tasks --split-input-file -verify-diagnostics

// expected-error @below {{found no function with a body in the module; expected a public func.func on ranked tensors of static shape}}
module {
  func.func private @declared(tensor<4xf32>)
}

// -----

// expected-error @below {{found no linalg op in the module; expected linalg ops on tensors: convert the input to linalg first}}
module {
  func.func @identity(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}

// -----

func.func @elided(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.constant' op in @elided: found no bytes of the resource 'weights'; expected them in 'dialect_resources' at the end of the input: write it without eliding resources}}
  %w = arith.constant dense_resource<weights> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.mul ins(%a, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func private @blocks(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<8x8xf32>
}
func.func @calls_blocks(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{'func.call' op calls @blocks, which has several blocks; expected one, as calls are inlined: use scf.if and scf.for}}
  %r = call @blocks(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

func.func @dynamic(
    %a: tensor<8x8xf32>,
    // expected-error @below {{argument #1 of @dynamic: expected ranked tensors of static shape; found 'tensor<?x8xf32>'; dynamic shapes are not schedulable: write one function for each shape}}
    %b: tensor<?x8xf32>) {
  return
}

// -----

// Read as if it were dense, it would be another product.
#rows = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @sparse(
    // expected-error @below {{argument #0 of @sparse: expected dense tensors; found 'tensor<8x8xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>'; encodings are not schedulable: lower them to dense tensors before}}
    %a: tensor<8x8xf32, #rows>) {
  return
}

// -----

// expected-error @below {{result #0 of @dynamic_result: expected ranked tensors of static shape; found 'tensor<?xf32>'}}
func.func @dynamic_result(%a: tensor<4xf32>) -> tensor<?xf32> {
  %r = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @dynamic_inside(%a: tensor<4xf32>) {
  // expected-error @below {{'tensor.cast' op result in @dynamic_inside: expected tensors of static shape; found 'tensor<?xf32>'}}
  %r = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  return
}

// -----

func.func @bufferized(
    // expected-error @below {{argument #0 of @bufferized: expected ranked tensors of static shape; found 'memref<8x8xf32>'; bufferized input is not schedulable: pass linalg on tensors}}
    %a: memref<8x8xf32>) {
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>)
                outs(%a : memref<8x8xf32>)
  return
}

// -----

// expected-error @below {{argument #0 of @scalar: expected ranked tensors of static shape; found 'f32'; wrap the value in a tensor}}
func.func @scalar(%a: f32) {
  return
}

// -----

func.func @prints(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %v = arith.constant dense<0.0> : vector<4xf32>
  // expected-error @below {{'vector.print' op has side effects; expected ops on tensors without side effects in what is scheduled: move it out of @prints}}
  vector.print %v : vector<4xf32>
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

func.func private @unknown()
func.func @calls(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{'func.call' op calls @unknown, which has no body here and may have side effects}}
  call @unknown() : () -> ()
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

func.func @matmul(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// expected-remark @below {{compiled by the default schedule, without a search: private function @helper is not schedulable}}
func.func private @helper(
    // expected-note @below {{argument #0 of @helper: expected ranked tensors of static shape; found 'memref<8xf32>'}}
    %i: memref<8xf32>) {
  return
}
