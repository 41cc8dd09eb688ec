"""The decisions of a trace, as Python values.

A record's trace is the text of an op: `schedule.trace of @sketch decisions
{mr = 8, block_order = [1, 0]}`.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple

from .errors import RecordError

_HEAD = re.compile(r'\s*schedule\.trace of @(?:"((?:[^"\\]|\\.)*)"|([\w.$-]+))')
_TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<float>-?\d+\.\d*(?:[eE][+-]?\d+)?)'
    r"|(?P<integer>-?\d+)|(?P<name>[A-Za-z_][\w.$]*)|(?P<mark>[\[\]{}=,:<>@]))"
)


def _tokens(text: str) -> List[Tuple[str, str]]:
    tokens, position = [], 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if not match:
            raise RecordError(f"found '{text[position:].strip()}', expected a decision's value")
        tokens.append((match.lastgroup or "", match.group(match.lastgroup or 0)))
        position = match.end()
    return tokens


class _Parser:
    def __init__(self, text: str):
        self.tokens = _tokens(text)
        self.next = 0

    def peek(self) -> Tuple[str, str]:
        return self.tokens[self.next] if self.next < len(self.tokens) else ("", "")

    def take(self, *expected: str) -> Tuple[str, str]:
        token = self.peek()
        if expected and token[1] not in expected:
            raise RecordError(f"found '{token[1]}', expected {' or '.join(expected)} in a trace")
        self.next += 1
        return token

    def sequence(self, end: str) -> Tuple[Any, ...]:
        values = []
        while self.peek()[1] != end:
            values.append(self.value())
            if self.peek()[1] != end:
                self.take(",")
        self.take(end)
        return tuple(values)

    def value(self) -> Any:
        kind, text = self.take()
        result: Any
        if kind == "integer":
            result = int(text)
        elif kind == "float":
            result = float(text)
        elif kind == "string":
            result = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        elif text in ("true", "false"):
            result = text == "true"
        elif text == "unit":
            result = True
        elif text == "[":
            result = self.sequence("]")
        elif text == "array" and self.peek()[1] == "<":  # array<i64: 1, 2>
            self.take("<")
            self.take()
            if self.take(":", ">")[1] == ">":
                return ()
            return self.sequence(">")
        else:
            raise RecordError(f"found '{text}', expected a decision's value")
        if self.peek()[1] == ":":  # 8 : i64
            self.take()
            self.take()
        return result

    def dictionary(self) -> Dict[str, Any]:
        self.take("{")
        entries = {}
        while self.peek()[1] != "}":
            kind, name = self.take()
            if kind == "string":
                name = name[1:-1]
            if self.peek()[1] == "=":
                self.take()
                entries[name] = self.value()
            else:
                entries[name] = True
            if self.peek()[1] != "}":
                self.take(",")
        self.take("}")
        return entries


def parse_trace(trace: str) -> Tuple[str, Dict[str, Any]]:
    """The name of a trace's sketch, and its decisions in their order.

    Values are int, float, str, bool, or a tuple of them. A trace of no text
    (the unscheduled code) has the name "" and no decisions. Raises RecordError
    for what is no trace.
    """
    if not trace.strip():
        return "", {}
    head = _HEAD.match(trace)
    if not head:
        raise RecordError(f"found '{trace[:60]}', expected 'schedule.trace of @...'")
    at = trace.find("decisions", head.end())
    if at < 0:
        return head[1] or head[2], {}
    return head[1] or head[2], _Parser(trace[at + len("decisions") :]).dictionary()
