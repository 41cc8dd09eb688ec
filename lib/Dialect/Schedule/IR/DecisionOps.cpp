//===- DecisionOps.cpp - Domains and verifiers of the decisions -----------===//
//
// Each decision op says what its domain is; the rest of the interface follows
// from the domain (DecisionDomain.h).
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

FailureOr<DecisionDomain> DecisionOpInterface::getDomain() {
  FailureOr<SmallVector<int64_t>> params =
      getConstantParams((*this)->getOperands());
  if (succeeded(params))
    return computeDomain(*params);
  return (*this)->emitOpError("has decision '")
         << getDecisionName()
         << "' with a domain that depends on a parameter that is not constant; "
            "decide what it is computed from, and fold it, first";
}

FailureOr<unsigned> DecisionOpInterface::getDomainSize() {
  FailureOr<DecisionDomain> domain = getDomain();
  if (failed(domain))
    return failure();
  return domain->size();
}

FailureOr<bool> DecisionOpInterface::contains(ArrayRef<int64_t> values) {
  FailureOr<DecisionDomain> domain = getDomain();
  if (failed(domain))
    return failure();
  return findEntry(*domain, values).has_value();
}

FailureOr<unsigned> DecisionOpInterface::encode(ArrayRef<int64_t> values) {
  FailureOr<DecisionDomain> domain = getDomain();
  if (failed(domain))
    return failure();
  if (std::optional<unsigned> index = findEntry(*domain, values))
    return *index;
  return (*this)->emitOpError("decision '")
         << getDecisionName() << "' cannot be " << printValues(values)
         << "; its domain is " << printDomain(*domain)
         << "; choose one of its entries";
}

FailureOr<unsigned>
DecisionOpInterface::sample(llvm::function_ref<uint64_t()> bits) {
  FailureOr<DecisionDomain> domain = getDomain();
  if (failed(domain))
    return failure();
  return sampleEntry(*domain, getWeights(), bits);
}

FailureOr<SmallVector<unsigned>>
DecisionOpInterface::getNeighbours(unsigned index) {
  FailureOr<DecisionDomain> domain = getDomain();
  if (failed(domain))
    return failure();
  return schedule::getNeighbours(getDecisionKind(), *domain, index);
}

FailureOr<unsigned> DecisionOpInterface::getDefaultIndex() {
  if (std::optional<ArrayRef<int64_t>> values = getDefaultValues())
    return encode(*values);
  return 0u;
}

//===----------------------------------------------------------------------===//
// Shared verification
//===----------------------------------------------------------------------===//

/// What holds of every decision. `numEntries` checks the weights where the
/// number of entries is known from the op alone.
static LogicalResult
verifyDecision(DecisionOpInterface op,
               std::optional<size_t> numEntries = std::nullopt) {
  if (op.getDecisionName().empty())
    return op->emitOpError("needs a name for its decision");
  if (!op->getParentOfType<SketchOp>())
    return op->emitOpError("is a decision outside of a sketch; put it into a "
                           "schedule.sketch");
  if (std::optional<ArrayRef<double>> weights = op.getWeights()) {
    if (numEntries && weights->size() != *numEntries)
      return op->emitOpError("needs one weight an entry; found ")
             << weights->size() << " weights for " << *numEntries << " entries";
    for (double weight : *weights)
      if (!(weight > 0) || !std::isfinite(weight))
        return op->emitOpError("needs positive weights; found ")
               << weight << "; remove the entry to rule it out";
  }
  // A domain that depends on other decisions is checked once these are made.
  if (failed(getConstantParams(op->getOperands())))
    return success();
  FailureOr<DecisionDomain> domain = op.getDomain();
  if (failed(domain))
    return failure();
  for (std::optional<ArrayRef<int64_t>> values :
       {op.getDefaultValues(), op.getDecided()})
    if (values && failed(op.encode(*values)))
      return failure();
  return success();
}

/// One value an entry.
static DecisionDomain toDomain(ArrayRef<int64_t> values) {
  DecisionDomain domain;
  for (int64_t value : values)
    domain.push_back({value});
  return domain;
}

static DecisionDomain getIndices(size_t count) {
  DecisionDomain domain;
  for (size_t i = 0; i != count; ++i)
    domain.push_back({static_cast<int64_t>(i)});
  return domain;
}

/// The domain, or an error where it is empty or too large.
static FailureOr<DecisionDomain> checkSize(DecisionOpInterface op,
                                           DecisionDomain domain) {
  if (domain.empty())
    return op->emitOpError("decision '")
           << op.getDecisionName() << "' has an empty domain; widen its bounds";
  if (domain.size() > kMaxDomainSize)
    return op->emitOpError("decision '")
           << op.getDecisionName() << "' has a domain of more than "
           << kMaxDomainSize << " entries; narrow its bounds";
  return domain;
}

/// The extent: an attribute or the only operand.
/// Beyond any loop; what a larger number has as factors takes seconds to find.
static constexpr int64_t kMaxExtent = int64_t(1) << 32;

template <typename OpTy>
static FailureOr<int64_t> getExtentOf(OpTy op, ArrayRef<int64_t> params) {
  const int64_t extent =
      op.getExtent() ? static_cast<int64_t>(*op.getExtent()) : params.front();
  if (extent >= 1 && extent <= kMaxExtent)
    return extent;
  return op.emitOpError("decision '")
         << op.getDecisionName() << "' needs an extent of 1 to " << kMaxExtent
         << "; found " << extent;
}

template <typename OpTy> static LogicalResult verifyExtent(OpTy op) {
  if (op.getExtent().has_value() == static_cast<bool>(op.getDynamicExtent()))
    return op.emitOpError("needs one extent: a number or a parameter");
  return success();
}

//===----------------------------------------------------------------------===//
// SampleCategoricalOp
//===----------------------------------------------------------------------===//

DecisionKind SampleCategoricalOp::getDecisionKind() {
  ArrayRef<int64_t> values = getCandidates();
  const bool increases =
      llvm::adjacent_find(values, std::greater_equal<int64_t>()) ==
      values.end();
  return increases ? DecisionKind::Ordered : DecisionKind::Categorical;
}

FailureOr<DecisionDomain>
SampleCategoricalOp::computeDomain(ArrayRef<int64_t>) {
  return checkSize(*this, toDomain(getCandidates()));
}

LogicalResult SampleCategoricalOp::verify() {
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t value : getCandidates())
    if (!seen.insert(value).second)
      return emitOpError("lists the value ")
             << value << " twice; give it a weight instead";
  return verifyDecision(*this, getCandidates().size());
}

//===----------------------------------------------------------------------===//
// SampleTileOp
//===----------------------------------------------------------------------===//

DecisionKind SampleTileOp::getDecisionKind() { return DecisionKind::Ordered; }

FailureOr<DecisionDomain>
SampleTileOp::computeDomain(ArrayRef<int64_t> params) {
  FailureOr<int64_t> extent = getExtentOf(*this, params);
  if (failed(extent))
    return failure();
  const int64_t unit = getMultipleOf().value_or(1);
  const int64_t last = std::min<int64_t>(getMax(), *extent);
  DecisionDomain domain;
  const int64_t min = getMin();
  for (int64_t i = min / unit + (min % unit != 0);
       i <= last / unit && domain.size() <= kMaxDomainSize; ++i)
    domain.push_back({i * unit});
  if (getOrFull() && (domain.empty() || domain.back().front() != *extent))
    domain.push_back({*extent});
  return checkSize(*this, std::move(domain));
}

LogicalResult SampleTileOp::verify() {
  const int64_t min = getMin(), max = getMax();
  if (failed(verifyExtent(*this)))
    return failure();
  if (min < 1 || max < min)
    return emitOpError("needs 1 <= min <= max; found min ")
           << min << " and max " << max;
  if (getMultipleOf() && static_cast<int64_t>(*getMultipleOf()) < 1)
    return emitOpError("needs a positive multiple_of; found ")
           << static_cast<int64_t>(*getMultipleOf());
  return verifyDecision(*this);
}

//===----------------------------------------------------------------------===//
// SamplePerfectTileOp
//===----------------------------------------------------------------------===//

DecisionKind SamplePerfectTileOp::getDecisionKind() {
  return DecisionKind::PerfectTile;
}

FailureOr<DecisionDomain>
SamplePerfectTileOp::computeDomain(ArrayRef<int64_t> params) {
  FailureOr<int64_t> extent = getExtentOf(*this, params);
  if (failed(extent))
    return failure();
  return checkSize(*this,
                   getFactorisations(*extent, getParts(),
                                     getMaxInnermost().value_or(*extent)));
}

LogicalResult SamplePerfectTileOp::verify() {
  const int64_t parts = getParts();
  if (failed(verifyExtent(*this)))
    return failure();
  if (parts < 1 || parts != static_cast<int64_t>(getResults().size()))
    return emitOpError("needs one result a part; found ")
           << parts << " parts and " << getResults().size() << " results";
  if (getMaxInnermost() && static_cast<int64_t>(*getMaxInnermost()) < 1)
    return emitOpError("needs a positive max_innermost; found ")
           << static_cast<int64_t>(*getMaxInnermost());
  return verifyDecision(*this);
}

//===----------------------------------------------------------------------===//
// SamplePermutationOp
//===----------------------------------------------------------------------===//

DecisionKind SamplePermutationOp::getDecisionKind() {
  return DecisionKind::Permutation;
}

FailureOr<DecisionDomain>
SamplePermutationOp::computeDomain(ArrayRef<int64_t>) {
  return getPermutations(getCount());
}

LogicalResult SamplePermutationOp::verify() {
  // 9! entries are more than a domain may have.
  const int64_t count = getCount();
  if (count < 1 || count > 8)
    return emitOpError("needs 1 to 8 positions; found ") << count;
  if (count != static_cast<int64_t>(getResults().size()))
    return emitOpError("needs one result a position; found ")
           << count << " positions and " << getResults().size() << " results";
  return verifyDecision(*this);
}

//===----------------------------------------------------------------------===//
// SampleComputeLocationOp
//===----------------------------------------------------------------------===//

DecisionKind SampleComputeLocationOp::getDecisionKind() {
  // Places are listed from the outermost inwards.
  return DecisionKind::Ordered;
}

FailureOr<DecisionDomain>
SampleComputeLocationOp::computeDomain(ArrayRef<int64_t>) {
  return checkSize(*this, getIndices(getLocations().size()));
}

LogicalResult SampleComputeLocationOp::verify() {
  llvm::StringSet<> seen;
  for (StringRef location : getLocations().getAsValueRange<StringAttr>())
    if (!seen.insert(location).second)
      return emitOpError("lists the place '") << location << "' twice";
  return verifyDecision(*this, getLocations().size());
}

//===----------------------------------------------------------------------===//
// ChooseOp
//===----------------------------------------------------------------------===//

DecisionKind ChooseOp::getDecisionKind() { return DecisionKind::Categorical; }

FailureOr<DecisionDomain> ChooseOp::computeDomain(ArrayRef<int64_t>) {
  return checkSize(*this, getIndices(getAlternatives().size()));
}

LogicalResult ChooseOp::verify() {
  if (getAlternatives().empty())
    return emitOpError("needs at least one alternative");
  return verifyDecision(*this, getAlternatives().size());
}

LogicalResult ChooseOp::verifyRegions() {
  for (Region &alternative : getAlternatives()) {
    Operation *yield = alternative.front().getTerminator();
    if (yield->getOperandTypes() == getResultTypes())
      continue;
    InFlightDiagnostic diagnostic =
        yield->emitOpError("of alternative ")
        << alternative.getRegionNumber() << " yields ("
        << yield->getOperandTypes() << "), but '" << getDecisionName()
        << "' has the results (" << getResultTypes() << ")";
    return diagnostic;
  }
  return success();
}
