// Signed bytes that are copied, into a padded image or a block of rows, are right
// on one thread and on two, with the least byte among them.

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --auto-schedule="trials=10 batch=10 threads=1 cost-model=random min-repeat-ms=1 quiet=true work-dir=%t/one" -o /dev/null
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/one/records.jsonl
// RUN: sched-opt %s --auto-schedule="trials=10 batch=10 threads=2 cost-model=random min-repeat-ms=1 quiet=true work-dir=%t/two" -o /dev/null
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/two/records.jsonl

// RIGHT-NOT: "error":"{{[a-z]}}
// RIGHT: "costs_s":[{{[0-9]}}
// RIGHT-NOT: "error":"{{[a-z]}}

func.func @padded(%x: tensor<1x9x18x64xi8>, %w: tensor<3x3x64x48xi8>) -> tensor<1x9x18x48xi32> {
  %border = arith.constant -128 : i8
  %z = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %border : i8
  } : tensor<1x9x18x64xi8> to tensor<1x11x20x64xi8>
  %e = tensor.empty() : tensor<1x9x18x48xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x9x18x48xi32>) -> tensor<1x9x18x48xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x11x20x64xi8>, tensor<3x3x64x48xi8>) outs(%i : tensor<1x9x18x48xi32>) -> tensor<1x9x18x48xi32>
  return %r : tensor<1x9x18x48xi32>
}

func.func @strided(%x: tensor<1x10x14x64xi8>, %w: tensor<3x3x64x48xi8>) -> tensor<1x5x7x48xi32> {
  %border = arith.constant 0 : i8
  %z = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %border : i8
  } : tensor<1x10x14x64xi8> to tensor<1x12x16x64xi8>
  %e = tensor.empty() : tensor<1x5x7x48xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x5x7x48xi32>) -> tensor<1x5x7x48xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x12x16x64xi8>, tensor<3x3x64x48xi8>) outs(%i : tensor<1x5x7x48xi32>) -> tensor<1x5x7x48xi32>
  return %r : tensor<1x5x7x48xi32>
}

func.func @rows(%x: tensor<37x2048xi8>, %w: tensor<2048x96xi8>) -> tensor<37x96xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<37x96xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<37x96xi32>) -> tensor<37x96xi32>
  %r = linalg.matmul ins(%x, %w : tensor<37x2048xi8>, tensor<2048x96xi8>) outs(%i : tensor<37x96xi32>) -> tensor<37x96xi32>
  return %r : tensor<37x96xi32>
}

// Bits that are flipped in place compile and run; that they are no copy, whose
// last vector may come twice, is in Codegen/lower-copies.mlir.
// RUN: sched-run %s --entry=flipped --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "median_s"
func.func @flipped(%x: tensor<103xi8>) -> tensor<103xi8> {
  %bits = arith.constant -1 : i8
  %one = arith.constant 1 : i8
  %e = tensor.empty() : tensor<103xi8>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<103xi8>) outs(%e : tensor<103xi8>) {
  ^bb0(%in: i8, %out: i8):
    %s = arith.addi %in, %one : i8
    linalg.yield %s : i8
  } -> tensor<103xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<103xi8>) outs(%a : tensor<103xi8>) {
  ^bb0(%in: i8, %out: i8):
    %s = arith.xori %in, %bits : i8
    linalg.yield %s : i8
  } -> tensor<103xi8>
  return %r : tensor<103xi8>
}
