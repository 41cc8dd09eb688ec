//===- ActionSupport.cpp - What the actions' expansions share -------------===//

#include "ActionSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::schedule;

FailureOr<SmallVector<int64_t>> schedule::getConstants(Operation *op,
                                                       ValueRange params) {
  SmallVector<int64_t> values;
  for (Value param : params) {
    FailureOr<int64_t> value = getConstantParam(param);
    if (failed(value)) {
      op->emitOpError("has a parameter that is not decided; run "
                      "schedule-sample or schedule-apply-trace first");
      return failure();
    }
    values.push_back(*value);
  }
  return values;
}

SmallVector<StringRef> schedule::toStrings(ArrayAttr names) {
  return llvm::map_to_vector(names.getAsRange<StringAttr>(),
                             [](StringAttr name) { return name.getValue(); });
}

LogicalResult schedule::verifyDims(Operation *op, int64_t rank,
                                   ArrayRef<int64_t> dims, size_t extents) {
  if (dims.empty() || dims.size() != extents)
    return op->emitOpError("needs one extent a dimension; found ")
           << dims.size() << " dimensions and " << extents << " extents";
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank || !seen.insert(dim).second)
      return op->emitOpError("needs distinct dimensions below its rank ")
             << rank << "; found " << dim;
  return success();
}
