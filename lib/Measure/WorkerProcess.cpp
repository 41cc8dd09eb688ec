//===- WorkerProcess.cpp - One child process ------------------------------===//
//
// The channel is one end of a socket pair: unlike a pipe it tells the worker at
// once that the tuner is gone, and writing to a dead worker raises no signal.
// All descriptors are close-on-exec, so that no worker holds another's channel
// open.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Measure/WorkerProcess.h"
#include "SchedOpt/Measure/Protocol.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

using namespace llvm;

namespace sched {

static Error cannotStart(StringRef path, int code) {
  std::error_code error(code, std::generic_category());
  return createStringError(error, "cannot start the worker '" + path +
                                      "': " + error.message());
}

Expected<std::unique_ptr<WorkerProcess>>
WorkerProcess::spawn(StringRef path, StringRef scratch) {
  // Whatever the worker prints; read when it dies.
  int log = ::memfd_create("sched-worker", MFD_CLOEXEC);
  if (log < 0)
    return cannotStart(path, errno);
  // Appending keeps writes right after the log is emptied for a new request.
  ::fcntl(log, F_SETFL, O_APPEND);
  std::vector<std::string> variables;
  if (!std::getenv("KMP_BLOCKTIME"))
    variables.push_back("KMP_BLOCKTIME=200");
  return launch({path.str(), ("--scratch=" + scratch).str()}, log, variables);
}

Expected<std::unique_ptr<WorkerProcess>>
WorkerProcess::spawnCommand(ArrayRef<std::string> command) {
  return launch(command, kNoLog, {});
}

Expected<std::unique_ptr<WorkerProcess>>
WorkerProcess::launch(ArrayRef<std::string> command, int log,
                      ArrayRef<std::string> variables) {
  const std::string &program = command.front();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    int code = errno;
    ::close(log);
    return cannotStart(program, code);
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (log != kNoLog)
    posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // The tuner may block or catch signals; the worker starts with defaults.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);

  // posix_spawn takes pointers to what it does not change.
  SmallVector<char *> arguments, environment;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  for (char **entry = environ; *entry; ++entry)
    environment.push_back(*entry);
  for (const std::string &variable : variables)
    environment.push_back(const_cast<char *>(variable.c_str()));
  environment.push_back(nullptr);

  pid_t pid = -1;
  int code = ::posix_spawn(&pid, program.c_str(), &actions, &attributes,
                           arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[1]);
  if (code != 0) {
    ::close(ends[0]);
    ::close(log);
    return cannotStart(program, code);
  }
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, ends[0], log));
}

WorkerProcess::~WorkerProcess() {
  kill();
  ::close(channel);
  ::close(log);
}

/// Waits for a process that is dying or was killed.
static int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Kills a worker with its group and reaps it. The only place that sends a
/// signal: to kill(2), 0 and below name whole sets of processes, so a pid that
/// was given up must never get there.
static int killAndReap(pid_t pid) {
  if (pid <= 1)
    return 0;
  ::kill(-pid, SIGKILL);
  // The group exists only once the child has run; the process always does.
  ::kill(pid, SIGKILL);
  return reap(pid);
}

void WorkerProcess::kill() {
  busy = false;
  killAndReap(pid);
  pid = kNoProcess;
}

bool WorkerProcess::checkAlive() {
  int status = 0;
  if (pid != kNoProcess && ::waitpid(pid, &status, WNOHANG) == pid)
    pid = kNoProcess;
  return pid != kNoProcess;
}

std::string WorkerProcess::lastWords() const {
  char tail[2048];
  off_t size = ::lseek(log, 0, SEEK_END);
  off_t from = std::max<off_t>(0, size - static_cast<off_t>(sizeof(tail)));
  ssize_t got = ::pread(log, tail, sizeof(tail), from);
  StringRef text(tail, got > 0 ? static_cast<size_t>(got) : 0);
  text = text.rtrim();
  return text.substr(text.rfind('\n') + 1).trim().str();
}

Outcome WorkerProcess::bury() {
  Outcome outcome;
  outcome.kind = Outcome::Kind::Died;
  outcome.stage = stage;
  outcome.beforeReady = !ready;
  busy = false;
  if (pid == kNoProcess) {
    outcome.detail = "it had ended before the request";
    return outcome;
  }
  // Its end of the channel is closed: it is dead, or dying with its status set.
  // The signal is for one that closed the channel and lives on.
  int status = killAndReap(pid);
  pid = kNoProcess;
  raw_string_ostream out(outcome.detail);
  if (WIFSIGNALED(status)) {
    const char *name = ::sigabbrev_np(WTERMSIG(status));
    if (name)
      out << "SIG" << name;
    else
      out << "signal " << WTERMSIG(status);
    out << " (" << ::strsignal(WTERMSIG(status)) << ")";
  } else {
    out << "exit status " << WEXITSTATUS(status);
  }
  std::string words = lastWords();
  if (!words.empty())
    out << ": " << words;
  return outcome;
}

void WorkerProcess::start(json::Object request, double timeoutS) {
  // A log that stays long does no harm.
  if (::ftruncate(log, 0) != 0)
    errno = 0;
  stage.clear();
  busy = true;
  deadline = monotonicSeconds() + timeoutS;
  request["id"] = ++id;
  std::string line;
  raw_string_ostream(line) << json::Value(std::move(request));
  // What cannot be sent shows as a closed channel at the next poll.
  if (!writeLine(channel, line))
    ::shutdown(channel, SHUT_RDWR);
}

std::optional<Outcome> WorkerProcess::poll() {
  if (!busy)
    return std::nullopt;
  LineReader::Status status = reader.fill();
  while (std::optional<std::string> line = reader.next()) {
    Expected<json::Value> message = json::parse(*line);
    const json::Object *object = message ? message->getAsObject() : nullptr;
    if (!object) {
      if (!message)
        consumeError(message.takeError());
      continue;
    }
    if (object->getBoolean("ready")) {
      ready = object->getInteger("protocol") == kProtocolVersion;
      continue;
    }
    if (object->getInteger("id") != id)
      continue;
    if (!object->get("ok")) {
      stage = object->getString("stage").value_or("").str();
      continue;
    }
    busy = false;
    Outcome outcome;
    outcome.answer = std::move(*message);
    outcome.stage = stage;
    return outcome;
  }
  if (status == LineReader::Status::Closed || pid == kNoProcess)
    return bury();
  if (monotonicSeconds() < deadline)
    return std::nullopt;
  Outcome outcome;
  outcome.kind = Outcome::Kind::TimedOut;
  outcome.stage = stage;
  outcome.beforeReady = !ready;
  kill();
  return outcome;
}

void WorkerProcess::waitForAny(ArrayRef<WorkerProcess *> workers) {
  SmallVector<struct pollfd> entries;
  double wait = 0.1;
  double now = monotonicSeconds();
  for (WorkerProcess *worker : workers) {
    if (!worker->busy)
      continue;
    entries.push_back({worker->channel, POLLIN, 0});
    wait = std::min(wait, worker->deadline - now);
  }
  if (entries.empty())
    return;
  ::poll(entries.data(), entries.size(),
         static_cast<int>(std::ceil(std::max(0.0, wait) * 1e3)));
}

bool WorkerProcess::awaitReady(double timeoutS, const std::atomic<bool> *stop) {
  if (ready)
    return true;
  Outcome outcome = ask(json::Object{{"op", "ping"}}, timeoutS, stop);
  return outcome.kind == Outcome::Kind::Answered && ready;
}

Outcome WorkerProcess::ask(json::Object request, double timeoutS,
                           const std::atomic<bool> *stop) {
  start(std::move(request), timeoutS);
  while (true) {
    if (std::optional<Outcome> outcome = poll())
      return *outcome;
    if (stop && stop->load()) {
      kill();
      Outcome outcome;
      outcome.kind = Outcome::Kind::Stopped;
      return outcome;
    }
    waitForAny({this});
  }
}

} // namespace sched
