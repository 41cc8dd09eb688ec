//===- ScheduleKernelOps.cpp - What the actions for GPUs expand to --------===//
//
// As ScheduleTileOps.cpp, for kernels. Model/KernelModels.cpp says the same of
// the loop-nest model.
//
//===----------------------------------------------------------------------===//

#include "ActionSupport.h"
#include "ScriptFragment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::schedule;

/// A size for each of `rank` dimensions: 0 where `dims` has none, or one that
/// makes no loop.
static FailureOr<SmallVector<int64_t>> getTileSizes(Operation *op, int64_t rank,
                                                    ArrayRef<int64_t> dims,
                                                    ValueRange extentParams,
                                                    ValueRange sizeParams) {
  auto extents = getConstants(op, extentParams);
  auto sizes = getConstants(op, sizeParams);
  if (failed(extents) || failed(sizes))
    return failure();
  SmallVector<int64_t> result(rank, 0);
  for (auto [dim, size, extent] : llvm::zip_equal(dims, *sizes, *extents)) {
    if (size < 0)
      return op->emitOpError("needs sizes of at least 0; found ") << size;
    if (size < extent)
      result[dim] = size;
  }
  return result;
}

static LogicalResult verifySizes(Operation *op, int64_t rank,
                                 ArrayRef<int64_t> dims, size_t extents,
                                 size_t sizes) {
  if (sizes != dims.size())
    return op->emitOpError("needs one size a dimension; found ")
           << dims.size() << " dimensions and " << sizes << " sizes";
  return verifyDims(op, rank, dims, extents);
}

//===----------------------------------------------------------------------===//
// TileGridOp
//===----------------------------------------------------------------------===//

LogicalResult TileGridOp::verify() {
  return verifySizes(*this, getRank(), getDims(), getExtents().size(),
                     getSizes().size());
}

LogicalResult TileGridOp::expand(RewriterBase &rewriter) {
  auto sizes =
      getTileSizes(*this, getRank(), getDims(), getExtents(), getSizes());
  if (failed(sizes))
    return failure();
  const int64_t loops =
      llvm::count_if(*sizes, [](int64_t size) { return size != 0; });
  if (loops == 0)
    return emitOpError("makes a grid of one block: no size is smaller than its "
                       "extent; tile at least one dimension, or leave the "
                       "block as it is");
  // The last dimension is contiguous: neighbouring blocks share lines.
  std::string mapping;
  for (int64_t i = loops; i-- > 0;)
    mapping += (mapping.empty() ? "" : ", ") +
               ("#gpu.block<linear_dim_" + std::to_string(i) + ">");

  ScriptFragment script;
  const std::string root = script.matchBlock(getRoot());
  const std::string tiled = script.name();
  std::string loop = script.name();
  const StringRef types =
      " : (!transform.any_op) -> (!transform.any_op, !transform.any_op)";
  if (getStages()) {
    script.line(tiled + ", " + loop + " = transform.structured.fuse " + root +
                " tile_sizes " + printList(*sizes) +
                " {apply_cleanup, use_forall}" + types);
    const std::string param = script.name();
    script.line(param + " = transform.param.constant [" + mapping +
                "] -> !transform.any_param");
    script.line("transform.annotate " + loop + " \"mapping\" = " + param +
                " : !transform.any_op, !transform.any_param");
  } else {
    script.line(tiled + ", " + loop +
                " = transform.structured.tile_using_forall " + root +
                " tile_sizes " + printList(*sizes) + " (mapping = [" + mapping +
                "])" + types);
    for (StringRef block : toStrings(getFuse()))
      loop = script.fuseInto(script.matchBlock(block), loop);
  }
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// TileStepsOp
//===----------------------------------------------------------------------===//

LogicalResult TileStepsOp::verify() {
  return verifySizes(*this, getRank(), getDims(), getExtents().size(),
                     getSizes().size());
}

LogicalResult TileStepsOp::expand(RewriterBase &rewriter) {
  auto sizes =
      getTileSizes(*this, getRank(), getDims(), getExtents(), getSizes());
  if (failed(sizes))
    return failure();
  if (llvm::all_of(*sizes, [](int64_t size) { return size == 0; }))
    return success();
  SmallVector<int64_t> interchange(getDims());
  for (int64_t dim = 0; dim < static_cast<int64_t>(getRank()); ++dim)
    if (!llvm::is_contained(getDims(), dim))
      interchange.push_back(dim);
  if (llvm::is_sorted(interchange))
    interchange.clear();
  ScriptFragment script;
  script.tile(script.matchBlock(getBlock()), /*fuse=*/false, *sizes,
              interchange);
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// AnnotateOp
//===----------------------------------------------------------------------===//

ParseResult schedule::parseEntries(
    OpAsmParser &parser, ArrayAttr &keys, ArrayAttr &forms,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> keyList, formList;
  auto parseEntry = [&]() -> ParseResult {
    std::string key;
    if (parser.parseKeywordOrString(&key) || parser.parseEqual())
      return failure();
    keyList.push_back(builder.getStringAttr(key));
    std::string word;
    if (succeeded(parser.parseOptionalString(&word))) {
      formList.push_back(builder.getStringAttr(word));
      return success();
    }
    const size_t before = values.size();
    if (succeeded(parser.parseOptionalLSquare())) {
      if (parser.parseOperandList(values) || parser.parseRSquare())
        return failure();
      formList.push_back(builder.getI64IntegerAttr(values.size() - before));
      return success();
    }
    if (parser.parseOperand(values.emplace_back()))
      return failure();
    if (failed(parser.parseOptionalKeyword("of"))) {
      formList.push_back(builder.getUnitAttr());
      return success();
    }
    ArrayAttr words;
    if (parser.parseAttribute(words))
      return failure();
    formList.push_back(words);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces,
                                     parseEntry))
    return failure();
  keys = builder.getArrayAttr(keyList);
  forms = builder.getArrayAttr(formList);
  return success();
}

void schedule::printEntries(OpAsmPrinter &printer, Operation *, ArrayAttr keys,
                            ArrayAttr forms, ValueRange values) {
  printer << '{';
  llvm::interleaveComma(llvm::zip_equal(keys.getAsRange<StringAttr>(), forms),
                        printer, [&](const auto &entry) {
                          const auto &[key, form] = entry;
                          printer.printKeywordOrString(key.getValue());
                          printer << " = ";
                          if (isa<StringAttr>(form)) {
                            printer << form;
                            return;
                          }
                          if (auto length = dyn_cast<IntegerAttr>(form)) {
                            printer << '[' << values.take_front(length.getInt())
                                    << ']';
                            values = values.drop_front(length.getInt());
                            return;
                          }
                          printer << values.front();
                          values = values.drop_front();
                          if (isa<ArrayAttr>(form))
                            printer << " of " << form;
                        });
  printer << '}';
}

/// How many values an entry of that form takes.
static size_t countValues(Attribute form) {
  if (isa<StringAttr>(form))
    return 0;
  if (auto length = dyn_cast<IntegerAttr>(form))
    return std::max<int64_t>(length.getInt(), 0);
  return 1;
}

LogicalResult AnnotateOp::verify() {
  if (getKeys().empty())
    return emitOpError("has no entry to put on its block");
  llvm::StringSet<> seen;
  for (StringRef key : toStrings(getKeys()))
    if (!seen.insert(key).second)
      return emitOpError("has the key '") << key << "' twice";
  size_t needed = 0;
  for (Attribute form : getForms()) {
    auto words = dyn_cast<ArrayAttr>(form);
    if (words && (words.empty() || !llvm::all_of(words, [](Attribute word) {
                    return isa<StringAttr>(word);
                  })))
      return emitOpError("chooses one of some words; found ") << words;
    needed += countValues(form);
  }
  if (getForms().size() != getKeys().size() || needed != getValues().size())
    return emitOpError("needs values as its keys say: ")
           << needed << "; found " << getValues().size();
  return success();
}

SmallVector<AnnotateOp::Entry> AnnotateOp::getEntries() {
  SmallVector<Entry> entries;
  ValueRange values = getValues();
  for (auto [key, form] : llvm::zip_equal(toStrings(getKeys()), getForms())) {
    Entry &entry = entries.emplace_back();
    entry.key = key;
    entry.isList = isa<IntegerAttr>(form);
    const size_t count = countValues(form);
    entry.values = values.take_front(count);
    values = values.drop_front(count);
    if (auto word = dyn_cast<StringAttr>(form))
      entry.words.push_back(word.getValue());
    else if (auto words = dyn_cast<ArrayAttr>(form))
      llvm::append_range(entry.words, toStrings(words));
  }
  return entries;
}

LogicalResult AnnotateOp::expand(RewriterBase &rewriter) {
  Builder builder(getContext());
  SmallVector<NamedAttribute> dictionary;
  for (const Entry &entry : getEntries()) {
    auto values = getConstants(*this, entry.values);
    if (failed(values))
      return failure();
    Attribute attribute;
    if (entry.values.empty() && !entry.isList) {
      attribute = builder.getStringAttr(entry.words.front());
    } else if (entry.isList) {
      attribute = builder.getI64ArrayAttr(*values);
    } else if (entry.words.empty()) {
      attribute = builder.getI64IntegerAttr(values->front());
    } else {
      const int64_t number = values->front();
      if (number < 0 || number >= static_cast<int64_t>(entry.words.size()))
        return emitOpError("has no word ")
               << number << " for '" << entry.key << "'; it has "
               << entry.words.size();
      attribute = builder.getStringAttr(entry.words[number]);
    }
    dictionary.push_back(builder.getNamedAttr(entry.key, attribute));
  }
  std::string text;
  llvm::raw_string_ostream(text) << builder.getDictionaryAttr(dictionary);
  ScriptFragment script;
  const std::string ops = script.matchBlock(getBlock()), param = script.name();
  script.line(param + " = transform.param.constant " + text +
              " -> !transform.any_param");
  script.line("transform.annotate " + ops + " \"" + getAttribute() +
              "\" = " + param + " : !transform.any_op, !transform.any_param");
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}
