//===- MeasurerTest.cpp - Builds, checks and times candidates -------------===//
//
// With the real worker, real processes and, through the test hook of the
// protocol, everything that a candidate can do wrong.
//
//===----------------------------------------------------------------------===//

#include "MeasurerFixture.h"
#include "SchedOpt/Measure/Timer.h"
#include "SchedOpt/Measure/WorkerProcess.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace sched;
using namespace sched::test;

namespace {

TEST_F(MeasurerTest, PreparingDescribesThePayload) {
  ASSERT_NO_FATAL_FAILURE(start());
  const ReferenceAnswer &reference = measurer->getReference(id);
  EXPECT_EQ(reference.function, "mm");
  ASSERT_EQ(reference.tensors.size(), 3u);
  EXPECT_EQ(reference.tensors[0].str(), "24x20xf32");
  EXPECT_EQ(reference.tensors[2].str(), "24x16xf32");
  EXPECT_FALSE(reference.tensors[1].isResult);
  EXPECT_TRUE(reference.tensors[2].isResult);
  EXPECT_EQ(reference.tensors[2].reductionLength, 20);
  EXPECT_EQ(reference.tensors[2].precision, ElementType::F32);
  EXPECT_GT(reference.seconds, 0);
  EXPECT_LT(reference.seconds, 1);
}

TEST_F(MeasurerTest, MeasuresSchedules) {
  ASSERT_NO_FATAL_FAILURE(start());
  std::vector<MeasureResult> results =
      measure({{"", ""}, {tiled(4), ""}, {tiled(8), ""}});
  ASSERT_EQ(results.size(), 3u);
  for (const MeasureResult &result : results) {
    expectGood(result);
    EXPECT_EQ(result.costsS.size(), 5u);
    EXPECT_EQ(result.objectHash.size(), 32u);
    EXPECT_GT(result.compileS, 0);
    EXPECT_GT(result.runS, 0);
  }
  EXPECT_NE(results[1].objectHash, results[2].objectHash);
  EXPECT_GT(measurer->getBestS(id), 0);
  EXPECT_EQ(measurer->getStats().measured, 3);
  EXPECT_GT(measurer->getStats().buildS, 0);
  EXPECT_EQ(measurer->getStats().respawns, 0);
}

TEST_F(MeasurerTest, BuildErrorsCarryTheFirstDiagnostic) {
  ASSERT_NO_FATAL_FAILURE(start());
  MeasureResult result = only({"no script at all", ""});
  EXPECT_EQ(result.error, failure::kBuildError);
  EXPECT_EQ(result.stage, stage::kInstantiate);
  EXPECT_NE(result.message.find("script:1:1: "), std::string::npos)
      << result.message;
  result = only({"module {}", ""});
  EXPECT_EQ(result.error, failure::kBuildError);
  EXPECT_NE(result.message.find("__transform_main"), std::string::npos)
      << result.message;
  result = only({script("transform.structured.pack_greedily %root"), ""});
  EXPECT_EQ(result.error, failure::kBuildError);
  // Well formed, but it does not apply: the matmul is no loop.
  result = only({script("transform.loop.unroll %mm {factor = 2} : "
                        "!transform.any_op"),
                 ""});
  EXPECT_EQ(result.error, failure::kBuildError);
  EXPECT_EQ(result.stage, stage::kInstantiate);
  EXPECT_FALSE(result.message.empty());
  EXPECT_EQ(StringRef(result.message).count('\n'), 0u);
  EXPECT_EQ(measurer->getStats().respawns, 0);
  EXPECT_EQ(measurer->getStats().failures.at(failure::kBuildError), 4);
  expectGood(only({tiled(4), ""}));
}

TEST_F(MeasurerTest, SurvivesTheCompiler) {
  options.buildTimeoutS = 3;
  options.memoryLimit = uint64_t(1) << 30;
  ASSERT_NO_FATAL_FAILURE(start());
  std::vector<MeasureResult> results = measure({{tiled(2), "build:crash"},
                                                {tiled(4), ""},
                                                {tiled(2), "build:hang"},
                                                {tiled(2), "build:memory"},
                                                {tiled(2), "build:exit"},
                                                {tiled(2), ""}});
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0].error, failure::kBuildCrash);
  EXPECT_NE(results[0].message.find("SIGSEGV"), std::string::npos)
      << results[0].message;
  EXPECT_EQ(results[0].stage, stage::kInstantiate);
  expectGood(results[1]);
  EXPECT_EQ(results[2].error, failure::kBuildTimeout);
  EXPECT_GE(results[2].compileS, 3);
  EXPECT_EQ(results[3].error, failure::kMemory) << results[3].message;
  EXPECT_EQ(results[4].error, failure::kBuildCrash);
  EXPECT_EQ(results[4].message, "exit status 3: leaving as asked");
  expectGood(results[5]);
  EXPECT_EQ(measurer->getStats().respawns, 4);
}

TEST_F(MeasurerTest, SurvivesTheKernel) {
  options.runTimeoutS = 3;
  options.memoryLimit = uint64_t(1) << 30;
  ASSERT_NO_FATAL_FAILURE(start());
  std::vector<MeasureResult> results = measure({{tiled(4), "run:crash"},
                                                {tiled(4), "run:hang"},
                                                {tiled(4), "run:memory"},
                                                {tiled(4), "run:exit"},
                                                {tiled(4), "run:wrong"},
                                                {tiled(4), "run:out-of-bounds"},
                                                {tiled(4), "run:input"},
                                                {tiled(4), ""}});
  ASSERT_EQ(results.size(), 8u);
  EXPECT_EQ(results[0].error, failure::kCrash);
  EXPECT_NE(results[0].message.find("SIGSEGV"), std::string::npos)
      << results[0].message;
  EXPECT_EQ(results[1].error, failure::kTimeout);
  EXPECT_EQ(results[2].error, failure::kMemory) << results[2].message;
  EXPECT_EQ(results[3].error, failure::kCrash);
  EXPECT_EQ(results[3].message, "exit status 3: leaving as asked");
  EXPECT_EQ(results[4].error, failure::kWrongResult);
  EXPECT_NE(results[4].message.find("element [23, 15] of 24x16xf32: got "),
            std::string::npos)
      << results[4].message;
  EXPECT_NE(results[4].message.find("1 of 384 elements wrong"),
            std::string::npos);
  EXPECT_EQ(results[5].error, failure::kOutOfBounds);
  EXPECT_NE(results[5].message.find("wrote at byte 1536 of tensor 2"),
            std::string::npos)
      << results[5].message;
  EXPECT_EQ(results[6].error, failure::kOutOfBounds);
  EXPECT_NE(results[6].message.find("modified input 0"), std::string::npos)
      << results[6].message;
  for (unsigned i = 0; i < 7; ++i) {
    EXPECT_EQ(results[i].stage, stage::kCheck);
    EXPECT_FALSE(results[i].verified);
    EXPECT_TRUE(results[i].costsS.empty());
  }
  expectGood(results[7]);
}

TEST_F(MeasurerTest, TheNumberOfBuildersChangesNothing) {
  std::vector<MeasureInput> inputs;
  for (int rows : {2, 3, 4, 4, 6, 8, 12})
    inputs.push_back({tiled(rows), ""});
  inputs.push_back({"no script", ""});
  inputs.push_back({tiled(5), "build:crash"});
  inputs.push_back({tiled(5), "run:wrong"});
  auto essence = [&](unsigned jobs) {
    options.jobs = jobs;
    start();
    std::vector<std::string> lines;
    for (const MeasureResult &result : measure(inputs))
      lines.push_back(result.error + "|" + result.stage + "|" + result.message +
                      "|" + result.objectHash + "|" +
                      std::to_string(result.duplicate) +
                      std::to_string(result.verified) + "|" +
                      std::to_string(result.costsS.size()));
    measurer.reset();
    return lines;
  };
  std::vector<std::string> one = essence(1);
  EXPECT_EQ(one.size(), inputs.size());
  EXPECT_EQ(essence(2), one);
  EXPECT_EQ(essence(3), one);
}

TEST_F(MeasurerTest, TheStopFlagEndsABatch) {
  std::atomic<bool> stop(false);
  options.stop = &stop;
  ASSERT_NO_FATAL_FAILURE(start());
  unsigned delivered = 0;
  double begin = monotonicSeconds();
  MeasureInput inputs[] = {{tiled(2), ""}, {tiled(4), "run:hang"}};
  Error error =
      measurer->measure(id, inputs, [&](unsigned, const MeasureResult &) {
        ++delivered;
        stop = true;
      });
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(delivered, 1u);
  error =
      measurer->measure(id, {MeasureInput{tiled(8), "build:hang"}},
                        [&](unsigned, const MeasureResult &) { ++delivered; });
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(delivered, 1u);
  EXPECT_LT(monotonicSeconds() - begin, 5);
  measurer.reset();
  options.stop = nullptr;
}

TEST_F(MeasurerTest, WorkersEndWithTheTuner) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t tuner = fork();
  ASSERT_GE(tuner, 0);
  if (tuner == 0) {
    // A tuner that is killed while its kernel hangs.
    Expected<std::unique_ptr<Measurer>> created = Measurer::create(options);
    MeasureTask task;
    task.payload = kPayload;
    if (!created)
      _exit(1);
    Expected<Measurer::TaskId> prepared = (*created)->prepare(task);
    if (!prepared || write(ends[1], "x", 1) != 1)
      _exit(1);
    consumeError((*created)->measure(*prepared,
                                     {MeasureInput{tiled(4), "run:hang"}},
                                     [](unsigned, const MeasureResult &) {}));
    _exit(1);
  }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 1);
  usleep(300000);
  kill(tuner, SIGKILL);
  int status;
  EXPECT_EQ(waitpid(tuner, &status, 0), tuner);
  EXPECT_TRUE(WIFSIGNALED(status));
  close(ends[0]);
  // The workers remove the scratch directory as the last thing they do.
  std::error_code code;
  for (int i = 0; i < 500; ++i) {
    if (sys::fs::directory_iterator(directory, code) ==
        sys::fs::directory_iterator())
      break;
    usleep(20000);
  }
}

TEST_F(MeasurerTest, AnswersBadRequests) {
  Expected<std::unique_ptr<WorkerProcess>> worker =
      WorkerProcess::spawn(SCHED_WORKER_PATH, "");
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  auto complaint = [&](json::Object request) {
    Outcome outcome = (*worker)->ask(std::move(request), 30, nullptr);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Answered) << outcome.detail;
    Expected<FailureAnswer> failed = decode<FailureAnswer>(outcome.answer);
    if (!failed)
      return toString(failed.takeError());
    return failed->kind + ": " + failed->message;
  };
  std::string message = complaint(json::Object{{"op", "dance"}});
  EXPECT_NE(message.find("runtime: found the operation 'dance'"),
            std::string::npos)
      << message;
  message = complaint(json::Object{{"nothing", 1}});
  EXPECT_NE(message.find("found the operation ''"), std::string::npos);
  message = complaint(json::Object{{"op", "build"}, {"payload", 3}});
  EXPECT_NE(message.find("message.payload"), std::string::npos) << message;
  RunRequest run;
  run.object = "/no/such/object.o";
  message = complaint(toJSON(run));
  EXPECT_NE(message.find("cannot read the object"), std::string::npos)
      << message;
  BuildRequest build;
  build.payload = kPayload;
  build.target = "toaster";
  build.object = (directory + "/x.o").str();
  message = complaint(toJSON(build));
  EXPECT_NE(message.find("build-error: "), std::string::npos) << message;
  build.target = "native";
  build.object = "/no/such/place/x.o";
  message = complaint(toJSON(build));
  EXPECT_NE(message.find("cannot write the object"), std::string::npos)
      << message;
  build.function = "nobody";
  message = complaint(toJSON(build));
  EXPECT_NE(message.find("no public function @nobody"), std::string::npos)
      << message;
  EXPECT_TRUE((*worker)->checkAlive());
}

TEST_F(MeasurerTest, PrepareRefusesWhatItCannotMeasure) {
  ASSERT_NO_FATAL_FAILURE(start());
  auto complaint = [&](StringRef payload, StringRef target = "native") {
    MeasureTask task;
    task.payload = payload.str();
    task.target = target.str();
    Expected<Measurer::TaskId> prepared = measurer->prepare(task);
    return prepared ? "" : toString(prepared.takeError());
  };
  std::string message = complaint("func.func @f(");
  EXPECT_NE(message.find("payload:1:"), std::string::npos) << message;
  message = complaint("module {}");
  EXPECT_NE(message.find("no public function"), std::string::npos) << message;
  message = complaint("func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                      "  return %a : tensor<?xf32>\n}");
  EXPECT_NE(message.find("found tensor<?xf32>"), std::string::npos) << message;
  message = complaint("func.func @f() { return }\nfunc.func @g() { return }");
  EXPECT_NE(message.find("found the public functions @f, @g"),
            std::string::npos)
      << message;
  // Not on request this time: the kernel's own buffer of 16 GiB.
  message = complaint(R"(
func.func @f(%a: tensor<65536xf32>, %out: tensor<65536xf32>) -> tensor<65536xf32> {
  %empty = tensor.empty() : tensor<65536x65536xf32>
  %b = linalg.broadcast ins(%a : tensor<65536xf32>)
                        outs(%empty : tensor<65536x65536xf32>) dimensions = [0]
  %r = linalg.reduce ins(%b : tensor<65536x65536xf32>)
                     outs(%out : tensor<65536xf32>) dimensions = [0]
    (%x: f32, %y: f32) { %s = arith.addf %x, %y : f32
                         linalg.yield %s : f32 }
  return %r : tensor<65536xf32>
}
)");
  EXPECT_NE(message.find("memory at run: an allocation went over"),
            std::string::npos)
      << message;
  // The measurer goes on with a new worker.
  expectGood(only({tiled(4), ""}));
  bool isX86 = Triple(sys::getProcessTriple()).isX86();
  message = complaint(kPayload,
                      isX86 ? "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu"
                            : "cpu:mcpu=znver3,triple=x86_64-linux-gnu");
  EXPECT_NE(message.find("target architecture"), std::string::npos) << message;
}

TEST_F(MeasurerTest, SaysThatTheUnscheduledFunctionTookTooLong) {
  options.referenceTimeoutS = 1e-3;
  Expected<std::unique_ptr<Measurer>> created = Measurer::create(options);
  ASSERT_TRUE(bool(created)) << toString(created.takeError());
  MeasureTask task;
  task.payload = kPayload;
  Expected<Measurer::TaskId> prepared = (*created)->prepare(task);
  ASSERT_FALSE(bool(prepared));
  EXPECT_EQ(toString(prepared.takeError()),
            "the unscheduled function cannot be measured: timeout: no end "
            "after 0.001 s");
}

TEST_F(MeasurerTest, ExplainsWhatKeepsItFromStarting) {
  MeasureOptions bad = options;
  bad.workerPath = (directory + "/none").str();
  Expected<std::unique_ptr<Measurer>> created = Measurer::create(bad);
  ASSERT_FALSE(bool(created));
  std::string message = toString(created.takeError());
  EXPECT_NE(message.find("expected sched-worker"), std::string::npos);

  bad = options;
  bad.scratchDir = "/dev/null/scratch";
  created = Measurer::create(bad);
  ASSERT_FALSE(bool(created));
  message = toString(created.takeError());
  EXPECT_NE(message.find("cannot make a scratch directory in "
                         "'/dev/null/scratch'"),
            std::string::npos)
      << message;

  // A program that is no worker.
  bad = options;
  bad.workerPath = "/bin/false";
  created = Measurer::create(bad);
  ASSERT_TRUE(bool(created)) << toString(created.takeError());
  MeasureTask task;
  task.payload = kPayload;
  Expected<Measurer::TaskId> prepared = (*created)->prepare(task);
  ASSERT_FALSE(bool(prepared));
  message = toString(prepared.takeError());
  EXPECT_NE(message.find("sched-worker does not start: exit status 1"),
            std::string::npos)
      << message;
}

TEST_F(MeasurerTest, TakesTheWorkerThatTheEnvironmentNames) {
  options.workerPath.clear();
  ::setenv("SCHED_WORKER", "/none/of/these", /*overwrite=*/1);
  Expected<std::unique_ptr<Measurer>> created = Measurer::create(options);
  ASSERT_FALSE(bool(created));
  EXPECT_EQ(toString(created.takeError()),
            "found no program at '/none/of/these', expected sched-worker; "
            "correct SCHED_WORKER");
  ::setenv("SCHED_WORKER", SCHED_WORKER_PATH, /*overwrite=*/1);
  created = Measurer::create(options);
  EXPECT_TRUE(bool(created)) << toString(created.takeError());
  ::unsetenv("SCHED_WORKER");
}

TEST_F(MeasurerTest, FindsTheWorkerBesideTheBuild) {
  options.workerPath.clear();
  ASSERT_NO_FATAL_FAILURE(start());
  expectGood(only({"", ""}));
}

} // namespace
