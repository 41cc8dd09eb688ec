"""Runs benchmarks/operators.py with figures made up; argv: benchmarks, build, ...

An operator's name says how fast it is: C2D0 is at 1.2 of the best library, C2D1
at 0.9, C2D2 fails; NRM0 has 0.5 of the bandwidth of a copy, and 0.8 of
STREAM's; NRM1 has 0.95 of a copy in the same caches, NRM2 0.85 of it; the median
of C2D3 is three times its fastest round. No library has narrow types. STREAM's copy
has 4 GB/s. No tool is started.
"""

import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True

import harness
import operators


def measure(case, threads, options, earlier, stream):
    print("%s %s" % ("timing" if earlier else "measuring", case["name"]))
    result = {"case": case, "threads": threads, "failures": {"build: timeout": 2}}
    result.update(measured_trials=options.trials, errors=[], tuned_s=1.0)
    if case["name"] == "C2D2":
        return dict(result, errors=["tuned: it fell over"])
    row = {"name": "tuned", "kind": "ours", "median_s": 1.0, "min_s": 1.0, "costs_s": [1.0]}
    row.update(gflops=5.0, gbs=3.0, share_of_peak=0.5, share_of_copy=0.5, share_of_stream=0.8)
    row["ratio_to_best_library"] = 0.9 if case["name"] == "C2D1" else 1.2
    if case["name"] == "C2D3":
        row.update(median_s=3.0, ratio_to_best_library=0.5)
    other = {"name": "BLAS", "kind": "library", "median_s": 3.0, "min_s": 2.0, "costs_s": [2.0]}
    bench = {"contenders": [row, other], "best_library": "BLAS"}
    if case["name"] in ("NRM1", "NRM2"):
        row["share_of_copy"] = 0.95 if case["name"] == "NRM1" else 0.85
        bench.update(bytes=1000, cache_bytes=1000)
    if case["dtype"] != "f32":
        row["ratio_to_best_library"] = None
        bench = {"contenders": [row], "best_library": None}
    # One that is alone times STREAM's copy itself.
    return dict(result, bench=bench, stream_gbs=stream)


def measure_stream(threads, options):
    print("STREAM, threads %d" % threads)
    return 4.0


operators.measure = measure
operators.measure_stream = measure_stream
harness.BUILD = sys.argv[2]
sys.argv = ["operators"] + sys.argv[3:]
sys.exit(operators.main())
