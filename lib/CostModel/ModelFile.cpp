//===- ModelFile.cpp - A learned model as a file --------------------------===//

#include "SchedOpt/CostModel/ModelFile.h"
#include "SchedOpt/CostModel/FeatureColumns.h"
#include "SchedOpt/CostModel/TreeEnsemble.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace sched;
namespace json = llvm::json;

static constexpr char kFormat[] = "sched-opt cost model";
static constexpr int kModelFileVersion = 1;

static json::Array getSizes(llvm::ArrayRef<std::string> boosters) {
  json::Array sizes;
  for (const std::string &bytes : boosters)
    sizes.push_back(int64_t(bytes.size()));
  return sizes;
}

std::string ModelFile::str() const {
  json::Object header{{"format", kFormat},
                      {"v", kModelFileVersion},
                      {"features", kFeatureVersion},
                      {"block_features", kBlockFeatureVersion},
                      {"columns", json::Array(getColumnNames())},
                      {"objective", getObjectiveName(objective)},
                      {"xgboost", version.str()},
                      {"scale", scale},
                      {"tasks", int64_t(numTasks)},
                      {"candidates", int64_t(numCandidates)},
                      {"kinds", json::Array(kinds)},
                      {"scores", getSizes(scores)},
                      {"failures", getSizes(failures)}};
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  os << json::Value(std::move(header)) << "\n";
  for (const std::string &booster : scores)
    os << booster;
  for (const std::string &booster : failures)
    os << booster;
  return bytes;
}

static std::optional<XGBoostVersion> parseVersion(llvm::StringRef text) {
  XGBoostVersion version;
  auto [major, rest] = text.split('.');
  auto [minor, patch] = rest.split('.');
  if (major.getAsInteger(10, version.major) ||
      minor.getAsInteger(10, version.minor) ||
      patch.getAsInteger(10, version.patch))
    return std::nullopt;
  return version;
}

/// Takes the boosters whose sizes are under `key` from the front of `bytes`.
static bool take(const json::Object &header, llvm::StringRef key,
                 llvm::StringRef &bytes, std::vector<std::string> &boosters) {
  const json::Array *sizes = header.getArray(key);
  if (!sizes)
    return false;
  for (const json::Value &value : *sizes) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size <= 0 || uint64_t(*size) > bytes.size())
      return false;
    boosters.push_back(bytes.take_front(*size).str());
    bytes = bytes.drop_front(*size);
  }
  return true;
}

/// The first column that the file has otherwise, for an error.
static std::string describeColumns(const json::Object &header) {
  const json::Array *names = header.getArray("columns");
  if (!names)
    return "it names no columns";
  const std::vector<std::string> &expected = getColumnNames();
  for (size_t i = 0; i != std::max(names->size(), expected.size()); ++i) {
    const std::string found = i < names->size()
                                  ? (*names)[i].getAsString().value_or("").str()
                                  : "none";
    const std::string wanted = i < expected.size() ? expected[i] : "none";
    if (found != wanted)
      return "its column " + std::to_string(i) + " is " + found + ", not " +
             wanted;
  }
  return "";
}

llvm::Expected<ModelFile> ModelFile::parse(llvm::StringRef bytes,
                                           llvm::StringRef name,
                                           const XGBoostVersion &library) {
  auto fail = [&](const llvm::Twine &problem) {
    return llvm::createStringError("'" + name + "' " + problem);
  };
  auto [line, rest] = bytes.split('\n');
  auto parsed = json::parse(line);
  const json::Object *header = parsed ? parsed->getAsObject() : nullptr;
  if (!header || header->getString("format") != kFormat) {
    llvm::consumeError(parsed.takeError());
    return fail("is no cost model; expected a file that `sched-db train -o` "
                "wrote");
  }
  const int64_t v = header->getInteger("v").value_or(0);
  if (v != kModelFileVersion)
    return fail("is a cost model of format version " + llvm::Twine(v) +
                "; expected " + llvm::Twine(kModelFileVersion) +
                ": train it again with sched-db train");
  const int64_t features = header->getInteger("features").value_or(0),
                blocks = header->getInteger("block_features").value_or(0);
  std::string problem;
  if (features != kFeatureVersion || blocks != kBlockFeatureVersion)
    problem = "is of version " + std::to_string(features) +
              " of the features and " + std::to_string(blocks) +
              " of the blocks' features; expected " +
              std::to_string(kFeatureVersion) + " and " +
              std::to_string(kBlockFeatureVersion);
  else if (problem = describeColumns(*header); !problem.empty())
    problem = "is of other features: " + problem;
  if (!problem.empty())
    return fail(problem + ": train it again from its records with sched-db "
                          "train");
  ModelFile file;
  file.name = name.str();
  auto objective = parseObjective(header->getString("objective").value_or(""));
  auto version = parseVersion(header->getString("xgboost").value_or(""));
  if (!objective || *objective == ObjectiveKind::Failure || !version)
    return fail("is a cost model with no objective, or no version of XGBoost, "
                "that is known here; train it again with sched-db train");
  if (library < *version)
    return fail("was written by XGBoost " + version->str() + "; found " +
                library.str() +
                ", which cannot read it: install that release "
                "or a later one, or train it again with sched-db train");
  file.objective = *objective;
  file.scale = header->getNumber("scale").value_or(0);
  if (!(file.scale > 0 && file.scale <= 1))
    return fail("is a cost model with no scale above 0 and up to 1; train it "
                "again with sched-db train");
  file.version = *version;
  if (const json::Array *kinds = header->getArray("kinds"))
    for (const json::Value &kind : *kinds)
      file.kinds.push_back(kind.getAsString().value_or("").str());
  file.numTasks = header->getInteger("tasks").value_or(0);
  file.numCandidates = header->getInteger("candidates").value_or(0);
  if (!take(*header, "scores", rest, file.scores) ||
      !take(*header, "failures", rest, file.failures) || file.scores.empty() ||
      !rest.empty())
    return fail("is a cost model of another length than it says; copy it "
                "again, or train it again with sched-db train");
  if (file.scores.size() > kMaxBoosters || file.failures.size() > 1)
    return fail("is a cost model of " + llvm::Twine(file.scores.size()) +
                " boosters and " + llvm::Twine(file.failures.size()) +
                " of failures; expected at most " + llvm::Twine(kMaxBoosters) +
                " and 1: train it again with sched-db train");
  return file;
}

llvm::Error ModelFile::write(llvm::StringRef path) const {
  // Under another name first, then renamed.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << str();
    return llvm::Error::success();
  });
  if (!error)
    return error;
  return llvm::createStringError("cannot write the cost model '" + path +
                                 "': " + llvm::toString(std::move(error)));
}
