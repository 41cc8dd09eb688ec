// A product with an operand of one value everywhere, a constant or a fill. Panels
// would be folded into its body, and what is left of it would be one vector of
// the whole product, on which the code generator did not come to an end.

// RUN: sched-opt %s --schedule-generate-space="threads=1 target=cpu:mcpu=znver3" | FileCheck %s --check-prefix=SPACE
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t.script
// RUN: sched-run %s --entry=lhs --transform=%t.script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s
// RUN: sched-run %s --entry=rhs --transform=%t.script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s
// RUN: sched-run %s --entry=filled --transform=%t.script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s
// RUN: sched-run %s --entry=two --transform=%t.script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s

// SPACE: schedule.sketch
// SPACE-NOT: schedule.pack_rhs
// The second product of the last function has panels.
// SPACE: constant lhs
// SPACE: schedule.pack_rhs

// CHECK: check: right

func.func @lhs(%w: tensor<200x104xf32> {schedule.layout_free}, %y: tensor<96x104xf32>) -> tensor<96x104xf32> {
  %a = arith.constant dense<0.5> : tensor<96x200xf32>
  %r = linalg.matmul ins(%a, %w : tensor<96x200xf32>, tensor<200x104xf32>) outs(%y : tensor<96x104xf32>) -> tensor<96x104xf32>
  return %r : tensor<96x104xf32>
}
func.func @rhs(%a: tensor<96x208xf32>, %y: tensor<96x104xf32>) -> tensor<96x104xf32> {
  %w = arith.constant dense<0.25> : tensor<208x104xf32>
  %r = linalg.matmul ins(%a, %w : tensor<96x208xf32>, tensor<208x104xf32>) outs(%y : tensor<96x104xf32>) -> tensor<96x104xf32>
  return %r : tensor<96x104xf32>
}
func.func @filled(%w: tensor<216x104xf32> {schedule.layout_free}, %y: tensor<96x104xf32>) -> tensor<96x104xf32> {
  %c = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<96x216xf32>
  %a = linalg.fill ins(%c : f32) outs(%e : tensor<96x216xf32>) -> tensor<96x216xf32>
  %r = linalg.matmul ins(%a, %w : tensor<96x216xf32>, tensor<216x104xf32>) outs(%y : tensor<96x104xf32>) -> tensor<96x104xf32>
  return %r : tensor<96x104xf32>
}
func.func @two(%w: tensor<256x256xf32> {schedule.layout_free}, %y: tensor<256x256xf32>, %p: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a = arith.constant dense<0.5> : tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %w : tensor<256x256xf32>, tensor<256x256xf32>) outs(%y : tensor<256x256xf32>) -> tensor<256x256xf32>
  %q = linalg.matmul ins(%r, %p : tensor<256x256xf32>, tensor<256x256xf32>) outs(%y : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %q : tensor<256x256xf32>
}
