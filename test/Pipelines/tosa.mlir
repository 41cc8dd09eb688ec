// A small network in TOSA: --auto-schedule lowers it by upstream's passes, and
// schedules every op; what it computes stays.

// RUN: split-file %s %t
// RUN: sched-opt %t/net.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/script.mlir 2>%t/remarks
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: --input-file=%t/remarks
// RUN: sched-run %t/net.mlir --entry=net --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/net.mlir --entry=rows --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// REMARK: remark: nothing to schedule in @rows: it only moves elements
// RAN: "verified": true

// The softmax, in TOSA's pieces, is one task.
// RUN: sched-opt %t/net.mlir --schedule-lower-tosa --schedule-outline-tasks | FileCheck %t/net.mlir
// RUN: sched-opt %t/softmax.mlir --schedule-lower-tosa | FileCheck %t/softmax.mlir

// The script says what it applies to; stock mlir-opt does so.
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script.mlir
// SCRIPT: // For what TOSA is lowered to, cut into tasks: apply to the output of
// SCRIPT-NEXT: //   sched-opt --schedule-lower-tosa --schedule-outline-tasks{{(=.*)?}} INPUT
// RUN: sched-opt %t/net.mlir --schedule-lower-tosa --schedule-outline-tasks -o %t/tasks.mlir
// RUN: mlir-opt-22 %t/tasks.mlir --transform-preload-library=transform-library-paths=%t/script.mlir --transform-interpreter | FileCheck %s --check-prefix=APPLIED
// APPLIED: vector.transfer_write
// RUN: sched-opt %t/softmax.mlir --auto-schedule="trials=0 threads=2 quiet" --emit=transform | FileCheck %s --check-prefix=ONE
// ONE: // For what TOSA is lowered to{{.*}}: apply to the output of
// ONE-NEXT: //   sched-opt --schedule-lower-tosa
// Nothing of that stays in a module.
// RUN: sched-opt %t/softmax.mlir --auto-schedule="trials=0 threads=2 quiet" | FileCheck %s --check-prefix=MODULE --implicit-check-not=lowered_tosa
// MODULE: func.func @f(

// Without TOSA, the pass does nothing: unused ops stay, too.
// RUN: sched-opt %t/none.mlir --schedule-lower-tosa | FileCheck %t/none.mlir

//--- net.mlir
// CHECK-LABEL: func.func @net(
// CHECK-NOT: linalg.{{generic|matmul|batch_matmul|conv|depthwise|pooling}}
// CHECK: return
// CHECK: math.exp
// CHECK-NOT: func.func
// CHECK: linalg.reduce
// CHECK-NOT: func.func
// CHECK: arith.divf
func.func @net(%x: tensor<1x16x16x3xf32>, %w1: tensor<16x3x3x3xf32>, %b1: tensor<16xf32>, %w2: tensor<3x3x16x1xf32>, %w3: tensor<1x64x10xf32>) -> (tensor<1x10xf32>, tensor<1xi32>) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c1 = tosa.conv2d %x, %w1, %b1, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x16x16x3xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x16xf32>
  %r1 = tosa.clamp %c1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %c2 = tosa.depthwise_conv2d %r1, %w2, %b1, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x16x16x16xf32>, tensor<3x3x16x1xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x16xf32>
  %a2 = tosa.add %c2, %r1 : (tensor<1x16x16x16xf32>, tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %m = tosa.max_pool2d %a2 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x16x16x16xf32>) -> tensor<1x8x8x16xf32>
  %av = tosa.avg_pool2d %m, %zp, %zp {acc_type = f32, kernel = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 4, 4>} : (tensor<1x8x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x16xf32>
  %t = tosa.transpose %av {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x2x2x16xf32>) -> tensor<1x16x2x2xf32>
  %s = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %f = tosa.reshape %t, %s : (tensor<1x16x2x2xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %mm = tosa.matmul %f, %w3, %zp, %zp : (tensor<1x1x64xf32>, tensor<1x64x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10xf32>
  %s2 = tosa.const_shape {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %l = tosa.reshape %mm, %s2 : (tensor<1x1x10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
  %am = tosa.argmax %l {axis = 1 : i32} : (tensor<1x10xf32>) -> tensor<1xi32>
  %mx = tosa.reduce_max %l {axis = 1 : i32} : (tensor<1x10xf32>) -> tensor<1x1xf32>
  %sb = tosa.sub %l, %mx : (tensor<1x10xf32>, tensor<1x1xf32>) -> tensor<1x10xf32>
  %ex = tosa.exp %sb : (tensor<1x10xf32>) -> tensor<1x10xf32>
  %sm = tosa.reduce_sum %ex {axis = 1 : i32} : (tensor<1x10xf32>) -> tensor<1x1xf32>
  %rc = tosa.reciprocal %sm : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %sh = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %o = tosa.mul %ex, %rc, %sh : (tensor<1x10xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x10xf32>
  return %o, %am : tensor<1x10xf32>, tensor<1xi32>
}

func.func @rows(%t: tensor<1x100x64xf32>, %b: tensor<1x20x64xf32>) -> tensor<1x20x128xf32> {
  %i = "tosa.const"() {values = dense<[[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 97, 93, 23, 84, 62, 64, 33, 83]]> : tensor<1x20xi32>} : () -> tensor<1x20xi32>
  %g = tosa.gather %t, %i : (tensor<1x100x64xf32>, tensor<1x20xi32>) -> tensor<1x20x64xf32>
  %c = tosa.concat %g, %b {axis = 2 : i32} : (tensor<1x20x64xf32>, tensor<1x20x64xf32>) -> tensor<1x20x128xf32>
  return %c : tensor<1x20x128xf32>
}

//--- softmax.mlir
// An operand that is broadcast has the rows as its dimensions, and no other.
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @f(
// CHECK: %[[MAX:.*]] = linalg.reduce
// CHECK: linalg.generic {indexing_maps = [#[[$ALL]], #[[$ROW]], #[[$ALL]]]{{.*}} ins(%{{.*}}, %[[MAX]] : tensor<8x100xf32>, tensor<8xf32>)
func.func @f(%l: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %mx = tosa.reduce_max %l {axis = 1 : i32} : (tensor<8x100xf32>) -> tensor<8x1xf32>
  %sb = tosa.sub %l, %mx : (tensor<8x100xf32>, tensor<8x1xf32>) -> tensor<8x100xf32>
  return %sb : tensor<8x100xf32>
}

//--- none.mlir
// CHECK: tensor.empty
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  return %a : tensor<8xf32>
}
