// RUN: sched-opt %s --split-input-file --verify-diagnostics --sched-lower-kernels

gpu.module @kernels {
  // expected-error@below {{has argument #0 of type 'memref<?xf32>'; expected a memref of static shape and identity layout}}
  gpu.func @dynamic(%a: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @chosen(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@below {{passes on a buffer of the kernel; expected loads, stores and views}}
    %chosen = arith.select %c, %a, %b : memref<4xf32>
    %x = memref.load %chosen[%c0] : memref<4xf32>
    memref.store %x, %chosen[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown(%a: memref<4x4xf32>) kernel {
    %x = arith.constant 0.0 : f32
    // expected-error@below {{has no lowering for a GPU}}
    linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
    gpu.return
  }
}
