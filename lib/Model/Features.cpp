//===- Features.cpp - Names and definitions of the features ---------------===//

#include "SchedOpt/Model/Features.h"

using namespace sched;

static const FeatureInfo kInfos[] = {
#define FEATURE(name, unit, definition) {#name, unit, definition},
#include "SchedOpt/Model/Features.def"
};

const FeatureInfo &sched::getFeatureInfo(Feature feature) {
  return kInfos[static_cast<unsigned>(feature)];
}
