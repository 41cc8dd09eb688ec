//===- StaticParams.h - Literals in place of parameters ---------*- C++ -*-===//
//
// Upstream's tiling ops take a size as a parameter or as an attribute; the
// attribute reads better. Internal to the conversion.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CONVERSION_SCHEDULETOTRANSFORM_STATICPARAMS_H
#define SCHEDOPT_LIB_CONVERSION_SCHEDULETOTRANSFORM_STATICPARAMS_H

namespace mlir {
class Operation;
namespace schedule {

/// Makes the constant parameters of a tiling op attributes; leaves other ops
/// and other parameters as they are.
void makeParamsStatic(Operation *op);

} // namespace schedule
} // namespace mlir

#endif // SCHEDOPT_LIB_CONVERSION_SCHEDULETOTRANSFORM_STATICPARAMS_H
