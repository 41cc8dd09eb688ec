//===- PayloadFile.cpp - What the records of a workload are of ------------===//

#include "SchedOpt/Database/PayloadFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

std::string sched::getPayloadPath(StringRef workDir, StringRef workload) {
  SmallString<128> path(workDir);
  sys::path::append(path, "workloads", workload + ".mlir");
  return path.str().str();
}

Error sched::storePayload(StringRef workDir, StringRef workload,
                          StringRef text) {
  const std::string path = getPayloadPath(workDir, workload);
  if (sys::fs::exists(path))
    return Error::success();
  std::error_code code = sys::fs::create_directories(
      sys::path::parent_path(path), /*IgnoreExisting=*/true, sys::fs::all_all);
  Error error = code ? errorCodeToError(code)
                     // Written beside it under another name, then renamed.
                     : writeToOutput(path, [&](raw_ostream &os) {
                         os << text;
                         return Error::success();
                       });
  if (error)
    return createStringError("cannot write the workload '" + path +
                             "': " + toString(std::move(error)) +
                             "; choose a work-dir that can be written");
  return Error::success();
}
