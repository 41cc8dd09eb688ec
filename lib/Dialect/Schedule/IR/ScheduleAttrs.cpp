//===- ScheduleAttrs.cpp - Attributes of the dialect ----------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.h"
#include "SchedOpt/Dialect/Schedule/IR/DecisionDomain.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::schedule;

#include "SchedOpt/Dialect/Schedule/IR/ScheduleEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.cpp.inc"

void ScheduleDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

namespace {
/// What the verifier asks of a parameter of the target.
enum class Rule { NotNegative, Positive, PowerOfTwo };
struct Parameter {
  StringRef name;
  int64_t value, defaultValue;
  Rule rule;
};
} // namespace

static LogicalResult
verifyParameter(llvm::function_ref<InFlightDiagnostic()> emitError,
                const Parameter &p) {
  if (p.rule == Rule::PowerOfTwo &&
      (p.value < 1 || !llvm::isPowerOf2_64(p.value)))
    return emitError() << "target needs a power of two for " << p.name
                       << "; found " << p.value;
  if (p.rule == Rule::Positive && p.value < 1)
    return emitError() << "target needs a positive " << p.name << "; found "
                       << p.value;
  if (p.value < 0)
    return emitError() << "target needs at least 0 for " << p.name << "; found "
                       << p.value;
  return success();
}

LogicalResult TargetAttr::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, TargetKind kind,
    StringAttr triple, StringAttr mcpu, StringAttr features, int64_t cores,
    int64_t threads, int64_t vectorBytes, int64_t vectorRegisters,
    int64_t fmaPorts, int64_t fmaLatency, int64_t l1, int64_t l2, int64_t l3,
    int64_t line, int64_t clockMhz, int64_t memoryMbs, StringAttr arch,
    int64_t multiprocessors, int64_t sharedMemory, int64_t registers,
    int64_t maxThreads, int64_t warp) {
  const Parameter cpuParameters[] = {
      {"cores", cores, 1, Rule::Positive},
      {"threads", threads, 1, Rule::Positive},
      {"vector_bytes", vectorBytes, 16, Rule::PowerOfTwo},
      {"vector_registers", vectorRegisters, 16, Rule::Positive},
      {"fma_ports", fmaPorts, 1, Rule::NotNegative},
      {"fma_latency", fmaLatency, 4, Rule::Positive},
      {"l1", l1, 32768, Rule::Positive},
      {"l2", l2, 262144, Rule::Positive},
      {"l3", l3, 0, Rule::NotNegative},
      {"line", line, 64, Rule::PowerOfTwo}};
  const Parameter gpuParameters[] = {
      {"multiprocessors", multiprocessors, 0, Rule::Positive},
      {"shared_memory", sharedMemory, 0, Rule::Positive},
      {"registers", registers, 0, Rule::Positive},
      {"max_threads", maxThreads, 0, Rule::Positive},
      {"warp", warp, 0, Rule::PowerOfTwo}};
  const bool isCPU = kind == TargetKind::CPU;
  ArrayRef<Parameter> own = isCPU ? ArrayRef(cpuParameters) : gpuParameters;
  ArrayRef<Parameter> foreign = isCPU ? ArrayRef(gpuParameters) : cpuParameters;
  for (const Parameter &p : own)
    if (failed(verifyParameter(emitError, p)))
      return failure();
  for (const Parameter &p : foreign)
    if (p.value != p.defaultValue)
      return emitError() << "target of kind " << stringifyTargetKind(kind)
                         << " has no parameter " << p.name << "; remove it";
  for (const Parameter &p :
       {Parameter{"clock_mhz", clockMhz, 0, Rule::NotNegative},
        Parameter{"memory_mbs", memoryMbs, 0, Rule::NotNegative}})
    if (failed(verifyParameter(emitError, p)))
      return failure();
  if (isCPU && arch)
    return emitError()
           << "target of kind cpu has no parameter arch; use mcpu instead";
  if (!isCPU && !arch)
    return emitError() << "target of kind nvvm needs arch, for example arch = "
                          "\"sm_90a\"";
  return success();
}

//===----------------------------------------------------------------------===//
// DecisionAttr
//===----------------------------------------------------------------------===//

Attribute DecisionAttr::parse(AsmParser &parser, Type) {
  std::string name;
  SmallVector<int64_t> values;
  auto parseValue = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseLess() || parser.parseString(&name) || parser.parseEqual())
    return {};
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseCommaSeparatedList(parseValue) || parser.parseRSquare())
      return {};
  } else if (parseValue()) {
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<DecisionAttr>(parser.getContext(), name, values);
}

void DecisionAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getName());
  printer << " = " << printValues(getValues()) << '>';
}

LogicalResult
DecisionAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     StringRef name, ArrayRef<int64_t> values) {
  if (name.empty())
    return emitError() << "a decision needs a name";
  if (values.empty())
    return emitError() << "decision '" << name << "' needs at least one value";
  return success();
}
