// Left-hand sides of products of bytes are widened to 16 bits for processors
// that multiply pairs of those, once for all products that read them
// (WidenRows.cpp).

// RUN: rm -rf %t %t.d && split-file %s %t
// RUN: sched-opt %t/applies.mlir --schedule-outline-tasks=widen-bytes=true | FileCheck %t/applies.mlir
// RUN: sched-opt %t/applies.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/applies.mlir --schedule-outline-tasks="gpu=true widen-bytes=true" | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/applies.mlir --schedule-outline-tasks=widen-unsigned=true | FileCheck %s --check-prefix=UNSIGNED
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks=widen-bytes=true | FileCheck %s --check-prefix=STAYS
// STAYS-NOT: i16
// UNSIGNED-LABEL: func.func @two_products
// UNSIGNED-NOT: i16
// UNSIGNED-LABEL: func.func @no_signs
// UNSIGNED: tensor<64x30xi16>

// What the tasks compute is what the payload does, with `pmaddwd` of SSE2, which
// all of x86 has.
// RUN: sched-opt %t/applies.mlir --auto-schedule="trials=24 batch=8 seed=1 threads=1 cost-model=random min-repeat-ms=1 quiet=true target=cpu:mcpu=x86-64,triple=x86_64-linux-gnu work-dir=%t.d" --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=PAIRS --input-file=%t.s
// RUN: sched-run %t/applies.mlir --entry=two_products --work-dir=%t.d --target=cpu:mcpu=x86-64,triple=x86_64-linux-gnu --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=no_signs --work-dir=%t.d --target=cpu:mcpu=x86-64,triple=x86_64-linux-gnu --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=image --work-dir=%t.d --target=cpu:mcpu=x86-64,triple=x86_64-linux-gnu --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// REQUIRES: host-x86
// PAIRS: pmaddwd
// RIGHT: check: right

// Each of many padded images is widened once, however many products read it.
// RUN: %python %t/images.py > %t/images.mlir
// RUN: sched-opt %t/images.mlir --schedule-outline-tasks=widen-bytes=true | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: func.func @f(
// ONCE-COUNT-30: tensor.pad
// ONCE-NOT: tensor.pad

//--- images.py
COUNT = 30
IMAGE, PADDED, RESULT = (
    "tensor<1x8x8x20xi8>",
    "tensor<1x10x10x20xi8>",
    "tensor<1x8x8x32xi32>",
)
results = []
print("func.func @f(%w: tensor<3x3x20x32xi8>, %v: tensor<3x3x20x32xi8>, ", end="")
print(", ".join(f"%x{i}: {IMAGE}" for i in range(COUNT)), end=") -> (")
print(", ".join([RESULT] * (2 * COUNT)) + ") {")
print("%z8 = arith.constant 0 : i8")
print("%z = arith.constant 0 : i32")
print(f"%e = tensor.empty() : {RESULT}")
print(f"%i = linalg.fill ins(%z : i32) outs(%e : {RESULT}) -> {RESULT}")
for i in range(COUNT):
    print(f"%p{i} = tensor.pad %x{i} low[0, 1, 1, 0] high[0, 1, 1, 0] {{")
    print("^bb0(%b: index, %h: index, %c: index, %d: index):")
    print(f"  tensor.yield %z8 : i8 }} : {IMAGE} to {PADDED}")
    for weights in ("%w", "%v"):
        results.append(f"%r{len(results)}")
        print(f"{results[-1]} = linalg.conv_2d_nhwc_hwcf", end=" ")
        print(f"ins(%p{i}, {weights} : {PADDED}, tensor<3x3x20x32xi8>)", end=" ")
        print(f"outs(%i : {RESULT}) -> {RESULT}")
print(f"return {', '.join(results)} : {', '.join([RESULT] * len(results))} }}")
//--- applies.mlir
// CHECK-LABEL: func.func @two_products(
// CHECK: %[[WIDE:.*]] = call @two_products_0(%{{.*}}) : (tensor<64x64xi8>) -> tensor<64x64xi16>
// CHECK-DAG: call @two_products_1(%[[WIDE]], %{{.*}}) : (tensor<64x64xi16>, tensor<64x32xi8>) -> tensor<64x32xi32>
// CHECK-DAG: call @two_products_{{.*}}(%[[WIDE]], %{{.*}}) : (tensor<64x64xi16>, tensor<40x64xi8>) -> tensor<64x40xi32>
// CHECK: func.func private @two_products_0(
// CHECK: arith.extsi %{{.*}} : i8 to i16
// CHECK: func.func private @two_products_1(
// CHECK: ^bb0(%[[A:.*]]: i16, %[[B:.*]]: i8, %{{.*}}: i32):
// CHECK: arith.extsi %[[A]] : i16 to i32
// CHECK: arith.extsi %[[B]] : i8 to i32
func.func @two_products(%x: tensor<64x64xi8>, %a: tensor<64x32xi8>, %b: tensor<40x64xi8>) -> (tensor<64x32xi32>, tensor<64x40xi32>) {
  %z = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<64x32xi32>
  %e1 = tensor.empty() : tensor<64x40xi32>
  %i0 = linalg.fill ins(%z : i32) outs(%e0 : tensor<64x32xi32>) -> tensor<64x32xi32>
  %i1 = linalg.fill ins(%z : i32) outs(%e1 : tensor<64x40xi32>) -> tensor<64x40xi32>
  %r0 = linalg.matmul ins(%x, %a : tensor<64x64xi8>, tensor<64x32xi8>) outs(%i0 : tensor<64x32xi32>) -> tensor<64x32xi32>
  %r1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %b : tensor<64x64xi8>, tensor<40x64xi8>) outs(%i1 : tensor<64x40xi32>) -> tensor<64x40xi32>
  return %r0, %r1 : tensor<64x32xi32>, tensor<64x40xi32>
}

// An odd number of steps is padded to pairs.
// CHECK-LABEL: func.func @no_signs(
// CHECK: func.func private @no_signs_0(
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: func.func private @no_signs_1(
// CHECK: ^bb0(%[[A:.*]]: i16, %[[B:.*]]: i8, %{{.*}}: i32):
// CHECK: arith.extsi %[[A]] : i16 to i32
// CHECK: arith.extui %[[B]] : i8 to i32
func.func @no_signs(%x: tensor<64x29xi8>, %a: tensor<29x33xi8>) -> tensor<64x33xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x33xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x33xi32>) -> tensor<64x33xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %a : tensor<64x29xi8>, tensor<29x33xi8>) outs(%i : tensor<64x33xi32>) -> tensor<64x33xi32>
  return %r : tensor<64x33xi32>
}

// Zeros around an image are written with it, in 16 bits.
// CHECK-LABEL: func.func @image(
// CHECK: call @image_0(%{{.*}}) : (tensor<1280xi8>) -> tensor<1280xi16>
// CHECK: tensor.pad {{.*}}
// CHECK: tensor<1x8x8x20xi16> to tensor<1x10x10x20xi16>
func.func @image(%x: tensor<1x8x8x20xi8>, %w: tensor<3x3x20x32xi8>) -> tensor<1x8x8x32xi32> {
  %z8 = arith.constant 0 : i8
  %z = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%b: index, %h: index, %v: index, %c: index):
    tensor.yield %z8 : i8
  } : tensor<1x8x8x20xi8> to tensor<1x10x10x20xi8>
  %e = tensor.empty() : tensor<1x8x8x32xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%p, %w : tensor<1x10x10x20xi8>, tensor<3x3x20x32xi8>) outs(%i : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  return %r : tensor<1x8x8x32xi32>
}

//--- stays.mlir
// Few columns do not pay for what is copied; other types have no bytes.
func.func @few_columns(%x: tensor<64x48xi8>, %a: tensor<48x8xi8>) -> tensor<64x8xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x8xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x8xi32>) -> tensor<64x8xi32>
  %r = linalg.matmul ins(%x, %a : tensor<64x48xi8>, tensor<48x8xi8>) outs(%i : tensor<64x8xi32>) -> tensor<64x8xi32>
  return %r : tensor<64x8xi32>
}
func.func @bfloats(%x: tensor<64x48xbf16>, %a: tensor<48x32xbf16>) -> tensor<64x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.matmul ins(%x, %a : tensor<64x48xbf16>, tensor<48x32xbf16>) outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
