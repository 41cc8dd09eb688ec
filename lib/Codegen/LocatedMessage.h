//===- LocatedMessage.h - Messages with their place in the source -*- C++ -*-=//

#ifndef SCHEDOPT_LIB_CODEGEN_LOCATEDMESSAGE_H
#define SCHEDOPT_LIB_CODEGEN_LOCATEDMESSAGE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched {

/// "FILE:LINE:COLUMN: MESSAGE"; the message alone where `loc` has no place.
std::string printLocated(mlir::Location loc, const llvm::Twine &message);

/// Says of an error that a kernel needs more than its chip has.
void markBeyondLimit(mlir::Diagnostic &diagnostic);

/// Keeps the first error of `context` that is reported while it lives, instead
/// of printing it.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);

  /// The error, value_too_large where it is marked so; `otherwise` where none
  /// was reported.
  llvm::Error take(llvm::StringRef otherwise) const;

private:
  std::string message;
  bool isBeyondLimit = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_LOCATEDMESSAGE_H
