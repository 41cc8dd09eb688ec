//===- ScheduleInterfaces.td - Decisions, algebra, actions -*- tablegen -*-===//
//
// What the passes, the model and the search know of an op: a new decision,
// parameter operation or action is a new op with one of these interfaces.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEINTERFACES_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEINTERFACES_TD

include "mlir/IR/OpBase.td"

def DecisionOpInterface : OpInterface<"DecisionOpInterface"> {
  let cppNamespace = "::mlir::schedule";
  let description = [{
    A choice that the search makes. Its domain is a list of entries, each of one
    value a result (one in all for `choose`), and is never empty. A decision is
    *decided* when the attribute `decided` holds one entry of the domain.
  }];
  let methods = [
    InterfaceMethod<"Name of the decision, unique within its sketch.",
                    "::llvm::StringRef", "getDecisionName">,
    InterfaceMethod<"What neighbours in the domain have in common.",
                    "::mlir::schedule::DecisionKind", "getDecisionKind">,
    InterfaceMethod<[{
        The entries of the domain, where `params` are the values of the op's
        operands. Reports an empty or too large domain at the op.
      }],
      "::llvm::FailureOr<::mlir::schedule::DecisionDomain>", "computeDomain",
      (ins "::llvm::ArrayRef<int64_t>":$params)>,
    InterfaceMethod<[{
        Weights of the entries for sampling, positive, one an entry; none means
        uniform.
      }],
      "::std::optional<::llvm::ArrayRef<double>>", "getWeights", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<[{
        The entry of the default schedule; none means the first of the domain.
      }],
      "::std::optional<::llvm::ArrayRef<int64_t>>", "getDefaultValues">,
    InterfaceMethod<"The values decided on, if any.",
                    "::std::optional<::llvm::ArrayRef<int64_t>>", "getDecided">,
    InterfaceMethod<[{
        Decides on `values`, or opens the decision again. Does not check the
        domain: `encode` does.
      }],
      "void", "setDecided",
      (ins "::std::optional<::llvm::ArrayRef<int64_t>>":$values)>,
  ];
  let extraClassDeclaration = [{
    /// The domain where every operand is a constant; an error at the op where
    /// one is not.
    ::llvm::FailureOr<::mlir::schedule::DecisionDomain> getDomain();
    /// Number of entries.
    ::llvm::FailureOr<unsigned> getDomainSize();
    /// Whether `values` is an entry.
    ::llvm::FailureOr<bool> contains(::llvm::ArrayRef<int64_t> values);
    /// Index of the entry `values`; an error at the op, with the domain, where
    /// there is none.
    ::llvm::FailureOr<unsigned> encode(::llvm::ArrayRef<int64_t> values);
    /// Index of an entry drawn by the weights. `bits` gives 64 uniform bits.
    ::llvm::FailureOr<unsigned>
    sample(::llvm::function_ref<uint64_t()> bits);
    /// Indices of the entries one step away from entry `index`.
    ::llvm::FailureOr<::llvm::SmallVector<unsigned>>
    getNeighbours(unsigned index);
    /// Index of the default entry.
    ::llvm::FailureOr<unsigned> getDefaultIndex();
  }];
}

def AlgebraOpInterface : OpInterface<"AlgebraOpInterface"> {
  let cppNamespace = "::mlir::schedule";
  let description = [{
    Arithmetic: a pure op that computes one parameter from others.
  }];
  let methods = [
    InterfaceMethod<[{
        The result for operands of these values; none on overflow.
      }],
      "::std::optional<int64_t>", "evaluate",
      (ins "::llvm::ArrayRef<int64_t>":$operands)>,
  ];
}

def ScheduleActionOpInterface : OpInterface<"ScheduleActionOpInterface"> {
  let cppNamespace = "::mlir::schedule";
  let description = [{
    An action of ours on the payload. It expands to upstream transform ops.
  }];
  let methods = [
    InterfaceMethod<[{
        Inserts the upstream ops that do the same in front of the op and replaces
        the uses of its results; the caller erases the op. Every parameter
        operand is a constant by then (`getConstantParam`). Reports what cannot
        be done at the op.
      }],
      "::llvm::LogicalResult", "expand",
      (ins "::mlir::RewriterBase &":$rewriter)>,
  ];
}

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEINTERFACES_TD
