//===- Operator.cpp - One operator of the suite ---------------------------===//

#include "Operator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <functional>
#include <numeric>
#include <optional>

using namespace llvm;

namespace sched::bench {

/// A number that is at least 1; `missing` when it is not given.
static Error read(const json::Object &object, StringRef key, int64_t &value,
                  std::optional<int64_t> missing = std::nullopt) {
  if (!object.get(key) && missing) {
    value = *missing;
    return Error::success();
  }
  std::optional<int64_t> number = object.getInteger(key);
  if (!number || *number < 1)
    return createStringError("'" + key + "' must be a number, at least 1");
  value = *number;
  return Error::success();
}

/// A list of `rank` numbers (any if 0), none below `least`.
static Error read(const json::Object &object, StringRef key, Extents &values,
                  size_t rank, int64_t least) {
  const json::Array *array = object.getArray(key);
  values.clear();
  if (array)
    for (const json::Value &value : *array)
      values.push_back(value.getAsInteger().value_or(least - 1));
  bool right = !values.empty() && (rank == 0 || values.size() == rank);
  for (int64_t value : values)
    right &= value >= least;
  if (right)
    return Error::success();
  return createStringError("'" + key +
                           "' must be a list of numbers, at least " +
                           Twine(least) + ", one a spatial dimension");
}

/// Reads several, each into its place.
static Error
readAll(const json::Object &object,
        std::initializer_list<std::pair<StringRef, int64_t *>> places) {
  for (auto [key, place] : places)
    if (Error error = read(object, key, *place))
      return error;
  return Error::success();
}

Error Operator::parseConvolution(const json::Object &object) {
  Convolution &c = convolution;
  if (Error error = read(object, "batch", c.batch, 1))
    return error;
  if (Error error = read(object, "spatial", c.spatial, 0, 1))
    return error;
  if (c.rank() > 3)
    return createStringError("at most three spatial dimensions");
  if (kind == Kind::AveragePool) {
    // One window: the image.
    c.kernel = c.spatial;
    c.stride = c.dilation = Extents(c.rank(), 1);
    c.padding = Extents(c.rank(), 0);
    if (Error error = read(object, "channels", c.in))
      return error;
    c.out = c.groups = c.in;
    return Error::success();
  }
  for (auto [key, place, least] :
       {std::tuple("kernel", &c.kernel, 1), std::tuple("stride", &c.stride, 1),
        std::tuple("padding", &c.padding, 0),
        std::tuple("dilation", &c.dilation, 1)})
    if (Error error = read(object, key, *place, c.rank(), least))
      return error;
  if (kind != Kind::Convolution) {
    if (Error error = read(object, "channels", c.in))
      return error;
    c.out = c.groups = c.in;
    return Error::success();
  }
  if (Error error = readAll(object, {{"in", &c.in}, {"out", &c.out}}))
    return error;
  if (Error error = read(object, "groups", c.groups, 1))
    return error;
  if (Error error = read(object, "capsule", c.capsule, 1))
    return error;
  c.channelsFirst = object.getString("layout").value_or("") == "nchw";
  c.transposed = object.getBoolean("transposed").value_or(false);
  if (c.in % c.groups || c.out % c.groups)
    return createStringError("'groups' must divide the channels");
  if ((c.groups > 1) + c.channelsFirst + c.transposed + (c.capsule > 1) > 1)
    return createStringError("groups, nchw, transposed and capsule exclude one "
                             "another");
  if (c.groups > 1)
    c.order = c.groups == c.in && c.in == c.out ? WeightOrder::Depthwise
                                                : WeightOrder::GroupTaps;
  else if (c.channelsFirst)
    c.order = WeightOrder::OutInTaps;
  else if (c.transposed)
    c.order = object.getString("form").value_or("") == "phases"
                  ? WeightOrder::Phases
                  : WeightOrder::Mirrored;
  else if (c.capsule > 1) {
    // x[n][h][w][i][q][c], weights [a][b][q][j][c][f]: i is one more pixel
    // dimension, which the kernel does not extend in.
    c.order = WeightOrder::CapsuleTaps;
    c.in *= c.capsule;
    c.out *= c.capsule;
    c.spatial.push_back(c.capsule);
    for (Extents *extents : {&c.kernel, &c.stride, &c.dilation})
      extents->push_back(1);
    c.padding.push_back(0);
  }
  if (c.capsule > 1 && (bias || activation != Activation::None))
    return createStringError("no 'bias' or 'activation' after capsules");
  for (int64_t extent : c.outSpatial())
    if (extent < 1)
      return createStringError("the kernel is larger than the padded image");
  return Error::success();
}

Error Operator::parseTranspose(const json::Object &object) {
  int64_t images = 1;
  if (Error error = read(object, "batch", images, 1))
    return error;
  if (Error error = read(object, "extents", extents, 0, 1))
    return error;
  if (Error error = read(object, "order", order, extents.size(), 0))
    return error;
  std::vector<bool> seen(extents.size());
  for (int64_t dim : order)
    if (dim < int64_t(seen.size()))
      seen[dim] = true;
  if (is_contained(seen, false))
    return createStringError("'order' must have each dimension once");
  for (int64_t &dim : order)
    ++dim;
  order.insert(order.begin(), 0);
  extents.insert(extents.begin(), images);
  return Error::success();
}

static std::optional<Kind> kindOf(StringRef name) {
  return StringSwitch<std::optional<Kind>>(name)
      .Case("convolution", Kind::Convolution)
      .Case("batch_matmul", Kind::BatchMatmul)
      .Case("linear", Kind::Linear)
      .Case("norm", Kind::Norm)
      .Case("softmax", Kind::Softmax)
      .Case("layer_norm", Kind::LayerNorm)
      .Case("attention", Kind::Attention)
      .Case("max_pool", Kind::MaxPool)
      .Case("average_pool", Kind::AveragePool)
      .Case("add_relu", Kind::AddRelu)
      .Case("chain", Kind::Chain)
      .Case("rms_norm", Kind::RMSNorm)
      .Case("transpose", Kind::Transpose)
      .Case("concat", Kind::Concat)
      .Case("gather", Kind::Gather)
      .Case("pad", Kind::Pad)
      .Default(std::nullopt);
}

static std::optional<Activation> activationOf(StringRef name) {
  return StringSwitch<std::optional<Activation>>(name)
      .Case("none", Activation::None)
      .Case("relu", Activation::Relu)
      .Case("relu6", Activation::Relu6)
      .Case("gelu", Activation::Gelu)
      .Default(std::nullopt);
}

static std::optional<Types> typesOf(StringRef name) {
  return StringSwitch<std::optional<Types>>(name)
      .Case("f32", Types::F32)
      .Case("bf16", Types::BF16)
      .Case("i8", Types::I8)
      .Case("u8i8", Types::U8I8)
      .Default(std::nullopt);
}

bool Operator::hasWholeSums() const {
  return types == Types::I8 || types == Types::U8I8;
}

/// Which operators there are of narrow types.
Error Operator::checkTypes() const {
  const bool isProduct = kind == Kind::Linear || kind == Kind::BatchMatmul,
             isConvolution = kind == Kind::Convolution &&
                             convolution.order == WeightOrder::TapsInOut;
  if (types != Types::F32 && !isProduct && !isConvolution)
    return createStringError(
        name + ": 'dtype' is f32 for all but products, and convolutions with "
               "channels last and one group");
  if (hasWholeSums() && (bias || activation != Activation::None))
    return createStringError(name + ": no 'bias' or 'activation' after sums of "
                                    "i32");
  return Error::success();
}

/// What each of so many operands is made of.
std::vector<Element> Operator::listElements(size_t operands) const {
  std::vector<Element> elements(operands, Element::F32);
  if (types == Types::BF16)
    elements[0] = elements[1] = Element::BF16;
  if (hasWholeSums()) {
    elements[0] = types == Types::U8I8 ? Element::U8 : Element::I8;
    elements[1] = Element::I8;
  }
  if (kind == Kind::Gather)
    elements[1] = Element::I32;
  return elements;
}

/// Reads the sizes of that kind of operator.
Error Operator::parseSizes(const json::Object &object) {
  Attention &a = attention;
  switch (kind) {
  case Kind::Convolution:
  case Kind::MaxPool:
  case Kind::AveragePool:
  case Kind::Pad:
    return parseConvolution(object);
  case Kind::BatchMatmul:
  case Kind::Linear:
    if (kind == Kind::BatchMatmul)
      if (Error error = read(object, "batch", product.batch, 1))
        return error;
    product.transposed = object.getBoolean("transposed").value_or(false);
    return readAll(object,
                   {{"m", &product.m}, {"n", &product.n}, {"k", &product.k}});
  case Kind::Attention:
    return readAll(object, {{"heads", &a.heads},
                            {"queries", &a.queries},
                            {"keys", &a.keys},
                            {"size", &a.size}});
  case Kind::Norm:
  case Kind::Softmax:
  case Kind::LayerNorm:
  case Kind::AddRelu:
  case Kind::Chain:
  case Kind::RMSNorm:
    return readAll(object, {{"rows", &rows}, {"columns", &columns}});
  case Kind::Transpose:
    return parseTranspose(object);
  case Kind::Concat:
    if (Error error = read(object, "parts", parts, 0, 1))
      return error;
    columns = std::accumulate(parts.begin(), parts.end(), int64_t(0));
    return read(object, "rows", rows);
  case Kind::Gather:
    return readAll(object,
                   {{"rows", &rows}, {"columns", &columns}, {"table", &table}});
  }
  return Error::success();
}

/// Elements of each operand, and of the result at the end.
std::vector<size_t> Operator::countElements() const {
  const Convolution &c = convolution;
  const Product &p = product;
  const Attention &a = attention;
  size_t cells = rows * columns, values = a.heads * a.keys * a.size,
         queries = a.heads * a.queries * a.size;
  std::vector<size_t> sizes;
  switch (kind) {
  case Kind::Convolution:
  case Kind::MaxPool:
  case Kind::AveragePool:
  case Kind::Pad:
    sizes.push_back(c.batch * c.pixels() * c.in);
    if (kind == Kind::Convolution)
      sizes.push_back(c.taps() * (c.in / c.groups) * c.out);
    if (bias)
      sizes.push_back(c.out);
    sizes.push_back(c.batch * c.outPixels() * c.out);
    return sizes;
  case Kind::BatchMatmul:
  case Kind::Linear:
    sizes = {size_t(p.batch * p.m * p.k), size_t(p.batch * p.k * p.n)};
    if (bias)
      sizes.push_back(p.n);
    sizes.push_back(p.batch * p.m * p.n);
    return sizes;
  case Kind::Attention:
    return {queries, values, values, queries};
  case Kind::Norm:
    return {cells, size_t(rows)};
  case Kind::Softmax:
    return {cells, cells};
  case Kind::LayerNorm:
    return {cells, size_t(columns), size_t(columns), cells};
  case Kind::AddRelu:
    return {cells, cells, cells};
  case Kind::Chain:
    return {cells, size_t(columns), size_t(columns), cells, cells};
  case Kind::RMSNorm:
    return {cells, size_t(columns), cells};
  case Kind::Transpose:
    cells = std::accumulate(extents.begin(), extents.end(), size_t(1),
                            std::multiplies<>());
    return {cells, cells};
  case Kind::Concat:
    for (int64_t part : parts)
      sizes.push_back(rows * part);
    sizes.push_back(cells);
    return sizes;
  case Kind::Gather:
    return {size_t(table * columns), size_t(rows), cells};
  }
  return sizes;
}

Expected<std::unique_ptr<Operator>> Operator::parse(const json::Value &value,
                                                    int threads) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError("a description is a JSON object");
  auto op = std::make_unique<Operator>();
  op->description = *object;
  op->threads = threads;
  op->name = object->getString("name").value_or("?").str();
  op->layoutFree = object->getBoolean("layout_free").value_or(false);
  op->bias = object->getBoolean("bias").value_or(false);
  StringRef type = object->getString("dtype").value_or("f32");
  StringRef activation = object->getString("activation").value_or("none");
  StringRef kind = object->getString("op").value_or("");
  std::optional<Activation> knownActivation = activationOf(activation);
  std::optional<Kind> knownKind = kindOf(kind);
  std::optional<Types> knownTypes = typesOf(type);
  if (!knownTypes)
    return createStringError("unknown 'dtype': " + type);
  if (!knownActivation)
    return createStringError("unknown 'activation': " + activation);
  if (!knownKind)
    return createStringError("unknown 'op': " + kind);
  op->activation = *knownActivation;
  op->kind = *knownKind;
  op->types = *knownTypes;
  bool hasEpilogue = op->bias || op->activation != Activation::None;
  if (hasEpilogue && *knownKind != Kind::Convolution &&
      *knownKind != Kind::Linear)
    return createStringError(op->name + ": no 'bias' or 'activation' after " +
                             kind);
  if (Error error = op->parseSizes(*object))
    return createStringError(op->name + ": " + toString(std::move(error)));
  if (Error error = op->checkTypes())
    return std::move(error);
  std::vector<size_t> sizes = op->countElements();
  size_t result = sizes.back();
  sizes.pop_back();
  std::vector<Element> elements = op->listElements(sizes.size());
  if (Error error =
          op->allocate(std::move(sizes), std::move(elements), result,
                       op->hasWholeSums() ? Element::I32 : Element::F32))
    return std::move(error);
  if (*knownKind == Kind::Gather)
    op->chooseRows();
  return std::move(op);
}

/// Rows of the table from all over it.
void Operator::chooseRows() {
  float *places = mutableOperand(1);
  for (int64_t row = 0; row != rows; ++row)
    places[row] = static_cast<float>(uint32_t(row * 2654435761U) % table);
}

double Operator::bytes() const {
  return kind == Kind::Gather ? 4.0 * (rows + 2 * rows * columns)
                              : Problem::bytes();
}

double Operator::flops() const {
  double cells = 1.0 * rows * columns;
  switch (kind) {
  case Kind::Convolution:
    return convolution.flops() + (bias ? resultSize() : 0);
  case Kind::BatchMatmul:
  case Kind::Linear:
    return 2.0 * product.batch * product.m * product.n * product.k +
           (bias ? resultSize() : 0);
  case Kind::Attention:
    return 4.0 * attention.heads * attention.queries * attention.keys *
           attention.size;
  case Kind::MaxPool:
    return 1.0 * resultSize() * convolution.taps();
  case Kind::AveragePool:
    return operandSize(0);
  case Kind::Norm:
  case Kind::AddRelu:
    return 2 * cells;
  case Kind::RMSNorm: // square and sum, two to scale
    return 4 * cells;
  case Kind::Chain: // three, and five of gelu
    return 8 * cells;
  case Kind::Transpose:
  case Kind::Concat:
  case Kind::Gather:
  case Kind::Pad:
    return 0;
  case Kind::Softmax: // maximum, difference, exp, sum, quotient
    return 5 * cells;
  case Kind::LayerNorm: // mean, difference, variance, three to scale
    return 7 * cells;
  }
  return 0;
}

double Operator::tolerance() const {
  if (hasWholeSums())
    return 0;
  switch (kind) {
  case Kind::Convolution:
    return toleranceOfSum(1.0 * convolution.taps() * convolution.in /
                          convolution.groups);
  case Kind::BatchMatmul:
  case Kind::Linear:
    return toleranceOfSum(product.k);
  case Kind::Attention:
    return toleranceOfSum(attention.keys + attention.size);
  case Kind::AveragePool:
    return toleranceOfSum(convolution.pixels());
  case Kind::MaxPool:
  case Kind::AddRelu:
    return toleranceOfSum(1);
  case Kind::Chain:
    return toleranceOfSum(8);
  case Kind::Transpose:
  case Kind::Concat:
  case Kind::Gather:
  case Kind::Pad:
    return 0;
  case Kind::Norm:
  case Kind::Softmax:
  case Kind::LayerNorm:
  case Kind::RMSNorm:
    return toleranceOfSum(columns);
  }
  return 0;
}

std::string Operator::title() const {
  std::string text;
  raw_string_ostream os(text);
  os << name << ", " << description.getString("op").value_or("")
     << formatv(", {0}, {1:e2} FLOP, {2:e2} bytes, {3} thread{4}",
                description.getString("dtype").value_or("f32"), flops(),
                bytes(), threads, threads == 1 ? "" : "s");
  return text;
}

json::Object Operator::describe() const {
  json::Object result = description;
  result["threads"] = threads;
  result["flops"] = flops();
  result["bytes"] = bytes();
  return result;
}

} // namespace sched::bench
