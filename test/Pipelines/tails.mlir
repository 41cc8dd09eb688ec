// Prime and odd shapes with each way to compute tails: all candidates are right,
// and the code has masks where they were asked for.

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --schedule-generate-space="threads=1" -o %t/space.mlir
// RUN: sed -e 's/ target(<cpu.*>) {/ {/' -e 's/"tails" from \[[0-9, ]*\] default 0/"tails" from [1] default 1/' %t/space.mlir > %t/masked.mlir
// RUN: sed -e 's/ target(<cpu.*>) {/ {/' -e 's/"tails" from \[[0-9, ]*\] default 0/"tails" from [2] default 2/' -e '/schedule.sketch @packed.*(/,/^    }$/d' %t/space.mlir > %t/padded.mlir
// RUN: sched-opt %t/masked.mlir --auto-schedule="trials=12 batch=12 threads=1 cost-model=random work-dir=%t/masks min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/masks/records.jsonl
// RUN: sched-opt %t/padded.mlir --auto-schedule="trials=12 batch=12 threads=1 cost-model=random work-dir=%t/pads min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/pads/records.jsonl

// RIGHT-NOT: "error":"{{[a-z]}}
// RIGHT: tails = {{[12]}}
// RIGHT-NOT: "error":"{{[a-z]}}

// One tile of whole columns, or tiles of a vector.
// RUN: sched-opt %s --schedule-generate-space="threads=1 target=cpu:mcpu=znver3" -o %t/avx2.mlir
// RUN: sed -e '/schedule.sketch @packed.*(/,/^    }$/d' -e '/schedule.sketch @plain_blocked(/,/^    }$/d' -e 's/"tails" from \[[0-9, ]*\] default 0/"tails" from [1] default 1/' %t/avx2.mlir > %t/avx2.masked.mlir
// RUN: sched-opt %t/avx2.masked.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 cost-model=analytic quiet=true" --emit=transform -o %t/avx2.script
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t/avx2.script' --transform-interpreter | FileCheck %s --check-prefix=STOCK
// RUN: sched-opt %t/avx2.masked.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 cost-model=analytic quiet=true" --emit=asm | FileCheck %s --check-prefix=AVX2
// RUN: sched-opt %s --schedule-generate-space="threads=1 target=cpu:mcpu=skylake-avx512" -o %t/avx512.mlir
// RUN: sed -e '/schedule.sketch @packed.*(/,/^    }$/d' -e '/schedule.sketch @plain_blocked(/,/^    }$/d' -e 's/"tails" from \[[0-9, ]*\] default 0/"tails" from [1] default 1/' %t/avx512.mlir > %t/avx512.masked.mlir
// RUN: sched-opt %t/avx512.masked.mlir --auto-schedule="target=cpu:mcpu=skylake-avx512 trials=0 threads=1 cost-model=analytic quiet=true" --emit=asm | FileCheck %s --check-prefix=AVX512
// REQUIRES: host-x86

// Reads reach beyond the columns, and nothing is copied.
// STOCK-LABEL: func.func @f(
// STOCK-NOT: tensor.pad
// STOCK: scf.for {{.*}} -> (vector<{{[0-9]+}}x{{8|24}}xf32>)
// STOCK: vector.transfer_read {{.*}} : tensor<{{([0-9]+x)?(7|23)}}xf32>, vector<{{([0-9]+x)?(8|24)}}xf32>
// AVX2: vmaskmovps {{.*}}, %ymm
// AVX512: vmovups {{.*}} {%k{{[1-7]}}} {z}
func.func @f(%a: tensor<37x131xf32>, %b: tensor<131x23xf32>) -> tensor<37x23xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x23xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<37x23xf32>) -> tensor<37x23xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x131xf32>, tensor<131x23xf32>) outs(%i : tensor<37x23xf32>) -> tensor<37x23xf32>
  return %r : tensor<37x23xf32>
}
