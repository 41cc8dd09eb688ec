//===- HostCaches.cpp - Cache sizes of this machine -----------------------===//

#include "HostCaches.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace sched;

/// A one-line file below the processor's folder; empty where there is none.
static std::string readLine(const Twine &name) {
  // The kernel reports size 0 for these files: read them as a stream.
  auto buffer =
      MemoryBuffer::getFileAsStream("/sys/devices/system/cpu/cpu0/" + name);
  return buffer ? (*buffer)->getBuffer().trim().str() : "";
}

/// "512K" in bytes; 0 where it is none.
static int64_t parseSize(StringRef text) {
  int64_t scale = 1;
  if (text.consume_back("K"))
    scale = 1 << 10;
  else if (text.consume_back("M"))
    scale = 1 << 20;
  int64_t value = 0;
  return text.getAsInteger(10, value) ? 0 : value * scale;
}

void sched::readHostCaches(Target &target) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "cache/index" + std::to_string(index) + "/";
    const std::string level = readLine(folder + "level");
    const int64_t size = parseSize(readLine(folder + "size"));
    if (level.empty() || size <= 0 ||
        readLine(folder + "type") == "Instruction")
      continue;
    (level == "1"   ? target.l1Bytes
     : level == "2" ? target.l2Bytes
                    : target.l3Bytes) = size;
    int line = 0;
    if (!StringRef(readLine(folder + "coherency_line_size"))
             .getAsInteger(10, line) &&
        line > 0)
      target.cacheLineBytes = line;
  }
}

double sched::readHostClock() {
  int64_t kilohertz = 0;
  if (!StringRef(readLine("cpufreq/cpuinfo_max_freq"))
           .getAsInteger(10, kilohertz))
    return kilohertz * 1e-6;
  return 0;
}
