//===- Effort.h - Options for how long a search may take --------*- C++ -*-===//
//
// `effort` stands for values of the options `trials`, `batch`, `repeats`,
// `min-repeat-ms`, `early-stop` and `plateau`, of which those that are given
// win.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_EFFORT_H
#define SCHEDOPT_LIB_PIPELINES_EFFORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sched {

struct Effort {
  unsigned trials, batch, repeats;
  /// On a CPU, and on a GPU, whose clock takes a while to settle.
  double minRepeatMs, deviceRepeatMs;
  unsigned earlyStop;
  /// And where `trials` are given: whoever says only how many wants that many.
  double plateau, plateauOfGiven;
  /// Of all efforts: two repeats of a trial that are this near each other are
  /// enough. The model learns no more from a third one, and whoever may win is
  /// compared again.
  static constexpr double kAgreement = 0.01;
  /// The same on a CPU, where they are moments apart.
  static constexpr double kTurnAgreement = 0.03;

  double getMinRepeatMs(bool isDevice) const {
    return isDevice ? deviceRepeatMs : minRepeatMs;
  }

  double getPlateau(bool hasTrials) const {
    return hasTrials ? plateauOfGiven : plateau;
  }

  /// An error says which names there are.
  static llvm::Expected<Effort> parse(llvm::StringRef name);
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_EFFORT_H
