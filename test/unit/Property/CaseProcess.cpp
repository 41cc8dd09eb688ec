//===- CaseProcess.cpp - Runs each test case in a process -----------------===//

#include "CaseProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sched;
using namespace sched::test;

namespace {
/// A running case.
struct Child {
  uint64_t seed;
  pid_t pid;
  /// Where its events come from, and what it writes to stderr.
  int events, messages;
  /// The begin of a line, the end of stderr, and the last event of kind kNow.
  std::string line = {}, tail = {}, now = {};
  bool failed = false;
};
} // namespace

/// One line an event; line ends in the text are escaped.
static void writeEvent(int fd, llvm::StringRef event, llvm::StringRef text) {
  std::string line = event.str() + " ";
  for (char c : text)
    line += c == '\n' ? '\1' : c;
  line += '\n';
  llvm::StringRef rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written <= 0)
      ::_exit(1);
    rest = rest.drop_front(written);
  }
}

static void setLimit(int resource, uint64_t value) {
  struct rlimit limit;
  ::getrlimit(resource, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, value);
  ::setrlimit(resource, &limit);
}

static Child start(uint64_t seed, const ProcessLimits &limits,
                   const std::function<void(uint64_t, ReportFn)> &work) {
  int events[2], messages[2];
  if (::pipe2(events, O_CLOEXEC) != 0 || ::pipe2(messages, O_CLOEXEC) != 0)
    llvm::report_fatal_error("no pipe for a test case");
  const pid_t pid = ::fork();
  if (pid < 0)
    llvm::report_fatal_error("no process for a test case");
  if (pid == 0) {
    ::dup2(messages[1], STDERR_FILENO);
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_CPU, limits.cpuSeconds);
    setLimit(RLIMIT_DATA, limits.memoryBytes);
    ::alarm(limits.wallSeconds);
    work(seed, [&](llvm::StringRef event, llvm::StringRef text) {
      writeEvent(events[1], event, text);
    });
    // No destructors: the parent has the same objects.
    ::_exit(0);
  }
  ::close(events[1]);
  ::close(messages[1]);
  return {seed, pid, events[0], messages[0]};
}

/// "killed by signal 11 (Segmentation fault)"; "" if it ended by itself.
static std::string describeEnd(int status) {
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == 0
               ? ""
               : "exit status " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return (signal == SIGALRM || signal == SIGXCPU ? "did not end in time: "
                                                 : "crashed: ") +
         std::string(::strsignal(signal));
}

namespace {
class Pool {
public:
  using Report =
      std::function<void(uint64_t, llvm::StringRef, llvm::StringRef)>;
  explicit Pool(const Report &report) : report(report) {}

  void add(Child child) { children.push_back(std::move(child)); }
  size_t size() const { return children.size(); }

  /// Waits for the next output, and ends what is at its end.
  void step() {
    std::vector<struct pollfd> polled;
    for (const Child &child : children)
      for (int fd : {child.events, child.messages})
        polled.push_back({fd, POLLIN, 0});
    ::poll(polled.data(), polled.size(), -1);
    auto entry = polled.begin();
    for (auto child = children.begin(); child != children.end();) {
      const bool hasEvents = (entry++)->revents != 0,
                 hasMessages = (entry++)->revents != 0;
      if (hasMessages)
        readMessages(*child);
      if (hasEvents && !readEvents(*child)) {
        finish(*child);
        child = children.erase(child);
      } else {
        ++child;
      }
    }
  }

private:
  static std::string read(int &fd) {
    char buffer[4096];
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    return std::string(buffer, std::max<ssize_t>(got, 0));
  }

  static void readMessages(Child &child) {
    const std::string text = read(child.messages);
    if (text.empty()) {
      ::close(child.messages);
      // Ignored by poll.
      child.messages = -1;
    }
    child.tail += text;
    constexpr size_t kTail = 4000;
    if (child.tail.size() > kTail)
      child.tail.erase(0, child.tail.size() - kTail);
  }

  /// False at the end.
  bool readEvents(Child &child) {
    const std::string text = read(child.events);
    for (char c : text) {
      if (c != '\n') {
        child.line += c == '\1' ? '\n' : c;
        continue;
      }
      const auto [event, rest] = llvm::StringRef(child.line).split(' ');
      if (event == event::kNow)
        child.now = rest.str();
      child.failed |= event == event::kFailure;
      report(child.seed, event,
             event == event::kFailure ? (rest + "\nat: " + child.now).str()
                                      : rest.str());
      child.line.clear();
    }
    return !text.empty();
  }

  void finish(Child &child) {
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    while (child.messages >= 0)
      readMessages(child);
    ::close(child.events);
    const std::string end = describeEnd(status);
    if (!end.empty() && !child.failed)
      report(child.seed, event::kFailure,
             end + "\nat: " + child.now + "\n" + child.tail);
  }

  const Report &report;
  std::list<Child> children;
};
} // namespace

void test::runInProcesses(unsigned jobs, const ProcessLimits &limits,
                          const std::function<std::optional<uint64_t>()> &next,
                          const std::function<void(uint64_t, ReportFn)> &work,
                          const std::function<void(uint64_t, llvm::StringRef,
                                                   llvm::StringRef)> &report) {
  Pool pool(report);
  while (true) {
    while (pool.size() < jobs)
      if (std::optional<uint64_t> seed = next())
        pool.add(start(*seed, limits, work));
      else
        break;
    if (pool.size() == 0)
      return;
    pool.step();
  }
}
