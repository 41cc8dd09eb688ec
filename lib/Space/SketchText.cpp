//===- SketchText.cpp - Lines of a sketch ---------------------------------===//

#include "SketchText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace sched;

void SketchText::line(const llvm::Twine &content) {
  text += "  " + content.str() + "\n";
}

std::string sched::printList(llvm::ArrayRef<int64_t> values) {
  return "[" +
         llvm::join(llvm::map_range(
                        values, [](int64_t v) { return std::to_string(v); }),
                    ", ") +
         "]";
}

void SketchText::decide(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                        int64_t defaultValue) {
  line("%" + name + " = schedule.sample_categorical \"" + name + "\" from " +
       printList(values) + " default " + llvm::Twine(defaultValue) +
       " : !transform.param<i64>");
}

void SketchText::constant(llvm::StringRef name, int64_t value) {
  line("%" + name + " = transform.param.constant " + llvm::Twine(value) +
       " : i64 -> !transform.param<i64>");
}

void SketchText::matchFunction(llvm::StringRef name) {
  line("%" + name +
       " = transform.structured.match ops{[\"func.func\"]} "
       "attributes{sym_name = " +
       toStringLiteral(task.getFunction().getSymName()) +
       "} in %root : (!transform.any_op) -> !transform.any_op");
}

std::string SketchText::fuseElementwise() {
  if (!task.blocks.isFused)
    return "%func";
  auto quoted =
      llvm::map_range(task.blocks.generalize,
                      [](const std::string &op) { return "\"" + op + "\""; });
  std::string apart;
  if (task.blocks.apart)
    apart = " apart \"" + task.blocks.apart->name + "\" at " +
            std::to_string(task.blocks.apart->number) + " of " +
            std::to_string(task.blocks.apart->count) + " dims " +
            printList(task.blocks.apartLoops);
  line("%fused = schedule.fuse_elementwise %func [" + llvm::join(quoted, ", ") +
       "]" + apart);
  return "%fused";
}

std::string SketchText::beginBlocks(llvm::ArrayRef<std::string> names,
                                    bool splitsSoftmax) {
  matchFunction("func");
  if (splitsSoftmax) {
    line("%softmax = transform.structured.match ops{[\"linalg.softmax\"]} in "
         "%func : (!transform.any_op) -> !transform.any_op");
    line("%parts = transform.structured.decompose_interface %softmax : "
         "(!transform.any_op) -> !transform.any_op");
  }
  const std::string function = fuseElementwise();
  auto quoted = llvm::map_range(
      names, [](const std::string &name) { return "\"" + name + "\""; });
  line("schedule.name_blocks " + function + " [" + llvm::join(quoted, ", ") +
       "]");
  return function;
}
