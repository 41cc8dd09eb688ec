"""The model's end of the channel to sched-opt.

A message is one line of JSON; arrays in it are base64 of little-endian
elements. docs/Python.md has the messages. serve_cost_model.py is what sched-opt
starts.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import threading
import traceback
from typing import Any, BinaryIO, Callable, Dict, Optional

import numpy as np

from .features import Features, Table

PROTOCOL = 1


def encode(values: Any, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def decode(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype=kind)


def _read_table(rows: Any, version: int) -> Table:
    names, units, definitions = zip(*rows) if rows else ((), (), ())
    return Table(tuple(names), tuple(units), tuple(definitions), version)


def _check_scores(values: Any, count: int, what: str, least: float) -> np.ndarray:
    scores = np.asarray(values, dtype=np.float64)
    if scores.shape != (count,):
        raise ValueError(f"predict gave {what} of shape {scores.shape}, expected ({count},)")
    wrong = ~np.isfinite(scores) | (scores < least)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(
            f"predict gave {what} {scores[at]:g} for candidate {at}, expected a finite number"
            + (" above 0" if least > 0 else " of 0 or more")
        )
    return scores


class Server:
    """Answers sched-opt's requests with a model."""

    def __init__(self, make_model: Callable[[], Any]):
        self._make_model = make_model
        self.model: Any = None
        self._table = self._blocks = Table((), (), (), 0)

    def hello(self, request: Dict[str, Any]) -> Dict[str, Any]:
        if request.get("protocol") != PROTOCOL:
            raise ValueError(
                f"found protocol {request.get('protocol')}, expected {PROTOCOL}; use the package"
                " sched of the same version as sched-opt"
            )
        self._table = _read_table(request["features"], request["feature_version"])
        self._blocks = _read_table(request["block_features"], request["block_feature_version"])
        self.model = self._make_model()
        if not callable(getattr(self.model, "predict", None)):
            raise TypeError(f"found no method predict in {type(self.model).__name__}")
        return {
            "name": str(getattr(self.model, "name", "") or type(self.model).__name__),
            "reads_blocks": bool(getattr(self.model, "reads_blocks", False)),
        }

    def _features(self, request: Dict[str, Any]) -> Features:
        count = int(request["count"])
        matrix = decode(request["programs"], "<f4").reshape(count, len(self._table.names))
        rows = ends = None
        if "blocks" in request:
            ends = decode(request["block_ends"], "<u4").astype(np.int64)
            rows = decode(request["blocks"], "<f4").reshape(-1, len(self._blocks.names))
        return Features(self._table, matrix, request["task"], self._blocks, rows, ends)

    def predict(self, request: Dict[str, Any]) -> Dict[str, Any]:
        features = self._features(request)
        scores, doubts = None, None
        if request.get("with_doubt") and hasattr(self.model, "predict_with_doubt"):
            scores, doubts = self.model.predict_with_doubt(features)
        else:
            scores = self.model.predict(features)
        # The least normal number: log() of it is one, too.
        least = float(np.finfo(np.float64).tiny)
        reply = {"scores": encode(_check_scores(scores, len(features), "a score", least), "<f8")}
        if doubts is not None:
            reply["doubts"] = encode(_check_scores(doubts, len(features), "a doubt", 0), "<f8")
        return reply

    def update(self, request: Dict[str, Any]) -> Dict[str, Any]:
        if callable(getattr(self.model, "update", None)):
            seconds = decode(request["seconds"], "<f8")
            self.model.update(self._features(request), seconds, request["task"])
        return {}

    def end(self, request: Dict[str, Any]) -> Dict[str, Any]:
        if callable(getattr(self.model, "close", None)):
            self.model.close()
        return {}

    def answer(self, line: bytes) -> Dict[str, Any]:
        """The reply to a request; an exception of the model becomes its text."""
        request = json.loads(line)
        reply: Dict[str, Any] = {"id": request.get("id"), "ok": True}
        handlers = {
            "hello": self.hello,
            "predict": self.predict,
            "update": self.update,
            "end": self.end,
        }
        try:
            if request["op"] not in handlers:
                raise ValueError(f"found the request '{request['op']}', expected {[*handlers]}")
            reply.update(handlers[request["op"]](request))
        except Exception as error:
            reply = {"id": request.get("id"), "ok": False, "message": _describe(error)}
        return reply

    def serve(self, requests: BinaryIO, replies: BinaryIO) -> None:
        """Answers until the other side closes the channel."""
        while True:
            line = requests.readline()
            if not line.endswith(b"\n"):
                return
            replies.write(json.dumps(self.answer(line)).encode() + b"\n")
            replies.flush()


def _describe(error: BaseException) -> str:
    """ "ValueError: text (mine.py:12)": the last line of the user's own file."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.dirname(frame.filename) != os.path.dirname(__file__)
    ]
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    text = str(error).strip().splitlines()
    return type(error).__name__ + (": " + text[0] if text else "") + place


class LocalServer:
    """Serves a model of this process: its state stays here to look at.

    sched-opt starts `python3 -m sched_opt.serve_cost_model --connect PATH`, which
    passes the lines on to the socket at PATH.
    """

    def __init__(self, model: Any, path: str):
        self._server = Server(lambda: model)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(1)
        self._connection: Optional[socket.socket] = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._connection, _ = self._listener.accept()
            with self._connection.makefile("rb") as requests:
                with self._connection.makefile("wb") as replies:
                    self._server.serve(requests, replies)
        except OSError:
            # Closed from either side.
            pass

    def close(self) -> None:
        for each in (self._connection, self._listener):
            if each is None:
                continue
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()
        # A model that hangs is left alone: the thread is a daemon.
        self._thread.join(timeout=1)
