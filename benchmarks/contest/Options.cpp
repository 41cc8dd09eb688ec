//===- Options.cpp - What every contest is told ---------------------------===//

#include "Options.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace sched::bench {

int ContestOptions::fail(const Twine &message) const {
  WithColor::error(errs(), category.getName()) << message << "\n";
  return 1;
}

int ContestOptions::finish(ArrayRef<Contender> contenders) const {
  int status = 0;
  for (const Contender &contender : contenders)
    if (contender.role == Role::Ours && !contender.error.empty())
      status = fail(contender.name + ": " + contender.error);
  return status;
}

std::pair<std::string, std::string> splitObject(StringRef object) {
  auto [name, path] = object.split('=');
  if (path.empty())
    return {sys::path::stem(object).str(), object.str()};
  return {name.str(), path.str()};
}

} // namespace sched::bench
