//===- LineChannel.cpp - Lines over a descriptor --------------------------===//

#include "SchedOpt/Measure/LineChannel.h"
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace sched {

LineReader::Status LineReader::fill() {
  char chunk[16384];
  ssize_t got;
  do
    got = ::read(fd, chunk, sizeof(chunk));
  while (got < 0 && errno == EINTR);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    return Status::Open;
  if (got <= 0)
    return Status::Closed;
  buffered.append(chunk, static_cast<size_t>(got));
  return Status::Open;
}

std::optional<std::string> LineReader::next() {
  size_t end = buffered.find('\n', std::max(start, searched));
  if (end == std::string::npos) {
    buffered.erase(0, start);
    start = 0;
    searched = buffered.size();
    return std::nullopt;
  }
  std::string line = buffered.substr(start, end - start);
  start = searched = end + 1;
  return line;
}

bool writeLine(int fd, StringRef line) {
  std::string message = line.str();
  message += '\n';
  StringRef rest = message;
  // A reader that takes nothing for this long is as good as gone.
  constexpr int kStallMs = 10000;
  bool isSocket = true;
  while (!rest.empty()) {
    ssize_t sent = isSocket ? ::send(fd, rest.data(), rest.size(), MSG_NOSIGNAL)
                            : ::write(fd, rest.data(), rest.size());
    if (sent >= 0) {
      rest = rest.drop_front(static_cast<size_t>(sent));
      continue;
    }
    if (errno == ENOTSOCK && isSocket) {
      isSocket = false;
      continue;
    }
    if (errno == EINTR)
      continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
      return false;
    struct pollfd writable = {fd, POLLOUT, 0};
    int count = ::poll(&writable, 1, kStallMs);
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
  }
  return true;
}

} // namespace sched
