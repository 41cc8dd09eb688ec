//===- PayloadFile.h - What the records of a workload are of ----*- C++ -*-===//
//
// Records name a workload by its hash. What it computes is kept beside them,
// once, as `workloads/HASH.mlir` of the work directory: with that, all that is
// known of a candidate can be computed again from its record, such as features
// that were not thought of when it was measured. Here it is text.
//
// Read next: Pipelines/TrainingSet.h, which reads it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DATABASE_PAYLOADFILE_H
#define SCHEDOPT_DATABASE_PAYLOADFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched {

/// Where the payload of `workload` is kept in `workDir`.
std::string getPayloadPath(llvm::StringRef workDir, llvm::StringRef workload);

/// Keeps `text` there, unless there is a file: the hash says what is in it.
/// Whoever reads meanwhile, or stores the same, sees all of it or nothing.
llvm::Error storePayload(llvm::StringRef workDir, llvm::StringRef workload,
                         llvm::StringRef text);

} // namespace sched

#endif // SCHEDOPT_DATABASE_PAYLOADFILE_H
