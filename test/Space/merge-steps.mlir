// What both operands of a product have side by side and sum over becomes one
// dimension of steps, as heads and their channels; columns do as well.
// RUN: split-file %s %t
// RUN: sched-opt %t/merged.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/stays.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %t/stays.mlir --entry=groups --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-opt %t/merged.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.merged.mlir
// RUN: sched-run %t/merged.mlir --entry=heads --transform=%t.merged.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/merged.mlir --entry=gradient --transform=%t.merged.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/merged.mlir --entry=activated --transform=%t.merged.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/merged.mlir --entry=columns --transform=%t.merged.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: "verified": true

//--- merged.mlir

// Weights stay layout-free, and what follows does not change for it.
// CHECK-LABEL: func.func @heads(
// CHECK: call @[[HEADS:.*]]({{.*}}) : (tensor<60x96xf32>, tensor<96x40xf32>) -> tensor<60x40xf32>
// CHECK: func.func private @[[HEADS]](%{{.*}}: tensor<60x96xf32>, %{{.*}}: tensor<96x40xf32> {schedule.layout_free}
func.func @heads(%x: tensor<2x30x6x16xf32>, %w: tensor<6x16x40xf32> {schedule.layout_free}) -> tensor<2x30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x30x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x30x40xf32>) -> tensor<2x30x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, s, m, h, d) -> (b, s, h, d)>, affine_map<(b, s, m, h, d) -> (h, d, m)>,
                                        affine_map<(b, s, m, h, d) -> (b, s, m)>]
      ins(%x, %w : tensor<2x30x6x16xf32>, tensor<6x16x40xf32>) outs(%i : tensor<2x30x40xf32>) -> tensor<2x30x40xf32>
  %t = linalg.tanh ins(%r : tensor<2x30x40xf32>) outs(%e : tensor<2x30x40xf32>) -> tensor<2x30x40xf32>
  return %t : tensor<2x30x40xf32>
}

// Outside of rows and columns, as in a gradient of weights.
// CHECK-LABEL: func.func @gradient(
// CHECK: call @[[GRADIENT:.*]]({{.*}}) : (tensor<60x20xf32>, tensor<60x40xf32>) -> tensor<20x40xf32>
func.func @gradient(%x: tensor<2x30x20xf32>, %y: tensor<2x30x40xf32>) -> tensor<20x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<20x40xf32>) -> tensor<20x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, b, s) -> (b, s, m)>, affine_map<(m, n, b, s) -> (b, s, n)>,
                                        affine_map<(m, n, b, s) -> (m, n)>]
      ins(%x, %y : tensor<2x30x20xf32>, tensor<2x30x40xf32>) outs(%i : tensor<20x40xf32>) -> tensor<20x40xf32>
  return %r : tensor<20x40xf32>
}

// What is computed for the product alone goes along.
// CHECK-LABEL: func.func @activated(
// CHECK: call @[[ACTIVATED:.*]]({{.*}}) : (tensor<30x96xf32>, tensor<96x40xf32>) -> tensor<30x40xf32>
// CHECK: func.func private @[[ACTIVATED]](
// CHECK: math.exp
func.func @activated(%x: tensor<30x6x16xf32>, %w: tensor<6x16x40xf32>) -> tensor<30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<30x6x16xf32>
  %a = linalg.exp ins(%x : tensor<30x6x16xf32>) outs(%f : tensor<30x6x16xf32>) -> tensor<30x6x16xf32>
  %e = tensor.empty() : tensor<30x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<30x40xf32>) -> tensor<30x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(s, m, h, d) -> (s, h, d)>, affine_map<(s, m, h, d) -> (h, d, m)>,
                                        affine_map<(s, m, h, d) -> (s, m)>]
      ins(%a, %w : tensor<30x6x16xf32>, tensor<6x16x40xf32>) outs(%i : tensor<30x40xf32>) -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}

// Columns that the right-hand side and the result have side by side are one
// dimension, too: the pixels of images with their channels outside.
// CHECK-LABEL: func.func @columns(
// CHECK: call @{{.*}} : ({{.*}}tensor<2x24x120xf32>{{.*}}) -> tensor<2x20x120xf32>
func.func @columns(%x: tensor<2x24x10x12xf32>, %w: tensor<20x24xf32>, %bias: tensor<20xf32>) -> tensor<2x20x10x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x20x10x12xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x20x10x12xf32>) -> tensor<2x20x10x12xf32>
  %p = linalg.contract indexing_maps = [affine_map<(n, o, h, w, c) -> (n, c, h, w)>, affine_map<(n, o, h, w, c) -> (o, c)>,
                                        affine_map<(n, o, h, w, c) -> (n, o, h, w)>]
      ins(%x, %w : tensor<2x24x10x12xf32>, tensor<20x24xf32>) outs(%i : tensor<2x20x10x12xf32>) -> tensor<2x20x10x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, o, h, w) -> (n, o, h, w)>, affine_map<(n, o, h, w) -> (o)>,
                                        affine_map<(n, o, h, w) -> (n, o, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %bias : tensor<2x20x10x12xf32>, tensor<20xf32>) outs(%e : tensor<2x20x10x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x20x10x12xf32>
  return %r : tensor<2x20x10x12xf32>
}

//--- stays.mlir

// Each group of weights has a scale. The steps that tiles take are those of a
// group, which lie beside each other, though there are more groups.
// STAYS-LABEL: func.func @groups(
// STAYS: linalg.contract {{.*}} ins({{.*}} : tensor<30x24x16xf32>, tensor<40x24x16xf32>)
func.func @groups(%x: tensor<30x24x16xf32>, %w: tensor<40x24x16xi8>, %scales: tensor<40x24xf32>) -> tensor<30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<40x24x16xf32>
  %decoded = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scales : tensor<40x24x16xi8>, tensor<40x24xf32>) outs(%f : tensor<40x24x16xf32>) {
  ^bb0(%a: i8, %s: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<40x24x16xf32>
  %e = tensor.empty() : tensor<30x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<30x40xf32>) -> tensor<30x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                        affine_map<(m, n, g, k) -> (m, n)>]
      ins(%x, %decoded : tensor<30x24x16xf32>, tensor<40x24x16xf32>) outs(%i : tensor<30x40xf32>) -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}

// The operands have them in different orders.
// STAYS-LABEL: func.func @exchanged(
// STAYS: linalg.contract {{.*}} ins({{.*}} : tensor<30x6x16xf32>, tensor<16x6x40xf32>)
func.func @exchanged(%x: tensor<30x6x16xf32>, %w: tensor<16x6x40xf32>) -> tensor<30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<30x40xf32>) -> tensor<30x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(s, m, h, d) -> (s, h, d)>, affine_map<(s, m, h, d) -> (d, h, m)>,
                                        affine_map<(s, m, h, d) -> (s, m)>]
      ins(%x, %w : tensor<30x6x16xf32>, tensor<16x6x40xf32>) outs(%i : tensor<30x40xf32>) -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}
