// REQUIRES: nvptx-registered-target
// Reductions and rows as kernels compute them, in the emulator, compared with
// the ops themselves.

// RUN: sched-run %s --entry=uneven --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=two_warps --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=long_row --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=columns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=words --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=halves --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=bits --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=two_results --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=place --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=in_order --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=recomputed --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=outer --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=normalized --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=two_rows --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=two_rows_told --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=two_columns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=chain --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=twice --target=nvvm:sm_80 --emulate | FileCheck %s
// CHECK: check: right

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Numbers of threads that are no powers of two, and more threads than the
// block's first group has.
func.func @uneven(%x: tensor<10x100xf32>, %start: tensor<10xf32>) -> tensor<10xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<10x100xf32>) outs(%start : tensor<10xf32>) dimensions = [1]
    {sched.simt = {threads = [3, 50], vector = 1}}
  return %r : tensor<10xf32>
}

func.func @two_warps(%x: tensor<4x256xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<4x256xf32>) outs(%start : tensor<4xf32>) dimensions = [1]
    {sched.simt = {threads = [2, 64], vector = 2}}
  return %r : tensor<4xf32>
}

// More elements than are written out.
func.func @long_row(%x: tensor<2x20011xf32>, %start: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<2x20011xf32>) outs(%start : tensor<2xf32>) dimensions = [1]
  return %r : tensor<2xf32>
}

func.func @columns(%x: tensor<300x70xf32>, %start: tensor<70xf32>) -> tensor<70xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<300x70xf32>) outs(%start : tensor<70xf32>) dimensions = [0]
  return %r : tensor<70xf32>
}

// Words of 64 bits travel between threads in halves, short ones as words.
func.func @words(%x: tensor<5x300xi64>, %start: tensor<5xi64>) -> tensor<5xi64> {
  %r = linalg.reduce {arith.addi} ins(%x : tensor<5x300xi64>) outs(%start : tensor<5xi64>) dimensions = [1]
  return %r : tensor<5xi64>
}
func.func @halves(%x: tensor<5x300xf16>, %start: tensor<5xf16>) -> tensor<5xf16> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<5x300xf16>) outs(%start : tensor<5xf16>) dimensions = [1]
  return %r : tensor<5xf16>
}
func.func @bits(%x: tensor<5x300xi1>, %start: tensor<5xi1>) -> tensor<5xi1> {
  %r = linalg.reduce {arith.ori} ins(%x : tensor<5x300xi1>) outs(%start : tensor<5xi1>) dimensions = [1]
  return %r : tensor<5xi1>
}

func.func @two_results(%x: tensor<9x100xf32>, %a: tensor<9xf32>, %b: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#map, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<9x100xf32>) outs(%a, %b : tensor<9xf32>, tensor<9xf32>) {
  ^bb0(%e: f32, %s: f32, %q: f32):
    %t = arith.addf %e, %s : f32
    %p = arith.mulf %e, %e : f32
    %u = arith.addf %p, %q : f32
    linalg.yield %t, %u : f32, f32
  } -> (tensor<9xf32>, tensor<9xf32>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xf32>
}

// The place of the largest element: of two, the first.
func.func @place(%x: tensor<9x100xi8>) -> (tensor<9xi8>, tensor<9xi32>) {
  %low = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9xi8>
  %ei = tensor.empty() : tensor<9xi32>
  %f = linalg.fill ins(%low : i8) outs(%e : tensor<9xi8>) -> tensor<9xi8>
  %fi = linalg.fill ins(%zero : i32) outs(%ei : tensor<9xi32>) -> tensor<9xi32>
  %r:2 = linalg.generic {indexing_maps = [#map, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<9x100xi8>) outs(%f, %fi : tensor<9xi8>, tensor<9xi32>) {
  ^bb0(%i: i8, %o: i8, %oi: i32):
    %n = linalg.index 1 : index
    %ni = arith.index_cast %n : index to i32
    %c = arith.cmpi sgt, %i, %o : i8
    %s = arith.select %c, %i, %o : i8
    %si = arith.select %c, %ni, %oi : i32
    linalg.yield %s, %si : i8, i32
  } -> (tensor<9xi8>, tensor<9xi32>)
  return %r#0, %r#1 : tensor<9xi8>, tensor<9xi32>
}

func.func @in_order(%x: tensor<40x10xf32>, %start: tensor<40xf32>) -> tensor<40xf32> {
  %r = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<40x10xf32>) outs(%start : tensor<40xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    %c = arith.addf %a, %s : f32
    linalg.yield %c : f32
  } -> tensor<40xf32>
  return %r : tensor<40xf32>
}

// What is returned too is computed by itself.
func.func @recomputed(%x: tensor<33x65xf32>, %start: tensor<33xf32>) -> (tensor<33x65xf32>, tensor<33xf32>) {
  %d = tensor.empty() : tensor<33x65xf32>
  %e = linalg.exp ins(%x : tensor<33x65xf32>) outs(%d : tensor<33x65xf32>) -> tensor<33x65xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<33x65xf32>) outs(%start : tensor<33xf32>) dimensions = [1]
  return %e, %r : tensor<33x65xf32>, tensor<33xf32>
}

// A sum that is read in two ways in its block goes through shared memory.
func.func @outer(%x: tensor<16x64xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<16x16xf32>) {
    %e = tensor.empty() : tensor<16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.reduce {arith.addf} ins(%x : tensor<16x64xf32>) outs(%f : tensor<16xf32>) dimensions = [1]
    %p = linalg.generic {indexing_maps = [#row, #col, #map], iterator_types = ["parallel", "parallel"]}
      ins(%s, %s : tensor<16xf32>, tensor<16xf32>) outs(%o : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %m = arith.mulf %a, %b : f32
      linalg.yield %m : f32
    } -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<16x16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16x16xf32>
}

// Rows and columns: the mean of each image's channel is taken away.
func.func @normalized(%x: tensor<2x9x11x12xf32>) -> tensor<2x9x11x12xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 99.0 : f32
  %e = tensor.empty() : tensor<2x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<2x9x11x12xf32>) outs(%f : tensor<2x12xf32>) dimensions = [1, 2]
  %d = tensor.empty() : tensor<2x9x11x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, d)>,
      affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %s : tensor<2x9x11x12xf32>, tensor<2x12xf32>) outs(%d : tensor<2x9x11x12xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.divf %b, %n : f32
    %t = arith.subf %a, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x9x11x12xf32>
  return %r : tensor<2x9x11x12xf32>
}

// Two sums with no loop in common have the same threads; the tile needs a thread
// for each pair of their elements.
func.func @two_rows(%x: tensor<32x256xf32>, %y: tensor<64x128xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<32xf32>
  %e = tensor.empty() : tensor<64xf32>
  %o = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32xf32>) -> tensor<32xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%b) in (1) shared_outs(%out = %o) -> (tensor<32x64xf32>) {
    %s = linalg.reduce {arith.addf} ins(%x : tensor<32x256xf32>) outs(%f : tensor<32xf32>) dimensions = [1]
    %t = linalg.reduce {arith.addf} ins(%y : tensor<64x128xf32>) outs(%g : tensor<64xf32>) dimensions = [1]
    %p = linalg.generic {indexing_maps = [#row, #col, #map], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : tensor<32xf32>, tensor<64xf32>) outs(%o : tensor<32x64xf32>) {
    ^bb0(%a: f32, %c: f32, %u: f32):
      %v = arith.mulf %a, %c : f32
      linalg.yield %v : f32
    } -> tensor<32x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %out[0, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<32x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x64xf32>
}

func.func @two_rows_told(%x: tensor<12x100xf32>, %y: tensor<20x40xf32>) -> tensor<12x20xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<12xf32>
  %e = tensor.empty() : tensor<20xf32>
  %o = tensor.empty() : tensor<12x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<12xf32>) -> tensor<12xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %r = scf.forall (%b) in (1) shared_outs(%out = %o) -> (tensor<12x20xf32>) {
    %s = linalg.reduce {arith.addf} ins(%x : tensor<12x100xf32>) outs(%f : tensor<12xf32>) dimensions = [1]
      {sched.simt = {threads = [3, 50]}}
    %t = linalg.reduce {arith.addf} ins(%y : tensor<20x40xf32>) outs(%g : tensor<20xf32>) dimensions = [1]
      {sched.simt = {threads = [5, 20]}}
    %p = linalg.generic {indexing_maps = [#row, #col, #map], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : tensor<12xf32>, tensor<20xf32>) outs(%o : tensor<12x20xf32>) {
    ^bb0(%a: f32, %c: f32, %u: f32):
      %v = arith.mulf %a, %c : f32
      linalg.yield %v : f32
    } -> tensor<12x20xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %out[0, 0] [12, 20] [1, 1] : tensor<12x20xf32> into tensor<12x20xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<12x20xf32>
}

// Both have vectors, of which an element of the tile has one.
func.func @two_columns(%x: tensor<256x4xf32>, %y: tensor<128x64xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<64xf32>
  %o = tensor.empty() : tensor<4x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%b) in (1) shared_outs(%out = %o) -> (tensor<4x64xf32>) {
    %s = linalg.reduce {arith.addf} ins(%x : tensor<256x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
    %t = linalg.reduce {arith.addf} ins(%y : tensor<128x64xf32>) outs(%g : tensor<64xf32>) dimensions = [0]
    %p = linalg.generic {indexing_maps = [#row, #col, #map], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : tensor<4xf32>, tensor<64xf32>) outs(%o : tensor<4x64xf32>) {
    ^bb0(%a: f32, %c: f32, %u: f32):
      %v = arith.mulf %a, %c : f32
      linalg.yield %v : f32
    } -> tensor<4x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %out[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<4x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<4x64xf32>
}

// A sum that starts from another one, in one block.
func.func @chain(%x: tensor<300xf32>, %y: tensor<200xf32>, %start: tensor<f32>) -> tensor<f32> {
  %a = linalg.reduce {arith.addf} ins(%y : tensor<200xf32>) outs(%start : tensor<f32>) dimensions = [0]
  %b = linalg.reduce {arith.addf} ins(%x : tensor<300xf32>) outs(%a : tensor<f32>) dimensions = [0]
  return %b : tensor<f32>
}

// What is returned twice has the memory of two results.
func.func @twice(%x: tensor<64x32xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %e = tensor.empty() : tensor<32x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  return %t, %t : tensor<32x64xf32>, tensor<32x64xf32>
}
