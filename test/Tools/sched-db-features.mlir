// Features of what a search recorded. The payloads are kept beside the records:
// those of tasks that were padded, rewritten, or run in parallel too. Without
// them the module that was tuned will do.
// REQUIRES: host-x86

// RUN: rm -rf %t && mkdir %t
// RUN: sched-opt %s --auto-schedule="trials=12 batch=2 threads=2 winograd=2 work-dir=%t/work min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-db features %t/work -o %t/kept.csv 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t/kept.csv
// RUN: sched-db features %t/work/records.jsonl --format=json | FileCheck %s --check-prefix=JSON

// The same from the module.
// RUN: mv %t/work/workloads %t/elsewhere
// RUN: sched-db features %t/work --payload=%s -o %t/given.csv 2>&1 | count 0
// RUN: cmp %t/kept.csv %t/given.csv

// Without any, each task is a warning.
// RUN: sched-db features %t/work -o %t/none.csv 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: count 1 < %t/none.csv

// A payload that is none gets one message.
// RUN: not sched-db features %t/work --payload=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo 'func.func @f(' > %t/torn.mlir
// RUN: not sched-db features %t/work --payload=%t/torn.mlir 2>&1 | FileCheck %s --check-prefix=TORN
// RUN: echo 'func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> { %y = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32> return %y : tensor<?xf32> }' > %t/dynamic.mlir
// RUN: not sched-db features %t/work --payload=%t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// MISSING-NOT: {{.}}
// MISSING: sched-db: error: payload: cannot open input file '{{.*}}none.mlir': No such file or directory
// MISSING-NOT: {{.}}
// TORN-NOT: {{.}}
// TORN: sched-db: error: cannot use the payload '{{.*}}torn.mlir': 1:14: expected non-function type{{.*}}
// TORN-NOT: {{.}}
// DYNAMIC-NOT: {{.}}
// DYNAMIC: sched-db: error: cannot use the payload '{{.*}}dynamic.mlir': 1:14: argument #0 of @f: expected ranked tensors of static shape; found 'tensor<?xf32>'{{.*}}
// DYNAMIC-NOT: {{.}}

// CHECK: workload,text,target,toolchain,trial,seconds,analytic_seconds,block,program_Flops,{{.*}},block_Points,{{.*}},block_Buffer0Bytes,
// CHECK-DAG: {{^[0-9a-f]+}},"matmul_33x40x24_f32{{.*}},threads=2",{{"LLVM [^"]+"}},0,{{[0-9.e+-]+}},{{[0-9.e+-]+}},0,63360,
// CHECK-DAG: "batch_matmul_{{.*}},threads=1",
// CHECK-DAG: (padded

// JSON: {"analytic_seconds":{{[0-9.e+-]+}},"block_feature_version":[[#]],"blocks":[{{{.*}}"Points":{{.*}}],"feature_version":[[#]],"program":{{{.*}}},"seconds":{{[0-9.e+-]+}},"target":"cpu:{{.*}},"text":"{{.*}}","toolchain":"{{.*}}","trial":0,"workload":"{{[0-9a-f]+}}"}

// NONE: sched-db: warning: 1 records of {{.*}} are not used: there is no payload of workload {{[0-9a-f]+}}; give the module that was tuned

func.func @product(%a: tensor<33x24xf32>, %b: tensor<24x40xf32>) -> tensor<33x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x40xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<33x40xf32>) -> tensor<33x40xf32>
  %r = linalg.matmul ins(%a, %b : tensor<33x24xf32>, tensor<24x40xf32>)
                     outs(%i : tensor<33x40xf32>) -> tensor<33x40xf32>
  return %r : tensor<33x40xf32>
}

func.func @attention(%q: tensor<2x239x24xf32>, %k: tensor<2x24x301xf32>, %v: tensor<2x301x24xf32>) -> tensor<2x239x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x239x301xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x239x24xf32>, tensor<2x24x301xf32>) outs(%i : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<2x239x301xf32>) outs(%e : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %e2 = tensor.empty() : tensor<2x239x24xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x239x24xf32>) -> tensor<2x239x24xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x239x301xf32>, tensor<2x301x24xf32>) outs(%i2 : tensor<2x239x24xf32>) -> tensor<2x239x24xf32>
  return %r : tensor<2x239x24xf32>
}

func.func @strided(%image: tensor<1x14x14x8xf32>, %weights: tensor<3x3x8x16xf32>) -> tensor<1x7x7x16xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %image low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %y: index, %x: index, %c: index):
    tensor.yield %z : f32
  } : tensor<1x14x14x8xf32> to tensor<1x15x15x8xf32>
  %e = tensor.empty() : tensor<1x7x7x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%p, %weights : tensor<1x15x15x8xf32>, tensor<3x3x8x16xf32>)
      outs(%i : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  return %r : tensor<1x7x7x16xf32>
}

func.func @transforms(%image: tensor<1x16x16x8xf32>, %weights: tensor<3x3x8x16xf32>) -> tensor<1x14x14x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf
      ins(%image, %weights : tensor<1x16x16x8xf32>, tensor<3x3x8x16xf32>)
      outs(%i : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %r : tensor<1x14x14x16xf32>
}
