// sched-run applies a schedule to one function, checks it against the function
// as it is, and times both.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/in.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/best.mlir 2>/dev/null

// RUN: sched-run %t/in.mlir --entry=f --transform=%t/best.mlir --threads=1 --min-repeat-ms=1 --repeats=2 \
// RUN:   | FileCheck %t/in.mlir --check-prefix=TEXT
// RUN: sched-run %t/in.mlir --entry=f --transform=%t/best.mlir --threads=1 --min-repeat-ms=1 --repeats=2 --json > %t/best.json
// RUN: %python %S/Inputs/check-run.py %t/best.json scheduled 3

// Without a schedule the function is timed as it is; the input may come from a
// pipe, and needs no entry where there is one function only.
// RUN: sched-run %t/in.mlir --entry=g --threads=1 --min-repeat-ms=1 --repeats=2 --json > %t/plain.json
// RUN: %python %S/Inputs/check-run.py %t/plain.json unscheduled 2
// RUN: sched-opt %t/one.mlir | sched-run --threads=1 --min-repeat-ms=1 --repeats=2 \
// RUN:   | FileCheck %t/one.mlir

// A result of f64 is as exact as the f32 that it was computed in.
// RUN: sched-opt %t/wide.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/wide-best.mlir 2>/dev/null
// RUN: sched-run %t/wide.mlir --transform=%t/wide-best.mlir --threads=1 --min-repeat-ms=1 --repeats=2 \
// RUN:   | FileCheck %t/wide.mlir

//--- wide.mlir
// Partial sums, which the function as it is does not have.
// CHECK: check: right, max relative error {{[0-9.]+e-0[5-9]}}
func.func @wide(%a: tensor<40x300xf32>) -> tensor<40xf64> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<40x300xf32>) outs(%i : tensor<40xf32>) dimensions = [1]
  %w = tensor.empty() : tensor<40xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
                      ins(%s : tensor<40xf32>) outs(%w : tensor<40xf64>) {
  ^bb0(%x: f32, %o: f64):
    %y = arith.extf %x : f32 to f64
    linalg.yield %y : f64
  } -> tensor<40xf64>
  return %r : tensor<40xf64>
}

//--- in.mlir
// TEXT: @f(40x24xf32, 24x48xf32) -> (40x48xf32), 1 thread{{$}}
// TEXT-NEXT: schedule: {{.*}}best.mlir
// TEXT-NEXT: median us
// TEXT-NEXT: scheduled {{[0-9.]+ [0-9.]+ [0-9.]+$}}
// TEXT-NEXT: unscheduled {{[0-9.]+ [0-9.]+ [0-9.]+$}}
// TEXT-NEXT: speed-up: {{[0-9.]+}} x
// TEXT-NEXT: check: right, max relative error
func.func @f(%a: tensor<40x24xf32>, %b: tensor<24x48xf32>) -> tensor<40x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<40x24xf32>, tensor<24x48xf32>)
                     outs(%i : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %r : tensor<40x48xf32>
}
func.func @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

//--- one.mlir
// CHECK: @only(8xf32) -> (8xf32)
// CHECK-NOT: {{schedule:|speed-up|check:}}
// Three digits, however short a call is.
// CHECK: unscheduled {{ *([1-9][0-9]*\.[0-9][0-9]|0\.0*[1-9][0-9][0-9]) +([1-9][0-9]*\.[0-9][0-9]|0\.0*[1-9][0-9][0-9]) }}
// CHECK-NOT: {{schedule:|speed-up|check:}}
func.func @only(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
