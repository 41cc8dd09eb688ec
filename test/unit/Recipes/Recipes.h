//===- Recipes.h - Schedules written by hand --------------------*- C++ -*-===//
//
// For each shape of the table someone wrote a transform script by hand that
// reaches the speed of the best libraries. A row says what that script decides,
// and the loops that it makes of the payload.
//
// Those of convolutions compute the column matrix of one tap at a time, inside
// of the loops over taps (im2col by slice). The image is padded before the
// task, and transposes around it are tasks of their own.
//
// The scripts that pack the right-hand side at run time clear the result 64
// elements at a time, where the space clears one panel's row. What is packed
// beforehand is not listed: those scripts take panels for granted.
//
// Read next: RecipesTest.cpp (what is asked of the space).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_RECIPES_RECIPES_H
#define SCHEDOPT_TEST_UNIT_RECIPES_RECIPES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace sched::test {

/// How the right-hand side is laid out.
enum class Packing { None, AtRunTime, Beforehand };

/// How the image of a convolution is laid out, if there is one.
enum class Image { None, ChannelsLast, ChannelsFirst };

struct Recipe {
  const char *name;
  int64_t m, n, k;
  /// Adds a matrix to the product.
  bool add;
  int threads;
  Packing packing;
  const char *sketch;
  /// As in the text of a trace. Those that make no difference, such as the
  /// order of blocks where there is one, are left out.
  const char *decisions;
  /// What NestListing.h lists: blocks in program order, without what is packed
  /// beforehand, and copies of the left-hand side.
  std::vector<std::string> blocks, copies;
  /// So many products side by side; 0 for a plain one.
  int64_t batch = 0;
  /// A convolution of 7x7 pixels with 3x3 taps, a bias and a maximum with zero,
  /// rather than a product; m counts pixels and k channels.
  Image image = Image::None;
};

inline void PrintTo(const Recipe &recipe, std::ostream *os) {
  *os << recipe.name;
}

/// The table.
llvm::ArrayRef<Recipe> getRecipes();

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_RECIPES_RECIPES_H
