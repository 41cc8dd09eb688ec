// RUN: sched-opt %s --sched-outline-packing --cse --split-input-file | FileCheck %s

// What is computed from the marked argument alone, and moved, becomes a function
// of its own; the function takes its flat buffer.
// CHECK-LABEL: func.func @f_pack_arg1(
// CHECK-SAME: %[[B:.*]]: tensor<8x4xf32>) -> tensor<32xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[B]]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[T]]
// CHECK: return %[[FLAT]] : tensor<32xf32>
// CHECK-LABEL: func.func @f_pack_arg1_bytes() -> tensor<1xi64>
// CHECK: arith.constant dense<128>
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[PACKED:[^:]*]]: tensor<32xf32> {schedule.layout_free}
// CHECK-NOT: linalg.transpose
// CHECK: %[[PANELS:.*]] = tensor.expand_shape %[[PACKED]] {{.*}} into tensor<4x8xf32>
// CHECK: linalg.add ins(%{{.*}}, %[[PANELS]]
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32> {schedule.layout_free}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.add ins(%a, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// Several parts lie one after the other in the buffer; a width that is no power
// of two and elements of another size.
// CHECK-LABEL: func.func @parts_pack_arg0(
// CHECK-SAME: -> tensor<24xf64>
// CHECK: tensor.insert_slice {{.*}}[0] [15] [1]
// CHECK: tensor.insert_slice {{.*}}[15] [9] [1]
// CHECK-LABEL: func.func @parts_pack_arg0_bytes()
// CHECK: arith.constant dense<192>
// CHECK-LABEL: func.func @parts(
// CHECK: tensor.extract_slice %{{.*}}[0] [15] [1]
// CHECK: tensor.expand_shape {{.*}} into tensor<3x5xf64>
// CHECK: tensor.extract_slice %{{.*}}[15] [9] [1]
// CHECK: tensor.expand_shape {{.*}} into tensor<3x3xf64>
func.func @parts(%b: tensor<8x3xf64> {schedule.layout_free}, %x: tensor<3x5xf64>, %y: tensor<3x3xf64>)
    -> (tensor<3x5xf64>, tensor<3x3xf64>) {
  %e = tensor.empty() : tensor<3x8xf64>
  %t = linalg.transpose ins(%b : tensor<8x3xf64>) outs(%e : tensor<3x8xf64>) permutation = [1, 0]
  %u = tensor.extract_slice %t[0, 0] [3, 5] [1, 1] : tensor<3x8xf64> to tensor<3x5xf64>
  %v = tensor.extract_slice %t[0, 5] [3, 3] [1, 1] : tensor<3x8xf64> to tensor<3x3xf64>
  %r = linalg.add ins(%u, %x : tensor<3x5xf64>, tensor<3x5xf64>) outs(%x : tensor<3x5xf64>) -> tensor<3x5xf64>
  %s = linalg.add ins(%v, %y : tensor<3x3xf64>, tensor<3x3xf64>) outs(%y : tensor<3x3xf64>) -> tensor<3x3xf64>
  return %r, %s : tensor<3x5xf64>, tensor<3x3xf64>
}

// -----

// Nothing to do beforehand: the argument is only looked at, it is not marked,
// another argument takes part, it is cast (the buffer has the argument's
// elements), or the function is not part of the interface.
// CHECK-NOT: func.func @{{.*}}_pack_
// CHECK: func.func @reshaped(%{{.*}}: tensor<32xf32>, %{{.*}}: tensor<8x4xf32> {schedule.layout_free})
func.func @reshaped(%a: tensor<32xf32>, %b: tensor<8x4xf32> {schedule.layout_free}) -> tensor<32xf32> {
  %flat = tensor.collapse_shape %b [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
  %r = linalg.add ins(%a, %flat : tensor<32xf32>, tensor<32xf32>) outs(%a : tensor<32xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}
// CHECK: func.func @not_marked(
// CHECK: linalg.transpose
func.func @not_marked(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%b : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = linalg.add ins(%a, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// CHECK: func.func @with_other(
// CHECK: linalg.transpose
func.func @with_other(%a: tensor<4x4xf32>, %b: tensor<4x4xf32> {schedule.layout_free}) -> tensor<4x4xf32> {
  %t = linalg.transpose ins(%b : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) permutation = [1, 0]
  return %t : tensor<4x4xf32>
}
#id = affine_map<(i, j) -> (i, j)>
// CHECK: func.func @cast(%{{.*}}: tensor<4x4xf32>, %{{.*}}: tensor<4x4xf16> {schedule.layout_free})
// CHECK: arith.extf
func.func @cast(%a: tensor<4x4xf32>, %b: tensor<4x4xf16> {schedule.layout_free}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<4x4xf16>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f16, %o: f32):
    %c = arith.extf %p : f16 to f32
    linalg.yield %c : f32
  } -> tensor<4x4xf32>
  %r = linalg.add ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// CHECK: func.func @sum(%{{.*}}: tensor<4xf32> {schedule.layout_free})
// CHECK: linalg.reduce
func.func @sum(%b: tensor<4xf32> {schedule.layout_free}) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%b : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
// CHECK: func.func private @private(%{{.*}}: tensor<4x4xf32>, %{{.*}}: tensor<4x4xf32> {schedule.layout_free})
// CHECK: linalg.transpose
func.func private @private(%a: tensor<4x4xf32>, %b: tensor<4x4xf32> {schedule.layout_free}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%b : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = linalg.add ins(%a, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @calls_private(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = call @private(%a, %b) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// A scalar is not handed over: what makes it stays, and reads the buffer.
// CHECK-LABEL: func.func @scalar_pack_arg1(
// CHECK: linalg.exp
// CHECK-LABEL: func.func @scalar(
// CHECK-SAME: %[[B:[^:,]*]]: tensor<4xf32> {schedule.layout_free}
// CHECK-NOT: linalg.exp
// CHECK: tensor.extract %[[B]]
func.func @scalar(%a: tensor<4xf32>, %b: tensor<4xf32> {schedule.layout_free}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.extract %x[%c0] : tensor<4xf32>
  %i = linalg.fill ins(%s : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %i : tensor<4xf32>
}
