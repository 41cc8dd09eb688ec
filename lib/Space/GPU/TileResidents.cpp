//===- TileResidents.cpp - Blocks that a multiprocessor holds -------------===//
//
// A sketch decides whether a multiprocessor is to hold one block more than by
// the registers that a thread is estimated to take: the assembler finds out
// whether it can do with fewer, and a kernel that spills is not run.
//
//===----------------------------------------------------------------------===//

#include "TileWriter.h"
#include "llvm/Support/MathExtras.h"

using namespace sched;

void TileWriter::residents() {
  // Where all blocks run at once, there are no more to hold.
  const int64_t blocks = llvm::divideCeil(countAll(Side::Rows), rows) *
                         llvm::divideCeil(countAll(Side::Columns), columns) *
                         countAll(Side::Batch);
  if (blocks <= target.gpu.multiprocessors)
    return constant("max_registers", 0);
  llvm::SmallVector<std::string> counts{"%one"};
  for (Axis &axis : axes)
    if (axis.side != Side::Steps)
      counts.push_back(countTiles(axis));
  compute("grid_blocks", "product", counts);
  // What blocks take of a multiprocessor, as Model/KernelFeatures.cpp counts.
  constant("eight", 8);
  constant("lanes", target.gpu.warp);
  compute("whole_warps_of_block", "ceildiv", {"%threads", "%lanes"});
  compute("block_lanes", "product", {"%whole_warps_of_block", "%lanes"});
  compute("register_pieces", "ceildiv", {"%registers", "%eight"});
  compute("rounded_registers", "product",
          {"%register_pieces", "%eight", "%block_lanes"});
  compute("resident", "floordiv", {"%all_registers", "%rounded_registers"});
  compute("more", "sum", {"%resident", "%one"});
  compute("lanes_of_more", "product", {"%more", "%block_lanes"});
  compute("pieces_of_more", "product", {"%lanes_of_more", "%eight"});
  compute("pieces_left", "floordiv", {"%all_registers", "%pieces_of_more"});
  compute("registers_left", "product", {"%pieces_left", "%eight"});
  decide("more_blocks", {0, 1}, 0);
  line("%as_many = schedule.cmp eq %more_blocks, %zero");
  auto require = [&](llvm::StringRef name, llvm::StringRef left,
                     llvm::StringRef right, llvm::StringRef reason) {
    line("%" + name + "_fits = schedule.cmp le %" + left + ", %" + right);
    line("%" + name + "_or_as_many = schedule.or %as_many, %" + name + "_fits");
    line("schedule.require \"" + reason + "\" %" + name + "_or_as_many");
  };
  constant("four", 4);
  constant("five", 5);
  compute("least_of_five", "product", {"%registers", "%four"});
  compute("left_of_five", "product", {"%registers_left", "%five"});
  require("fewer_registers", "least_of_five", "left_of_five",
          "a thread makes do with four fifths of its registers");
  constant("multiprocessors", target.gpu.multiprocessors);
  compute("of_wave", "product", {"%more", "%multiprocessors"});
  require("of_wave", "of_wave", "grid_blocks",
          "there are blocks for one block more");
  constant("most_blocks", target.gpu.maxBlocks);
  require("blocks_of_more", "more", "most_blocks",
          "a multiprocessor holds one block more");
  constant("all_lanes", target.gpu.maxThreads);
  require("lanes_of_more", "lanes_of_more", "all_lanes",
          "a multiprocessor has the threads of one block more");
  constant("shared_of_each", 1024);
  constant("all_shared", target.gpu.sharedBytes);
  compute("shared_taken", "sum", {"%shared", "%shared_of_each"});
  compute("shared_of_more", "product", {"%shared_taken", "%more"});
  require("shared_of_more", "shared_of_more", "all_shared",
          "a multiprocessor has the shared memory of one block more");
  line("%max_registers = schedule.select %more_blocks, %registers_left, %zero");
}
