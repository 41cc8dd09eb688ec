//===- Payload.cpp - What the worker reads off a payload ------------------===//

#include "Payload.h"
#include "Channel.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlir;

namespace sched::worker {

static Error refuse(const Twine &message) {
  return failRequest(failure::kBuildError, stage::kInstantiate, message);
}

Expected<func::FuncOp> findFunction(ModuleOp module, StringRef name) {
  func::FuncOp found;
  std::string names;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    names += (names.empty() ? "@" : ", @") + function.getName().str();
    if (!name.empty() && function.getName() != name)
      continue;
    if (found)
      return refuse("found the public functions " + names +
                    ", expected one; name the one to measure");
    found = function;
  }
  if (found)
    return found;
  if (name.empty())
    return refuse("found no public function with a body in the payload");
  return refuse("found no public function @" + name + " in the payload" +
                (names.empty() ? Twine() : ", only " + names));
}

/// The loop extents of all reductions, multiplied within an op and added up
/// over the ops.
static int64_t reductionLength(func::FuncOp function) {
  int64_t total = 0;
  function->walk([&](linalg::LinalgOp op) {
    SmallVector<unsigned> dims;
    op.getReductionDims(dims);
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    int64_t length = 1;
    for (unsigned dim : dims)
      if (!ShapedType::isDynamic(extents[dim]))
        length *= std::max<int64_t>(1, extents[dim]);
    total += dims.empty() ? 0 : length;
  });
  return std::max<int64_t>(1, total);
}

Expected<ReferenceAnswer> describeFunction(func::FuncOp function) {
  ReferenceAnswer answer;
  answer.function = function.getName().str();
  auto add = [&](Type type, bool isResult) -> Error {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::string spelling;
    raw_string_ostream(spelling) << type;
    if (!tensor || !tensor.hasStaticShape())
      return refuse("found " + spelling + " in the signature of @" +
                    answer.function + ", expected tensors of static shape");
    std::string element;
    raw_string_ostream(element) << tensor.getElementType();
    std::optional<ElementType> elementType = parseElementType(element);
    if (!elementType)
      return refuse("found elements of " + element + " in the signature of @" +
                    answer.function +
                    ", expected f16, bf16, f32, f64, i1 to i64 or index");
    TensorSpec spec;
    spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    spec.elementType = *elementType;
    spec.isResult = isResult;
    answer.tensors.push_back(std::move(spec));
    return Error::success();
  };
  for (Type type : function.getFunctionType().getInputs())
    if (Error error = add(type, /*isResult=*/false))
      return std::move(error);
  for (Type type : function.getFunctionType().getResults())
    if (Error error = add(type, /*isResult=*/true))
      return std::move(error);
  answer.reductionLength = reductionLength(function);
  return answer;
}

/// Whether a compiler uses the feature by itself. The others (protection keys,
/// cache control, ...) appear in code only where a program asks for them, and a
/// virtual machine often hides them.
static bool isGenerated(StringRef feature) {
  for (StringRef prefix : {"sse", "ssse", "avx", "fma", "f16c", "bmi", "lzcnt",
                           "popcnt", "movbe", "amx", "neon", "fp", "fullfp16",
                           "bf16", "sve", "i8mm", "dotprod", "lse", "rdm"})
    if (feature.starts_with(prefix))
      return true;
  return false;
}

Error checkRunsHere(const Target &target) {
  Triple wanted(target.triple), here(sys::getProcessTriple());
  if (wanted.getArch() != here.getArch())
    return refuse("found target architecture " + wanted.getArchName() +
                  ", expected this machine's (" + here.getArchName() +
                  ") to measure; use trials=0, or tune on such a machine");
  std::string message;
  const llvm::Target *backend = TargetRegistry::lookupTarget(wanted, message);
  if (!backend)
    return refuse(message);
  std::unique_ptr<MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(wanted, target.mcpu, target.features));
  if (!subtarget)
    return refuse("unknown processor '" + target.mcpu + "'");
  std::string missing;
  for (const auto &feature : sys::getHostCPUFeatures())
    if (!feature.second && isGenerated(feature.first()) &&
        subtarget->checkFeatures("+" + feature.first().str()))
      missing += (missing.empty() ? "" : ", ") + feature.first().str();
  if (!missing.empty())
    return refuse("found instruction sets in target '" + target.mcpu +
                  "' that this machine lacks (" + missing +
                  "); use trials=0, or tune on such a machine");
  return Error::success();
}

} // namespace sched::worker
