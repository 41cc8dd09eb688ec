// RUN: sched-opt %s --sched-bind-blocks --canonicalize --split-input-file -verify-diagnostics | FileCheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// A product is computed in squares, step by step; its epilogue is in the same
// loop over blocks, and the constant that sums start from is inlined.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[A:[^:]*]]: tensor<1000x515xf32>, %[[B:[^:]*]]: tensor<515x777xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (1000, 777) step (64, 64)
// CHECK: %[[START:.*]] = tensor.extract_slice %[[ZERO]][%[[I]], %[[J]]]
// CHECK: scf.for %{{.*}} = %c0 to %c515 step %c16 iter_args(%{{.*}} = %[[START]])
// CHECK: linalg.matmul
// CHECK: scf.yield
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK: tensor.parallel_insert_slice
// CHECK: mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]
// CHECK-NEXT: return
func.func @product(%a: tensor<1000x515xf32>, %b: tensor<515x777xf32>, %c: tensor<777xf32>) -> tensor<1000x777xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000x777xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  %m = linalg.matmul ins(%a, %b : tensor<1000x515xf32>, tensor<515x777xf32>) outs(%f : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  %r = linalg.generic {indexing_maps = [#map, #col, #map], iterator_types = ["parallel", "parallel"]}
    ins(%m, %c : tensor<1000x777xf32>, tensor<777xf32>) outs(%e : tensor<1000x777xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = math.absf %s : f32
    linalg.yield %t : f32
  } -> tensor<1000x777xf32>
  return %r : tensor<1000x777xf32>
}

// A window is walked point by point, so that a fetch is one of a matrix. Its
// padding stays outside: whoever reads it computes it.
// CHECK-LABEL: func.func @convolution(
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (7, 512) step (4, 32)
// CHECK: tensor.extract_slice %[[P]]
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c512 step %c16
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} tensor<1x1x16x32xf32>
func.func @convolution(%a: tensor<1x7x7x512xf32>, %w: tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x7x7x512xf32> to tensor<1x9x9x512xf32>
  %e = tensor.empty() : tensor<1x7x7x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %m = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x9x9x512xf32>, tensor<3x3x512x512xf32>)
    outs(%f : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  return %m : tensor<1x7x7x512xf32>
}

// A block has whole rows, and each op of the chain once.
// CHECK-LABEL: func.func @softmax(
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK-COUNT-1: arith.maxnumf
// CHECK-COUNT-1: math.exp
// CHECK-COUNT-1: arith.addf
// CHECK-COUNT-1: arith.divf
// CHECK: mapping = [#gpu.block<linear_dim_0>]
// CHECK-NEXT: return
func.func @softmax(%a: tensor<256x1000xf32>) -> tensor<256x1000xf32> {
  %d = tensor.empty() : tensor<256x1000xf32>
  %p = linalg.softmax dimension(1) ins(%a : tensor<256x1000xf32>) outs(%d : tensor<256x1000xf32>) -> tensor<256x1000xf32>
  return %p : tensor<256x1000xf32>
}

// Where few blocks could share what depends on a sum, the sum is a kernel of
// its own, by several columns a block.
// CHECK-LABEL: func.func @few_rows(
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: linalg.reduce
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (2, 100000) step
// CHECK: linalg.sub
func.func @few_rows(%a: tensor<2x100000xf32>) -> tensor<2x100000xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %s = linalg.reduce {arith.addf} ins(%a : tensor<2x100000xf32>) outs(%f : tensor<2xf32>) dimensions = [1]
  %d = tensor.empty() : tensor<2x100000xf32>
  %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%d : tensor<2x100000xf32>) dimensions = [1]
  %r = linalg.sub ins(%a, %b : tensor<2x100000xf32>, tensor<2x100000xf32>) outs(%d : tensor<2x100000xf32>) -> tensor<2x100000xf32>
  return %r : tensor<2x100000xf32>
}

// Sums of columns: neighbours in memory go to one block.
// CHECK-LABEL: func.func @columns(
// CHECK: scf.forall (%{{.*}}) = (0) to (300) step (32)
func.func @columns(%a: tensor<1000x300xf32>) -> tensor<300xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<1000x300xf32>) outs(%f : tensor<300xf32>) dimensions = [0]
  return %r : tensor<300xf32>
}

// One block computes what has no parallel loop, and keeps what a schedule says
// of the op.
// CHECK-LABEL: func.func @scalar(
// CHECK: scf.forall (%{{.*}}) in (1) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<f32>)
// CHECK: linalg.reduce {{.*}} outs(%[[O]] : tensor<f32>) {{.*}}sched.simt = {threads = [64], vector = 1 : i64}
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][] [] []
func.func @scalar(%a: tensor<1000xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<1000xf32>) outs(%f : tensor<f32>) dimensions = [0]
    {sched.simt = {threads = [64], vector = 1 : i64}}
  return %r : tensor<f32>
}

// A large sum is one of parts, which many blocks add up first.
// CHECK-LABEL: func.func @large_sum(
// CHECK-SAME: %[[A:[^:]*]]: tensor<1000x1050xf32>
// CHECK: tensor.expand_shape %{{.*}} : tensor<1050000xf32> into tensor<250x4200xf32>
// CHECK: %[[PARTS:.*]] = scf.forall (%{{.*}}) in (250)
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: linalg.generic {{.*}} ins(%[[PARTS]] : tensor<250xf32>)
func.func @large_sum(%a: tensor<1000x1050xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce {arith.addf} ins(%a : tensor<1000x1050xf32>) outs(%s : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// What is elementwise before it is computed by the first step; parts are where
// the reduction is in memory.
// CHECK-LABEL: func.func @large_norms(
// CHECK: %[[PARTS:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (3, 20) {{.*}} -> (tensor<3x20xf32>)
// CHECK: tensor.extract_slice {{.*}} : tensor<3x20x5000xf32> to tensor<1x1x5000xf32>
// CHECK-NOT: tensor<3x20x5000xf32>
// CHECK: linalg.generic {{.*}} ins(%{{[^,]*}} : tensor<1x1x5000xf32>)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: scf.forall
// CHECK: tensor.extract_slice %[[PARTS]]
// CHECK-NOT: scf.forall (
func.func @large_norms(%a: tensor<3x100x1000xf32>, %s: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3x100x1000xf32>
  %q = linalg.mul ins(%a, %a : tensor<3x100x1000xf32>, tensor<3x100x1000xf32>) outs(%e : tensor<3x100x1000xf32>) -> tensor<3x100x1000xf32>
  %r = linalg.reduce {arith.addf} ins(%q : tensor<3x100x1000xf32>) outs(%s : tensor<3xf32>) dimensions = [1, 2]
  return %r : tensor<3xf32>
}

// What is to be in memory has a kernel of its own.
// CHECK-LABEL: func.func @in_memory(
// CHECK: %[[X:.*]] = scf.forall
// CHECK: linalg.exp {sched.simt = {keep = "memory"}}
// CHECK: scf.forall
// CHECK: tensor.extract_slice %[[X]]
// CHECK: linalg.add
func.func @in_memory(%a: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %x = linalg.exp {sched.simt = {keep = "memory"}} ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %r = linalg.add ins(%x, %a : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// What is elementwise in the order of memory is a line; a chain is one loop.
// CHECK-LABEL: func.func @line(
// CHECK: scf.forall (%{{.*}}) = (0) to (770000) step (1024) {{.*}} -> (tensor<770000xf32>)
// CHECK: arith.addf
// CHECK: math.exp
// CHECK: %[[R:.*]] = tensor.expand_shape
// CHECK-NEXT: return %[[R]]
func.func @line(%a: tensor<1000x770xf32>, %b: tensor<1000x770xf32>) -> tensor<1000x770xf32> {
  %e = tensor.empty() : tensor<1000x770xf32>
  %x = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<1000x770xf32>, tensor<1000x770xf32>) outs(%e : tensor<1000x770xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<1000x770xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<1000x770xf32>) outs(%e : tensor<1000x770xf32>) {
  ^bb0(%x1: f32, %o: f32):
    %s = math.exp %x1 : f32
    linalg.yield %s : f32
  } -> tensor<1000x770xf32>
  return %r : tensor<1000x770xf32>
}

// Results that nothing computes are copied; one op may write a transposed one.
// CHECK-LABEL: func.func @moved(
// CHECK-SAME: %[[A:[^:]*]]: tensor<64x96xf32>
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (96, 64) step (32, 32)
// CHECK: tensor.extract_slice %[[A]][%[[J]], %[[I]]] [32, 32]
// CHECK: scf.forall
// CHECK: linalg.copy
// CHECK: %[[WHOLE:.*]] = tensor.expand_shape
// CHECK: return %[[WHOLE]]
func.func @moved(%a: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<96x64xf32>) {
  %e = tensor.empty() : tensor<96x64xf32>
  %t = linalg.transpose ins(%a : tensor<64x96xf32>) outs(%e : tensor<96x64xf32>) permutation = [1, 0]
  return %a, %t : tensor<64x96xf32>, tensor<96x64xf32>
}

// CHECK-LABEL: func.func @joined(
// CHECK: %[[C:.*]] = tensor.concat
// CHECK: scf.forall
// CHECK: tensor.extract_slice %[[C]]
// CHECK: linalg.copy
func.func @joined(%a: tensor<100x77xf32>, %c: tensor<5x77xf32>) -> tensor<105x77xf32> {
  %t = tensor.concat dim(0) %a, %c : (tensor<100x77xf32>, tensor<5x77xf32>) -> tensor<105x77xf32>
  return %t : tensor<105x77xf32>
}

// An op that is marked so is no kernel of its own.
// CHECK-LABEL: func.func @inlined(
// CHECK: linalg.exp {sched.simt = {keep = "recompute"}}
// CHECK: scf.forall
// CHECK-NOT: linalg.exp
// CHECK: return
func.func @inlined(%a: tensor<64x96xf32>, %b: tensor<96x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %x = linalg.exp {sched.simt = {keep = "recompute"}} ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %b : tensor<64x96xf32>, tensor<96x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %m : tensor<64x64xf32>
}

// A function of more than a few instructions is not computed again for each
// tile of a product.
// CHECK-LABEL: func.func @computed_once(
// CHECK: scf.forall
// CHECK: linalg.exp
// CHECK: scf.forall
// CHECK: linalg.matmul
func.func @computed_once(%a: tensor<64x96xf32>, %b: tensor<96x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %x = linalg.exp ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %b : tensor<64x96xf32>, tensor<96x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %m : tensor<64x64xf32>
}

// A loop without a mapping gets one; one with a mapping stays as it is.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 8)
// CHECK: mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]
func.func @loop(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = scf.forall (%i, %j) in (4, 8) shared_outs(%o = %e) -> (tensor<4x8xf32>) {
    %s = tensor.extract_slice %a[%i, %j] [1, 1] [1, 1] : tensor<4x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x8xf32>
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @mapped_to_threads(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{is mapped to #gpu.thread<x> at the top of a function; expected #gpu.block<...>, or no mapping}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %r : tensor<4xf32>
}

// -----

func.func @dynamic(%a: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{gives 'tensor<?xf32>', whose shape is not constant; expected constant sizes, as kernels are launched with}}
  %r = linalg.exp ins(%a : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @serial_loop(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{is not computed by blocks of threads, and cannot be tied to them; expected linalg ops, scf.forall, and pads, slices and reshapes of tensors}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8xf32> {
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// expected-error @below {{has several basic blocks; expected one, as kernels are launched one after another}}
func.func @branch(%a: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^next
^next:
  return %a : tensor<8xf32>
}

// -----

// Sums that a block would do all of are kept together while they are little
// work: two of these, 20000 terms, are not.
// CHECK-LABEL: func.func @sums(
// CHECK-COUNT-2: scf.forall (
// CHECK-LABEL: func.func @few(
// CHECK: scf.forall (
// CHECK-NOT: scf.forall (
// CHECK: return
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @sums(%a: tensor<20x500xf32>) -> tensor<20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %e0 = tensor.empty() : tensor<f32>
  %i0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %all = linalg.reduce { arith.addf } ins(%a : tensor<20x500xf32>) outs(%i0 : tensor<f32>) dimensions = [0, 1]
  %rows = linalg.reduce { arith.maximumf } ins(%a : tensor<20x500xf32>) outs(%i : tensor<20xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#none, #one, #one], iterator_types = ["parallel"]}
      ins(%all, %rows : tensor<f32>, tensor<20xf32>) outs(%e : tensor<20xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.subf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @few(%a: tensor<20x87xf32>) -> tensor<20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %e0 = tensor.empty() : tensor<f32>
  %i0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %all = linalg.reduce { arith.addf } ins(%a : tensor<20x87xf32>) outs(%i0 : tensor<f32>) dimensions = [0, 1]
  %rows = linalg.reduce { arith.maximumf } ins(%a : tensor<20x87xf32>) outs(%i : tensor<20xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#none, #one, #one], iterator_types = ["parallel"]}
      ins(%all, %rows : tensor<f32>, tensor<20xf32>) outs(%e : tensor<20xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.subf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<20xf32>
  return %r : tensor<20xf32>
}
