//===- FunctionInfo.cpp - What a tool calls of a payload ------------------===//

#include "FunctionInfo.h"
#include "Places.h"
#include "Rounding.h"
#include "SchedOpt/Measure/Checker.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;
using namespace sched;

EntryLookup sched::findEntry(ModuleOp module, StringRef name) {
  EntryLookup result;
  unsigned fitting = 0;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    result.names +=
        (result.names.empty() ? "@" : ", @") + function.getName().str();
    if (!name.empty() && function.getName() != name)
      continue;
    result.function = function;
    ++fitting;
  }
  if (fitting != 1)
    result.function = nullptr;
  return result;
}

LogicalResult sched::keepOnly(ModuleOp module, StringRef name) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function.isPublic() && function.getName() != name)
      function.setPrivate();
  mlir::PassManager pm(module.getContext());
  pm.addPass(createSymbolDCEPass());
  return pm.run(module);
}

static Expected<TensorSpec> describeTensor(Type type, bool isResult,
                                           StringRef function) {
  std::string spelling, element;
  raw_string_ostream(spelling) << type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return createStringError("found " + spelling + " in the signature of @" +
                             function + ", expected tensors of static shape");
  raw_string_ostream(element) << tensor.getElementType();
  std::optional<ElementType> elementType = parseElementType(element);
  if (!elementType)
    return createStringError("found elements of " + element +
                             " in the signature of @" + function +
                             ", expected f16, bf16, f32, f64, i1 to i64 or "
                             "index");
  TensorSpec spec;
  spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  spec.elementType = *elementType;
  spec.isResult = isResult;
  return spec;
}

Expected<FunctionInfo> sched::describeFunction(func::FuncOp function,
                                               bool allowsTensorFloat) {
  FunctionInfo info;
  info.name = function.getName().str();
  auto add = [&](TypeRange types, bool isResult) -> Error {
    for (Type type : types) {
      Expected<TensorSpec> spec = describeTensor(type, isResult, info.name);
      if (!spec)
        return spec.takeError();
      info.tensors.push_back(std::move(*spec));
    }
    return Error::success();
  };
  if (Error error = add(function.getArgumentTypes(), /*isResult=*/false))
    return std::move(error);
  if (Error error = add(function.getResultTypes(), /*isResult=*/true))
    return std::move(error);
  const unsigned numArguments = function.getNumArguments();
  findPlaces(function, MutableArrayRef(info.tensors).take_front(numArguments));
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    traceRounding(function, i, allowsTensorFloat,
                  info.tensors[numArguments + i]);
  thinOut(info.tensors);
  return info;
}
