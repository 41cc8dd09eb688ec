//===- ModelState.cpp - State of the abstract interpreter -----------------===//

#include "SchedOpt/Model/ModelState.h"
#include "SchedOpt/Model/LoopModelInterface.h"

using namespace mlir;
using namespace sched;

#include "SchedOpt/Model/LoopModelInterface.cpp.inc"

FailureOr<Expr> ModelState::getParam(Operation *user, Value param) const {
  auto it = params.find(param);
  if (it != params.end())
    return it->second;
  user->emitOpError("uses a parameter that the loop-nest model does not know; "
                    "only decisions, constants and their algebra can be used");
  return failure();
}

void ModelState::noteParams(Operation *op) {
  for (Value operand : op->getOperands())
    if (auto it = params.find(operand); it != params.end())
      builder.addOtherParam(it->second);
}

FailureOr<llvm::SmallVector<Expr>>
ModelState::getParams(Operation *user, ValueRange values) const {
  llvm::SmallVector<Expr> results;
  for (Value value : values) {
    FailureOr<Expr> param = getParam(user, value);
    if (failed(param))
      return failure();
    results.push_back(*param);
  }
  return results;
}

const ModelHandle &ModelState::getHandle(Value handle) const {
  static const ModelHandle none;
  auto it = handles.find(handle);
  return it == handles.end() ? none : it->second;
}

void ModelState::copyValue(Value from, Value to) {
  if (auto it = params.find(from); it != params.end()) {
    const Expr param = it->second;
    params[to] = param;
  }
  ModelHandle handle = getHandle(from);
  handles[to] = std::move(handle);
}

FailureOr<uint16_t> ModelState::getBlock(Operation *user,
                                         llvm::StringRef name) const {
  llvm::Expected<uint16_t> block = builder.findBlock(name);
  if (block)
    return *block;
  user->emitOpError(llvm::toString(block.takeError()));
  return failure();
}

FailureOr<llvm::SmallVector<uint16_t>>
ModelState::getBlocks(Operation *user,
                      llvm::ArrayRef<llvm::StringRef> names) const {
  llvm::SmallVector<uint16_t> blocks;
  for (llvm::StringRef name : names) {
    FailureOr<uint16_t> block = getBlock(user, name);
    if (failed(block))
      return failure();
    blocks.push_back(*block);
  }
  return blocks;
}

FailureOr<llvm::SmallVector<uint16_t>>
ModelState::getBlocks(Operation *user, ArrayAttr names,
                      llvm::StringRef root) const {
  llvm::SmallVector<llvm::StringRef> all =
      llvm::map_to_vector(names.getAsRange<StringAttr>(),
                          [](StringAttr name) { return name.getValue(); });
  all.push_back(root);
  return getBlocks(user, all);
}

FailureOr<uint16_t> ModelState::wrap(Operation *user,
                                     llvm::ArrayRef<uint16_t> blocks,
                                     NestNode::Kind kind, uint8_t dim,
                                     Expr size) {
  llvm::Expected<uint16_t> node = builder.wrap(blocks, kind, dim, size);
  if (node)
    return *node;
  user->emitOpError(llvm::toString(node.takeError()));
  return failure();
}

LogicalResult ModelState::share(Operation *user,
                                llvm::ArrayRef<uint16_t> blocks, uint8_t dim,
                                Expr enabled, Expr main, Expr threads) {
  const Expr zero = builder.constant(0), one = builder.constant(1);
  auto cut = wrap(user, blocks, NestNode::Kind::Loop, dim,
                  builder.select(enabled, main, zero));
  if (failed(cut) || failed(wrap(user, blocks, NestNode::Kind::Forall, dim,
                                 builder.select(enabled, threads, one))))
    return failure();
  auto shared = wrap(user, blocks, NestNode::Kind::Loop, dim, zero);
  if (failed(shared))
    return failure();
  builder.shareTail(*cut, *shared);
  return success();
}

void ModelState::readBuffer(uint16_t block, unsigned access, Expr enable) {
  // Extents first: they look the block up.
  const llvm::SmallVector<uint8_t, 4> dims =
      builder.getBlock(block).accesses[access].dims;
  Expr stride = builder.constant(1);
  for (unsigned i = dims.size(); i-- > 0;) {
    Reg &old = builder.getBlock(block).accesses[access].strides[i];
    old = builder.select(enable, stride, Expr{old, std::nullopt}).reg;
    stride = builder.mul(stride, builder.extentAt(block, dims[i]));
  }
}
