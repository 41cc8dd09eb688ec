//===- Onednn.h - oneDNN's primitives as contenders -------------*- C++ -*-===//
//
// oneDNN's interface needs its headers, so what calls it is a shared object of
// its own, OpBenchOnednn, built where CMake finds them and loaded at run time
// in the contender's process like the other libraries.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_ONEDNN_H
#define SCHEDOPT_BENCHMARKS_ONEDNN_H

#include "Contender.h"
#include "Operator.h"

namespace sched::bench {

enum class Layouts {
  /// Data as the operator has it; weights in oneDNN's own layout where the
  /// operator leaves it free, else as the operator has them.
  Plain,
  /// Data and weights in oneDNN's own layouts; brought there, and back, outside
  /// of the timed calls.
  Blocked,
};

/// `folder`: where OpBenchOnednn.so is. Fails where oneDNN is not installed or
/// has no such operator.
Setup onednnPrimitive(const Operator &op, Layouts layouts, std::string folder);

/// Whether `Layouts::Blocked` is another contender than `Layouts::Plain`.
bool hasBlockedForm(const Operator &op);

/// The one function of OpBenchOnednn.so: false, with `error`, on failure.
using OnednnSetup = bool (*)(const Operator &op, Layouts layouts, Work &work,
                             std::string &error);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_ONEDNN_H
