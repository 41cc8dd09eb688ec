//===- Effort.h - Options for how long a search may take --------*- C++ -*-===//
//
// `effort` stands for values of the options `trials`, `batch`, `repeats`,
// `min-repeat-ms` and `early-stop`, of which those that are given win.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_EFFORT_H
#define SCHEDOPT_LIB_PIPELINES_EFFORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sched {

struct Effort {
  unsigned trials, batch, repeats;
  double minRepeatMs;
  unsigned earlyStop;

  /// An error says which names there are.
  static llvm::Expected<Effort> parse(llvm::StringRef name);
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_EFFORT_H
