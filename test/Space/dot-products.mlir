// Sketches for instructions that take several steps of a reduction: where the
// target has one for the operands' types, and the steps divide the reduction.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=cooperlake,triple=x86_64-linux-gnu threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefixes=CHECK,VNNI,BF16
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3,triple=x86_64-linux-gnu threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=NEON
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=AMX
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=I8MM
// REQUIRES: x86-registered-target, aarch64-registered-target

// NONE-NOT: schedule.sketch @dot

// Extents along k count groups; what corrects sums of signed bytes takes no
// register in the loop over them.
// CHECK-LABEL: func.func @bytes(
// VNNI: schedule.sketch @dot(
// VNNI: %[[M:.*]] = transform.param.constant 64 : i64
// VNNI: %[[N:.*]] = transform.param.constant 128 : i64
// VNNI: %[[K:.*]] = transform.param.constant 100 : i64
// Panels leave no vector of columns over: 128 are eight, which three do not
// divide.
// VNNI: %[[VECTORS:.*]] = schedule.sample_categorical "vectors" from [1, 2, 4, 8]
// VNNI: schedule.sum %{{[^,]*}}, %[[VECTORS]], %{{[^,]*$}}
// VNNI: schedule.pack_rhs %{{.*}} "anchor" init "init" n 128 group 4 tile
// VNNI: schedule.tile %{{.*}} "anchor" fuse [] rank 5 dims [2] extents(%[[K]])
// VNNI: schedule.sketch @dot_blocked(
// NEON-LABEL: func.func @bytes(
// NEON: schedule.sketch @dot(
// NEON: %[[MR:.*]] = schedule.sample_categorical "mr"
// NEON: schedule.sum %{{.*}}, %{{.*}}, %{{.*}}, %[[MR]]{{$}}
// Squares have two rows each, and columns of twice the bytes.
// I8MM-LABEL: func.func @bytes(
// I8MM: schedule.sketch @squares(
// I8MM: %{{.*}} = transform.param.constant 50 : i64
// I8MM: %[[MR:.*]] = schedule.sample_categorical "mr" from [2, 4, 6, 8, 10, 12, 14]
// I8MM: %[[VECTORS:.*]] = schedule.sample_categorical "vectors"
// I8MM: schedule.sample_categorical "ku" from [1, 2, 4, 5, 8] default 2
// I8MM: schedule.sum %{{.*}}, %[[VECTORS]], %{{.*}}, %[[MR]], %[[VECTORS]]
// I8MM: schedule.pack_rhs %{{.*}} "anchor" init "init" n 128 group 8 tile
// I8MM: schedule.sketch @dot(
// Tiles of AMX take 16 groups at once; 100 of them leave a tail, and rows come
// in tiles alone.
// AMX-LABEL: func.func @bytes(
// AMX: schedule.sketch @tiles(
// AMX: %[[MR:.*]] = schedule.sample_categorical "mr" from [16, 32, 48, 64] default 32
// AMX: schedule.sample_categorical "vectors" from [1, 2, 4] default 2
// AMX: %[[KU:.*]] = transform.param.constant 16 : i64
// AMX: schedule.require "the sums fit in the tile registers"
// AMX: schedule.pack_rhs %{{.*}} "anchor" init "init" n 128 group 4 tile
// AMX: schedule.sketch @tiles_blocked(
// AMX: schedule.sketch @dot(
func.func @bytes(%a: tensor<64x400xi8>, %b: tensor<400x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x400xi8>, tensor<400x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// CHECK-LABEL: func.func @bfloats(
// BF16: schedule.sketch @dot(
// BF16: schedule.pack_rhs %{{.*}} group 2 tile
// NEON-LABEL: func.func @bfloats(
// NEON-NOT: schedule.sketch @dot
// I8MM-LABEL: func.func @bfloats(
// I8MM: schedule.sketch @squares(
// I8MM: schedule.pack_rhs %{{.*}} group 4 tile
func.func @bfloats(%a: tensor<64x100xbf16>, %b: tensor<100x128xbf16>) -> tensor<64x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x100xbf16>, tensor<100x128xbf16>) outs(%i : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: func.func @odd(
// NEON-LABEL: func.func @odd(
// CHECK-NOT: schedule.sketch @dot
func.func @odd(%a: tensor<64x101xi8>, %b: tensor<101x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x101xi8>, tensor<101x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// Fewer rows than a tile has are a lower one.
// CHECK-LABEL: func.func @few(
// AMX-LABEL: func.func @few(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sample_categorical "mr" from [8] default 8
// AMX: schedule.sketch @dot(
func.func @few(%a: tensor<8x128xbf16>, %b: tensor<128x128xbf16>) -> tensor<8x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x128xf32>) -> tensor<8x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x128xbf16>, tensor<128x128xbf16>) outs(%i : tensor<8x128xf32>) -> tensor<8x128xf32>
  return %r : tensor<8x128xf32>
}

// -----

// Of one row most of what is loaded would be used once.
// CHECK-LABEL: func.func @row(
// AMX-LABEL: func.func @row(
// AMX-NOT: schedule.sketch @tiles
// AMX: schedule.sketch @dot(
func.func @row(%a: tensor<1x128xbf16>, %b: tensor<128x128xbf16>) -> tensor<1x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x128xbf16>, tensor<128x128xbf16>) outs(%i : tensor<1x128xf32>) -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

// -----

// Two tiles may have rows in common: those of a line of 28 pixels. The panels of
// all nine taps are more than L1 gives room to.
// CHECK-LABEL: func.func @shared(
// AMX-LABEL: func.func @shared(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sample_categorical "mr" from [16, 28] default 28
// AMX: schedule.ceildiv
// AMX: schedule.sketch @tiles_blocked(
func.func @shared(%a: tensor<1x30x30x64xbf16>, %b: tensor<3x3x64x128xbf16>) -> tensor<1x28x28x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x30x30x64xbf16>, tensor<3x3x64x128xbf16>)
      outs(%i : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
  return %r : tensor<1x28x28x128xf32>
}

// -----

// 28 rows at a time leave none of 84 over.
// CHECK-LABEL: func.func @even(
// AMX-LABEL: func.func @even(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sample_categorical "mr" from [16, 32, 48, 64, 28, 42] default 32
func.func @even(%a: tensor<84x128xbf16>, %b: tensor<128x128xbf16>) -> tensor<84x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<84x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<84x128xf32>) -> tensor<84x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<84x128xbf16>, tensor<128x128xbf16>) outs(%i : tensor<84x128xf32>) -> tensor<84x128xf32>
  return %r : tensor<84x128xf32>
}


// -----

// Batches: panels are those of each batch, with k last.
// CHECK-LABEL: func.func @batches(
// NEON-LABEL: func.func @batches(
// NEON: schedule.sketch @dot(
// VNNI: schedule.sketch @dot(
// VNNI: schedule.pack_rhs %{{.*}} "anchor" init "init" n 128 loops [1, 2, 3, 0] result [1, 2, -1, 0] rhs [0, 3, 2] group 4 tile
// VNNI: schedule.tile %{{.*}} "anchor" fuse [] rank 6 dims [3]
// AMX-LABEL: func.func @batches(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sketch @dot(
func.func @batches(%a: tensor<3x64x64xi8>, %b: tensor<3x64x128xi8>) -> tensor<3x64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<3x64x128xi32>) -> tensor<3x64x128xi32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x64x64xi8>, tensor<3x64x128xi8>) outs(%i : tensor<3x64x128xi32>) -> tensor<3x64x128xi32>
  return %r : tensor<3x64x128xi32>
}

// -----

// Windows: groups of channels for each tap. Rows that a stride takes apart, as
// no step before has put them side by side, are computed one by one: no tiles.
// CHECK-LABEL: func.func @strided(
// VNNI: schedule.sketch @dot(
// VNNI: schedule.pack_rhs %{{.*}} rhs [4, 5, 6, 3] group 4 tile
// VNNI: schedule.unroll_points %{{.*}} "anchor" rank 9 dims [2]
// VNNI: schedule.unroll_points %{{.*}} "tail_anchor" rank 7 dims [2]
// NEON-LABEL: func.func @strided(
// NEON: schedule.sketch @dot(
// I8MM-LABEL: func.func @strided(
// I8MM-NOT: schedule.sketch @squares
// I8MM: schedule.sketch @dot(
// AMX-LABEL: func.func @strided(
// AMX-NOT: schedule.sketch @tiles
// AMX: schedule.sketch @dot(
func.func @strided(%a: tensor<1x35x65x64xi8>, %b: tensor<3x3x64x64xi8>) -> tensor<1x17x32x64xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x17x32x64xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x17x32x64xi32>) -> tensor<1x17x32x64xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x35x65x64xi8>, tensor<3x3x64x64xi8>) outs(%i : tensor<1x17x32x64xi32>) -> tensor<1x17x32x64xi32>
  return %r : tensor<1x17x32x64xi32>
}

// -----

// Channels outside of the image's rows are no neighbours in memory.
// CHECK-LABEL: func.func @channels_first(
// CHECK-NOT: schedule.sketch @dot
func.func @channels_first(%a: tensor<1x64x18x18xi8>, %b: tensor<64x64x3x3xi8>) -> tensor<1x64x16x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x64x16x16xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x64x16x16xi32>) -> tensor<1x64x16x16xi32>
  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x64x18x18xi8>, tensor<64x64x3x3xi8>) outs(%i : tensor<1x64x16x16xi32>) -> tensor<1x64x16x16xi32>
  return %r : tensor<1x64x16x16xi32>
}

// -----

// Blocks of the reduction: more than 64 groups of eight. Those of 512 steps are
// 64, and fit in a cache whole.
// CHECK-LABEL: func.func @long(
// I8MM-LABEL: func.func @long(
// I8MM: schedule.sketch @squares(
// I8MM: schedule.sketch @squares_blocked(
// I8MM: transform.param.constant 128 : i64
// I8MM: schedule.pack_rhs %{{.*}} group 8
func.func @long(%a: tensor<64x1024xi8>, %b: tensor<1024x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x1024xi8>, tensor<1024x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// I8MM-LABEL: func.func @short(
// I8MM: schedule.sketch @squares(
// I8MM-NOT: schedule.sketch @squares_blocked(
func.func @short(%a: tensor<64x512xi8>, %b: tensor<512x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x512xi8>, tensor<512x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// Whatever follows: an addition, a maximum and a shift to bytes are one op when
// the sketch begins, and the product is what it was.
// CHECK-LABEL: func.func @quantized(
// VNNI: schedule.sketch @dot(
// VNNI: schedule.fuse_elementwise %{{.*}} ["linalg.max"]
// VNNI: schedule.pack_rhs %{{.*}} "anchor" init "init" epilogue "epilogue" n 128 group 4 tile
// NEON-LABEL: func.func @quantized(
// NEON: schedule.sketch @dot(
// AMX-LABEL: func.func @quantized(
// AMX: schedule.sketch @tiles(
#rows = affine_map<(i, j) -> (i, j)>
func.func @quantized(%a: tensor<64x512xi8>, %b: tensor<512x128xi8>, %c: tensor<128xi32>) -> tensor<64x128xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x512xi8>, tensor<512x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  %s = linalg.generic {indexing_maps = [#rows, affine_map<(i, j) -> (j)>, #rows], iterator_types = ["parallel", "parallel"]}
    ins(%r, %c : tensor<64x128xi32>, tensor<128xi32>) outs(%e : tensor<64x128xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %sum = arith.addi %x, %y : i32
    linalg.yield %sum : i32
  } -> tensor<64x128xi32>
  %m = linalg.max ins(%s, %i : tensor<64x128xi32>, tensor<64x128xi32>) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %n = tensor.empty() : tensor<64x128xi8>
  %t = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
    ins(%m : tensor<64x128xi32>) outs(%n : tensor<64x128xi8>) {
  ^bb0(%x: i32, %o: i8):
    %ten = arith.constant 10 : i32
    %most = arith.constant 127 : i32
    %shifted = arith.shrsi %x, %ten : i32
    %least = arith.minsi %shifted, %most : i32
    %byte = arith.trunci %least : i32 to i8
    linalg.yield %byte : i8
  } -> tensor<64x128xi8>
  return %t : tensor<64x128xi8>
}

// -----

// 24 groups are two tiles of 12.
// AMX-LABEL: func.func @few_groups(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sample_categorical "vectors"
// AMX-NEXT: transform.param.constant 12 : i64
func.func @few_groups(%a: tensor<64x96xi8>, %b: tensor<96x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x96xi8>, tensor<96x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// Whole tiles of rows take fewer than a tile has, too.
// AMX-LABEL: func.func @one_tile(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sample_categorical "vectors"
// AMX-NEXT: transform.param.constant 4 : i64
func.func @one_tile(%a: tensor<64x16xi8>, %b: tensor<16x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x16xi8>, tensor<16x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// But not three.
// AMX-LABEL: func.func @too_few_groups(
// AMX-NOT: schedule.sketch @tiles
// AMX: schedule.sketch @dot(
func.func @too_few_groups(%a: tensor<64x12xi8>, %b: tensor<12x128xi8>) -> tensor<64x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<64x12xi8>, tensor<12x128xi8>) outs(%i : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

// -----

// Nor do low ones.
// AMX-LABEL: func.func @low_rows(
// AMX-NOT: schedule.sketch @tiles
// AMX: schedule.sketch @dot(
func.func @low_rows(%a: tensor<14x56xi8>, %b: tensor<56x128xi8>) -> tensor<14x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<14x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<14x128xi32>) -> tensor<14x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<14x56xi8>, tensor<56x128xi8>) outs(%i : tensor<14x128xi32>) -> tensor<14x128xi32>
  return %r : tensor<14x128xi32>
}

// -----

// Those with a whole row of steps take 16 at once, and not 12.
// AMX-LABEL: func.func @low_rows_and_steps(
// AMX: schedule.sketch @tiles(
// AMX: schedule.sample_categorical "vectors"
// AMX-NEXT: transform.param.constant 16 : i64
func.func @low_rows_and_steps(%a: tensor<14x96xi8>, %b: tensor<96x128xi8>) -> tensor<14x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<14x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<14x128xi32>) -> tensor<14x128xi32>
  %r = linalg.matmul ins(%a, %b : tensor<14x96xi8>, tensor<96x128xi8>) outs(%i : tensor<14x128xi32>) -> tensor<14x128xi32>
  return %r : tensor<14x128xi32>
}
