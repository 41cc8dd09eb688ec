//===- XGBoostLibrary.cpp - XGBoost, found at run time --------------------===//

#include "SchedOpt/CostModel/XGBoostLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include <utility>
#if __has_include(<xgboost/c_api.h>)
#include <type_traits>
#include <xgboost/c_api.h>
#endif

using namespace sched;
using llvm::sys::DynamicLibrary;

#if __has_include(<xgboost/c_api.h>)
// The functions are declared anew in XGBoostLibrary.h, so that the header is
// not needed; where it is there, it is asked whether that is right.
#define SAME_TYPE(member, function)                                            \
  static_assert(                                                               \
      std::is_same_v<decltype(XGBoostLibrary::member), decltype(&function)>,   \
      #function " is declared otherwise in xgboost/c_api.h")
SAME_TYPE(matrixCreate, XGDMatrixCreateFromMat);
SAME_TYPE(matrixFree, XGDMatrixFree);
SAME_TYPE(boosterCreate, XGBoosterCreate);
SAME_TYPE(boosterFree, XGBoosterFree);
SAME_TYPE(boosterSetParam, XGBoosterSetParam);
SAME_TYPE(boosterBoostOneIter, XGBoosterBoostOneIter);
SAME_TYPE(boosterPredictFromMatrix, XGBoosterPredictFromDMatrix);
SAME_TYPE(boosterPredictFromDense, XGBoosterPredictFromDense);
SAME_TYPE(boosterSave, XGBoosterSaveModelToBuffer);
SAME_TYPE(boosterLoad, XGBoosterLoadModelFromBuffer);
#undef SAME_TYPE
#endif

std::string XGBoostVersion::str() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(patch);
}

llvm::ArrayRef<llvm::StringRef> XGBoostLibrary::getUsualNames() {
  // Debian's runtime package has no name without a number.
  static constexpr llvm::StringRef names[] = {
#ifdef __APPLE__
      "libxgboost.dylib",
#endif
      "libxgboost.so", "libxgboost.so.0"};
  return names;
}

static std::string describeExpected() {
  return "expected XGBoost " + XGBoostLibrary::kFirst.str() +
         " or later, before " + XGBoostLibrary::kEnd.str() +
         " (Debian: apt-get install libxgboost-dev)";
}

template <typename Function>
static bool find(DynamicLibrary &library, const char *symbol,
                 Function &function, std::string &missing) {
  function = reinterpret_cast<Function>(library.getAddressOfSymbol(symbol));
  if (!function && missing.empty())
    missing = symbol;
  return function != nullptr;
}

llvm::Error XGBoostLibrary::resolve(void *handle, llvm::StringRef name) {
  DynamicLibrary library(handle);
  std::string missing;
  void (*getVersion)(int *, int *, int *);
  // The version first: a release out of range may lack some of the others.
  if (!find(library, "XGBoostVersion", getVersion, missing))
    return llvm::createStringError("found '" + name +
                                   "', which does not say its version; " +
                                   describeExpected());
  getVersion(&version.major, &version.minor, &version.patch);
  if (version < kFirst || !(version < kEnd))
    return llvm::createStringError("found XGBoost " + version.str() + " in '" +
                                   name + "'; " + describeExpected());
  find(library, "XGBGetLastError", getLastError, missing);
  find(library, "XGDMatrixCreateFromMat", matrixCreate, missing);
  find(library, "XGDMatrixFree", matrixFree, missing);
  find(library, "XGBoosterCreate", boosterCreate, missing);
  find(library, "XGBoosterFree", boosterFree, missing);
  find(library, "XGBoosterSetParam", boosterSetParam, missing);
  find(library, "XGBoosterBoostOneIter", boosterBoostOneIter, missing);
  find(library, "XGBoosterPredictFromDMatrix", boosterPredictFromMatrix,
       missing);
  find(library, "XGBoosterPredictFromDense", boosterPredictFromDense, missing);
  find(library, "XGBoosterSaveModelToBuffer", boosterSave, missing);
  find(library, "XGBoosterLoadModelFromBuffer", boosterLoad, missing);
  if (!missing.empty())
    return llvm::createStringError("found XGBoost " + version.str() + " in '" +
                                   name + "', which lacks " + missing + "; " +
                                   describeExpected());
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<const XGBoostLibrary>>
XGBoostLibrary::load(llvm::ArrayRef<llvm::StringRef> names) {
  std::string problem;
  for (llvm::StringRef name : names) {
    // Never closed: it has threads of its own.
    std::string error;
    DynamicLibrary library =
        DynamicLibrary::getPermanentLibrary(name.str().c_str(), &error);
    if (!library.isValid()) {
      if (problem.empty())
        problem = error;
      continue;
    }
    std::shared_ptr<XGBoostLibrary> result(new XGBoostLibrary);
    if (llvm::Error error =
            result->resolve(library.getOSSpecificHandle(), name))
      return std::move(error);
    return result;
  }
  return llvm::createStringError("found no XGBoost (" + problem + "); " +
                                 describeExpected());
}

llvm::Error XGBoostLibrary::check(int status) const {
  if (status == 0)
    return llvm::Error::success();
  // The first line: what follows is a trace of XGBoost's own stack. Before it
  // is the time.
  llvm::StringRef message = llvm::StringRef(getLastError()).trim();
  if (message.starts_with("["))
    message = message.split("] ").second;
  return llvm::createStringError(
      "XGBoost: " + message.take_until([](char c) { return c == '\n'; }).str());
}
