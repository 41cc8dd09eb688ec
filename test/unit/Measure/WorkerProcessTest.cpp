//===- WorkerProcessTest.cpp - One child process --------------------------===//
//
// The worker here is a shell script, so that every way of ending can be had.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Measure/WorkerProcess.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/stat.h>

using namespace llvm;
using namespace sched;

namespace {

class WorkerProcessTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("sched-worker", directory));
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  /// A worker that says it is ready and then does `body` with each request.
  std::unique_ptr<WorkerProcess> start(StringRef body, bool ready = true) {
    std::string path = (directory + "/worker.sh").str();
    {
      std::error_code code;
      raw_fd_ostream stream(path, code);
      stream << "#!/bin/sh\n";
      if (ready)
        stream << "echo '{\"ready\":true,\"protocol\":4}'\n";
      stream << "while read line; do\n" << body << "\ndone\n";
    }
    ::chmod(path.c_str(), 0755);
    Expected<std::unique_ptr<WorkerProcess>> worker =
        WorkerProcess::spawn(path, directory);
    if (!worker) {
      ADD_FAILURE() << toString(worker.takeError());
      return nullptr;
    }
    return std::move(*worker);
  }

  SmallString<128> directory;
};

TEST_F(WorkerProcessTest, AnswersWithItsStages) {
  auto worker = start("echo noise; echo '{\"id\":99,\"ok\":true}'\n"
                      "echo '{\"id\":1,\"stage\":\"lower\"}'\n"
                      "echo '{\"id\":1,\"ok\":true,\"x\":5}'");
  ASSERT_TRUE(worker);
  Outcome outcome = worker->ask(json::Object{{"op", "any"}}, 10, nullptr);
  ASSERT_EQ(outcome.kind, Outcome::Kind::Answered);
  EXPECT_EQ(outcome.stage, "lower");
  EXPECT_EQ(outcome.answer.getAsObject()->getInteger("x"), 5);
  EXPECT_TRUE(worker->checkAlive());
  EXPECT_FALSE(worker->isBusy());
}

TEST_F(WorkerProcessTest, NamesTheSignalAndTheLastWords) {
  auto worker = start("echo '{\"id\":1,\"stage\":\"run\"}'\n"
                      "echo first >&2; echo last words >&2; kill -SEGV $$");
  ASSERT_TRUE(worker);
  Outcome outcome = worker->ask(json::Object(), 10, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Died);
  EXPECT_EQ(outcome.stage, "run");
  EXPECT_FALSE(outcome.beforeReady);
  EXPECT_EQ(outcome.detail, "SIGSEGV (Segmentation fault): last words");
  EXPECT_FALSE(worker->checkAlive());
}

TEST_F(WorkerProcessTest, NamesTheExitStatus) {
  auto worker = start("exit 3");
  ASSERT_TRUE(worker);
  Outcome outcome = worker->ask(json::Object(), 10, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Died);
  EXPECT_EQ(outcome.detail, "exit status 3");
}

TEST_F(WorkerProcessTest, KnowsADeathBeforeReady) {
  auto worker = start("exit 4", /*ready=*/false);
  ASSERT_TRUE(worker);
  EXPECT_FALSE(worker->awaitReady(10, nullptr));
  auto other = start("exit 4", /*ready=*/false);
  ASSERT_TRUE(other);
  Outcome outcome = other->ask(json::Object(), 10, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Died);
  EXPECT_TRUE(outcome.beforeReady);
}

TEST_F(WorkerProcessTest, ABoundOnEveryWait) {
  auto worker = start("sleep 100");
  ASSERT_TRUE(worker);
  double begin = monotonicSeconds();
  Outcome outcome = worker->ask(json::Object(), 0.3, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::TimedOut);
  double elapsed = monotonicSeconds() - begin;
  EXPECT_GE(elapsed, 0.3);
  EXPECT_LT(elapsed, 5);
  EXPECT_FALSE(worker->checkAlive());
}

TEST_F(WorkerProcessTest, TheStopFlagEndsAWait) {
  auto worker = start("sleep 100");
  ASSERT_TRUE(worker);
  std::atomic<bool> stop(true);
  Outcome outcome = worker->ask(json::Object(), 100, &stop);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Stopped);
  EXPECT_FALSE(worker->checkAlive());
}

TEST_F(WorkerProcessTest, ARequestToADeadWorkerIsADeath) {
  auto worker = start("exit 0");
  ASSERT_TRUE(worker);
  ::kill(worker->getPid(), SIGKILL);
  Outcome outcome = worker->ask(json::Object(), 10, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Died);
  EXPECT_EQ(outcome.detail, "SIGKILL (Killed)");
  // Once it is reaped there is no process to speak of, or to signal.
  outcome = worker->ask(json::Object(), 10, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Died);
  EXPECT_EQ(outcome.detail, "it had ended before the request");
  worker->kill();
  outcome = worker->ask(json::Object(), 10, nullptr);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Died);
}

TEST_F(WorkerProcessTest, ExplainsAProgramThatIsNotThere) {
  Expected<std::unique_ptr<WorkerProcess>> worker =
      WorkerProcess::spawn((directory + "/none").str(), directory);
  ASSERT_FALSE(bool(worker));
  std::string message = toString(worker.takeError());
  EXPECT_NE(message.find("cannot start the worker"), std::string::npos);
}

} // namespace
