//===- FakeScript.h - What the fake GPU is to do ----------------*- C++ -*-===//
//
// The file that SCHED_FAKE_CUDA names has a line KEY=VALUE for each thing that
// is not as usual; without the variable everything goes well. Launches and
// loads are counted over all processes that use the file, in FILE.count and
// FILE.loads: the first is 1.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_FAKEDRIVER_FAKESCRIPT_H
#define SCHEDOPT_TEST_FAKEDRIVER_FAKESCRIPT_H

#include <map>
#include <string>

namespace fake {

class Script {
public:
  /// Reads the file anew; whether it is another one than before.
  bool read();

  /// \name Keys, and what they are without the file
  /// init=0: status of cuInit. devices=1. name=Fake GPU. major=9, minor=0.
  /// driver=12040: version. sms=132. l2=1048576: bytes. memory=1073741824:
  /// bytes that can be allocated. context=0: status of taking the device.
  /// cubin=0, ptx=0: status of loading them. registers=32, local=0, shared=0:
  /// what each kernel takes. spill=0: bytes that the log of PTX says.
  /// launch-us=100: how long a kernel takes; slower-us=0: how much longer each
  /// takes than the last of its process. memset-us=1000.
  /// kernel=copy: what each does: copy (the first argument to the last),
  /// nothing, trespass (copy, and a byte behind the last argument),
  /// input (copy, and a byte of the first argument).
  /// crash-at=0: the launch that faults; status=700: how. refuse-at=0: the
  /// launch that is refused with status 701. hang-at=0: the launch that never
  /// ends. lost-at=0: the launch at which the device falls off the bus, for all
  /// processes from then on (FILE.lost). lost-at-load=0: the same, by modules.
  /// @{
  long getNumber(const char *key, long usual) const;
  std::string getText(const char *key, const char *usual) const;
  /// @}

  /// Counts a launch, or a module that is loaded, and says which it is.
  long countLaunch() { return count(".count", launches); }
  long countLoad() { return count(".loads", loads); }
  void loseDevice();
  bool isDeviceLost() const;

private:
  /// Without a file, `here`.
  long count(const char *suffix, long &here);

  std::string path;
  std::map<std::string, std::string> values;
  long launches = 0, loads = 0;
};

} // namespace fake

#endif // SCHEDOPT_TEST_FAKEDRIVER_FAKESCRIPT_H
