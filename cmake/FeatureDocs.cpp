//===- FeatureDocs.cpp - Writes docs/Features.md --------------------------===//
//
// Run by SchedDocs.cmake. Prints the features of the .def files of
// include/SchedOpt/Model as tables, each with its unit and formula.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include <cstdio>

static void startTable() {
  std::puts("| feature | unit | definition |\n|---|---|---|");
}

static void printFeature(const char *name, const char *unit,
                         const char *definition) {
  std::printf("| `%s` | %s | %s |\n", name, unit, definition);
}

[[maybe_unused]] static void printGroup(const char *title, const char *text) {
  std::printf("\n### %s\n\n%s\n\n", title, text);
  startTable();
}

int main() {
  std::printf(
      "What cost models read of a candidate, computed from its loop nest alone "
      "(no IR). Values are\nraw: a model takes logarithms by itself. "
      "`sched-db features DIR` prints those of every\ncandidate that was "
      "measured.\n\n"
      "## Of a program\n\n"
      "`include/SchedOpt/Model/Features.def`, version %u: %u numbers that the "
      "analytic model is made\nof. \"Main tile\" is the anchor's innermost "
      "tile on the path with no tails.\n\n",
      sched::kFeatureVersion, sched::kNumFeatures);
  startTable();
#define FEATURE(name, unit, definition) printFeature(#name, unit, definition);
#include "SchedOpt/Model/Features.def"
  std::printf(
      "\n## Of a block\n\n"
      "`include/SchedOpt/Model/BlockFeatures.def`, version %u: %u columns, a "
      "row for each block of\nthe nest, for models that add up what they "
      "predict of each. \"All\" sums over every place\nwhere the block stands, "
      "main tiles and tails, and over all threads; \"main\" is the first of\n"
      "them, that of whole tiles.\n",
      sched::kBlockFeatureVersion, sched::kNumBlockFeatures);
#define GROUP(title, text) printGroup(title, text);
#define FEATURE(name, unit, definition) printFeature(#name, unit, definition);
#include "SchedOpt/Model/BlockFeatures.def"
  std::printf(
      "\n## Of a kernel\n\n"
      "`include/SchedOpt/Model/KernelFeatures.def`, version %u: %u columns, "
      "for "
      "GPUs, a row for each\nkernel, in the place of rows of blocks. Cycles "
      "are "
      "those of the multiprocessor that has the\nmost blocks of threads; \"a "
      "tile\" is what such a block computes, and a contraction is tiled if "
      "its\n"
      "operands go through shared memory. Of the features of a program, "
      "`ComputeCycles` are then\nthe cycles of all kernels, launches included; "
      "`L2Bytes` and `L3Bytes` are the sums of\n`SectorBytes` and "
      "`MemoryBytes`, "
      "`ParallelRegions` the kernels; sizes are those of the kernel\nthat "
      "takes "
      "the most cycles, and the rest is 0.\n",
      sched::kKernelFeatureVersion, sched::kNumKernelFeatures);
#define GROUP(title, text) printGroup(title, text);
#define FEATURE(name, unit, definition) printFeature(#name, unit, definition);
#include "SchedOpt/Model/KernelFeatures.def"
  return 0;
}
