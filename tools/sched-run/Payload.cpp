//===- Payload.cpp - The function to time ---------------------------------===//

#include "Payload.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/Task.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;

namespace sched::run {

Expected<RunInfo> describeEntry(ModuleOp module, StringRef name,
                                bool allowsTensorFloat) {
  EntryLookup entry = findEntry(module, name);
  if (!entry.function) {
    if (entry.names.empty())
      return createStringError("found no public function with a body");
    if (name.empty())
      return createStringError("found the functions " + entry.names +
                               "; name one with --entry");
    return createStringError("found no function @" + name + ", only " +
                             entry.names);
  }
  Expected<FunctionInfo> info =
      describeFunction(entry.function, allowsTensorFloat);
  if (!info)
    return info.takeError();
  return RunInfo{std::move(*info), countFlops(entry.function)};
}

/// Whether `script` begins with outlining tasks.
static bool outlines(ModuleOp script) {
  return script
      .walk([](transform::ApplyRegisteredPassOp pass) {
        return pass.getPassName() == "schedule-outline-tasks"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The functions that `script` looks for by name.
static llvm::SetVector<StringRef> collectNames(ModuleOp script) {
  llvm::SetVector<StringRef> names;
  script.walk([&](transform::MatchOp match) {
    DictionaryAttr attributes = match.getOpAttrsAttr();
    if (auto name = attributes ? attributes.getAs<StringAttr>("sym_name")
                               : StringAttr())
      names.insert(name.getValue());
  });
  return names;
}

Error applyScript(ModuleOp payload, StringRef text, StringRef name,
                  bool isOfTasks, const sched::Target &target) {
  OwningOpRef<ModuleOp> script = parseSourceString<ModuleOp>(
      text, ParserConfig(payload.getContext()), name);
  if (!script)
    return createStringError("the script '" + name + "' is not MLIR");
  constexpr StringLiteral kEntry =
      transform::TransformDialect::kTransformEntryPointSymbolName;
  transform::TransformOpInterface sequence;
  if (script->lookupSymbol(kEntry))
    sequence =
        transform::detail::findTransformEntryPoint(*script, ModuleOp(), kEntry);
  if (!sequence)
    return createStringError("the script '" + name + "' has no @" + kEntry);
  const llvm::SetVector<StringRef> names = collectNames(*script);
  auto isMissing = [&](StringRef function) {
    return !payload.lookupSymbol(function);
  };
  // Functions that it makes itself are missing before.
  if (!outlines(*script) && (isOfTasks || any_of(names, isMissing))) {
    if (Error error = outlineTasks(payload, /*rewritten=*/nullptr,
                                   OutlineOptions::of(target)))
      return error;
    if (!names.empty() && all_of(names, isMissing))
      return createStringError("the script '" + name + "' is for @" +
                               names.front() +
                               ", and the input has no such function or task; "
                               "give the input that it was made for");
  }
  if (failed(transform::applyTransformNamedSequence(
          payload, sequence, *script,
          transform::TransformOptions().enableExpensiveChecks(false))))
    return createStringError("the script '" + name +
                             "' does not apply to the input");
  if (failed(inlineTasks(payload)))
    return createStringError("the tasks of the input cannot be inlined");
  if (failed(verify(payload)))
    return createStringError("the script '" + name + "' made invalid IR");
  return Error::success();
}

} // namespace sched::run
