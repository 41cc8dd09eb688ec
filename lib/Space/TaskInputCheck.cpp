//===- TaskInputCheck.cpp - Is this module schedulable --------------------===//

#include "TaskInputCheck.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

using namespace mlir;
using namespace sched;

namespace {
/// What is wrong, and where.
struct Problem {
  Location loc;
  std::string message;
  /// Whether it is that the shape of an op's result is not known.
  bool isShape = false;
};
} // namespace

template <typename T> static std::string quote(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << value << "'";
  return text;
}

/// Says that `type` has an encoding, such as a sparse one, if it does: it would
/// be read as if it were dense. `what` is the subject of the sentence.
static std::optional<std::string> checkEncoding(Type type, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return std::nullopt;
  return (what + ": expected dense tensors; found " + quote(type) +
          "; encodings are not schedulable: lower them to dense tensors before")
      .str();
}

/// Says why `type` cannot be in a signature; nothing if it can. `what` is the
/// subject of the sentence.
static std::optional<std::string> checkType(Type type, const Twine &what) {
  const std::string found =
      (what + ": expected ranked tensors of static shape; found " + quote(type))
          .str();
  if (isa<BaseMemRefType>(type))
    return found +
           "; bufferized input is not schedulable: pass linalg on tensors";
  if (isa<UnrankedTensorType>(type))
    return found + "; give the tensor a shape";
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return found + "; wrap the value in a tensor";
  if (!tensor.hasStaticShape())
    return found + "; dynamic shapes are not schedulable: write one function "
                   "for each shape";
  return checkEncoding(type, what);
}

static bool hasDynamicShape(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

bool sched::hasDynamicSignature(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), hasDynamicShape) ||
         llvm::any_of(function.getResultTypes(), hasDynamicShape);
}

/// Whether `problem` of `function` comes from shapes that are not known, or
/// there are such in its signature all the same.
static bool isOfShape(const Problem &problem, func::FuncOp function) {
  return problem.isShape || hasDynamicSignature(function);
}

/// Whether `function` takes values of `type` where it is called: numbers may go
/// into a function that takes the place of its calls.
static bool isScalarOfCall(Type type, func::FuncOp function) {
  return function.isPrivate() && type.isIntOrIndexOrFloat();
}

static std::optional<Problem> checkSignature(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    if (isScalarOfCall(argument.getType(), function))
      continue;
    if (auto message = checkType(argument.getType(),
                                 "argument #" + Twine(argument.getArgNumber()) +
                                     " of @" + function.getName()))
      return Problem{argument.getLoc(), *message};
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (auto message = checkType(type, "result #" + Twine(index) + " of @" +
                                           function.getName()))
      return Problem{function.getLoc(), *message};
  return std::nullopt;
}

static std::optional<Problem> checkShapes(func::FuncOp function) {
  std::optional<Problem> problem;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      const std::string what =
          quote(op->getName()) + " op result in @" + function.getName().str();
      if (auto message = checkEncoding(type, what)) {
        problem = Problem{op->getLoc(), *message};
        return WalkResult::interrupt();
      }
      if (!hasDynamicShape(type))
        continue;
      problem = Problem{op->getLoc(),
                        what + ": expected tensors of static shape; found " +
                            quote(type) +
                            "; dynamic shapes are not schedulable: write one "
                            "function for each shape",
                        /*isShape=*/true};
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return problem;
}

/// Says that bytes that a constant names are not in the input, as they were
/// left out where it was printed.
static std::optional<Problem> checkResources(func::FuncOp function) {
  std::optional<Problem> problem;
  function.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr value) {
      if (!value.getRawHandle().getBlob())
        problem = Problem{
            op->getLoc(),
            quote(op->getName()) + " op in @" + function.getName().str() +
                ": found no bytes of the resource '" +
                value.getRawHandle().getKey().str() +
                "'; expected them in 'dialect_resources' at the end of the "
                "input: write it without eliding resources"};
    });
    return problem ? WalkResult::interrupt() : WalkResult::advance();
  });
  return problem;
}

/// Whether `op` makes new tensors of its operands. Some of those of linalg, as
/// Winograd's transforms, do not say that they have no other effects.
static bool isOnTensors(Operation *op) {
  auto dpsOp = dyn_cast<DestinationStyleOpInterface>(op);
  return dpsOp && dpsOp.hasPureTensorSemantics();
}

/// `open`: functions on the way here; `checked`: those that need no second
/// look.
static std::optional<Problem>
checkEffects(func::FuncOp function, SymbolTableCollection &symbols,
             llvm::SmallPtrSetImpl<Operation *> &open,
             llvm::SmallPtrSetImpl<Operation *> &checked) {
  if (!checked.insert(function).second)
    return std::nullopt;
  open.insert(function);
  const std::string rest =
      "; expected ops on tensors without side effects in what is scheduled: "
      "move it out of @" +
      function.getName().str();
  std::optional<Problem> problem;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          op, call.getCalleeAttr());
      if (open.contains(callee))
        problem = Problem{op->getLoc(),
                          "'func.call' op calls @" + call.getCallee().str() +
                              ", which calls itself; expected functions "
                              "without recursion, as calls are inlined: use a "
                              "loop"};
      else if (callee && !callee.isExternal() &&
               !callee.getBody().hasOneBlock())
        problem = Problem{op->getLoc(),
                          "'func.call' op calls @" + call.getCallee().str() +
                              ", which has several blocks; expected one, as "
                              "calls are inlined: use scf.if and scf.for"};
      else if (callee && !callee.isExternal())
        problem = checkEffects(callee, symbols, open, checked);
      else
        problem = Problem{op->getLoc(), "'func.call' op calls @" +
                                            call.getCallee().str() +
                                            ", which has no body here and may "
                                            "have side effects" +
                                            rest};
    } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
               !isMemoryEffectFree(op) && !isOnTensors(op) &&
               !isa_and_present<InParallelOpInterface>(op->getParentOp())) {
      // Ops with regions have the effects of the ops in there. What combines
      // the results of parallel iterations writes to tensors.
      problem = Problem{op->getLoc(),
                        quote(op->getName()) + " op has side effects" + rest};
    }
    return problem ? WalkResult::interrupt() : WalkResult::advance();
  });
  open.erase(function);
  return problem;
}

static std::optional<Problem> check(func::FuncOp function,
                                    SymbolTableCollection &symbols) {
  if (auto problem = checkSignature(function))
    return problem;
  if (auto problem = checkShapes(function))
    return problem;
  if (auto problem = checkResources(function))
    return problem;
  llvm::SmallPtrSet<Operation *, 4> open, checked;
  return checkEffects(function, symbols, open, checked);
}

/// Whether there is a linalg op in `module`, or nothing but ops that move
/// elements of tensors.
static bool hasKnownOps(ModuleOp module) {
  bool hasMoves = false, hasOthers = false;
  const bool hasLinalg =
      module
          .walk([&](Operation *op) {
            if (isa_and_present<linalg::LinalgDialect>(op->getDialect()))
              return WalkResult::interrupt();
            hasMoves |=
                isa_and_present<tensor::TensorDialect>(op->getDialect());
            auto isTensor = llvm::IsaPred<TensorType>;
            hasOthers |=
                (llvm::any_of(op->getOperandTypes(), isTensor) ||
                 llvm::any_of(op->getResultTypes(), isTensor)) &&
                !op->hasTrait<OpTrait::ConstantLike>() &&
                !isa_and_present<tensor::TensorDialect, func::FuncDialect,
                                 scf::SCFDialect, vector::VectorDialect>(
                    op->getDialect());
            return WalkResult::advance();
          })
          .wasInterrupted();
  return hasLinalg || (hasMoves && !hasOthers);
}

llvm::Expected<SmallVector<func::FuncOp>> sched::checkTaskInput(ModuleOp module,
                                                                bool remarks) {
  if (failed(checkOutlinedTasks(module)))
    return llvm::createStringError("outlined tasks call themselves");
  std::string firstMessage;
  auto report = [&](const Problem &problem) {
    emitError(problem.loc) << problem.message;
    if (firstMessage.empty())
      firstMessage = problem.message;
  };

  SmallVector<func::FuncOp> functions, schedulable;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  if (functions.empty())
    report({module.getLoc(),
            "found no function with a body in the module; expected a public "
            "func.func on ranked tensors of static shape"});

  SymbolTableCollection symbols;
  SmallVector<std::pair<func::FuncOp, Problem>> dynamic;
  for (func::FuncOp function : functions) {
    if (function->hasAttr(kLeftToDefaultAttrName))
      continue;
    std::optional<Problem> problem = check(function, symbols);
    if (!problem) {
      schedulable.push_back(function);
      continue;
    }
    if (function.isPublic() && isOfShape(*problem, function)) {
      dynamic.push_back({function, std::move(*problem)});
      continue;
    }
    if (function.isPublic()) {
      report(*problem);
      continue;
    }
    if (remarks) {
      InFlightDiagnostic remark = emitRemark(function.getLoc());
      remark << "compiled by the default schedule, without a search: private "
                "function @"
             << function.getName() << " is not schedulable";
      remark.attachNote(problem->loc) << problem->message;
    }
  }

  for (auto &[function, problem] : dynamic) {
    if (schedulable.empty()) {
      report(problem);
    } else if (remarks) {
      InFlightDiagnostic warning = emitWarning(function.getLoc());
      warning << "@" << function.getName() << " is left as it is";
      warning.attachNote(problem.loc) << problem.message;
    }
  }

  // Said last: a module on memrefs has a better error by now.
  if (firstMessage.empty() && !hasKnownOps(module))
    report({module.getLoc(),
            "found no linalg op in the module; expected linalg ops on tensors: "
            "convert the input to linalg first (TOSA with "
            "schedule-lower-tosa)"});
  if (!firstMessage.empty())
    return llvm::createStringError(firstMessage);
  return schedulable;
}
