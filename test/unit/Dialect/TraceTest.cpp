//===- TraceTest.cpp - The text of traces ---------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/Trace.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::schedule;

namespace {

Trace makeTrace() {
  Trace trace;
  trace.sketch = "packed";
  trace.decisions.push_back({"mr", {6}});
  trace.decisions.push_back({"i", {4, 8, -2}});
  trace.decisions.push_back({"odd \"name\"\n", {0}});
  return trace;
}

std::string parseError(llvm::StringRef text) {
  llvm::Expected<Trace> trace = parseTrace(text);
  return trace ? "" : llvm::toString(trace.takeError());
}

TEST(Trace, TextRoundTrip) {
  const std::string text = printTrace(makeTrace());
  EXPECT_EQ(text, "schedule.trace of @packed decisions {mr = 6, i = [4, 8, "
                  "-2], \"odd \\22name\\22\\0A\" = 0}");
  llvm::Expected<Trace> back = parseTrace(text);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(*back, makeTrace());
}

TEST(Trace, TextAndIRAgree) {
  MLIRContext context;
  context.loadDialect<ScheduleDialect>();
  auto module = parseSourceString<ModuleOp>(printTrace(makeTrace()), &context);
  ASSERT_TRUE(module);
  auto op = cast<TraceOp>(module->getBody()->front());
  EXPECT_EQ(getTrace(op), makeTrace());

  OpBuilder builder(op);
  TraceOp created = createTrace(builder, op.getLoc(), getTrace(op));
  std::string printed;
  llvm::raw_string_ostream os(printed);
  created->print(os);
  EXPECT_EQ(printed, printTrace(makeTrace()));
}

TEST(Trace, SpaceBetweenTokensIsFree) {
  llvm::Expected<Trace> trace =
      parseTrace("  schedule.trace  of@s decisions{ a=1 ,b = [ 2,3 ] }\n");
  ASSERT_TRUE(bool(trace));
  EXPECT_EQ(printTrace(*trace),
            "schedule.trace of @s decisions {a = 1, b = [2, 3]}");
  llvm::Expected<Trace> empty = parseTrace("schedule.trace of @s decisions {}");
  ASSERT_TRUE(bool(empty));
  EXPECT_TRUE(empty->decisions.empty());
}

TEST(Trace, Find) {
  Trace trace = makeTrace();
  ASSERT_TRUE(trace.find("i"));
  EXPECT_EQ(trace.find("i")->values[1], 8);
  EXPECT_FALSE(trace.find("j"));
}

TEST(Trace, Errors) {
  const std::string head = "schedule.trace of @s decisions ";
  EXPECT_EQ(parseError(""), "trace: expected 'schedule.trace' at column 1");
  EXPECT_EQ(parseError("schedule.trace of s"),
            "trace: expected '@' at column 19");
  EXPECT_EQ(parseError("schedule.trace of @"),
            "trace: expected the name of a sketch at column 20");
  EXPECT_EQ(parseError(head), "trace: expected '{' at column 32");
  EXPECT_EQ(parseError(head + "{a 1}"), "trace: expected '=' at column 35");
  EXPECT_EQ(parseError(head + "{a = x}"),
            "trace: expected an integer of 64 bits at column 37");
  EXPECT_EQ(parseError(head + "{a = 9223372036854775808}"),
            "trace: expected an integer of 64 bits at column 37");
  EXPECT_EQ(parseError(head + "{a = [1, 2}"),
            "trace: expected ']' at column 42");
  EXPECT_EQ(parseError(head + "{a = []}"),
            "trace: expected an integer of 64 bits at column 38");
  EXPECT_EQ(parseError(head + "{a = 1, a = 2}"), "trace: 'a' is decided twice");
  EXPECT_EQ(parseError(head + "{a = 1"), "trace: expected '}' at column 38");
  EXPECT_EQ(parseError(head + "{\"a"), "trace: expected '\"' at column 35");
  EXPECT_EQ(parseError(head + "{} x"), "trace: expected the end at column 35");
}

} // namespace
