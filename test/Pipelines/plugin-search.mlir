// The plugin finds the worker from where it lies itself: the tool that loads it
// is elsewhere.

// RUN: rm -rf %t && mkdir -p %t/lone/lib %t/path
// RUN: mlir-opt-22 %s --load-dialect-plugin=%sched_plugin --load-pass-plugin=%sched_plugin \
// RUN:   --pass-pipeline='builtin.module(auto-schedule{trials=2 threads=1 min-repeat-ms=1})' 2>%t/log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t/log

// Where there is none, the error says where it has looked; PATH is the last
// place, and SCHED_WORKER replaces them all.
// RUN: cp %sched_plugin %t/lone/lib/plugin.so
// RUN: not env PATH=%t/none mlir-opt-22 %s --load-dialect-plugin=%t/lone/lib/plugin.so --load-pass-plugin=%t/lone/lib/plugin.so \
// RUN:   --pass-pipeline='builtin.module(auto-schedule{trials=2 threads=1 min-repeat-ms=1})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: ln -s sched-worker %t/path/sched-worker
// RUN: env PATH=%t/path mlir-opt-22 %s --load-dialect-plugin=%t/lone/lib/plugin.so --load-pass-plugin=%t/lone/lib/plugin.so \
// RUN:   --pass-pipeline='builtin.module(auto-schedule{trials=2 threads=1 min-repeat-ms=1})' | FileCheck %s
// RUN: env SCHED_WORKER=%t/path/sched-worker mlir-opt-22 %s --load-dialect-plugin=%t/lone/lib/plugin.so --load-pass-plugin=%t/lone/lib/plugin.so \
// RUN:   --pass-pipeline='builtin.module(auto-schedule{trials=2 threads=1 min-repeat-ms=1})' | FileCheck %s

// LOG: 2 trials{{.*}}; best
// NONE: error: found no sched-worker in {{.*}}/bin, {{.*}}/lone/lib, {{.*}}/lone/bin, {{.*}} or PATH; {{.*}}SCHED_WORKER=FILE
// CHECK-LABEL: func.func @f
// CHECK: vector.contract
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
