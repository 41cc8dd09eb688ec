//===- Booster.cpp - Boosted trees over rows ------------------------------===//

#include "SchedOpt/CostModel/Booster.h"
#include <algorithm>
#include <cassert>
#include <limits>

using namespace sched;

llvm::Expected<BoosterMatrix>
BoosterMatrix::create(std::shared_ptr<const XGBoostLibrary> library,
                      llvm::ArrayRef<float> values, size_t columns) {
  assert(columns && values.size() % columns == 0 && "whole rows");
  BoosterMatrix matrix;
  matrix.library = std::move(library);
  matrix.numRows = values.size() / columns;
  if (llvm::Error error = matrix.library->check(matrix.library->matrixCreate(
          values.data(), matrix.numRows, columns,
          std::numeric_limits<float>::quiet_NaN(), &matrix.handle)))
    return std::move(error);
  return matrix;
}

BoosterMatrix::BoosterMatrix(BoosterMatrix &&other) {
  *this = std::move(other);
}

BoosterMatrix &BoosterMatrix::operator=(BoosterMatrix &&other) {
  std::swap(library, other.library);
  std::swap(handle, other.handle);
  std::swap(numRows, other.numRows);
  return *this;
}

BoosterMatrix::~BoosterMatrix() {
  if (handle)
    library->matrixFree(handle);
}

llvm::Expected<Booster>
Booster::createEmpty(std::shared_ptr<const XGBoostLibrary> library) {
  Booster booster;
  booster.library = std::move(library);
  if (llvm::Error error = booster.library->check(
          booster.library->boosterCreate(nullptr, 0, &booster.handle)))
    return std::move(error);
  return booster;
}

llvm::Expected<Booster>
Booster::create(std::shared_ptr<const XGBoostLibrary> library,
                const TreeOptions &options, size_t columns) {
  llvm::Expected<Booster> booster = createEmpty(std::move(library));
  if (!booster)
    return booster;
  if (llvm::Error error = booster->set("num_feature", std::to_string(columns)))
    return std::move(error);
  if (llvm::Error error = booster->configure(options))
    return std::move(error);
  return booster;
}

llvm::Expected<Booster>
Booster::load(std::shared_ptr<const XGBoostLibrary> library,
              const TreeOptions &options, llvm::StringRef bytes) {
  llvm::Expected<Booster> booster = createEmpty(std::move(library));
  if (!booster)
    return booster;
  if (llvm::Error error = booster->library->check(booster->library->boosterLoad(
          booster->handle, bytes.data(), bytes.size())))
    return std::move(error);
  if (llvm::Error error = booster->configure(options))
    return std::move(error);
  return booster;
}

llvm::Error Booster::set(const char *name, const std::string &value) {
  return library->check(library->boosterSetParam(handle, name, value.c_str()));
}

llvm::Error Booster::configure(const TreeOptions &options) {
  const std::pair<const char *, std::string> parameters[] = {
      {"verbosity", "0"},
      {"nthread", "1"},
      {"tree_method", "hist"},
      // Gradients come from outside; this one transforms no prediction.
      {"objective", "reg:squarederror"},
      {"base_score", "0"},
      {"max_depth", std::to_string(options.maxDepth)},
      {"eta", std::to_string(options.eta)},
      {"lambda", std::to_string(options.lambda)},
      {"min_child_weight", std::to_string(options.minChildWeight)},
      {"colsample_bytree", std::to_string(options.columnShare)},
      {"max_bin", std::to_string(options.maxBins)},
      // A 32-bit number there.
      {"seed", std::to_string(options.seed & 0x7fffffff)}};
  for (const auto &[name, value] : parameters)
    if (llvm::Error error = set(name, value))
      return error;
  return llvm::Error::success();
}

Booster::Booster(Booster &&other) { *this = std::move(other); }

Booster &Booster::operator=(Booster &&other) {
  std::swap(library, other.library);
  std::swap(handle, other.handle);
  return *this;
}

Booster::~Booster() {
  if (handle)
    library->boosterFree(handle);
}

llvm::Error Booster::boost(const BoosterMatrix &matrix,
                           llvm::MutableArrayRef<float> gradients,
                           llvm::MutableArrayRef<float> curvatures) {
  assert(gradients.size() == matrix.numRows &&
         curvatures.size() == matrix.numRows && "one a row");
  return library->check(
      library->boosterBoostOneIter(handle, matrix.handle, gradients.data(),
                                   curvatures.data(), matrix.numRows));
}

/// What XGBoost returned, if it is a number a row.
static llvm::Error copyResult(const uint64_t *shape, uint64_t dims,
                              const float *result,
                              llvm::MutableArrayRef<float> predictions) {
  uint64_t size = 1;
  for (uint64_t i = 0; i != dims; ++i)
    size *= shape[i];
  if (size != predictions.size())
    return llvm::createStringError(
        "XGBoost: found %zu predictions for %zu rows", size_t(size),
        predictions.size());
  std::copy_n(result, size, predictions.begin());
  return llvm::Error::success();
}

llvm::Error Booster::predict(const BoosterMatrix &matrix,
                             std::vector<float> &predictions) {
  predictions.resize(matrix.numRows);
  const uint64_t *shape = nullptr;
  uint64_t dims = 0;
  const float *result = nullptr;
  // Type 1: the sum of the trees. "training" makes it use what it remembers.
  if (llvm::Error error = library->check(library->boosterPredictFromMatrix(
          handle, matrix.handle,
          R"({"type":1,"training":true,"iteration_begin":0,)"
          R"("iteration_end":0,"strict_shape":false})",
          &shape, &dims, &result)))
    return error;
  return copyResult(shape, dims, result, predictions);
}

llvm::Error Booster::predict(llvm::ArrayRef<float> values, size_t columns,
                             llvm::MutableArrayRef<float> predictions) const {
  assert(values.size() == columns * predictions.size() && "whole rows");
  if (predictions.empty())
    return llvm::Error::success();
  // The rows where they are, as NumPy describes an array.
  const std::string array =
      R"({"data":[)" +
      std::to_string(reinterpret_cast<uintptr_t>(values.data())) +
      R"(,true],"shape":[)" + std::to_string(predictions.size()) + "," +
      std::to_string(columns) + R"(],"typestr":"<f4","version":3})";
  const uint64_t *shape = nullptr;
  uint64_t dims = 0;
  const float *result = nullptr;
  if (llvm::Error error = library->check(library->boosterPredictFromDense(
          handle, array.c_str(),
          R"({"type":1,"training":false,"iteration_begin":0,)"
          R"("iteration_end":0,"strict_shape":false,"cache_id":0,)"
          R"("missing":NaN})",
          nullptr, &shape, &dims, &result)))
    return error;
  return copyResult(shape, dims, result, predictions);
}

llvm::Expected<std::string> Booster::save() const {
  uint64_t size = 0;
  const char *bytes = nullptr;
  if (llvm::Error error = library->check(
          library->boosterSave(handle, R"({"format":"ubj"})", &size, &bytes)))
    return std::move(error);
  return std::string(bytes, size);
}
