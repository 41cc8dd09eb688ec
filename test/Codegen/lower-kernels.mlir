// sched-lower-kernels: kernels become functions on pointers of the dialects
// llvm and nvvm.
// RUN: sched-opt %s --split-input-file --sched-lower-kernels --canonicalize --cse | FileCheck %s

// Buffers are in global memory and promised to be what they are; the block has
// the size that is known; an index has 32 bits, and what computes addresses
// does not overflow.
// CHECK-LABEL: llvm.func @scale_kernel_0
// CHECK-SAME: (%[[A:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %[[OUT:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
// CHECK-SAME: gpu.kernel
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxnreg = 64
// CHECK-SAME: nvvm.reqntid = array<i32: 128, 1, 1>
// CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 128>
// CHECK: %[[PLACE:.*]] = llvm.add %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: llvm.getelementptr %[[A]][%[[PLACE]]]
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// The exponential is arithmetic.
// CHECK-NOT: llvm.call
// CHECK-NOT: math.
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: func.func @scale
// CHECK: gpu.launch_func @kernels::@scale_kernel_0
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale_kernel_0(%a: memref<100x8xf32>, %out: memref<100x8xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 2, 1, 1>, nvvm.maxnreg = 64 : i32} {
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %c128 = arith.constant 128 : index
      %c200 = arith.constant 200 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %first = arith.muli %block, %c128 : index
      %i = arith.addi %first, %thread : index
      %in = arith.cmpi slt, %i, %c200 : index
      scf.if %in {
        %row = arith.floordivsi %i, %c2 : index
        %half = arith.remsi %i, %c2 : index
        %col = arith.muli %half, %c4 : index
        %x = vector.load %a[%row, %col] {alignment = 16} : memref<100x8xf32>, vector<4xf32>
        %e = math.exp %x : vector<4xf32>
        vector.store %e, %out[%row, %col] {alignment = 16} : memref<100x8xf32>, vector<4xf32>
      }
      gpu.return
    }
  }
  func.func @scale(%a: memref<100x8xf32>, %out: memref<100x8xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@scale_kernel_0 blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%a : memref<100x8xf32>, %out : memref<100x8xf32>)
    return
  }
}

// -----

// Copies past the registers, shared memory and matrix fragments.
// CHECK-LABEL: gpu.module @kernels
// CHECK: llvm.mlir.global external @[[SHARED:.*]]() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @stage
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {{{.*}}llvm.readonly}
// CHECK: llvm.mlir.addressof @[[SHARED]]
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier
// CHECK: nvvm.ldmatrix %{{.*}} {{.*}}num = 4 : i32
// CHECK: nvvm.shfl.sync bfly
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stage(%a: memref<32x16xf16>, %out: memref<32xf32>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %thread = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %tile = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32x16xf16, #gpu.address_space<workgroup>>
      %copy = nvgpu.device_async_copy %a[%thread, %c0], %tile[%thread, %c0], 8, %c8 {bypassL1} : memref<32x16xf16> to memref<32x16xf16, #gpu.address_space<workgroup>>
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group {numGroups = 0 : i32}
      gpu.barrier
      %fragment = nvgpu.ldmatrix %tile[%thread, %c0] {numTiles = 4 : i32, transpose = false} : memref<32x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %x = vector.extract %fragment[0, 0] : f16 from vector<4x2xf16>
      %wide = arith.extf %x : f16 to f32
      %sum = gpu.subgroup_reduce add %wide : (f32) -> f32
      memref.store %sum, %out[%thread] : memref<32xf32>
      gpu.return
    }
  }
}

// -----

// Elements that are indices have 64 bits, and so have all.
// Constants are in global memory, too.
// CHECK-LABEL: llvm.mlir.global private constant @__constant
// CHECK-SAME: {addr_space = 1 : i32, alignment = 16 : i64}
// CHECK: llvm.func @positions
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WIDE:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK: llvm.getelementptr {{.*}}[%[[WIDE]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
gpu.module @kernels {
  memref.global "private" constant @__constant : memref<4xf32> = dense<[0.0, 1.0, 2.0, 3.0]>
  gpu.func @positions(%out: memref<32xindex>, %values: memref<4xf32>) kernel {
    %thread = gpu.thread_id x
    memref.store %thread, %out[%thread] : memref<32xindex>
    %constants = memref.get_global @__constant : memref<4xf32>
    %x = memref.load %constants[%thread] : memref<4xf32>
    memref.store %x, %values[%thread] : memref<4xf32>
    gpu.return
  }
}

// -----

// A number of the program may overflow, if it also leads to an address.
// CHECK-LABEL: llvm.func @hash
// CHECK: %[[HASH:.*]] = llvm.mul %{{.*}}, %{{.*}} : i32
// CHECK: llvm.store %[[HASH]]
// CHECK: llvm.getelementptr {{.*}}[%[[HASH]]]
gpu.module @kernels {
  gpu.func @hash(%in: memref<64xf32>, %out: memref<32xi32>, %values: memref<32xf32>) kernel {
    %thread = gpu.thread_id x
    %factor = arith.constant 1000003 : index
    %product = arith.muli %thread, %factor : index
    %hash = arith.index_cast %product : index to i32
    memref.store %hash, %out[%thread] : memref<32xi32>
    %x = memref.load %in[%product] : memref<64xf32>
    memref.store %x, %values[%thread] : memref<32xf32>
    gpu.return
  }
}

// -----

// What there is an instruction for, and what is computed with f32.
// CHECK-LABEL: llvm.func @math
// CHECK: llvm.intr.fma(%{{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
// CHECK: llvm.fpext %{{.*}} : bf16 to f32
// CHECK-NOT: llvm.call
// CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
gpu.module @kernels {
  gpu.func @math(%a: memref<4xf32>, %b: memref<2xbf16>) kernel {
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0] {alignment = 16} : memref<4xf32>, vector<4xf32>
    %fma = math.fma %x, %x, %x : vector<4xf32>
    %first = vector.extract %fma[0] : f32 from vector<4xf32>
    %root = math.sqrt %first : f32
    memref.store %root, %a[%c0] : memref<4xf32>
    %y = memref.load %b[%c0] : memref<2xbf16>
    %tanh = math.tanh %y : bf16
    memref.store %tanh, %b[%c0] : memref<2xbf16>
    gpu.return
  }
}

// -----

// What is neither is a function of CUDA's.
// CHECK-LABEL: llvm.func @sine
// CHECK: llvm.call @__nv_sinf(%{{.*}}) : (f32) -> f32
// CHECK: llvm.call @__nv_exp(%{{.*}}) : (f64) -> f64
gpu.module @kernels {
  gpu.func @sine(%a: memref<4xf32>, %b: memref<2xf64>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%c0] : memref<4xf32>
    %sine = math.sin %x : f32
    memref.store %sine, %a[%c0] : memref<4xf32>
    %y = memref.load %b[%c0] : memref<2xf64>
    %exp = math.exp %y : f64
    memref.store %exp, %b[%c0] : memref<2xf64>
    gpu.return
  }
}

// -----

// Rows that are a constant apart share all of their address but that.
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[ROW:.*]] = llvm.udiv
// CHECK: %[[START:.*]] = llvm.mul %[[ROW]], %{{.*}} overflow<nsw> : i32
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[START]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
// CHECK: llvm.load %[[FIRST]]
// CHECK-NOT: llvm.mul
// CHECK: llvm.getelementptr %{{.*}}[8192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
gpu.module @kernels {
  gpu.func @rows(%in: memref<32x512xf32>, %out: memref<16xf32>) kernel {
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %first = arith.divui %thread, %c8 : index
    %second = arith.addi %first, %c16 : index
    %x = memref.load %in[%first, %c0] : memref<32x512xf32>
    %y = memref.load %in[%second, %c0] : memref<32x512xf32>
    %sum = arith.addf %x, %y : f32
    memref.store %sum, %out[%first] : memref<16xf32>
    gpu.return
  }
}
