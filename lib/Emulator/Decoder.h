//===- Decoder.h - From LLVM IR to steps ------------------------*- C++ -*-===//
//
// Decodes a kernel without calls of functions that have a body. Every component
// of a value gets a register; building and indexing vectors and structs only
// renames them, and so does an offset that a load or store can add by itself.
// Registers are then given places in the register file (Registers.cpp).
//
// Read next: Decoder.cpp, Instructions.cpp, Intrinsics.cpp, Constants.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_EMULATOR_DECODER_H
#define SCHEDOPT_LIB_EMULATOR_DECODER_H

#include "Handlers.h"
#include "Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/Support/Error.h"
#include <map>

namespace sched::emulator {

/// Addresses of global variables outside of shared memory.
using GlobalAddresses = llvm::DenseMap<const llvm::GlobalVariable *, uint64_t>;

/// A step before it has places.
struct Draft {
  Step step;
  /// Registers.
  llvm::SmallVector<uint32_t, 2> results;
  llvm::SmallVector<uint32_t, 4> operands;
  /// Whether the immediate is a label, two, or the number of a table of them.
  enum class Labels : uint8_t { None, One, Two, Table };
  Labels labels = Labels::None;
};

/// A straight run of drafts.
struct DraftBlock {
  uint32_t begin = 0, end = 0;
  llvm::SmallVector<uint32_t, 2> successors;
};

struct Register {
  bool wide = false;
  /// Set for those that no step writes.
  bool isBound = false;
  BoundValue bound;
};

/// Gives the registers places: those that live at different times share them.
void placeRegisters(llvm::ArrayRef<Draft> drafts,
                    llvm::ArrayRef<DraftBlock> blocks,
                    llvm::ArrayRef<Register> registers, Program &program,
                    std::vector<uint32_t> &places);

/// Bits of the components of `constant`; in a buffer, its bytes. The addresses
/// of variables in shared memory are looked up in `shared`. Fails on a constant
/// that is none of these.
class Constants {
public:
  Constants(const llvm::DataLayout &layout, const GlobalAddresses &globals,
            const GlobalAddresses &shared)
      : layout(layout), globals(globals), shared(shared) {}
  llvm::Error evaluate(const llvm::Constant *constant,
                       llvm::SmallVectorImpl<uint64_t> &bits) const;
  llvm::Error store(const llvm::Constant *constant, uint8_t *bytes) const;

private:
  llvm::Expected<uint64_t>
  evaluateExpression(const llvm::ConstantExpr *expression) const;
  const llvm::DataLayout &layout;
  const GlobalAddresses &globals, &shared;
};

/// The scalars that a value of `type` consists of.
llvm::Error flatten(llvm::Type *type, llvm::SmallVectorImpl<Scalar> &scalars);
/// What an address changes by in a cast between address spaces.
int64_t getCastOffset(unsigned from, unsigned to);

class Decoder : public llvm::InstVisitor<Decoder, llvm::Error> {
public:
  Decoder(const llvm::Function &kernel, const GlobalAddresses &globals);
  llvm::Expected<Program> decode();

  // Of llvm::InstVisitor.
  llvm::Error visitInstruction(llvm::Instruction &instruction);
  llvm::Error visitBinaryOperator(llvm::BinaryOperator &binary);
  llvm::Error visitUnaryOperator(llvm::UnaryOperator &unary);
  llvm::Error visitCmpInst(llvm::CmpInst &compare);
  llvm::Error visitSelectInst(llvm::SelectInst &select);
  llvm::Error visitCastInst(llvm::CastInst &cast);
  llvm::Error visitAddrSpaceCastInst(llvm::AddrSpaceCastInst &cast);
  llvm::Error visitBitCastInst(llvm::BitCastInst &cast);
  llvm::Error visitFreezeInst(llvm::FreezeInst &freeze);
  llvm::Error visitGetElementPtrInst(llvm::GetElementPtrInst &address);
  llvm::Error visitLoadInst(llvm::LoadInst &load);
  llvm::Error visitStoreInst(llvm::StoreInst &store);
  llvm::Error visitAtomicRMWInst(llvm::AtomicRMWInst &atomic);
  llvm::Error visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &atomic);
  llvm::Error visitFenceInst(llvm::FenceInst &) {
    return llvm::Error::success();
  }
  llvm::Error visitAllocaInst(llvm::AllocaInst &variable);
  llvm::Error visitExtractElementInst(llvm::ExtractElementInst &extract);
  llvm::Error visitInsertElementInst(llvm::InsertElementInst &insert);
  llvm::Error visitShuffleVectorInst(llvm::ShuffleVectorInst &shuffle);
  llvm::Error visitExtractValueInst(llvm::ExtractValueInst &extract);
  llvm::Error visitInsertValueInst(llvm::InsertValueInst &insert);
  llvm::Error visitPHINode(llvm::PHINode &) { return llvm::Error::success(); }
  llvm::Error visitReturnInst(llvm::ReturnInst &);
  llvm::Error visitBranchInst(llvm::BranchInst &branch);
  llvm::Error visitSwitchInst(llvm::SwitchInst &choice);
  llvm::Error visitUnreachableInst(llvm::UnreachableInst &);
  llvm::Error visitCallInst(llvm::CallInst &call);

private:
  using Registers = llvm::SmallVector<uint32_t, 2>;

  llvm::Error layOutShared();
  std::vector<const llvm::BasicBlock *> orderBlocks() const;

  // Values.
  llvm::Error fail(const llvm::Twine &what) const;
  llvm::Expected<Registers> get(const llvm::Value *value);
  uint32_t addRegister(Scalar type);
  uint32_t addConstant(uint64_t bits, bool wide);
  uint32_t addBound(BoundValue::Kind kind);
  /// Makes registers for the results of `instruction`.
  llvm::Expected<Registers> define(const llvm::Instruction &instruction);
  llvm::Error rename(const llvm::Instruction &instruction,
                     Registers registers) {
    values[&instruction] = std::move(registers);
    return llvm::Error::success();
  }
  llvm::Expected<Scalar> getScalar(llvm::Type *type) const;

  // Drafts.
  Draft &emit(Operation operation, llvm::ArrayRef<uint32_t> results,
              llvm::ArrayRef<uint32_t> operands);
  /// One step for each component of the result; the operands have as many.
  llvm::Error emitEach(const llvm::Instruction &instruction,
                       Operation operation, uint8_t bits,
                       llvm::ArrayRef<const llvm::Value *> operands);
  void emitCopies(llvm::ArrayRef<std::pair<uint32_t, uint32_t>> copies);
  void beginBlock();
  void endBlock(llvm::ArrayRef<uint32_t> successors);
  /// Register and offset of an address that an access adds by itself.
  llvm::Expected<std::pair<uint32_t, int64_t>>
  getAddress(const llvm::Value *pointer);
  void setAccess(Draft &draft, uint64_t bytes, uint64_t alignment,
                 unsigned space);

  // Edges: a label of the block, or of copies before it.
  struct Edge {
    const llvm::BasicBlock *from, *to;
    uint32_t label;
  };
  llvm::Expected<uint32_t> addEdge(const llvm::BasicBlock *from,
                                   const llvm::BasicBlock *to);
  llvm::Error emitEdges();

  // Intrinsics.cpp. Each returns whether it knows the function.
  llvm::Expected<bool> decodeSpecialRegister(llvm::CallInst &call,
                                             llvm::StringRef name);
  llvm::Expected<bool> decodeCollective(llvm::CallInst &call,
                                        llvm::StringRef name);
  llvm::Expected<bool> decodeAsync(llvm::CallInst &call, llvm::StringRef name);
  llvm::Expected<bool> decodeMatrix(llvm::CallInst &call, llvm::StringRef name);
  llvm::Expected<bool> decodeClassTest(llvm::CallInst &call);
  llvm::Expected<bool> decodeArithmetic(llvm::CallInst &call,
                                        llvm::StringRef name);
  llvm::Expected<bool> decodeConversion(llvm::CallInst &call,
                                        llvm::StringRef name);
  llvm::Expected<bool> decodeVectorReduction(llvm::CallInst &call,
                                             llvm::StringRef name);
  llvm::Expected<bool> decodeMemory(llvm::CallInst &call, llvm::StringRef name);
  llvm::Expected<bool> decodeDeviceFunction(llvm::CallInst &call,
                                            llvm::StringRef name);
  llvm::Expected<bool> decodeAssembly(llvm::CallInst &call);
  llvm::Expected<bool> decodeFloatAssembly(llvm::CallInst &call,
                                           llvm::StringRef name);
  llvm::Expected<bool> decodeFloat(llvm::CallInst &call, llvm::StringRef name);
  /// A step with all results and operands of the call.
  llvm::Expected<bool> emitCall(llvm::CallInst &call, Operation operation);

  const llvm::Function &kernel;
  const llvm::DataLayout &layout;
  GlobalAddresses sharedAddresses;
  Constants constants;
  Program program;
  std::vector<Draft> drafts;
  std::vector<DraftBlock> blocks;
  std::vector<Register> registers;
  llvm::DenseMap<const llvm::Value *, Registers> values;
  std::map<std::pair<uint64_t, bool>, uint32_t> constantRegisters;
  std::map<BoundValue::Kind, uint32_t> boundRegisters;
  /// Where labels are: steps, and blocks of drafts.
  std::vector<uint32_t> labels, labelBlocks;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockLabels;
  std::vector<Edge> pendingEdges;
  const llvm::Instruction *current = nullptr;
};

} // namespace sched::emulator

#endif // SCHEDOPT_LIB_EMULATOR_DECODER_H
