//===- KernelNumbers.h - Numbers of kernels for GPUs ------------*- C++ -*-===//
//
// What sketches require of a kernel, what the model counts, and what the code
// generator makes have to agree on these. Read next: lib/Space/GPU,
// lib/Model/KernelCosts.h, lib/Codegen/KernelState.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_KERNELNUMBERS_H
#define SCHEDOPT_SUPPORT_KERNELNUMBERS_H

#include <cstdint>

namespace sched {

/// The widest access of a thread, in bytes.
constexpr int64_t kWidestBytes = 16;
/// Registers for addresses and counters (docs/Rationale.md).
constexpr int64_t kAddressRegisters = 32;
/// The share of the second level that data stays in.
constexpr double kKeptShareOfL2 = 0.8;

/// \name Stages
/// What a thread computes at a time where it keeps nothing: so many elements,
/// or so many vectors if that is more.
/// @{
constexpr int64_t kElementsAtOnce = 16, kVectorsAtOnce = 4;
/// @}

/// \name Tiled contractions
/// @{
/// Of matrix instructions: rows, columns, and bytes of a row's steps.
constexpr int64_t kMatrixRows = 16, kMatrixColumns = 8, kMatrixBytes = 32;
/// Matrix instructions of a warp in a turn of the loop over steps, if that is
/// more than one step.
constexpr int64_t kMatricesOfTurn = 128;
/// Of a block's shared memory, for three tiles of 256 + 128 lines of 128 bytes,
/// with what pads them.
constexpr int64_t kDeepTilesBytes = 162 << 10;
/// Copies to shared memory that a thread has written out.
constexpr int64_t kCopiesWrittenOut = 16;
/// Copies have offsets that reach over so many bytes; a row of this many bytes
/// is in all banks of shared memory once.
constexpr int64_t kCopyReach = 4096, kBankBytes = 128;
/// @}

} // namespace sched

#endif // SCHEDOPT_SUPPORT_KERNELNUMBERS_H
