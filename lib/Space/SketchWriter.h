//===- SketchWriter.h - Pieces that sketches are written from ---*- C++ -*-===//
//
// The decisions and actions that the contraction sketches share. Which sizes a
// decision offers, and its default, come from the target's parameters:
// registers and vector width bound the register tile, L2 the cache block (Low
// et al. 2016, section 4).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SKETCHWRITER_H
#define SCHEDOPT_LIB_SPACE_SKETCHWRITER_H

#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace sched {

class SketchWriter {
public:
  /// `packed`: the right-hand side is read from panels.
  SketchWriter(const Task &task, const Target &target, bool packed);

  /// \name Sections, in the order of a sketch
  /// @{
  void begin(llvm::StringRef name);
  /// Register tile: %mr, %nr (columns), %nu (columns or panels), %ku, and the
  /// requirements that keep the accumulators in registers.
  void registerTile();
  /// Names the blocks, and packs if asked to.
  void blocks();
  /// %t threads over one of the result's dimensions.
  void parallel();
  /// Loops over cache blocks %mc x %nc around `root`.
  void cacheBlocks();
  /// Splits the reduction into blocks of %kc.
  void reductionBlocks();
  /// Copies the left-hand side's block into a buffer, if decided so.
  void cacheLhs();
  /// Register tiles; with `fuse`, init and epilogue are computed in registers.
  void registerTiles(bool fuse);
  /// The unrolled reduction inside of a register tile.
  void unrollReduction();
  /// Tiles init and epilogues that were left outside of the register tile.
  void tileOutside();
  std::string end();
  /// @}

private:
  bool hasEpilogue() const { return epilogues > 0; }
  void tileRows(llvm::StringRef block);
  void line(const llvm::Twine &text);
  void decide(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
              int64_t defaultValue);
  void constant(llvm::StringRef name, int64_t value);
  std::string fuseList() const;
  std::string root() const { return hasEpilogue() ? "epilogue" : "anchor"; }
  unsigned rootRank() const;
  unsigned anchorRank() const { return packed ? 4 : 3; }

  const Task &task;
  const Target &target;
  bool packed, init = false;
  unsigned epilogues = 0;
  int64_t m, n, k, lanes;
  std::string text;
};

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SKETCHWRITER_H
