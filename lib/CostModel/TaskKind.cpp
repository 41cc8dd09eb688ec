//===- TaskKind.cpp - What a trained model may be asked about -------------===//

#include "SchedOpt/CostModel/TaskKind.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Support/DotProduct.h"
#include <algorithm>

using namespace sched;

/// Of rows of kernels, whose features have a version of their own.
static std::string describeKernels(const FeatureBatch &batch,
                                   const Target &machine) {
  std::string kind =
      machine.mcpu + ", kernels " + std::to_string(kKernelFeatureVersion);
  if (batch.size() == 0 || batch.getBlocks(0).empty())
    return kind;
  float bytes = 0;
  bool isMatrix = false, isRounded = false;
  for (const BlockFeatureVector &row : batch.getBlocks(0)) {
    auto get = [&](KernelFeature feature) {
      return row.values[static_cast<unsigned>(feature)];
    };
    bytes = std::max(bytes, get(KernelFeature::ElementBytes));
    isMatrix |= get(KernelFeature::IsMatrix) > 0;
    isRounded |= get(KernelFeature::IsRounded) > 0;
  }
  return kind + ", elements of " + std::to_string(int(bytes)) + " bytes" +
         (isMatrix ? ", matrix instructions" : "") +
         (isRounded ? " of tf32" : "");
}

std::string sched::describeTaskKind(const FeatureBatch &batch,
                                    const Target &machine) {
  if (machine.kind == Target::Kind::NVVM)
    return describeKernels(batch, machine);
  std::string kind = llvm::StringRef(machine.triple).split('-').first.str() +
                     ", " + std::to_string(machine.vectorRegisters) +
                     " vectors of " + std::to_string(machine.vectorBytes) +
                     " bytes, " + std::to_string(machine.threads) + " threads";
  if (batch.size() == 0 || batch.getBlocks(0).empty())
    return kind;
  float bytes = 0;
  bool hasIntegers = false, hasCasts = false;
  for (const BlockFeatureVector &block : batch.getBlocks(0)) {
    bytes = std::max(bytes, block[BlockFeature::ElementBytes]);
    hasIntegers |= block[BlockFeature::IsInteger] > 0;
    hasCasts |= block[BlockFeature::Casts] > 0;
  }
  kind += hasIntegers ? ", integers of " : ", floats of ";
  kind += std::to_string(int(bytes)) + " bytes";
  if (hasCasts)
    kind += ", converted";
  // What is converted may go into products of narrow types.
  if (hasCasts && findDotProducts(machine).hasTiles())
    kind += ", tiles";
  return kind;
}
