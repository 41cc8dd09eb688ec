//===- SimtOptions.cpp - How an op is shared by the threads of a block ----===//

#include "SimtOptions.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

namespace {
/// Reads the entries, and reports what is wrong with one.
struct Reader {
  Operation *op;
  DictionaryAttr entries;
  bool failed = false;

  void report(StringRef key, Attribute found, const Twine &expected) {
    failed = true;
    op->emitError("sched.simt: ")
        << key << " is " << found << "; expected " << expected;
  }

  /// A number, in [low, high]; a power of two where asked for.
  std::optional<int64_t> number(StringRef key, int64_t low, int64_t high,
                                bool isPower = false) {
    const Attribute found = entries.get(key);
    if (!found)
      return std::nullopt;
    auto value = dyn_cast<IntegerAttr>(found);
    if (!value || value.getInt() < low || value.getInt() > high ||
        (isPower && !llvm::isPowerOf2_64(value.getInt()))) {
      report(key, found,
             (isPower ? "a power of two from " : "a number from ") +
                 Twine(low) + " to " + Twine(high));
      return std::nullopt;
    }
    return value.getInt();
  }

  /// A list of numbers, `count` of them (0: any).
  SmallVector<int64_t> list(StringRef key, size_t count, int64_t low,
                            int64_t high, bool isPower = false) {
    const Attribute found = entries.get(key);
    if (!found)
      return {};
    SmallVector<int64_t> values;
    bool good = true;
    if (auto dense = dyn_cast<DenseI64ArrayAttr>(found)) {
      llvm::append_range(values, dense.asArrayRef());
    } else if (auto array = dyn_cast<ArrayAttr>(found)) {
      for (Attribute each : array)
        if (auto value = dyn_cast<IntegerAttr>(each))
          values.push_back(value.getInt());
        else
          good = false;
    } else {
      good = false;
    }
    good &= count == 0 || values.size() == count;
    for (int64_t value : values)
      good &= value >= low && value <= high &&
              (!isPower || llvm::isPowerOf2_64(value));
    if (good)
      return values;
    report(key, found,
           (count ? Twine(count) + " " : Twine("")) +
               (isPower ? "powers of two from " : "numbers from ") +
               Twine(low) + " to " + Twine(high));
    return {};
  }
};
} // namespace

static std::optional<SimtOptions::Keep> parseKeep(StringAttr word) {
  using Keep = SimtOptions::Keep;
  return llvm::StringSwitch<std::optional<Keep>>(word ? word.getValue() : "")
      .Case("registers", Keep::Registers)
      .Case("shared", Keep::Shared)
      .Case("recompute", Keep::Recompute)
      .Case("memory", Keep::Memory)
      .Default(std::nullopt);
}

SimtOptions::Keep SimtOptions::getKeep(Operation *op) {
  auto entries = op->getAttrOfType<DictionaryAttr>(name);
  return parseKeep(entries ? entries.getAs<StringAttr>("keep") : StringAttr())
      .value_or(Keep::Default);
}

FailureOr<SimtOptions> SimtOptions::get(Operation *op) {
  SimtOptions options;
  const Attribute attribute = op->getDiscardableAttr(name);
  if (!attribute)
    return options;
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  if (!entries) {
    op->emitError("sched.simt is ")
        << attribute << "; expected a dictionary such as {threads = [16, 16]}";
    return failure();
  }
  static constexpr StringLiteral keys[] = {
      "along",     "async",  "fetch",  "keep",     "max_registers", "mma",
      "pad",       "raster", "slices", "stages",   "threads",       "tile",
      "transpose", "unroll", "vector", "vthreads", "warps"};
  for (NamedAttribute entry : entries)
    if (!llvm::is_contained(keys, entry.getName().getValue())) {
      op->emitError("sched.simt has the unknown key `")
          << entry.getName().getValue()
          << "`; known: " << llvm::join(ArrayRef(keys), ", ");
      return failure();
    }
  Reader reader{op, entries};
  options.threads = reader.list("threads", 0, 1, 1024);
  options.vthreads = reader.list("vthreads", 2, 1, 64);
  options.tile = reader.list("tile", 2, 1, 64);
  options.warps = reader.list("warps", 2, 1, 32);
  options.fetch = reader.list("fetch", 2, 1, 16, /*isPower=*/true);
  options.pad = reader.list("pad", 2, 0, 64);
  options.transpose = reader.list("transpose", 2, 0, 1);
  options.raster = reader.list("raster", 2, 1, INT32_MAX);
  options.slices = reader.number("slices", 1, 8);
  options.stages = reader.number("stages", 1, 8);
  options.unroll = reader.number("unroll", 1, 256);
  options.vector = reader.number("vector", 1, 16, /*isPower=*/true);
  options.along = reader.number("along", 0, 15);
  // 0: as many as there are.
  if (const auto most = reader.number("max_registers", 0, 255); most != 0)
    options.maxRegisters = reader.number("max_registers", 16, 255);
  options.async = reader.number("async", 0, 1).value_or(1) != 0;
  options.mma = Mma(reader.number("mma", 0, 2).value_or(0));
  if (const Attribute keep = entries.get("keep")) {
    auto text = dyn_cast<StringAttr>(keep);
    const auto parsed = parseKeep(text);
    if (!parsed)
      reader.report("keep", keep,
                    "\"registers\", \"shared\", \"recompute\" or \"memory\"");
    options.keep = parsed.value_or(Keep::Default);
  }
  if (reader.failed)
    return failure();
  if (std::optional<int64_t> threads = options.countThreads();
      threads && *threads > 1024) {
    op->emitError("sched.simt asks for ")
        << *threads << " threads; a block has 1024 at most";
    return failure();
  }
  return options;
}

std::optional<int64_t> SimtOptions::countThreads() const {
  const bool isMma = mma != Mma::None;
  const ArrayRef<int64_t> each = isMma ? warps : threads;
  if (each.empty())
    return std::nullopt;
  return std::accumulate(each.begin(), each.end(),
                         isMma ? 32 * slices.value_or(1) : int64_t(1),
                         std::multiplies<>());
}
