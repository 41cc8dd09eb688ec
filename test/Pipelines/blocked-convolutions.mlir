// Convolutions whose channels are in blocks (NCHWc), as generic ops and behind
// packs: each has sketches, and every candidate computes what the unscheduled
// one does.

// RUN: rm -rf %t %t.d && split-file %s %t
// RUN: sched-opt %t/blocked.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" 2>&1 | FileCheck %t/blocked.mlir --implicit-check-not=remark:
// RUN: sched-opt %t/blocked.mlir --auto-schedule="trials=64 batch=16 seed=1 threads=2 strategy=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=transform -o %t/script.mlir
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of @
// RECORD-NOT: "error":"{{[a-z]}}

// RUN: sched-run %t/blocked.mlir --entry=strided --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/blocked.mlir --entry=padded --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/blocked.mlir --entry=depthwise --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/blocked.mlir --entry=packed --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN

// Distances of such images are no products: the default compiles them.
// RUN: sched-opt %t/distances.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sched-run %t/distances.mlir --transform=%t/none.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// REMARK: remark: compiled by the default schedule, without a search: no op to schedule found in @distances: 'linalg.generic' op is no contraction
// RAN: "verified": true

//--- blocked.mlir
#image = affine_map<(n, f, h, w, i, c, p, q, j) -> (n, c, h * 2 + p, w * 2 + q, j)>
#taps = affine_map<(n, f, h, w, i, c, p, q, j) -> (f, c, p, q, j, i)>
#sums = affine_map<(n, f, h, w, i, c, p, q, j) -> (n, f, h, w, i)>
#all = affine_map<(n, f, h, w, i) -> (n, f, h, w, i)>
#channel = affine_map<(n, f, h, w, i) -> (f, i)>
#image_of_one = affine_map<(f, h, w, i, c, p, q, j) -> (c, h + p, w + q, j)>
#taps_of_one = affine_map<(f, h, w, i, c, p, q, j) -> (f, c, p, q, j, i)>
#sums_of_one = affine_map<(f, h, w, i, c, p, q, j) -> (f, h, w, i)>
#image_of_channel = affine_map<(f, h, w, i, p, q) -> (f, h + p, w + q, i)>
#taps_of_channel = affine_map<(f, h, w, i, p, q) -> (f, p, q, i)>
#sums_of_channel = affine_map<(f, h, w, i, p, q) -> (f, h, w, i)>

// With a stride, and a bias of each channel.
// CHECK: workload("{{[0-9a-f]+}}", "contraction_2x2x5x6x16x8x3x3x3_f32+add_max"
// CHECK: schedule.sketch @
func.func @strided(%x: tensor<2x3x11x13x8xf32>, %k: tensor<2x3x3x3x8x16xf32>, %b: tensor<2x16xf32>) -> tensor<2x2x5x6x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x5x6x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x2x5x6x16xf32>) -> tensor<2x2x5x6x16xf32>
  %c = linalg.generic {indexing_maps = [#image, #taps, #sums],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%x, %k : tensor<2x3x11x13x8xf32>, tensor<2x3x3x3x8x16xf32>) outs(%i : tensor<2x2x5x6x16xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %m = arith.mulf %u, %v : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x2x5x6x16xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%c, %b : tensor<2x2x5x6x16xf32>, tensor<2x16xf32>) outs(%e : tensor<2x2x5x6x16xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %t = arith.addf %u, %v : f32
    %y = arith.maximumf %t, %z : f32
    linalg.yield %y : f32
  } -> tensor<2x2x5x6x16xf32>
  return %r : tensor<2x2x5x6x16xf32>
}

// One image, padded, with weights in any layout.
// CHECK: workload("{{[0-9a-f]+}}", "contraction_4x9x9x8x8x4x3x3_f32(padded, layout-free rhs)"
// CHECK: schedule.sketch @packed
func.func @padded(%x: tensor<4x9x9x8xf32>, %k: tensor<4x4x3x3x8x8xf32> {schedule.layout_free}) -> tensor<4x9x9x8xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %z : f32
  } : tensor<4x9x9x8xf32> to tensor<4x11x11x8xf32>
  %e = tensor.empty() : tensor<4x9x9x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x9x9x8xf32>) -> tensor<4x9x9x8xf32>
  %c = linalg.generic {indexing_maps = [#image_of_one, #taps_of_one, #sums_of_one],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%p, %k : tensor<4x11x11x8xf32>, tensor<4x4x3x3x8x8xf32>) outs(%i : tensor<4x9x9x8xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %m = arith.mulf %u, %v : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<4x9x9x8xf32>
  return %c : tensor<4x9x9x8xf32>
}

// CHECK: workload("{{[0-9a-f]+}}", "windows_4x9x9x8x3x3_f32"
// CHECK: schedule.sketch @
func.func @depthwise(%x: tensor<4x11x11x8xf32>, %k: tensor<4x3x3x8xf32>) -> tensor<4x9x9x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x9x9x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x9x9x8xf32>) -> tensor<4x9x9x8xf32>
  %c = linalg.generic {indexing_maps = [#image_of_channel, #taps_of_channel, #sums_of_channel],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %k : tensor<4x11x11x8xf32>, tensor<4x3x3x8xf32>) outs(%i : tensor<4x9x9x8xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %m = arith.mulf %u, %v : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<4x9x9x8xf32>
  return %c : tensor<4x9x9x8xf32>
}

// What blocks the channels is left outside of the task.
// CHECK: workload("{{[0-9a-f]+}}", "contraction_1x4x7x7x8x8x2x3x3_f32"
// CHECK: schedule.sketch @
func.func @packed(%x: tensor<1x16x9x9xf32>, %k: tensor<32x16x3x3xf32>) -> tensor<1x4x7x7x8xf32> {
  %z = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<1x2x9x9x8xf32>
  %ke = tensor.empty() : tensor<4x2x3x3x8x8xf32>
  %xp = linalg.pack %x inner_dims_pos = [1] inner_tiles = [8] into %xe : tensor<1x16x9x9xf32> -> tensor<1x2x9x9x8xf32>
  %kp = linalg.pack %k inner_dims_pos = [1, 0] inner_tiles = [8, 8] into %ke : tensor<32x16x3x3xf32> -> tensor<4x2x3x3x8x8xf32>
  %e = tensor.empty() : tensor<1x4x7x7x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x7x7x8xf32>) -> tensor<1x4x7x7x8xf32>
  %c = linalg.generic {indexing_maps = [
      affine_map<(n, f, h, w, i, c, p, q, j) -> (n, c, h + p, w + q, j)>,
      affine_map<(n, f, h, w, i, c, p, q, j) -> (f, c, p, q, j, i)>,
      affine_map<(n, f, h, w, i, c, p, q, j) -> (n, f, h, w, i)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%xp, %kp : tensor<1x2x9x9x8xf32>, tensor<4x2x3x3x8x8xf32>) outs(%i : tensor<1x4x7x7x8xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %m = arith.mulf %u, %v : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<1x4x7x7x8xf32>
  return %c : tensor<1x4x7x7x8xf32>
}

//--- distances.mlir
#image = affine_map<(f, h, w, i, c, p, q, j) -> (c, h + p, w + q, j)>
#taps = affine_map<(f, h, w, i, c, p, q, j) -> (f, c, p, q, j, i)>
#sums = affine_map<(f, h, w, i, c, p, q, j) -> (f, h, w, i)>
func.func @distances(%x: tensor<4x11x11x8xf32>, %k: tensor<4x4x3x3x8x8xf32>) -> tensor<4x9x9x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x9x9x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x9x9x8xf32>) -> tensor<4x9x9x8xf32>
  %c = linalg.generic {indexing_maps = [#image, #taps, #sums],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%x, %k : tensor<4x11x11x8xf32>, tensor<4x4x3x3x8x8xf32>) outs(%i : tensor<4x9x9x8xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %m = arith.subf %u, %v : f32
    %a = math.absf %m : f32
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<4x9x9x8xf32>
  return %c : tensor<4x9x9x8xf32>
}
