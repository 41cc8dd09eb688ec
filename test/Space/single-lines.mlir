// Windows along a single line get a dimension of lines, and with it rows for the
// register tile (lib/Space/SingleLines.cpp).

// RUN: split-file %s %t
// RUN: sched-opt %t/forms.mlir --schedule-outline-tasks | FileCheck %t/forms.mlir

// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/script.mlir
// RUN: sched-run %t/run.mlir --entry=taps --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=smooth --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=largest --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RAN
// RAN: check: right

//--- forms.mlir
// CHECK-DAG: #[[$SIGNAL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 + d2)>
// CHECK-DAG: #[[$TAPS:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @taps(
// CHECK: tensor.expand_shape %{{.*}} : tensor<1003xf32> into tensor<1x1003xf32>
// CHECK: %[[R:.*]] = call @taps_0(
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x1000xf32> into tensor<1000xf32>
// CHECK-LABEL: func.func private @taps_0(
// CHECK: linalg.fill {{.*}} -> tensor<1x1000xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$SIGNAL]], #[[$TAPS]], #[[$LINE]]], iterator_types = ["parallel", "parallel", "reduction"]}
func.func @taps(%x: tensor<1003xf32>, %w: tensor<4xf32>) -> tensor<1000xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %r = linalg.conv_1d ins(%x, %w : tensor<1003xf32>, tensor<4xf32>) outs(%i : tensor<1000xf32>) -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}

// With a stride, the lanes of a vector are not next to each other; no windows.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK-LABEL: func.func @matvec(
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.matvec
func.func @strided(%x: tensor<1002xf32>, %w: tensor<4xf32>, %y: tensor<500xf32>) -> tensor<500xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o * 2 + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<1002xf32>, tensor<4xf32>) outs(%y : tensor<500xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<500xf32>
  return %r : tensor<500xf32>
}
func.func @matvec(%x: tensor<100x50xf32>, %w: tensor<50xf32>, %y: tensor<100xf32>) -> tensor<100xf32> {
  %r = linalg.matvec ins(%x, %w : tensor<100x50xf32>, tensor<50xf32>) outs(%y : tensor<100xf32>) -> tensor<100xf32>
  return %r : tensor<100xf32>
}


// What follows element by element is of the same task.
// CHECK-LABEL: func.func @smooth(
// CHECK: call @smooth_0(
// CHECK-NOT: call
// CHECK: return
// CHECK-LABEL: func.func private @smooth_0(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.maximumf
// CHECK: return
func.func @smooth(%x: tensor<1003xf32>, %w: tensor<4xf32>, %bias: tensor<1000xf32>) -> tensor<1000xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %sums = linalg.conv_1d ins(%x, %w : tensor<1003xf32>, tensor<4xf32>) outs(%i : tensor<1000xf32>) -> tensor<1000xf32>
  %shifted = linalg.add ins(%sums, %bias : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%shifted : tensor<1000xf32>) outs(%e : tensor<1000xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %z : f32
    linalg.yield %m : f32
  } -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}

// Other ops along one loop are left as they are, with no reshapes beside them:
// these would keep attention from being made in blocks of rows.
// CHECK-LABEL: func.func @attention(
// CHECK: scf.forall
// CHECK: call @attention_rows
func.func @attention(%q: tensor<2048x64xf32>, %k: tensor<64x1024xf32>, %v: tensor<1024x64xf32>, %sink: tensor<2048xf32>) -> tensor<2048x64xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2048x1024xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %s = linalg.matmul ins(%q, %k : tensor<2048x64xf32>, tensor<64x1024xf32>) outs(%i : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %er = tensor.empty() : tensor<2048xf32>
  %l = linalg.fill ins(%least : f32) outs(%er : tensor<2048xf32>) -> tensor<2048xf32>
  %mx = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<2048x1024xf32>) outs(%l : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2048xf32>
  %e1 = tensor.empty() : tensor<2048x1024xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%s, %mx : tensor<2048x1024xf32>, tensor<2048xf32>) outs(%e1 : tensor<2048x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2048x1024xf32>
  %er2 = tensor.empty() : tensor<2048xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%er2 : tensor<2048xf32>) -> tensor<2048xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2048x1024xf32>) outs(%z1 : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2048xf32>
  %er3 = tensor.empty() : tensor<2048xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]} ins(%sum, %sink : tensor<2048xf32>, tensor<2048xf32>) outs(%er3 : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2048xf32>
  %e4 = tensor.empty() : tensor<2048x1024xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : tensor<2048x1024xf32>, tensor<2048xf32>) outs(%e4 : tensor<2048x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2048x1024xf32>
  %e2 = tensor.empty() : tensor<2048x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2048x64xf32>) -> tensor<2048x64xf32>
  %r = linalg.matmul ins(%w, %v : tensor<2048x1024xf32>, tensor<1024x64xf32>) outs(%i2 : tensor<2048x64xf32>) -> tensor<2048x64xf32>
  return %r : tensor<2048x64xf32>
}

//--- run.mlir
func.func @taps(%x: tensor<4103xf32>, %w: tensor<8xf32>) -> tensor<4096xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.conv_1d ins(%x, %w : tensor<4103xf32>, tensor<8xf32>) outs(%i : tensor<4096xf32>) -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// A prime number of windows, with what is added to them and what follows.
func.func @smooth(%x: tensor<997xf32>, %w: tensor<5xf32>, %bias: tensor<997xf32>) -> tensor<997xf32> {
  %z = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<997xf32> to tensor<1001xf32>
  %sums = linalg.conv_1d ins(%padded, %w : tensor<1001xf32>, tensor<5xf32>) outs(%bias : tensor<997xf32>) -> tensor<997xf32>
  %e = tensor.empty() : tensor<997xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%sums : tensor<997xf32>) outs(%e : tensor<997xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %z : f32
    linalg.yield %m : f32
  } -> tensor<997xf32>
  return %r : tensor<997xf32>
}

func.func @largest(%x: tensor<1000xf32>) -> tensor<993xf32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<993xf32>
  %i = linalg.fill ins(%least : f32) outs(%e : tensor<993xf32>) -> tensor<993xf32>
  %window = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]} ins(%x, %window : tensor<1000xf32>, tensor<8xf32>) outs(%i : tensor<993xf32>) {
  ^bb0(%a: f32, %b: f32, %most: f32):
    %m = arith.maximumf %most, %a : f32
    linalg.yield %m : f32
  } -> tensor<993xf32>
  return %r : tensor<993xf32>
}
