"""How tune tells sched-opt of a cost model."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Optional, Union

from .cost_model import CostModel
from .cost_model_server import LocalServer
from .errors import SchedError

# A name or form of the option cost-model, or a model in this process.
CostModelLike = Union[str, CostModel, Any]

_PACKAGES = str(Path(__file__).resolve().parent.parent)


@dataclass
class Link:
    """option: what cost-model is set to, None for its default; environment:
    what sched-opt needs for it."""

    option: Optional[str] = None
    environment: Dict[str, str] = field(default_factory=dict)


def _make_environment() -> Dict[str, str]:
    """So that sched-opt starts this Python, with this package."""
    paths = [_PACKAGES, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"SCHED_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(paths)}


def link_cost_model(model: Optional[CostModelLike], stack: ExitStack) -> Link:
    """Serves a model of this process until `stack` is closed; names pass."""
    if model is None:
        return Link()
    if isinstance(model, str):
        return Link(model, _make_environment())
    if isinstance(model, type):
        model = model()
    if not callable(getattr(model, "predict", None)):
        raise SchedError(
            f"found a {type(model).__name__} for cost_model, expected a name, or an object with"
            " predict(features); see sched_opt.CostModel"
        )
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sched-"))
    path = os.path.join(folder, "model")
    server = LocalServer(model, path)
    stack.callback(server.close)
    return Link(f"python:--connect:{path}", _make_environment())
