//===- TensorDataTest.cpp - Inputs, poison and guard bands ----------------===//

#include "SchedOpt/Measure/TensorData.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

using namespace sched;

namespace {

TensorSpec make(std::vector<int64_t> shape, ElementType type) {
  TensorSpec spec;
  spec.shape = std::move(shape);
  spec.elementType = type;
  return spec;
}

constexpr ElementType kAll[] = {
    ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64,
    ElementType::I1,  ElementType::I8,   ElementType::I16, ElementType::I32,
    ElementType::I64, ElementType::Index};

TEST(TensorSpec, SizesNamesAndScalars) {
  for (ElementType type : kAll)
    EXPECT_EQ(parseElementType(str(type)), type);
  EXPECT_FALSE(parseElementType("f8"));
  EXPECT_EQ(make({}, ElementType::F64).numBytes(), 8u);
  EXPECT_EQ(make({3, 0, 2}, ElementType::F32).numBytes(), 0u);
  EXPECT_EQ(make({17, 19}, ElementType::BF16).str(), "17x19xbf16");
  EXPECT_EQ(make({17, 19}, ElementType::BF16).numBytes(), 17u * 19 * 2);
  EXPECT_EQ(machineEpsilon(ElementType::F32), std::ldexp(1.0, -23));
}

TEST(TensorData, InputsAreAFunctionOfSeedAndPosition) {
  TensorSpec spec = make({1000}, ElementType::F32);
  std::vector<float> a(1000), b(1000), other(1000), seeded(1000);
  fillFromSeed(spec, 0, 7, a.data());
  fillFromSeed(spec, 0, 7, b.data());
  fillFromSeed(spec, 1, 7, other.data());
  fillFromSeed(spec, 0, 8, seeded.data());
  EXPECT_EQ(a, b);
  EXPECT_NE(a, other);
  EXPECT_NE(a, seeded);
  // Pinned by a computation elsewhere: every build makes the same data.
  EXPECT_EQ(a[0], -7980151 * 0x1p-23f);
}

TEST(TensorData, EveryTypeFillsItsRange) {
  for (ElementType type : kAll) {
    TensorSpec spec = make({4096}, type);
    std::vector<char> data(spec.numBytes());
    fillFromSeed(spec, 2, 1, data.data());
    double low = type == ElementType::I1 || type == ElementType::Index ? 0
                 : isFloat(type)                                       ? -1
                                                                       : -8;
    double high = type == ElementType::I1 ? 2 : isFloat(type) ? 1 : 8;
    double sum = 0;
    std::set<double> distinct;
    for (int64_t i = 0; i < 4096; ++i) {
      double value = loadElement(spec, data.data(), i);
      EXPECT_GE(value, low) << str(type).str();
      EXPECT_LT(value, high) << str(type).str();
      sum += value;
      distinct.insert(value);
    }
    double middle = isFloat(type) ? 0 : (low + high - 1) / 2;
    EXPECT_NEAR(sum / 4096, middle, (high - low) * 0.03) << str(type).str();
    EXPECT_GE(distinct.size(), type == ElementType::I1      ? 2u
                               : type == ElementType::Index ? 8u
                               : isFloat(type)              ? 200u
                                                            : 16u);
  }
}

TEST(TensorData, PlacesAreInRange) {
  for (int64_t below : {1, 3, 200, 70000}) {
    TensorSpec spec = make({4096}, ElementType::I16);
    spec.below = below;
    std::vector<int16_t> data(4096);
    fillFromSeed(spec, 2, 1, data.data());
    const int64_t last = std::min<int64_t>(below, 32768) - 1;
    std::set<int16_t> distinct(data.begin(), data.end());
    EXPECT_GE(*distinct.begin(), 0);
    EXPECT_LE(*distinct.rbegin(), last);
    EXPECT_GE(*distinct.rbegin(), last * 9 / 10);
  }
}

TEST(TensorData, HalfPrecisionIsExact) {
  // The same top bits: an f16 input is the f32 one, rounded down to 2^-10.
  TensorSpec half = make({500}, ElementType::F16);
  TensorSpec single = make({500}, ElementType::F32);
  std::vector<uint16_t> h(500);
  std::vector<float> f(500);
  fillFromSeed(half, 0, 3, h.data());
  fillFromSeed(single, 0, 3, f.data());
  for (int64_t i = 0; i < 500; ++i)
    EXPECT_EQ(loadElement(half, h.data(), i), std::floor(f[i] * 1024) / 1024);
}

TEST(TensorData, PoisonShows) {
  for (ElementType type : kAll) {
    TensorSpec spec = make({5}, type);
    std::vector<char> data(spec.numBytes());
    fillWithPoison(spec, data.data());
    for (int64_t i = 0; i < 5; ++i) {
      if (isFloat(type))
        EXPECT_TRUE(std::isnan(loadElement(spec, data.data(), i)));
      else
        EXPECT_NE(loadElement(spec, data.data(), i), 0);
    }
  }
}

TEST(GuardedTensor, AlignsAndFindsTrespassOnBothSides) {
  GuardedTensor tensor(make({3, 5}, ElementType::F32));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % 64, 0u);
  EXPECT_FALSE(tensor.findTrespass());
  fillFromSeed(tensor.getSpec(), 0, 0, tensor.data());
  EXPECT_FALSE(tensor.findTrespass());
  char *bytes = static_cast<char *>(tensor.data());
  for (int64_t offset : {int64_t(60), int64_t(60 + 4095), int64_t(-1),
                         int64_t(-4096), int64_t(1000)}) {
    bytes[offset] ^= 1;
    EXPECT_EQ(tensor.findTrespass(), offset);
    tensor.armGuards();
    EXPECT_FALSE(tensor.findTrespass());
  }
}

TEST(GuardedTensor, HashSeesASingleBit) {
  GuardedTensor tensor(make({64}, ElementType::F64));
  fillFromSeed(tensor.getSpec(), 0, 0, tensor.data());
  uint64_t before = tensor.hash();
  EXPECT_EQ(tensor.hash(), before);
  static_cast<char *>(tensor.data())[511] ^= 1;
  EXPECT_NE(tensor.hash(), before);
}

} // namespace
