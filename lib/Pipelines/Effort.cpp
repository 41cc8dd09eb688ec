//===- Effort.cpp - Options for how long a search may take ----------------===//

#include "Effort.h"

using namespace sched;

llvm::Expected<Effort> Effort::parse(llvm::StringRef name) {
  if (name == "quick")
    return Effort{16, 8, 3, 3, 100, 0, 0.05, 0.05};
  if (name == "normal")
    return Effort{64, 16, 3, 3, 300, 0, 0.01, 0};
  if (name == "thorough")
    return Effort{512, 32, 5, 20, 300, 256, 0.002, 0.002};
  return llvm::createStringError("unknown effort '" + name +
                                 "'; expected quick, normal or thorough");
}
