//===- CostModelFactory.cpp - A cost model by its name --------------------===//

#include "SchedOpt/CostModel/CostModelFactory.h"
#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/PretrainedModel.h"
#include "SchedOpt/CostModel/RandomModel.h"
#include "SchedOpt/CostModel/XGBoostModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace sched;

/// What `auto` stands for.
static constexpr llvm::StringLiteral kAutoSort = "xgboost";

/// Ends the names of models that begin without trees.
static constexpr llvm::StringLiteral kFresh = "-fresh";

llvm::Expected<std::unique_ptr<CostModel>>
sched::createCostModel(llvm::StringRef name, const Target &target,
                       uint64_t seed,
                       llvm::function_ref<void(const llvm::Twine &)> warn,
                       llvm::ArrayRef<llvm::StringRef> libraries) {
  if (name == "random")
    return std::make_unique<RandomModel>(seed);
  if (name == "analytic")
    return std::make_unique<AnalyticModel>(target);
  llvm::StringRef sort =
      name == kAutoCostModel ? llvm::StringRef(kAutoSort) : name;
  const bool isFresh = sort.consume_back(kFresh);
  const bool isFile = sort != "xgboost" && sort != "ensemble";
  // A misspelt name is no matter of XGBoost.
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (isFile) {
    auto opened = llvm::MemoryBuffer::getFile(name);
    if (!opened)
      return llvm::createStringError(
          "unknown cost model '" + name +
          "'; expected analytic, random, xgboost, ensemble, xgboost-fresh, "
          "ensemble-fresh, auto, python:FILE.py:CLASS, "
          "command:PROGRAM ARGUMENT..., or a file that "
          "`sched-db train` wrote (" +
          opened.getError().message() + ")");
    buffer = std::move(*opened);
  }
  auto takeAnalytic = [&](llvm::Error reason) {
    warn(llvm::toString(std::move(reason)) +
         "; the analytic cost model is used instead");
    return std::make_unique<AnalyticModel>(target);
  };
  auto library = XGBoostLibrary::load(libraries);
  if (!library)
    return takeAnalytic(library.takeError());
  LearningOptions options;
  options.seed = seed;
  options.doubts = sort != "xgboost";
  if (isFresh && !isFile)
    return XGBoostModel::create(std::move(*library), target, options);
  auto start =
      ModelFile::parse(isFile ? buffer->getBuffer() : getPretrainedModel(),
                       isFile ? name : llvm::StringRef(kPretrainedName),
                       (*library)->getVersion());
  if (!start && isFile)
    return start.takeError();
  if (!start) {
    // Of another version of the features, while these are worked on.
    warn(llvm::toString(start.takeError()) +
         " (benchmarks/pretrain.py); until then the cost model begins with "
         "nothing");
    return XGBoostModel::create(std::move(*library), target, options);
  }
  options.members = start->scores.size();
  return XGBoostModel::create(std::move(*library), target, options, &*start);
}
