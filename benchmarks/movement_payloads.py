"""Writes the payloads of what is bound by memory: see payloads.py.

Chains of elementwise ops, RMS norms, and what only moves elements.
"""

from function_text import Function, gelu_lines, tensor


def chain(entry):
    """gelu(x * scale + shift) + w, as four ops."""
    rows, columns = entry["rows"], entry["columns"]
    shape, both, column = [rows, columns], ["m", "n"], ["n"]
    scale, shift = ("scale", [columns]), ("shift", [columns])
    f = Function(("x", shape), scale, shift, ("w", shape))

    def step(inputs, body):
        return f.generic(both, [], inputs, (f.empty(shape), both), body)

    scaled = step([(("x", shape), both), (scale, column)], ["%r = arith.mulf %a, %b : f32"])
    moved = step([(scaled, both), (shift, column)], ["%r = arith.addf %a, %b : f32"])
    curved = step([(moved, both)], gelu_lines(f, "a", "r"))
    return f.text(
        step([(curved, both), (("w", shape), both)], ["%r = arith.addf %a, %b : f32"])
    )


def transpose(entry):
    images = [entry["batch"]] if entry["batch"] > 1 else []
    order = list(range(len(images))) + [d + len(images) for d in entry["order"]]
    x = images + entry["extents"]
    y = [x[d] for d in order]
    f = Function(("x", x))
    output = f.empty(y)
    return f.text(
        f.add(
            "linalg.transpose ins(%%x : %s) outs(%%%s : %s) permutation = %s"
            % (tensor(x), output[0], tensor(y), order),
            y,
        )
    )


def concat(entry):
    parts = [("x%d" % i, [entry["rows"], n]) for i, n in enumerate(entry["parts"])]
    y = [entry["rows"], sum(entry["parts"])]
    f = Function(*parts)
    names = ", ".join("%" + name for name, _ in parts)
    kinds = ", ".join(tensor(shape) for _, shape in parts)
    return f.text(
        f.add("tensor.concat dim(1) %s : (%s) -> %s" % (names, kinds, tensor(y)), y)
    )


def gather(entry):
    """Rows of a table, as TOSA's gather is lowered."""
    rows, columns = entry["rows"], entry["columns"]
    table, places = ("x", [entry["table"], columns]), ("places", [rows])
    f = Function(table, places, elements={"places": "i32"})
    both = ["m", "n"]
    body = [
        "%row = arith.index_cast %a : i32 to index",
        "%column = linalg.index 1 : index",
        "%%r = tensor.extract %%x[%%row, %%column] : %s" % tensor(table[1]),
    ]
    return f.text(
        f.generic(both, [], [(places, ["m"])], (f.empty([rows, columns]), both), body)
    )


def pad(entry):
    x = [entry["batch"]] + entry["spatial"] + [entry["channels"]]
    sides = [0] + entry["padding"] + [0]
    f = Function(("x", x))
    return f.text(f.pad(("x", x), sides, sides))


def rms_norm(entry):
    """x / sqrt(mean of x^2 + 1e-5) * scale, of each row."""
    rows, columns = entry["rows"], entry["columns"]
    shape, both, row = [rows, columns], ["m", "n"], ["m"]
    x, scale = ("x", shape), ("scale", [columns])
    f = Function(x, scale)
    share, small = f.scalar(repr(1.0 / columns)), f.scalar("1.0e-05")
    squares = f.generic(
        both,
        ["n"],
        [(x, both)],
        (f.fill("0.0", [rows]), row),
        ["%m = arith.mulf %a, %a : f32", "%r = arith.addf %out, %m : f32"],
    )
    roots = f.generic(
        row,
        [],
        [(squares, row)],
        (f.empty([rows]), row),
        [
            "%%p = arith.mulf %%a, %%%s : f32" % share,
            "%%s = arith.addf %%p, %%%s : f32" % small,
            "%r = math.rsqrt %s : f32",
        ],
    )
    return f.text(
        f.generic(
            both,
            [],
            [(x, both), (roots, row), (scale, ["n"])],
            (f.empty(shape), both),
            ["%u = arith.mulf %a, %b : f32", "%r = arith.mulf %u, %c : f32"],
        )
    )


WRITERS = {
    writer.__name__: writer for writer in (chain, transpose, concat, gather, pad, rms_norm)
}
