//===- ProtocolTest.cpp - What tuner and worker say to each other ---------===//

#include "SchedOpt/Measure/Protocol.h"
#include "SchedOpt/Measure/LineChannel.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace sched;

namespace {

/// Sends a message through text and back, and compares the JSON.
template <typename T> T roundTrip(const T &message) {
  std::string text;
  raw_string_ostream(text) << json::Value(toJSON(message));
  Expected<json::Value> parsed = json::parse(text);
  EXPECT_TRUE(bool(parsed)) << toString(parsed.takeError());
  Expected<T> read = decode<T>(*parsed);
  if (!read) {
    ADD_FAILURE() << toString(read.takeError());
    return T();
  }
  EXPECT_EQ(json::Value(toJSON(*read)), json::Value(toJSON(message)));
  return *read;
}

TEST(Protocol, RequestsRoundTrip) {
  BuildRequest build;
  build.payload = "module {\n}\n\"quoted\"";
  build.threads = 2;
  build.object = "/tmp/x.o";
  build.memoryLimit = uint64_t(1) << 40;
  EXPECT_EQ(roundTrip(build).payload, build.payload);

  ReferenceRequest reference;
  reference.seed = ~uint64_t(0);
  EXPECT_EQ(roundTrip(reference).seed, ~uint64_t(0));

  RunRequest run;
  run.tensors.resize(2);
  run.tensors[0].shape = {17, 23};
  run.tensors[1].elementType = ElementType::BF16;
  run.tensors[1].isResult = true;
  run.dropAboveS = 1.2345678901234567e-5;
  run.expectedS = 0.25;
  run.agreement = 0.01;
  RunRequest read = roundTrip(run);
  ASSERT_EQ(read.tensors.size(), 2u);
  EXPECT_EQ(read.tensors[0].str(), "17x23xf32");
  EXPECT_EQ(read.tensors[1].elementType, ElementType::BF16);
  EXPECT_TRUE(read.tensors[1].isResult);
  EXPECT_EQ(read.dropAboveS, run.dropAboveS);
  EXPECT_EQ(read.expectedS, run.expectedS);
  EXPECT_EQ(read.agreement, run.agreement);
}

TEST(Protocol, AnswersRoundTrip) {
  BuildAnswer build;
  build.objectHash = "00ff";
  EXPECT_EQ(roundTrip(build).objectHash, "00ff");
  ReferenceAnswer reference;
  reference.tensors.resize(1);
  reference.seconds = 0.25;
  EXPECT_EQ(roundTrip(reference).seconds, 0.25);
  EXPECT_EQ(roundTrip(reference).tensors[0].precision, std::nullopt);
  reference.tensors[0].precision = ElementType::BF16;
  reference.tensors[0].reductionLength = 9;
  EXPECT_EQ(roundTrip(reference).tensors[0].precision, ElementType::BF16);
  EXPECT_EQ(roundTrip(reference).tensors[0].reductionLength, 9);
  reference.tensors[0].narrowLength = 7;
  reference.tensors[0].deviation = 0.5;
  EXPECT_EQ(roundTrip(reference).tensors[0].narrowLength, 7);
  EXPECT_EQ(roundTrip(reference).tensors[0].deviation, 0.5);
  reference.tensors[0].below = 11;
  EXPECT_EQ(roundTrip(reference).tensors[0].below, 11);
  RunAnswer run;
  run.costsS = {1e-6, 2e-6};
  run.dropped = true;
  EXPECT_EQ(roundTrip(run).costsS, run.costsS);
  FailureAnswer failure;
  failure.kind = "crash";
  EXPECT_EQ(roundTrip(failure).kind, "crash");
}

TEST(Protocol, WhatAGPUSaysRoundTrips) {
  KernelUsage usage;
  usage.kernel = "f_kernel_0";
  usage.registers = 168;
  usage.spillBytes = 48;
  usage.localBytes = 56;
  usage.threads = 256;
  usage.sharedBytes = 49152;
  usage.blocks = 64;
  BuildAnswer build;
  build.kernels = {usage};
  EXPECT_EQ(roundTrip(build).kernels[0].registers, 168);
  RunAnswer run;
  run.kernels = {usage, usage};
  EXPECT_EQ(roundTrip(run).kernels[1].blocks, 64);
  FailureAnswer failure;
  failure.kernels = {usage};
  EXPECT_EQ(roundTrip(failure).kernels[0].spillBytes, 48);
  DeviceAnswer device;
  device.properties.name = "NVIDIA H200";
  device.properties.major = 9;
  device.properties.l2Bytes = int64_t(1) << 33;
  device.properties.memoryGBs = 4800.5;
  EXPECT_EQ(roundTrip(device).properties.getChip(), "sm_90");
  EXPECT_EQ(roundTrip(device).properties.memoryGBs, 4800.5);
}

TEST(Protocol, ErrorsNameTheField) {
  json::Object run = toJSON(RunRequest());
  run["repeats"] = "many";
  Expected<RunRequest> wrong = decode<RunRequest>(std::move(run));
  ASSERT_FALSE(bool(wrong));
  std::string message = toString(wrong.takeError());
  EXPECT_NE(message.find("message.repeats"), std::string::npos) << message;

  json::Object missing = toJSON(BuildRequest());
  missing.erase("payload");
  Expected<BuildRequest> incomplete = decode<BuildRequest>(std::move(missing));
  ASSERT_FALSE(bool(incomplete));
  message = toString(incomplete.takeError());
  EXPECT_NE(message.find("message.payload"), std::string::npos) << message;

  for (
      const char *tensor :
      {R"({"shape":[-1],"type":"f32","result":true,"reduction-length":1,"precision":""})",
       R"({"shape":[1],"type":"f8","result":true,"reduction-length":1,"precision":""})",
       R"({"shape":[1],"type":"f32","result":true,"reduction-length":1,"precision":"f8"})"}) {
    Expected<json::Value> value = json::parse(tensor);
    ASSERT_TRUE(bool(value));
    Expected<TensorSpec> spec = decode<TensorSpec>(*value);
    EXPECT_FALSE(bool(spec));
    consumeError(spec.takeError());
  }
}

TEST(LineChannel, CutsLinesHoweverTheyArrive) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  LineReader reader(ends[0]);
  EXPECT_FALSE(reader.next());
  ASSERT_EQ(write(ends[1], "one\ntw", 6), 6);
  EXPECT_EQ(reader.fill(), LineReader::Status::Open);
  EXPECT_EQ(reader.next(), "one");
  EXPECT_FALSE(reader.next());
  ASSERT_EQ(write(ends[1], "o\n\nlast\n", 8), 8);
  EXPECT_EQ(reader.fill(), LineReader::Status::Open);
  EXPECT_EQ(reader.next(), "two");
  EXPECT_EQ(reader.next(), "");
  EXPECT_EQ(reader.next(), "last");
  EXPECT_FALSE(reader.next());
  close(ends[1]);
  EXPECT_EQ(reader.fill(), LineReader::Status::Closed);
  EXPECT_FALSE(writeLine(ends[0], "nobody there"));
  close(ends[0]);
}

TEST(LineChannel, CarriesMoreThanTheChannelHolds) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  std::string big(5 << 20, 'x');
  std::thread sender([&] { EXPECT_TRUE(writeLine(ends[1], big)); });
  LineReader reader(ends[0]);
  std::optional<std::string> line;
  while (!(line = reader.next()))
    ASSERT_EQ(reader.fill(), LineReader::Status::Open);
  sender.join();
  EXPECT_EQ(*line, big);
  close(ends[0]);
  close(ends[1]);
}

} // namespace
