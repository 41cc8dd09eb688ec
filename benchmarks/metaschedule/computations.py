"""An operator of the suite in TVM's tensor expressions.

    write(description) -> [operand..., result]

As payloads.py writes them in linalg: the same operands with their elements in
the same order. Where that splits a dimension (groups, phases of a transposed
convolution), operands and results have the split shape here, so that no index
has a division. Of pools, softmax and norms, TVM's own formulas (topi).
"""

import math

from tvm import te, tirx, topi


def placeholder(name, shape):
    return te.placeholder(tuple(shape), name=name, dtype="float32")


def axes(extents, prefix):
    return [te.reduce_axis((0, n), name="%s%d" % (prefix, i)) for i, n in enumerate(extents)]


def number(value):
    return tirx.const(value, "float32")


def out_extents(case):
    return [
        (s + 2 * p - ((k - 1) * d + 1)) // t + 1
        for s, p, k, d, t in zip(
            case["spatial"], case["padding"], case["kernel"], case["dilation"], case["stride"]
        )
    ]


def pad(image, case, front, behind):
    """Zeros around the spatial dimensions, which `front` others are before."""
    if not any(case["padding"]):
        return image
    return topi.nn.pad(image, [0] * front + case["padding"] + [0] * behind)


def window(positions, taps, case):
    return [
        p * s + t * d for p, t, s, d in zip(positions, taps, case["stride"], case["dilation"])
    ]


def finish(case, value, channels):
    """Bias and activation, as one computation; the operands of the bias.

    channels: the dimensions of the result that together are the channel.
    """
    activation = case.get("activation", "none")
    operands = []
    if case.get("bias"):
        operands.append(placeholder("bias", [value.shape[c] for c in channels]))
    if not operands and activation == "none":
        return value, operands

    def element(*i):
        x = value(*i)
        if operands:
            x = x + operands[0](*[i[c] for c in channels])
        if activation in ("relu", "relu6"):
            x = te.max(x, number(0.0))
        if activation == "relu6":
            x = te.min(x, number(6.0))
        if activation == "gelu":
            x = x * number(0.5) * (te.erf(x * number(math.sqrt(0.5))) + number(1.0))
        return x

    return te.compute(value.shape, element, name="finish"), operands


def convolution(case):
    if case.get("transposed"):
        return transposed_convolution(case)
    if case.get("capsule", 1) > 1:
        return capsule(case)
    if case.get("groups", 1) > 1:
        return grouped(case)
    if case.get("layout") == "nchw":
        return channels_first(case)
    n, ci, co, rank = case["batch"], case["in"], case["out"], len(case["spatial"])
    x = placeholder("x", [n] + case["spatial"] + [ci])
    w = placeholder("w", case["kernel"] + [ci, co])
    image = pad(x, case, 1, 1)
    taps, [c] = axes(case["kernel"], "r"), axes([ci], "c")
    product = te.compute(
        [n] + out_extents(case) + [co],
        lambda b, *i: te.sum(
            image(b, *window(i[:rank], taps, case), c) * w(*taps, c, i[rank]), axis=taps + [c]
        ),
        name="convolution",
    )
    y, bias = finish(case, product, [rank + 1])
    return [x, w] + bias + [y]


def channels_first(case):
    n, ci, co = case["batch"], case["in"], case["out"]
    x = placeholder("x", [n, ci] + case["spatial"])
    w = placeholder("w", [co, ci] + case["kernel"])
    image = pad(x, case, 2, 0)
    taps, [c] = axes(case["kernel"], "r"), axes([ci], "c")
    product = te.compute(
        [n, co] + out_extents(case),
        lambda b, f, *i: te.sum(
            image(b, c, *window(i, taps, case)) * w(f, c, *taps), axis=[c] + taps
        ),
        name="convolution",
    )
    y, bias = finish(case, product, [1])
    return [x, w] + bias + [y]


def grouped(case):
    n, groups, ci, co = case["batch"], case["groups"], case["in"], case["out"]
    rank, out, taps = len(case["spatial"]), out_extents(case), axes(case["kernel"], "r")
    if groups == ci == co:
        x = placeholder("x", [n] + case["spatial"] + [ci])
        w = placeholder("w", case["kernel"] + [ci])
        image = pad(x, case, 1, 1)
        product = te.compute(
            [n] + out + [ci],
            lambda b, *i: te.sum(
                image(b, *window(i[:rank], taps, case), i[rank]) * w(*taps, i[rank]), axis=taps
            ),
            name="depthwise",
        )
        y, bias = finish(case, product, [rank + 1])
        return [x, w] + bias + [y]
    x = placeholder("x", [n] + case["spatial"] + [groups, ci // groups])
    w = placeholder("w", [groups] + case["kernel"] + [ci // groups, co // groups])
    image = pad(x, case, 1, 2)
    [c] = axes([ci // groups], "c")
    product = te.compute(
        [n] + out + [groups, co // groups],
        lambda b, *i: te.sum(
            image(b, *window(i[:rank], taps, case), i[rank], c)
            * w(i[rank], *taps, c, i[rank + 1]),
            axis=taps + [c],
        ),
        name="convolution",
    )
    y, bias = finish(case, product, [rank + 1, rank + 2])
    return [x, w] + bias + [y]


def transposed_convolution(case):
    """By phases, or of an image with zeros between its pixels (payloads.py)."""
    n, ci, co = case["batch"], case["in"], case["out"]
    x = placeholder("x", [n] + case["spatial"] + [ci])
    if case.get("form") == "phases":
        h, v = case["spatial"]
        w = placeholder("w", [2, 2, 2, 2, ci, co])
        image = topi.nn.pad(x, [0, 1, 1, 0])
        [p, q], [c] = axes([2, 2], "r"), axes([ci], "c")
        product = te.compute(
            [n, h, 2, v, 2, co],
            lambda b, i, r, j, s, f: te.sum(
                image(b, i + r + p, j + s + q, c) * w(r, s, p, q, c, f), axis=[p, q, c]
            ),
            name="transposed",
        )
        y, bias = finish(case, product, [5])
        return [x, w] + bias + [y]
    rank = len(case["spatial"])
    w = placeholder("w", case["kernel"] + [ci, co])
    sides = [k - 1 - p for k, p in zip(case["kernel"], case["padding"])]
    image = topi.nn.pad(topi.nn.dilate(x, [1] + case["stride"] + [1]), [0] + sides + [0])
    out = [
        (s - 1) * t + 1 + 2 * side - k + 1
        for s, t, side, k in zip(case["spatial"], case["stride"], sides, case["kernel"])
    ]
    taps, [c] = axes(case["kernel"], "r"), axes([ci], "c")
    product = te.compute(
        [n] + out + [co],
        lambda b, *i: te.sum(
            image(b, *[a + t for a, t in zip(i[:rank], taps)], c) * w(*taps, c, i[rank]),
            axis=taps + [c],
        ),
        name="transposed",
    )
    y, bias = finish(case, product, [rank + 1])
    return [x, w] + bias + [y]


def capsule(case):
    n, ci, co, e = case["batch"], case["in"], case["out"], case["capsule"]
    x = placeholder("x", [n] + case["spatial"] + [e, e, ci])
    w = placeholder("w", case["kernel"] + [e, e, ci, co])
    image = pad(x, case, 1, 3)
    taps, [k, c] = axes(case["kernel"], "r"), axes([e, ci], "c")
    y = te.compute(
        [n] + out_extents(case) + [e, e, co],
        lambda b, h, v, i, j, f: te.sum(
            image(b, *window((h, v), taps, case), i, k, c) * w(*taps, k, j, c, f),
            axis=taps + [k, c],
        ),
        name="capsule",
    )
    return [x, w, y]


def batch_matmul(case):
    z, m, n, k = case["batch"], case["m"], case["n"], case["k"]
    transposed = case.get("transposed")
    x = placeholder("x", [z, m, k])
    w = placeholder("w", [z, n, k] if transposed else [z, k, n])
    [c] = axes([k], "k")
    y = te.compute(
        [z, m, n],
        lambda b, i, j: te.sum(x(b, i, c) * (w(b, j, c) if transposed else w(b, c, j)), axis=c),
        name="product",
    )
    return [x, w, y]


def linear(case):
    m, n, k = case["m"], case["n"], case["k"]
    transposed = case.get("transposed")
    x, w = placeholder("x", [m, k]), placeholder("w", [n, k] if transposed else [k, n])
    [c] = axes([k], "k")
    product = te.compute(
        [m, n],
        lambda i, j: te.sum(x(i, c) * (w(j, c) if transposed else w(c, j)), axis=c),
        name="product",
    )
    y, bias = finish(case, product, [1])
    return [x, w] + bias + [y]


def norm(case):
    inner = case.get("matrix", [case["columns"]])
    x = placeholder("x", [case["rows"]] + inner)
    reduced = axes(inner, "k")
    squares = te.compute(
        [case["rows"]], lambda b: te.sum(x(b, *reduced) * x(b, *reduced), axis=reduced), name="sum"
    )
    return [x, te.compute([case["rows"]], lambda b: te.sqrt(squares(b)), name="norm")]


def softmax(case):
    x = placeholder("x", [case["rows"], case["columns"]])
    return [x, topi.nn.softmax(x, axis=1)]


def layer_norm(case):
    x = placeholder("x", [case["rows"], case["columns"]])
    scale, shift = (placeholder(name, [case["columns"]]) for name in ("scale", "shift"))
    return [x, scale, shift, topi.nn.layer_norm(x, scale, shift, [1], 1e-5)]


def attention(case):
    h, m, n, d = case["heads"], case["queries"], case["keys"], case["size"]
    q, k, v = (placeholder(name, [h, size, d]) for name, size in (("q", m), ("k", n), ("v", n)))
    [c], [r] = axes([d], "k"), axes([n], "r")
    product = te.compute(
        [h, m, n], lambda b, i, j: te.sum(q(b, i, c) * k(b, j, c), axis=c), name="scores"
    )
    scale = number(1 / math.sqrt(d))
    scaled = te.compute([h, m, n], lambda *i: product(*i) * scale, name="scaled")
    weights = topi.nn.softmax(scaled, axis=2)
    y = te.compute(
        [h, m, d], lambda b, i, j: te.sum(weights(b, i, r) * v(b, r, j), axis=r), name="result"
    )
    return [q, k, v, y]


def max_pool(case):
    x = placeholder("x", [case["batch"]] + case["spatial"] + [case["channels"]])
    y = topi.nn.pool2d(
        x,
        case["kernel"],
        case["stride"],
        case["dilation"],
        case["padding"] * 2,
        "max",
        layout="NHWC",
    )
    return [x, y]


def average_pool(case):
    x = placeholder("x", [case["batch"]] + case["spatial"] + [case["channels"]])
    pixels = axes(case["spatial"], "k")
    total = te.compute(
        [case["batch"], case["channels"]],
        lambda b, c: te.sum(x(b, *pixels, c), axis=pixels),
        name="sum",
    )
    share = number(1.0 / math.prod(case["spatial"]))
    return [x, te.compute(total.shape, lambda *i: total(*i) * share, name="mean")]


def add_relu(case):
    a, b = (placeholder(name, [case["rows"], case["columns"]]) for name in ("x", "w"))
    return [
        a,
        b,
        te.compute(a.shape, lambda *i: te.max(a(*i) + b(*i), number(0.0)), name="add_relu"),
    ]


WRITERS = {
    writer.__name__: writer
    for writer in (
        convolution,
        batch_matmul,
        linear,
        norm,
        softmax,
        layer_norm,
        attention,
        max_pool,
        average_pool,
        add_relu,
    )
}


def write(case):
    """Placeholders in the order of op-bench, then the result."""
    return WRITERS[case["op"]](case)
