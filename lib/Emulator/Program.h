//===- Program.h - A kernel as the emulator runs it -------------*- C++ -*-===//
//
// A kernel is decoded once into a flat list of steps. A step does one scalar
// operation for the lanes of a warp; its operands are places in a register file
// in which the 32 lanes of a value lie side by side, so that a step is a short
// loop that the compiler vectorises. Vectors and structs are taken apart when a
// kernel is decoded, and cost nothing to build or to index.
//
// Integers and f16, bf16 are kept as bits in lanes of 32 (or 64) bits; bits
// above the type's width are zero.
//
// Read next: Machine.h (what steps work on), Decoder.h (how they are made).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_EMULATOR_PROGRAM_H
#define SCHEDOPT_LIB_EMULATOR_PROGRAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sched::emulator {

constexpr unsigned kLanes = 32;
/// A bit for each lane of a warp.
using LaneMask = uint32_t;
constexpr LaneMask kAllLanes = ~LaneMask(0);

class Machine;
struct Step;

/// Returns whether the lanes that ran it go on with the step at Machine::pc.
using Handler = bool (*)(Machine &machine, const Step &step);

/// Type of one component of a value.
struct Scalar {
  enum class Kind : uint8_t { Integer, Half, BFloat, Float, Double, Pointer };
  Kind kind = Kind::Integer;
  /// 64 for pointers, whatever their address space.
  uint8_t bits = 32;
  /// Of a pointer.
  uint8_t space = 0;
  bool isWide() const { return bits > 32; }
  /// Bytes in memory.
  unsigned bytes() const {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  }
};

struct Step {
  Handler run = nullptr;
  /// Places of the first result and of the first operands; bytes from the start
  /// of the register file.
  uint32_t result = 0, a = 0, b = 0, c = 0;
  int64_t immediate = 0;
  /// All places, results first.
  const uint32_t *places = nullptr;
  uint16_t numResults = 0, numOperands = 0;
  /// Of accesses of memory: bytes a lane, alignment that the instruction
  /// claims, address space.
  uint16_t bytes = 0, alignment = 0;
  uint8_t space = 0;
  /// Width of the type, where a handler serves several.
  uint8_t bits = 0;
  /// Position in Program::sources.
  uint32_t source = 0;
};

/// Values of the register file that no step writes.
struct BoundValue {
  enum class Kind : uint8_t {
    Constant,
    Argument,
    ThreadX,
    ThreadY,
    ThreadZ,
    ThreadsX,
    ThreadsY,
    ThreadsZ,
    BlocksX,
    BlocksY,
    BlocksZ,
    Lane,
    Warp,
    BlockX,
    BlockY,
    BlockZ
  };
  Kind kind = Kind::Constant;
  bool wide = false;
  uint32_t place = 0;
  /// Of a constant; the number of an argument.
  uint64_t value = 0;
};

struct SwitchTable {
  std::vector<std::pair<uint64_t, uint32_t>> cases;
  uint32_t other = 0;
};

struct Program {
  std::string name;
  std::vector<Step> steps;
  std::vector<uint32_t> places;
  std::vector<BoundValue> bound;
  std::vector<SwitchTable> switches;
  /// What steps were made of, to be named in errors.
  std::vector<const llvm::Instruction *> sources;
  uint32_t registerBytes = 0;
  unsigned numArguments = 0;
  /// Of a thread: bytes of its stack.
  uint64_t localBytes = 0;
  /// Of a block: bytes of shared memory that the kernel itself declares, and
  /// where dynamic memory starts.
  uint64_t staticSharedBytes = 0, dynamicSharedStart = 0;
  /// What divides the size and alignment of all accesses of memory.
  unsigned granule = 16;
};

} // namespace sched::emulator

#endif // SCHEDOPT_LIB_EMULATOR_PROGRAM_H
