//===- PayloadFileTest.cpp - What the records of a workload are of --------===//

#include "SchedOpt/Database/PayloadFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace sched;

namespace {

class PayloadFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("sched-payloads", directory));
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  std::string read(StringRef workload) const {
    auto buffer = MemoryBuffer::getFile(getPayloadPath(directory, workload));
    return buffer ? (*buffer)->getBuffer().str() : "none";
  }

  unsigned countFiles() const {
    SmallString<128> path(directory);
    sys::path::append(path, "workloads");
    unsigned count = 0;
    std::error_code code;
    for (sys::fs::directory_iterator at(path, code), end; at != end && !code;
         at.increment(code))
      ++count;
    return count;
  }

  SmallString<128> directory;
};

TEST_F(PayloadFileTest, KeepsEachWorkloadOnce) {
  EXPECT_EQ(read("12ab"), "none");
  EXPECT_EQ(toString(storePayload(directory, "12ab", "first\n")), "");
  EXPECT_EQ(toString(storePayload(directory, "34cd", "second\n")), "");
  EXPECT_EQ(toString(storePayload(directory, "12ab", "another\n")), "");
  EXPECT_EQ(read("12ab"), "first\n");
  EXPECT_EQ(read("34cd"), "second\n");
  // No temporary file is left.
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(PayloadFileTest, SaysWhatCannotBeWritten) {
  // A file stands where the folder should be.
  ASSERT_EQ(toString(storePayload(directory, "12ab", "text")), "");
  const std::string inFile = getPayloadPath(directory, "12ab");
  const std::string message = toString(storePayload(inFile, "34cd", "text"));
  EXPECT_NE(message.find("cannot write the workload '" +
                         getPayloadPath(inFile, "34cd") + "': "),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("choose a work-dir that can be written"),
            std::string::npos);
}

} // namespace
