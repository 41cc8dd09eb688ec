//===- WorkloadText.cpp - The readable form of a workload -----------------===//
//
// For logs, reports and records; nothing is looked up by it.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/WorkloadHash.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sched;

/// Longer bodies are named after their first ops.
static constexpr unsigned kMaxBodyNames = 3;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// "maximumf" and "maxsi" are both "max" to a reader.
static StringRef getShortName(Operation &op) {
  StringRef name = op.getName().stripDialect();
  if (name.starts_with("max"))
    return "max";
  if (name.starts_with("min"))
    return "min";
  if (op.getName().getDialectNamespace() != "arith")
    return name;
  for (StringRef suffix : {"si", "ui", "f", "i"})
    if (name.size() > suffix.size() + 2 && name.consume_back(suffix))
      break;
  return name;
}

/// A named op by its name, others by what their bodies do: "mul_add".
static std::string getName(linalg::LinalgOp op) {
  if (auto elementwise = dyn_cast<linalg::ElementwiseOp>(op.getOperation()))
    return linalg::stringifyElementwiseKind(elementwise.getKind()).str();
  if (!isa<linalg::GenericOp, linalg::MapOp>(op))
    return op->getName().stripDialect().str();
  SmallVector<StringRef> names;
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>())
      names.push_back(getShortName(inner));
  if (names.empty()) {
    const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    auto isTransposed = [&](AffineMap map) {
      return map.isPermutation() && map != maps.back();
    };
    return llvm::any_of(maps, isTransposed) ? "transpose" : "copy";
  }
  const bool tooLong = names.size() > kMaxBodyNames;
  names.truncate(std::min<size_t>(names.size(), kMaxBodyNames));
  return llvm::join(names, "_") + (tooLong ? "_etc" : "");
}

/// "f32", or "i8_i8_i32" where the types differ.
static std::string getTypes(const ContractionShape &shape) {
  if (shape.lhsType == shape.accType && shape.rhsType == shape.accType)
    return print(shape.accType);
  return print(shape.lhsType) + "_" + print(shape.rhsType) + "_" +
         print(shape.accType);
}

/// "matmul_8x4x6" with m, n and k, "batch_matmul_12x8x4x6" with batches before
/// them; "contraction_8x4x6x3x3" with further reductions after them, and
/// "windows_8x4x3x3" where each lane has a window of its own.
static std::string getContractionName(const ContractionShape &shape) {
  std::string batches, reductions;
  for (const OuterLoop &loop : shape.outer)
    if (loop.isReduction)
      reductions += "x" + std::to_string(loop.extent);
    else
      batches += std::to_string(loop.extent) + "x";
  StringRef name = shape.isWindowed      ? "windows_"
                   : !reductions.empty() ? "contraction_"
                   : !batches.empty()    ? "batch_matmul_"
                                         : "matmul_";
  return (name + batches + Twine(shape.m) + "x" + Twine(shape.n) + "x" +
          Twine(shape.k) + reductions)
      .str();
}

/// What is special about an operand of the anchor.
static void describeOperand(const Task &task, Value operand, StringRef name,
                            bool transposed,
                            SmallVectorImpl<std::string> &out) {
  if (transposed)
    out.push_back((name + " transposed").str());
  if (auto argument = dyn_cast<BlockArgument>(operand)) {
    if (task.layoutFree[argument.getArgNumber()])
      out.push_back(("layout-free " + name).str());
  } else if (matchPattern(operand, m_Constant())) {
    out.push_back(("constant " + name).str());
  }
}

/// "rows_128x1024_f32(max+sub_exp+add+div)": the stages over the largest of
/// their iteration spaces.
static std::string describeStages(const Task &task) {
  StringRef kind;
  switch (task.staged->kind) {
  case StagedKind::Elementwise:
    kind = "elementwise_";
    break;
  case StagedKind::Rows:
    kind = "rows_";
    break;
  case StagedKind::Columns:
    kind = "columns_";
    break;
  }
  const auto widest =
      llvm::max_element(task.extents, [](const auto &a, const auto &b) {
        return a.size() < b.size();
      });
  SmallVector<std::string> names;
  size_t position = 0;
  for (auto op : task.getFunction().getOps<linalg::LinalgOp>())
    if (task.roles[position++] != BlockRole::Init)
      names.push_back(getName(op));
  return (kind +
          llvm::join(llvm::map_range(
                         *widest, [](int64_t v) { return std::to_string(v); }),
                     "x") +
          "_" + print(task.staged->stages.back().elementType) + "(" +
          llvm::join(names, "+") + ")")
      .str();
}

std::string sched::describeWorkload(const Task &task) {
  if (task.staged)
    return describeStages(task);
  std::string before, after;
  SmallVector<std::string> details;
  linalg::LinalgOp anchor;
  bool hasInit = false;
  size_t position = 0;
  for (auto op : task.getFunction().getOps<linalg::LinalgOp>()) {
    switch (task.roles[position++]) {
    case BlockRole::Init:
      hasInit = true;
      if (!isa<linalg::FillOp>(op))
        details.push_back("init " + getName(op));
      break;
    case BlockRole::Anchor:
      anchor = op;
      break;
    case BlockRole::Epilogue:
      after += "+" + getName(op);
      break;
    case BlockRole::Producer:
      before += getName(op) + "+";
      break;
    case BlockRole::Other:
    case BlockRole::Root:
    case BlockRole::Stage:
      break;
    }
  }
  const ContractionShape &shape = *task.shape;
  if (task.padded)
    details.push_back("padded");
  if (!hasInit)
    details.push_back("accumulate");
  describeOperand(task, anchor->getOperand(shape.lhsOperand), "lhs",
                  shape.lhsTransposed, details);
  describeOperand(task, anchor->getOperand(shape.rhsOperand), "rhs",
                  shape.rhsTransposed, details);
  if (shape.lhsOperand != 0)
    details.push_back("operands swapped");
  std::string text =
      before + getContractionName(shape) + "_" + getTypes(shape) + after;
  if (!details.empty())
    text += "(" + llvm::join(details, ", ") + ")";
  return text;
}
