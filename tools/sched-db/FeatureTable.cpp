//===- FeatureTable.cpp - Prints the features of records ------------------===//

#include "FeatureTable.h"
#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace sched::db {

static constexpr StringLiteral kProgramPrefix = "program_",
                               kBlockPrefix = "block_",
                               kKernelPrefix = "kernel_";

static const FeatureInfo &getInfo(unsigned index) {
  return getFeatureInfo(static_cast<Feature>(index));
}
static const FeatureInfo &getBlockInfo(unsigned index) {
  return getBlockFeatureInfo(static_cast<BlockFeature>(index));
}
static const FeatureInfo &getKernelInfo(unsigned index) {
  return getKernelFeatureInfo(static_cast<KernelFeature>(index));
}

static bool hasKernels(const TrainingTask &task) {
  return task.machine.kind == Target::Kind::NVVM;
}
/// What of a kernel's row has a meaning.
static ArrayRef<float> getKernelValues(const BlockFeatureVector &row) {
  return ArrayRef(row.values).take_front(kNumKernelFeatures);
}

static double predict(const TrainingTask &task, size_t candidate) {
  return AnalyticModel(task.machine)
      .seconds(task.features.getPrograms()[candidate]);
}

/// As spreadsheets and pandas read it.
static std::string quote(StringRef text) {
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// So many digits give the same number back.
static void print(raw_ostream &os, float value) {
  os << ',' << format("%.9g", double(value));
}

void printCSV(raw_ostream &os, ArrayRef<TrainingTask> tasks) {
  os << "workload,text,target,toolchain,trial,seconds,analytic_seconds,block";
  for (unsigned i = 0; i != kNumFeatures; ++i)
    os << ',' << kProgramPrefix << getInfo(i).name;
  // Of tasks for CPUs and for GPUs, each has columns of its own.
  const bool anyKernels = any_of(tasks, hasKernels),
             anyBlocks = !all_of(tasks, hasKernels) || tasks.empty();
  for (unsigned i = 0; anyBlocks && i != kNumBlockFeatures; ++i)
    os << ',' << kBlockPrefix << getBlockInfo(i).name;
  for (unsigned i = 0; anyKernels && i != kNumKernelFeatures; ++i)
    os << ',' << kKernelPrefix << getKernelInfo(i).name;
  os << '\n';
  for (const TrainingTask &task : tasks) {
    const std::string name = task.workload + "," + quote(task.text) + "," +
                             quote(task.target) + "," + quote(task.toolchain);
    for (size_t i = 0; i != task.features.size(); ++i)
      for (auto [number, block] : enumerate(task.features.getBlocks(i))) {
        os << name << ',' << task.trials[i] << ','
           << format("%.9g,%.9g,", task.seconds[i], predict(task, i)) << number;
        for (float value : task.features.getPrograms()[i].values)
          print(os, value);
        const bool isKernel = hasKernels(task);
        if (anyBlocks && isKernel)
          os << std::string(kNumBlockFeatures, ',');
        for (float value :
             isKernel ? getKernelValues(block) : ArrayRef<float>(block.values))
          print(os, value);
        if (anyKernels && !isKernel)
          os << std::string(kNumKernelFeatures, ',');
        os << '\n';
      }
  }
}

template <typename Values, typename GetInfo>
static json::Object toObject(const Values &values, GetInfo &&getInfo) {
  json::Object object;
  for (unsigned i = 0, e = values.size(); i != e; ++i)
    object[getInfo(i).name] = values[i];
  return object;
}

void printJSON(raw_ostream &os, ArrayRef<TrainingTask> tasks) {
  for (const TrainingTask &task : tasks)
    for (size_t i = 0; i != task.features.size(); ++i) {
      json::Array blocks;
      for (const BlockFeatureVector &block : task.features.getBlocks(i))
        blocks.push_back(
            hasKernels(task)
                ? toObject(getKernelValues(block), getKernelInfo)
                : toObject(ArrayRef<float>(block.values), getBlockInfo));
      // JSON has no infinity.
      json::Value seconds = nullptr;
      if (std::isfinite(task.seconds[i]))
        seconds = task.seconds[i];
      os << json::Value(json::Object{
                {"feature_version", kFeatureVersion},
                {"block_feature_version", hasKernels(task)
                                              ? kKernelFeatureVersion
                                              : kBlockFeatureVersion},
                {"workload", task.workload},
                {"text", task.text},
                {"target", task.target},
                {"toolchain", task.toolchain},
                {"trial", task.trials[i]},
                {"seconds", std::move(seconds)},
                {"analytic_seconds", predict(task, i)},
                {"program",
                 toObject(task.features.getPrograms()[i].values, getInfo)},
                {"blocks", std::move(blocks)}})
         << '\n';
    }
}

} // namespace sched::db
