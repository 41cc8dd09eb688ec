//===- FlatTrees.h - Boosted trees as one array -----------------*- C++ -*-===//
//
// The trees of a booster, read from XGBoost's binary form, in an array that
// rows are walked through side by side. A search asks for thousands of rows a
// round; XGBoost copies each row into a form of its own first and follows one
// path at a time. What is predicted is the same to the last bit: the
// leaves of a row are added in the order of the trees, in single precision.
//
// Read next: Booster.h (what grows them), TreeEnsemble.h (what asks them).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_FLATTREES_H
#define SCHEDOPT_COSTMODEL_FLATTREES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace sched {

class FlatTrees {
public:
  /// The trees of a booster as Booster::save gives it (UBJSON), over rows of
  /// `columns`. An error where that is something else: cut off, with a child
  /// before its parent, or with a column that there is not.
  static llvm::Expected<FlatTrees> parse(llvm::StringRef bytes, size_t columns);

  /// Number of trees.
  size_t size() const { return trees.size(); }

  /// The sum of the leaves of each of any rows, whose missing values are NaN.
  void predict(llvm::ArrayRef<float> values, size_t columns,
               llvm::MutableArrayRef<float> predictions) const;

private:
  /// A row goes to the left child where it is below the threshold, and behind
  /// the left child is the right one. A leaf goes to itself: its threshold is
  /// NaN, which nothing is at least.
  struct Node {
    float threshold;
    uint16_t column;
    /// Distance to the left child, and in the highest bit whether a row goes
    /// there unless it is at least the threshold, so that a missing value does.
    uint16_t left;
  };
  static_assert(sizeof(Node) == 8, "read at once");
  struct Tree {
    uint32_t root, depth;
  };
  friend class FlatTreeReader;

  std::vector<Node> nodes;
  /// What each node adds: 0 where it is no leaf.
  std::vector<float> values;
  std::vector<Tree> trees;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_FLATTREES_H
