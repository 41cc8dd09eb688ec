"""sched_opt: sched-opt from Python.

    import sched_opt

    result = sched_opt.tune("f.mlir", work_dir="tuned", trials=64, threads=2)
    f = result.compile()                       # a function on NumPy arrays
    frame = sched_opt.load_records("tuned")        # what was measured, as a table

Only what tables and plots need asks for pandas and matplotlib. docs/Python.md
is the guide.
"""

from .cost_model import CostModel
from .elements import from_bfloat16, to_bfloat16
from .errors import (
    DtypeError,
    RecordError,
    RecordWarning,
    SchedError,
    ShapeError,
    ToolFailed,
    ToolNotFound,
)
from .evaluate import Evaluation, evaluate
from .features import Features, load_features
from .history import apply_best, print_best
from .kernel import Built, Kernel, Library, Packed, Timing, build, compile, empty_aligned, load
from .plots import plot_ablations, plot_operators, plot_predictions, plot_progress
from .records import Record, load_records, make_decisions, make_frame, read_records
from .task import Task, extract_tasks
from .tools import find_tool
from .trace import parse_trace
from .tuning import Progress, TaskResult, TuningResult, find_best, tune
from .watch import Batch, Watched, load_batches, rank_correlation

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Built",
    "CostModel",
    "DtypeError",
    "Evaluation",
    "Features",
    "Kernel",
    "Library",
    "Packed",
    "Progress",
    "Record",
    "RecordError",
    "RecordWarning",
    "SchedError",
    "ShapeError",
    "Task",
    "TaskResult",
    "Timing",
    "ToolFailed",
    "ToolNotFound",
    "TuningResult",
    "Watched",
    "apply_best",
    "build",
    "compile",
    "empty_aligned",
    "evaluate",
    "extract_tasks",
    "find_best",
    "find_tool",
    "from_bfloat16",
    "load",
    "load_batches",
    "load_features",
    "load_records",
    "make_decisions",
    "make_frame",
    "parse_trace",
    "plot_ablations",
    "plot_operators",
    "plot_predictions",
    "plot_progress",
    "print_best",
    "rank_correlation",
    "read_records",
    "to_bfloat16",
    "tune",
]
