// Products of narrow types: the inner loop is the ISA's dot product, panels are
// read as they lie, and elements of the left-hand side need no shuffle. Of the
// default schedule: of the best ones, a search may prefer any.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=VNNI
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=alderlake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVXVNNI
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=sierraforest,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=SIGNED
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=haswell,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=PAIRS,YMM
// RUN: sched-opt %t/mixed.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=PAIRS,ZMM
// RUN: sed 's/extsi/extui/' %t/mixed.mlir > %t/unsigned.mlir
// RUN: sched-opt %t/unsigned.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=WORDS
// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=cooperlake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=BF16
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=SDOT
// RUN: sched-opt %t/bf16-pairs.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=BFDOT
// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=SQUARES,BFMMLA
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=SQUARES,SMMLA
// RUN: sched-opt %t/mixed.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=SQUARES,USMMLA
// RUN: sched-opt %t/mixed.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=MIXED
// RUN: sched-opt %t/mixed.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=alderlake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVXMIXED
// RUN: sed -e 's/extui %x/extsi %x/' -e 's/extsi %y/extui %y/' %t/mixed.mlir > %t/signed-lhs.mlir
// RUN: sched-opt %t/signed-lhs.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=USDOT
// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=AMX,AMX-BF16
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=AMX,AMX-I8
// RUN: sched-opt %t/mixed.mlir --auto-schedule="trials=0 strategy=none threads=1 quiet=true target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=AMX,AMX-MIXED
// REQUIRES: x86-registered-target, aarch64-registered-target

// VNNI: vpdpbusd {{.*}}%zmm
// VNNI-NOT: {{vpmulld|vpmovsx|vpunpck}}
// VNNI: spills: 0
// AVXVNNI: vpdpbusd {{.*}}%ymm
// AVXVNNI-NOT: {{vpmulld|vpmovsx|vpunpck}}
// SIGNED: vpdpbssd {{.*}}%ymm
// SIGNED-NOT: {{vpmulld|vpmovsx|vpxor}}
// SIGNED: spills: 0
// Two steps of 16 bits: bytes of the right-hand side are widened for all rows.
// YMM: vpmovsxbw {{.*}}, %ymm
// ZMM: vpmovsxbw {{.*}}, %zmm
// PAIRS-NOT: {{vpmulld|vpmovsx|vpsra}}
// YMM: vpmaddwd {{.*}}%ymm
// ZMM: vpmaddwd {{.*}}%zmm
// PAIRS: spills: 0
// Of unsigned bytes, VNNI has those alone.
// WORDS: vpmovzxbw
// WORDS-NOT: {{vpmulld|vpmaddwd}}
// WORDS: vpdpwssd {{.*}}%zmm
// WORDS: spills: 0
// BF16: vdpbf16ps {{.*}}%zmm
// BF16-NOT: {{vfmadd|vpsll|vpermw}}
// BF16: spills: 0
// SDOT: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.4b[0]
// SDOT-NOT: {{sshll|dup|ld1r}}
// SDOT: spills: 0
// BFDOT: bfdot v{{[0-9]+}}.4s, v{{[0-9]+}}.8h
// BFDOT-NOT: {{shll|fmla}}
// BFDOT: spills: 0
// Bytes without a sign on one side need no correction.
// MIXED-NOT: vpxor
// MIXED: vpdpbusd {{.*}}%zmm
// MIXED-NOT: {{vpxor|vpsub}}
// MIXED: spills: 0
// AVXMIXED: vpdpbusd {{.*}}%ymm
// AVXMIXED: spills: 0
// USDOT: {{usdot|sudot}}
// USDOT: spills: 0

// Products of two rows by two columns; rows are paired once in registers.
// SQUARES-NOT: {{dot |st1|str }}
// BFMMLA: bfmmla v{{[0-9]+}}.4s, v{{[0-9]+}}.8h, v{{[0-9]+}}.8h
// SMMLA: smmla v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// USMMLA: usmmla v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// SQUARES-NOT: {{dot |st1|str }}
// SQUARES: spills: 0

// Four sums for two tiles of each operand, or one and four.
// AMX-NOT: {{ldtilecfg|tilestored|tilezero|zmm}}
// AMX-BF16-COUNT-4: tdpbf16ps %tmm
// AMX-I8-COUNT-4: tdpbssd %tmm
// AMX-MIXED-COUNT-4: tdpbusd %tmm
// AMX-NOT: {{ldtilecfg|tilestored|tilezero|zmm}}
// AMX: multiplications: 4
// AMX: spills: 0

//--- i8.mlir
func.func @f(%a: tensor<256x256xi8>, %b: tensor<256x256xi8>) -> tensor<256x256xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<256x256xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<256x256xi32>) -> tensor<256x256xi32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xi8>, tensor<256x256xi8>)
                     outs(%i : tensor<256x256xi32>) -> tensor<256x256xi32>
  return %r : tensor<256x256xi32>
}
//--- bf16.mlir
func.func @f(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xbf16>, tensor<256x256xbf16>)
                     outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
//--- bf16-pairs.mlir
func.func @f(%a: tensor<256x254xbf16>, %b: tensor<254x256xbf16>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x254xbf16>, tensor<254x256xbf16>)
                     outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
//--- mixed.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: tensor<256x256xi8>, %b: tensor<256x256xi8>) -> tensor<256x256xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<256x256xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<256x256xi32>) -> tensor<256x256xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<256x256xi8>, tensor<256x256xi8>) outs(%i : tensor<256x256xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<256x256xi32>
  return %r : tensor<256x256xi32>
}
