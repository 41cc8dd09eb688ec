//===- FeatureDocs.cpp - Writes docs/Features.md --------------------------===//
//
// Run by SchedDocs.cmake. Prints the features of the .def files of
// include/SchedOpt/Model as tables, each with its unit and formula.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/Features.h"
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
  return 0;
}
