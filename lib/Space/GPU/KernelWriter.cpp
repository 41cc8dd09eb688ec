//===- KernelWriter.cpp - Pieces that sketches for GPUs have --------------===//

#include "KernelWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

llvm::SmallVector<int64_t> sched::listPowers(int64_t first, int64_t last,
                                             int64_t extent) {
  llvm::SmallVector<int64_t> values;
  for (int64_t i = first; i <= last; i *= 2) {
    values.push_back(i);
    if (i >= extent)
      break;
  }
  return values;
}

llvm::SmallVector<int64_t> sched::listTiles(int64_t extent, int64_t most) {
  llvm::SmallVector<int64_t> values;
  for (int64_t i = 1; i <= std::min(extent, most); ++i)
    if (llvm::isPowerOf2_64(i) || extent % i == 0)
      values.push_back(i);
  return values;
}

llvm::SmallVector<int64_t> sched::listVectors(int64_t bytes, int64_t extent) {
  constexpr int64_t kWidest = 16;
  llvm::SmallVector<int64_t> values{1};
  for (int64_t i = 2; i * bytes <= kWidest && extent % i == 0; i *= 2)
    values.push_back(i);
  return values;
}

int64_t sched::pickAtMost(llvm::ArrayRef<int64_t> values, int64_t wanted) {
  int64_t best = values.front();
  for (int64_t value : values)
    if (value <= wanted)
      best = value;
  return best;
}

int64_t sched::countElementBytes(mlir::Type type) {
  return std::max(1u, (type.getIntOrFloatBitWidth() + 7) / 8);
}

bool sched::hasGrid(llvm::ArrayRef<int64_t> extents) {
  return llvm::any_of(extents, [](int64_t extent) { return extent > 1; });
}

KernelWriter::KernelWriter(const Task &task, const Target &target)
    : SketchText(task, target) {
  const TaskBlocks &blocks = task.blocks;
  const unsigned epilogues = llvm::count(blocks.roles, BlockRole::Epilogue);
  unsigned seen = 0, inits = 0, stages = 0, producers = 0, others = 0;
  for (auto [i, role] : llvm::enumerate(blocks.roles)) {
    switch (role) {
    case BlockRole::Root:
      root = i;
      names.push_back("root");
      break;
    case BlockRole::Init:
      names.push_back("init" + std::to_string(inits++));
      break;
    case BlockRole::Stage:
      names.push_back("stage" + std::to_string(stages++));
      break;
    case BlockRole::Anchor:
      anchor = i;
      if (epilogues == 0)
        root = i;
      names.push_back("anchor");
      break;
    case BlockRole::Epilogue:
      // The last of a chain is the root of the fusion.
      if (++seen == epilogues)
        root = i;
      names.push_back(seen == epilogues ? "epilogue"
                                        : "chain" + std::to_string(seen - 1));
      break;
    case BlockRole::Producer:
      names.push_back("producer" + std::to_string(producers++));
      break;
    case BlockRole::Other:
      names.push_back("other" + std::to_string(others++));
      break;
    }
  }
}

bool KernelWriter::hasEpilogue() const {
  return llvm::is_contained(task.blocks.roles, BlockRole::Epilogue);
}

void KernelWriter::begin(llvm::StringRef name) {
  text +=
      ("schedule.sketch @" + name + " (%root: !transform.any_op) {\n").str();
  constant("zero", 0);
  constant("one", 1);
}

void KernelWriter::compute(llvm::StringRef name, llvm::StringRef op,
                           llvm::ArrayRef<std::string> operands) {
  line("%" + name + " = schedule." + op + " " + llvm::join(operands, ", "));
}

void KernelWriter::require(llvm::StringRef condition, llvm::StringRef predicate,
                           llvm::StringRef left, llvm::StringRef right,
                           llvm::StringRef reason) {
  line("%" + condition + " = schedule.cmp " + predicate + " " + left + ", " +
       right);
  line("schedule.require \"" + reason + "\" %" + condition);
}

void KernelWriter::nameBlocks() {
  function =
      beginBlocks(names, /*splitsSoftmax=*/task.blocks.staged.has_value());
}

void KernelWriter::inlineProducers() {
  for (auto [role, name] : llvm::zip_equal(task.blocks.roles, names)) {
    if (role == BlockRole::Other)
      annotate(name, "keep = \"recompute\"");
    if (role != BlockRole::Producer)
      continue;
    decide("inline_" + name, {0, 1}, 1);
    annotate(name, "keep = %inline_" + llvm::Twine(name) +
                       " of [\"memory\", \"recompute\"]");
  }
}

void KernelWriter::tileGrid(llvm::ArrayRef<TileLoop> loops, bool stages) {
  // Consumers first.
  llvm::SmallVector<std::string> fused, dims, counts, sizes;
  for (unsigned i = names.size(); i-- > 0;) {
    const BlockRole role = task.blocks.roles[i];
    if (i != root && role != BlockRole::Producer && role != BlockRole::Other)
      fused.push_back("\"" + names[i] + "\"");
  }
  for (const TileLoop &loop : loops) {
    const std::string extent = "grid_extent" + std::to_string(loop.dim);
    constant(extent, loop.extent);
    dims.push_back(std::to_string(loop.dim));
    counts.push_back("%" + extent);
    sizes.push_back(loop.size);
  }
  if (llvm::none_of(loops, [](const TileLoop &loop) {
        return loop.extent > 1 && loop.size == "%one";
      })) {
    llvm::SmallVector<std::string> cuts{"%zero"};
    for (const TileLoop &loop : loops) {
      const std::string cut = "cuts" + std::to_string(loop.dim);
      line("%" + cut + " = schedule.cmp lt " + loop.size + ", %grid_extent" +
           llvm::Twine(loop.dim));
      cuts.push_back("%" + cut);
    }
    compute("is_grid", "or", cuts);
    line("schedule.require \"the grid has more than one block\" %is_grid");
  }
  line("schedule.tile_grid " + function + " \"" + names[root] + "\"" +
       (stages ? " stages" : "") + " fuse [" + llvm::join(fused, ", ") +
       "] rank " + llvm::Twine(extents().size()) + " dims [" +
       llvm::join(dims, ", ") + "] extents(" + llvm::join(counts, ", ") +
       ") sizes(" + llvm::join(sizes, ", ") + ")");
}

void KernelWriter::annotate(llvm::StringRef block, const llvm::Twine &entries) {
  line("schedule.annotate " + function + " \"" + block + "\" \"sched.simt\" {" +
       entries + "}");
}

void KernelWriter::limits(llvm::StringRef threads, llvm::StringRef registers,
                          llvm::StringRef shared) {
  constant("most_threads", target.gpu.maxBlockThreads);
  require("threads_fit", "le", threads, "%most_threads",
          "a block has at most " + std::to_string(target.gpu.maxBlockThreads) +
              " threads");
  if (!registers.empty()) {
    constant("most_registers", target.gpu.maxThreadRegisters);
    require("registers_fit", "le", registers, "%most_registers",
            "a thread has at most " +
                std::to_string(target.gpu.maxThreadRegisters) + " registers");
    compute("block_registers", "product", {threads.str(), registers.str()});
    constant("all_registers", target.gpu.registers);
    require("block_registers_fit", "le", "%block_registers", "%all_registers",
            "a multiprocessor has the registers of a block");
  }
  if (shared.empty())
    return;
  constant("most_shared", target.gpu.maxBlockSharedBytes);
  require("shared_fits", "le", shared, "%most_shared",
          "a block has at most " +
              std::to_string(target.gpu.maxBlockSharedBytes) +
              " bytes of shared memory");
}

std::string KernelWriter::end() {
  line("schedule.yield");
  text += "}\n";
  return std::move(text);
}
