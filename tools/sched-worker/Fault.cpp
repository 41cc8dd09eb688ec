//===- Fault.cpp - Misbehaviour on request --------------------------------===//

#include "Fault.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace sched::worker {

void misbehave(llvm::StringRef fault) {
  if (fault == "crash") {
    volatile int *volatile nowhere = nullptr;
    *nowhere = 1;
  } else if (fault == "hang") {
    while (true)
      ::pause();
  } else if (fault == "memory") {
    // As a kernel allocates. The size is no constant, so that the calls stay;
    // untouched pages cost the machine nothing.
    volatile size_t size = size_t(64) << 20;
    while (true) {
      void *volatile block = std::aligned_alloc(64, size);
      (void)block;
    }
  } else if (fault == "exit") {
    std::fputs("leaving as asked\n", stderr);
    ::_exit(3);
  }
}

} // namespace sched::worker
