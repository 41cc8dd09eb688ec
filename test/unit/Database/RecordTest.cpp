//===- RecordTest.cpp - One measured candidate ----------------------------===//

#include "SchedOpt/Database/Record.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace sched;

namespace {

Record makeRecord() {
  Record record;
  record.workload = "9f03";
  record.workloadText = "matmul \"f32\" 128x128x128";
  record.target = "cpu:mcpu=znver3";
  record.toolchain = "LLVM 22.1.8";
  record.sketch = "3c";
  record.trace = "tile = [4, 16]\nunroll = 4";
  record.costsS = {3e-5, 1.25e-5, 2e-5};
  record.verified = true;
  record.compileS = 0.05;
  record.runS = 0.07;
  record.seed = 18446744073709551615ull;
  record.trial = 12;
  record.time = 1767225600.5;
  return record;
}

Expected<Record> parse(StringRef line) {
  Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  return Record::fromJSON(*value);
}

std::string complaint(StringRef line) {
  Expected<Record> record = parse(line);
  return record ? "" : toString(record.takeError());
}

TEST(Record, RoundTripsThroughOneLine) {
  Record record = makeRecord();
  std::string line = record.toLine();
  EXPECT_EQ(StringRef(line).count('\n'), 0u);
  Expected<Record> read = parse(line);
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_EQ(read->toLine(), line);
  EXPECT_EQ(read->workload, record.workload);
  EXPECT_EQ(read->workloadText, record.workloadText);
  EXPECT_EQ(read->trace, record.trace);
  EXPECT_EQ(read->costsS, record.costsS);
  EXPECT_EQ(read->seed, record.seed);
  EXPECT_EQ(read->trial, record.trial);
  EXPECT_TRUE(read->verified);
  EXPECT_TRUE(read->succeeded());
}

TEST(Record, KeepsUnknownFields) {
  json::Value value = makeRecord().toJSON();
  (*value.getAsObject())["energy_j"] = 1.5;
  Expected<Record> read = Record::fromJSON(value);
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_EQ(read->extra.size(), 1u);
  EXPECT_EQ(read->toJSON(), value);
}

TEST(Record, SurvivesBytesThatAreNoText) {
  Record record = makeRecord();
  record.error = "crash";
  record.message = "bad \xff\xfe bytes";
  Expected<Record> read = parse(record.toLine());
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_FALSE(read->succeeded());
}

TEST(Record, NamesTheOffendingKey) {
  json::Value value = makeRecord().toJSON();
  json::Object &object = *value.getAsObject();
  object["costs_s"] = "fast";
  Expected<Record> wrong = Record::fromJSON(value);
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(toString(wrong.takeError()),
            "found \"costs_s\":\"fast\", expected an array of seconds above 0");
  object.erase("costs_s");
  Expected<Record> missing = Record::fromJSON(value);
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(toString(missing.takeError()),
            "found no \"costs_s\", expected an array of seconds above 0");
  EXPECT_EQ(complaint("[]"), "found no JSON object, expected a record");
  EXPECT_EQ(complaint("{\"v\":1}"), "found no \"workload\", expected an object "
                                    "with hash and text");
}

TEST(Record, RefusesCostsThatNothingHas) {
  for (const char *costs : {"[0]", "[1e-3,-1]", "[1e999]", "[-1e999]"}) {
    std::string line = makeRecord().toLine();
    const size_t at = line.find("\"costs_s\":") + strlen("\"costs_s\":");
    line.replace(at, line.find(']', at) + 1 - at, costs);
    const std::string message = complaint(line);
    // What JSON itself has no room for, the parser may refuse.
    EXPECT_FALSE(message.empty()) << costs;
    if (!StringRef(costs).contains("e999"))
      EXPECT_NE(message.find("expected an array of seconds above 0"),
                std::string::npos)
          << message;
  }
}

TEST(Record, RefusesANewerVersion) {
  std::string message = complaint("{\"v\":7}");
  EXPECT_NE(message.find("version 7, expected at most 1"), std::string::npos)
      << message;
}

TEST(Record, MedianOfOddEvenAndNone) {
  EXPECT_EQ(makeRecord().medianS(), 2e-5);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isinf(median({})));
}

} // namespace
