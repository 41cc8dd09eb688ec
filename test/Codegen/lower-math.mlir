// RUN: sched-opt %s --sched-lower-math --split-input-file | FileCheck %s

// Of f32, scalars and vectors alike: arithmetic, and no call.
// The least argument has a power of zero: masks of -inf meet no subnormals.
// CHECK-LABEL: func.func @exp(
// CHECK-DAG: arith.constant dense<-1.760000e+02> : vector<4x8xf32>
// CHECK-NOT: math.exp
// CHECK: arith.shli {{.*}} : vector<4x8xi32>
// CHECK-NOT: math.exp
// CHECK: return
func.func @exp(%x: vector<4x8xf32>) -> vector<4x8xf32> {
  %y = math.exp %x : vector<4x8xf32>
  return %y : vector<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @in_a_loop_of_scalars(
// CHECK: linalg.generic
// CHECK-NOT: math.tanh
// CHECK: linalg.yield
func.func @in_a_loop_of_scalars(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.tanh %x : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Only a vector with an element of 2^25 or more calls the C library.
// CHECK-LABEL: func.func @sin(
// CHECK: %[[HUGE:.*]] = vector.reduction <or>, %{{.*}} : vector<8xi1> into i1
// CHECK: scf.if %[[HUGE]]
// CHECK: scf.for
// CHECK: math.sin %{{.*}} : f32
// CHECK: else
// CHECK-NOT: math.sin
func.func @sin(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.sin %x : vector<8xf32>
  return %y : vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @sin_of_a_scalar(
// CHECK-NEXT: math.sin
func.func @sin_of_a_scalar(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}

// -----

// Of f64, as of f32; an exponent becomes a float without a conversion.
// CHECK-LABEL: func.func @double(
// CHECK-NOT: math.
// CHECK: arith.shli {{.*}} : vector<8xi64>
// CHECK-NOT: math.
// CHECK: arith.shrui {{.*}} : vector<8xi64>
// CHECK-NOT: {{math\.|arith.sitofp|call}}
// CHECK: return
func.func @double(%x: vector<8xf64>) -> vector<8xf64> {
  %y = math.exp2 %x : vector<8xf64>
  %z = math.log %y : vector<8xf64>
  return %z : vector<8xf64>
}

// -----

// Without a formula, nor an intrinsic of LLVM's: a call.
// CHECK: func.func private @erfc(f64) -> f64
// CHECK-LABEL: func.func @double_call(
// CHECK: call @erfc(%{{.*}}) : (f64) -> f64
// CHECK: math.sin {{.*}} : f64
func.func @double_call(%x: f64) -> (f64, f64) {
  %y = math.erfc %x : f64
  %z = math.sin %x : f64
  return %y, %z : f64, f64
}

// -----

// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[X:.*]]: vector<8xf32>
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: return %[[Y]]
func.func @square(%x: vector<8xf32>) -> vector<8xf32> {
  %two = arith.constant dense<2.0> : vector<8xf32>
  %y = math.powf %x, %two : vector<8xf32>
  return %y : vector<8xf32>
}

// -----

// A power of a constant integer is a product of squares; 1 / that if it is
// negative.
// CHECK-LABEL: func.func @integer_powers(
// CHECK-SAME: %[[X:[^:]*]]: vector<8xf32>
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[CUBE:.*]] = arith.mulf %[[X]], %[[SQUARE]]
// CHECK: %[[OTHER:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[OTHER]]
// CHECK: return %[[CUBE]], %[[INVERSE]]
func.func @integer_powers(%x: vector<8xf32>)
    -> (vector<8xf32>, vector<8xf32>) {
  %three = arith.constant dense<3> : vector<8xi32>
  %cube = math.fpowi %x, %three : vector<8xf32>, vector<8xi32>
  %minusTwo = arith.constant dense<-2> : vector<8xi32>
  %inverse = math.fpowi %x, %minusTwo : vector<8xf32>, vector<8xi32>
  return %cube, %inverse : vector<8xf32>, vector<8xf32>
}

// -----

// Neither one of the program's, nor a large one.
// CHECK-LABEL: func.func @other_integer_powers(
// CHECK-COUNT-2: math.fpowi
func.func @other_integer_powers(%x: vector<8xf32>, %n: vector<8xi32>)
    -> (vector<8xf32>, vector<8xf32>) {
  %large = arith.constant dense<100> : vector<8xi32>
  %a = math.fpowi %x, %large : vector<8xf32>, vector<8xi32>
  %b = math.fpowi %x, %n : vector<8xf32>, vector<8xi32>
  return %a, %b : vector<8xf32>, vector<8xf32>
}

// -----

// One division for the vector, where the program allows it; scaled, so that 1 / s
// never leaves the range.
// CHECK-LABEL: func.func @divide(
// CHECK-SAME: %[[X:.*]]: vector<32xf32>, %[[S:.*]]: f32
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK: %[[INVERSES:.*]] = vector.broadcast %[[INVERSE]]
// CHECK: %[[SCALES:.*]] = vector.broadcast
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[INVERSES]]
// CHECK: %[[Y:.*]] = arith.mulf %[[PRODUCT]], %[[SCALES]]
// CHECK: return %[[Y]]
func.func @divide(%x: vector<32xf32>, %s: f32) -> vector<32xf32> {
  %b = vector.broadcast %s : f32 to vector<32xf32>
  %y = arith.divf %x, %b fastmath<arcp> : vector<32xf32>
  return %y : vector<32xf32>
}
// CHECK-LABEL: func.func @divide_exactly(
// CHECK: arith.divf %{{.*}}, %{{.*}} : vector<32xf32>
func.func @divide_exactly(%x: vector<32xf32>, %s: f32) -> vector<32xf32> {
  %b = vector.broadcast %s : f32 to vector<32xf32>
  %y = arith.divf %x, %b : vector<32xf32>
  return %y : vector<32xf32>
}

// -----

// The largest so far is never a NaN: a comparison picks it.
// CHECK-LABEL: func.func @carried_max(
// CHECK: scf.for {{.*}} iter_args(%[[BEST:.*]] =
// CHECK: %[[NEXT:.*]] = vector.transfer_read
// CHECK: %[[BETTER:.*]] = arith.cmpf ogt, %[[NEXT]], %[[BEST]]
// CHECK: arith.select %[[BETTER]], %[[NEXT]], %[[BEST]]
func.func @carried_max(%a: memref<64xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<8xf32>
  %m = scf.for %i = %c0 to %c64 step %c8 iter_args(%best = %low) -> vector<8xf32> {
    %x = vector.transfer_read %a[%i], %p {in_bounds = [true]} : memref<64xf32>, vector<8xf32>
    %y = arith.maxnumf %x, %best : vector<8xf32>
    scf.yield %y : vector<8xf32>
  }
  return %m : vector<8xf32>
}

// -----

// From NaN, the neutral element of maxnum, a comparison would never get away.
// CHECK-LABEL: func.func @max_from_nan(
// CHECK: arith.maxnumf
func.func @max_from_nan(%a: memref<64xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 0.0 : f32
  %nan = arith.constant dense<0x7FC00000> : vector<8xf32>
  %m = scf.for %i = %c0 to %c64 step %c8 iter_args(%best = %nan) -> vector<8xf32> {
    %x = vector.transfer_read %a[%i], %p {in_bounds = [true]} : memref<64xf32>, vector<8xf32>
    %y = arith.maxnumf %x, %best : vector<8xf32>
    scf.yield %y : vector<8xf32>
  }
  return %m : vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @maximum(
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nsz>
func.func @maximum(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<8xf32> {
  %y = arith.maximumf %a, %b : vector<8xf32>
  return %y : vector<8xf32>
}

// -----

// Upstream's conversion to the LLVM dialect takes one dimension alone.
// CHECK-LABEL: func.func @absi(
// CHECK-COUNT-2: math.absi %{{.*}} : vector<4xi32>
// CHECK-NOT: math.absi
func.func @absi(%x: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 0 : i32
  %v = vector.transfer_read %x[%c0, %c0], %0 {in_bounds = [true, true]} : memref<2x4xi32>, vector<2x4xi32>
  %y = math.absi %v : vector<2x4xi32>
  vector.transfer_write %y, %x[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xi32>, memref<2x4xi32>
  return
}

// -----

// Upstream converts these of one dimension alone.
// CHECK-LABEL: func.func @upper_halves(
// CHECK-SAME: %[[X:[^:]*]]: vector<2x8xi32>, %[[Y:[^:]*]]: vector<2x8xi32>
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant dense<32> : vector<2x8xi64>
// CHECK: %[[A:.*]] = arith.extsi %[[X]] : vector<2x8xi32> to vector<2x8xi64>
// CHECK: %[[B:.*]] = arith.extsi %[[Y]]
// CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]]
// CHECK: %[[U:.*]] = arith.shrui %[[P]], %[[SHIFT]]
// CHECK: arith.trunci %[[U]] : vector<2x8xi64> to vector<2x8xi32>
// CHECK: arith.extui
// CHECK: return
func.func @upper_halves(%x: vector<2x8xi32>, %y: vector<2x8xi32>) -> (vector<2x8xi32>, vector<2x8xi32>) {
  %l, %h = arith.mulsi_extended %x, %y : vector<2x8xi32>
  %m, %n = arith.mului_extended %x, %h : vector<2x8xi32>
  return %h, %n : vector<2x8xi32>, vector<2x8xi32>
}

// A scalar has an instruction.
// CHECK-LABEL: func.func @upper_half(
// CHECK: arith.mulsi_extended
func.func @upper_half(%x: i32, %y: i32) -> i32 {
  %l, %h = arith.mulsi_extended %x, %y : i32
  return %h : i32
}
