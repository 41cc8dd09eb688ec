//===- RecordFile.h - Append-only file of records ---------------*- C++ -*-===//
//
// `records.jsonl` of a work directory: one record (Record.h) a line. A search
// appends as results come in; whoever is killed in the middle of a write leaves
// at most one torn line, which readers skip and writers never append to.
//
// Read next: Database.h, which indexes what is loaded here.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DATABASE_RECORDFILE_H
#define SCHEDOPT_DATABASE_RECORDFILE_H

#include "SchedOpt/Database/Record.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace sched {

/// Receives one sentence for each thing that was skipped.
using WarningHandler = llvm::function_ref<void(const llvm::Twine &)>;

/// What a file held, in its order.
struct LoadedRecords {
  std::vector<Record> records;
  /// Lines of newer versions, as they are. Whoever rewrites a file writes them
  /// back, so that an old tool does not destroy a newer one's work.
  std::vector<std::string> newerLines;
};

/// An open record file. Several processes may append to one file.
class RecordFile {
public:
  /// Opens `records.jsonl` in `workDir` for appending; makes the directory and
  /// the file where they are missing. With `sync`, every append reaches the
  /// disk before it returns. Fails with one sentence that says what was found,
  /// what was expected and what to do.
  static llvm::Expected<RecordFile> open(llvm::StringRef workDir,
                                         bool sync = false);

  RecordFile(RecordFile &&other);
  RecordFile &operator=(RecordFile &&other);
  ~RecordFile();

  /// Adds one record with a single write. Where the file ends in a torn line, a
  /// newline goes first.
  llvm::Error append(const Record &record);

  /// Reads this file from its beginning.
  llvm::Expected<LoadedRecords> load(WarningHandler warn) const;

  llvm::StringRef getPath() const { return path; }

  /// Reads the file at `path`. A torn last line, a malformed line and lines of
  /// a newer version are skipped, each kind with a warning that names the file
  /// and the line. Fails only when the file cannot be read at all.
  static llvm::Expected<LoadedRecords> loadPath(llvm::StringRef path,
                                                WarningHandler warn);

  /// Where `open` keeps the records of `workDir`.
  static std::string pathIn(llvm::StringRef workDir);

private:
  RecordFile(std::string path, int fd, bool sync)
      : path(std::move(path)), fd(fd), sync(sync) {}

  std::string path;
  int fd = -1;
  bool sync = false;
};

/// Replaces the file at `path` by these records and lines: written beside it
/// under another name, then renamed, so that a reader sees the old file or the
/// new one and nothing between.
llvm::Error rewriteRecordFile(llvm::StringRef path,
                              llvm::ArrayRef<Record> records,
                              llvm::ArrayRef<std::string> newerLines = {});

} // namespace sched

#endif // SCHEDOPT_DATABASE_RECORDFILE_H
