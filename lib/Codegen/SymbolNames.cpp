//===- SymbolNames.cpp - Names of an object's functions -------------------===//

#include "SchedOpt/Codegen/SymbolNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace sched;

std::string sched::getPackName(StringRef function, unsigned position) {
  return (function + "_pack_arg" + Twine(position)).str();
}

std::string sched::getPackSizeName(StringRef function, unsigned position) {
  return getPackName(function, position) + "_bytes";
}

/// The keywords of C23 and C++23, and names that the header's own text uses.
static constexpr llvm::StringLiteral kKeywords[] = {"alignas",
                                                    "alignof",
                                                    "and",
                                                    "and_eq",
                                                    "asm",
                                                    "auto",
                                                    "bitand",
                                                    "bitor",
                                                    "bool",
                                                    "break",
                                                    "case",
                                                    "catch",
                                                    "char",
                                                    "char16_t",
                                                    "char32_t",
                                                    "char8_t",
                                                    "class",
                                                    "co_await",
                                                    "co_return",
                                                    "co_yield",
                                                    "compl",
                                                    "concept",
                                                    "const",
                                                    "const_cast",
                                                    "consteval",
                                                    "constexpr",
                                                    "constinit",
                                                    "continue",
                                                    "decltype",
                                                    "default",
                                                    "delete",
                                                    "do",
                                                    "double",
                                                    "dynamic_cast",
                                                    "else",
                                                    "enum",
                                                    "explicit",
                                                    "export",
                                                    "extern",
                                                    "false",
                                                    "float",
                                                    "for",
                                                    "friend",
                                                    "goto",
                                                    "if",
                                                    "inline",
                                                    "int",
                                                    "long",
                                                    "mutable",
                                                    "namespace",
                                                    "new",
                                                    "noexcept",
                                                    "not",
                                                    "not_eq",
                                                    "nullptr",
                                                    "operator",
                                                    "or",
                                                    "or_eq",
                                                    "private",
                                                    "protected",
                                                    "public",
                                                    "register",
                                                    "reinterpret_cast",
                                                    "requires",
                                                    "restrict",
                                                    "return",
                                                    "short",
                                                    "signed",
                                                    "sizeof",
                                                    "static",
                                                    "static_assert",
                                                    "static_cast",
                                                    "struct",
                                                    "switch",
                                                    "template",
                                                    "this",
                                                    "thread_local",
                                                    "throw",
                                                    "true",
                                                    "try",
                                                    "typedef",
                                                    "typeid",
                                                    "typename",
                                                    "typeof",
                                                    "typeof_unqual",
                                                    "union",
                                                    "unsigned",
                                                    "using",
                                                    "virtual",
                                                    "void",
                                                    "volatile",
                                                    "wchar_t",
                                                    "while",
                                                    "xor",
                                                    "xor_eq",
                                                    "int8_t",
                                                    "int16_t",
                                                    "int32_t",
                                                    "int64_t",
                                                    "uint8_t",
                                                    "uint16_t",
                                                    "uint32_t",
                                                    "uint64_t"};

/// What the code of an object calls itself.
static constexpr llvm::StringLiteral kCalled[] = {
    "aligned_alloc", "free", "malloc", "memcpy", "memmove", "memset"};

/// Functions of <math.h> that what is left of the math dialect becomes, in f64;
/// those of f32 end in f. The object's own calls would reach the user's
/// function in place of the library's.
static constexpr llvm::StringLiteral kMath[] = {
    "acos",  "acosh",     "asin",  "asinh", "atan", "atan2", "atanh", "cbrt",
    "ceil",  "copysign",  "cos",   "cosh",  "erf",  "erfc",  "exp",   "exp10",
    "exp2",  "expm1",     "fabs",  "floor", "fma",  "fmax",  "fmin",  "fmod",
    "ldexp", "log",       "log10", "log1p", "log2", "pow",   "rint",  "round",
    "sin",   "roundeven", "sinh",  "sqrt",  "tan",  "tanh",  "trunc", "sincos"};

static bool isMathFunction(StringRef name) {
  return llvm::is_contained(kMath, name) ||
         (name.consume_back("f") && llvm::is_contained(kMath, name));
}

/// Whether the C library of this machine, which stands for the target's, has a
/// function or variable `name`.
static bool isInLibrary(StringRef name) {
  for (const char *file : {"libm.so.6", "libSystem.B.dylib"}) {
    // One that depends on the rest, and is in this process already.
    auto library = llvm::sys::DynamicLibrary::getPermanentLibrary(file);
    if (library.isValid())
      return library.getAddressOfSymbol(name.str().c_str()) != nullptr;
  }
  return false;
}

static bool isIdentifier(StringRef name) {
  return !name.empty() &&
         (llvm::isAlpha(name.front()) || name.front() == '_') &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// `name` as an identifier that is free in C.
static std::string suggest(StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  return isIdentifier(text) && text != name ? text : "kernel_" + text;
}

/// What keeps C from calling a function by this name; "" if nothing.
static std::string findFault(StringRef name) {
  if (!isIdentifier(name))
    return "is no identifier of C";
  if (llvm::is_contained(kKeywords, name))
    return "is a word of the language in C or C++";
  if (name == "main")
    return "is where a C program starts";
  if (llvm::is_contained(kCalled, name) || isMathFunction(name))
    return "is a function of the C library that the object calls";
  if (isInLibrary(name))
    return "is one of the C library";
  for (StringRef prefix : {"omp_", "ompc_", "ompt_", "kmp_", "kmpc_", "GOMP_"})
    if (name.starts_with(prefix))
      return "begins as those of OpenMP's library do, which the object calls";
  if (name.starts_with("__"))
    return "is reserved for the compiler and its libraries";
  if (name.starts_with("_sched_"))
    return "begins as the object's own names do";
  return "";
}

LogicalResult sched::checkSymbolNames(Operation *module) {
  SmallVector<func::FuncOp> functions;
  module->walk([&](func::FuncOp function) {
    if (function.isPublic() && !function.isDeclaration())
      functions.push_back(function);
  });
  // Names of functions to come, each with what they pack.
  llvm::StringMap<std::string> taken;
  for (func::FuncOp function : functions)
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
      if (!function.getArgAttr(i, "schedule.layout_free"))
        continue;
      const std::string what =
          ("argument " + Twine(i) + " of @" + function.getName()).str();
      taken[getPackName(function.getName(), i)] = what;
      taken[getPackSizeName(function.getName(), i)] = what;
    }
  bool isGood = true;
  for (func::FuncOp function : functions) {
    StringRef name = function.getName();
    if (std::string fault = findFault(name); !fault.empty()) {
      emitError(function.getLoc(), "the name '")
          << name << "' " << fault
          << ", so that the code cannot have it; rename the function, for "
             "example to @"
          << suggest(name);
      isGood = false;
    } else if (auto it = taken.find(name); it != taken.end()) {
      emitError(function.getLoc(), "the name '")
          << name << "' is that of the function that packs " << it->second
          << ", which is layout-free; rename one of the two";
      isGood = false;
    }
  }
  return success(isGood);
}
