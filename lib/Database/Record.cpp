//===- Record.cpp - One measured candidate --------------------------------===//
//
// The mapping between a record and its JSON object. One table of readers keeps
// the list of known keys in one place, so that what is left over is `extra`.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Database/Record.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace llvm;

namespace sched {

double median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::infinity();
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  double upper = values[middle];
  if (values.size() % 2)
    return upper;
  return (*std::max_element(values.begin(), values.begin() + middle) + upper) /
         2;
}

// The kinds that Measure/MeasureResult.h calls kWrongResult, kOutOfBounds.
bool Record::isWrong() const {
  return error == "wrong-result" || error == "out-of-bounds";
}

ComparisonStage Record::getComparisonStage() const {
  for (auto stage : {ComparisonStage::Screening, ComparisonStage::Final})
    if (trial == numberStage(stage))
      return stage;
  return ComparisonStage::None;
}

int64_t Record::getComparison() const {
  return getComparisonStage() == ComparisonStage::None
             ? 0
             : extra.getInteger(kComparisonKey).value_or(1);
}

double Record::medianS() const { return median(costsS); }

/// JSON strings must be UTF-8; a diagnostic may hold anything.
static json::Value text(StringRef string) { return json::fixUTF8(string); }

json::Value Record::toJSON() const {
  json::Object object = extra;
  object["v"] = v;
  object["workload"] =
      json::Object{{"hash", text(workload)}, {"text", text(workloadText)}};
  object["target"] = text(target);
  object["toolchain"] = text(toolchain);
  object["sketch"] = text(sketch);
  object["trace"] = text(trace);
  object["costs_s"] = json::Array(costsS);
  object["error"] = text(error);
  object["stage"] = text(stage);
  object["message"] = text(message);
  object["verified"] = verified;
  object["compile_s"] = compileS;
  object["run_s"] = runS;
  object["seed"] = seed;
  object["trial"] = trial;
  object["time"] = time;
  return object;
}

std::string Record::toLine() const {
  std::string line;
  raw_string_ostream(line) << toJSON();
  return line;
}

int64_t Record::versionOf(const json::Value &value) {
  if (const json::Object *object = value.getAsObject())
    return object->getInteger("v").value_or(0);
  return 0;
}

namespace {
/// Takes the known keys out of an object and remembers the first complaint.
class Reader {
public:
  explicit Reader(json::Object &object) : object(object) {}

  void read(StringRef key, std::string &out) {
    take(key, "a string", [&](const json::Value &value) {
      std::optional<StringRef> string = value.getAsString();
      if (string)
        out = string->str();
      return string.has_value();
    });
  }
  void read(StringRef key, double &out) {
    take(key, "a number", [&](const json::Value &value) {
      std::optional<double> number = value.getAsNumber();
      out = number.value_or(0);
      return number.has_value();
    });
  }
  void read(StringRef key, bool &out) {
    take(key, "true or false", [&](const json::Value &value) {
      std::optional<bool> boolean = value.getAsBoolean();
      out = boolean.value_or(false);
      return boolean.has_value();
    });
  }
  void read(StringRef key, int64_t &out) {
    take(key, "an integer", [&](const json::Value &value) {
      std::optional<int64_t> integer = value.getAsInteger();
      out = integer.value_or(0);
      return integer.has_value();
    });
  }
  void read(StringRef key, uint64_t &out) {
    take(key, "an integer >= 0", [&](const json::Value &value) {
      std::optional<uint64_t> integer = value.getAsUINT64();
      out = integer.value_or(0);
      return integer.has_value();
    });
  }
  void readCosts(StringRef key, std::vector<double> &out) {
    take(key, "an array of seconds above 0", [&](const json::Value &value) {
      const json::Array *array = value.getAsArray();
      if (!array)
        return false;
      for (const json::Value &element : *array) {
        std::optional<double> number = element.getAsNumber();
        if (!number || !std::isfinite(*number) || *number <= 0)
          return false;
        out.push_back(*number);
      }
      return true;
    });
  }
  void readWorkload(Record &record) {
    take("workload", "an object with hash and text",
         [&](const json::Value &value) {
           const json::Object *workload = value.getAsObject();
           if (!workload)
             return false;
           std::optional<StringRef> hash = workload->getString("hash");
           std::optional<StringRef> readable = workload->getString("text");
           if (!hash || !readable)
             return false;
           record.workload = hash->str();
           record.workloadText = readable->str();
           return true;
         });
  }

  std::string complaint;

private:
  template <typename Parse>
  void take(StringRef key, StringRef expected, Parse parse) {
    if (!complaint.empty())
      return;
    auto it = object.find(key);
    if (it == object.end()) {
      complaint = ("found no \"" + key + "\", expected " + expected).str();
      return;
    }
    if (!parse(it->second)) {
      raw_string_ostream(complaint) << "found \"" << key << "\":" << it->second
                                    << ", expected " << expected;
      return;
    }
    object.erase(it);
  }

  json::Object &object;
};
} // namespace

Expected<Record> Record::fromJSON(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError("found no JSON object, expected a record");
  Record record;
  record.extra = *object;
  Reader reader(record.extra);
  int64_t version = 0;
  reader.read("v", version);
  if (reader.complaint.empty() && (version < 1 || version > kRecordVersion))
    return createStringError("found a record of version %lld, expected at most "
                             "%d; read it with the sched-opt that wrote it",
                             static_cast<long long>(version), kRecordVersion);
  record.v = static_cast<int>(version);
  reader.readWorkload(record);
  reader.read("target", record.target);
  reader.read("toolchain", record.toolchain);
  reader.read("sketch", record.sketch);
  reader.read("trace", record.trace);
  reader.readCosts("costs_s", record.costsS);
  reader.read("error", record.error);
  reader.read("stage", record.stage);
  reader.read("message", record.message);
  reader.read("verified", record.verified);
  reader.read("compile_s", record.compileS);
  reader.read("run_s", record.runS);
  reader.read("seed", record.seed);
  reader.read("trial", record.trial);
  reader.read("time", record.time);
  if (!reader.complaint.empty())
    return createStringError(Twine(reader.complaint));
  return record;
}

} // namespace sched
