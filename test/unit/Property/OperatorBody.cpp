//===- OperatorBody.cpp - Writes the region of a generic op ---------------===//

#include "OperatorBody.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sched;
using namespace sched::test;

std::string test::writeLiteral(double value, ElementType type) {
  if (!isFloat(type))
    return std::to_string(int64_t(value));
  return llvm::formatv("{0:E}", value);
}

std::string Body::define(const std::string &line) {
  std::string name = "%b" + std::to_string(numNames++);
  text += "    " + name + " = " + line + "\n";
  return name;
}

std::string Body::op(llvm::StringRef name,
                     std::initializer_list<llvm::StringRef> operands,
                     ElementType type) {
  std::string line = name.str(), separator = " ";
  for (llvm::StringRef operand : operands) {
    line += separator + operand.str();
    separator = ", ";
  }
  return define(line + " : " + str(type).str());
}

std::string Body::arithmetic(llvm::StringRef forFloats,
                             llvm::StringRef forIntegers, llvm::StringRef a,
                             llvm::StringRef b, ElementType type) {
  return op(("arith." + (isFloat(type) ? forFloats : forIntegers)).str(),
            {a, b}, type);
}

std::string Body::add(llvm::StringRef a, llvm::StringRef b, ElementType type) {
  return arithmetic("addf", "addi", a, b, type);
}
std::string Body::sub(llvm::StringRef a, llvm::StringRef b, ElementType type) {
  return arithmetic("subf", "subi", a, b, type);
}
std::string Body::mul(llvm::StringRef a, llvm::StringRef b, ElementType type) {
  return arithmetic("mulf", "muli", a, b, type);
}
std::string Body::max(llvm::StringRef a, llvm::StringRef b, ElementType type) {
  return arithmetic("maximumf", "maxsi", a, b, type);
}
std::string Body::min(llvm::StringRef a, llvm::StringRef b, ElementType type) {
  return arithmetic("minimumf", "minsi", a, b, type);
}
std::string Body::abs(llvm::StringRef a, ElementType type) {
  return op(isFloat(type) ? "math.absf" : "math.absi", {a}, type);
}

std::string Body::constant(double value, ElementType type) {
  return define("arith.constant " + writeLiteral(value, type) + " : " +
                str(type).str());
}

std::string Body::greater(llvm::StringRef a, llvm::StringRef b,
                          ElementType type) {
  return define(llvm::formatv("arith.{0} {1}, {2} : {3}",
                              isFloat(type) ? "cmpf ogt," : "cmpi sgt,", a, b,
                              str(type)));
}

std::string Body::select(llvm::StringRef condition, llvm::StringRef a,
                         llvm::StringRef b, ElementType type) {
  return define(llvm::formatv("arith.select {0}, {1}, {2} : {3}", condition, a,
                              b, str(type)));
}

std::string Body::branch(llvm::StringRef condition, llvm::StringRef a,
                         llvm::StringRef b, ElementType type) {
  return define(llvm::formatv(
      "scf.if {0} -> ({3}) {{\n      %twice = arith.{4} {1}, {1} : {3}\n"
      "      scf.yield %twice : {3}\n    } else {{\n"
      "      scf.yield {2} : {3}\n    }",
      condition, a, b, str(type), isFloat(type) ? "addf" : "addi"));
}

std::string Body::cast(llvm::StringRef a, ElementType from, ElementType to) {
  if (from == to)
    return a.str();
  const bool grows = byteSize(from) < byteSize(to);
  llvm::StringRef name = isFloat(from) ? (grows ? "extf" : "truncf")
                         : isFloat(to) ? "sitofp"
                         : grows       ? "extsi"
                                       : "trunci";
  return define(
      llvm::formatv("arith.{0} {1} : {2} to {3}", name, a, str(from), str(to)));
}
