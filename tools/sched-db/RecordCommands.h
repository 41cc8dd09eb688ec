//===- RecordCommands.h - Lists, merges and distils records -----*- C++ -*-===//
//
// The commands of sched-db that need nothing but records: `list`, `merge` and
// `best`.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_DB_RECORDCOMMANDS_H
#define SCHEDOPT_TOOLS_SCHED_DB_RECORDCOMMANDS_H

#include "SchedOpt/Database/Database.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sched::db {

/// The records of `place`: a work directory, or a file of records.
llvm::Error loadRecords(llvm::StringRef place, Database &records,
                        WarningHandler warn);

/// The directory of `place`, in which payloads are.
llvm::StringRef getWorkDir(llvm::StringRef place);

/// Made while command lines may still get options.
class RecordCommands {
public:
  explicit RecordCommands(llvm::cl::OptionCategory &category);

  /// Whether the command line has one of these commands.
  explicit operator bool() const { return list || merge || best; }

  llvm::Error run(llvm::raw_ostream &os, WarningHandler warn);

private:
  /// Writes `kept`, and the payloads of their workloads, to `output`.
  llvm::Error write(llvm::ArrayRef<Record> kept,
                    llvm::ArrayRef<std::string> newerLines) const;

  llvm::cl::SubCommand list, merge, best;
  llvm::cl::list<std::string> places;
  llvm::cl::opt<std::string> output;
};

} // namespace sched::db

#endif // SCHEDOPT_TOOLS_SCHED_DB_RECORDCOMMANDS_H
