// RUN: sched-opt %s --sched-lower-bfloat | FileCheck %s
// RUN: sched-opt %s --sched-lower-bfloat="half=true" | FileCheck %s --check-prefix=F16

// Widened by a shift, added in f32, and rounded to nearest, ties to even: half
// of the last place less one, plus the last bit that stays. NaN stays NaN.
// CHECK-LABEL: func.func @add(
// CHECK-NOT: arith.{{(ext|trunc)}}f
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<32767> : vector<8xi32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1> : vector<8xi32>
// CHECK-COUNT-2: arith.shli %{{.*}}, %[[SHIFT]] : vector<8xi32>
// CHECK: %[[SUM:.*]] = arith.addf {{.*}} : vector<8xf32>
// CHECK: %[[NAN:.*]] = arith.cmpf une, %[[SUM]], %[[SUM]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]]
// CHECK: %[[KEPT:.*]] = arith.shrui %[[BITS]], %[[SHIFT]]
// CHECK: %[[ODD:.*]] = arith.andi %[[KEPT]], %[[ONE]]
// CHECK: arith.addi %[[ODD]], %[[HALF]]
// CHECK: arith.select %[[NAN]]
// CHECK-NOT: arith.{{(ext|trunc)}}f
// CHECK: return
func.func @add(%a: vector<8xbf16>, %b: vector<8xbf16>) -> vector<8xbf16> {
  %r = arith.addf %a, %b : vector<8xbf16>
  return %r : vector<8xbf16>
}

// Other types stay.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT: arith.addf {{.*}} : f32
// CHECK-NEXT: arith.extf {{.*}} : f16 to f32
// CHECK-NEXT: return
func.func @others(%a: f32, %b: f16) -> (f32, f32) {
  %r = arith.addf %a, %a : f32
  %s = arith.extf %b : f16 to f32
  return %r, %s : f32, f32
}

// Casts of f64 go through f32, which is rounded to odd first: a number between
// two of bf16 stays on its side of the middle.
// CHECK-LABEL: func.func @doubles(
// CHECK-NOT: bf16 to f64
// CHECK: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: %[[NEAR:.*]] = arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]]
// CHECK: %[[LARGER:.*]] = arith.cmpf ogt
// CHECK: %[[OTHER:.*]] = arith.cmpf une, %[[BACK]]
// CHECK: %[[ONE:.*]] = arith.extui %[[LARGER]]
// CHECK: %[[DOWN:.*]] = arith.subi %{{.*}}, %[[ONE]]
// CHECK: %[[LOST:.*]] = arith.extui %[[OTHER]]
// CHECK: arith.ori %[[DOWN]], %[[LOST]]
// CHECK-NOT: f64 to bf16
// CHECK: return
func.func @doubles(%a: vector<8xbf16>, %b: vector<8xf64>) -> (vector<8xf64>, vector<8xbf16>) {
  %0 = arith.extf %a : vector<8xbf16> to vector<8xf64>
  %1 = arith.truncf %b : vector<8xf64> to vector<8xbf16>
  return %0, %1 : vector<8xf64>, vector<8xbf16>
}

// Only where asked for; the conversions are left to the target.
// CHECK-LABEL: func.func @half(
// CHECK: arith.maximumf {{.*}} : vector<8xf16>
// F16-LABEL: func.func @half(
// F16-COUNT-2: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// F16: %[[MAX:.*]] = arith.maximumf {{.*}} : vector<8xf32>
// F16: arith.truncf %[[MAX]] {{.*}}: vector<8xf32> to vector<8xf16>
func.func @half(%a: vector<8xf16>, %b: vector<8xf16>) -> vector<8xf16> {
  %r = arith.maximumf %a, %b : vector<8xf16>
  return %r : vector<8xf16>
}
