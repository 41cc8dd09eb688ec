//===- WorkloadHash.cpp - The key of a workload ---------------------------===//
//
// The key is a text in a fixed form, built on MLIR's text forms of types and
// attributes, which depend on neither process nor platform.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/WorkloadHash.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sched;

namespace {
/// To be changed with the form of the key: old records are not found then,
/// rather than found wrongly.
constexpr StringLiteral kKeyVersion = "workload 1\n";

class KeyWriter {
public:
  explicit KeyWriter(func::FuncOp function) : function(function), out(text) {}

  std::string write() {
    out << kKeyVersion;
    for (Operation &op : function.getBody().front())
      if (!isWrittenInPlace(op))
        writeOp(op);
    return std::move(text);
  }

private:
  static bool isWrittenInPlace(Operation &op) {
    return op.getNumOperands() == 0 && op.getNumResults() == 1 &&
           op.getNumRegions() == 0 &&
           (op.hasTrait<OpTrait::ConstantLike>() ||
            isa<RankedTensorType>(op.getResult(0).getType()));
  }

  void writeOp(Operation &op) {
    out << op.getName() << '(';
    for (Value operand : op.getOperands()) {
      writeUse(operand);
      out << ',';
    }
    out << ')';
    writeAttributes(op);
    for (Region &region : op.getRegions())
      for (Block &block : region)
        writeBlock(block);
    for (Value result : op.getResults())
      writeDefinition(result);
    out << '\n';
  }

  void writeBlock(Block &block) {
    out << '{';
    for (Value argument : block.getArguments())
      writeDefinition(argument);
    out << '\n';
    for (Operation &op : block)
      if (!isWrittenInPlace(op))
        writeOp(op);
    out << '}';
  }

  void writeDefinition(Value value) {
    out << " %" << number(value) << ':' << value.getType();
  }

  void writeUse(Value value) {
    if (Operation *op = value.getDefiningOp(); op && isWrittenInPlace(*op)) {
      writeInPlace(*op);
      return;
    }
    const bool isNew = !numbers.contains(value);
    out << '%' << number(value);
    auto argument = dyn_cast<BlockArgument>(value);
    if (!isNew || !argument)
      return;
    // An argument of the function, where it is used first.
    out << ':' << value.getType();
    if (function.getArgAttr(argument.getArgNumber(),
                            mlir::schedule::kLayoutFreeAttrName))
      out << ":layout_free";
  }

  void writeInPlace(Operation &op) {
    out << op.getName() << ':' << op.getResult(0).getType();
    if (!op.hasTrait<OpTrait::ConstantLike>())
      return;
    Attribute value;
    matchPattern(&op, m_Constant(&value));
    // Weights do not matter for speed, and may be large or a named resource.
    auto splat = dyn_cast_or_null<DenseElementsAttr>(value);
    if (isa<ShapedType>(op.getResult(0).getType()) &&
        !(splat && splat.isSplat()))
      out << "=dense";
    else
      out << '=' << value;
  }

  void writeAttributes(Operation &op) {
    auto attributes =
        dyn_cast_or_null<DictionaryAttr>(op.getPropertiesAsAttribute());
    if (!attributes)
      return;
    for (NamedAttribute attribute : attributes)
      if (attribute.getName() != "doc" && attribute.getName() != "library_call")
        out << ' ' << attribute.getName().getValue() << '='
            << attribute.getValue();
  }

  unsigned number(Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  }

  func::FuncOp function;
  llvm::DenseMap<Value, unsigned> numbers;
  std::string text;
  llvm::raw_string_ostream out;
};
} // namespace

std::string sched::writeWorkloadKey(func::FuncOp function) {
  return KeyWriter(function).write();
}

std::string sched::hashWorkload(func::FuncOp function, StringRef more) {
  const std::string key = writeWorkloadKey(function) + more.str();
  const std::array<uint8_t, 32> digest =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(key));
  return llvm::toHex(ArrayRef(digest).take_front(8), /*LowerCase=*/true);
}
