//===- Features.h - The feature vector of a candidate -----------*- C++ -*-===//
//
// The numbers that a cost model sees of a candidate, computed from the loop
// nest by FeatureExtractor.cpp. Features.def defines each one. A model file or
// record that holds features names kFeatureVersion; a mismatch is an error,
// never a reinterpretation.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_FEATURES_H
#define SCHEDOPT_MODEL_FEATURES_H

#include "llvm/ADT/StringRef.h"
#include <array>

namespace sched {

/// Index of a feature in a FeatureVector.
enum class Feature : unsigned {
#define FEATURE(name, unit, definition) name,
#include "SchedOpt/Model/Features.def"
};

constexpr unsigned kNumFeatures = 0
#define FEATURE(name, unit, definition) +1
#include "SchedOpt/Model/Features.def"
    ;

/// Changes whenever Features.def does.
constexpr unsigned kFeatureVersion = 3;

/// One value a feature, raw, finite and not negative.
struct FeatureVector {
  std::array<float, kNumFeatures> values{};

  float operator[](Feature feature) const {
    return values[static_cast<unsigned>(feature)];
  }
  float &operator[](Feature feature) {
    return values[static_cast<unsigned>(feature)];
  }
};

/// Name, unit and definition of a feature, as in Features.def.
struct FeatureInfo {
  llvm::StringRef name, unit, definition;
};
const FeatureInfo &getFeatureInfo(Feature feature);

} // namespace sched

#endif // SCHEDOPT_MODEL_FEATURES_H
