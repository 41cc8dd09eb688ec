//===- SubsetModels.h - Parts of tensors are told apart fast ----*- C++ -*-===//
//
// Upstream compares the parts of a tensor that vectors and slices read and
// write by systems of constraints, even where all of their places are constant.
// Of a tile of many rows, hoisting and the analysis before bufferization
// compare each part with each. Models of the same interface that compare
// constants as such, and leave the rest to upstream, say the same in a fraction
// of the time. In one case they say less: vectors that have their elements in
// another order are of equivalent parts for upstream, and would be carried in
// each other's place.
//
// Read next: Bufferize.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_SUBSETMODELS_H
#define SCHEDOPT_LIB_CODEGEN_SUBSETMODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace sched {

/// Registers the models of vector transfers and of slices. Of two models of an
/// op, MLIR keeps the one that is registered first: call it before upstream's
/// are.
void registerSubsetModels(mlir::DialectRegistry &registry);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_SUBSETMODELS_H
