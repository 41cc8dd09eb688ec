//===- CaseGuard.h - Names the case that crashed or hung --------*- C++ -*-===//
//
// Generated code may crash, and building it may not come to an end. A
// CaseGuard has the case written to stderr before the process goes down with
// it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PIPELINES_CASEGUARD_H
#define SCHEDOPT_TEST_UNIT_PIPELINES_CASEGUARD_H

#include <string>

namespace sched::test {

/// While it lives, a signal of a crash prints the case, and so does the end of
/// its time; both end the process. One at a time.
class CaseGuard {
public:
  CaseGuard(std::string description, unsigned seconds);
  ~CaseGuard();
  CaseGuard(const CaseGuard &) = delete;
  CaseGuard &operator=(const CaseGuard &) = delete;

private:
  std::string description;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PIPELINES_CASEGUARD_H
