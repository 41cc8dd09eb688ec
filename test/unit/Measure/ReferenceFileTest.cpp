//===- ReferenceFileTest.cpp - Expected results on disk -------------------===//

#include "SchedOpt/Measure/ReferenceFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace llvm;
using namespace sched;

namespace {

class ReferenceFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("sched-reference", directory));
    path = (directory + "/task.ref").str();
    tensors.resize(3);
    tensors[0].shape = {2};
    tensors[1].shape = {2};
    tensors[1].isResult = true;
    tensors[2].shape = {3};
    tensors[2].elementType = ElementType::F64;
    tensors[2].isResult = true;
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  SmallString<128> directory;
  std::string path;
  std::vector<TensorSpec> tensors;
  float a[2] = {1, 2};
  float b[2] = {3, 4};
  double c[3] = {5, 6, 7};
  void *pointers[3] = {a, b, c};
};

TEST_F(ReferenceFileTest, KeepsTheResults) {
  ASSERT_FALSE(bool(writeReference(path, tensors, pointers)));
  Expected<Reference> reference = Reference::read(path, tensors);
  ASSERT_TRUE(bool(reference)) << toString(reference.takeError());
  EXPECT_EQ(reference->expected(0), nullptr);
  EXPECT_EQ(std::memcmp(reference->expected(1), b, sizeof(b)), 0);
  EXPECT_EQ(std::memcmp(reference->expected(2), c, sizeof(c)), 0);
}

TEST_F(ReferenceFileTest, RefusesOtherShapesAndCutFiles) {
  ASSERT_FALSE(bool(writeReference(path, tensors, pointers)));
  std::vector<TensorSpec> other = tensors;
  other[2].shape = {1, 3};
  Expected<Reference> wrong = Reference::read(path, other);
  ASSERT_FALSE(bool(wrong));
  std::string message = toString(wrong.takeError());
  EXPECT_NE(message.find("found other results"), std::string::npos) << message;

  uint64_t size = 0;
  ASSERT_FALSE(sys::fs::file_size(path, size));
  int fd = -1;
  ASSERT_FALSE(sys::fs::openFileForWrite(path, fd, sys::fs::CD_OpenExisting));
  ASSERT_FALSE(sys::fs::resize_file(fd, size - 1));
  sys::fs::file_t file = fd;
  ASSERT_FALSE(sys::fs::closeFile(file));
  Expected<Reference> cut = Reference::read(path, tensors);
  ASSERT_FALSE(bool(cut));
  message = toString(cut.takeError());
  EXPECT_NE(message.find("cut short"), std::string::npos) << message;
}

TEST_F(ReferenceFileTest, ExplainsWhatItCannotReadOrWrite) {
  Expected<Reference> missing = Reference::read(path, tensors);
  EXPECT_FALSE(bool(missing));
  consumeError(missing.takeError());
  Error error = writeReference(path + "/no/such", tensors, pointers);
  ASSERT_TRUE(bool(error));
  EXPECT_NE(toString(std::move(error)).find("cannot write"), std::string::npos);
}

} // namespace
