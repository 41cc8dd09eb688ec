//===- DatabaseTest.cpp - Index over records ------------------------------===//

#include "SchedOpt/Database/Database.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace sched;

namespace {

Record make(StringRef workload, StringRef trace, std::vector<double> costs,
            StringRef target = "cpu:a", StringRef toolchain = "LLVM 22.1.8") {
  Record record;
  record.workload = workload.str();
  record.workloadText = "matmul " + workload.str();
  record.target = target.str();
  record.toolchain = toolchain.str();
  record.sketch = "s";
  record.trace = trace.str();
  record.costsS = std::move(costs);
  record.verified = true;
  return record;
}

Record failed(StringRef trace, StringRef kind) {
  Record record = make("w", trace, {});
  record.verified = false;
  record.error = kind.str();
  record.stage = "lower";
  record.message = "op does not bufferize\nmore";
  return record;
}

const char *kToolchain = "LLVM 22.1.8";

TEST(Database, FindsByTheWholeKeyInOrder) {
  Database database;
  database.add(make("w", "a", {1}));
  database.add(make("w", "b", {2}, "cpu:b"));
  database.add(make("w", "c", {3}));
  database.add(make("w", "d", {3}, "cpu:a", "LLVM 23"));
  auto found = database.query("w", "cpu:a", kToolchain);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]->trace, "a");
  EXPECT_EQ(found[1]->trace, "c");
  EXPECT_TRUE(database.query("w", "cpu:c", kToolchain).empty());
}

TEST(Database, BestPoolsTheCostsOfACandidate) {
  Database database;
  database.add(make("w", "lucky", {1.0}));
  database.add(make("w", "steady", {1.2, 1.2, 1.2}));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "lucky");
  database.add(make("w", "lucky", {1.6, 1.6, 1.6}));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "steady");
}

TEST(Database, BestPoolsTheCostsOfEqualMachineCode) {
  auto makeRun = [](StringRef trace, std::vector<double> costs) {
    Record record = make("w", trace, std::move(costs));
    record.extra[Record::kObjectKey] = trace == "other" ? "b" : "a";
    return record;
  };
  Database database;
  database.add(makeRun("lucky", {1.0, 1.0}));
  // The same code by another name, whose costs are copied.
  database.add(makeRun("namesake", {1.0, 1.0}));
  database.add(makeRun("other", {1.2}));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "lucky");
  database.add(makeRun("namesake", {1.6, 1.6, 1.6}));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "other");
}

TEST(Database, BestPassesOverFailuresAndTheUnverified) {
  Database database;
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain), nullptr);
  Record unverified = make("w", "unverified", {0.1});
  unverified.verified = false;
  database.add(unverified);
  database.add(failed("broken", "crash"));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain), nullptr);
  database.add(make("w", "flaky", {0.2}));
  database.add(make("w", "good", {0.5}));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "flaky");
  database.add(failed("flaky", "wrong-result"));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "good");
}

TEST(Database, FirstAddedWinsATie) {
  Database database;
  database.add(make("w", "z", {1}));
  database.add(make("w", "a", {1}));
  EXPECT_EQ(database.best("w", "cpu:a", kToolchain)->trace, "z");
}

TEST(Database, AddingTheSameRecordTwiceCountsOnce) {
  Database database;
  database.add(make("w", "a", {1}));
  database.add(make("w", "a", {1}));
  EXPECT_EQ(database.getRecords().size(), 1u);
}

TEST(Database, MergesFilesAndDistills) {
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("sched-merge", directory));
  std::string a = (directory + "/a.jsonl").str();
  std::string b = (directory + "/b.jsonl").str();
  std::string newer = "{\"v\":9}";
  Record unusual = make("v", "x", {4});
  unusual.extra["note"] = "kept";
  std::vector<Record> first = {make("w", "a", {2}), unusual};
  std::vector<Record> second = {make("w", "a", {2}), make("w", "b", {1})};
  ASSERT_FALSE(bool(rewriteRecordFile(a, first, {newer})));
  ASSERT_FALSE(bool(rewriteRecordFile(b, second, {newer})));
  Database database;
  unsigned warnings = 0;
  auto warn = [&](const Twine &) { ++warnings; };
  ASSERT_FALSE(bool(database.load(a, warn)));
  ASSERT_FALSE(bool(database.load(b, warn)));
  EXPECT_EQ(warnings, 2u);
  EXPECT_EQ(database.getRecords().size(), 3u);
  EXPECT_EQ(database.getNewerLines().size(), 1u);
  std::vector<Record> best = database.distill();
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].trace, "b");
  EXPECT_EQ(best[1].trace, "x");
  EXPECT_EQ(best[1].extra.getString("note"), StringRef("kept"));
  Error missing = database.load((directory + "/c.jsonl").str(), warn);
  EXPECT_TRUE(bool(missing));
  consumeError(std::move(missing));
  sys::fs::remove_directories(directory);
}

TEST(Database, ExplainsAMissByTheNearestRecord) {
  Database database;
  EXPECT_NE(database.explainMiss("w", "matmul w", "cpu:a", kToolchain)
                .find("no records"),
            std::string::npos);
  database.add(failed("x", "build-error"));
  std::string message =
      database.explainMiss("w", "matmul w", "cpu:a", kToolchain);
  EXPECT_NE(message.find("none of a verified success"), std::string::npos);
  EXPECT_NE(message.find("build-error at lower: op does not bufferize)"),
            std::string::npos)
      << message;
  message = database.explainMiss("w", "matmul w", "cpu:b", kToolchain);
  EXPECT_NE(message.find("for target 'cpu:a', expected target 'cpu:b'"),
            std::string::npos)
      << message;
  message = database.explainMiss("w", "matmul w", "cpu:a", "LLVM 23");
  EXPECT_NE(message.find("by toolchain 'LLVM 22.1.8', expected toolchain "
                         "'LLVM 23'"),
            std::string::npos)
      << message;
  for (int i = 0; i < 5; ++i)
    database.add(make("k" + std::to_string(i), "a", {1}));
  message =
      database.explainMiss("unseen", "matmul unseen", "cpu:a", kToolchain);
  EXPECT_EQ(
      message.find("found no record of 'matmul unseen' (workload unseen)"), 0u);
  EXPECT_NE(message.find("'matmul w', 'matmul k0', 'matmul k1' and 3 more"),
            std::string::npos)
      << message;
}

TEST(Database, NamesTheTargetsThatAreThere) {
  Database database;
  // All targets that there are records for, and what of them differs.
  database.add(make("t", "a", {1}, "cpu:a,threads=1"));
  database.add(make("t", "a", {1}, "cpu:b,threads=1"));
  database.add(make("t", "a", {1}, "cpu:a,threads=4"));
  EXPECT_EQ(
      database.explainMiss("t", "matmul t", "cpu:a,threads=2", kToolchain),
      "found records of 'matmul t' for target 'cpu:a,threads=1' and "
      "'cpu:b,threads=1' and 'cpu:a,threads=4', expected target "
      "'cpu:a,threads=2'; give threads=1 or threads=4 as was recorded, or "
      "tune with threads=2");
  EXPECT_NE(database.explainMiss("t", "matmul t", "cpu:c,threads=1", kToolchain)
                .find("; tune on this target, or name the recorded one"),
            std::string::npos);
}

} // namespace
