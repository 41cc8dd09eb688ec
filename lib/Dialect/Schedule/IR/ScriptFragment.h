//===- ScriptFragment.h - Upstream transform ops from text ------*- C++ -*-===//
//
// Actions expand to many upstream ops; written as text they read like the
// script that comes out. A fragment is the body of a named sequence over the
// handle %func; it is parsed and inlined in place of the action.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_DIALECT_SCHEDULE_IR_SCRIPTFRAGMENT_H
#define SCHEDOPT_LIB_DIALECT_SCHEDULE_IR_SCRIPTFRAGMENT_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::schedule {

class ScriptFragment {
public:
  /// Appends one line.
  ScriptFragment &line(const llvm::Twine &text);
  /// A fresh SSA name, `%` included.
  std::string name();

  /// \name Recurring pieces; each returns the name of the handle it makes.
  /// @{
  std::string matchBlock(llvm::StringRef block, llvm::StringRef in = "%func");
  void annotate(llvm::StringRef handle, llvm::StringRef block,
                llvm::StringRef type = "!transform.any_op");
  /// Splits a handle into `count` handles.
  llvm::SmallVector<std::string> split(llvm::StringRef handle, unsigned count);
  /// Peels every loop of the handle that has a remainder.
  void peel(llvm::StringRef loops);
  /// Canonicalises tiled code, so that sizes become static.
  void cleanup();
  /// The same, but equal ops stay apart.
  void foldTiles(llvm::StringRef function);
  void canonicalize(llvm::StringRef function);
  /// Tiles `handle`; with `fuse`, producers follow. Returns the loop handles.
  llvm::SmallVector<std::string> tile(llvm::StringRef handle, bool fuse,
                                      llvm::ArrayRef<int64_t> sizes,
                                      llvm::ArrayRef<int64_t> interchange);
  /// Computes the slices of `producer` that `loop` reads inside of it. An empty
  /// handle does nothing. Returns the loop's new handle.
  std::string fuseInto(llvm::StringRef producer, llvm::StringRef loop);
  /// Puts `op` into a parallel loop of a single trip, which canonicalisation
  /// folds away: until then, what indexes with `dims` reads slices, and
  /// patterns find no producer of them.
  void shield(const llvm::Twine &op, llvm::ArrayRef<int64_t> dims);
  /// @}

  /// Parses the fragment and inlines it before `action` with %func mapped to
  /// `target`. Returns the first result of its last op, null without any.
  FailureOr<Value> inlineAt(RewriterBase &rewriter, Operation *action,
                            Value target) const;
  /// Inlines a fragment that consumed %func; the function's new handle is
  /// `function`, and replaces the result of `action`.
  LogicalResult inlineWithResult(RewriterBase &rewriter, Operation *action,
                                 Value target, llvm::StringRef function);

private:
  std::string body;
  unsigned counter = 0;
};

/// "[1, 2]"
std::string printList(llvm::ArrayRef<int64_t> values);

} // namespace mlir::schedule

#endif // SCHEDOPT_LIB_DIALECT_SCHEDULE_IR_SCRIPTFRAGMENT_H
