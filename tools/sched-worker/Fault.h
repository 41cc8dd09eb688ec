//===- Fault.h - Misbehaviour on request ------------------------*- C++ -*-===//
//
// The tuner's tests have to see what real kernels and compilers do at their
// worst. A request's "fault" field asks the worker for it, at a fixed point of
// its work. The tuner itself never sets the field.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_FAULT_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_FAULT_H

#include "llvm/ADT/StringRef.h"

namespace sched::worker {

/// crash: writes through a null pointer. hang: never returns. memory: takes
/// memory until there is none. exit: leaves with status 3 after a last word.
/// Anything else: nothing.
void misbehave(llvm::StringRef fault);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_FAULT_H
