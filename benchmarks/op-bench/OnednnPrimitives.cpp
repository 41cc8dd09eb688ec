//===- OnednnPrimitives.cpp - Operators by oneDNN's primitives ------------===//
//
// Made for version 2 of its interface. Errors of oneDNN are traps here (there
// are no exceptions); they end the contender's process, which the report says.
//
//===----------------------------------------------------------------------===//

#include "Onednn.h"
#include <cmath>
#include <dnnl.hpp>
#include <unordered_map>

namespace sched::bench {
namespace {
using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;
constexpr auto kFloat = memory::data_type::f32;
/// The type of an operand, or of the result.
memory::data_type typeOf(Element element) {
  switch (element) {
  case Element::F32:
    return memory::data_type::f32;
  case Element::BF16:
    return memory::data_type::bf16;
  case Element::I8:
    return memory::data_type::s8;
  case Element::U8:
    return memory::data_type::u8;
  case Element::I32:
    return memory::data_type::s32;
  }
  return memory::data_type::undef;
}

constexpr auto kInference = dnnl::prop_kind::forward_inference;

/// What a contender's calls need: memories, and primitives in order.
struct Plan {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::vector<Floats> plain;
  std::vector<std::pair<dnnl::primitive, Arguments>> steps;
  std::string variant;

  memory bind(const memory::desc &desc, float *data) {
    return memory(desc, engine, data);
  }
  /// A copy of an operand.
  memory take(const Operator &op, size_t i, const memory::desc &desc) {
    plain.push_back(op.copyOperand(i));
    return bind(desc, plain.back().get());
  }
  /// `from` in the form `desc`: itself where it has that form.
  memory bring(memory from, const memory::desc &desc) {
    if (from.get_desc() == desc)
      return from;
    memory to(desc, engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return to;
  }
  template <typename PrimitiveDesc>
  void describe(const char *form, const PrimitiveDesc &desc) {
    if (!variant.empty())
      variant += " + ";
    else
      variant = std::string(form) + (*form ? ", " : "");
    variant += desc.impl_info_str();
  }
  void run() {
    for (auto &[primitive, arguments] : steps)
      primitive.execute(stream, arguments);
    stream.wait();
  }
};

memory::desc dense(memory::dims extents) {
  memory::dims strides(extents.size());
  int64_t step = 1;
  for (size_t i = extents.size(); i-- != 0;) {
    strides[i] = step;
    step *= extents[i];
  }
  return {extents, kFloat, strides};
}

memory::desc anyLayout(const memory::desc &desc) {
  return {desc.dims(), desc.data_type(), memory::format_tag::any};
}

dnnl::primitive_attr epilogueOf(const Operator &op) {
  dnnl::post_ops ops;
  if (op.activation == Activation::Relu)
    ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  else if (op.activation == Activation::Relu6)
    ops.append_eltwise(1, dnnl::algorithm::eltwise_clip, 0, 6);
  else if (op.activation == Activation::Gelu)
    ops.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}

/// One primitive from `source` to the result, in the forms that it asks for.
/// What it reads beside the source is in `others`.
template <typename PrimitiveDesc, typename Primitive>
void finish(Plan &plan, const PrimitiveDesc &desc, Primitive primitive,
            memory source, Arguments others, const memory::desc &plainResult,
            Work &work) {
  float *result = work.result.get();
  memory target = plan.bind(plainResult, result);
  if (desc.dst_desc() != plainResult) {
    memory own(desc.dst_desc(), plan.engine);
    Plan *p = &plan;
    work.finish = [p, own, target]() mutable {
      dnnl::reorder(own, target).execute(p->stream, own, target);
      p->stream.wait();
    };
    target = own;
  }
  others[DNNL_ARG_SRC] = plan.bring(source, desc.src_desc());
  others[DNNL_ARG_DST] = target;
  plan.steps.push_back({primitive, std::move(others)});
}

memory::dims dimsOf(int64_t batch, int64_t channels, const Extents &extents) {
  memory::dims dims = {batch, channels};
  dims.insert(dims.end(), extents.begin(), extents.end());
  return dims;
}

/// The weights as a memory in plain form: the operand itself where strides can
/// say how it lies, else put in order.
memory takeWeights(Plan &plan, const Operator &op, bool &isOperand) {
  const Convolution &c = op.convolution;
  int64_t ins = c.in / c.groups, outs = c.out / c.groups, taps = c.taps();
  memory::dims dims;
  if (c.groups > 1)
    dims.push_back(c.groups);
  dims.push_back(outs);
  dims.push_back(ins);
  dims.insert(dims.end(), c.kernel.begin(), c.kernel.end());
  Extents strides = c.weightStrides();
  isOperand = !strides.empty();
  if (isOperand)
    return plan.take(op, 1,
                     memory::desc(dims, typeOf(op.operandElement(1)), strides));
  Floats ordered = allocateFloats(op.operandSize(1));
  float *next = ordered.get();
  for (int64_t o = 0; o != outs; ++o)
    for (int64_t i = 0; i != ins; ++i)
      for (int64_t tap = 0; tap != taps; ++tap)
        *next++ = op.operand(1)[c.weightOffset(tap, 0, i, o)];
  plan.plain.push_back(std::move(ordered));
  return plan.bind(dense(dims), plan.plain.back().get());
}

template <typename Primitive>
bool convolveBy(Plan &plan, const Operator &op, Layouts layouts, Work &work,
                std::string &error, dnnl::algorithm algorithm) {
  const Convolution &c = op.convolution;
  Extents extents = c.outSpatial();
  memory::desc source(dimsOf(c.batch, c.in, c.spatial),
                      typeOf(op.operandElement(0)), c.strides(c.spatial, c.in));
  memory::desc result(dimsOf(c.batch, c.out, extents),
                      typeOf(op.resultElement()), c.strides(extents, c.out));
  bool isOperand = false;
  memory weights = takeWeights(plan, op, isOperand);
  if (!isOperand && !op.layoutFree) {
    error = "has no such layout of the weights";
    return false;
  }
  bool blocked = layouts == Layouts::Blocked;
  auto form = [&](const memory::desc &desc, bool any) {
    return any ? anyLayout(desc) : desc;
  };
  memory::desc s = form(source, blocked), r = form(result, blocked),
               w = form(weights.get_desc(), op.layoutFree),
               b = memory::desc({c.out}, kFloat, memory::format_tag::x);
  memory::dims dilation;
  for (int64_t d : c.dilation)
    dilation.push_back(d - 1);
  using Desc = typename Primitive::desc;
  Desc desc = op.bias ? Desc(kInference, algorithm, s, w, b, r, c.stride,
                             dilation, c.padding, c.padding)
                      : Desc(kInference, algorithm, s, w, r, c.stride, dilation,
                             c.padding, c.padding);
  typename Primitive::primitive_desc chosen(desc, epilogueOf(op), plan.engine,
                                            /*allow_empty=*/true);
  if (!chosen) {
    error = "has no such convolution";
    return false;
  }
  plan.describe(blocked ? "own layouts" : "", chosen);
  Arguments others = {
      {DNNL_ARG_WEIGHTS, plan.bring(weights, chosen.weights_desc())}};
  if (op.bias)
    others[DNNL_ARG_BIAS] = plan.take(op, 2, b);
  finish(plan, chosen, Primitive(chosen), plan.take(op, 0, source), others,
         result, work);
  return true;
}

bool pool(Plan &plan, const Operator &op, Work &work, std::string &error) {
  const Convolution &c = op.convolution;
  bool maximum = op.kind == Kind::MaxPool;
  Extents extents = c.outSpatial();
  memory::desc source(dimsOf(c.batch, c.in, c.spatial), kFloat,
                      c.strides(c.spatial, c.in));
  memory::desc result(dimsOf(c.batch, c.in, extents), kFloat,
                      c.strides(extents, c.in));
  dnnl::pooling_forward::desc desc(
      kInference,
      maximum ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg,
      source, result, c.stride, c.kernel, c.padding, c.padding);
  dnnl::pooling_forward::primitive_desc chosen(desc, plan.engine, true);
  if (!chosen) {
    error = "has no such pooling";
    return false;
  }
  plan.describe("", chosen);
  finish(plan, chosen, dnnl::pooling_forward(chosen), plan.take(op, 0, source),
         {}, result, work);
  return true;
}

/// [batch][rows][columns], or the transpose of each matrix in memory.
memory::desc matrix(int64_t batch, int64_t rows, int64_t columns,
                    bool transposed = false, Element element = Element::F32) {
  return {{batch, rows, columns},
          typeOf(element),
          transposed ? memory::dims{rows * columns, 1, rows}
                     : memory::dims{rows * columns, columns, 1}};
}

bool multiplyBatch(Plan &plan, const Operator &op, Work &work,
                   std::string &error) {
  const Product &p = op.product;
  memory::desc a = matrix(p.batch, p.m, p.k, false, op.operandElement(0)),
               b = matrix(p.batch, p.k, p.n, p.transposed,
                          op.operandElement(1)),
               c = matrix(p.batch, p.m, p.n, false, op.resultElement());
  dnnl::matmul::desc desc(a, op.layoutFree ? anyLayout(b) : b, c);
  dnnl::matmul::primitive_desc chosen(desc, plan.engine, /*allow_empty=*/true);
  if (!chosen) {
    error = "has no such product";
    return false;
  }
  plan.describe("matmul", chosen);
  Arguments others = {{DNNL_ARG_WEIGHTS,
                       plan.bring(plan.take(op, 1, b), chosen.weights_desc())}};
  finish(plan, chosen, dnnl::matmul(chosen), plan.take(op, 0, a), others, c,
         work);
  return true;
}

bool multiplyByWeights(Plan &plan, const Operator &op, Layouts layouts,
                       Work &work, std::string &error) {
  const Product &p = op.product;
  memory::desc a({p.m, p.k}, typeOf(op.operandElement(0)),
                 memory::format_tag::ab);
  memory::desc w({p.n, p.k}, typeOf(op.operandElement(1)),
                 p.transposed ? memory::format_tag::ab
                              : memory::format_tag::ba);
  memory::desc bias({p.n}, kFloat, memory::format_tag::x);
  memory::desc c({p.m, p.n}, typeOf(op.resultElement()),
                 memory::format_tag::ab);
  bool blocked = layouts == Layouts::Blocked;
  memory::desc s = blocked ? anyLayout(a) : a, r = blocked ? anyLayout(c) : c,
               free = op.layoutFree ? anyLayout(w) : w;
  using Product = dnnl::inner_product_forward;
  Product::desc desc = op.bias ? Product::desc(kInference, s, free, bias, r)
                               : Product::desc(kInference, s, free, r);
  Product::primitive_desc chosen(desc, epilogueOf(op), plan.engine,
                                 /*allow_empty=*/true);
  if (!chosen) {
    error = "has no such product";
    return false;
  }
  plan.describe(blocked ? "own layouts" : "", chosen);
  Arguments others = {{DNNL_ARG_WEIGHTS,
                       plan.bring(plan.take(op, 1, w), chosen.weights_desc())}};
  if (op.bias)
    others[DNNL_ARG_BIAS] = plan.take(op, 2, bias);
  finish(plan, chosen, Product(chosen), plan.take(op, 0, a), others, c, work);
  return true;
}

void attend(Plan &plan, const Operator &op, Work &work) {
  auto [heads, queries, keys, size] = op.attention;
  memory::desc q = matrix(heads, queries, size),
               k = matrix(heads, size, keys, /*transposed=*/true),
               v = matrix(heads, keys, size),
               scores = matrix(heads, queries, keys);
  dnnl::primitive_attr scaled;
  scaled.set_output_scales(0, {1 / std::sqrt(static_cast<float>(size))});
  dnnl::matmul::primitive_desc first(dnnl::matmul::desc(q, k, scores), scaled,
                                     plan.engine);
  dnnl::softmax_forward::primitive_desc softmax(
      dnnl::softmax_forward::desc(kInference, scores, 2), plan.engine);
  dnnl::matmul::primitive_desc second(dnnl::matmul::desc(scores, v, q),
                                      plan.engine);
  plan.describe("", first);
  plan.describe("", softmax);
  plan.describe("", second);
  memory between(scores, plan.engine);
  plan.steps.push_back({dnnl::matmul(first),
                        {{DNNL_ARG_SRC, plan.take(op, 0, q)},
                         {DNNL_ARG_WEIGHTS, plan.take(op, 1, k)},
                         {DNNL_ARG_DST, between}}});
  plan.steps.push_back({dnnl::softmax_forward(softmax),
                        {{DNNL_ARG_SRC, between}, {DNNL_ARG_DST, between}}});
  finish(plan, second, dnnl::matmul(second), between,
         {{DNNL_ARG_WEIGHTS, plan.take(op, 2, v)}}, q, work);
}

bool computeRows(Plan &plan, const Operator &op, Work &work,
                 std::string &error) {
  memory::desc data({op.rows, op.columns}, kFloat, memory::format_tag::ab);
  memory::desc row({op.columns}, kFloat, memory::format_tag::x);
  memory source = plan.take(op, 0, data);
  switch (op.kind) {
  case Kind::Softmax: {
    dnnl::softmax_forward::primitive_desc chosen(
        dnnl::softmax_forward::desc(kInference, data, 1), plan.engine);
    plan.describe("", chosen);
    finish(plan, chosen, dnnl::softmax_forward(chosen), source, {}, data, work);
    return true;
  }
  case Kind::LayerNorm: {
    using Norm = dnnl::layer_normalization_forward;
    Norm::primitive_desc chosen(
        Norm::desc(kInference, data, 1e-5f,
                   dnnl::normalization_flags::use_scale |
                       dnnl::normalization_flags::use_shift),
        plan.engine);
    plan.describe("", chosen);
    finish(plan, chosen, Norm(chosen), source,
           {{DNNL_ARG_SCALE, plan.take(op, 1, row)},
            {DNNL_ARG_SHIFT, plan.take(op, 2, row)}},
           data, work);
    return true;
  }
  case Kind::Norm: {
    memory::desc sums({op.rows, 1}, kFloat, memory::format_tag::ab);
    dnnl::reduction::primitive_desc chosen(
        dnnl::reduction::desc(dnnl::algorithm::reduction_norm_lp_sum, data,
                              sums, 2, 0),
        plan.engine);
    plan.describe("", chosen);
    finish(plan, chosen, dnnl::reduction(chosen), source, {}, sums, work);
    return true;
  }
  case Kind::AddRelu: {
    dnnl::post_ops ops;
    ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(ops);
    dnnl::binary::primitive_desc chosen(
        dnnl::binary::desc(dnnl::algorithm::binary_add, data, data, data),
        attributes, plan.engine);
    plan.describe("", chosen);
    finish(plan, chosen, dnnl::binary(chosen), source,
           {{DNNL_ARG_SRC_1, plan.take(op, 1, data)}}, data, work);
    return true;
  }
  case Kind::Chain: {
    memory::desc column({1, op.columns}, kFloat, memory::format_tag::ab);
    dnnl::post_ops ops;
    ops.append_binary(dnnl::algorithm::binary_add, column);
    ops.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
    ops.append_binary(dnnl::algorithm::binary_add, data);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(ops);
    dnnl::binary::primitive_desc chosen(
        dnnl::binary::desc(dnnl::algorithm::binary_mul, data, column, data),
        attributes, plan.engine);
    auto operandOf = [](int step) {
      return DNNL_ARG_ATTR_MULTIPLE_POST_OP(step) | DNNL_ARG_SRC_1;
    };
    plan.describe("", chosen);
    finish(plan, chosen, dnnl::binary(chosen), source,
           {{DNNL_ARG_SRC_1, plan.take(op, 1, column)},
            {operandOf(0), plan.take(op, 2, column)},
            {operandOf(2), plan.take(op, 3, data)}},
           data, work);
    return true;
  }
  default:
    error = "has no such operator";
    return false;
  }
}

void transpose(Plan &plan, const Operator &op, Work &work) {
  memory::desc data = dense(op.extents);
  // The result, with the operand's dimensions in the operand's order.
  memory::dims strides(op.extents.size());
  int64_t step = 1;
  for (size_t i = strides.size(); i-- != 0;) {
    strides[op.order[i]] = step;
    step *= op.extents[op.order[i]];
  }
  memory source = plan.take(op, 0, data),
         target = plan.bind({op.extents, kFloat, strides}, work.result.get());
  dnnl::reorder::primitive_desc chosen(source, target);
  plan.describe("", chosen);
  plan.steps.push_back({dnnl::reorder(chosen),
                        {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}}});
}

void concatenate(Plan &plan, const Operator &op, Work &work) {
  std::vector<memory::desc> parts;
  Arguments arguments;
  for (size_t i = 0; i != op.parts.size(); ++i) {
    parts.push_back(dense({op.rows, op.parts[i]}));
    arguments[DNNL_ARG_MULTIPLE_SRC + i] = plan.take(op, i, parts.back());
  }
  memory::desc whole = dense({op.rows, op.columns});
  arguments[DNNL_ARG_DST] = plan.bind(whole, work.result.get());
  dnnl::concat::primitive_desc chosen(whole, 1, parts, plan.engine);
  plan.describe("", chosen);
  plan.steps.push_back({dnnl::concat(chosen), std::move(arguments)});
}
} // namespace
} // namespace sched::bench

using namespace sched::bench;

extern "C" __attribute__((visibility("default"))) bool
schedSetUpOnednn(const Operator &op, Layouts layouts, Work &work,
                 std::string &error) {
  auto plan = std::make_shared<Plan>();
  work.result = allocateFloats(op.resultSize());
  bool made = true;
  switch (op.kind) {
  case Kind::Convolution:
    made = op.convolution.transposed
               ? convolveBy<dnnl::deconvolution_forward>(
                     *plan, op, layouts, work, error,
                     dnnl::algorithm::deconvolution_direct)
               : convolveBy<dnnl::convolution_forward>(
                     *plan, op, layouts, work, error,
                     dnnl::algorithm::convolution_auto);
    break;
  case Kind::MaxPool:
  case Kind::AveragePool:
    made = pool(*plan, op, work, error);
    break;
  case Kind::BatchMatmul:
    made = multiplyBatch(*plan, op, work, error);
    break;
  case Kind::Linear:
    made = multiplyByWeights(*plan, op, layouts, work, error);
    break;
  case Kind::Attention:
    attend(*plan, op, work);
    break;
  case Kind::Transpose:
    transpose(*plan, op, work);
    break;
  case Kind::Concat:
    concatenate(*plan, op, work);
    break;
  default:
    made = computeRows(*plan, op, work, error);
  }
  if (!made)
    return false;
  work.variant = plan->variant;
  work.call = [p = plan.get()] { p->run(); };
  work.state = std::move(plan);
  return true;
}
