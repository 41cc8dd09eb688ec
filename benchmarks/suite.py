"""The operator suite: reads operators/*.json; see operators/README.md.

A case is an entry of a file for one batch, with everything filled in: what
op-bench and payloads.py call a description.
"""

import glob
import json
import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "operators")

# What an entry may take from its family.
INHERITED = ("layout_free", "bound", "plain_c", "dtype", "least")
CONVOLUTIONAL = ("convolution", "max_pool", "average_pool", "pad")
# What moves elements, or is elementwise: not in other tuners' terms.
MOVEMENTS = ("chain", "transpose", "concat", "gather", "pad", "rms_norm")


def expand(entry, family, batch):
    """The description of an entry at a batch."""
    case = {key: family[key] for key in INHERITED if key in family}
    case.update(entry)
    case["family"] = family["family"]
    case.setdefault("dtype", "f32")
    case.setdefault("layout_free", False)
    op = case["op"]
    if op not in ("convolution", "batch_matmul", "linear"):
        case["layout_free"] = False
    if op in CONVOLUTIONAL:
        rank = len(case["spatial"])
        for key, default in (("kernel", 1), ("stride", 1), ("padding", 0), ("dilation", 1)):
            value = case.get(key, default)
            case[key] = value if isinstance(value, list) else [value] * rank
        case["batch"] = batch
    elif op in ("batch_matmul", "transpose"):
        case["batch"] = batch
    elif op == "linear":
        case["m"] *= batch
    elif op == "attention":
        case["heads"] *= batch
    elif op == "norm":
        case["rows"], case["columns"] = batch, math.prod(case["matrix"])
    else:
        case["rows"] *= batch
    case["of_batch"] = batch
    return case


def load(folder=FOLDER):
    """The families: the content of each file, in the order of their names."""
    families = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path) as file:
            families.append(json.load(file))
    return families


def cases(families, batches=None, weights=None, dtype=None):
    """All descriptions. weights: "free" or "plain" for all that have some.

    dtype: of those alone.
    """
    result = []
    for batch in batches or sorted({b for f in families for b in f["batches"]}):
        for family in families:
            if batch not in family["batches"]:
                continue
            for entry in family["entries"]:
                case = expand(entry, family, batch)
                if dtype not in (None, case["dtype"]):
                    continue
                if weights and case["op"] in ("convolution", "batch_matmul", "linear"):
                    case["layout_free"] = weights == "free"
                result.append(case)
    return result
