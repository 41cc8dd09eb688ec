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

ErrorCollector::ErrorCollector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            message.empty())
          message = printLocated(diagnostic.getLocation(), diagnostic.str());
        return mlir::success();
      }) {}

llvm::Error ErrorCollector::take(llvm::StringRef otherwise) const {
  return llvm::createStringError(message.empty() ? otherwise.str() : message);
}
