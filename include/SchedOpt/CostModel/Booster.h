//===- Booster.h - Boosted trees over rows ----------------------*- C++ -*-===//
//
// XGBoost's two objects with their lifetimes: a matrix of training rows, and a
// booster, a sum of regression trees. A booster only grows trees here: which
// ones is said by gradients, which come from outside (Objective.h), so that
// what a row stands for is none of its business.
//
// Every call runs on one thread of XGBoost's. So results depend on no machine's
// number of cores, and no team of threads spins beside a kernel that is timed;
// several boosters are trained on threads of ours (TreeEnsemble.h).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_BOOSTER_H
#define SCHEDOPT_COSTMODEL_BOOSTER_H

#include "SchedOpt/CostModel/XGBoostLibrary.h"
#include <vector>

namespace sched {

/// How trees are grown. The names are XGBoost's.
struct TreeOptions {
  unsigned maxDepth = 5;
  /// Shrinkage of each tree.
  double eta = 0.15;
  /// L2 penalty on the values of leaves, in units of a candidate's weight: a
  /// leaf of few candidates says little.
  double lambda = 2;
  /// Least sum of curvatures in a leaf.
  double minChildWeight = 2;
  /// Columns drawn for each tree: many of them say much of the same.
  double columnShare = 0.2;
  /// Bins of a column; splits lie between them.
  unsigned maxBins = 32;
  uint64_t seed = 0;

  /// For the few candidates of a run, which are much alike: larger steps, and
  /// fewer columns to choose from by accident.
  static TreeOptions forRun() {
    TreeOptions result;
    result.eta = 0.3;
    result.lambda = 1;
    result.columnShare = 0.1;
    return result;
  }

  TreeOptions withLambda(double value) const {
    TreeOptions result = *this;
    result.lambda = value;
    return result;
  }
};

/// Training rows inside of XGBoost. A missing value is a NaN.
class BoosterMatrix {
public:
  /// `values`: rows of `columns` floats, one after another.
  static llvm::Expected<BoosterMatrix>
  create(std::shared_ptr<const XGBoostLibrary> library,
         llvm::ArrayRef<float> values, size_t columns);
  BoosterMatrix(BoosterMatrix &&other);
  BoosterMatrix &operator=(BoosterMatrix &&other);
  ~BoosterMatrix();

  size_t getNumRows() const { return numRows; }

private:
  friend class Booster;
  BoosterMatrix() = default;
  std::shared_ptr<const XGBoostLibrary> library;
  XGBoostLibrary::Handle handle = nullptr;
  size_t numRows = 0;
};

class Booster {
public:
  /// Without trees: predicts 0 for rows of so many columns.
  static llvm::Expected<Booster>
  create(std::shared_ptr<const XGBoostLibrary> library,
         const TreeOptions &options, size_t columns);
  /// With the trees that `save` gave, and these `options` for more.
  static llvm::Expected<Booster>
  load(std::shared_ptr<const XGBoostLibrary> library,
       const TreeOptions &options, llvm::StringRef bytes);
  Booster(Booster &&other);
  Booster &operator=(Booster &&other);
  ~Booster();

  /// Adds a tree that steps against the gradient: first and second derivatives
  /// of the loss by the prediction of each row.
  llvm::Error boost(const BoosterMatrix &matrix,
                    llvm::MutableArrayRef<float> gradients,
                    llvm::MutableArrayRef<float> curvatures);

  /// The prediction of each row of what it is trained on; XGBoost remembers it
  /// from tree to tree.
  llvm::Error predict(const BoosterMatrix &matrix,
                      std::vector<float> &predictions);

  /// The prediction of each of any rows of `columns` floats. Safe to call from
  /// several threads.
  llvm::Error predict(llvm::ArrayRef<float> values, size_t columns,
                      llvm::MutableArrayRef<float> predictions) const;

  /// The trees in XGBoost's binary form (UBJSON).
  llvm::Expected<std::string> save() const;

private:
  Booster() = default;
  static llvm::Expected<Booster>
  createEmpty(std::shared_ptr<const XGBoostLibrary> library);
  llvm::Error set(const char *name, const std::string &value);
  llvm::Error configure(const TreeOptions &options);

  std::shared_ptr<const XGBoostLibrary> library;
  XGBoostLibrary::Handle handle = nullptr;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_BOOSTER_H
