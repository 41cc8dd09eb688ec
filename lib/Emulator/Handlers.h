//===- Handlers.h - The steps that kernels are decoded to -------*- C++ -*-===//
//
// How the decoder finds the handler of an operation. Each group is a file.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_EMULATOR_HANDLERS_H
#define SCHEDOPT_LIB_EMULATOR_HANDLERS_H

#include "Program.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace sched::emulator {

/// A handler and what it finds in Step::immediate. No handler: there is none.
struct Operation {
  Handler run = nullptr;
  int64_t immediate = 0;
  explicit operator bool() const { return run; }
};

// Integers.cpp
Operation getBinary(llvm::Instruction::BinaryOps opcode, Scalar type);
Operation getIntegerCompare(llvm::CmpInst::Predicate predicate, Scalar type);
Operation getSelect(Scalar type);
Operation getCopy(Scalar type);
/// result = a + immediate, in 64 bits.
Operation getAddImmediate(int64_t immediate);
/// result = a + b * immediate, in 64 bits; b is signed and of type `index`.
Operation getMultiplyAdd(int64_t immediate, Scalar index);

/// Of up to three operands, as 64 bits each.
using IntegerFunction = uint64_t (*)(uint64_t a, uint64_t b, uint64_t c,
                                     unsigned bits);
/// `result` and the operands may be of any integer types.
Operation getIntegerCall(IntegerFunction function, Scalar result,
                         Scalar operand);
/// Functions for the one above, by the name of an LLVM intrinsic without
/// "llvm."; null: there is none.
IntegerFunction findIntegerFunction(llvm::StringRef name);

// Floats.cpp
Operation getFloatBinary(llvm::Instruction::BinaryOps opcode, Scalar type);
Operation getFloatCompare(llvm::CmpInst::Predicate predicate, Scalar type);
Operation getFusedMultiplyAdd(Scalar type);
Operation getNegate(Scalar type);
/// Unary and binary functions: "sqrt", "exp2", "minnum", ...; as LLVM's
/// intrinsics name them, and some more.
Operation getFloatUnary(llvm::StringRef name, Scalar type);
Operation getFloatPair(llvm::StringRef name, Scalar type);

// DirectedFloats.cpp
/// "add", "sub", "mul", "div", "rcp" and "fma" of f32 or f64, rounded as "rz",
/// "rm" or "rp" says; with `flushes`, the smallest numbers are zeros.
Operation getDirected(llvm::StringRef name, llvm::StringRef rounding,
                      bool flushes, Scalar type);

// Casts.cpp
Operation getCast(llvm::Instruction::CastOps opcode, Scalar from, Scalar to);
/// Between floats and integers with a rounding: "rn", "rz", "rm" or "rp".
Operation getRoundedCast(llvm::StringRef rounding, bool isSigned, Scalar from,
                         Scalar to);
/// Bits of several operands in a row to several results.
Operation getRegroup();

// Accesses.cpp
Operation getLoad(Scalar type);
Operation getStore(Scalar type);
/// Operands: address, value.
Operation getAtomic(llvm::AtomicRMWInst::BinOp operation, Scalar type);
/// Operands: address, expected, new. Results: old, whether it was expected.
Operation getCompareExchange(Scalar type);
/// Operands: destination, source; Step::bytes of one granule, immediate of all.
Handler getMemoryCopy(bool isSet);
/// Operands: destination in shared memory, source, [bytes to read].
Handler getAsyncCopy();
Handler getAsyncCommit();
/// Waits for all but the last `immediate` groups, for all if it is below 0.
Handler getAsyncWait();

// Collectives.cpp
enum class ShuffleMode : uint8_t { Up, Down, Butterfly, Index };
/// Operands: mask, value, lane or distance, clamp. Results: value, [whether it
/// came from a lane].
Operation getShuffle(ShuffleMode mode);
enum class VoteMode : uint8_t { All, Any, Uniform, Ballot };
/// Operands: mask, predicate.
Operation getVote(VoteMode mode);
/// Operands: value, mask.
Operation getReduction(llvm::StringRef operation);
Operation getActiveMask();
/// Operands: mask, value. Results: lanes with the value, [whether all].
Operation getMatch(bool all, bool wide);
/// Operand: mask.
Operation getWarpBarrier();

// Matrices.cpp
/// `count` matrices.
Operation getLoadMatrix(unsigned count, bool transpose);
enum class MatrixType : uint8_t { Half, BFloat, TF32 };
/// D = A * B + C on tiles of 16 x 8 x `depth`; components of A, B, C. `sum` is
/// the type of C and D.
Operation getMatrixProduct(MatrixType type, unsigned depth, Scalar sum);

// Control.cpp
/// The first step of a block of the kernel, with so many instructions.
Operation getBlockStart(unsigned instructions);
/// immediate: the step to go on with.
Operation getJump();
/// Operand: condition; immediate: the steps, the one for false in the upper
/// half.
Operation getBranch();
/// Operand: value; immediate: number of the table.
Operation getSwitch(Scalar type);
Operation getReturn();
/// Ends with an error.
Operation getTrap();
enum class BarrierMode : uint8_t { Plain, Count, And, Or };
/// Operands: number, [predicate]. `aligned`: a warp reaches it together.
Operation getBarrier(BarrierMode mode, bool aligned);
bool isBarrier(const Step &step);

} // namespace sched::emulator

#endif // SCHEDOPT_LIB_EMULATOR_HANDLERS_H
