//===- ScriptFragment.cpp - Upstream transform ops from text --------------===//

#include "ScriptFragment.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::schedule;

std::string mlir::schedule::printList(llvm::ArrayRef<int64_t> values) {
  return "[" +
         llvm::join(llvm::map_range(
                        values, [](int64_t v) { return std::to_string(v); }),
                    ", ") +
         "]";
}

ScriptFragment &ScriptFragment::line(const llvm::Twine &text) {
  body += "  " + text.str() + "\n";
  return *this;
}

std::string ScriptFragment::name() { return "%v" + std::to_string(counter++); }

std::string ScriptFragment::matchBlock(llvm::StringRef block,
                                       llvm::StringRef in) {
  std::string result = name();
  line(result + " = transform.structured.match attributes{" + kBlockAttrName +
       " = \"" + block + "\"} in " + in +
       " : (!transform.any_op) -> !transform.any_op");
  return result;
}

void ScriptFragment::annotate(llvm::StringRef handle, llvm::StringRef block,
                              llvm::StringRef type) {
  std::string param = name();
  line(param + " = transform.param.constant \"" + block +
       "\" -> !transform.any_param");
  line("transform.annotate " + handle + " \"" + kBlockAttrName +
       "\" = " + param + " : " + type + ", !transform.any_param");
}

/// "!transform.any_op, !transform.any_op": `count` times.
static std::string anyOps(unsigned count) {
  return llvm::join(
      llvm::SmallVector<llvm::StringRef>(count, "!transform.any_op"), ", ");
}

llvm::SmallVector<std::string> ScriptFragment::split(llvm::StringRef handle,
                                                     unsigned count) {
  llvm::SmallVector<std::string> results;
  for (unsigned i = 0; i != count; ++i)
    results.push_back(name());
  line(llvm::join(results, ", ") + " = transform.split_handle " + handle +
       " : (!transform.any_op) -> (" + anyOps(count) + ")");
  return results;
}

void ScriptFragment::peel(llvm::StringRef loops) {
  // Some loops of the handle divide, and `loop.peel` fails on those.
  line("transform.foreach " + loops + " : !transform.any_op {");
  line("^bb0(%one: !transform.any_op):");
  line("  transform.sequence %one : !transform.any_op failures(suppress) {");
  line("  ^bb1(%loop: !transform.any_op):");
  line("    %for = transform.cast %loop : !transform.any_op to "
       "!transform.op<\"scf.for\">");
  line("    %main, %rest = transform.loop.peel %for : "
       "(!transform.op<\"scf.for\">) -> (!transform.any_op, "
       "!transform.any_op)");
  line("  }");
  line("}");
}

void ScriptFragment::foldTiles(llvm::StringRef function) {
  line("transform.apply_patterns to " + function + " {");
  line("  transform.apply_patterns.linalg.tiling_canonicalization");
  line("  transform.apply_patterns.scf.for_loop_canonicalization");
  line("  transform.apply_patterns.tensor.fold_tensor_empty");
  line("  transform.apply_patterns.canonicalization");
  line("} : !transform.any_op");
}

void ScriptFragment::cleanup() {
  foldTiles("%func");
  line("transform.apply_cse to %func : !transform.any_op");
}

void ScriptFragment::canonicalize(llvm::StringRef function) {
  line("transform.apply_patterns to " + function + " {");
  line("  transform.apply_patterns.canonicalization");
  line("} : !transform.any_op");
}

llvm::SmallVector<std::string>
ScriptFragment::tile(llvm::StringRef handle, bool fuse,
                     llvm::ArrayRef<int64_t> sizes,
                     llvm::ArrayRef<int64_t> interchange) {
  unsigned count = llvm::count_if(sizes, [](int64_t s) { return s != 0; });
  std::string tiled = name(), loops = name();
  std::string text = tiled + ", " + loops + ":" + std::to_string(count) +
                     " = transform.structured." +
                     (fuse ? "fuse " : "tile_using_for ") + handle.str() +
                     " tile_sizes " + printList(sizes);
  if (!interchange.empty())
    text +=
        (fuse ? " interchange " : " interchange = ") + printList(interchange);
  if (fuse)
    text += " {apply_cleanup}";
  line(text + " : (!transform.any_op) -> (" + anyOps(count + 1) + ")");
  llvm::SmallVector<std::string> results;
  for (unsigned i = 0; i != count; ++i)
    results.push_back(loops + "#" + std::to_string(i));
  return results;
}

std::string ScriptFragment::fuseInto(llvm::StringRef producer,
                                     llvm::StringRef loop) {
  std::string fused = name(), result = name();
  line(fused + ", " + result +
       " = transform.structured.fuse_into_containing_op " + producer +
       " into " + loop + " : (" + anyOps(2) + ") -> (" + anyOps(2) + ")");
  return result;
}

void ScriptFragment::shield(const llvm::Twine &op,
                            llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> threads(*llvm::max_element(dims) + 1, 0);
  for (int64_t dim : dims)
    threads[dim] = 1;
  std::string tiled = name(), loop = name();
  line(tiled + ", " + loop + " = transform.structured.tile_using_forall " + op +
       " num_threads " + printList(threads) +
       " : (!transform.any_op) -> (!transform.any_op, !transform.any_op)");
}

LogicalResult ScriptFragment::inlineWithResult(RewriterBase &rewriter,
                                               Operation *action, Value target,
                                               llvm::StringRef function) {
  // The last op hands the function on.
  line("%result = transform.merge_handles " + function +
       " : !transform.any_op");
  FailureOr<Value> result = inlineAt(rewriter, action, target);
  if (failed(result))
    return failure();
  rewriter.replaceAllUsesWith(action->getResult(0), *result);
  return success();
}

FailureOr<Value> ScriptFragment::inlineAt(RewriterBase &rewriter,
                                          Operation *action,
                                          Value target) const {
  std::string source =
      "module attributes {transform.with_named_sequence} {\n"
      "transform.named_sequence @fragment(%func: !transform.any_op) {\n" +
      body + "transform.yield\n}\n}\n";
  ParserConfig config(rewriter.getContext(), /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, config);
  if (!module) {
    action->emitOpError("could not be expanded: the fragment\n")
        << body << "does not parse";
    return failure();
  }
  auto sequence =
      cast<transform::NamedSequenceOp>(module->lookupSymbol("fragment"));
  IRMapping mapping;
  mapping.map(sequence.getBody().front().getArgument(0), target);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(action);
  Value last;
  for (Operation &op : sequence.getBody().front().without_terminator()) {
    Operation *copy = rewriter.clone(op, mapping);
    copy->walk([&](Operation *nested) { nested->setLoc(action->getLoc()); });
    last = copy->getNumResults() ? copy->getResult(0) : Value();
  }
  return last;
}
