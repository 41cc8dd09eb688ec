//===- SpaceFile.cpp - A file of search spaces ----------------------------===//

#include "SpaceFile.h"
#include "LocatedError.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace sched;

static llvm::Error fail(Operation *op, const llvm::Twine &message) {
  op->emitError(message);
  return markEmitted(llvm::createStringError(message.str()));
}

/// Copies the sequences of `module`: what spaces are matched with, and what
/// that includes.
static llvm::Error copyMatchers(ModuleOp module, ModuleOp spaces) {
  SmallVector<transform::NamedSequenceOp> sequences;
  module.walk([&](transform::NamedSequenceOp op) { sequences.push_back(op); });
  for (transform::NamedSequenceOp sequence : sequences) {
    if (sequence.getSymName() ==
        transform::TransformDialect::kTransformEntryPointSymbolName)
      continue;
    if (spaces.lookupSymbol(sequence.getSymName()))
      return fail(sequence, "@" + sequence.getSymName() +
                                " is in the module, too; rename one of them");
    spaces.push_back(sequence->clone());
  }
  return llvm::Error::success();
}

/// What was made of scripts has not been verified yet.
static llvm::Error check(schedule::SpaceOp space) {
  if (failed(verify(space)))
    return markEmitted(llvm::createStringError("a space is not valid"));
  for (auto sketch : space.getOps<schedule::SketchOp>())
    if (sketch.getBody().getNumArguments() != 1)
      return fail(sketch, "@" + sketch.getSymName() + " takes " +
                              llvm::Twine(sketch.getBody().getNumArguments()) +
                              " handles; a search has one to give, the root");
  return llvm::Error::success();
}

static llvm::Error
takeSpaces(ModuleOp module, ModuleOp spaces,
           llvm::function_ref<bool(transform::NamedSequenceOp)> isScript) {
  if (failed(schedule::importKnobs(module, isScript)))
    return markEmitted(
        llvm::createStringError("a script with knobs is no sketch"));
  SmallVector<schedule::SpaceOp> found;
  SmallVector<schedule::SketchOp> loose;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto space = dyn_cast<schedule::SpaceOp>(op))
      found.push_back(space);
    else if (auto sketch = dyn_cast<schedule::SketchOp>(op))
      loose.push_back(sketch);
    else
      return WalkResult::advance();
    return WalkResult::skip();
  });
  if (!loose.empty()) {
    OpBuilder builder(loose.front());
    auto space = schedule::SpaceOp::create(
        builder, loose.front().getLoc(), kLooseSketches,
        /*workload=*/StringAttr(), /*workload_text=*/StringAttr(),
        /*matcher=*/FlatSymbolRefAttr(), /*target=*/schedule::TargetAttr());
    Block &body = space.getBody().emplaceBlock();
    for (schedule::SketchOp sketch : loose)
      sketch->moveBefore(&body, body.end());
    found.push_back(space);
  }
  for (schedule::SpaceOp space : found)
    if (llvm::Error error = check(space))
      return error;
  if (llvm::any_of(found,
                   [](auto space) { return bool(space.getMatcherAttr()); }))
    if (llvm::Error error = copyMatchers(module, spaces))
      return error;
  for (schedule::SpaceOp space : found) {
    space->remove();
    spaces.push_back(space);
  }
  return llvm::Error::success();
}

llvm::Error sched::takeSpaces(ModuleOp module, ModuleOp spaces) {
  return ::takeSpaces(module, spaces, nullptr);
}

llvm::Error sched::readSpaces(llvm::StringRef path, ModuleOp spaces) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &message);
  if (!file)
    return llvm::createStringError("space: " + message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, spaces.getContext());
  if (!module)
    return markEmitted(
        llvm::createStringError("space: '" + path + "' is no valid module"));
  const size_t before = llvm::range_size(spaces.getOps<schedule::SpaceOp>());
  if (llvm::Error error = ::takeSpaces(
          *module, spaces, [](transform::NamedSequenceOp sequence) {
            return sequence.getSymName() ==
                   transform::TransformDialect::kTransformEntryPointSymbolName;
          }))
    return error;
  if (llvm::range_size(spaces.getOps<schedule::SpaceOp>()) == before)
    return llvm::createStringError(
        "space: found none in '" + path +
        "'; expected a schedule.space, a schedule.sketch, a script "
        "@__transform_main, or a transform.named_sequence with "
        "transform.tune.knob or transform.tune.alternatives");
  return llvm::Error::success();
}
