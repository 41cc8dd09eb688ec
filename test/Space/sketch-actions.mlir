// What the sketches do, in order, and what their decisions start from.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" | FileCheck %s
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" | FileCheck %s --check-prefix=SERIAL
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=sapphirerapids threads=1" | FileCheck %s --check-prefix=WIDE

// The whole reduction in registers: threads, cache blocks and register tiles of
// the result, each with the product and the init inside.
// CHECK-LABEL: schedule.sketch @plain(
// CHECK: %[[MR:.*]] = schedule.sample_categorical "mr"
// CHECK: %[[KU:.*]] = schedule.sample_categorical "ku"
// CHECK: schedule.require "the accumulators fit in the vector registers"
// CHECK: %[[PRODUCTS:.*]] = schedule.product %{{.*}}, %[[KU]]
// CHECK: %[[FEW:.*]] = schedule.cmp le %[[PRODUCTS]], %{{.*}}
// CHECK: %[[SHORT:.*]] = schedule.or %[[FEW]], %{{.*}}
// CHECK: schedule.require "a turn of the loop over the steps is not long" %[[SHORT]]
// CHECK: schedule.name_blocks %{{.*}} ["init", "anchor", "epilogue"]
// CHECK-NOT: schedule.pack_rhs
// CHECK: schedule.tile_parallel %{{.*}} "epilogue" fuse ["anchor", "init"]
// CHECK: schedule.tile %{{.*}} "epilogue" fuse ["anchor", "init"] rank 2
// CHECK: schedule.cache_read %{{.*}} "anchor" operand 0
// CHECK: schedule.tile %{{.*}} "epilogue" fuse ["anchor", "init"] rank 2 {{.*}} sizes(%[[MR]],
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 3 dims [2] {{.*}} sizes(%[[KU]])
// CHECK: schedule.vectorize

// The same on panels, which have a dimension more.
// CHECK-LABEL: schedule.sketch @packed(
// CHECK: %[[AT:.*]] = schedule.sample_categorical "pack_at" from [0, 1] default 0
// CHECK: %[[F:.*]] = schedule.pack_rhs %{{.*}} "anchor" init "init" epilogue "epilogue" n 70 {{.*}} defer %[[AT]]
// CHECK: schedule.tile_parallel %[[F]] "epilogue" fuse ["anchor", "late_pack", "init"] rank 3
// CHECK: schedule.require "each thread packs columns of its own"
// CHECK: schedule.require "all rows share what is packed inside of the loops"
// CHECK: schedule.tile %[[F]] "late_pack" fuse [] rank 3 dims [0, 1]
// CHECK: schedule.tile %[[F]] "epilogue" fuse ["anchor", "init"] rank 3
// CHECK: schedule.tile %[[F]] "anchor" fuse [] rank 4 dims [2]
// CHECK: schedule.vectorize %[[F]]

// The reduction in blocks, outside of the register tiles, which are those of the
// product alone; init and epilogue work on the cache block.
// CHECK-LABEL: schedule.sketch @plain_blocked(
// CHECK: schedule.tile %{{.*}} "epilogue" fuse ["anchor", "init"]
// CHECK: %[[KC:.*]] = schedule.sample_categorical "kc"
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 3 dims [2] {{.*}} sizes(%[[KC]])
// CHECK: schedule.cache_read
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 3 dims [0, 1]
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 3 dims [2]
// CHECK: schedule.tile %{{.*}} "init" fuse []
// CHECK: schedule.tile %{{.*}} "epilogue" fuse []

// CHECK-LABEL: schedule.sketch @packed_blocked(
// CHECK: schedule.pack_rhs {{.*}} defer %[[AT:.*]]
// CHECK: %[[KC:.*]] = schedule.sample_categorical "kc"
// CHECK: schedule.tile %{{.*}} "anchor" fuse exactly ["late_pack"] if(%[[AT]]) rank 4 dims [2] {{.*}} sizes(%[[KC]])
// CHECK: schedule.tile %{{.*}} "late_pack" fuse []

// What is packed beforehand has no place.
// CHECK-LABEL: schedule.sketch @packed(
// CHECK: schedule.pack_rhs
// CHECK-NOT: late_pack

// The target decides: threads, and the width of vectors (in floats).
// SERIAL: schedule.sample_categorical "t" from [1]
// SERIAL-NOT: schedule.sample_categorical "t" from [1, 2]
// WIDE: %[[VECTORS:.*]] = schedule.sample_categorical "vectors"
// WIDE: %[[LANES:.*]] = transform.param.constant 16 : i64
// WIDE: schedule.product %[[VECTORS]], %[[LANES]]
func.func @f(%a: tensor<61x100xf32>, %b: tensor<100x70xf32>, %d: tensor<61x70xf32>) -> tensor<61x70xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x70xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<61x70xf32>) -> tensor<61x70xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x100xf32>, tensor<100x70xf32>)
                     outs(%i : tensor<61x70xf32>) -> tensor<61x70xf32>
  %q = linalg.add ins(%r, %d : tensor<61x70xf32>, tensor<61x70xf32>)
                  outs(%e : tensor<61x70xf32>) -> tensor<61x70xf32>
  return %q : tensor<61x70xf32>
}

func.func @free(%a: tensor<61x100xf32>, %b: tensor<100x70xf32> {schedule.layout_free}) -> tensor<61x70xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x70xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<61x70xf32>) -> tensor<61x70xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x100xf32>, tensor<100x70xf32>)
                     outs(%i : tensor<61x70xf32>) -> tensor<61x70xf32>
  return %r : tensor<61x70xf32>
}
