// Chains of ops that read neighbours of what others compute become loops over
// blocks of rows, where the images between them do not stay in a cache
// (StencilChain.cpp, StencilSizes.cpp; StencilBlocks.cpp and BlockFunction.cpp).

// RUN: rm -rf %t %t.d && split-file %s %t
// RUN: sched-opt %t/applies.mlir --schedule-outline-tasks --mlir-print-local-scope | FileCheck %t/applies.mlir
// RUN: sched-opt %t/applies.mlir --schedule-outline-tasks=gpu=true | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// STAYS-NOT: {{scf.forall|_rows}}

// All blocks, those at borders too, compute what the payload does.
// RUN: sched-opt %t/applies.mlir --auto-schedule="trials=24 batch=8 seed=1 threads=2 cost-model=random min-repeat-ms=1 quiet=true work-dir=%t.d" -o %t.out.mlir
// RUN: sched-run %t/applies.mlir --entry=blur --work-dir=%t.d --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=two_results --work-dir=%t.d --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=padded --work-dir=%t.d --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=images --work-dir=%t.d --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=wide --work-dir=%t.d --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/applies.mlir --entry=in_place --work-dir=%t.d --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: check: right

//--- applies.mlir
// Two rows more of what is read by rows, and two more columns of what is read by
// columns. 601 rows are blocks of 37 and one of 9.
// CHECK-LABEL: func.func @blur(
// CHECK: scf.forall (%[[ROW:.*]]) = (0) to (592) step (37)
// CHECK: tensor.extract_slice %{{.*}}[%[[ROW]], 0] [39, 602] [1, 1]
// CHECK: call @blur_rows(%{{.*}}) : (tensor<39x602xf32>) -> tensor<37x600xf32>
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[ROW]], 0] [37, 600] [1, 1]
// CHECK: scf.forall (%{{.*}}) = (592) to (601) step (9)
// CHECK: tensor.extract_slice %{{.*}}[592, 0] [11, 602] [1, 1]
// CHECK: return
func.func @blur(%x: tensor<603x602xf32>) -> tensor<601x600xf32> {
  %e0 = tensor.empty() : tensor<603x600xf32>
  %e1 = tensor.empty() : tensor<601x600xf32>
  %l = tensor.extract_slice %x[0, 0] [603, 600] [1, 1] : tensor<603x602xf32> to tensor<603x600xf32>
  %r = tensor.extract_slice %x[0, 2] [603, 600] [1, 1] : tensor<603x602xf32> to tensor<603x600xf32>
  %s = linalg.add ins(%l, %r : tensor<603x600xf32>, tensor<603x600xf32>) outs(%e0 : tensor<603x600xf32>) -> tensor<603x600xf32>
  %u = tensor.extract_slice %s[0, 0] [601, 600] [1, 1] : tensor<603x600xf32> to tensor<601x600xf32>
  %d = tensor.extract_slice %s[2, 0] [601, 600] [1, 1] : tensor<603x600xf32> to tensor<601x600xf32>
  %y = linalg.add ins(%u, %d : tensor<601x600xf32>, tensor<601x600xf32>) outs(%e1 : tensor<601x600xf32>) -> tensor<601x600xf32>
  return %y : tensor<601x600xf32>
}

// Both results are computed by one loop, and what both read once.
// CHECK-LABEL: func.func @two_results(
// CHECK: %[[BOTH:.*]]:2 = scf.forall
// CHECK: %[[ROWS:.*]]:2 = func.call @two_results_rows(
// CHECK-DAG: tensor.parallel_insert_slice %[[ROWS]]#0
// CHECK-DAG: tensor.parallel_insert_slice %[[ROWS]]#1
// CHECK-NOT: call
// CHECK: return {{.*}} : tensor<640x640xf32>, tensor<640x640xf32>
func.func @two_results(%x: tensor<642x640xf32>, %y: tensor<640x640xf32>) -> (tensor<640x640xf32>, tensor<640x640xf32>) {
  %e0 = tensor.empty() : tensor<642x640xf32>
  %e = tensor.empty() : tensor<640x640xf32>
  %s = linalg.exp ins(%x : tensor<642x640xf32>) outs(%e0 : tensor<642x640xf32>) -> tensor<642x640xf32>
  %s0 = tensor.extract_slice %s[0, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s1 = tensor.extract_slice %s[1, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s2 = tensor.extract_slice %s[2, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %t = linalg.add ins(%s0, %s2 : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  %a = linalg.mul ins(%t, %s1 : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  %b = linalg.mul ins(%t, %y : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  return %a, %b : tensor<640x640xf32>, tensor<640x640xf32>
}

// Blocks at the borders of an image with zeros around it have functions of their
// own, with zeros on one side.
// CHECK-LABEL: func.func @padded(
// CHECK: scf.forall (%{{.*}}) = (0) to (40) step (40)
// CHECK: call @[[FIRST:padded_rows[_0-9]*]](%{{.*}}) : (tensor<42x640xf32>) -> tensor<40x638xf32>
// CHECK: scf.forall (%{{.*}}) = (40) to (600) step (40)
// CHECK: call @[[MIDDLE:padded_rows[_0-9]*]](%{{.*}}) : (tensor<44x640xf32>) -> tensor<40x638xf32>
// CHECK: scf.forall (%{{.*}}) = (600) to (640) step (40)
// CHECK: call @[[LAST:padded_rows[_0-9]*]](%{{.*}}) : (tensor<42x640xf32>) -> tensor<40x638xf32>
// CHECK: func.func private @[[LAST]](
// CHECK: tensor.pad %{{.*}} low[0, 0] high[1, 0]
// CHECK: func.func private @[[MIDDLE]](
// CHECK-NOT: tensor.pad
// CHECK: func.func private @[[FIRST]](
// CHECK: tensor.pad %{{.*}} low[1, 0] high[0, 0]
func.func @padded(%x: tensor<640x640xf32>) -> tensor<640x638xf32> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<640x640xf32>
  %e1 = tensor.empty() : tensor<640x638xf32>
  %xp = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<640x640xf32> to tensor<642x640xf32>
  %x0 = tensor.extract_slice %xp[0, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %x2 = tensor.extract_slice %xp[2, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s = linalg.sub ins(%x0, %x2 : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e0 : tensor<640x640xf32>) -> tensor<640x640xf32>
  %sp = tensor.pad %s low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<640x640xf32> to tensor<642x640xf32>
  %s0 = tensor.extract_slice %sp[0, 0] [640, 638] [1, 1] : tensor<642x640xf32> to tensor<640x638xf32>
  %s2 = tensor.extract_slice %sp[2, 2] [640, 638] [1, 1] : tensor<642x640xf32> to tensor<640x638xf32>
  %y = linalg.sub ins(%s0, %s2 : tensor<640x638xf32>, tensor<640x638xf32>) outs(%e1 : tensor<640x638xf32>) -> tensor<640x638xf32>
  return %y : tensor<640x638xf32>
}

// Windows of several images: blocks of rows of one each.
// CHECK-LABEL: func.func @images(
// CHECK: scf.forall (%[[IMAGE:.*]], %[[ROW:.*]]) = (0, 0) to (2, {{[0-9]+}}) step (1, {{[0-9]+}})
// CHECK: tensor.extract_slice %{{.*}}[%[[IMAGE]], %[[ROW]], 0, 0] [1, {{[0-9]+}}, 132, 40]
func.func @images(%x: tensor<2x132x132x40xf32>) -> tensor<2x128x128x40xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e0 = tensor.empty() : tensor<2x130x130x40xf32>
  %e1 = tensor.empty() : tensor<2x128x128x40xf32>
  %i0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<2x130x130x40xf32>) -> tensor<2x130x130x40xf32>
  %i1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<2x128x128x40xf32>) -> tensor<2x128x128x40xf32>
  %s = linalg.pooling_nhwc_max ins(%x, %w : tensor<2x132x132x40xf32>, tensor<3x3xf32>) outs(%i0 : tensor<2x130x130x40xf32>) -> tensor<2x130x130x40xf32>
  %y = linalg.pooling_nhwc_max ins(%s, %w : tensor<2x130x130x40xf32>, tensor<3x3xf32>) outs(%i1 : tensor<2x128x128x40xf32>) -> tensor<2x128x128x40xf32>
  return %y : tensor<2x128x128x40xf32>
}

// Rows that are too long for a cache, with all that a block has, are cut.
// CHECK-LABEL: func.func @wide(
// CHECK: scf.forall (%[[ROW:.*]], %[[COLUMN:.*]]) = (0, 0) to (64, 16384) step (16, 2048)
// CHECK: tensor.extract_slice %{{.*}}[%[[ROW]], %[[COLUMN]]] [18, 2050] [1, 1]
// CHECK: call @wide_rows(%{{.*}}) : (tensor<18x2050xf32>) -> tensor<16x2048xf32>
// CHECK: tensor.parallel_insert_slice %{{.*}}[%[[ROW]], %[[COLUMN]]] [16, 2048] [1, 1]
func.func @wide(%x: tensor<66x16386xf32>) -> tensor<64x16384xf32> {
  %e0 = tensor.empty() : tensor<66x16386xf32>
  %e1 = tensor.empty() : tensor<64x16384xf32>
  %s = linalg.exp ins(%x : tensor<66x16386xf32>) outs(%e0 : tensor<66x16386xf32>) -> tensor<66x16386xf32>
  %u = tensor.extract_slice %s[0, 0] [64, 16384] [1, 1] : tensor<66x16386xf32> to tensor<64x16384xf32>
  %d = tensor.extract_slice %s[2, 2] [64, 16384] [1, 1] : tensor<66x16386xf32> to tensor<64x16384xf32>
  %y = linalg.add ins(%u, %d : tensor<64x16384xf32>, tensor<64x16384xf32>) outs(%e1 : tensor<64x16384xf32>) -> tensor<64x16384xf32>
  return %y : tensor<64x16384xf32>
}

// An argument is read with its neighbours, and is what the sums start from.
// CHECK-LABEL: func.func @in_place(
// CHECK: call @in_place_rows
func.func @in_place(%x: tensor<640x640xf32>) -> tensor<640x640xf32> {
  %e = tensor.empty() : tensor<640x640xf32>
  %w = arith.constant dense<1.0> : tensor<3xf32>
  %z = arith.constant 0.5 : f32
  %s = linalg.exp ins(%x : tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  %p = tensor.pad %s low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<640x640xf32> to tensor<642x640xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%p, %w : tensor<642x640xf32>, tensor<3xf32>) outs(%x : tensor<640x640xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<640x640xf32>
  return %y : tensor<640x640xf32>
}

//--- stays.mlir
// 256 x 256 images stay in a cache.
func.func @small(%x: tensor<258x256xf32>) -> tensor<256x256xf32> {
  %e0 = tensor.empty() : tensor<258x256xf32>
  %e1 = tensor.empty() : tensor<256x256xf32>
  %s = linalg.exp ins(%x : tensor<258x256xf32>) outs(%e0 : tensor<258x256xf32>) -> tensor<258x256xf32>
  %u = tensor.extract_slice %s[0, 0] [256, 256] [1, 1] : tensor<258x256xf32> to tensor<256x256xf32>
  %d = tensor.extract_slice %s[2, 0] [256, 256] [1, 1] : tensor<258x256xf32> to tensor<256x256xf32>
  %y = linalg.add ins(%u, %d : tensor<256x256xf32>, tensor<256x256xf32>) outs(%e1 : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %y : tensor<256x256xf32>
}

// Halves have no elements in common.
func.func @halves(%x: tensor<640x640xf32>) -> tensor<320x640xf32> {
  %e0 = tensor.empty() : tensor<640x640xf32>
  %e1 = tensor.empty() : tensor<320x640xf32>
  %s = linalg.exp ins(%x : tensor<640x640xf32>) outs(%e0 : tensor<640x640xf32>) -> tensor<640x640xf32>
  %u = tensor.extract_slice %s[0, 0] [320, 640] [1, 1] : tensor<640x640xf32> to tensor<320x640xf32>
  %d = tensor.extract_slice %s[320, 0] [320, 640] [1, 1] : tensor<640x640xf32> to tensor<320x640xf32>
  %y = linalg.add ins(%u, %d : tensor<320x640xf32>, tensor<320x640xf32>) outs(%e1 : tensor<320x640xf32>) -> tensor<320x640xf32>
  return %y : tensor<320x640xf32>
}

// What lies between is returned, too, with rows that two blocks would compute.
func.func @returned(%x: tensor<642x640xf32>) -> (tensor<642x640xf32>, tensor<640x640xf32>) {
  %e0 = tensor.empty() : tensor<642x640xf32>
  %e1 = tensor.empty() : tensor<640x640xf32>
  %s = linalg.exp ins(%x : tensor<642x640xf32>) outs(%e0 : tensor<642x640xf32>) -> tensor<642x640xf32>
  %u = tensor.extract_slice %s[0, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %d = tensor.extract_slice %s[2, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %y = linalg.add ins(%u, %d : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e1 : tensor<640x640xf32>) -> tensor<640x640xf32>
  return %s, %y : tensor<642x640xf32>, tensor<640x640xf32>
}

// Windows of 25 are computed slower than they are loaded.
func.func @windows(%x: tensor<648x648xf32>, %w: tensor<5x5xf32>) -> tensor<640x640xf32> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<644x644xf32>
  %e1 = tensor.empty() : tensor<640x640xf32>
  %i0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<644x644xf32>) -> tensor<644x644xf32>
  %i1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<640x640xf32>) -> tensor<640x640xf32>
  %s = linalg.conv_2d ins(%x, %w : tensor<648x648xf32>, tensor<5x5xf32>) outs(%i0 : tensor<644x644xf32>) -> tensor<644x644xf32>
  %y = linalg.conv_2d ins(%s, %w : tensor<644x644xf32>, tensor<5x5xf32>) outs(%i1 : tensor<640x640xf32>) -> tensor<640x640xf32>
  return %y : tensor<640x640xf32>
}

// One of two results is read by the other as its transpose.
func.func @transposed(%x: tensor<642x640xf32>) -> (tensor<640x640xf32>, tensor<640x640xf32>) {
  %e0 = tensor.empty() : tensor<642x640xf32>
  %e = tensor.empty() : tensor<640x640xf32>
  %s = linalg.exp ins(%x : tensor<642x640xf32>) outs(%e0 : tensor<642x640xf32>) -> tensor<642x640xf32>
  %s0 = tensor.extract_slice %s[0, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s1 = tensor.extract_slice %s[1, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s2 = tensor.extract_slice %s[2, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %a = linalg.mul ins(%s0, %s1 : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s2, %a : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.subf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<640x640xf32>
  return %a, %b : tensor<640x640xf32>, tensor<640x640xf32>
}

// What is around an image is an element of another.
func.func @computed_pad(%x: tensor<640x640xf32>) -> tensor<640x640xf32> {
  %three = arith.constant 3 : index
  %z = tensor.extract %x[%three, %three] : tensor<640x640xf32>
  %e = tensor.empty() : tensor<640x640xf32>
  %s = linalg.exp ins(%x : tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  %p = tensor.pad %s low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<640x640xf32> to tensor<642x640xf32>
  %s0 = tensor.extract_slice %p[0, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s2 = tensor.extract_slice %p[2, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %y = linalg.sub ins(%s0, %s2 : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  return %y : tensor<640x640xf32>
}

// What a product computes with its result stays with it.
func.func @epilogue(%a: tensor<642x64xf32>, %b: tensor<64x640xf32>) -> tensor<640x640xf32> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<642x640xf32>
  %e = tensor.empty() : tensor<640x640xf32>
  %i = linalg.fill ins(%z : f32) outs(%e0 : tensor<642x640xf32>) -> tensor<642x640xf32>
  %m = linalg.matmul ins(%a, %b : tensor<642x64xf32>, tensor<64x640xf32>) outs(%i : tensor<642x640xf32>) -> tensor<642x640xf32>
  %s = linalg.abs ins(%m : tensor<642x640xf32>) outs(%e0 : tensor<642x640xf32>) -> tensor<642x640xf32>
  %s0 = tensor.extract_slice %s[0, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %s2 = tensor.extract_slice %s[2, 0] [640, 640] [1, 1] : tensor<642x640xf32> to tensor<640x640xf32>
  %y = linalg.sub ins(%s0, %s2 : tensor<640x640xf32>, tensor<640x640xf32>) outs(%e : tensor<640x640xf32>) -> tensor<640x640xf32>
  return %y : tensor<640x640xf32>
}

// No rows are no blocks.
func.func @empty(%x: tensor<642x640xf32>, %w: tensor<3xf32>) -> tensor<0x640xf32> {
  %e0 = tensor.empty() : tensor<642x640xf32>
  %e = tensor.empty() : tensor<0x640xf32>
  %s = linalg.exp ins(%x : tensor<642x640xf32>) outs(%e0 : tensor<642x640xf32>) -> tensor<642x640xf32>
  %t = tensor.extract_slice %s[0, 0] [2, 640] [1, 1] : tensor<642x640xf32> to tensor<2x640xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%t, %w : tensor<2x640xf32>, tensor<3xf32>) outs(%e : tensor<0x640xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<0x640xf32>
  return %y : tensor<0x640xf32>
}
