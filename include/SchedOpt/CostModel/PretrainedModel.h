//===- PretrainedModel.h - The model that comes with the project -*- C++
//-*-===//
//
// lib/CostModel/Pretrained.model, which benchmarks/pretrain.py trains by the
// records of the operator suite, as a part of the library: a new user's first
// batch is ranked by what was measured before. Read next: ModelFile.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_PRETRAINEDMODEL_H
#define SCHEDOPT_COSTMODEL_PRETRAINEDMODEL_H

#include "llvm/ADT/StringRef.h"

namespace sched {

/// The bytes of the file, for ModelFile::parse.
llvm::StringRef getPretrainedModel();

/// What errors call it.
constexpr char kPretrainedName[] = "lib/CostModel/Pretrained.model";

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_PRETRAINEDMODEL_H
