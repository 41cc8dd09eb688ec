//===- Kernel.cpp - A compiled and loaded function ------------------------===//

#include "Kernel.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "SchedOpt/Measure/Timer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace sched::run {

Expected<Kernel> Kernel::build(ModuleOp module, const FunctionInfo &info,
                               const Target &target) {
  double begin = monotonicSeconds();
  if (failed(keepOnly(module, info.name)))
    return createStringError("the functions beside @" + info.name +
                             " could not be removed");
  PassManager pm(module.getContext());
  // Before compiling: what is packed, and how large that is, shows on tensors.
  pm.addPass(createOutlinePackingPass());
  if (failed(pm.run(module)))
    return createStringError("packing could not be moved out of the function");
  SmallVector<std::pair<unsigned, TensorSpec>> packedSpecs;
  for (auto [position, spec] : llvm::enumerate(info.tensors)) {
    auto pack =
        module.lookupSymbol<func::FuncOp>(getPackName(info.name, position));
    if (!pack)
      continue;
    TensorSpec packed = spec;
    auto type = cast<RankedTensorType>(pack.getResultTypes().front());
    packed.shape.assign(type.getShape().begin(), type.getShape().end());
    packedSpecs.emplace_back(position, std::move(packed));
  }

  CompileOptions options;
  options.threads = target.threads;
  options.packedWrapper = true;
  SmallVector<char, 0> object;
  if (Error error = compileToObject(module, target, options, object))
    return std::move(error);
  Expected<KernelLibrary> library =
      KernelLibrary::load(StringRef(object.data(), object.size()));
  if (!library)
    return library.takeError();

  Kernel kernel(std::move(*library));
  auto find = [&](StringRef name, KernelLibrary::PackedEntry &entry) -> Error {
    auto found = kernel.library.lookup(name);
    if (!found)
      return found.takeError();
    entry = *found;
    return Error::success();
  };
  if (Error error = find(info.name, kernel.entry))
    return std::move(error);
  for (auto &[position, spec] : packedSpecs) {
    Packed packed{position, GuardedTensor(spec, position), nullptr};
    if (Error error = find(getPackName(info.name, position), packed.pack))
      return std::move(error);
    kernel.packed.push_back(std::move(packed));
  }
  kernel.compileS = monotonicSeconds() - begin;
  return std::move(kernel);
}

double Kernel::bind(MutableArrayRef<GuardedTensor> tensors) {
  pointers.clear();
  inputHashes.clear();
  for (GuardedTensor &tensor : tensors) {
    pointers.push_back(tensor.data());
    inputHashes.push_back(tensor.getSpec().isResult ? 0 : tensor.hash());
  }
  // Two looks at the clock take time, too.
  if (packed.empty())
    return 0;
  double begin = monotonicSeconds();
  for (Packed &argument : packed) {
    void *both[] = {tensors[argument.position].data(), argument.buffer.data()};
    argument.pack(both);
    pointers[argument.position] = argument.buffer.data();
  }
  return monotonicSeconds() - begin;
}

std::string Kernel::findTrespass(ArrayRef<GuardedTensor> tensors) const {
  auto describe = [](const GuardedTensor &tensor, const Twine &name) {
    if (std::optional<int64_t> offset = tensor.findTrespass())
      return ("wrote at byte " + Twine(*offset) + " of " + name + " (" +
              tensor.getSpec().str() + ", " + Twine(tensor.size()) + " bytes)")
          .str();
    return std::string();
  };
  for (auto [position, tensor] : llvm::enumerate(tensors)) {
    std::string found = describe(tensor, "tensor " + Twine(position));
    if (!found.empty())
      return found;
    if (!tensor.getSpec().isResult && tensor.hash() != inputHashes[position])
      return ("modified input " + Twine(position)).str();
  }
  for (const Packed &argument : packed) {
    std::string found = describe(argument.buffer,
                                 "packed argument " + Twine(argument.position));
    if (!found.empty())
      return found;
  }
  return "";
}

} // namespace sched::run
