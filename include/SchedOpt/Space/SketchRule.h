//===- SketchRule.h - How sketches of a task are made -----------*- C++ -*-===//
//
// A rule looks at a task and writes sketches for it, as text of the `schedule`
// dialect: what a rule writes is what a user would write by hand. One rule a
// file; SketchRules.cpp lists them in order. The default decisions of the first
// sketch are candidate 0.
//
// Read next: SketchWriter.h (the pieces), SpaceGenerator.h (who calls).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_SKETCHRULE_H
#define SCHEDOPT_SPACE_SKETCHRULE_H

#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace sched {

class SketchRule {
public:
  virtual ~SketchRule() = default;
  /// Name of the rule and of its sketch.
  virtual llvm::StringRef getName() const = 0;
  /// Whether the rule has a sketch for the task on the target.
  virtual bool applies(const Task &task, const Target &target) const = 0;
  /// How promising the default of the sketch is; the highest comes first.
  virtual int getPriority(const Task &task, const Target &target) const = 0;
  /// The `schedule.sketch` op as text.
  virtual std::string write(const Task &task, const Target &target) const = 0;
};

/// The built-in rules.
std::vector<std::unique_ptr<SketchRule>> createSketchRules();

} // namespace sched

#endif // SCHEDOPT_SPACE_SKETCHRULE_H
