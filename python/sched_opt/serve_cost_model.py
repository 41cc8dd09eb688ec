"""What sched-opt starts for cost-model=python:FILE.py:CLASS.

    python3 -m sched_opt.serve_cost_model FILE.py CLASS

What the model prints goes to stderr.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
import threading
from typing import Any

from .cost_model_server import Server


def load_model(path: str, name: str) -> Any:
    """An instance of the class (or what the function returns) `name` of a file."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"found no file at '{path}', expected the model's Python")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("sched_user_cost_model", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise AttributeError(f"found no class '{name}' in '{path}'")
    return getattr(module, name)()


def _pass_on(path: str) -> None:
    """Copies stdin to the socket at `path`, and what comes from it to stdout."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)

    def copy_replies() -> None:
        while True:
            data = connection.recv(1 << 16)
            if not data:
                os._exit(0)
            while data:
                data = data[os.write(1, data) :]

    threading.Thread(target=copy_replies, daemon=True).start()
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            return
        connection.sendall(data)


def main(arguments: "list[str]") -> int:
    if len(arguments) == 2 and arguments[0] == "--connect":
        _pass_on(arguments[1])
        return 0
    if len(arguments) != 2:
        print("usage: python3 -m sched_opt.serve_cost_model FILE.py CLASS", file=sys.stderr)
        return 2
    path, name = arguments
    # What the model prints must not get between the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Server(lambda: load_model(path, name)).serve(sys.stdin.buffer, replies)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
