//===- RecordFile.cpp - Append-only file of records -----------------------===//
//
// POSIX calls rather than streams: an append has to be one write(2) on an
// O_APPEND descriptor to stay whole next to other writers.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Database/RecordFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace sched {

static Error systemError(int code, const Twine &what, const Twine &advice) {
  return createStringError(std::error_code(code, std::generic_category()),
                           what + ": " + std::generic_category().message(code) +
                               "; " + advice);
}

std::string RecordFile::pathIn(StringRef workDir) {
  SmallString<128> path(workDir);
  sys::path::append(path, "records.jsonl");
  return path.str().str();
}

Expected<RecordFile> RecordFile::open(StringRef workDir, bool sync) {
  if (workDir.empty())
    return createStringError("found an empty work directory name, expected a "
                             "path; set work-dir");
  bool isDirectory = false;
  if (!sys::fs::is_directory(workDir, isDirectory) && !isDirectory)
    return createStringError("found a file at the work directory '" + workDir +
                             "', expected a directory; choose another work-dir "
                             "or remove the file");
  // As any program makes them: the mode is what umask leaves of it.
  if (std::error_code code = sys::fs::create_directories(
          workDir, /*IgnoreExisting=*/true, sys::fs::all_all))
    return createStringError(code, "cannot create the work directory '" +
                                       workDir + "': " + code.message() +
                                       "; choose a work-dir that can be "
                                       "written");
  std::string path = pathIn(workDir);
  int fd = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return systemError(errno, "cannot write the record file '" + path + "'",
                       "choose a work-dir that can be written");
  struct stat status;
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd);
    return createStringError("found something other than a file at '" + path +
                             "', expected a record file; choose another "
                             "work-dir");
  }
  return RecordFile(std::move(path), fd, sync);
}

RecordFile::RecordFile(RecordFile &&other)
    : path(std::move(other.path)), fd(std::exchange(other.fd, -1)),
      sync(other.sync) {}

RecordFile &RecordFile::operator=(RecordFile &&other) {
  std::swap(path, other.path);
  std::swap(fd, other.fd);
  std::swap(sync, other.sync);
  return *this;
}

RecordFile::~RecordFile() {
  if (fd >= 0)
    ::close(fd);
}

/// Whether something was written last that is not a whole line.
static bool endsTorn(int fd) {
  off_t size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

Error RecordFile::append(const Record &record) {
  std::string line = record.toLine();
  line += '\n';
  if (endsTorn(fd))
    line.insert(line.begin(), '\n');
  ssize_t written;
  do
    written = ::write(fd, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written < 0)
    return systemError(errno, "cannot append to '" + path + "'",
                       "make room or choose another work-dir");
  // A short write leaves a torn line, as a kill would: the next append starts
  // on a line of its own.
  if (static_cast<size_t>(written) != line.size())
    return createStringError("wrote only a part of a record to '" + path +
                             "'; make room or choose another work-dir");
  if (sync && ::fdatasync(fd) != 0)
    return systemError(errno, "cannot flush '" + path + "'",
                       "make room or choose another work-dir");
  return Error::success();
}

Expected<LoadedRecords> RecordFile::load(WarningHandler warn) const {
  return loadPath(path, warn);
}

/// Brackets within brackets that a line may have. A record has two of them and
/// what newer versions add; the parser's stack bears some ten thousand.
static constexpr unsigned kMaxNesting = 64;

/// Whether `line` opens more than `kMaxNesting` brackets at once.
static bool nestsTooDeep(StringRef line) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0, e = line.size(); i < e; ++i) {
    const char c = line[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > kMaxNesting)
      return true;
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

Expected<LoadedRecords> RecordFile::loadPath(StringRef path,
                                             WarningHandler warn) {
  // A volatile read: the file may grow meanwhile, so it must not be mapped.
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false,
                            /*IsVolatile=*/true);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read the records at '" + path +
                                 "': " + buffer.getError().message() +
                                 "; expected a records.jsonl of an earlier "
                                 "search");
  LoadedRecords loaded;
  StringRef rest = (*buffer)->getBuffer();
  unsigned newer = 0, firstNewer = 0;
  for (unsigned number = 1; !rest.empty(); ++number) {
    bool whole = rest.contains('\n');
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.trim().empty())
      continue;
    auto skip = [&](Error error) {
      std::string reason = toString(std::move(error));
      StringRef firstLine = StringRef(reason).split('\n').first;
      if (whole)
        warn(path + Twine(":") + Twine(number) +
             ": skipped a malformed record: " + firstLine);
      else
        warn(path + Twine(":") + Twine(number) +
             ": skipped a torn last record (its writer was stopped)");
    };
    if (nestsTooDeep(line)) {
      skip(createStringError("found brackets in brackets %u times, expected a "
                             "record",
                             kMaxNesting + 1));
      continue;
    }
    Expected<json::Value> value = json::parse(line);
    if (!value) {
      skip(value.takeError());
      continue;
    }
    if (Record::versionOf(*value) > kRecordVersion) {
      if (newer++ == 0)
        firstNewer = number;
      loaded.newerLines.push_back(line.str());
      continue;
    }
    Expected<Record> record = Record::fromJSON(*value);
    if (!record) {
      skip(record.takeError());
      continue;
    }
    loaded.records.push_back(std::move(*record));
  }
  if (newer)
    warn(path + Twine(":") + Twine(firstNewer) + ": skipped " + Twine(newer) +
         " record(s) of a newer version than " + Twine(kRecordVersion) +
         "; a newer sched-opt wrote them");
  return loaded;
}

Error rewriteRecordFile(StringRef path, ArrayRef<Record> records,
                        ArrayRef<std::string> newerLines) {
  SmallString<128> temporary;
  int fd = -1;
  if (std::error_code code =
          sys::fs::createUniqueFile(path + ".%%%%%%.tmp", fd, temporary))
    return createStringError(code, "cannot write beside '" + path +
                                       "': " + code.message() +
                                       "; choose a place that can be written");
  auto fail = [&](std::error_code code) {
    sys::fs::remove(temporary);
    return createStringError(code,
                             "cannot write '" + path + "': " + code.message());
  };
  {
    raw_fd_ostream stream(fd, /*shouldClose=*/true);
    for (const Record &record : records)
      stream << record.toLine() << '\n';
    for (const std::string &line : newerLines)
      stream << line << '\n';
    stream.flush();
    if (stream.has_error()) {
      std::error_code code = stream.error();
      stream.clear_error();
      return fail(code);
    }
  }
  if (std::error_code code = sys::fs::rename(temporary, path))
    return fail(code);
  return Error::success();
}

} // namespace sched
