//===- LocatedMessage.cpp - Messages with their place in the source -------===//

#include "LocatedMessage.h"
#include "llvm/Support/raw_ostream.h"

using namespace sched;

std::string sched::printLocated(mlir::Location loc,
                                const llvm::Twine &message) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto place = loc->findInstanceOf<mlir::FileLineColLoc>())
    stream << place.getFilename().getValue() << ':' << place.getLine() << ':'
           << place.getColumn() << ": ";
  stream << message;
  return text;
}

/// Of the metadata of a diagnostic, which is not printed.
static constexpr llvm::StringLiteral kBeyondLimit = "beyond-limit";

void sched::markBeyondLimit(mlir::Diagnostic &diagnostic) {
  diagnostic.getMetadata().push_back(mlir::DiagnosticArgument(kBeyondLimit));
}

ErrorCollector::ErrorCollector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            message.empty()) {
          message = printLocated(diagnostic.getLocation(), diagnostic.str());
          isBeyondLimit =
              !diagnostic.getMetadata().empty() &&
              diagnostic.getMetadata()[0].getKind() ==
                  mlir::DiagnosticArgument::DiagnosticArgumentKind::String &&
              diagnostic.getMetadata()[0].getAsString() == kBeyondLimit;
        }
        return mlir::success();
      }) {}

llvm::Error ErrorCollector::take(llvm::StringRef otherwise) const {
  if (isBeyondLimit)
    return llvm::createStringError(
        std::make_error_code(std::errc::value_too_large), message);
  return llvm::createStringError(message.empty() ? otherwise.str() : message);
}
