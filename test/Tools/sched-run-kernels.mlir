// Functions on tensors become kernels and compute in the emulator what they
// compute here: by default, and scheduled.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-run %t/product.mlir --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-opt %t/product.mlir --auto-schedule="target=nvvm:sm_80 trials=0 quiet=true" --emit=transform -o %t/best.mlir
// RUN: sched-run %t/product.mlir --target=nvvm:sm_80 --emulate --transform=%t/best.mlir | FileCheck %s --check-prefixes=CHECK,SCHEDULED
// RUN: sched-run %t/softmax.mlir --target=nvvm:sm_90a --emulate | FileCheck %s

// CHECK: @f({{.*}}) -> ({{.*}}), emulated
// SCHEDULED: schedule: {{.*}}best.mlir
// CHECK: instructions of threads
// CHECK: check: right

// What --emit=llvm and --emit-launch write runs as well.
// RUN: sed 's/^module {/module attributes {schedule.target = "nvvm:sm_80"} {/' %t/product.mlir > %t/targeted.mlir
// RUN: sched-opt %t/targeted.mlir --emit=llvm -o %t/f.ll --emit-launch=%t/f.json
// RUN: sched-run %t/product.mlir --target=nvvm:sm_80 --emulate --kernels=%t/f.ll --launch=%t/f.json | FileCheck %s

// That is the code that runs without them.
// RUN: sched-run %t/product.mlir --target=nvvm:sm_80 --emulate --kernels=%t/f.ll --launch=%t/f.json --json | grep '"instructions"' > %t/emitted.txt
// RUN: sched-run %t/product.mlir --target=nvvm:sm_80 --emulate --json | grep '"instructions"' | diff %t/emitted.txt -

// Without its barriers, or its waits for copies, it is wrong.
// RUN: grep -v "call void @llvm.nvvm.barrier" %t/f.ll > %t/no-barriers.ll
// RUN: not sched-run %t/product.mlir --target=nvvm:sm_80 --emulate --kernels=%t/no-barriers.ll --launch=%t/f.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
// RACE: error: kernel 'f_kernel_0', block ({{.*}}), thread ({{.*}}): {{reads|writes}} {{.*}} of shared memory, wh{{ich|ere}} {{.*(a race|is on its way)}}
// RUN: grep -v "call void @llvm.nvvm.cp.async.wait" %t/f.ll > %t/no-waits.ll
// RUN: not sched-run %t/product.mlir --target=nvvm:sm_80 --emulate --kernels=%t/no-waits.ll --launch=%t/f.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WAIT
// WAIT: error: kernel 'f_kernel_0', {{.*}} of shared memory, where an asynchronous copy of {{.*}}

//--- product.mlir
module {
func.func @f(%a: tensor<37x53xf32>, %b: tensor<53x19xf32>, %bias: tensor<19xf32>) -> tensor<37x19xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x19xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x19xf32>) -> tensor<37x19xf32>
  %product = linalg.matmul ins(%a, %b : tensor<37x53xf32>, tensor<53x19xf32>)
      outs(%init : tensor<37x19xf32>) -> tensor<37x19xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<37x19xf32>, tensor<19xf32>) outs(%empty : tensor<37x19xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<37x19xf32>
  return %r : tensor<37x19xf32>
}
}

//--- softmax.mlir
func.func @f(%a: tensor<13x77xf32>) -> tensor<13x77xf32> {
  %empty = tensor.empty() : tensor<13x77xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<13x77xf32>) outs(%empty : tensor<13x77xf32>) -> tensor<13x77xf32>
  return %r : tensor<13x77xf32>
}
