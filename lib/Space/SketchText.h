//===- SketchText.h - Lines of a sketch -------------------------*- C++ -*-===//
//
// What all writers of sketches need: a line, a decision, a constant, the
// function's blocks by their names.
//
// Read next: SketchWriter.h (contractions), StageWriter.h (the rest).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SKETCHTEXT_H
#define SCHEDOPT_LIB_SPACE_SKETCHTEXT_H

#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace sched {

class SketchText {
protected:
  SketchText(const Task &task, const Target &target)
      : task(task), target(target) {}

  void line(const llvm::Twine &text);
  /// `%name`: a categorical decision.
  void decide(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
              int64_t defaultValue);
  void constant(llvm::StringRef name, int64_t value);
  /// `%name`: the task's function.
  void matchFunction(llvm::StringRef name);
  /// Fuses elementwise chains where that helps; returns the handle of the
  /// function after that, which was `%func`.
  std::string fuseElementwise();
  /// Matches the function, takes softmax apart into the ops by which a task
  /// knows it if asked to, fuses elementwise chains, and names the blocks, ""
  /// for one without a name; returns the handle of the function after that.
  std::string beginBlocks(llvm::ArrayRef<std::string> names,
                          bool splitsSoftmax);

  const Task &task;
  const Target &target;
  std::string text;
};

/// Values of the decision %tails: what a vector is not filled by is computed in
/// its own size, or in a whole vector, whose surplus lanes are left out at each
/// access or padded in a copy.
inline constexpr int64_t kPeeledTails = 0, kMaskedTails = 1, kPaddedTails = 2;

/// "[1, 2]"
std::string printList(llvm::ArrayRef<int64_t> values);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SKETCHTEXT_H
