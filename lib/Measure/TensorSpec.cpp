//===- TensorSpec.cpp - Shape and type of a kernel's operand --------------===//

#include "SchedOpt/Measure/TensorSpec.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sched {

namespace {
struct TypeInfo {
  ElementType type;
  StringLiteral name;
  unsigned bytes;
  /// Bits of the significand behind the leading one; 0 for integers.
  unsigned fractionBits;
};
} // namespace

static constexpr TypeInfo kTypes[] = {
    {ElementType::F16, "f16", 2, 10}, {ElementType::BF16, "bf16", 2, 7},
    {ElementType::F32, "f32", 4, 23}, {ElementType::F64, "f64", 8, 52},
    {ElementType::I1, "i1", 1, 0},    {ElementType::I8, "i8", 1, 0},
    {ElementType::I16, "i16", 2, 0},  {ElementType::I32, "i32", 4, 0},
    {ElementType::I64, "i64", 8, 0},  {ElementType::Index, "index", 8, 0},
};

static const TypeInfo &infoOf(ElementType type) {
  for (const TypeInfo &info : kTypes)
    if (info.type == type)
      return info;
  llvm_unreachable("every element type is in the table");
}

StringRef str(ElementType type) { return infoOf(type).name; }

std::optional<ElementType> parseElementType(StringRef text) {
  for (const TypeInfo &info : kTypes)
    if (info.name == text)
      return info.type;
  return std::nullopt;
}

unsigned byteSize(ElementType type) { return infoOf(type).bytes; }

bool isFloat(ElementType type) { return infoOf(type).fractionBits != 0; }

double machineEpsilon(ElementType type) {
  unsigned bits = infoOf(type).fractionBits;
  return bits ? 1.0 / static_cast<double>(uint64_t(1) << bits) : 0.0;
}

int64_t TensorSpec::numElements() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

uint64_t TensorSpec::numBytes() const {
  return static_cast<uint64_t>(numElements()) * byteSize(elementType);
}

std::string TensorSpec::str() const {
  std::string text;
  raw_string_ostream out(text);
  for (int64_t extent : shape)
    out << extent << 'x';
  out << sched::str(elementType);
  return text;
}

} // namespace sched
