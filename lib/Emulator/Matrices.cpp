//===- Matrices.cpp - Products of small matrices by a warp ----------------===//
//
// ldmatrix and mma.sync, whose matrices are spread over the lanes as the PTX
// ISA says ("Matrix multiply-accumulate operation using mma instruction").
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Machine.h"
#include "SmallFloat.h"
#include <cstring>

using namespace llvm;

namespace sched::emulator {

/// Lanes 8 i to 8 i + 7 hold the addresses of the rows of matrix i.
template <bool Transpose>
static bool runLoadMatrix(Machine &machine, const Step &step) {
  if (!machine.gather(step, kAllLanes))
    return false;
  const uint64_t *addresses =
      machine.at<uint64_t>(step.places[step.numResults]);
  if (machine.traffic)
    machine.countAccess(addresses, 0, step.space, 16,
                        kAllLanes >> (kLanes - 8 * step.numResults));
  uint16_t rows[kLanes][8];
  for (unsigned lane = 0; lane != 8 * step.numResults; ++lane) {
    const uint8_t *data =
        machine.memory.access(Intent::Read, addresses[lane], step.space, 16, 16,
                              machine.thread(lane));
    if (!data)
      return machine.fail(step, lane, machine.memory.problem);
    std::memcpy(rows[lane], data, 16);
  }
  for (unsigned i = 0; i != step.numResults; ++i) {
    uint32_t *result = machine.at<uint32_t>(step.places[i]);
    for (unsigned lane = 0; lane != kLanes; ++lane) {
      const unsigned row = lane / 4, column = lane % 4 * 2;
      const uint16_t low =
          Transpose ? rows[8 * i + column][row] : rows[8 * i + row][column];
      const uint16_t high = Transpose ? rows[8 * i + column + 1][row]
                                      : rows[8 * i + row][column + 1];
      result[lane] = low | uint32_t(high) << 16;
    }
  }
  return true;
}

Operation getLoadMatrix(unsigned count, bool transpose) {
  return {transpose ? runLoadMatrix<true> : runLoadMatrix<false>, count};
}

namespace {
struct Product {
  MatrixType type;
  unsigned depth;
  bool halfSum;
  /// Whether f16 come in pairs of components (vectors), or two a register.
  bool pairs;
};
} // namespace

/// The elements of a row or column along the depth that a lane holds: register
/// r of those with a stride of 8 in the other dimension.
static void spread(Machine &machine, const uint32_t *places, unsigned registers,
                   bool isLhs, const Product &product, float tile[16][16]) {
  for (unsigned r = 0; r != registers; ++r) {
    // Of the left-hand side, registers go through the rows first.
    const unsigned far = isLhs ? r % 2 * 8 : 0;
    const unsigned part = isLhs ? r / 2 : r;
    if (product.type == MatrixType::TF32) {
      const uint32_t *values = machine.at<uint32_t>(places[r]);
      for (unsigned lane = 0; lane != kLanes; ++lane)
        // The hardware ignores the 13 bits that tf32 lacks.
        tile[lane / 4 + far][lane % 4 + 4 * part] =
            bit_cast<float>(values[lane] & 0xffffe000u);
      continue;
    }
    for (unsigned lane = 0; lane != kLanes; ++lane)
      for (unsigned i = 0; i != 2; ++i) {
        const uint32_t bits =
            product.pairs
                ? machine.at<uint32_t>(places[2 * r + i])[lane]
                : (machine.at<uint32_t>(places[r])[lane] >> (16 * i)) & 0xffffu;
        tile[lane / 4 + far][lane % 4 * 2 + 8 * part + i] =
            product.type == MatrixType::BFloat ? bfloatToFloat(bits)
                                               : halfToFloat(bits);
      }
  }
}

static bool runMatrixProduct(Machine &machine, const Step &step) {
  if (!machine.gather(step, kAllLanes))
    return false;
  const Product product{
      MatrixType(step.immediate & 255), unsigned(step.immediate >> 8 & 255),
      bool(step.immediate >> 16 & 1), bool(step.immediate >> 17 & 1)};
  const unsigned elements = product.type == MatrixType::TF32 ? 1 : 2;
  const unsigned rhsRegisters = product.depth / (4 * elements);
  const unsigned lhsRegisters = 2 * rhsRegisters;
  const unsigned components = product.pairs ? 2 : 1;
  const uint32_t *places = step.places + step.numResults;
  // Rows of the left-hand side and columns of the right-hand side.
  float lhs[16][16], rhs[16][16];
  spread(machine, places, lhsRegisters, true, product, lhs);
  places += lhsRegisters * components;
  spread(machine, places, rhsRegisters, false, product, rhs);
  places += rhsRegisters * components;
  uint32_t results[4][kLanes];
  for (unsigned i = 0; i != 4; ++i)
    for (unsigned lane = 0; lane != kLanes; ++lane) {
      const float *row = lhs[lane / 4 + i / 2 * 8];
      const float *column = rhs[lane % 4 * 2 + i % 2];
      const uint32_t start = machine.at<uint32_t>(places[i])[lane];
      double sum =
          product.halfSum ? halfToFloat(start) : bit_cast<float>(start);
      for (unsigned k = 0; k != product.depth; ++k)
        sum += double(row[k]) * double(column[k]);
      results[i][lane] = product.halfSum ? floatToHalf(roundToOdd(sum))
                                         : bit_cast<uint32_t>(float(sum));
    }
  for (unsigned i = 0; i != 4; ++i)
    std::memcpy(machine.at<uint32_t>(step.places[i]), results[i],
                sizeof(results[i]));
  return true;
}

Operation getMatrixProduct(MatrixType type, unsigned depth, Scalar sum) {
  // LLVM passes f16 as vectors of two and the others in registers of 32 bits.
  return {runMatrixProduct, int64_t(type) | int64_t(depth) << 8 |
                                int64_t(sum.kind == Scalar::Kind::Half) << 16 |
                                int64_t(type == MatrixType::Half) << 17};
}

} // namespace sched::emulator
