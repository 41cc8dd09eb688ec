//===- Contender.cpp - One way to compute it, in processes ----------------===//

#include "Contender.h"
#include "SchedOpt/Support/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <limits>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace sched::bench {

/// A child that says nothing for this long is given up: while it sets itself up
/// (the reference of a large problem takes minutes), and in a turn (the
/// unscheduled form of one takes seconds a call).
constexpr int kSetupPatienceS = 900, kPatienceS = 120;

/// Processes of a contender.
static size_t getProcesses(Role role) {
  switch (role) {
  case Role::Ours:
  case Role::Library:
  case Role::Copy:
    return 3;
  // The peak uses no memory, STREAM's copy more than luck has a say in, and the
  // reference is slow.
  case Role::Peak:
  case Role::Stream:
  case Role::Reference:
    return 1;
  }
  llvm_unreachable("all roles have processes");
}

static double seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Way chooseFastest(std::vector<Way> ways) {
  std::vector<double> best(ways.size(),
                           std::numeric_limits<double>::infinity());
  for (int turn = 0; turn != 6; ++turn)
    for (size_t i = 0; i != ways.size(); ++i) {
      double start = seconds();
      ways[i].call();
      if (turn != 0) // The first wakes the threads.
        best[i] = std::min(best[i], seconds() - start);
    }
  return ways[llvm::min_element(best) - best.begin()];
}

// --- In the child

static void say(int channel, json::Object message) {
  std::string line = formatv("{0}\n", json::Value(std::move(message)));
  const char *data = line.data();
  for (size_t left = line.size(); left != 0;) {
    ssize_t written = write(channel, data, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      _exit(1); // The parent is gone.
    data += written;
    left -= written;
  }
}

static std::optional<std::string> readLine(int channel) {
  std::string line;
  for (char c;;) {
    ssize_t count = read(channel, &c, 1);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    if (c == '\n')
      return line;
    line += c;
  }
}

/// Mean seconds of a call: of calls for about `duration`, after some that wake
/// threads and fill caches. The first ones after a pause may take twenty times
/// as long, so how many calls that is follows from later ones.
static double timeRound(const std::function<void()> &call, double duration) {
  // At least so many calls, for at least so long.
  auto timeCalls = [&](int64_t least, double atLeast) {
    const double start = seconds();
    int64_t calls = 0;
    do {
      call();
      ++calls;
    } while (seconds() - start < atLeast ||
             (calls < least && seconds() - start < duration));
    return (seconds() - start) / calls;
  };
  // A call that is longer than the turn has pages and caches warm by itself.
  const double first = timeCalls(1, 0);
  if (first < duration)
    timeCalls(2, 0.2 * duration);
  const double each = first < duration ? timeCalls(1, 0.1 * duration) : first;
  const int64_t calls =
      std::max<int64_t>(1, static_cast<int64_t>(duration / each));
  const double start = seconds();
  for (int64_t i = 0; i != calls; ++i)
    call();
  return (seconds() - start) / calls;
}

[[noreturn]] static void serve(int in, int out, const Problem &problem,
                               const Setup &setup) {
  Expected<Work> work = setup();
  if (!work) {
    say(out, json::Object{{"error", toString(work.takeError())}});
    _exit(1);
  }
  double error = 0;
  if (work->result) {
    std::fill_n(work->result.get(), problem.resultSize(),
                std::numeric_limits<float>::quiet_NaN());
    work->call();
    if (work->finish)
      work->finish();
    error = problem.relativeError(work->result.get());
  }
  // JSON has no infinity.
  say(out, json::Object{{"variant", work->variant},
                        {"flops", work->flops},
                        {"bytes", work->bytes},
                        {"relative_error", std::min(error, 1e30)}});
  while (std::optional<std::string> line = readLine(in)) {
    double duration = 0;
    if (StringRef(*line).getAsDouble(duration))
      break;
    say(out, json::Object{{"seconds", timeRound(work->call, duration)}});
  }
  // Not exit(): no library gets to tidy up, or to hang doing so.
  _exit(0);
}

// --- In the parent

static Expected<json::Object> parseAnswer(Expected<std::string> line) {
  if (!line)
    return line.takeError();
  Expected<json::Value> value = json::parse(*line);
  if (!value)
    return value.takeError();
  json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("the child answered nonsense: " + *line);
  if (std::optional<StringRef> error = object->getString("error"))
    return createStringError(*error);
  return std::move(*object);
}

Contender::Process::Process(Process &&other)
    : child(std::exchange(other.child, -1)),
      toChild(std::exchange(other.toChild, -1)),
      fromChild(std::exchange(other.fromChild, -1)) {}

Contender::Process::~Process() {
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  for (int channel : {toChild, fromChild})
    if (channel >= 0)
      close(channel);
}

Error Contender::Process::start(function_ref<void(int in, int out)> serve) {
  int down[2] = {-1, -1}, up[2] = {-1, -1};
  if (pipe(down) != 0 || pipe(up) != 0) {
    for (int end : {down[0], down[1]})
      if (end >= 0)
        close(end);
    return createStringError("cannot make a pipe");
  }
  outs().flush();
  pid_t parent = getpid();
  child = fork();
  if (child == 0) {
    // A stopped child must not outlive its parent.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    close(down[1]);
    close(up[0]);
    serve(down[0], up[1]);
    _exit(1);
  }
  close(down[0]);
  close(up[1]);
  toChild = down[1];
  fromChild = up[0];
  if (child < 0)
    return createStringError("cannot start a process");
  return Error::success();
}

Error Contender::Process::stop() {
  kill(child, SIGSTOP);
  int status = 0;
  if (waitpid(child, &status, WUNTRACED) == child && !WIFSTOPPED(status)) {
    child = -1;
    return createStringError("its process ended");
  }
  return Error::success();
}

Expected<std::string> Contender::Process::ask(const std::string &line,
                                              int patienceS) {
  if (!line.empty() && write(toChild, line.data(), line.size()) !=
                           static_cast<ssize_t>(line.size()))
    return createStringError("its process is gone");
  std::string answer;
  for (char c;;) {
    pollfd waiting = {fromChild, POLLIN, 0};
    int ready = poll(&waiting, 1, patienceS * 1000);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0)
      return createStringError(formatv("no answer in {0} s", patienceS).str());
    if (ready < 0 || read(fromChild, &c, 1) != 1)
      break;
    if (c == '\n')
      return answer;
    answer += c;
  }
  int status = 0;
  pid_t ended = std::exchange(child, -1);
  waitpid(ended, &status, 0);
  if (WIFSIGNALED(status))
    return createStringError("its process died: " +
                             Twine(strsignal(WTERMSIG(status))));
  return createStringError("its process ended");
}

Contender::Contender(std::string name, Role role, const Problem &problem,
                     Setup setup)
    : name(std::move(name)), role(role), problem(&problem),
      setup(std::move(setup)) {
  if (Error failure = addProcess())
    giveUp(std::move(failure));
}

void Contender::giveUp(Error reason) {
  error = toString(std::move(reason));
  processes.clear();
}

Error Contender::addProcess() {
  Process &process = processes.emplace_back();
  if (Error failure = process.start(
          [&](int in, int out) { serve(in, out, *problem, setup); }))
    return failure;
  Expected<json::Object> answer = parseAnswer(process.ask("", kSetupPatienceS));
  if (!answer)
    return answer.takeError();
  const std::string chosen = answer->getString("variant").value_or("").str();
  if (processes.size() == 1)
    variant = chosen;
  else if (!is_contained(split(variant, " or "), chosen))
    variant += " or " + chosen;
  flops = answer->getNumber("flops").value_or(0);
  bytes = answer->getNumber("bytes").value_or(0);
  relativeError =
      std::max(relativeError, answer->getNumber("relative_error").value_or(0));
  if (relativeError > problem->tolerance())
    return createStringError(
        formatv("wrong result: relative error {0:e2}, at most {1:e2} expected",
                relativeError, problem->tolerance())
            .str());
  return process.stop();
}

void Contender::runRound(double duration, std::optional<unsigned> core) {
  if (!error.empty())
    return;
  const size_t turn = costsS.size() % getProcesses(role);
  if (turn == processes.size())
    if (Error failure = addProcess())
      return giveUp(std::move(failure));
  Process &process = processes[turn];
  const CoreBinding binding(process.getID(), core);
  kill(process.getID(), SIGCONT);
  Expected<json::Object> answer =
      parseAnswer(process.ask(std::to_string(duration) + "\n", kPatienceS));
  if (!answer)
    return giveUp(answer.takeError());
  costsS.push_back(answer->getNumber("seconds").value_or(0));
  if (Error ended = process.stop())
    giveUp(std::move(ended));
}

double Contender::medianS() const {
  std::vector<double> sorted = costsS;
  llvm::sort(sorted);
  size_t count = sorted.size();
  if (count == 0)
    return 0;
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double Contender::minS() const {
  return costsS.empty() ? 0 : *llvm::min_element(costsS);
}

} // namespace sched::bench
