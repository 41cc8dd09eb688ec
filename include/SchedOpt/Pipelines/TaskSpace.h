//===- TaskSpace.h - A task with its search space ---------------*- C++ -*-===//
//
// Pipelines: the top layer, where IR, search and measuring meet. May use
// everything. A TaskSpace holds the sketches of one task as IR and as compiled
// programs, and turns a candidate into a transform script and a trace and back.
//
// Read next: AutoSchedule.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_PIPELINES_TASKSPACE_H
#define SCHEDOPT_PIPELINES_TASKSPACE_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Dialect/Schedule/IR/Trace.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Search/ProgramView.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Tuning/SearchTask.h"
#include <memory>

namespace sched {

class TaskSpace {
public:
  /// Generates and compiles the sketches of `task`, which must outlive the
  /// result. Those of a copy of `given` instead, if there is one. Null where no
  /// rule has a sketch for it; an error where a sketch does not compile. One of
  /// `given` that does not is left out with a warning if others remain. A
  /// remark at a sketch with ops that have no loop model. A sketch with
  /// alternatives is compiled once for each combination of them.
  static llvm::Expected<std::unique_ptr<TaskSpace>>
  create(const Task &task, const Target &target,
         mlir::schedule::SpaceOp given = {});

  const Task &getTask() const { return task; }
  unsigned getNumSketches() const { return sketches.size(); }
  const Program &getProgram(unsigned sketch) const { return *programs[sketch]; }
  mlir::schedule::SketchOp getSketch(unsigned sketch) const {
    return sketches[sketch].op;
  }

  /// What the tuner needs; refers to this object.
  SearchTask makeSearchTask() const;

  /// The candidate's decisions.
  mlir::schedule::Trace getTrace(const Candidate &candidate) const;
  /// The inverse; nullopt where the trace is not of this space.
  std::optional<Candidate>
  getCandidate(const mlir::schedule::Trace &trace) const;
  /// The candidate of a record: the same for the trace's text, where the space
  /// has the very sketch that `sketchHash` names.
  std::optional<Candidate> findRecorded(llvm::StringRef sketchHash,
                                        llvm::StringRef text) const;
  /// Why `findRecorded` has none: the first step of the trace that fails.
  std::string explainMisfit(llvm::StringRef sketchHash,
                            llvm::StringRef text) const;
  /// The candidate of the sketch of that name that is most like the trace of
  /// another shape or target: each decision the nearest there is, the default
  /// where none is like it. It need not be legal; nullopt where there is no
  /// such sketch.
  std::optional<Candidate> adapt(llvm::StringRef text) const;
  /// The script module of a candidate, for the task's own function.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  makeScript(const Candidate &candidate) const;

  /// The target's key in records; `threads` is part of it.
  static std::string getTargetKey(const Target &target);
  /// The compiler's in records.
  static std::string getToolchain();

private:
  /// A sketch with its alternatives taken.
  struct Sketch {
    mlir::schedule::SketchOp op;
    Alternatives alternatives;
  };

  /// Fills `module`; whether there is a sketch.
  llvm::Expected<bool> makeSketches(mlir::schedule::SpaceOp given);
  mlir::LogicalResult compile(mlir::schedule::SketchOp sketch);
  /// For people: the sketch's, and the alternatives that are taken.
  std::string getSketchName(unsigned sketch) const;
  /// The candidate of sketch number `sketch` with the decisions of `trace`.
  std::optional<Candidate>
  getCandidate(unsigned sketch, const mlir::schedule::Trace &trace) const;

  TaskSpace(const Task &task, const Target &target)
      : task(task), target(target) {}

  const Task &task;
  Target target;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Sketch> sketches;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<std::unique_ptr<SketchView>> views;
  /// Whether the code of each candidate can be read
  /// (lib/Pipelines/ScriptView.h).
  static bool isSmall(const Program &program);

  /// The ops without a loop model, by sketch.
  std::vector<
      std::pair<mlir::schedule::SketchOp, llvm::SmallVector<mlir::Operation *>>>
      unmodelled;
  /// Name the sketches in records: change whenever their texts do.
  std::vector<std::string> hashes;
};

} // namespace sched

#endif // SCHEDOPT_PIPELINES_TASKSPACE_H
