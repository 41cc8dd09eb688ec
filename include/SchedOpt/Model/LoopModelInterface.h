//===- LoopModelInterface.h - What an op does to the model ------*- C++ -*-===//
//
// Generated from LoopModelInterface.td, which says what it is for.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_LOOPMODELINTERFACE_H
#define SCHEDOPT_MODEL_LOOPMODELINTERFACE_H

#include "SchedOpt/Model/ModelState.h"
#include "mlir/IR/OpDefinition.h"

#include "SchedOpt/Model/LoopModelInterface.h.inc"

#endif // SCHEDOPT_MODEL_LOOPMODELINTERFACE_H
