// Convolutions with the columns of their images, executed: all columns made
// first, with weights of both orders, a stride, bytes, an epilogue and a pad; and
// a form that a search may choose.
// REQUIRES: host-x86

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/all.mlir --auto-schedule="trials=0 threads=2 im2col=on quiet=true" --emit=transform -o %t/script
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script
// RUN: sched-run %t/all.mlir --entry=stem --transform=%t/script --threads=2 --min-repeat-ms=1 --repeats=1 --json | FileCheck %s
// RUN: sched-run %t/all.mlir --entry=outside --transform=%t/script --threads=2 --min-repeat-ms=1 --repeats=1 --json | FileCheck %s
// RUN: sched-run %t/all.mlir --entry=bytes --transform=%t/script --threads=2 --min-repeat-ms=1 --repeats=1 --json | FileCheck %s
// Stock mlir-opt replays it with the plugin.
// RUN: mlir-opt-22 %t/all.mlir --load-dialect-plugin=%sched_plugin --load-pass-plugin=%sched_plugin --transform-preload-library='transform-library-paths=%t/script' --transform-interpreter -o /dev/null

// All forms are measured; the records decide.
// RUN: sched-opt %t/one.mlir --auto-schedule="trials=12 threads=1 im2col=auto work-dir=%t/records min-repeat-ms=1" --emit=obj -o %t/tuned.o 2>&1 | FileCheck %s --check-prefix=FORMS
// RUN: FileCheck %s --check-prefix=RECORDS --input-file=%t/records/records.jsonl
// RUN: sched-opt %t/one.mlir --apply-history-best="threads=1 im2col=auto work-dir=%t/records" --emit=obj -o %t/best.o
// RUN: cmp %t/tuned.o %t/best.o
// RUN: grep '"sketch":"winograd"' %t/records/records.jsonl > %t/forms
// RUN: mkdir %t/columns
// RUN: sed -e '/"trace":"tile = 0"/s/"costs_s":\[[^]]*\]/"costs_s":[1.0]/' -e 's/"trace":"tile = [24]"/"trace":"columns"/' %t/forms > %t/columns/records.jsonl
// RUN: sched-opt %t/one.mlir --auto-schedule="trials=0 threads=1 im2col=auto work-dir=%t/columns quiet=true" --emit=transform | FileCheck %s --check-prefix=SCRIPT
// A record of a form that is not asked for is none.
// RUN: sched-opt %t/one.mlir --auto-schedule="trials=0 threads=1 work-dir=%t/columns quiet=true" --emit=transform | FileCheck %s --check-prefix=OFF

// RUN: not sched-opt %t/one.mlir --auto-schedule="trials=0 im2col=maybe" 2>&1 | FileCheck %s --check-prefix=OPTION

// SCRIPT: transform.apply_registered_pass "schedule-im2col"
// SCRIPT: transform.apply_registered_pass "schedule-outline-tasks"
// OFF-NOT: schedule-im2col
// CHECK: "verified": true
// FORMS: remark: computed {{.*}}with tiles of {{.*}}with columns{{.*}}directly
// RECORDS-DAG: "trace":"columns"
// RECORDS-DAG: "trace":"tile = 0"
// OPTION: error: im2col must be off, auto or on; found 'maybe'

//--- all.mlir
func.func @stem(%image: tensor<2x29x31x3xf32>, %w: tensor<32x5x3x3xf32> {schedule.layout_free}, %bias: tensor<32xf32>) -> tensor<2x14x15x32xf32> {
  %z = arith.constant 0.0 : f32
  %x = tensor.pad %image low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<2x29x31x3xf32> to tensor<2x31x31x3xf32>
  %e = tensor.empty() : tensor<2x14x15x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x14x15x32xf32>) -> tensor<2x14x15x32xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x31x31x3xf32>, tensor<32x5x3x3xf32>) outs(%f : tensor<2x14x15x32xf32>) -> tensor<2x14x15x32xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %bias : tensor<2x14x15x32xf32>, tensor<32xf32>) outs(%e : tensor<2x14x15x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<2x14x15x32xf32>
  return %r : tensor<2x14x15x32xf32>
}
func.func @outside(%x: tensor<1x17x9x70xf32>, %w: tensor<24x17x3x3xf32>, %start: tensor<1x24x7x68xf32>) -> tensor<1x24x7x68xf32> {
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x17x9x70xf32>, tensor<24x17x3x3xf32>) outs(%start : tensor<1x24x7x68xf32>) -> tensor<1x24x7x68xf32>
  return %y : tensor<1x24x7x68xf32>
}
func.func @bytes(%x: tensor<1x9x9x32xi8>, %w: tensor<3x3x32x40xi8>, %start: tensor<1x7x7x40xi32>) -> tensor<1x7x7x40xi32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x32xi8>, tensor<3x3x32x40xi8>) outs(%start : tensor<1x7x7x40xi32>) -> tensor<1x7x7x40xi32>
  return %y : tensor<1x7x7x40xi32>
}
//--- one.mlir
func.func @one(%x: tensor<1x19x19x32xf32>, %w: tensor<3x3x32x32xf32> {schedule.layout_free}, %start: tensor<1x17x17x32xf32>) -> tensor<1x17x17x32xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x19x19x32xf32>, tensor<3x3x32x32xf32>) outs(%start : tensor<1x17x17x32xf32>) -> tensor<1x17x17x32xf32>
  return %y : tensor<1x17x17x32xf32>
}
