//===- ProcessModel.cpp - A cost model in another process -----------------===//

#include "ProcessModel.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/SwapByteOrder.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;
using namespace sched;

static_assert(sys::IsLittleEndianHost, "arrays are sent as they are in memory");

/// Changes with the messages; python/sched_opt/cost_model_server.py has it,
/// too.
static constexpr int kModelProtocol = 1;

/// Loading a framework may take this long, and so may learning from a batch.
static constexpr double kReplyS = 120;

/// Saving what was learned.
static constexpr double kEndS = 10;

/// Seconds that replace `kReplyS`.
static constexpr char kReplyVariable[] = "SCHED_MODEL_TIMEOUT";

/// Of a candidate that is not legal, and not shown to the model.
static constexpr double kIllegalScore = 1e-300;

/// A score that has a logarithm of full precision: the least that is taken,
/// here and by the other end.
static constexpr double kLeastScore = std::numeric_limits<double>::min();

static constexpr StringLiteral kPython = "python:", kCommand = "command:";

bool ModelProcess::isAskedFor(StringRef costModel) {
  return costModel.starts_with(kPython) || costModel.starts_with(kCommand);
}

static Expected<std::string> findProgram(StringRef name, StringRef advice) {
  // What has a slash is not looked for.
  ErrorOr<std::string> path = sys::findProgramByName(name);
  if (path && sys::fs::can_execute(*path) && !sys::fs::is_directory(*path))
    return *path;
  return createStringError("cost-model: found no program '" + name +
                           "', expected " + advice);
}

/// `FILE.py:CLASS`, or `--connect:SOCKET` for a model of the program that
/// started this one.
static Expected<std::vector<std::string>> parsePython(StringRef text) {
  auto [file, name] = text.rsplit(':');
  if (file.empty() || name.empty())
    return createStringError("cost-model: found 'python:" + text +
                             "', expected python:FILE.py:CLASS");
  if (!file.starts_with("--") && !sys::fs::exists(file))
    return createStringError("cost-model: found no file at '" + file +
                             "', expected the Python of a cost model");
  std::optional<std::string> named = sys::Process::GetEnv("SCHED_PYTHON");
  Expected<std::string> python = findProgram(
      named ? *named : "python3",
      "Python 3 with the package sched_opt; set SCHED_PYTHON to its path");
  if (!python)
    return python.takeError();
  return std::vector<std::string>{*python, "-m", "sched_opt.serve_cost_model",
                                  file.str(), name.str()};
}

static Expected<std::vector<std::string>> parseCommand(StringRef text) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  if (words.empty())
    return createStringError("cost-model: found 'command:', expected a program "
                             "and its arguments behind it");
  std::vector<std::string> command(words.begin(), words.end());
  Expected<std::string> program = findProgram(command[0], "its path");
  if (!program)
    return program.takeError();
  command[0] = *program;
  return command;
}

static Expected<double> getReplySeconds() {
  std::optional<std::string> named = sys::Process::GetEnv(kReplyVariable);
  double seconds = kReplyS;
  if (named && (StringRef(*named).getAsDouble(seconds) || !(seconds > 0)))
    return createStringError("%s must be a number of seconds above 0; found %s",
                             kReplyVariable, named->c_str());
  return seconds;
}

Expected<std::shared_ptr<ModelProcess>>
ModelProcess::start(StringRef costModel, const Target &target,
                    std::function<void(const Twine &)> warn,
                    const std::atomic<bool> *stop) {
  StringRef rest = costModel;
  Expected<std::vector<std::string>> command =
      rest.consume_front(kPython)
          ? parsePython(rest)
          : parseCommand(rest.drop_front(kCommand.size()));
  if (!command)
    return command.takeError();
  Expected<double> replyS = getReplySeconds();
  if (!replyS)
    return replyS.takeError();
  Expected<std::unique_ptr<WorkerProcess>> process =
      WorkerProcess::spawnCommand(*command);
  if (!process)
    return createStringError("cost-model: " + toString(process.takeError()));
  std::shared_ptr<ModelProcess> result(
      new ModelProcess(std::move(*process), *replyS, std::move(warn), stop));
  if (Error error = result->introduce(target))
    return std::move(error);
  return result;
}

ModelProcess::~ModelProcess() {
  // What it has learned may be worth keeping; whether it does is its own
  // affair.
  if (process && !(stop && stop->load()))
    process->ask(json::Object{{"op", "end"}}, std::min(replyS, kEndS), stop);
}

/// Name, unit and definition of each feature.
template <typename Index>
static json::Array describe(const FeatureInfo &(*getInfo)(Index),
                            unsigned count) {
  json::Array rows;
  for (unsigned i = 0; i != count; ++i) {
    const FeatureInfo &info = getInfo(static_cast<Index>(i));
    rows.push_back(json::Array{info.name, info.unit, info.definition});
  }
  return rows;
}

/// The columns of a row: of a block, or of a kernel and what is 0 after that.
static json::Array describeRows(const Target &target) {
  if (target.kind != Target::Kind::NVVM)
    return describe(getBlockFeatureInfo, kNumBlockFeatures);
  json::Array rows = describe(getKernelFeatureInfo, kNumKernelFeatures);
  for (unsigned i = kNumKernelFeatures; i != kNumBlockFeatures; ++i)
    rows.push_back(json::Array{"unused" + std::to_string(i), "", "0"});
  return rows;
}

Error ModelProcess::introduce(const Target &target) {
  std::string failure;
  const unsigned version = target.kind == Target::Kind::NVVM
                               ? kKernelFeatureVersion
                               : kBlockFeatureVersion;
  json::Object hello{{"op", "hello"},
                     {"protocol", kModelProtocol},
                     {"target", target.str()},
                     {"features", describe(getFeatureInfo, kNumFeatures)},
                     {"feature_version", kFeatureVersion},
                     {"block_features", describeRows(target)},
                     {"block_feature_version", version}};
  std::optional<json::Object> answer = request(std::move(hello), failure);
  if (!answer) {
    // Of a stopped search, which ends anyway.
    if (failure.empty())
      return Error::success();
    process.reset();
    return createStringError("cost-model: the model could not begin: its "
                             "process " +
                             failure);
  }
  if (std::optional<StringRef> given = answer->getString("name"))
    name = given->str();
  isReadingBlocks = answer->getBoolean("reads_blocks").value_or(false);
  return Error::success();
}

void ModelProcess::giveUp(const Twine &reason) {
  process.reset();
  warn("the cost model " + name + " " + reason +
       "; the analytic model takes over");
}

void ModelProcess::reject(const Twine &reason) {
  std::lock_guard<std::mutex> lock(mutex);
  if (process)
    giveUp(reason);
}

std::optional<json::Object> ModelProcess::request(json::Object message,
                                                  std::string &failure) {
  Outcome outcome = process->ask(std::move(message), replyS, stop);
  switch (outcome.kind) {
  case Outcome::Kind::Answered: {
    json::Object &answer = *outcome.answer.getAsObject();
    if (answer.getBoolean("ok").value_or(false))
      return std::move(answer);
    failure = "failed: " +
              answer.getString("message").value_or("it says no why").str();
    break;
  }
  case Outcome::Kind::Died:
    failure = "has ended (" + outcome.detail + ")";
    break;
  case Outcome::Kind::TimedOut:
    failure = "has not answered within " + formatv("{0:f1}", replyS).str() +
              " s (" + kReplyVariable + ")";
    break;
  case Outcome::Kind::Stopped:
    // The search ends anyway.
    process.reset();
    break;
  }
  return std::nullopt;
}

std::optional<json::Object> ModelProcess::ask(json::Object message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!process)
    return std::nullopt;
  std::string failure;
  std::optional<json::Object> answer = request(std::move(message), failure);
  if (!failure.empty())
    giveUp(failure);
  return answer;
}

/// The elements as they are in memory.
template <typename T> static std::string encode(ArrayRef<T> elements) {
  return encodeBase64(
      ArrayRef<char>(reinterpret_cast<const char *>(elements.data()),
                     elements.size() * sizeof(T)));
}

/// Whether the search has no features of a candidate, as it is not legal.
static bool isBlank(const FeatureVector &features) {
  return all_of(features.values, [](float value) { return value == 0; });
}

/// The legal candidates of a batch as a request; `kept` gets their positions.
static json::Object makeRequest(StringRef op, const FeatureBatch &batch,
                                StringRef task, bool withBlocks,
                                SmallVectorImpl<size_t> &kept) {
  std::vector<FeatureVector> programs;
  std::vector<BlockFeatureVector> blocks;
  std::vector<uint32_t> ends;
  for (size_t i = 0, e = batch.size(); i != e; ++i) {
    if (isBlank(batch.getPrograms()[i]))
      continue;
    kept.push_back(i);
    programs.push_back(batch.getPrograms()[i]);
    append_range(blocks, batch.getBlocks(i));
    ends.push_back(blocks.size());
  }
  json::Object request{{"op", op},
                       {"task", task},
                       {"count", static_cast<int64_t>(programs.size())},
                       {"programs", encode<FeatureVector>(programs)}};
  if (withBlocks) {
    request["blocks"] = encode<BlockFeatureVector>(blocks);
    request["block_ends"] = encode<uint32_t>(ends);
  }
  return request;
}

/// Writes the numbers that `answer` has under `key`; false where they are not
/// one a candidate, finite, and above `least` or equal to it.
static bool decode(const json::Object &answer, StringRef key,
                   ArrayRef<size_t> kept, double least,
                   MutableArrayRef<double> numbers) {
  std::optional<StringRef> text = answer.getString(key);
  std::vector<char> bytes;
  if (!text)
    return false;
  if (Error error = decodeBase64(*text, bytes)) {
    consumeError(std::move(error));
    return false;
  }
  if (bytes.size() != kept.size() * sizeof(double))
    return false;
  for (auto [i, position] : enumerate(kept)) {
    double number;
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    if (!std::isfinite(number) || number < least)
      return false;
    numbers[position] = number;
  }
  return true;
}

/// False where the model has failed; then nothing of use was written.
bool ProcessModel::ask(const FeatureBatch &batch,
                       MutableArrayRef<double> scores,
                       MutableArrayRef<double> doubts) const {
  SmallVector<size_t> kept;
  json::Object request =
      makeRequest("predict", batch, task, readsBlocks(), kept);
  request["with_doubt"] = !doubts.empty();
  fill(scores, kIllegalScore);
  fill(doubts, 0.0);
  if (kept.empty())
    return true;
  std::optional<json::Object> answer = process->ask(std::move(request));
  if (!answer)
    return false;
  if (!decode(*answer, "scores", kept, kLeastScore, scores)) {
    process->reject(
        "has answered without one finite score above 0 for each of " +
        Twine(kept.size()) + " candidates");
    return false;
  }
  if (!doubts.empty() && answer->get("doubts") &&
      !decode(*answer, "doubts", kept, 0, doubts)) {
    process->reject("has answered without one finite doubt for each of " +
                    Twine(kept.size()) + " candidates");
    return false;
  }
  return true;
}

void ProcessModel::predict(const FeatureBatch &batch,
                           MutableArrayRef<double> scores) const {
  if (!ask(batch, scores, {}))
    fallback.predict(batch, scores);
}

void ProcessModel::predictWithDoubt(const FeatureBatch &batch,
                                    MutableArrayRef<double> scores,
                                    MutableArrayRef<double> doubts) const {
  if (!ask(batch, scores, doubts))
    fallback.predictWithDoubt(batch, scores, doubts);
}

Error ProcessModel::update(const FeatureBatch &batch, ArrayRef<double> seconds,
                           StringRef task) {
  SmallVector<size_t> kept;
  json::Object request =
      makeRequest("update", batch, task, readsBlocks(), kept);
  std::vector<double> known;
  for (size_t position : kept)
    known.push_back(seconds[position]);
  request["seconds"] = encode<double>(known);
  if (!kept.empty())
    process->ask(std::move(request));
  return Error::success();
}
