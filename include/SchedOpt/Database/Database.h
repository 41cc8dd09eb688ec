//===- Database.h - Index over records --------------------------*- C++ -*-===//
//
// Records of any number of files in memory, found by workload, target and
// toolchain. A search asks it what was measured before; compiling from history
// asks it for the best candidate, and for a reason when there is none.
//
// Read next: RecordFile.h (where the records come from).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DATABASE_DATABASE_H
#define SCHEDOPT_DATABASE_DATABASE_H

#include "SchedOpt/Database/RecordFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>
#include <utility>

namespace sched {

/// "cpu:mcpu=znver3,...,threads=2", a record's target: the part before the
/// number, the number.
std::pair<llvm::StringRef, llvm::StringRef>
splitThreads(llvm::StringRef target);

class Database {
public:
  /// Adds a record unless the very same one (byte for byte in JSON) is there.
  /// Pointers handed out before stay valid.
  void add(Record record);

  /// Adds all records of the file at `path`; merging files is loading each.
  llvm::Error load(llvm::StringRef path, WarningHandler warn);

  /// The records of one key, in the order added.
  llvm::SmallVector<const Record *> query(llvm::StringRef workload,
                                          llvm::StringRef target,
                                          llvm::StringRef toolchain) const;

  /// A record of the best program of one key, or null: the first by the rule
  /// of ProgramCosts.h. So the answer is a function of the records alone. With
  /// `isUsable`, records for which it is false do not count.
  const Record *
  best(llvm::StringRef workload, llvm::StringRef target,
       llvm::StringRef toolchain,
       llvm::function_ref<bool(const Record &)> isUsable = nullptr) const;

  /// Why `best` finds nothing: a few sentences that name the nearest records
  /// and what differs (toolchain, target or workload), and what to do. `text`:
  /// what the workload is, for people.
  std::string explainMiss(llvm::StringRef workload, llvm::StringRef text,
                          llvm::StringRef target,
                          llvm::StringRef toolchain) const;

  /// The best record of every key that has one, in order of first appearance:
  /// the content of a small file to ship. Write it with `rewriteRecordFile`.
  std::vector<Record> distill() const;

  const std::deque<Record> &getRecords() const { return records; }
  const std::vector<std::string> &getNewerLines() const { return newerLines; }

private:
  std::deque<Record> records;
  std::vector<std::string> newerLines;
  /// Lines seen, and the records of each key.
  llvm::StringSet<> lines;
  llvm::StringMap<llvm::SmallVector<const Record *>> byKey;
  /// Keys in order of first appearance, each by its first record.
  std::vector<const Record *> keys;
};

} // namespace sched

#endif // SCHEDOPT_DATABASE_DATABASE_H
