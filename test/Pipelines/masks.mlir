// Masks of i1, a byte each in memory, beside products and on their own: what
// they select, what a comparison gives, a mask as an operand, masks by the number
// of a row, all scheduled.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir 2>%t.remarks
// RUN: FileCheck %s --check-prefix=NONE --allow-empty --implicit-check-not=remark: --input-file=%t.remarks
// RUN: sched-run %s --entry=where --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=compare --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=operand --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=elements --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=transposed --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=rows --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// CHECK: "verified": true
// NONE-NOT: left to the default

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#swapped = affine_map<(i, j) -> (j, i)>

func.func @where(%a: tensor<65x40xf32>, %b: tensor<40x77xf32>, %m: tensor<65x77xi1>, %n: tensor<77xi1>) -> tensor<65x77xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<65x77xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<65x77xf32>) -> tensor<65x77xf32>
  %p = linalg.matmul ins(%a, %b : tensor<65x40xf32>, tensor<40x77xf32>) outs(%i : tensor<65x77xf32>) -> tensor<65x77xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %m, %n : tensor<65x77xf32>, tensor<65x77xi1>, tensor<77xi1>) outs(%e : tensor<65x77xf32>) {
  ^bb0(%x: f32, %y: i1, %z: i1, %o: f32):
    %w = arith.uitofp %z : i1 to f32
    %d = arith.mulf %x, %w : f32
    %v = arith.select %y, %low, %d : f32
    linalg.yield %v : f32
  } -> tensor<65x77xf32>
  return %r : tensor<65x77xf32>
}

func.func @compare(%a: tensor<65x40xf32>, %b: tensor<40x77xf32>) -> tensor<65x77xi1> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65x77xf32>
  %eb = tensor.empty() : tensor<65x77xi1>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<65x77xf32>) -> tensor<65x77xf32>
  %p = linalg.matmul ins(%a, %b : tensor<65x40xf32>, tensor<40x77xf32>) outs(%i : tensor<65x77xf32>) -> tensor<65x77xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<65x77xf32>) outs(%eb : tensor<65x77xi1>) {
  ^bb0(%x: f32, %o: i1):
    %v = arith.cmpf ogt, %x, %zero : f32
    linalg.yield %v : i1
  } -> tensor<65x77xi1>
  return %r : tensor<65x77xi1>
}

func.func @operand(%a: tensor<65x40xi1>, %b: tensor<40x77xf32>) -> tensor<65x77xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<65x40xf32>
  %e = tensor.empty() : tensor<65x77xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<65x77xf32>) -> tensor<65x77xf32>
  %f = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<65x40xi1>) outs(%ea : tensor<65x40xf32>) {
  ^bb0(%x: i1, %o: f32):
    %v = arith.uitofp %x : i1 to f32
    linalg.yield %v : f32
  } -> tensor<65x40xf32>
  %p = linalg.matmul ins(%f, %b : tensor<65x40xf32>, tensor<40x77xf32>) outs(%i : tensor<65x77xf32>) -> tensor<65x77xf32>
  return %p : tensor<65x77xf32>
}

func.func @elements(%a: tensor<33x101xf32>, %m: tensor<33x101xi1>) -> tensor<33x101xi1> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<33x101xi1>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %m : tensor<33x101xf32>, tensor<33x101xi1>) outs(%e : tensor<33x101xi1>) {
  ^bb0(%x: f32, %y: i1, %o: i1):
    %c = arith.cmpf olt, %x, %one : f32
    %v = arith.xori %c, %y : i1
    linalg.yield %v : i1
  } -> tensor<33x101xi1>
  return %r : tensor<33x101xi1>
}

func.func @transposed(%m: tensor<101x33xi1>) -> tensor<33x101xi1> {
  %e = tensor.empty() : tensor<33x101xi1>
  %r = linalg.generic {indexing_maps = [#swapped, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<101x33xi1>) outs(%e : tensor<33x101xi1>) {
  ^bb0(%x: i1, %o: i1):
    linalg.yield %x : i1
  } -> tensor<33x101xi1>
  return %r : tensor<33x101xi1>
}

func.func @rows(%a: tensor<65x77xf32>) -> tensor<65x77xf32> {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<65x77xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<65x77xf32>) outs(%e : tensor<65x77xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.cmpi slt, %i, %c7 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %p = arith.mulf %f, %x : f32
    %v = arith.select %c, %p, %zero : f32
    linalg.yield %v : f32
  } -> tensor<65x77xf32>
  return %r : tensor<65x77xf32>
}
