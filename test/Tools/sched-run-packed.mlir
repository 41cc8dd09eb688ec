// A schedule that packs an argument beforehand: sched-run packs it before it
// times, and says so.

// RUN: sched-opt %s --schedule-generate-space="threads=1 target=cpu:mcpu=znver3" --schedule-sample=seed=1 \
// RUN:   --convert-schedule-to-transform=sketch=packed --emit=transform -o %t.packed
// RUN: sched-run %s --transform=%t.packed --threads=1 --min-repeat-ms=1 --repeats=2 | FileCheck %s
// RUN: sched-run %s --transform=%t.packed --threads=1 --min-repeat-ms=1 --repeats=2 --json | FileCheck %s --check-prefix=JSON

// The panels, of a width that divides 128, take the room of the operand.
// CHECK: packed beforehand: argument 1, 20480 bytes
// CHECK-NEXT: check: right
// JSON: "pack_s": {{[0-9]}}
// JSON-NEXT: "packed": [
// JSON-NEXT: 1
// JSON-NEXT: ],
// JSON: "verified": true
func.func @f(%a: tensor<33x40xf32>, %b: tensor<40x128xf32> {schedule.layout_free}) -> tensor<33x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<33x128xf32>) -> tensor<33x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<33x40xf32>, tensor<40x128xf32>)
                     outs(%i : tensor<33x128xf32>) -> tensor<33x128xf32>
  return %r : tensor<33x128xf32>
}
