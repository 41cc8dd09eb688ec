//===- KernelTypes.h - Memory spaces and indices of kernels -----*- C++ -*-===//
//
// Steps of sched-lower-kernels: what upstream's conversion to the LLVM dialect
// has to be told before, and what its result can be told afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_KERNELTYPES_H
#define SCHEDOPT_LIB_CODEGEN_KERNELTYPES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sched {

/// Of kernels whose payload computes indices that may have more than 32 bits.
constexpr llvm::StringLiteral wideIndexName = "sched.wide_index";

/// Puts the arguments of kernels and the constants of `kernels` into the
/// global memory space, and with them the views of these. Fails where an
/// argument's buffer is not known in full, or takes a way that is none.
llvm::LogicalResult placeKernelBuffers(mlir::gpu::GPUModuleOp kernels);

/// Bits of an index: 32, which a GPU is faster with, where every buffer has
/// less than 2^30 elements (an index may go beyond its buffer, for a tile's
/// surplus), no index is seen as a wider integer, and no kernel is marked as
/// one whose payload computes wider indices; else 64.
unsigned getIndexWidth(mlir::gpu::GPUModuleOp kernels);

/// In the LLVM dialect: marks what computes addresses alone, of integers of
/// `width` bits, as not overflowing. Then constants can be taken out of it,
/// into the offset that an instruction has.
void keepAddressesInRange(mlir::gpu::GPUModuleOp kernels, unsigned width);

/// Then writes each address as one of variables and, added last, a constant:
/// accesses that are a constant apart share all but that, and an instruction
/// has room for it. LLVM does not take a constant out of a product that is
/// used in several places.
void spreadAddresses(mlir::gpu::GPUModuleOp kernels);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_KERNELTYPES_H
