//===- ScheduleBlocks.h - Names of blocks in the payload --------*- C++ -*-===//
//
// A block is a payload op with a name. Actions find blocks by it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEBLOCKS_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEBLOCKS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::schedule {

/// Name of the attribute that identifies a block in the payload.
constexpr llvm::StringLiteral kBlockAttrName = "schedule.block";

/// Block that `pack_rhs` adds: it fills the panels.
constexpr llvm::StringLiteral kPackBlock = "pack";

/// Its name where it waits for a place inside of the contraction's loops.
constexpr llvm::StringLiteral kLatePackBlock = "late_pack";

/// Prefix of what `schedule.defer` lets wait.
constexpr llvm::StringLiteral kLatePrefix = "late_";

/// Rows of a panel that one vector transpose fills.
constexpr int64_t kPackRows = 8;

/// The same where panels have groups of `group` steps side by side; in groups.
constexpr int64_t getPackedRows(int64_t group) {
  return group > 1 ? 2 : kPackRows;
}

/// Name of the block that `schedule.pack_lhs` adds.
constexpr llvm::StringLiteral kPackLhsBlock = "pack_lhs";

/// Prefix of the blocks that `pack_rhs` and `split_reduction` cut off.
constexpr llvm::StringLiteral kTailPrefix = "tail_";

/// Prefixes of the blocks that `split_reduction` makes: what its tail leaves,
/// what the partial results start from, and what combines them.
constexpr llvm::StringLiteral kRestPrefix = "rest_";
constexpr llvm::StringLiteral kPartialPrefix = "partial_";
constexpr llvm::StringLiteral kCombinePrefix = "combine_";

/// Prefixes of the blocks that `share_reduction` makes: what threads cannot
/// share evenly, what their results start from, and what joins those.
constexpr llvm::StringLiteral kLeftPrefix = "left_";
constexpr llvm::StringLiteral kStartPrefix = "start_";
constexpr llvm::StringLiteral kJoinPrefix = "join_";

/// Attribute of a function's argument: its layout in memory is ours to choose.
constexpr llvm::StringLiteral kLayoutFreeAttrName = "schedule.layout_free";

/// Attribute of an argument of a task's function, which its caller pads with
/// zeros: of each dimension, how many come before the image and how many behind
/// it.
constexpr llvm::StringLiteral kBorderAttrName = "schedule.border";

/// Attribute of such an argument that has pixels of an image side by side for
/// each tap of a window, and of the op that puts them there: the dimension of
/// the taps, behind which are the pixels; how far apart in the image pixels
/// are, and taps; and how many pixels a line of the image has. Zeros along the
/// pixels are those of the line.
constexpr llvm::StringLiteral kTapRowsAttrName = "schedule.tap_rows";

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEBLOCKS_H
