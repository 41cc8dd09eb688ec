//===- Trace.h - A schedule as the values of its decisions ------*- C++ -*-===//
//
// A trace as a plain value, apart from the op `schedule.trace`: what search and
// records handle. Its text is the op's assembly on one line.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_TRACE_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_TRACE_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::schedule {

/// A sketch's name and its decisions, in the sketch's order.
struct Trace {
  struct Decision {
    std::string name;
    llvm::SmallVector<int64_t, 4> values;

    bool operator==(const Decision &other) const {
      return name == other.name && values == other.values;
    }
  };
  std::string sketch;
  std::vector<Decision> decisions;

  bool operator==(const Trace &other) const {
    return sketch == other.sketch && decisions == other.decisions;
  }
  /// The decision of that name, null without one.
  const Decision *find(llvm::StringRef name) const;
};

/// The trace as one line: `schedule.trace of @s decisions {mr = 6, i = [4,
/// 2]}`.
std::string printTrace(const Trace &trace);

/// Reads what `printTrace` writes. An error says what was expected, and where.
llvm::Expected<Trace> parseTrace(llvm::StringRef text);

/// The decisions `mr = 6, i = [4, 2]`, as in the text of a trace.
std::string printDecisions(llvm::ArrayRef<Trace::Decision> decisions);

/// \name To and from the IR
/// @{
Trace getTrace(TraceOp op);
TraceOp createTrace(OpBuilder &builder, Location loc, const Trace &trace);

/// The decisions of a decided sketch; those in alternatives that were not
/// chosen are left out. An error at the first one that is not decided.
FailureOr<Trace> getTrace(SketchOp sketch);

/// Fills in the decisions of `sketch`, in place of any it had. Errors at `loc`:
/// a decision that the sketch does not have, one that the trace lacks, a value
/// outside of its domain, and a requirement that is not met.
LogicalResult applyTrace(SketchOp sketch, const Trace &trace, Location loc);
/// @}

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_TRACE_H
