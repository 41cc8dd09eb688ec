//===- WholeCheck.h - Functions that were rewritten as a whole --*- C++ -*-===//
//
// Before tasks are cut, a function may be rewritten: other layouts, blocks of
// rows, Winograd's transforms. The trials of a task compare it with its own
// rewritten form. Whether that form is right is seen here: what became of such
// a function, inlined and scheduled, is compared with the function as it was,
// once. One that gives other results is put back, and compiled without a
// schedule. So is what became of a function of several tasks; and both are
// timed, which tells a user what the times of tasks do not. One that is slower
// than as it was is put back, too: what LLVM makes of several tasks at once, or
// of what goes from one to the next, is seen by no trial of a task either.
//
// What came out is a record. It has the hash of the function, with
// kWholeSuffix behind it, as its workload, and as its trace the hash of what
// was compared. So a search that is answered from records measures nothing, and
// compiling from records knows what is wrong, too.
//
// Read next: Space/OutlineTasks.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_WHOLECHECK_H
#define SCHEDOPT_LIB_PIPELINES_WHOLECHECK_H

#include "ModuleScript.h"
#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Support/Target.h"
#include "SchedOpt/Tuning/CandidateMeasurer.h"
#include "SchedOpt/Tuning/ProgressReporter.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace sched {

/// Whether `record` is of a function as a whole, and not of a task.
bool isWholeRecord(const Record &record);

class WholeCheck {
public:
  /// Keeps a copy of `module`, which is to be rewritten.
  WholeCheck(mlir::ModuleOp module, const Target &target);

  /// The functions that were rewritten: for applyConvolutionForms and
  /// outlineTasks.
  llvm::StringSet<> rewritten;

  /// Compares each public function that was rewritten, or calls one that was,
  /// or calls several tasks, with what became of it in `module` by `scripts`.
  /// One that is wrong is put back, marked with kLeftToDefaultAttrName, and
  /// loses its scripts, which a warning says; so is one that is slower than as
  /// it was, which a remark says, and a record of the unscheduled function. A
  /// warning says where there was no time to know. `reporter` tells how fast
  /// each of the others is. `measure` has no payload; `file` may be null.
  llvm::Error compare(mlir::ModuleOp module, std::vector<TaskScript> &scripts,
                      WorkerPool &pool, MeasureTask measure, RecordFile *file,
                      ProgressReporter &reporter);

  /// The same by what `records` know of each.
  void recall(mlir::ModuleOp module, std::vector<TaskScript> &scripts,
              const Database &records);

private:
  /// A function to compare, with what it calls, in the copy.
  struct Whole {
    mlir::func::FuncOp function;
    llvm::SmallVector<mlir::func::FuncOp> parts;
    /// Of its records.
    std::string workload, trace;
    /// Whether it, or what it calls, was rewritten before tasks were cut.
    bool isRewritten = false;
  };
  std::vector<Whole> collect(mlir::ModuleOp module,
                             llvm::ArrayRef<TaskScript> scripts);
  /// The records of `whole`, scheduled in any way or not.
  llvm::SmallVector<const Record *> query(const Database &records,
                                          const Whole &whole) const;
  /// What was measured of `whole`: of its very form, if that is known, or else,
  /// unless `isSame`, a failure of any.
  const Record *find(const Database &records, const Whole &whole,
                     bool isSame) const;
  static void warnOfUnknown(const Whole &whole, const llvm::Twine &reason);
  Record makeRecord(const Whole &whole, const MeasureResult &result) const;
  /// That the function as it was is faster than `whole`, scheduled by `trace`,
  /// if that is known.
  const Record *findUnscheduled(const Database &records, const Whole &whole,
                                llvm::StringRef trace) const;
  /// The last one of `whole`, scheduled in any way.
  const Record *findLatest(const Database &records, const Whole &whole) const;
  /// What was measured of a function.
  struct Comparison {
    /// By its tasks' scripts: of its fastest turn, where there were turns.
    MeasureResult scheduled;
    /// Of the function as it is; 0 where that is not known.
    double unscheduledS = 0;
    /// The fastest turn of the function as it is, where both took turns.
    std::optional<MeasureResult> plain;
  };
  /// Measures `whole` by `script`. None where that says nothing of its code, as
  /// when the time is over, which is warned of where it matters.
  static llvm::Expected<std::optional<Comparison>>
  measureWhole(const Whole &whole, const std::string &script, WorkerPool &pool,
               MeasureTask measure);
  /// Times the function of `measure` with `script`, by `scheduled`, and as it
  /// is, by turns, for `comparison`. That stays as it is where the function
  /// cannot be measured any more.
  static llvm::Error takeTurns(Comparison &comparison,
                               WorkerMeasurer &scheduled,
                               const std::string &script, WorkerPool &pool,
                               MeasureTask measure);
  /// Puts `whole` back as `known`, what was measured of it, says, and
  /// `records`; whether that is so.
  bool putBackAs(const Whole &whole, const Record &known,
                 const Database &records, mlir::ModuleOp module,
                 std::vector<TaskScript> &scripts);
  void putBackWrong(const Whole &whole, const Record &record,
                    mlir::ModuleOp module, std::vector<TaskScript> &scripts);
  void putBackSlow(const Whole &whole, const Record &scheduled,
                   const Record &unscheduled, mlir::ModuleOp module,
                   std::vector<TaskScript> &scripts);
  /// Puts the function of `whole` back, and what it calls: this for all that
  /// call it, or, unless `withCalled`, as copies for the function alone.
  void putBack(const Whole &whole, bool withCalled, mlir::ModuleOp module,
               std::vector<TaskScript> &scripts);

  /// Names the tasks as outlining will when it leaves alone what was put back.
  void nameAnew(mlir::ModuleOp module, std::vector<TaskScript> &scripts);

  Target target;
  mlir::OwningOpRef<mlir::ModuleOp> original;
  /// Whether any function was put back.
  bool isPutBack = false;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_WHOLECHECK_H
