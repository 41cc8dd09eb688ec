// Pixels that a stride takes apart, put side by side for each tap: what of them
// is padding is left out, and the image is read without a copy (TapRows.cpp); of
// signed bytes, where their columns are packed (PackedBytes.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/rows.mlir --sched-skip-border=spares-widened --sched-skip-padding=row-by-row --canonicalize | FileCheck %s
// RUN: sched-opt %t/rows.mlir --sched-skip-border --sched-skip-padding --canonicalize | FileCheck %s --check-prefix=WHOLE
// Rows at one place are none that a stride takes apart.
// RUN: sed 's/\[1, 2, 1\]/[1, 0, 1]/' %t/rows.mlir | sched-opt --sched-skip-border=spares-widened --sched-skip-padding=row-by-row --canonicalize | FileCheck %s --check-prefix=WHOLE
// Unsigned bytes likewise; of signed ones each window has the sum of all weights.
// RUN: sed 's/0\.0 : bf16/0 : i8/; s/dense<0\.0>/dense<0>/; s/bf16/i8/g; s/f32/i32/g; s/arith.extf/arith.extui/' %t/rows.mlir > %t/unsigned.mlir
// RUN: sched-opt %t/unsigned.mlir --sched-skip-border=spares-widened --sched-skip-padding=row-by-row --canonicalize | FileCheck %s
// RUN: sed 's/arith.extui/arith.extsi/' %t/unsigned.mlir > %t/signed.mlir
// RUN: sched-opt %t/signed.mlir --sched-skip-border=spares-widened --sched-skip-padding=row-by-row --canonicalize | FileCheck %s --check-prefix=WHOLE
// Where their columns are packed by a function, that sums up what is asked of
// it; the padded copy stays, as there they are made unsigned.
// RUN: cat %t/signed.mlir %t/pack.mlir > %t/packed.mlir
// RUN: sched-opt %t/packed.mlir --sched-skip-border=spares-widened --sched-skip-padding=row-by-row --canonicalize | FileCheck %s --check-prefix=PACKED
// RUN: sched-opt %t/conv.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=1 cost-model=random work-dir=%t/work min-repeat-ms=1 quiet=true" --emit=obj -o %t/conv.o
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl
// RUN: sed 's/0\.0 : bf16/0 : i8/; s/bf16/i8/g; s/f32/i32/g' %t/conv.mlir > %t/bytes.mlir
// RUN: sched-opt %t/bytes.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=1 cost-model=random work-dir=%t/bytes min-repeat-ms=1 quiet=true" --emit=obj -o %t/bytes.o
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/bytes/records.jsonl
// RUN: sed 's/dense<2>/dense<1>/; s/2x7x8x/2x13x15x/g' %t/bytes.mlir > %t/dense.mlir
// RUN: sched-opt %t/dense.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=2 cost-model=random work-dir=%t/dense min-repeat-ms=1 quiet=true" --emit=obj -o %t/dense.o
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/dense/records.jsonl

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: schedule.trace
// RIGHT-NOT: "error":"{{[^"]+}}"

//--- rows.mlir
// Of 7 x 7 results the first ones meet padding above and on the left.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[LEAST:.*]] = affine.max
// CHECK: scf.for %{{.*}} = %[[LEAST]] to
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %{{.*}}[0, 1, 0, 0] [14, 6, 8, 2] [1, 2, 1, 1]
// CHECK: vector.transfer_read %[[FIRST]]{{.*}} vector<6x8x2x{{bf16|i8}}>
// CHECK: vector.contract {{.*}} into vector<6x16x{{.32}}>
// CHECK: scf.for %[[TAP:.*]] = %c1{{.*}} to %c3
// CHECK: %[[AT:.*]] = affine.apply {{.*}}(%[[TAP]])
// CHECK: %[[OTHER:.*]] = tensor.extract_slice %{{.*}}[0, %[[AT]], 0, 0] [14, 7, 8, 2] [1, 2, 1, 1]
// CHECK: vector.transfer_read %[[OTHER]]{{.*}} vector<7x8x2x{{bf16|i8}}>
// CHECK: vector.contract {{.*}} into vector<7x16x{{.32}}>
// WHOLE-LABEL: func.func @rows(
// WHOLE: tensor.pad
// WHOLE: scf.for %{{.*}} = %c0 to %c3
// WHOLE: scf.for %{{.*}} = %c0 to %c3
// WHOLE: vector.contract {{.*}} into vector<7x16x{{.32}}>
// WHOLE-NOT: vector.contract
// PACKED-LABEL: func.func @rows(
// PACKED: tensor.pad
// PACKED: affine.max
// PACKED: vector.transfer_read {{.*}} vector<6x8x2xi8>
// PACKED: vector.contract {{.*}} into vector<6x16xi32>
// PACKED: vector.contract {{.*}} into vector<7x16xi32>
#lhs = affine_map<(m, n, k, p) -> (m, k, p)>
#rhs = affine_map<(m, n, k, p) -> (k, n, p)>
#sum = affine_map<(m, n, k, p) -> (m, n)>
func.func @rows(%x: tensor<14x14x16xbf16>, %w: tensor<3x3x8x16x2xbf16>, %y: tensor<7x7x16xf32>) -> tensor<7x7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant dense<0.0> : vector<7x16xf32>
  %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%h: index, %i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<14x14x16xbf16> to tensor<16x16x16xbf16>
  %empty = tensor.empty() : tensor<16x3x7x16xbf16>
  %s0 = tensor.extract_slice %padded[0, 0, 0] [16, 7, 16] [1, 2, 1] : tensor<16x16x16xbf16> to tensor<16x7x16xbf16>
  %e0 = tensor.expand_shape %s0 [[0], [1, 2], [3]] output_shape [16, 1, 7, 16] : tensor<16x7x16xbf16> into tensor<16x1x7x16xbf16>
  %g0 = tensor.insert_slice %e0 into %empty[0, 0, 0, 0] [16, 1, 7, 16] [1, 1, 1, 1] : tensor<16x1x7x16xbf16> into tensor<16x3x7x16xbf16>
  %s1 = tensor.extract_slice %padded[0, 1, 0] [16, 7, 16] [1, 2, 1] : tensor<16x16x16xbf16> to tensor<16x7x16xbf16>
  %e1 = tensor.expand_shape %s1 [[0], [1, 2], [3]] output_shape [16, 1, 7, 16] : tensor<16x7x16xbf16> into tensor<16x1x7x16xbf16>
  %g1 = tensor.insert_slice %e1 into %g0[0, 1, 0, 0] [16, 1, 7, 16] [1, 1, 1, 1] : tensor<16x1x7x16xbf16> into tensor<16x3x7x16xbf16>
  %s2 = tensor.extract_slice %padded[0, 2, 0] [16, 7, 16] [1, 2, 1] : tensor<16x16x16xbf16> to tensor<16x7x16xbf16>
  %e2 = tensor.expand_shape %s2 [[0], [1, 2], [3]] output_shape [16, 1, 7, 16] : tensor<16x7x16xbf16> into tensor<16x1x7x16xbf16>
  %g2 = tensor.insert_slice %e2 into %g1[0, 2, 0, 0] [16, 1, 7, 16] [1, 1, 1, 1] : tensor<16x1x7x16xbf16> into tensor<16x3x7x16xbf16>
  %r = scf.for %line = %c0 to %c7 step %c1 iter_args(%out = %y) -> (tensor<7x7x16xf32>) {
    %top = affine.apply affine_map<(l) -> (l * 2)>(%line)
    %window = tensor.extract_slice %g2[%top, 0, 0, 0] [3, 3, 7, 16] [1, 1, 1, 1] : tensor<16x3x7x16xbf16> to tensor<3x3x7x16xbf16>
    %pairs = tensor.expand_shape %window [[0], [1], [2], [3, 4]] output_shape [3, 3, 7, 8, 2] : tensor<3x3x7x16xbf16> into tensor<3x3x7x8x2xbf16>
    %s = scf.for %p = %c0 to %c3 step %c1 iter_args(%t = %none) -> (vector<7x16xf32>) {
      %u = scf.for %q = %c0 to %c3 step %c1 iter_args(%acc = %t) -> (vector<7x16xf32>) {
        %a = vector.transfer_read %pairs[%p, %q, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x3x7x8x2xbf16>, vector<7x8x2xbf16>
        %b = vector.transfer_read %w[%p, %q, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x3x8x16x2xbf16>, vector<8x16x2xbf16>
        %aw = arith.extf %a : vector<7x8x2xbf16> to vector<7x8x2xf32>
        %bw = arith.extf %b : vector<8x16x2xbf16> to vector<8x16x2xf32>
        %next = vector.contract {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %aw, %bw, %acc : vector<7x8x2xf32>, vector<8x16x2xf32> into vector<7x16xf32>
        scf.yield %next : vector<7x16xf32>
      }
      scf.yield %u : vector<7x16xf32>
    }
    %o = vector.transfer_write %s, %out[%line, %c0, %c0] {in_bounds = [true, true]} : vector<7x16xf32>, tensor<7x7x16xf32>
    scf.yield %o : tensor<7x7x16xf32>
  }
  return %r : tensor<7x7x16xf32>
}

//--- pack.mlir
func.func @rows_pack_arg1(%w: tensor<3x3x8x16x2xi8>) -> tensor<3x3x8x16x2xi8> {
  return %w : tensor<3x3x8x16x2xi8>
}

//--- conv.mlir
func.func @f(%x: tensor<2x13x15x64xbf16>, %w: tensor<3x3x64x32xbf16> {schedule.layout_free}, %i: tensor<2x7x8x32xf32>) -> tensor<2x7x8x32xf32> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i0: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<2x13x15x64xbf16> to tensor<2x15x17x64xbf16>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
    ins(%padded, %w : tensor<2x15x17x64xbf16>, tensor<3x3x64x32xbf16>)
    outs(%i : tensor<2x7x8x32xf32>) -> tensor<2x7x8x32xf32>
  return %r : tensor<2x7x8x32xf32>
}
