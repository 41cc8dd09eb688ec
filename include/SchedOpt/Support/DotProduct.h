//===- DotProduct.h - Instructions for narrow products ----------*- C++ -*-===//
//
// Instructions that multiply a few neighbouring narrow elements pairwise and
// add all products to wide sums: VNNI and BF16 of AVX-512, AVX-VNNI, AMX, and
// the dot and matrix products of AArch64. Space asks how many steps of a
// reduction one takes and how its sums lie, Codegen which it is. What x86 has
// for bytes without these are products of pairs of 16 bits. LLVM only.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_DOTPRODUCT_H
#define SCHEDOPT_SUPPORT_DOTPRODUCT_H

#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace sched {

/// What is multiplied; the sums have 32 bits.
enum class NarrowType {
  BFloat,
  Half,
  SignedByte,
  UnsignedByte,
  /// Signed numbers of 16 bits, by such or by bytes.
  Short
};

/// How an instruction takes its operands.
enum class DotForm {
  /// One row: a group of the left-hand side in all lanes, columns in lanes.
  Lanes,
  /// Two rows and two columns: a square of sums in a register (AArch64).
  Squares,
  /// A tile of 16 rows, in groups that lie as rows do in memory (AMX).
  Tiles,
};

/// Steps of a reduction in one group: as many as fill 32 bits, of squares 64.
int64_t countStepsAtOnce(DotForm form, NarrowType type);

/// Rows, columns and groups of a whole tile, and how many tiles there are.
inline constexpr int64_t kTileEdge = 16, kTileRegisters = 8;
inline constexpr int64_t kTileRowBytes = 64;
/// Of fewer groups, whole tiles of rows do not pay for loading and storing
/// their sums.
inline constexpr int64_t kLeastTileGroups = 4;

/// Groups of each step of a reduction of so many in tiles: as few tiles as hold
/// them, all with as many groups, if these can be shared evenly; else whole
/// ones, of which the last is filled with zeros.
constexpr int64_t countTileGroups(int64_t groups) {
  const int64_t tiles = (groups + kTileEdge - 1) / kTileEdge;
  return groups % tiles == 0 ? groups / tiles : kTileEdge;
}

/// Whether a product of vectors of so many rows, columns and groups is computed
/// in tiles, where there are some: it fills one at least along rows or groups.
constexpr bool usesTiles(int64_t rows, int64_t columns, int64_t groups) {
  return columns % kTileEdge == 0 &&
         (rows >= kTileEdge || groups % kTileEdge == 0);
}

/// Neighbouring lines of so few rows that they are a single tile are computed
/// side by side (Codegen/PairLines.cpp), so many at most: half of the registers
/// hold sums.
constexpr int64_t countPairedLines(int64_t rows, int64_t columns) {
  const int64_t lines = kTileRegisters / 2 * kTileEdge / columns;
  return rows > 1 && rows <= kTileEdge && lines > 1 ? lines : 1;
}

/// The dot products that a processor has, by the names of LLVM's features.
struct DotProducts {
  /// sse2, avx2, avx512bw, avx512bf16, avx512vnni, avxvnni, avxvnniint8,
  /// amx-bf16, amx-fp16, amx-int8; dotprod, i8mm, bf16.
  std::vector<std::string> features;
  /// Whether the processor is one of those with tiles, used or not: Intel's
  /// leave bfloat16 to these, and compute a `vdpbf16ps` in 0.57 to 0.70 ns
  /// beside 0.16 of a `vfmadd231ps` (measured on two).
  bool hasSlowBFloat = false;

  bool has(llvm::StringRef feature) const;
  /// Whether there is one of that form for such operands. Signed bytes on both
  /// sides are computed in lanes with an instruction for an unsigned one, and a
  /// correction.
  bool covers(DotForm form, NarrowType lhs, NarrowType rhs) const;
  /// Whether bytes are multiplied faster as rows of 16 bits by bytes: there is
  /// an instruction for these, and none of any form for `lhs` and `rhs`.
  bool widensRows(NarrowType lhs, NarrowType rhs) const;
  /// Whether there is one for tiles, whatever of.
  bool hasTiles() const;
  /// Whether there is one for several rows at once, of which none can be left
  /// out: tiles and squares, whatever of.
  bool bindsRows() const;
  /// Multiply-adds of f32 that take as long as one in lanes of such operands.
  double countEqualMultiplyAdds(NarrowType lhs) const;
  /// Whether each group of a row that lanes are computed from has to be changed
  /// first: signed bytes for an instruction that takes unsigned ones.
  bool changesRows(NarrowType lhs, NarrowType rhs) const;
};

/// Those of `target`, as LLVM knows its processor and features.
DotProducts findDotProducts(const Target &target);

/// Whether `target` is a processor without arithmetic on f16, which computes on
/// it in f32.
bool addsHalfInFloat(const Target &target);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_DOTPRODUCT_H
