//===- TensorFloat.cpp - Products of f32 that are rounded to tf32 ---------===//

#include "SchedOpt/Support/TensorFloat.h"
#include "SchedOpt/Support/DeviceProperties.h"

using namespace sched;

bool sched::allowsTensorFloat(const Target &target) {
  return target.kind == Target::Kind::NVVM &&
         target.features == kTensorFloatFeature;
}

llvm::Expected<std::string> sched::allowTensorFloat(llvm::StringRef spec,
                                                    bool allow) {
  if (!allow)
    return spec.str();
  if (!isGraphicsProcessor(spec))
    return llvm::createStringError(
        "found allow-tf32 for target '" + spec +
        "'; it is for GPUs, such as target=nvvm:sm_90a");
  const std::string key = ("features=" + kTensorFloatFeature).str();
  return spec.contains(key) ? spec.str() : (spec + "," + key).str();
}

int sched::countTensorFloatLanes(const Target &target) {
  // Half of what f16 has, on every chip that is known: of dense products the
  // data sheets say, in TFLOPS, 312 and 156 (A100), 150 and 75 (A40), 362 and
  // 183 (L40S), 989 and 495 (H100), 2250 and 1120 (B200), 210 and 105 (GeForce
  // RTX 5090, sums of f32).
  return target.gpu.matrixLanes / 2;
}
