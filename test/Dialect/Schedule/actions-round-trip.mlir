// The actions on blocks, with and without their optional parts.

// RUN: sched-opt %s | sched-opt | FileCheck %s
// RUN: sched-opt %s --mlir-print-op-generic | sched-opt | FileCheck %s

// CHECK-LABEL: schedule.sketch @actions(
// CHECK-SAME: %[[FUNC:.*]]: !transform.any_op)
schedule.sketch @actions(%func: !transform.any_op) {
  // CHECK: %[[A:.*]] = schedule.sample_categorical "a"
  %a = schedule.sample_categorical "a" from [1, 2] : !transform.param<i64>
  // CHECK: %[[B:.*]] = schedule.sample_categorical "b"
  %b = schedule.sample_categorical "b" from [4, 8] : !transform.param<i64>

  // CHECK-NEXT: %{{.*}} = schedule.fuse_elementwise %[[FUNC]] ["linalg.add"]{{$}}
  %fused = schedule.fuse_elementwise %func ["linalg.add"]
  // An empty name leaves its op alone.
  // CHECK-NEXT: schedule.name_blocks %[[FUNC]] ["init", "", "epilogue"]{{$}}
  schedule.name_blocks %func ["init", "", "epilogue"]

  // CHECK-NEXT: %[[F:.*]] = schedule.pack_rhs %[[FUNC]] "anchor" n 100 tile %[[B]] threads %[[A]] tail(%[[A]], %[[B]]){{$}}
  %f = schedule.pack_rhs %func "anchor" n 100 tile %b threads %a tail(%a, %b)
  // CHECK-NEXT: %[[G:.*]] = schedule.pack_rhs %[[F]] "anchor" init "init" epilogue "epilogue" n 100 transposed tile %[[B]]
  %g = schedule.pack_rhs %f "anchor" init "init" epilogue "epilogue" n 100 transposed
    tile %b threads %a tail(%a, %b)
  // CHECK-NEXT: %{{.*}} = schedule.pack_rhs %[[G]] "anchor" n 100 loops [1, 2, 3, 0] result [1, 2, -1, 0] rhs [3, 2] apart tile %[[B]] threads %[[A]] tail(%[[A]], %[[B]]){{$}}
  %conv = schedule.pack_rhs %g "anchor" n 100 loops [1, 2, 3, 0] result [1, 2, -1, 0] rhs [3, 2] apart
    tile %b threads %a tail(%a, %b)
  // CHECK-NEXT: %{{.*}} = schedule.pack_rhs %[[G]] "anchor" n 100 tile %[[B]] threads %[[A]] tail(%[[A]], %[[B]]) defer %[[A]]{{$}}
  %late = schedule.pack_rhs %g "anchor" n 100 tile %b threads %a tail(%a, %b) defer %a
  // CHECK-NEXT: %{{.*}} = schedule.pack_rhs %[[G]] "anchor" n 100 group 4 tile %[[B]] threads %[[A]] tail(%[[A]], %[[B]]){{$}}
  %grouped = schedule.pack_rhs %g "anchor" n 100 group 4 tile %b threads %a tail(%a, %b)

  // CHECK-NEXT: schedule.tile_parallel %[[G]] "epilogue" fuse ["anchor", "init"] rank 2 dims [0, 1] extents(%[[A]], %[[B]]) units(%[[B]], %[[A]]) which %[[A]] threads %[[B]]{{$}}
  schedule.tile_parallel %g "epilogue" fuse ["anchor", "init"] rank 2 dims [0, 1]
    extents(%a, %b) units(%b, %a) which %a threads %b

  // CHECK-NEXT: schedule.tile %[[G]] "anchor" fuse [] rank 3 dims [2] extents(%[[A]]) sizes(%[[B]]){{$}}
  schedule.tile %g "anchor" fuse [] rank 3 dims [2] extents(%a) sizes(%b)
  // CHECK-NEXT: schedule.tile %[[G]] "anchor" fuse exactly ["late_pack"] if(%[[A]]) rank 4 dims [2] extents(%[[A]]) sizes(%[[B]]){{$}}
  schedule.tile %g "anchor" fuse exactly ["late_pack"] if(%a) rank 4 dims [2] extents(%a) sizes(%b)
  // CHECK-NEXT: schedule.tile %[[G]] "anchor" fuse exactly ["late_windows", "late_pack"] if(%[[A]], %[[B]]) reshaped ["late_windows"] rank 4 dims [3, 2] extents(%[[A]], %[[B]]) sizes(%[[B]], %[[A]]){{$}}
  schedule.tile %g "anchor" fuse exactly ["late_windows", "late_pack"] if(%a, %b) reshaped ["late_windows"]
    rank 4 dims [3, 2] extents(%a, %b) sizes(%b, %a)
  // CHECK-NEXT: schedule.defer %[[G]] "windows" of "anchor" if %[[A]]{{$}}
  schedule.defer %g "windows" of "anchor" if %a
  // CHECK-NEXT: schedule.tile %[[G]] "epilogue" fuse ["anchor"] rank 2 dims [0, 1] extents(%[[A]], %[[B]]) sizes(%[[B]], %[[A]]) order(%[[A]], %[[A]]) {note = 1 : i64}
  schedule.tile %g "epilogue" fuse ["anchor"] rank 2 dims [0, 1] extents(%a, %b)
    sizes(%b, %a) order(%a, %a) {note = 1}

  // CHECK-NEXT: schedule.pack_lhs %[[G]] "anchor" m 100 k 50 enable %[[A]] threads %[[B]]{{$}}
  schedule.pack_lhs %g "anchor" m 100 k 50 enable %a threads %b
  // CHECK-NEXT: schedule.cache_read %[[G]] "anchor" operand 0 enable %[[A]]{{$}}
  schedule.cache_read %g "anchor" operand 0 enable %a
  // CHECK-NEXT: schedule.cache_write %[[G]] "anchor" init "init" enable %[[A]]{{$}}
  schedule.cache_write %g "anchor" init "init" enable %a
  // CHECK-NEXT: schedule.cache_write %[[G]] "anchor" enable %[[A]]{{$}}
  schedule.cache_write %g "anchor" enable %a

  // CHECK-NEXT: schedule.unroll %[[G]] by %[[B]]{{$}}
  schedule.unroll %g by %b
  // CHECK-NEXT: %[[H:.*]] = schedule.interchange %[[G]] by(%[[A]], %[[B]]){{$}}
  %h = schedule.interchange %g by(%a, %b)

  // CHECK-NEXT: schedule.unroll_points %[[H]] "anchor" rank 3 dims [0, 1]{{$}}
  schedule.unroll_points %h "anchor" rank 3 dims [0, 1]
  // CHECK-NEXT: schedule.fill_tails %[[H]] "anchor" init "init" rank 3 dim 1 multiple 8 padding [0.000000e+00 : f32] if %[[A]]{{$}}
  schedule.fill_tails %h "anchor" init "init" rank 3 dim 1 multiple 8 padding [0.0 : f32] if %a
  // CHECK-NEXT: schedule.fill_tails %[[H]] "anchor" masked rank 3 dim 1 multiple 8 padding [0 : i8, 0 : i32] if %[[A]]{{$}}
  schedule.fill_tails %h "anchor" masked rank 3 dim 1 multiple 8 padding [0 : i8, 0 : i32] if %a
  // CHECK-NEXT: schedule.vectorize %[[H]] filled %[[A]]{{$}}
  schedule.vectorize %h filled %a
  // CHECK-NEXT: schedule.vectorize %[[H]] generalize ["anchor"]{{$}}
  schedule.vectorize %h generalize ["anchor"]
  // CHECK-NEXT: schedule.vectorize %[[H]]{{$}}
  // CHECK-NEXT: }
  schedule.vectorize %h
}

// CHECK-LABEL: schedule.sketch @stages(
// CHECK-SAME: %[[F:.*]]: !transform.any_op
schedule.sketch @stages(%f: !transform.any_op) {
  // CHECK: %[[C:.*]] = transform.param.constant 8
  %c = transform.param.constant 8 : i64 -> !transform.param<i64>
  // CHECK-NEXT: schedule.fuse_stages %[[F]] "root" stages ["sum", "init"] rank 2 dims [0] extents(%[[C]]) sizes(%[[C]]) which %[[C]] threads %[[C]]{{$}}
  schedule.fuse_stages %f "root" stages ["sum", "init"] rank 2 dims [0] extents(%c) sizes(%c) which %c threads %c
  // CHECK-NEXT: schedule.split_reduction %[[F]] "sum" rank 2 dim 1 extent 100 width %[[C]] rest_width %[[C]] keep %[[C]]{{$}}
  schedule.split_reduction %f "sum" rank 2 dim 1 extent 100 width %c rest_width %c keep %c
  // CHECK-NEXT: schedule.split_reduction %[[F]] "sum" rank 4 dim 3 extent 100 around [0, 2] width %[[C]] rest_width %[[C]] keep %[[C]]{{$}}
  schedule.split_reduction %f "sum" rank 4 dim 3 extent 100 around [0, 2] width %c rest_width %c keep %c
  // CHECK-NEXT: schedule.split_reduction %[[F]] "sum" rank 3 dim 2 extent 100 of %[[C]] around [1] lines %[[C]] width %[[C]] rest_width %[[C]] keep %[[C]]{{$}}
  schedule.split_reduction %f "sum" rank 3 dim 2 extent 100 of %c around [1] lines %c width %c rest_width %c keep %c
  // CHECK-NEXT: schedule.share_reduction %[[F]] "sum" rank 2 dim 0 extent 100 threads %[[C]]{{$}}
  schedule.share_reduction %f "sum" rank 2 dim 0 extent 100 threads %c
  // CHECK-NEXT: schedule.share_reduction %[[F]] "sum" rank 2 dim 0 extent 100 buffered threads %[[C]]{{$}}
  schedule.share_reduction %f "sum" rank 2 dim 0 extent 100 buffered threads %c
  // CHECK-NEXT: schedule.split_reduction %[[F]] "sum" rank 1 dim 0 extent 100 of %[[C]] width %[[C]] rest_width %[[C]] keep %[[C]]{{$}}
  schedule.split_reduction %f "sum" rank 1 dim 0 extent 100 of %c width %c rest_width %c keep %c
}
