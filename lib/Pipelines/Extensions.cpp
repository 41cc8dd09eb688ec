//===- Extensions.cpp - What a plugin adds to the search ------------------===//

#include "SchedOpt/Pipelines/Extensions.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

const Extensions *Extensions::get(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<schedule::ScheduleDialect>();
  return dialect ? dialect->getRegisteredInterface<Extensions>() : nullptr;
}

Extensions &Extensions::getOrAdd(schedule::ScheduleDialect *dialect) {
  // Const only to those who look it up.
  if (auto *present = dialect->getRegisteredInterface<Extensions>())
    return const_cast<Extensions &>(*present);
  return dialect->addInterface<Extensions>();
}

const Extensions::ModelFactory *
Extensions::findCostModel(llvm::StringRef name) const {
  auto it = llvm::find_if(
      models, [&](const auto &model) { return model.first == name; });
  return it == models.end() ? nullptr : &it->second;
}

std::vector<std::unique_ptr<SketchRule>>
sched::collectSketchRules(MLIRContext *context) {
  std::vector<std::unique_ptr<SketchRule>> rules = createSketchRules();
  if (const Extensions *extensions = Extensions::get(context))
    for (const Extensions::RuleFactory &make : extensions->getRules())
      rules.push_back(make());
  return rules;
}
