//===- ImageBorder.h - Which loops leave padding out ------------*- C++ -*-===//
//
// Of register tiles at the ends of a line of an image's result, the products
// with the zeros around the image are left out (lib/Codegen/SkipBorder.cpp),
// which the model of loop nests counts.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_IMAGEBORDER_H
#define SCHEDOPT_SUPPORT_IMAGEBORDER_H

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

} // namespace sched

#endif // SCHEDOPT_SUPPORT_IMAGEBORDER_H
