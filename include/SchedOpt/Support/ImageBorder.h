//===- ImageBorder.h - Which loops leave padding out ------------*- C++ -*-===//
//
// Of register tiles at the ends of a line of an image's result, the products
// with the zeros around the image are left out (lib/Codegen/SkipBorder.cpp),
// which the model of loop nests counts.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_IMAGEBORDER_H
#define SCHEDOPT_SUPPORT_IMAGEBORDER_H

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

namespace sched {

/// A loop of more iterations is no window's, nor over the tiles of a line; its
/// copies would be too much code.
constexpr int64_t kMostTaps = 7;

/// Of so many rows, one has to be padding for a loop to be taken apart.
constexpr int64_t kRowsForOne = 90;

/// Whether leaving `skipped` of `all` rows out is worth while.
constexpr bool isWorthSkipping(int64_t skipped, int64_t all) {
  return skipped != 0 && skipped * kRowsForOne >= all;
}

/// Of `rows` rows, `step` pixels apart, of which the first is at pixel `at`:
/// the first that is at `pixel` or behind it; `rows` if none is.
inline int64_t findRow(int64_t pixel, int64_t at, int64_t step, int64_t rows) {
  return std::clamp<int64_t>(llvm::divideCeilSigned(pixel - at, step), 0, rows);
}

} // namespace sched

#endif // SCHEDOPT_SUPPORT_IMAGEBORDER_H
