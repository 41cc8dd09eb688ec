//===- MeasuredRecord.h - A result as a record ------------------*- C++ -*-===//
//
// Where Measure's results meet the Database: what every record of a measurement
// takes from its result.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_MEASUREDRECORD_H
#define SCHEDOPT_TUNING_MEASUREDRECORD_H

#include "SchedOpt/Database/Record.h"
#include "SchedOpt/Measure/MeasureResult.h"

namespace sched {

/// A record of now with costs, failure and times of `result`. It has no key yet
/// (workload, target, toolchain), nor sketch and trace.
Record makeMeasuredRecord(const MeasureResult &result);

} // namespace sched

#endif // SCHEDOPT_TUNING_MEASUREDRECORD_H
