//===- ImageColumns.h - Convolutions as products of matrices ----*- C++ -*-===//
//
// A payload rewriting, linalg to linalg, before tasks are cut: a convolution
// becomes a copy of the image with the windows of all pixels (its columns,
// "im2col") and a product of matrices, whose rows are all pixels at once. Copy
// and product are one task, whose sketches decide whether all columns are made
// first or slices of them where they are used.
//
// Read next: TaskExtraction.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_IMAGECOLUMNS_H
#define SCHEDOPT_SPACE_IMAGECOLUMNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace sched {

/// The convolutions of `module` that can be rewritten, in program order: static
/// named ops and generics with two dimensions of pixels, images and results in
/// one of the layouts NHWC and NCHW, and more than one tap.
llvm::SmallVector<mlir::linalg::LinalgOp>
collectColumnConvolutions(mlir::ModuleOp module);

/// Rewrites those of them whose place in `which` is 1, not 0, with the
/// elementwise ops that follow; the last place serves all that are left. Of
/// NCHW, image and result are transposed, as ChannelsLast.h does it. The names
/// of the functions that were rewritten.
llvm::StringSet<> applyImageColumns(mlir::ModuleOp module,
                                    llvm::ArrayRef<int64_t> which);

} // namespace sched

#endif // SCHEDOPT_SPACE_IMAGECOLUMNS_H
