//===- LocatedError.cpp - Errors with their place in the input ------------===//

#include "LocatedError.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace sched;

namespace {
class LocatedError final : public llvm::ErrorInfo<LocatedError> {
public:
  static char ID;

  /// Without `loc`: the error has been emitted.
  LocatedError(std::string message, std::optional<Location> loc)
      : loc(loc), text(std::move(message)) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  const std::optional<Location> loc;

private:
  std::string text;
};

char LocatedError::ID = 0;
} // namespace

llvm::Error sched::locate(llvm::Error error, Location loc) {
  return llvm::make_error<LocatedError>(llvm::toString(std::move(error)), loc);
}

llvm::Error sched::markEmitted(llvm::Error error) {
  return llvm::make_error<LocatedError>(llvm::toString(std::move(error)),
                                        std::nullopt);
}

void sched::emitOnce(ModuleOp module, llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [](const LocatedError &located) {
        if (located.loc)
          emitError(*located.loc) << located.message();
      },
      [&](const llvm::ErrorInfoBase &other) {
        emitError(module.getLoc()) << other.message();
      });
}
