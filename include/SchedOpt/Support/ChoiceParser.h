//===- ChoiceParser.h - Options that name what they take --------*- C++ -*-===//
//
// LLVM's own parser of an option with several values says of another one only
// that it cannot find it. Use as
//   cl::opt<T, /*ExternalStorage=*/false, ChoiceParser<T>>
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_CHOICEPARSER_H
#define SCHEDOPT_SUPPORT_CHOICEPARSER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace sched {

/// Reads one of `cl::values`; of any other text, the error lists them.
template <typename T> class ChoiceParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  /// Part of LLVM's interface: true on errors.
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, T &value) {
    const auto *found = llvm::find_if(
        this->Values, [&](const auto &choice) { return choice.Name == text; });
    if (found == this->Values.end())
      return option.error("found '" + text + "'; expected one of " +
                          llvm::join(llvm::map_range(this->Values,
                                                     [](const auto &choice) {
                                                       return choice.Name;
                                                     }),
                                     ", "));
    value = found->V.getValue();
    return false;
  }
};

} // namespace sched

#endif // SCHEDOPT_SUPPORT_CHOICEPARSER_H
