// A search for a GPU: on one that is none (test/FakeDriver: its kernels copy),
// without one, and with one that is lost in the middle.

// REQUIRES: nvptx-registered-target

// RUN: rm -rf %t && mkdir %t
// RUN: echo launch-us=40 > %t/well
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/well sched-opt %s -o %t/well.mlir \
// RUN:   --auto-schedule="target=nvvm:native trials=4 batch=4 jobs=1 min-repeat-ms=1 work-dir=%t/records" \
// RUN:   > %t/well.txt 2>&1
// RUN: FileCheck %s --check-prefix=WELL --input-file=%t/well.txt
// RUN: FileCheck %s --check-prefix=TARGET --input-file=%t/well.mlir
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records/records.jsonl

// WELL-NOT: warning
// WELL: 4 trials; best {{.*}}40.0 us

// What the module is for is the chip, and what this one has of everything.
// TARGET: schedule.target = "nvvm:chip=sm_90a,multiprocessors=132,shared=233472,registers=65536,l2=1048576,memory-gbs=3352"

// RECORD: "costs_s":[{{(3\.99|4)[0-9.]*e-05,.*}}"kernels":[{"blocks":{{[0-9]+}},"kernel":"{{.*}}","local_bytes":0,"registers":{{[0-9]+}},"shared_bytes":{{[0-9]+}},"spill_bytes":0,"threads":{{[0-9]+}}}{{.*}}"verified":true

// Models learn from such records, too.
// RUN: sched-db features %t/records -o %t/features.csv 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=FEATURES --input-file=%t/features.csv
// FEATURES: workload,{{.*}}analytic_seconds,{{.*}}kernel_
// FEATURES-NEXT: {{^[0-9a-f]+}},"{{[^"]+}}","nvvm:chip=sm_90a{{[^"]*}},threads=1",{{"[^"]+"}},0,{{[0-9.e+-]+}},{{[0-9.e+-]+}},

// Without a GPU, that is said once.
// RUN: env %no_gpu sched-opt %s -o %t/none.mlir \
// RUN:   --auto-schedule="target=nvvm:sm_90a trials=4 batch=4 jobs=1 work-dir=%t/built" \
// RUN:   > %t/none.txt 2>&1
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/none.txt
// RUN: FileCheck %s --check-prefix=BUILT --input-file=%t/built/records.jsonl

// NONE: warning: nothing is measured: found no NVIDIA driver ({{.*}}), expected /none/libcuda.so.1; install the driver, or name its library with SCHED_CUDA_DRIVER=FILE; schedules are ranked by the analytic model
// NONE-NOT: warning
// NONE: 0 trials; the model's best of {{[0-9]+}} that were built, nothing measured

// BUILT: "built":true,{{.*}}"costs_s":[]

// How the search went is told as of any other.
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t/built/search-log.jsonl
// LOG: {"batch":[{{.*}}"built":4,{{.*}}"kind":"bred",{{.*}}"kind":"descent",{{.*}}"trials":0,

// What was built is not built again.
// RUN: wc -l < %t/built/records.jsonl > %t/before
// RUN: env %no_gpu sched-opt %s -o %t/resumed.mlir \
// RUN:   --auto-schedule="target=nvvm:sm_90a trials=4 batch=4 jobs=1 work-dir=%t/built" \
// RUN:   2>&1 | FileCheck %s --check-prefix=NONE
// RUN: wc -l < %t/built/records.jsonl | diff %t/before -
// RUN: diff %t/none.mlir %t/resumed.mlir

// It is nothing to compile from.
// RUN: not sched-opt %s --apply-history-best="target=nvvm:sm_90a work-dir=%t/built" 2>&1 | FileCheck %s --check-prefix=HISTORY
// RUN: not sched-run %s --entry=f --target=nvvm:sm_90a --emulate --work-dir=%t/built 2>&1 | FileCheck %s --check-prefix=HISTORY
// HISTORY: error: found 4 candidate(s) of '{{.*}}' that were built and not measured, as there was no GPU; expected measured ones: tune on a machine with the GPU, or take the model's choice by the same --auto-schedule or one with trials=0

// Where there is no toolkit either, the warning promises nothing of a compiler.
// RUN: env %no_gpu CUDA_HOME=%t/none sched-opt %s -o %t/bare.mlir \
// RUN:   --auto-schedule="target=nvvm:sm_90a trials=2 batch=2 jobs=1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BARE
// BARE: ranked by the analytic model alone, as there is no CUDA toolkit

// RUN: sched-db list %t/built | FileCheck %s --check-prefix=SHOWN
// SHOWN: trials  failed       best  task
// SHOWN-NEXT: 0 {{ *}}0 {{ *}}none

// RUN: not env %no_gpu sched-opt %s \
// RUN:   --auto-schedule="target=nvvm:native trials=4" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NATIVE
// NATIVE: error: target 'nvvm:native' is the GPU of this machine: found no NVIDIA driver {{.*}}; or name the chip, as in nvvm:sm_90a

// One that runs other code is none.
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/well sched-opt %s -o %t/other.mlir \
// RUN:   --auto-schedule="target=nvvm:sm_80 trials=2 batch=2 jobs=1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: warning: nothing is measured: found Fake GPU, a GPU of sm_90, expected one that runs code for sm_80; schedules are ranked

// A lost one ends the run; what came before is kept, and a second run goes on.
// RUN: echo lost-at-load=2 > %t/lost
// RUN: not env %fake_gpu SCHED_FAKE_CUDA=%t/lost sched-opt %s -o %t/lost.mlir \
// RUN:   --auto-schedule="target=nvvm:sm_90a trials=4 batch=4 jobs=1 min-repeat-ms=1 work-dir=%t/kept" \
// RUN:   > %t/lost.txt 2>&1
// RUN: FileCheck %s --check-prefix=LOST --input-file=%t/lost.txt
// RUN: count 1 < %t/kept/records.jsonl
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/well sched-opt %s -o %t/again.mlir \
// RUN:   --auto-schedule="target=nvvm:sm_90a trials=4 batch=4 jobs=1 min-repeat-ms=1 work-dir=%t/kept" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN

// LOST: error: the GPU cannot be measured on any more: starting the NVIDIA driver: CUDA_ERROR_NO_DEVICE; what was measured before is kept
// LOST-NOT: error
// AGAIN: trials (1 from records)

// A product with the identity, which copies.
func.func @f(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %square = tensor.empty() : tensor<32x32xf32>
  %identity = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      outs(%square : tensor<32x32xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %same = arith.cmpi eq, %i, %j : index
    %r = arith.select %same, %one, %zero : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %empty = tensor.empty() : tensor<64x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.matmul ins(%a, %identity : tensor<64x32xf32>, tensor<32x32xf32>)
                     outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
