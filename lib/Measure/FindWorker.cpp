//===- FindWorker.cpp - Where sched-worker is -----------------------------===//

#include "FindWorker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <dlfcn.h>
#include <optional>
#include <vector>

using namespace llvm;

namespace sched {

static constexpr char kName[] = "sched-worker";

/// Anything in this image: its address finds the file that it is from.
static char anchor;

/// The folders of the executable and of the shared object; one where they are
/// the same.
static std::vector<std::string> getOwnFolders() {
  std::vector<std::string> folders;
  auto add = [&](StringRef file) {
    SmallString<128> path;
    if (file.empty() || sys::fs::real_path(file, path))
      return;
    std::string folder = sys::path::parent_path(path).str();
    if (!is_contained(folders, folder))
      folders.push_back(std::move(folder));
  };
  add(sys::fs::getMainExecutable(nullptr, &anchor));
  Dl_info info;
  if (dladdr(&anchor, &info) && info.dli_fname)
    add(info.dli_fname);
  return folders;
}

/// A path that someone has given.
static Expected<std::string> checkNamed(StringRef path, StringRef where) {
  if (sys::fs::can_execute(path) && !sys::fs::is_directory(path))
    return path.str();
  return createStringError("found no program at '" + path +
                           "', expected sched-worker; correct " + where);
}

Expected<std::string> findWorker(StringRef given) {
  if (!given.empty())
    return checkNamed(given, "the path");
  std::optional<std::string> named = sys::Process::GetEnv(kWorkerVariable);
  if (named && !named->empty())
    return checkNamed(*named, kWorkerVariable);

  const std::vector<std::string> own = getOwnFolders();
  std::vector<std::string> folders = own;
  // Tests live in a folder below the build's.
  for (StringRef folder : own)
    for (int level = 0; level < 2; ++level) {
      folder = sys::path::parent_path(folder);
      SmallString<128> bin(folder);
      sys::path::append(bin, "bin");
      if (!is_contained(folders, StringRef(bin)))
        folders.push_back(bin.str().str());
    }
  for (const std::string &folder : folders) {
    SmallString<128> path(folder);
    sys::path::append(path, kName);
    if (sys::fs::can_execute(path) && !sys::fs::is_directory(path))
      return path.str().str();
  }
  if (ErrorOr<std::string> found = sys::findProgramByName(kName))
    return *found;
  return createStringError(
      "found no sched-worker in " + join(folders, ", ") +
      " or PATH; build the target sched-worker, install it "
      "in one of these, or name it with " +
      kWorkerVariable + "=FILE");
}

} // namespace sched
