// For a GPU nothing is copied beforehand: channels stay outside, few columns
// stay as they are, and attention is no loop over blocks of rows.
// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s --check-prefix=CPU
// RUN: sched-opt %s --schedule-outline-tasks=gpu=true | FileCheck %s

// CPU-LABEL: func.func @channels
// CPU: linalg.transpose
// CHECK-LABEL: func.func @channels
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
func.func @channels(%image: tensor<1x64x9x9xf32>, %kernel: tensor<64x64x3x3xf32>) -> tensor<1x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%image, %kernel : tensor<1x64x9x9xf32>, tensor<64x64x3x3xf32>)
      outs(%init : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  return %r : tensor<1x64x7x7xf32>
}

// CPU-LABEL: func.func @columns
// CPU: linalg.transpose
// CHECK-LABEL: func.func @columns
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @columns(%a: tensor<256x256xf32>, %b: tensor<256x2xf32>) -> tensor<256x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x2xf32>) -> tensor<256x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x2xf32>) outs(%init : tensor<256x2xf32>) -> tensor<256x2xf32>
  return %r : tensor<256x2xf32>
}

// A large sum is two tasks: sums of parts, and the sum of these with what is
// computed of it.
// CPU-LABEL: func.func @mean
// CPU-NOT: call
// CHECK-LABEL: func.func @mean(
// CHECK: %[[PARTS:.*]] = call @mean_0({{.*}}) : (tensor<4x20x5000xf32>) -> tensor<4x20xf32>
// CHECK: call @mean_1(%[[PARTS]]) : (tensor<4x20xf32>) -> tensor<4xf32>
// CHECK-NOT: call
func.func @mean(%x: tensor<4x100000xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 100000.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x100000xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
    ins(%s : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %n : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Rows that are read again stay one kernel if they are not longer than that; of
// longer ones, what reads them again is a task of its own.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: call
// CHECK-LABEL: func.func @scaled(
// CHECK: %[[PARTS:.*]] = call @scaled_0(%{{[^,]*}}) : (tensor<200x5000xf32>) -> tensor<200xf32>
// CHECK: %[[NORM:.*]] = call @scaled_1(%[[PARTS]]) : (tensor<200xf32>) -> tensor<f32>
// CHECK: call @scaled_2(%{{.*}}, %[[NORM]]) : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000x1000xf32>
func.func @rows(%x: tensor<4x100000xf32>) -> tensor<4x100000xf32> {
  %empty = tensor.empty() : tensor<4x100000xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x100000xf32>) outs(%empty : tensor<4x100000xf32>) -> tensor<4x100000xf32>
  return %r : tensor<4x100000xf32>
}
func.func @scaled(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %o = tensor.empty() : tensor<1000x1000xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %q = linalg.mul ins(%x, %x : tensor<1000x1000xf32>, tensor<1000x1000xf32>) outs(%o : tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %s = linalg.reduce {arith.addf} ins(%q : tensor<1000x1000xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%x, %s : tensor<1000x1000xf32>, tensor<f32>) outs(%o : tensor<1000x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1000x1000xf32>
  return %r : tensor<1000x1000xf32>
}
