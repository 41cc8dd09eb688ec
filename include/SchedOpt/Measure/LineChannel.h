//===- LineChannel.h - Lines over a descriptor ------------------*- C++ -*-===//
//
// Both ends of the protocol read and write whole lines with this.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_LINECHANNEL_H
#define SCHEDOPT_MEASURE_LINECHANNEL_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace sched {

/// Cuts what arrives on a descriptor into lines. Does not own the descriptor.
class LineReader {
public:
  explicit LineReader(int fd) : fd(fd) {}

  enum class Status { Open, Closed };

  /// Reads once, waiting for data unless the descriptor does not block.
  /// `Closed` on end of file and on errors.
  Status fill();

  /// The next whole line without its newline, if one has arrived.
  std::optional<std::string> next();

private:
  int fd;
  std::string buffered;
  /// Where the next line starts, and how far it was searched for its end.
  size_t start = 0, searched = 0;
};

/// Writes `line` and a newline; true when all of it went out. For a socket, a
/// peer that is gone gives false rather than a signal.
bool writeLine(int fd, llvm::StringRef line);

} // namespace sched

#endif // SCHEDOPT_MEASURE_LINECHANNEL_H
