//===- CheckedOptions.h - A pipeline's options, or one error ----*- C++ -*-===//
//
// Upstream's options complain on stderr. These tell their caller, in one line,
// which value does not fit, or which options there are in place of an unknown
// one.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_CHECKEDOPTIONS_H
#define SCHEDOPT_LIB_PIPELINES_CHECKEDOPTIONS_H

#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

namespace sched {

/// A value whose parser (below) keeps what is wrong with its text. Those of
/// upstream print that to stderr.
template <typename T> struct Checked {
  T value = T();
  Checked(T value = T()) : value(value) {}
  operator T() const { return value; }
};

template <typename T>
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Checked<T> &value) {
  return os << value.value;
}

inline bool parseValue(llvm::StringRef text, bool &value) {
  value = text != "false" && text != "0";
  return !value || text.empty() || text == "true" || text == "1";
}
inline bool parseValue(llvm::StringRef text, double &value) {
  return llvm::to_float(text, value);
}
template <typename T> bool parseValue(llvm::StringRef text, T &value) {
  return llvm::to_integer(text, value);
}

template <typename T> llvm::StringRef nameValues() {
  if (std::is_same_v<T, bool>)
    return "true or false";
  if (std::is_floating_point_v<T>)
    return "a number";
  return std::is_signed_v<T> ? "an integer" : "an integer from 0 on";
}

} // namespace sched

template <typename T>
class llvm::cl::parser<sched::Checked<T>>
    : public basic_parser<sched::Checked<T>> {
public:
  using basic_parser<sched::Checked<T>>::basic_parser;

  bool parse(Option &, StringRef name, StringRef text,
             sched::Checked<T> &value) {
    if (sched::parseValue(text, value.value))
      return false;
    problem =
        ("found " + name + "=" + text + ", expected " + sched::nameValues<T>())
            .str();
    // As in a=1,b=2.
    if (text.split(',').second.contains('='))
      problem += "; put a space between options, and no comma";
    return true;
  }

  void printOptionDiff(const Option &option, const sched::Checked<T> &,
                       const OptionValue<sched::Checked<T>> &,
                       size_t width) const {
    this->printOptionName(option, width);
  }
  ValueExpected getValueExpectedFlagDefault() const {
    return std::is_same_v<T, bool> ? ValueOptional : ValueRequired;
  }
  StringRef getValueName() const override {
    return std::is_same_v<T, bool> ? "" : "number";
  }

  std::string problem;
};

namespace sched {

/// What is no number, or no finite one, is refused, too.
inline llvm::Error checkTime(llvm::StringRef name, double value,
                             llvm::StringRef expected) {
  if (value >= 0 && std::isfinite(value))
    return llvm::Error::success();
  return llvm::createStringError("%s must be %s; found %g", name.data(),
                                 expected.data(), value);
}

/// Options that can be listed, and that say what is wrong with their values.
template <typename Self>
struct CheckedOptions : mlir::PassPipelineOptions<Self> {
  template <typename T>
  struct Value : mlir::detail::PassOptions::Option<Checked<T>> {
    using Base = mlir::detail::PassOptions::Option<Checked<T>>;
    template <typename... Args>
    Value(CheckedOptions &parent, Args &&...args)
        : Base(parent, std::forward<Args>(args)...) {
      parent.problems.push_back(&this->getParser().problem);
    }
  };

  /// Parses `key=value` after `key=value`.
  llvm::Error parse(llvm::StringRef text) {
    // How upstream names one that it does not know.
    constexpr llvm::StringLiteral kNoSuchOption = "no such option ";
    std::string found;
    llvm::raw_string_ostream os(found);
    if (llvm::succeeded(this->parseFromString(text, os)))
      return llvm::Error::success();
    for (const std::string *problem : problems)
      if (!problem->empty())
        return llvm::createStringError(*problem);
    llvm::StringRef unknown = found;
    const size_t at = unknown.find(kNoSuchOption);
    if (at == llvm::StringRef::npos)
      return llvm::createStringError(unknown.trim().empty()
                                         ? "found an option without a value"
                                         : unknown.trim());
    llvm::SmallVector<llvm::StringRef> names(this->OptionsMap.keys());
    llvm::sort(names);
    return llvm::createStringError(
        "found no option '" +
        unknown.drop_front(at + kNoSuchOption.size()).trim() + "', expected " +
        llvm::join(names, ", "));
  }

private:
  std::vector<const std::string *> problems;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_CHECKEDOPTIONS_H
