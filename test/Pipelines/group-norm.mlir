// Group normalization of an image whose channels are innermost, as a frontend
// writes it, in bf16 and with groups of ten: what becomes of it (JoinGroups.cpp)
// computes the same on one thread and on two, for which the function is compared
// as a whole.

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --auto-schedule="trials=20 threads=1 cost-model=random min-repeat-ms=1 quiet=true work-dir=%t/one" -o %t/one.mlir 2> %t/one.log
// RUN: FileCheck %s --check-prefix=QUIET --input-file=%t/one.log --allow-empty
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/one/records.jsonl
// RUN: FileCheck %s --input-file=%t/one.mlir
// RUN: sched-opt %s --auto-schedule="trials=20 threads=2 cost-model=random min-repeat-ms=1 quiet=true work-dir=%t/two" -o %t/two.mlir 2> %t/two.log
// RUN: FileCheck %s --check-prefix=QUIET --input-file=%t/two.log --allow-empty
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/two/records.jsonl

// QUIET-NOT: {{error|compared|wrong}}
// RIGHT: "sketch":"whole"{{.*}}"verified":true,"workload":{"hash":"{{.*}}-whole","text":"the whole of @group_norm"}

// CHECK-NOT: tensor<1x11x13x8x10x
// CHECK: func.func @group_norm(
// CHECK-NOT: tensor<1x11x13x8x10x
func.func @group_norm(%x: tensor<1x11x13x80xbf16>, %scale: tensor<80xbf16>, %shift: tensor<80xbf16>) -> tensor<1x11x13x80xbf16> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1430.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %groups = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 11, 13, 8, 10] : tensor<1x11x13x80xbf16> into tensor<1x11x13x8x10xbf16>
  %empty = tensor.empty() : tensor<1x8xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8xf32>) -> tensor<1x8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>, affine_map<(n, h, w, g, d) -> (n, g)>], iterator_types = ["parallel", "reduction", "reduction", "parallel", "reduction"]} ins(%groups : tensor<1x11x13x8x10xbf16>) outs(%none : tensor<1x8xf32>) {
  ^bb0(%a: bf16, %s: f32):
    %e = arith.extf %a : bf16 to f32
    %r = arith.addf %s, %e : f32
    linalg.yield %r : f32
  } -> tensor<1x8xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n, g)>], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<1x8xf32>) outs(%empty : tensor<1x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %count : f32
    linalg.yield %r : f32
  } -> tensor<1x8xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>, affine_map<(n, h, w, g, d) -> (n, g)>, affine_map<(n, h, w, g, d) -> (n, g)>], iterator_types = ["parallel", "reduction", "reduction", "parallel", "reduction"]} ins(%groups, %mean : tensor<1x11x13x8x10xbf16>, tensor<1x8xf32>) outs(%none : tensor<1x8xf32>) {
  ^bb0(%a: bf16, %m: f32, %s: f32):
    %e = arith.extf %a : bf16 to f32
    %d = arith.subf %e, %m : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %s, %q : f32
    linalg.yield %r : f32
  } -> tensor<1x8xf32>
  %deviation = linalg.generic {indexing_maps = [affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n, g)>], iterator_types = ["parallel", "parallel"]} ins(%squares : tensor<1x8xf32>) outs(%empty : tensor<1x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.divf %a, %count : f32
    %e = arith.addf %v, %eps : f32
    %r = math.rsqrt %e : f32
    linalg.yield %r : f32
  } -> tensor<1x8xf32>
  %scales = tensor.expand_shape %scale [[0, 1]] output_shape [8, 10] : tensor<80xbf16> into tensor<8x10xbf16>
  %shifts = tensor.expand_shape %shift [[0, 1]] output_shape [8, 10] : tensor<80xbf16> into tensor<8x10xbf16>
  %whole = tensor.empty() : tensor<1x11x13x8x10xbf16>
  %norm = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>, affine_map<(n, h, w, g, d) -> (n, g)>, affine_map<(n, h, w, g, d) -> (n, g)>, affine_map<(n, h, w, g, d) -> (g, d)>, affine_map<(n, h, w, g, d) -> (g, d)>, affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%groups, %mean, %deviation, %scales, %shifts : tensor<1x11x13x8x10xbf16>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<8x10xbf16>, tensor<8x10xbf16>) outs(%whole : tensor<1x11x13x8x10xbf16>) {
  ^bb0(%a: bf16, %m: f32, %v: f32, %s: bf16, %b: bf16, %o: bf16):
    %ae = arith.extf %a : bf16 to f32
    %se = arith.extf %s : bf16 to f32
    %be = arith.extf %b : bf16 to f32
    %d = arith.subf %ae, %m : f32
    %p = arith.mulf %d, %v : f32
    %q = arith.mulf %p, %se : f32
    %r = arith.addf %q, %be : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x11x13x8x10xbf16>
  %result = tensor.collapse_shape %norm [[0], [1], [2], [3, 4]] : tensor<1x11x13x8x10xbf16> into tensor<1x11x13x80xbf16>
  return %result : tensor<1x11x13x80xbf16>
}
