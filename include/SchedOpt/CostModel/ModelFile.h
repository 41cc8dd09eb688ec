//===- ModelFile.h - A learned model as a file ------------------*- C++ -*-===//
//
// One line of JSON that says what the trees are for, then the trees, in
// XGBoost's binary form, one booster after another:
//
//   {"format":"sched-opt cost model","v":1,
//    "features":1, "block_features":1, "columns":["BlockPoints", ...],
//    "objective":"pack-sum", "xgboost":"1.7.4",
//    "scale":0.4,                         of scores (XGBoostModel.h)
//    "tasks":40, "candidates":2100,       what it has learned from
//    "kinds":["x86_64, ...", ...],        of which kinds (TaskKind.h)
//    "scores":[51200, ...],               bytes of each booster of scores
//    "failures":[12800]}                  and of failures; there may be none
//
// A file of other features than this program's is refused, as columns would be
// taken for what they are not. Read next: XGBoostModel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_MODELFILE_H
#define SCHEDOPT_COSTMODEL_MODELFILE_H

#include "SchedOpt/CostModel/Objective.h"
#include "SchedOpt/CostModel/XGBoostLibrary.h"

namespace sched {

struct ModelFile {
  /// What errors call it; "" for one that was not read.
  std::string name;
  ObjectiveKind objective = ObjectiveKind::PackSum;
  /// That wrote the trees.
  XGBoostVersion version;
  /// What scores are multiplied by, in (0, 1].
  double scale = 1;
  /// What they were learned from.
  size_t numTasks = 0, numCandidates = 0;
  /// Kinds of tasks among these, sorted.
  std::vector<std::string> kinds;
  /// Boosters, as Booster::save gives them.
  std::vector<std::string> scores, failures;

  /// The file's bytes.
  std::string str() const;

  /// The inverse. `name` stands for the bytes in errors: where they are no
  /// model, are cut off, are of other features than this program's, or of a
  /// later XGBoost than `library`.
  static llvm::Expected<ModelFile> parse(llvm::StringRef bytes,
                                         llvm::StringRef name,
                                         const XGBoostVersion &library);

  /// Writes the file under another name and renames it: there is never half a
  /// model at `path`.
  llvm::Error write(llvm::StringRef path) const;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_MODELFILE_H
