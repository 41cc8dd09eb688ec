// RUN: sched-opt %s --sched-bind-blocks --split-input-file -verify-diagnostics
// RUN: sched-opt %s --sched-form-kernels --split-input-file -verify-diagnostics

// expected-error @below {{has a tensor of 'complex<f32>', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @complexf32(%x: tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>> {
  %o = tensor.empty() : tensor<64xcomplex<f32>>
  %r = linalg.copy ins(%x : tensor<64xcomplex<f32>>) outs(%o : tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  return %r : tensor<64xcomplex<f32>>
}

// -----

// expected-error @below {{has a tensor of 'vector<4xf32>', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @vector4xf32(%x: tensor<64xvector<4xf32>>) -> tensor<64xvector<4xf32>> {
  %o = tensor.empty() : tensor<64xvector<4xf32>>
  %r = linalg.copy ins(%x : tensor<64xvector<4xf32>>) outs(%o : tensor<64xvector<4xf32>>) -> tensor<64xvector<4xf32>>
  return %r : tensor<64xvector<4xf32>>
}

// -----

// expected-error @below {{has a tensor of 'f80', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @f80(%x: tensor<64xf80>) -> tensor<64xf80> {
  %o = tensor.empty() : tensor<64xf80>
  %r = linalg.copy ins(%x : tensor<64xf80>) outs(%o : tensor<64xf80>) -> tensor<64xf80>
  return %r : tensor<64xf80>
}

// -----

// expected-error @below {{has a tensor of 'f128', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @f128(%x: tensor<64xf128>) -> tensor<64xf128> {
  %o = tensor.empty() : tensor<64xf128>
  %r = linalg.copy ins(%x : tensor<64xf128>) outs(%o : tensor<64xf128>) -> tensor<64xf128>
  return %r : tensor<64xf128>
}

// -----

// expected-error @below {{has a tensor of 'f8E4M3FN', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @f8E4M3FN(%x: tensor<64xf8E4M3FN>) -> tensor<64xf8E4M3FN> {
  %o = tensor.empty() : tensor<64xf8E4M3FN>
  %r = linalg.copy ins(%x : tensor<64xf8E4M3FN>) outs(%o : tensor<64xf8E4M3FN>) -> tensor<64xf8E4M3FN>
  return %r : tensor<64xf8E4M3FN>
}

// -----

// expected-error @below {{has a tensor of 'f4E2M1FN', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @f4E2M1FN(%x: tensor<64xf4E2M1FN>) -> tensor<64xf4E2M1FN> {
  %o = tensor.empty() : tensor<64xf4E2M1FN>
  %r = linalg.copy ins(%x : tensor<64xf4E2M1FN>) outs(%o : tensor<64xf4E2M1FN>) -> tensor<64xf4E2M1FN>
  return %r : tensor<64xf4E2M1FN>
}

// -----

// expected-error @below {{has a tensor of 'tf32', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @tf32(%x: tensor<64xtf32>) -> tensor<64xtf32> {
  %o = tensor.empty() : tensor<64xtf32>
  %r = linalg.copy ins(%x : tensor<64xtf32>) outs(%o : tensor<64xtf32>) -> tensor<64xtf32>
  return %r : tensor<64xtf32>
}

// -----

// expected-error @below {{has a tensor of 'i128', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @i128(%x: tensor<64xi128>) -> tensor<64xi128> {
  %o = tensor.empty() : tensor<64xi128>
  %r = linalg.copy ins(%x : tensor<64xi128>) outs(%o : tensor<64xi128>) -> tensor<64xi128>
  return %r : tensor<64xi128>
}

// -----

// expected-error @below {{has a tensor of 'i24', which a kernel cannot compute with; expected elements of i1 to i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them before, or pass their members as tensors of their own}}
func.func @i24(%x: tensor<64xi24>) -> tensor<64xi24> {
  %o = tensor.empty() : tensor<64xi24>
  %r = linalg.copy ins(%x : tensor<64xi24>) outs(%o : tensor<64xi24>) -> tensor<64xi24>
  return %r : tensor<64xi24>
}
