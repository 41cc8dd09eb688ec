//===- Places.h - Arguments that are places in a tensor ---------*- C++ -*-===//
//
// A look-up reads where an argument says, as the rows of an embedding: its
// elements have to be places that are there.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_COMMON_PLACES_H
#define SCHEDOPT_TOOLS_COMMON_PLACES_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// Fills in `below` of `specs`, which are those of the arguments of `function`:
/// the least extent that an argument of whole numbers is a place in. Follows
/// the places that ops of the module read and write at backwards, through the
/// bodies of linalg ops, loops and calls. Arithmetic on the way is taken for
/// what brings other numbers into the range.
void findPlaces(mlir::func::FuncOp function,
                llvm::MutableArrayRef<TensorSpec> specs);

} // namespace sched

#endif // SCHEDOPT_TOOLS_COMMON_PLACES_H
