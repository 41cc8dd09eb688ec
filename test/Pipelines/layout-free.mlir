// A layout-free operand is packed by a function of its own.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --auto-schedule="trials=6 batch=6 threads=1 work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o --emit-header=%t.h
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl

// Every candidate was checked, packed ones among them.
// RECORD-NOT: wrong-result
// RECORD: @packed
// RECORD-SAME: "verified":true
func.func @f(%a: tensor<33x40xf32>, %b: tensor<40x72xf32> {schedule.layout_free}) -> tensor<33x72xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x72xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<33x72xf32>) -> tensor<33x72xf32>
  %r = linalg.matmul ins(%a, %b : tensor<33x40xf32>, tensor<40x72xf32>)
                     outs(%i : tensor<33x72xf32>) -> tensor<33x72xf32>
  return %r : tensor<33x72xf32>
}
