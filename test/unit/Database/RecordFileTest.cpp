//===- RecordFileTest.cpp - Append-only file of records -------------------===//

#include "SchedOpt/Database/RecordFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <thread>

using namespace llvm;
using namespace sched;

namespace {

class RecordFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("sched-records", directory));
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  std::string inside(StringRef name) const {
    SmallString<128> path(directory);
    sys::path::append(path, name);
    return path.str().str();
  }

  RecordFile openIn(StringRef name) {
    Expected<RecordFile> file = RecordFile::open(inside(name));
    if (!file) {
      ADD_FAILURE() << toString(file.takeError());
      exit(1);
    }
    return std::move(*file);
  }

  static void write(StringRef path, StringRef content, bool append = false) {
    std::error_code code;
    raw_fd_ostream stream(path, code,
                          append ? sys::fs::OF_Append : sys::fs::OF_None);
    ASSERT_FALSE(code);
    stream << content;
  }

  LoadedRecords load(StringRef path) {
    warnings.clear();
    Expected<LoadedRecords> loaded = RecordFile::loadPath(
        path, [&](const Twine &warning) { warnings.push_back(warning.str()); });
    if (!loaded) {
      ADD_FAILURE() << toString(loaded.takeError());
      return {};
    }
    return std::move(*loaded);
  }

  static Record numbered(int64_t trial) {
    Record record;
    record.workload = "w";
    record.trial = trial;
    record.costsS = {1e-3};
    record.verified = true;
    return record;
  }

  SmallString<128> directory;
  std::vector<std::string> warnings;
};

TEST_F(RecordFileTest, MakesTheDirectoryAndAppends) {
  RecordFile file = openIn("a/b");
  EXPECT_EQ(file.getPath(), RecordFile::pathIn(inside("a/b")));
  EXPECT_TRUE(load(file.getPath()).records.empty());
  for (int64_t trial = 0; trial < 3; ++trial)
    ASSERT_FALSE(bool(file.append(numbered(trial))));
  RecordFile again = openIn("a/b");
  ASSERT_FALSE(bool(again.append(numbered(3))));
  LoadedRecords loaded = load(file.getPath());
  ASSERT_EQ(loaded.records.size(), 4u);
  for (int64_t trial = 0; trial < 4; ++trial)
    EXPECT_EQ(loaded.records[trial].trial, trial);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(RecordFileTest, TheDirectoryHasTheModeThatUmaskLeaves) {
  const mode_t before = ::umask(022);
  openIn("shared");
  ::umask(027);
  openIn("private");
  ::umask(before);
  auto mode = [&](StringRef name) {
    ErrorOr<sys::fs::perms> permissions = sys::fs::getPermissions(inside(name));
    return permissions ? unsigned(*permissions) & 0777 : 0;
  };
  EXPECT_EQ(mode("shared"), 0755u);
  EXPECT_EQ(mode("private"), 0750u);
}

TEST_F(RecordFileTest, SkipsATornLastLineAndNeverAppendsToIt) {
  std::string path;
  {
    RecordFile file = openIn("w");
    path = file.getPath().str();
    ASSERT_FALSE(bool(file.append(numbered(0))));
    write(path, StringRef(numbered(1).toLine()).take_front(25), true);
    EXPECT_EQ(load(path).records.size(), 1u);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find(":2: skipped a torn last record"),
              std::string::npos)
        << warnings[0];
    ASSERT_FALSE(bool(file.append(numbered(2))));
  }
  LoadedRecords loaded = load(path);
  ASSERT_EQ(loaded.records.size(), 2u);
  EXPECT_EQ(loaded.records[1].trial, 2);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find(":2: skipped a malformed record"),
            std::string::npos)
      << warnings[0];
}

TEST_F(RecordFileTest, AWholeLastLineWithoutNewlineIsARecord) {
  std::string path = inside("records.jsonl");
  write(path, numbered(5).toLine());
  LoadedRecords loaded = load(path);
  ASSERT_EQ(loaded.records.size(), 1u);
  EXPECT_EQ(loaded.records[0].trial, 5);
}

TEST_F(RecordFileTest, NamesTheLineOfEachMalformedRecord) {
  std::string path = inside("records.jsonl");
  write(path, numbered(0).toLine() + "\n\nnonsense\n{\"v\":1}\n" +
                  numbered(1).toLine() + "\n");
  EXPECT_EQ(load(path).records.size(), 2u);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find(":3: skipped a malformed"), std::string::npos);
  EXPECT_NE(warnings[1].find(":4: skipped a malformed"), std::string::npos);
  EXPECT_NE(warnings[1].find("found no \"workload\""), std::string::npos);
}

TEST_F(RecordFileTest, SkipsALineThatNestsTooDeep) {
  std::string path = inside("records.jsonl");
  // Brackets in a text do not count.
  Record record = numbered(0);
  record.message = "\\\"" + std::string(1000, '[');
  write(path, std::string(200000, '[') + "\n{\"a\":" +
                  std::string(200000, '{') + "\n" + record.toLine() + "\n");
  LoadedRecords loaded = load(path);
  ASSERT_EQ(loaded.records.size(), 1u);
  EXPECT_EQ(loaded.records[0].message, record.message);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find(":1: skipped a malformed record: found brackets"),
            std::string::npos)
      << warnings[0];
}

TEST_F(RecordFileTest, KeepsNewerRecordsWithOneWarning) {
  std::string path = inside("records.jsonl");
  std::string newer = "{\"v\":2,\"shape\":[1]}";
  write(path, newer + "\n" + numbered(1).toLine() + "\n" + newer + "\n");
  LoadedRecords loaded = load(path);
  EXPECT_EQ(loaded.records.size(), 1u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("skipped 2 record(s) of a newer version"),
            std::string::npos);
  ASSERT_FALSE(
      bool(rewriteRecordFile(path, loaded.records, loaded.newerLines)));
  auto buffer = MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ((*buffer)->getBuffer().str(),
            numbered(1).toLine() + "\n" + newer + "\n" + newer + "\n");
  // Nothing but the file itself is left.
  unsigned entries = 0;
  std::error_code code;
  for (sys::fs::directory_iterator it(directory, code), end; it != end;
       it.increment(code))
    ++entries;
  EXPECT_EQ(entries, 1u);
}

TEST_F(RecordFileTest, ConcurrentAppendsStayWhole) {
  constexpr int kEach = 200;
  auto fill = [&](int64_t base) {
    RecordFile file = openIn("w");
    for (int64_t i = 0; i < kEach; ++i) {
      Record record = numbered(base + i);
      record.trace.assign(300, 'x');
      ASSERT_FALSE(bool(file.append(record)));
    }
  };
  std::thread other(fill, 1000);
  fill(0);
  other.join();
  EXPECT_EQ(load(RecordFile::pathIn(inside("w"))).records.size(), 2u * kEach);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(RecordFileTest, ExplainsAPlaceThatCannotBeWritten) {
  write(inside("taken"), "x");
  Expected<RecordFile> onFile = RecordFile::open(inside("taken"));
  ASSERT_FALSE(bool(onFile));
  std::string message = toString(onFile.takeError());
  EXPECT_NE(message.find("expected a directory"), std::string::npos) << message;
  Expected<RecordFile> below = RecordFile::open(inside("taken/below"));
  ASSERT_FALSE(bool(below));
  message = toString(below.takeError());
  EXPECT_NE(message.find("choose a work-dir that can be written"),
            std::string::npos)
      << message;
  ASSERT_FALSE(sys::fs::create_directories(inside("odd/records.jsonl")));
  Expected<RecordFile> odd = RecordFile::open(inside("odd"));
  ASSERT_FALSE(bool(odd));
  message = toString(odd.takeError());
  EXPECT_NE(message.find("cannot write the record file"), std::string::npos)
      << message;
  Expected<RecordFile> unnamed = RecordFile::open("");
  ASSERT_FALSE(bool(unnamed));
  consumeError(unnamed.takeError());
}

TEST_F(RecordFileTest, ExplainsAMissingFile) {
  Expected<LoadedRecords> loaded =
      RecordFile::loadPath(inside("none.jsonl"), [](const Twine &) {});
  ASSERT_FALSE(bool(loaded));
  std::string message = toString(loaded.takeError());
  EXPECT_NE(message.find("cannot read the records at"), std::string::npos);
  EXPECT_NE(message.find("none.jsonl"), std::string::npos);
  EXPECT_TRUE(bool(rewriteRecordFile(inside("no/such/place"), {})));
}

} // namespace
