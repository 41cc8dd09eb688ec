//===- FeatureDocs.cpp - Writes docs/Features.md --------------------------===//
//
// Run by SchedDocs.cmake. Prints the features of the .def files of
// include/SchedOpt/Model, and the columns of FeatureColumns.def, as tables,
// each with its unit, formula and source; one without fails.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include <cstdio>
#include <string>

/// Of the features that follow; "" at the begin of each table.
static std::string source;
static int status = 0;

static void startTable() {
  source.clear();
  std::puts("| feature | unit | definition | source |\n|---|---|---|---|");
}

static void printFeature(const char *name, const std::string &unit,
                         const std::string &definition) {
  std::printf("| `%s` | %s | %s | %s |\n", name, unit.c_str(),
              definition.c_str(), source.c_str());
  if (!unit.empty() && !definition.empty() && !source.empty())
    return;
  std::fprintf(stderr,
               "error: the feature '%s' lacks its unit, definition or "
               "SOURCE\n",
               name);
  status = 1;
}

static void printGroup(const char *title, const char *text) {
  std::printf("\n### %s\n\n%s\n\n", title, text);
  startTable();
}

/// Where FeatureColumns.def is counted.
static constexpr unsigned kNumDerived = 0
#define RATIO(name, numerator, denominator, unit, meaning) +1
#define COLUMN(name, unit, definition) +1
#include "SchedOpt/CostModel/FeatureColumns.def"
    ;

int main() {
  std::printf(
      "What cost models read of a candidate, computed from its loop nest alone "
      "(no IR). Values are\nraw: a model takes logarithms by itself. "
      "`sched-db features DIR` prints those of every\ncandidate that was "
      "measured.\n\n"
      "Sources: \"Ansor\" and a group are features of the reference, TVM's "
      "auto-scheduler (Zheng et al.\n2020, appendix B; "
      "src/auto_scheduler/feature.cc), by their meaning: they are computed "
      "from the\nloop nest, as said here, and what there is constant or wrong "
      "is not here. \"Own\" are this\nproject's. Papers are named where a "
      "formula follows them.\n\n"
      "## Of a program\n\n"
      "`include/SchedOpt/Model/Features.def`, version %u: %u numbers that the "
      "analytic model is made\nof. \"Main tile\" is the anchor's innermost "
      "tile on the path with no tails.\n\n",
      sched::kFeatureVersion, sched::kNumFeatures);
  startTable();
#define SOURCE(text) source = text;
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
#define SOURCE(text) source = text;
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
#define SOURCE(text) source = text;
#define FEATURE(name, unit, definition) printFeature(#name, unit, definition);
#include "SchedOpt/Model/KernelFeatures.def"
  std::printf(
      "\n## Of a row\n\n"
      "A learned model has a row of %u columns for each block of a candidate "
      "(of a GPU, each kernel):\nthe %u features of the block under the names "
      "`block.` + feature, the %u of its program under\n`program.` + feature, "
      "and these %u, `include/SchedOpt/CostModel/FeatureColumns.def`, made of "
      "the\nprogram's. What is divided by is at least 1.\n\n",
      sched::kNumBlockFeatures + sched::kNumFeatures + kNumDerived,
      sched::kNumBlockFeatures, sched::kNumFeatures, kNumDerived);
  startTable();
#define SOURCE(text) source = text;
#define RATIO(name, numerator, denominator, unit, meaning)                     \
  printFeature(#name, unit,                                                    \
               std::string(#numerator " / " #denominator ": ") + meaning);
#define COLUMN(name, unit, definition) printFeature(#name, unit, definition);
#include "SchedOpt/CostModel/FeatureColumns.def"
  return status;
}
