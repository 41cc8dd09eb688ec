// Arguments that say where something is read hold places that are there, in
// sched-run and in the workers, whatever is done to them on the way.

// RUN: sched-run %s --entry=rows --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=ROWS
// RUN: sched-run %s --entry=few --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=FEW
// RUN: sched-run %s --entry=called --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=CALLED
// RUN: sched-run %s --entry=cut --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=CUT
// ROWS: @rows(30522x64xf32, 128xi32) -> (128x64xf32)
// FEW: @few(3x5xf32, 40x1xindex) -> (40x5xf32)
// CALLED: @called(2x9xf32, 3x6xi64) -> (18x9xf32)
// CUT: @cut(1000xf32, index) -> (10xf32)

// RUN: rm -rf %t
// RUN: sched-opt %s --auto-schedule="trials=1 batch=1 threads=1 jobs=1 min-repeat-ms=1 repeats=1 quiet work-dir=%t" -o /dev/null
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records.jsonl --implicit-check-not='"error":"{{[a-z]}}'
// RECORD: "verified":true

func.func @rows(%t: tensor<30522x64xf32>, %ids: tensor<128xi32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<128xi32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %x = arith.index_cast %i : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%x, %j] : tensor<30522x64xf32>
    linalg.yield %v : f32
  } -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// Fewer than what an index would be otherwise.
func.func @few(%t: tensor<3x5xf32>, %i: tensor<40x1xindex>) -> tensor<40x5xf32> {
  %r = tensor.gather %t[%i] gather_dims([0]) : (tensor<3x5xf32>, tensor<40x1xindex>) -> tensor<40x5xf32>
  return %r : tensor<40x5xf32>
}

// A negative place counts from the end.
func.func private @look_up(%t: tensor<2x9xf32>, %ids: tensor<18xi64>) -> tensor<18x9xf32> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %e = tensor.empty() : tensor<18x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<18xi64>) outs(%e : tensor<18x9xf32>) {
  ^bb0(%i: i64, %o: f32):
    %b = arith.addi %i, %two : i64
    %n = arith.cmpi slt, %i, %zero : i64
    %s = arith.select %n, %b, %i : i64
    %x = arith.index_cast %s : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%x, %j] : tensor<2x9xf32>
    %w = arith.addf %v, %v : f32
    linalg.yield %w : f32
  } -> tensor<18x9xf32>
  return %r : tensor<18x9xf32>
}

func.func @called(%t: tensor<2x9xf32>, %ids: tensor<3x6xi64>) -> tensor<18x9xf32> {
  %f = tensor.collapse_shape %ids [[0, 1]] : tensor<3x6xi64> into tensor<18xi64>
  %r = func.call @look_up(%t, %f) : (tensor<2x9xf32>, tensor<18xi64>) -> tensor<18x9xf32>
  return %r : tensor<18x9xf32>
}

func.func @cut(%a: tensor<1000xf32>, %from: tensor<index>) -> tensor<10xf32> {
  %o = tensor.extract %from[] : tensor<index>
  %s = tensor.extract_slice %a[%o] [10] [1] : tensor<1000xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %r = linalg.exp ins(%s : tensor<10xf32>) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}
