//===- FindWorker.h - Where sched-worker is ---------------------*- C++ -*-===//
//
// This code is part of an executable, or of a plugin that some other tool has
// loaded. Looked at are, in this order: beside the executable, beside the
// shared object that holds this code, `bin` beside or above either directory,
// and PATH.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MEASURE_FINDWORKER_H
#define SCHEDOPT_LIB_MEASURE_FINDWORKER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched {

/// Names the worker in place of the search.
constexpr char kWorkerVariable[] = "SCHED_WORKER";

/// `given`, or else what `kWorkerVariable` names, or else the one found. Fails
/// where that is no program; the error lists the places.
llvm::Expected<std::string> findWorker(llvm::StringRef given);

} // namespace sched

#endif // SCHEDOPT_LIB_MEASURE_FINDWORKER_H
