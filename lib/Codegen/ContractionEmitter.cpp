//===- ContractionEmitter.cpp - Products of tiles by a block --------------===//

#include "ContractionEmitter.h"

using namespace mlir;
using namespace sched;

LogicalResult sched::emitContraction(const ContractionNest &nest,
                                     KernelState &state,
                                     ElementReader &reader) {
  return nest.shape.op.emitError("a kernel cannot multiply tiles yet");
}
