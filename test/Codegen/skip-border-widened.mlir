// Rows of padding are left out of products of what is widened, too, unless the
// target multiplies several rows at once.
// RUN: split-file %s %t
// RUN: sched-opt %t/line.mlir --sched-skip-border=spares-widened | FileCheck %s
// RUN: sched-opt %t/line.mlir --sched-skip-border | FileCheck %s --check-prefix=WHOLE
// RUN: sched-opt %t/conv.mlir --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=znver4,triple=x86_64-linux-gnu" --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: sched-opt %t/conv.mlir --auto-schedule="trials=16 batch=16 seed=1 threads=1 cost-model=random work-dir=%t/work min-repeat-ms=1 quiet=true" --emit=obj -o %t/conv.o
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: schedule.trace
// RIGHT-NOT: "error":"{{[^"]+}}"

// Four steps of a line of seven pixels and two vectors: six, seven and six.
// ASM-COUNT-152: vdpbf16ps
// ASM-NOT: vdpbf16ps

//--- line.mlir
// Pairs of bfloats: the image is expanded before it is padded.
// CHECK-LABEL: func.func @line(
// CHECK: tensor.expand_shape %arg0
// CHECK: tensor.pad
// CHECK-NOT: scf.for %{{.*}} to %c3
// CHECK: %[[LESS:.*]] = vector.transfer_read {{.*}} vector<6x4x2xbf16>
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [1, 0], sizes = [6, 16]
// CHECK: %[[WIDE:.*]] = arith.extf %[[LESS]]
// CHECK: vector.contract {{.*}} %[[WIDE]], {{.*}} into vector<6x16xf32>
// CHECK: vector.insert_strided_slice %{{.*}} {offsets = [1, 0]
// CHECK-NOT: strided_slice
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0, 0], sizes = [6, 16]
// CHECK: vector.contract {{.*}} into vector<6x16xf32>
// WHOLE-LABEL: func.func @line(
// WHOLE: scf.for %{{.*}} to %c3
// WHOLE-NOT: strided_slice
// WHOLE: vector.contract {{.*}} into vector<7x16xf32>
// WHOLE-NOT: vector.contract
#lhs = affine_map<(m, n, k, p) -> (m, k, p)>
#rhs = affine_map<(m, n, k, p) -> (k, n, p)>
#sum = affine_map<(m, n, k, p) -> (m, n)>
func.func @line(%x: tensor<7x16xbf16>, %w: tensor<3x8x16x2xbf16>, %start: vector<7x16xf32>) -> vector<7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<7x16xbf16> to tensor<9x16xbf16>
  %slice = tensor.extract_slice %padded[0, 0] [9, 16] [1, 1] : tensor<9x16xbf16> to tensor<9x16xbf16>
  %pairs = tensor.expand_shape %slice [[0], [1, 2]] output_shape [9, 8, 2] : tensor<9x16xbf16> into tensor<9x8x2xbf16>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<7x16xf32>) {
    %s = scf.for %k = %c0 to %c8 step %c4 iter_args(%acc = %sum) -> (vector<7x16xf32>) {
      %a = vector.transfer_read %pairs[%q, %k, %c0], %zero {in_bounds = [true, true, true]} : tensor<9x8x2xbf16>, vector<7x4x2xbf16>
      %b = vector.transfer_read %w[%q, %k, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x8x16x2xbf16>, vector<4x16x2xbf16>
      %aw = arith.extf %a : vector<7x4x2xbf16> to vector<7x4x2xf32>
      %bw = arith.extf %b : vector<4x16x2xbf16> to vector<4x16x2xf32>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %aw, %bw, %acc : vector<7x4x2xf32>, vector<4x16x2xf32> into vector<7x16xf32>
      scf.yield %next : vector<7x16xf32>
    }
    scf.yield %s : vector<7x16xf32>
  }
  return %r : vector<7x16xf32>
}

//--- conv.mlir
func.func @conv(%x: tensor<1x7x7x32xbf16>, %w: tensor<3x3x32x32xbf16> {schedule.layout_free}) -> tensor<1x7x7x32xf32> {
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %c: index, %f: index):
    tensor.yield %pad : bf16
  } : tensor<1x7x7x32xbf16> to tensor<1x9x9x32xbf16>
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x9x9x32xbf16>, tensor<3x3x32x32xbf16>) outs(%i : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}
