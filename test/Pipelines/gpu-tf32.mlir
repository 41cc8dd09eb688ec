// Products of f32 by matrix instructions, which round their operands to tf32:
// only where that is asked for. Sizes divide by no tile.

// REQUIRES: nvptx-registered-target
// RUN: rm -rf %t && split-file %s %t

// Without the option no candidate rounds.
// RUN: sched-opt %t/product.mlir --schedule-generate-space="target=nvvm:sm_90a" | FileCheck %s --check-prefix=EXACT
// RUN: sched-opt %t/convolution.mlir --schedule-generate-space="target=nvvm:sm_90a" | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: features
// EXACT-NOT: mma
// EXACT: schedule.sketch @thread_tiles
// EXACT-NOT: mma

// RUN: sched-opt %t/product.mlir --schedule-generate-space="target=nvvm:sm_90a allow-tf32=true" | FileCheck %s --check-prefix=SPACE
// SPACE: target(<nvvm, features = "+tf32"
// SPACE: schedule.sketch @matrix_tiles
// SPACE: %[[TWO:.*]] = transform.param.constant 2 :
// SPACE: schedule.annotate %{{.*}} "anchor" "sched.simt" {mma = %[[TWO]], warps =
// SPACE: schedule.sketch @thread_tiles
// SPACE-NOT: mma

// A random candidate of each, as PTX and in the emulator.
// RUN: sched-opt %t/product.mlir --schedule-generate-space="target=nvvm:sm_90a allow-tf32=true" -o %t/product.space
// RUN: sched-opt %t/product.space --schedule-sample=seed=1 --convert-schedule-to-transform=sketch=matrix_tiles --emit=transform -o %t/product.script
// RUN: sched-run %t/product.mlir --target=nvvm:sm_90a --emulate --allow-tf32 --transform=%t/product.script | FileCheck %s --check-prefix=RIGHT
// RUN: sched-opt %t/batched.mlir --schedule-generate-space="target=nvvm:sm_80 allow-tf32=true" -o %t/batched.space
// RUN: sched-opt %t/batched.space --schedule-sample=seed=2 --convert-schedule-to-transform=sketch=matrix_tiles --emit=transform -o %t/batched.script
// RUN: sched-run %t/batched.mlir --target=nvvm:sm_80 --emulate --allow-tf32 --transform=%t/batched.script | FileCheck %s --check-prefix=RIGHT
// RUN: sched-opt %t/convolution.mlir --schedule-generate-space="target=nvvm:sm_90a allow-tf32=true" -o %t/convolution.space
// RUN: sched-opt %t/convolution.space --schedule-sample=seed=3 --convert-schedule-to-transform=sketch=matrix_tiles --emit=transform -o %t/convolution.script
// RUN: sched-run %t/convolution.mlir --target=nvvm:sm_90a --emulate --allow-tf32 --transform=%t/convolution.script | FileCheck %s --check-prefix=RIGHT
// RIGHT: check: right, max relative error {{[1-9].*e-0[45]}} (tolerance 5.{{.*}}e-03)

// The model takes matrices where that is allowed: they have four times the rate
// of threads.
// RUN: sched-opt %t/large.mlir --auto-schedule="target=nvvm:sm_90a allow-tf32=true trials=0" -o %t/large.tiles
// RUN: FileCheck %s --check-prefix=TILES --input-file=%t/large.tiles
// RUN: sched-opt %t/large.mlir --auto-schedule="target=nvvm:sm_90a allow-tf32=true trials=0" --emit=ptx | FileCheck %s --check-prefix=PTX
// TILES: schedule.target = "nvvm:sm_90a,features=+tf32"
// TILES: linalg.matmul {sched.simt = {{.*}}mma = 2
// PTX: cvt.rna.tf32.f32
// PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// The default schedule rounds, too, where it may.
// RUN: sched-opt %t/product.mlir --auto-schedule="target=nvvm:sm_90a allow-tf32=true trials=0 strategy=none" --emit=transform -o %t/default.script
// RUN: sched-run %t/product.mlir --target=nvvm:sm_90a --emulate --allow-tf32 --transform=%t/default.script | FileCheck %s --check-prefix=RIGHT

// What rounds is wrong where that was not asked for.
// RUN: not sched-run %t/product.mlir --target=nvvm:sm_90a --emulate --transform=%t/product.script 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: check: WRONG, max relative error {{.*}} (tolerance {{.*}}e-05)

// A kernel that keeps 6 bits of mantissa instead of 10 is wrong.
// RUN: sched-opt %t/large.mlir --auto-schedule="target=nvvm:sm_90a allow-tf32=true trials=0" --emit=llvm -o %t/large.ll --emit-launch=%t/large.json
// RUN: sed -E 's/^ *%%([0-9]+) = (tail )?call i32 @llvm.nvvm.f2tf32.rna\(float %%([0-9]+)\).*/  %%bits.\1 = bitcast float %%\3 to i32\n  %%\1 = and i32 %%bits.\1, -131072/' %t/large.ll > %t/coarse.ll
// RUN: not diff -q %t/large.ll %t/coarse.ll
// RUN: sched-run %t/large.mlir --target=nvvm:sm_90a --emulate --allow-tf32 --kernels=%t/large.ll --launch=%t/large.json | FileCheck %s --check-prefix=RIGHT
// RUN: not sched-run %t/large.mlir --target=nvvm:sm_90a --emulate --allow-tf32 --kernels=%t/coarse.ll --launch=%t/large.json 2>&1 | FileCheck %s --check-prefix=COARSE
// COARSE: check: WRONG, max relative error {{.*}} (tolerance 5.{{.*}}e-03)

// Records of one kind are not used for the other.
// RUN: echo launch-us=40 > %t/well
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/well sched-opt %t/copy.mlir -o %t/copy.tiles \
// RUN:   --auto-schedule="target=nvvm:native allow-tf32=true trials=3 batch=3 jobs=1 min-repeat-ms=1 work-dir=%t/records"
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records/records.jsonl
// RUN: sched-opt %t/copy.mlir --apply-history-best="target=nvvm:sm_90a,l2=1048576 allow-tf32=true work-dir=%t/records" | FileCheck %s --check-prefix=HISTORY
// RUN: not sched-opt %t/copy.mlir --apply-history-best="target=nvvm:sm_90a,l2=1048576 work-dir=%t/records" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sched-run %t/copy.mlir --target=nvvm:sm_90a,l2=1048576 --emulate --allow-tf32 --work-dir=%t/records | FileCheck %s --check-prefix=COPIED
// RUN: not sched-run %t/copy.mlir --target=nvvm:sm_90a,l2=1048576 --emulate --work-dir=%t/records 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/well sched-opt %t/copy.mlir -o %t/exact.tiles \
// RUN:   --auto-schedule="target=nvvm:native trials=3 batch=3 jobs=1 min-repeat-ms=1 work-dir=%t/records" 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/exact.tiles
// RECORD: "target":"nvvm:chip=sm_90a,{{.*}},features=+tf32,
// HISTORY: schedule.target = "nvvm:sm_90a,l2=1048576,features=+tf32"
// OTHER: features=+tf32
// COPIED: check: right
// AGAIN: warning: {{.*}} records are of another target
// AGAIN: 3 trials
// NONE-NOT: mma

// RUN: not sched-opt %t/product.mlir --schedule-generate-space="target=native allow-tf32=true" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not sched-opt %t/product.mlir --auto-schedule="allow-tf32=true trials=0" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not sched-run %t/product.mlir --allow-tf32 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: found allow-tf32 for target 'native'; it is for GPUs, such as target=nvvm:sm_90a
// RUN: not sched-opt %t/product.mlir --schedule-generate-space="target=nvvm:sm_90a,features=+tf64" 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: unknown feature '+tf64' in target 'nvvm:sm_90a,features=+tf64'; expected +tf32

//--- product.mlir
func.func @product(%a: tensor<70x50xf32>, %b: tensor<50x45xf32>, %c: tensor<45xf32>) -> tensor<70x45xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x45xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<70x45xf32>) -> tensor<70x45xf32>
  %p = linalg.matmul ins(%a, %b : tensor<70x50xf32>, tensor<50x45xf32>) outs(%i : tensor<70x45xf32>) -> tensor<70x45xf32>
  %d = linalg.broadcast ins(%c : tensor<45xf32>) outs(%e : tensor<70x45xf32>) dimensions = [0]
  %r = linalg.add ins(%p, %d : tensor<70x45xf32>, tensor<70x45xf32>) outs(%e : tensor<70x45xf32>) -> tensor<70x45xf32>
  return %r : tensor<70x45xf32>
}
//--- batched.mlir
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batched(%a: tensor<3x40x33xf32>, %b: tensor<3x36x33xf32>) -> tensor<3x40x36xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x40x36xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x40x36xf32>) -> tensor<3x40x36xf32>
  %r = linalg.batch_matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<3x40x33xf32>, tensor<3x36x33xf32>) outs(%i : tensor<3x40x36xf32>) -> tensor<3x40x36xf32>
  return %r : tensor<3x40x36xf32>
}
//--- convolution.mlir
func.func @convolution(%x: tensor<2x10x9x20xf32>, %w: tensor<3x3x20x24xf32>) -> tensor<2x8x7x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x7x24xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x8x7x24xf32>) -> tensor<2x8x7x24xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x10x9x20xf32>, tensor<3x3x20x24xf32>) outs(%i : tensor<2x8x7x24xf32>) -> tensor<2x8x7x24xf32>
  return %r : tensor<2x8x7x24xf32>
}
//--- large.mlir
func.func @large(%a: tensor<256x512xf32>, %b: tensor<512x256xf32>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x256xf32>) outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
//--- copy.mlir
func.func @copy(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
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
