//===- sched-worker.cpp - Builds and runs candidates for a tuner ----------===//
//
// A child process of the tuner (Measure/Measurer.h). It reads one request a
// line, does it, answers with a line, and lives until the tuner closes the
// channel; Measure/Protocol.h has the messages. A bad request is answered with
// an error. A bad candidate may take the process with it: that is what it is
// for.
//
// Read next: Channel.h, Builder.h (build, reference), KernelRunner.h (run).
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Channel.h"
#include "KernelRunner.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace sched;
using namespace sched::worker;

namespace {
class Worker {
public:
  explicit Worker(Channel &channel) : channel(channel), runner(channel) {}

  /// Does one request; false when it was the last.
  bool handle(StringRef line);

private:
  Expected<json::Object> build(const json::Value &message, int64_t id);
  Expected<json::Object> makeReference(const json::Value &message, int64_t id);
  Expected<json::Object> run(const json::Value &message, int64_t id);
  Expected<json::Object> findDevice();

  /// Made when first needed: a runner compiles nothing.
  Builder &getBuilder() {
    if (!builder)
      builder.emplace(channel);
    return *builder;
  }

  Channel &channel;
  std::optional<Builder> builder;
  KernelRunner runner;
};
} // namespace

Expected<json::Object> Worker::build(const json::Value &message, int64_t id) {
  Expected<BuildRequest> request = decode<BuildRequest>(message);
  if (!request)
    return request.takeError();
  channel.begin(id, request->memoryLimit);
  Expected<BuildAnswer> answer = getBuilder().build(*request);
  if (!answer)
    return answer.takeError();
  return toJSON(*answer);
}

Expected<json::Object> Worker::makeReference(const json::Value &message,
                                             int64_t id) {
  Expected<ReferenceRequest> request = decode<ReferenceRequest>(message);
  if (!request)
    return request.takeError();
  channel.begin(id, request->memoryLimit);
  SmallVector<char, 0> object, widened;
  std::vector<ReferenceSample> samples;
  Expected<ReferenceAnswer> answer =
      getBuilder().buildReference(*request, object, widened, samples);
  if (!answer)
    return answer.takeError();
  if (Error error =
          runner.makeReference(*request, object, widened, samples, *answer))
    return std::move(error);
  return toJSON(*answer);
}

Expected<json::Object> Worker::run(const json::Value &message, int64_t id) {
  Expected<RunRequest> request = decode<RunRequest>(message);
  if (!request)
    return request.takeError();
  channel.begin(id, request->memoryLimit);
  Expected<RunAnswer> answer = runner.run(*request);
  if (!answer)
    return answer.takeError();
  return toJSON(*answer);
}

Expected<json::Object> Worker::findDevice() {
  Expected<DeviceAnswer> answer = runner.findDevice();
  if (!answer)
    return answer.takeError();
  return toJSON(*answer);
}

bool Worker::handle(StringRef line) {
  Expected<json::Value> message = json::parse(line);
  const json::Object *object = message ? message->getAsObject() : nullptr;
  int64_t id = object ? object->getInteger("id").value_or(0) : 0;
  channel.begin(id, /*memoryLimit=*/0);
  if (!message) {
    channel.fail(message.takeError());
    return true;
  }
  StringRef op = object ? object->getString("op").value_or("") : "";
  if (op == "quit")
    return false;
  Expected<json::Object> answer = json::Object();
  if (op == "build")
    answer = build(*message, id);
  else if (op == "reference")
    answer = makeReference(*message, id);
  else if (op == "run")
    answer = run(*message, id);
  else if (op == "device")
    answer = findDevice();
  else if (op != "ping")
    answer = createStringError("found the operation '" + op +
                               "', expected build, reference, run, device, "
                               "ping or quit");
  if (answer)
    channel.succeed(std::move(*answer));
  else
    channel.fail(answer.takeError());
  return true;
}

int main(int argc, char **argv) {
  std::string scratch;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument.consume_front("--scratch=")) {
      scratch = argument.str();
      continue;
    }
    bool help = argument == "--help" || argument == "-h";
    (help ? outs() : errs())
        << (help ? "" : "found the option '" + argument.str() + "'\n")
        << "usage: sched-worker [--scratch=DIR] < requests > answers\n"
           "Builds and runs candidates for sched-opt, which starts it itself.\n"
           "One JSON object a line, for example {\"op\":\"ping\",\"id\":1}.\n";
    return help ? 0 : 1;
  }
  Channel channel(std::move(scratch));
  Worker worker(channel);
  channel.announce();
  while (std::optional<std::string> line = channel.next())
    if (!worker.handle(*line))
      break;
  return 0;
}
