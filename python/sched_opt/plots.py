"""Pictures of a search, as matplotlib figures.

    figure = sched_opt.plot_progress("tuned")
    figure.savefig("progress.png", dpi=150)

Each function returns a matplotlib.figure.Figure and shows nothing; with `path`
it also saves one.
"""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .errors import RecordError, SchedError
from .ranking import collect_programs, find_default, group
from .records import Record, read_records
from .tuning import TuningResult, format_seconds
from .watch import Batch, load_batches, rank_correlation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Path = Union[str, "os.PathLike[str]"]

# Okabe and Ito's colours, told apart by most of those who see fewer.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_GREY = "#888888"


def _make_figure(columns: int = 1, width: float = 7.0, height: float = 4.2) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "found no matplotlib, which plots need; install it (pip install 'sched-opt[plots]')"
        ) from error
    figure = Figure(figsize=(width * columns, height), constrained_layout=True)
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for each in axes:
        each.grid(True, which="major", color="#dddddd", linewidth=0.6)
        each.set_axisbelow(True)
        for side in ("top", "right"):
            each.spines[side].set_visible(False)
    return figure, axes


def _finish(figure: "Figure", path: Optional[Path]) -> "Figure":
    if path is not None:
        figure.savefig(os.fspath(path), dpi=150)
    return figure


def _choose_unit(seconds: Sequence[float]) -> Tuple[float, str]:
    """What to divide by, so that the least reads as 1 or more; its name."""
    least = min(seconds)
    for factor, unit in ((1e-9, "ns"), (1e-6, "us"), (1e-3, "ms")):
        if least < 1000 * factor:
            return factor, unit
    return 1.0, "s"


def _collect(source: Union[Path, TuningResult]) -> Dict[str, List[Record]]:
    """Records by the task's name, with its machine where one name has several."""
    if isinstance(source, TuningResult):
        return {task.name: task.records for task in source.tasks}
    groups = group(read_records(source))
    names = [records[0].workload_text for records in groups.values()]
    tasks: Dict[str, List[Record]] = {}
    for (workload, target, _), records in groups.items():
        name = records[0].workload_text
        if names.count(name) > 1:
            name = f"{name}, threads={target.rpartition('threads=')[2]} ({workload[:6]})"
        tasks[name] = tasks.get(name, []) + records
    return tasks


def _draw_progress(axes: Any, records: List[Record], x: List[float], unit: float) -> None:
    seconds = [record.seconds if record.is_valid else math.inf for record in records]
    good = [i for i, value in enumerate(seconds) if math.isfinite(value)]
    failed = [i for i, value in enumerate(seconds) if not math.isfinite(value)]
    best = np.minimum.accumulate(np.array(seconds))
    axes.scatter(
        [x[i] for i in good],
        [seconds[i] / unit for i in good],
        s=14,
        color=_COLOURS[0],
        alpha=0.45,
        linewidths=0,
        label="trial",
    )
    shown = np.isfinite(best)
    axes.step(
        np.array(x)[shown],
        best[shown] / unit,
        where="post",
        color=_COLOURS[1],
        linewidth=2,
        label="best so far",
    )
    if failed:
        # Above all others: they have no time.
        axes.scatter(
            [x[i] for i in failed],
            [1.0] * len(failed),
            transform=axes.get_xaxis_transform(),
            marker="x",
            s=28,
            color=_COLOURS[-1],
            clip_on=False,
            label="failed",
        )


def plot_progress(
    source: Union[Path, TuningResult], by: str = "trial", path: Optional[Path] = None
) -> "Figure":
    """The best so far of each task, and every trial; one panel a task.

    source: a work directory, a record file, or what tune returned. by: "trial",
    or "time", seconds since the task's first record. Times of single trials are
    noisier than the comparison that ends a search, so the line may end below
    what the search answers. Raises RecordError where there are no trials.
    """
    if by not in ("trial", "time"):
        raise SchedError(f"found by='{by}', expected trial or time")
    tasks = {}
    for name, records in _collect(source).items():
        trials = [r for r in records if r.trial >= 0 and not r.is_built_only]
        if any(record.is_valid for record in trials):
            tasks[name] = (records, trials)
    if not tasks:
        raise RecordError("found no valid trials to plot; tune first")
    columns = min(3, len(tasks))
    chosen = list(tasks.items())[:columns]
    figure, panels = _make_figure(columns)
    for axes, (name, (records, trials)) in zip(panels, chosen):
        trials = sorted(trials, key=lambda record: record.time if by == "time" else record.trial)
        begin = trials[0].time - trials[0].compile_s - trials[0].run_s
        x = [r.time - begin if by == "time" else float(r.trial + 1) for r in trials]
        unit, unit_name = _choose_unit([r.seconds for r in trials if r.is_valid])
        _draw_progress(axes, trials, x, unit)
        default = find_default(collect_programs(records))
        if default and math.isfinite(default.seconds):
            axes.axhline(
                default.seconds / unit,
                color=_GREY,
                linestyle="--",
                linewidth=1.2,
                label=f"default, {format_seconds(default.seconds)}",
            )
        axes.set_yscale("log")
        _label_log_axis(axes.yaxis)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("seconds since the first trial" if by == "time" else "trial")
        axes.set_ylabel(f"time of a call [{unit_name}]")
        axes.legend(frameon=False, fontsize=8)
    if len(tasks) > columns:
        figure.suptitle(f"{columns} of {len(tasks)} tasks", fontsize=10)
    return _finish(figure, path)


def _label_log_axis(axis: Any) -> None:
    """Plain numbers, also where the range is less than a decade."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    decades = math.log10(high / low) if low > 0 else 9
    steps = (1, 1.5, 2, 3, 5, 7) if decades < 1 else (1, 2, 5) if decades < 3 else (1,)
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_major_formatter(plain)
    axis.set_minor_formatter(NullFormatter())


def plot_predictions(
    source: Union[Path, TuningResult, Sequence[Batch]],
    path: Optional[Path] = None,
    skip: int = 0,
) -> "Figure":
    """Predicted against measured time, both relative to the median of the task.

    source: a work directory (its search-log.jsonl, load_batches), what tune
    returned, or batches, of a Watched model or made of any scores and seconds.
    skip: leave out so many batches of each task, before which a model has not
    learned. Candidates that failed are not drawn. The second panel has the rank
    correlation of each batch, in their order. Raises SchedError where there is
    nothing to draw.
    """
    if isinstance(source, TuningResult):
        source = source.work_dir
    batches = load_batches(source) if isinstance(source, (str, os.PathLike)) else source
    kept: Dict[str, List[Batch]] = {}
    for batch in batches:
        kept.setdefault(batch.task, []).append(batch)
    kept = {task: of_task[skip:] for task, of_task in kept.items() if of_task[skip:]}
    if not any(np.isfinite(batch.seconds).any() for each in kept.values() for batch in each):
        raise SchedError("found no measurements to plot, expected batches of one or more")
    figure, (left, right) = _make_figure(2, width=5.2)
    spans = []
    for number, (task, of_task) in enumerate(kept.items()):
        scores = np.concatenate([batch.scores for batch in of_task])
        seconds = np.concatenate([batch.seconds for batch in of_task])
        good = np.isfinite(seconds)
        if not good.any():
            continue
        predicted = 1 / scores[good]
        predicted, measured = predicted / np.median(predicted), seconds[good]
        measured = measured / np.median(measured)
        colour = _COLOURS[number % len(_COLOURS)]
        whole = rank_correlation(scores, seconds)
        label = f"{task[:24]}: {len(measured)} candidates, rank correlation {whole:.2f}"
        left.scatter(measured, predicted, s=14, alpha=0.5, color=colour, linewidths=0, label=label)
        spans += [measured.min(), measured.max()]
        right.plot(
            np.arange(1 + skip, 1 + skip + len(of_task)),
            [batch.rank_correlation for batch in of_task],
            marker="o",
            markersize=4,
            color=colour,
        )
    line = [min(spans), max(spans)]
    left.plot(line, line, color=_GREY, linestyle="--", linewidth=1.2)
    left.set(xscale="log", yscale="log")
    _label_log_axis(left.xaxis)
    _label_log_axis(left.yaxis)
    left.set_xlabel("measured time / median")
    left.set_ylabel("predicted time / median")
    left.legend(frameon=False, fontsize=8)
    right.set_ylim(-1.05, 1.05)
    right.axhline(0, color=_GREY, linewidth=0.8)
    right.set_xlabel("batch")
    right.set_ylabel("rank correlation, before learning from it")
    from matplotlib.ticker import MaxNLocator

    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    return _finish(figure, path)


def _load_report(report: Union[Path, Dict[str, Any]], key: str, expected: str) -> Dict[str, Any]:
    if not isinstance(report, dict):
        name = os.fspath(report)
        try:
            with open(name, encoding="utf-8") as file:
                report = json.load(file)
        except (OSError, ValueError) as error:
            raise SchedError(f"cannot read '{name}': {error}; expected {expected}") from error
    if not isinstance(report, dict) or not isinstance(report.get(key), dict) or not report[key]:
        raise SchedError(f'found no "{key}", expected {expected}')
    return report


def plot_ablations(report: Union[Path, Dict[str, Any]], path: Optional[Path] = None) -> "Figure":
    """What each part of the search is worth: speed after so many trials.

    report: build/bench/ablation-table.json, or what it holds: "variants", each
    with "shares": {trials: geometric mean over operators of the best speed known
    that was reached}, and "spreads": {trials: largest minus least of the seeds}.
    Raises SchedError where it is none.
    """
    expected = "the table of `./dev bench ablation`"
    table = _load_report(report, "variants", expected)
    variants: List[Tuple[str, List[int], List[float], List[float]]] = []
    for name, row in table["variants"].items():
        shares = {int(trials): float(share) for trials, share in row.get("shares", {}).items()}
        spreads = {int(trials): float(each) for trials, each in row.get("spreads", {}).items()}
        if shares:
            trials = sorted(shares)
            of_seeds = [spreads.get(n, 0.0) for n in trials]
            variants.append((name, trials, [shares[n] for n in trials], of_seeds))
    if not variants:
        raise SchedError(f'found no "shares", expected {expected}')
    figure, (axes,) = _make_figure()
    # Side by side, so that their bars of error do not cover each other.
    for number, (name, trials, heights, spans) in enumerate(variants):
        shift = 1 + 0.04 * (number - (len(variants) - 1) / 2)
        axes.errorbar(
            [n * shift for n in trials],
            heights,
            yerr=[each / 2 for each in spans],
            marker="o",
            markersize=5,
            capsize=3,
            linewidth=1.8,
            color=_COLOURS[number % len(_COLOURS)],
            label=name,
        )
    axes.set_xscale("log", base=2)
    ticks = sorted({n for _, trials, _, _ in variants for n in trials})
    axes.set_xticks(ticks)
    axes.set_xticklabels([str(n) for n in ticks])
    axes.minorticks_off()
    axes.set_xlabel("trials")
    axes.set_ylabel("speed / best known")
    count = len(table.get("operators", []))
    if count:
        axes.set_title(f"geometric means over {count} operators, bars: the seeds", fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    return _finish(figure, path)


def plot_operators(report: Union[Path, Dict[str, Any]], path: Optional[Path] = None) -> "Figure":
    """Speed of each tuned operator to that of the best library, sorted.

    report: build/bench/operators.json, or what it holds: "results", each with
    "case", "threads" and "bench". Operators that no library has are left out.
    Raises SchedError where there is none to draw.
    """
    table = _load_report(report, "results", "the report of `./dev bench operators`")
    bars = []
    for result in table["results"].values():
        contenders = {row["name"]: row for row in result.get("bench", {}).get("contenders", [])}
        ours = contenders.get("tuned") or contenders.get("guess")
        ratio = ours and ours.get("ratio_to_best_library")
        if ratio:
            case = result["case"]
            label = f"{case['name']} b{case.get('of_batch', 1)} {result['threads']}t"
            bars.append((ratio, label, result["bench"].get("best_library") or ""))
    if not bars:
        raise SchedError("found no operator beside a library in the report, expected one or more")
    bars.sort()
    figure, (axes,) = _make_figure(width=7.5, height=1.2 + 0.19 * len(bars))
    ratios = np.array([ratio for ratio, _, _ in bars])
    colours = [_COLOURS[0] if ratio >= 1 else _COLOURS[1] for ratio in ratios]
    axes.barh(np.arange(len(bars)), np.log2(ratios), color=colours, height=0.7)
    axes.axvline(0, color="#000000", linewidth=0.9)
    axes.set_yticks(np.arange(len(bars)))
    axes.set_yticklabels([f"{label}  ({library})" for _, label, library in bars], fontsize=7)
    low, high = math.floor(np.log2(ratios.min())), math.ceil(np.log2(ratios.max()))
    powers = np.arange(min(low, -1), max(high, 1) + 1)
    axes.set_xticks(powers)
    axes.set_xticklabels([f"{2.0**power:g}" for power in powers])
    axes.set_ylim(-0.6, len(bars) - 0.4)
    mean = float(np.exp(np.log(ratios).mean()))
    axes.set_xlabel("speed / that of the best library")
    axes.set_title(f"{len(bars)} operators, geometric mean {mean:.2f} x", fontsize=10)
    return _finish(figure, path)
