//===- Microarchitecture.cpp - Parameters that no file says ---------------===//
//
// From the vendors' optimisation guides: sizes of a core's caches, the share of
// the last level that one socket's core group sees, FMA ports and latency, and
// a sustained clock. The bandwidth is that of one socket under one or two
// cores. What a core gets of the last level is from random candidates: that of
// an EPYC of Zen 4, and of Xeons for all others.
//
//===----------------------------------------------------------------------===//

#include "Microarchitecture.h"

using namespace llvm;
using namespace sched;

namespace {
struct Entry {
  const char *prefix;
  int l1K, l2K, l3M;
  int ports, latency;
  double clockGHz, memoryGBs;
  /// As Target has them, if it is not said.
  double l3BytesPerCycle = 12;
  int vectorLoads = 2;
};
} // namespace

/// First match wins: longer names before their prefixes.
static const Entry kEntries[] = {
    {"znver5", 48, 1024, 32, 2, 4, 4.0, 35},
    // Its vectors of 64 bytes take both ports, and both that load.
    {"znver4", 32, 1024, 32, 1, 4, 3.7, 30, 24, 1},
    {"znver3", 32, 512, 32, 2, 4, 3.4, 23},
    {"znver", 32, 512, 16, 2, 5, 3.2, 20},
    {"sapphirerapids", 48, 2048, 32, 2, 4, 3.0, 20},
    {"emeraldrapids", 48, 2048, 64, 2, 4, 3.0, 20},
    {"graniterapids", 48, 2048, 64, 2, 4, 3.0, 25},
    {"icelake-server", 48, 1280, 32, 2, 4, 3.0, 18},
    {"icelake", 48, 512, 8, 1, 4, 3.5, 20},
    {"cascadelake", 32, 1024, 24, 2, 4, 3.0, 15},
    {"skylake-avx512", 32, 1024, 24, 2, 4, 3.0, 15},
    {"skylake", 32, 256, 8, 2, 4, 3.8, 20},
    {"broadwell", 32, 256, 16, 2, 5, 3.0, 15},
    {"haswell", 32, 256, 16, 2, 5, 3.0, 15},
    {"alderlake", 48, 1280, 24, 2, 4, 4.5, 30},
    {"raptorlake", 48, 2048, 32, 2, 4, 5.0, 35},
    {"neoverse-v2", 64, 2048, 32, 4, 4, 3.1, 30},
    {"neoverse-v1", 64, 1024, 32, 4, 4, 2.6, 25},
    {"neoverse-n2", 64, 1024, 32, 2, 4, 2.8, 25},
    {"neoverse-n1", 64, 1024, 32, 2, 4, 2.6, 20},
    {"apple-m", 128, 4096, 16, 4, 4, 3.4, 60},
    {"cortex-a7", 64, 512, 4, 2, 4, 2.6, 15},
};

void sched::applyMicroarchitecture(Target &target) {
  for (const Entry &entry : kEntries) {
    if (!StringRef(target.mcpu).starts_with(entry.prefix))
      continue;
    target.l1Bytes = int64_t(entry.l1K) << 10;
    target.l2Bytes = int64_t(entry.l2K) << 10;
    target.l3Bytes = int64_t(entry.l3M) << 20;
    target.fmaPorts = entry.ports;
    target.fmaLatency = entry.latency;
    target.clockGHz = entry.clockGHz;
    target.memoryGBs = entry.memoryGBs;
    target.l3BytesPerCycle = entry.l3BytesPerCycle;
    target.vectorLoads = entry.vectorLoads;
    return;
  }
}
