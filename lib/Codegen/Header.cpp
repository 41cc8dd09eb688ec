//===- Header.cpp - The C header of an object -----------------------------===//

#include "SchedOpt/Codegen/Header.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static std::string getCType(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isF16() || type.isBF16())
    return "uint16_t";
  if (auto integer = dyn_cast<IntegerType>(type)) {
    const unsigned width = integer.getWidth();
    if (width == 1)
      return "bool";
    if (width == 8 || width == 16 || width == 32 || width == 64)
      return (integer.isUnsigned() ? "uint" : "int") + std::to_string(width) +
             "_t";
  }
  if (type.isIndex())
    return "int64_t";
  return "";
}

static Type getElementType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

/// "float[1024][1024]", or "float" for a scalar or a tensor of rank 0.
static std::string describe(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = getElementType(type);
  std::string text = getCType(element);
  if (element.isBF16())
    text = "bfloat16 as uint16_t";
  if (element.isF16())
    text = "IEEE half as uint16_t";
  if (tensor)
    for (int64_t size : tensor.getShape())
      text += "[" + std::to_string(size) + "]";
  return text;
}

namespace {
/// What a function of an object is for.
enum class Purpose { Kernel, Packing, PackedSize };
} // namespace

/// The purposes of the functions that sched-outline-packing made; the others
/// are the user's, whatever they are called.
static llvm::StringMap<Purpose> findPurposes(ModuleOp module) {
  llvm::StringMap<Purpose> purposes;
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      if (function.getArgAttr(i, "schedule.layout_free")) {
        purposes[sched::getPackName(function.getName(), i)] = Purpose::Packing;
        purposes[sched::getPackSizeName(function.getName(), i)] =
            Purpose::PackedSize;
      }
  return purposes;
}

static bool hasParallelLoop(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<scf::ForallOp, scf::ParallelOp>(op) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

static std::string explainNoType(const llvm::Twine &name,
                                 func::FuncOp function) {
  return ("no C type for " + name + " of @" + function.getName() +
          "; expected f16, bf16, f32, f64, or integers of 8, 16, 32 or 64 bits")
      .str();
}

llvm::LogicalResult sched::checkHeaderTypes(Operation *module) {
  bool isGood = true;
  auto check = [&](Location loc, Type type, const llvm::Twine &name,
                   func::FuncOp function) {
    // What is no tensor has an error of its own later.
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !getCType(tensor.getElementType()).empty())
      return;
    emitError(loc) << explainNoType(name, function) << "; found " << type;
    isGood = false;
  };
  module->walk([&](func::FuncOp function) {
    if (!function.isPublic() || function.isDeclaration())
      return;
    for (BlockArgument argument : function.getArguments())
      check(argument.getLoc(), argument.getType(),
            "argument #" + llvm::Twine(argument.getArgNumber()), function);
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      check(function.getLoc(), type, "result #" + llvm::Twine(i), function);
  });
  return success(isGood);
}

static llvm::Error declare(func::FuncOp function, Purpose purpose,
                           llvm::raw_ostream &out, int threads) {
  std::string parameters;
  out << "/* " << function.getName() << ":\n";
  auto add = [&](Type type, const std::string &name,
                 bool isResult) -> llvm::Error {
    std::string element = getCType(getElementType(type));
    if (element.empty())
      return llvm::createStringError(explainNoType(name, function));
    out << " *   " << name << ": " << describe(type)
        << (isResult ? ", written" : ", read") << "\n";
    if (!parameters.empty())
      parameters += ", ";
    if (!isResult)
      parameters += "const ";
    parameters += element + (isa<TensorType>(type) ? " *" : " ") + name;
    return llvm::Error::success();
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (llvm::Error error = add(type, "arg" + std::to_string(i), false))
      return error;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (llvm::Error error = add(type, "result" + std::to_string(i), true))
      return error;
  if (purpose == Purpose::PackedSize)
    out << " * Size of the packed buffer in bytes.\n";
  else if (purpose == Purpose::Packing)
    out << " * Call it once for each new content of the argument; the other\n"
           " * function takes the packed buffer in its place.\n";
  else if (threads > 1 && hasParallelLoop(function))
    out << " * Parallel loops run on " << threads
        << " threads of OpenMP (link with libomp).\n";
  out << " */\nvoid " << function.getName() << "(" << parameters << ");\n\n";
  return llvm::Error::success();
}

std::string sched::getIncludeGuard(llvm::StringRef fileName) {
  std::string guard = llvm::sys::path::filename(fileName).upper();
  for (char &c : guard)
    if (!llvm::isAlnum(c))
      c = '_';
  if (guard.empty() || llvm::isDigit(guard.front()))
    guard = "SCHED_" + guard;
  return guard;
}

llvm::Expected<std::string>
sched::emitCHeader(ModuleOp module, llvm::StringRef fileName, int threads) {
  const std::string guard = getIncludeGuard(fileName);
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "/* Written by sched-opt.\n"
         " *\n"
         " * Tensors are row-major and dense, one pointer each: inputs, then\n"
         " * results. Any alignment of the element type works; 64 bytes is\n"
         " * fastest. Buffers must not overlap. The functions may be called "
         "from\n"
         " * several threads at once; they keep large scratch buffers for the "
         "next\n"
         " * call.\n"
         " */\n"
      << "#ifndef " << guard << "\n#define " << guard
      << "\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  llvm::StringMap<Purpose> purposes = findPurposes(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      // Kernel, the first of the enum, is what the map gives for the others.
      if (llvm::Error error = declare(
              function, purposes.lookup(function.getName()), out, threads))
        return std::move(error);
  out << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}
