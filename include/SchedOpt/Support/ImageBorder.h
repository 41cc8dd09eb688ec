//===- ImageBorder.h - Which loops leave padding out ------------*- C++ -*-===//
//
// Of a register tile that holds a whole line of an image's result, the products
// with the zeros around the image are left out (lib/Codegen/SkipBorder.cpp),
// which the model of loop nests counts.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_IMAGEBORDER_H
#define SCHEDOPT_SUPPORT_IMAGEBORDER_H

#include <cstdint>

namespace sched {

/// A loop of more iterations is no window's; its copies would be too much code.
constexpr int64_t kMostTaps = 7;

/// Of so many rows, one has to be padding for a loop to be taken apart.
constexpr int64_t kRowsForOne = 25;

} // namespace sched

#endif // SCHEDOPT_SUPPORT_IMAGEBORDER_H
