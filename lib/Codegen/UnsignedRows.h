//===- UnsignedRows.h - Signed bytes that are copied anyway -----*- C++ -*-===//
//
// x86 multiplies unsigned bytes by signed ones. Signed rows become unsigned by
// adding 128, an instruction for each group of each row that a tile reads, or,
// where they are read from a buffer that the function fills itself, such as a
// copied block or a padded image, once where that is filled: LowerCopies.cpp
// makes vectors of such a copy. For LowerDotProducts.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_UNSIGNEDROWS_H
#define SCHEDOPT_LIB_CODEGEN_UNSIGNEDROWS_H

#include "NarrowContraction.h"
#include "llvm/ADT/DenseSet.h"

namespace sched {

/// Lets buffers hold bytes that are 128 larger, which are read by these
/// products alone, as their left-hand sides. Returns the products that read
/// such bytes now; what they compute is wrong until they are written so.
llvm::DenseSet<mlir::Operation *>
makeRowsUnsigned(llvm::ArrayRef<NarrowContraction> products);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_UNSIGNEDROWS_H
