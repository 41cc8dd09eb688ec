//===- ViewCopies.cpp - Copies with another stride as views ---------------===//
//
// Strided rows that instructions take several of at once are put side by side
// before tasks are cut (Space/StridedRows.cpp), and so are windows of few
// channels (Space/JoinTaps.cpp): each tap copies the pixels that it meets. Such
// copies that are a constant distance apart in their
// source are a view of it, in which elements may occur more than once; what
// reads the copy can read that. See sched-lower-to-cpu, where it comes when
// buffers have just been placed.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "SchedOpt/Codegen/Passes.h"
#include "ViewTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_VIEWCOPIESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// A static position in a buffer.
struct Layout {
  SmallVector<int64_t> strides;
  int64_t offset = 0;

  static std::optional<Layout> of(Value memory) {
    Layout layout;
    const auto type = cast<MemRefType>(memory.getType());
    if (!type.hasStaticShape() ||
        failed(type.getStridesAndOffset(layout.strides, layout.offset)) ||
        llvm::any_of(layout.strides, ShapedType::isDynamic) ||
        ShapedType::isDynamic(layout.offset))
      return std::nullopt;
    return layout;
  }
};

/// What is written to one place of a dimension of a buffer, all others whole.
struct Part {
  linalg::CopyOp copy;
  memref::SubViewOp place;
  int64_t dim, number;

  static std::optional<Part> match(memref::SubViewOp place);
};

/// A buffer that consists of such parts, and what reads it.
class CopiedBuffer {
public:
  static std::optional<CopiedBuffer> match(memref::AllocOp alloc);

  void replace();

private:
  explicit CopiedBuffer(memref::AllocOp alloc) : alloc(alloc) {}

  bool collectParts();
  bool findView();
  MemRefType getViewType();
  /// Whether the source stays as it is from the first copy on, and nothing
  /// reads the buffer before the last.
  bool isUnchanged();
  /// Finds the types of what reads the view; whether all of it can.
  bool retypeReaders();

  memref::AllocOp alloc;
  SmallVector<Part> parts;
  /// The first and the last copy in program order.
  Operation *first = nullptr, *last = nullptr;
  SmallVector<Operation *> readers;
  /// What the parts are copied from, and the view of it.
  Value source;
  Layout view;
  /// New types of the readers that are views in their turn.
  ViewTypes types;
};
} // namespace

std::optional<Part> Part::match(memref::SubViewOp place) {
  auto copy = place->hasOneUse()
                  ? dyn_cast<linalg::CopyOp>(*place->user_begin())
                  : linalg::CopyOp();
  const auto from = place.getSourceType();
  if (!copy || copy.getDpsInits().front() != place.getResult() ||
      place.getType().getRank() != from.getRank() ||
      ShapedType::isDynamicShape(place.getStaticOffsets()) ||
      !llvm::all_of(place.getStaticStrides(),
                    [](int64_t stride) { return stride == 1; }))
    return std::nullopt;
  Part part{copy, place, -1, 0};
  for (int64_t dim = 0; dim != from.getRank(); ++dim) {
    if (place.getStaticSizes()[dim] == from.getDimSize(dim))
      continue;
    if (part.dim != -1 || place.getStaticSizes()[dim] != 1)
      return std::nullopt;
    part.dim = dim;
    part.number = place.getStaticOffsets()[dim];
  }
  return part.dim == -1 ? std::nullopt : std::optional(part);
}

bool CopiedBuffer::collectParts() {
  for (Operation *user : alloc->getUsers()) {
    auto place = dyn_cast<memref::SubViewOp>(user);
    std::optional<Part> part = place ? Part::match(place) : std::nullopt;
    if (part && part->copy->getBlock() == alloc->getBlock())
      parts.push_back(*part);
    else
      readers.push_back(user);
  }
  if (parts.size() < 2)
    return false;
  llvm::sort(parts,
             [](const Part &a, const Part &b) { return a.number < b.number; });
  const int64_t dim = parts.front().dim;
  if (int64_t(parts.size()) != alloc.getType().getDimSize(dim))
    return false;
  for (auto [number, part] : llvm::enumerate(parts))
    if (part.dim != dim || part.number != int64_t(number))
      return false;
  auto isBefore = [](const Part &a, const Part &b) {
    return a.copy->isBeforeInBlock(b.copy);
  };
  first = llvm::min_element(parts, isBefore)->copy;
  last = llvm::max_element(parts, isBefore)->copy;
  return true;
}

static Value getSource(Value memory) {
  while (isView(memory.getDefiningOp()))
    memory = memory.getDefiningOp()->getOperand(0);
  return memory;
}

bool CopiedBuffer::findView() {
  const int64_t dim = parts.front().dim;
  const MemRefType type = alloc.getType();
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value from = part.copy.getDpsInputs().front();
    const auto fromType = cast<MemRefType>(from.getType());
    const std::optional<Layout> layout = Layout::of(from);
    if (!layout || fromType.getElementType() != type.getElementType() ||
        fromType.getMemorySpace() != type.getMemorySpace())
      return false;
    if (number == 0) {
      source = getSource(from);
      view = *layout;
      continue;
    }
    if (number == 1)
      view.strides[dim] = layout->offset - view.offset;
    SmallVector<int64_t> strides(layout->strides);
    strides[dim] = view.strides[dim];
    if (getSource(from) != source || strides != view.strides ||
        layout->offset != view.offset + int64_t(number) * view.strides[dim])
      return false;
  }
  // Offsets of views are from the begin of what they are views of. Neighbours
  // stay neighbours, or vectors would be read element by element.
  return cast<MemRefType>(source.getType()).getLayout().isIdentity() &&
         view.strides[dim] > 0 && view.strides.back() == 1;
}

MemRefType CopiedBuffer::getViewType() {
  const MemRefType type = alloc.getType();
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), view.offset, view.strides));
}

static bool reads(Operation *op, Value memory) {
  return accesses(op, memory, /*mayWrite=*/false);
}

/// Calls `visit` with what uses `memory`, and views of it, as memory; whether
/// all calls returned true.
static bool forUsers(Value memory,
                     llvm::function_ref<bool(Operation *, Value)> visit) {
  return llvm::all_of(memory.getUsers(), [&](Operation *user) {
    return isView(user) ? forUsers(user->getResult(0), visit)
                        : visit(user, memory);
  });
}

bool CopiedBuffer::isUnchanged() {
  Block *block = alloc->getBlock();
  // The buffer of an argument is that of no other argument, nor of anything
  // that the function allocates.
  Operation *owner = source.getDefiningOp();
  if (owner ? !isa<memref::AllocOp>(owner) || owner->getBlock() != block
            : !isa<FunctionOpInterface>(block->getParentOp()) ||
                  source.getParentBlock() != block)
    return false;
  const bool isSourceKept = forUsers(source, [&](Operation *op, Value memory) {
    if (reads(op, memory))
      return true;
    Operation *place = block->findAncestorOpInBlock(*op);
    return place && place->isBeforeInBlock(first) && keepsToItself(op);
  });
  return isSourceKept && llvm::all_of(readers, [&](Operation *reader) {
           Operation *place = block->findAncestorOpInBlock(*reader);
           return place && last->isBeforeInBlock(place);
         });
}

bool CopiedBuffer::retypeReaders() {
  return llvm::all_of(readers, [&](Operation *reader) {
    return types.add(reader, alloc.getResult(), getViewType(), reads);
  });
}

std::optional<CopiedBuffer> CopiedBuffer::match(memref::AllocOp alloc) {
  CopiedBuffer buffer(alloc);
  const MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !buffer.collectParts() || !buffer.findView() || !buffer.isUnchanged() ||
      !buffer.retypeReaders())
    return std::nullopt;
  return buffer;
}

void CopiedBuffer::replace() {
  IRRewriter rewriter(last);
  auto whole = memref::ReinterpretCastOp::create(
      rewriter, alloc.getLoc(), getViewType(), source, view.offset,
      alloc.getType().getShape(), view.strides);
  for (const Part &part : parts) {
    rewriter.eraseOp(part.copy);
    rewriter.eraseOp(part.place);
  }
  rewriter.replaceAllUsesWith(alloc.getResult(), whole.getResult());
  rewriter.eraseOp(alloc);
  types.apply();
}

namespace {
struct ViewCopies : sched::impl::ViewCopiesPassBase<ViewCopies> {
  using ViewCopiesPassBase::ViewCopiesPassBase;

  void runOnOperation() override {
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk(
        [&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    for (memref::AllocOp alloc : allocs)
      if (std::optional<CopiedBuffer> buffer = CopiedBuffer::match(alloc))
        buffer->replace();
  }
};
} // namespace
