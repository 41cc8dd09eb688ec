//===- Report.h - What a contest prints -------------------------*- C++ -*-===//
//
// A table for people, or one JSON object with the same figures.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_REPORT_H
#define SCHEDOPT_BENCHMARKS_REPORT_H

#include "Contender.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace sched::bench {

/// The library with the least median, or null.
const Contender *findBestLibrary(llvm::ArrayRef<Contender> contenders);

void printTable(llvm::raw_ostream &os, const Problem &problem,
                llvm::ArrayRef<Contender> contenders);

/// {"problem": {...}, "bytes", "cache_bytes" (of the last level),
/// "peak_gflops", "copy_gbs", "stream_gbs", "best_library", "contenders":
/// [{"name", "kind", "variant", "median_s", "min_s", "costs_s", "gflops",
/// "share_of_peak", "gbs", "share_of_copy", "share_of_stream",
/// "ratio_to_best_library", "relative_error", "verified", "error"}]}. A figure
/// that there is none of is null.
llvm::json::Object toJSON(const Problem &problem,
                          llvm::ArrayRef<Contender> contenders);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_REPORT_H
