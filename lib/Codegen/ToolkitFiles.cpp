//===- ToolkitFiles.cpp - Where a CUDA toolkit is -------------------------===//

#include "ToolkitFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

std::optional<std::string> sched::getGivenToolkit() {
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> value = sys::Process::GetEnv(variable);
        value && !value->empty())
      return value;
  return std::nullopt;
}

std::vector<std::string> sched::getToolkitFolders() {
  if (std::optional<std::string> given = getGivenToolkit())
    return {*given};
  std::vector<std::string> folders = {"/usr/local/cuda"};
  if (auto program = sys::findProgramByName("ptxas")) {
    StringRef folder = sys::path::parent_path(sys::path::parent_path(*program));
    if (!is_contained(folders, folder))
      folders.push_back(folder.str());
  }
  return folders;
}

Expected<std::string> sched::findToolkitFile(ArrayRef<StringRef> names,
                                             StringRef purpose) {
  const std::vector<std::string> folders = getToolkitFolders();
  for (StringRef folder : folders)
    for (StringRef name : names) {
      SmallString<128> path(folder);
      sys::path::append(path, name);
      if (sys::fs::exists(path))
        return path.str().str();
    }
  return createStringError(
      std::make_error_code(std::errc::no_such_file_or_directory),
      "no CUDA toolkit for " + purpose + ": looked for " + join(names, " or ") +
          " in " + join(folders, ", ") +
          "; install one, or set CUDA_HOME to its folder");
}
