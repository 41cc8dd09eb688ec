"""Checks what sched-run --json printed: FILE scheduled|unscheduled TENSORS."""

import json
import sys

path, kind, tensors = sys.argv[1:]
with open(path) as file:
    run = json.load(file)

assert len(run["tensors"]) == int(tensors), run["tensors"]
assert [t["result"] for t in run["tensors"]].count(True) == 1, run["tensors"]
assert run["threads"] == 1 and run["error"] == "" and run["flops"] > 0, run
for costs in (run, run["unscheduled"]):
    assert len(costs["costs_s"]) >= 1, costs
    assert 0 < costs["min_s"] <= costs["median_s"] < 1, costs
    flops = costs["gflops"] * 1e9 * costs["median_s"]
    assert abs(flops - run["flops"]) <= 1e-6 * run["flops"], costs
assert run["compile_s"] > 0, run

if kind == "scheduled":
    assert run["packed"] == [] and run["pack_s"] == 0, run
    assert run["verified"] is True, run
    assert run["max_error"] <= run["tolerance"], run
    assert run["schedule"].endswith("best.mlir"), run
    ratio = run["unscheduled"]["median_s"] / run["median_s"]
    assert abs(run["speedup"] - ratio) <= 1e-6 * ratio, run
else:
    assert run["verified"] is None and run["schedule"] is None, run
    assert run["speedup"] is None, run
