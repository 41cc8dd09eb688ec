//===- learn-bench.cpp - How long the learned model takes -----------------===//
//
//   learn-bench [--json] [--trained=N] [--known=N] [--predicted=N]
//
// Times what a search waits for, on candidates drawn by chance, three rows of
// blocks each: an update at 1,000 records, a training with 10,000, and
// predictions of 2,000, in wall and processor seconds; with --json as one
// object,
// {"update at 1000": {"wall_s":, "user_s":}, ...}.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/XGBoostModel.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <random>
#include <sys/resource.h>

using namespace sched;

namespace {

llvm::cl::opt<bool> isJSON("json", llvm::cl::desc("One JSON object"));
llvm::cl::opt<unsigned> trained("trained", llvm::cl::init(10000),
                                llvm::cl::desc("Records of the training"));
llvm::cl::opt<unsigned> known("known", llvm::cl::init(1000),
                              llvm::cl::desc("Records before the update"));
llvm::cl::opt<unsigned>
    predicted("predicted", llvm::cl::init(2000),
              llvm::cl::desc("Candidates of the prediction"));

struct Times {
  double wall = 0, user = 0;
  static Times now() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return {std::chrono::duration<double>(
                std::chrono::steady_clock::now().time_since_epoch())
                .count(),
            double(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec};
  }
  Times since(const Times &begin) const {
    return {wall - begin.wall, user - begin.user};
  }
};
} // namespace

/// Candidates with features of all sizes, and times that follow from some.
static FeatureBatch makeBatch(size_t n, std::mt19937_64 &bits,
                              std::vector<double> &seconds) {
  FeatureBatch batch;
  auto draw = [&] { return std::exp(20 * double(bits() >> 11) * 0x1.0p-53); };
  for (size_t i = 0; i != n; ++i) {
    FeatureVector program;
    for (float &value : program.values)
      value = draw();
    double effect = 0;
    for (unsigned row = 0; row != 3; ++row) {
      BlockFeatureVector block;
      for (float &value : block.values)
        value = draw();
      effect += std::log(block.values[0]) > 10 ? 0.4 : 0;
      batch.getRows().push_back(block);
    }
    batch.add(program);
    seconds.push_back(1e-4 * std::exp(effect + std::log(draw()) / 40));
  }
  return batch;
}

static llvm::Expected<llvm::json::Object> run() {
  auto library = XGBoostLibrary::load();
  if (!library)
    return library.takeError();
  std::mt19937_64 bits(0);
  llvm::json::Object result;
  auto report = [&](const std::string &what, const Times &times) {
    result[what] =
        llvm::json::Object{{"wall_s", times.wall}, {"user_s", times.user}};
  };
  const LearningOptions options;
  auto start = XGBoostModel::create(*library, Target(), options);
  if (!start)
    return start.takeError();
  // Tasks of 100 candidates.
  auto add = [&](XGBoostModel &model, size_t n) {
    for (size_t begin = 0; begin < n; begin += 100) {
      std::vector<double> own;
      FeatureBatch batch =
          makeBatch(std::min<size_t>(100, n - begin), bits, own);
      model.add(batch, own, std::to_string(begin), Target());
    }
  };
  add(**start, trained);
  Times begin = Times::now();
  if (llvm::Error error = (*start)->train())
    return std::move(error);
  report("training of " + std::to_string(trained), Times::now().since(begin));

  auto model =
      XGBoostModel::create(*library, Target(), options, &(*start)->getFile());
  if (!model)
    return model.takeError();
  add(**model, known);
  std::vector<double> own, scores(1);
  FeatureBatch batch = makeBatch(16, bits, own), one = makeBatch(1, bits, own);
  own.resize(16);
  begin = Times::now();
  if (llvm::Error error = (*model)->update(batch, own, "new"))
    return std::move(error);
  // The first prediction learns.
  (*model)->predict(one, scores);
  report("update at " + std::to_string(known), Times::now().since(begin));

  FeatureBatch unknown = makeBatch(predicted, bits, own);
  scores.resize(unknown.size());
  begin = Times::now();
  (*model)->predict(unknown, scores);
  report("prediction of " + std::to_string(predicted),
         Times::now().since(begin));
  return result;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "How long the learned model takes\n");
  auto result = run();
  if (!result) {
    llvm::errs() << "learn-bench: " << llvm::toString(result.takeError())
                 << "\n";
    return 1;
  }
  if (isJSON) {
    llvm::outs() << llvm::json::Value(std::move(*result)) << "\n";
    return 0;
  }
  for (const auto &[what, times] : *result)
    llvm::outs() << llvm::format("%-20s %6.3f s, %6.3f s of processors\n",
                                 what.str().c_str(),
                                 *times.getAsObject()->getNumber("wall_s"),
                                 *times.getAsObject()->getNumber("user_s"));
  return 0;
}
