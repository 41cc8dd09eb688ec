//===- Payload.cpp - What the worker reads off a payload ------------------===//

#include "Payload.h"
#include "../common/FunctionInfo.h"
#include "Channel.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Support/TensorFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlir;

namespace sched::worker {

static Error refuse(const Twine &message) {
  return failRequest(failure::kBuildError, stage::kInstantiate, message);
}

Expected<func::FuncOp> findFunction(ModuleOp module, StringRef name) {
  EntryLookup entry = findEntry(module, name);
  if (entry.function)
    return entry.function;
  if (entry.names.empty())
    return refuse("found no public function with a body in the payload");
  if (name.empty())
    return refuse("found the public functions " + entry.names +
                  ", expected one; name the one to measure");
  return refuse("found no public function @" + name + " in the payload, only " +
                entry.names);
}

Expected<ReferenceAnswer> describePayload(func::FuncOp function,
                                          const sched::Target &target) {
  Expected<FunctionInfo> info =
      describeFunction(function, allowsTensorFloat(target));
  if (!info)
    return refuse(toString(info.takeError()));
  ReferenceAnswer answer;
  answer.function = std::move(info->name);
  answer.tensors = std::move(info->tensors);
  return answer;
}

Error checkRunsHere(const Target &target) {
  Triple wanted(target.triple), here(sys::getProcessTriple());
  if (wanted.getArch() != here.getArch())
    return refuse("found target architecture " + wanted.getArchName() +
                  ", expected this machine's (" + here.getArchName() +
                  ") to measure; use trials=0, or tune on such a machine");
  std::vector<std::string> missing = target.getMissingFeatures();
  if (!missing.empty())
    return refuse("found instruction sets in target '" + target.mcpu +
                  "' that this machine lacks (" + join(missing, ", ") +
                  "); use trials=0, or tune on such a machine");
  return Error::success();
}

} // namespace sched::worker
