//===- Onednn.cpp - oneDNN's primitives as contenders ---------------------===//

#include "Onednn.h"
#include "Library.h"

using namespace llvm;

namespace sched::bench {

bool hasBlockedForm(const Operator &op) {
  return op.layoutFree &&
         (op.kind == Kind::Convolution || op.kind == Kind::Linear);
}

Setup onednnPrimitive(const Operator &op, Layouts layouts, std::string folder) {
  return [&op, layouts, folder]() -> Expected<Work> {
    setThreads(op.threads);
    std::string path = folder + "/OpBenchOnednn.so";
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return createStringError("not installed, or op-bench was built without "
                               "its headers (" +
                               Twine(dlerror()) + ")");
    OnednnSetup setUp = nullptr;
    find(handle, "schedSetUpOnednn", setUp);
    if (!setUp)
      return createStringError("no schedSetUpOnednn in '" + path + "'");
    Work work;
    std::string error;
    if (!setUp(op, layouts, work, error))
      return createStringError(error);
    work.flops = op.flops();
    work.bytes = op.bytes();
    return std::move(work);
  };
}

} // namespace sched::bench
