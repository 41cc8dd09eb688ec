//===- MeasuredRecord.cpp - A result as a record --------------------------===//

#include "SchedOpt/Tuning/MeasuredRecord.h"
#include <chrono>

using namespace sched;

Record sched::makeMeasuredRecord(const MeasureResult &result) {
  Record record;
  record.costsS = result.costsS;
  record.error = result.error;
  record.stage = result.stage;
  record.message = result.message;
  record.verified = result.verified;
  record.compileS = result.compileS;
  record.runS = result.checkS + result.runS;
  record.time = std::chrono::duration<double>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
  if (result.duplicate)
    record.extra[Record::kDuplicateKey] = true;
  llvm::json::Array kernels;
  for (const KernelUsage &usage : result.kernels)
    kernels.push_back(
        llvm::json::Object{{"kernel", llvm::json::fixUTF8(usage.kernel)},
                           {"registers", usage.registers},
                           {"local_bytes", usage.localBytes},
                           {"spill_bytes", usage.spillBytes},
                           {"threads", usage.threads},
                           {"shared_bytes", usage.sharedBytes},
                           {"blocks", usage.blocks}});
  if (!kernels.empty())
    record.extra[Record::kKernelsKey] = std::move(kernels);
  return record;
}
