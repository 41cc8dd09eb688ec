//===- SpaceGenerator.cpp - All sketches of a task ------------------------===//

#include "SchedOpt/Space/SpaceGenerator.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/TargetConversion.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

std::string
sched::writeSpace(const Task &task, const Target &target,
                  llvm::ArrayRef<std::unique_ptr<SketchRule>> rules) {
  // The rank and the position, so that rules of one rank keep their order.
  llvm::SmallVector<std::pair<int, unsigned>> ranked;
  for (auto [i, rule] : llvm::enumerate(rules))
    if (rule->applies(task, target))
      ranked.push_back({-rule->getPriority(task, target), i});
  if (ranked.empty())
    return "";
  llvm::sort(ranked);
  // For the target's attribute.
  MLIRContext *context = task.getFunction().getContext();
  context->getOrLoadDialect<schedule::ScheduleDialect>();
  std::string text;
  llvm::raw_string_ostream(text)
      << "schedule.space @"
      << toStringLiteral(task.function + "_" + std::to_string(task.index))
      << " workload(\"" << task.hash << "\", \"" << task.text << "\") target("
      << schedule::getTargetAttr(context, target) << ") {\n";
  for (auto [rank, i] : ranked)
    text += rules[i]->write(task, target);
  return text + "}\n";
}

/// Null, and `message`, where `text` is not valid.
static OwningOpRef<ModuleOp> parse(llvm::StringRef text, MLIRContext *context,
                                   std::string &message) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty() &&
        diagnostic.getSeverity() == DiagnosticSeverity::Error)
      message = diagnostic.str();
    return success();
  });
  return parseSourceString<ModuleOp>(text, context);
}

llvm::Expected<OwningOpRef<ModuleOp>>
sched::generateSpace(const Task &task, const Target &target,
                     llvm::ArrayRef<std::unique_ptr<SketchRule>> rules,
                     MLIRContext *context) {
  std::string message;
  auto module = parse(writeSpace(task, target, rules), context, message);
  if (module)
    return module;
  // What each wrote may be right by itself, as two sketches of one name are.
  std::string author = "a sketch rule";
  for (const std::unique_ptr<SketchRule> &rule : rules) {
    std::string own;
    if (rule->applies(task, target) &&
        !parse(rule->write(task, target), context, own)) {
      author = "the sketch rule '" + rule->getName().str() + "'";
      message = own;
      break;
    }
  }
  return llvm::createStringError(author + " wrote invalid IR: " + message);
}

void sched::remarkNoRule(const Task &task) {
  emitRemark(task.getFunction().getLoc())
      << "compiled by the default schedule, without a search: no rule applies "
         "to "
      << task.text;
}
