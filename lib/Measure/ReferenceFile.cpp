//===- ReferenceFile.cpp - Expected results on disk -----------------------===//

#include "SchedOpt/Measure/ReferenceFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sched {

/// The whole of the first line. Two files agree in it exactly when they hold
/// results of the same shapes in the same format.
static std::string header(ArrayRef<TensorSpec> tensors) {
  json::Array results;
  for (const TensorSpec &spec : tensors)
    if (spec.isResult)
      results.push_back(spec.str());
  std::string line;
  raw_string_ostream(line) << json::Value(
      json::Object{{"sched-reference", 1}, {"results", std::move(results)}});
  // Pad with blanks, so that the data starts aligned.
  line.resize((line.size() + 64) / 64 * 64 - 1, ' ');
  return line + '\n';
}

Error writeReference(StringRef path, ArrayRef<TensorSpec> tensors,
                     ArrayRef<void *> pointers) {
  std::string temporary = (path + ".tmp").str();
  std::error_code code;
  {
    raw_fd_ostream stream(temporary, code);
    if (!code) {
      stream << header(tensors);
      for (size_t i = 0; i != tensors.size(); ++i)
        if (tensors[i].isResult)
          stream.write(static_cast<const char *>(pointers[i]),
                       tensors[i].numBytes());
      stream.flush();
      code = stream.error();
      stream.clear_error();
    }
  }
  if (!code)
    code = sys::fs::rename(temporary, path);
  if (!code)
    return Error::success();
  sys::fs::remove(temporary);
  return createStringError(code, "cannot write the reference results to '" +
                                     path + "': " + code.message());
}

Expected<Reference> Reference::read(StringRef path,
                                    ArrayRef<TensorSpec> tensors) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read the reference results '" + path +
                                 "': " + buffer.getError().message());
  Reference reference;
  reference.buffer = std::move(*buffer);
  StringRef content = reference.buffer->getBuffer();
  std::string expectedHeader = header(tensors);
  if (!content.consume_front(expectedHeader))
    return createStringError("found other results in '" + path +
                             "' than those of this task, expected " +
                             StringRef(expectedHeader).rtrim());
  for (const TensorSpec &spec : tensors) {
    if (!spec.isResult) {
      reference.starts.push_back(nullptr);
      continue;
    }
    if (content.size() < spec.numBytes())
      return createStringError("the reference results '" + path +
                               "' are cut short");
    reference.starts.push_back(content.data());
    content = content.drop_front(spec.numBytes());
  }
  return reference;
}

} // namespace sched
