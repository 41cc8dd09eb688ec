//===- Winograd.h - Convolutions of 3x3 taps by tiles -----------*- C++ -*-===//
//
// A payload rewriting, linalg to linalg, before tasks are cut: a convolution
// with 3x3 taps, stride 1 and weights that are known beforehand becomes a
// transform of the image, a batch of products, and a transform of their
// results (S. Winograd 1980; A. Lavin, S. Gray, "Fast Algorithms for
// Convolutional Neural Networks", 2016, section 4). The products are a task;
// the transforms only move and add, and are written as vectors at once.
//
// Read next: TaskExtraction.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_WINOGRAD_H
#define SCHEDOPT_SPACE_WINOGRAD_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>

namespace sched {
struct Target;

/// The convolutions of `module` that can be rewritten, in program order: named
/// ops and generics of f32 with 3x3 taps, strides and dilations 1, images and
/// results in one of the layouts NHWC and NCHW, channels in whole vectors of
/// the target or halves of one, and weights, in any order of dimensions, that
/// are a constant or an argument of a public function whose layout is free
/// (`schedule.layout_free`).
llvm::SmallVector<mlir::linalg::LinalgOp>
collectWinogradConvolutions(mlir::ModuleOp module, const Target &target);

/// Whether `tile` x `tile` results at a time can be computed: 2 or 4.
bool isWinogradTile(int64_t tile);

/// Tiles of the image that `convolution` has, those that stick out included:
/// the rows of each product.
int64_t countWinogradTiles(mlir::linalg::LinalgOp convolution, int64_t tile);

/// The tile that is tried, or taken without a measurement, for `convolution`;
/// 0: it is computed directly. docs/Rationale.md has the figures behind it.
int64_t suggestWinogradTile(mlir::linalg::LinalgOp convolution);

/// Rewrites the convolutions of `module`, tiles[i] for the i-th in program
/// order; 0 leaves one as it is, and the last tile serves all that are left.
/// What fuses with a result (elementwise ops that nothing else stands between)
/// becomes part of the last transform, a pad of zeros in front part of the
/// first. Of NCHW, image and result are transposed, as ChannelsLast.h does it.
/// The names of the functions that were rewritten.
llvm::StringSet<> applyWinograd(mlir::ModuleOp module,
                                llvm::ArrayRef<int64_t> tiles,
                                const Target &target);

} // namespace sched

#endif // SCHEDOPT_SPACE_WINOGRAD_H
