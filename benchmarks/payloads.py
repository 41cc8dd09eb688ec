"""Writes the linalg payload of an operator's description.

    payload(description) -> text of a module with func.func @f

A description is an entry of operators/*.json as suite.py expands it; what it
says is documented in operators/README.md. The operands come in the order that
op-bench expects (benchmarks/op-bench/Operator.h): input, weights, bias. Named
ops of linalg where there are some, generics else. The weights carry
schedule.layout_free where the description says so. What is bound by memory
alone: movement_payloads.py.
"""

import math

import movement_payloads
from function_text import Function, affine, gelu_lines, tensor


# Of each dtype: elements of the two operands and of their sums, and what widens
# the operands.
TYPES = {
    "f32": ("f32", "f32", "f32", None, None),
    "bf16": ("bf16", "bf16", "f32", "extf", "extf"),
    "i8": ("i8", "i8", "i32", "extsi", "extsi"),
    "u8i8": ("i8", "i8", "i32", "extui", "extsi"),
}


def types_of(entry):
    return TYPES[entry.get("dtype", "f32")]


def weights_of(entry, shape):
    if entry.get("layout_free"):
        return ("w", shape, "{schedule.layout_free}")
    return ("w", shape)


def finish(f, entry, value, channel):
    """Adds bias (along dimension `channel`) and activation, in one op."""
    activation = entry.get("activation", "none")
    if not entry.get("bias") and activation == "none":
        return value
    dims = ["d%d" % i for i in range(len(value[1]))]
    inputs, body, last = [(value, dims)], [], "a"
    if entry.get("bias"):
        inputs.append((("bias", [value[1][channel]]), [dims[channel]]))
        body.append("%sum = arith.addf %a, %b : f32")
        last = "sum"
    if activation in ("relu", "relu6"):
        zero = f.scalar("0.0")
        body.append("%%low = arith.maximumf %%%s, %%%s : f32" % (last, zero))
        last = "low"
    if activation == "relu6":
        six = f.scalar("6.0")
        body.append("%%high = arith.minimumf %%low, %%%s : f32" % six)
        last = "high"
    if activation == "gelu":
        body += gelu_lines(f, last, "g4")
        last = "g4"
    body[-1] = "%r =" + body[-1].split("=", 1)[1]
    output = f.empty(value[1])
    return f.generic(dims, [], inputs, (output, dims), body)


def begin(entry, x, w, channels):
    """The function of a product: operands of those shapes, and maybe a bias."""
    operands = [("x", x), weights_of(entry, w)]
    if entry.get("bias"):
        operands.append(("bias", [channels]))
    lhs, rhs, _, _, _ = types_of(entry)
    return Function(*operands, elements={"x": lhs, "w": rhs})


def multiply_add(entry):
    """The body of a product, for operands that linalg's named ops do not widen so."""
    _, _, sums, widen_lhs, widen_rhs = types_of(entry)
    suffix = "i" if sums == "i32" else "f"
    lines, names = [], []
    for name, element, widen in zip("ab", types_of(entry), (widen_lhs, widen_rhs)):
        names.append("wide_" + name if widen else name)
        if widen:
            lines.append("%%wide_%s = arith.%s %%%s : %s to %s" % (name, widen, name, element, sums))
    lines.append("%%m = arith.mul%s %%%s, %%%s : %s" % (suffix, names[0], names[1], sums))
    lines.append("%%r = arith.add%s %%out, %%m : %s" % (suffix, sums))
    return lines


def widens_apart(entry):
    """Whether the two operands are widened in different ways, which no named op does."""
    _, _, _, lhs, rhs = types_of(entry)
    return lhs != rhs


def out_extents(entry):
    return [
        (s + 2 * p - ((k - 1) * d + 1)) // t + 1
        for s, p, k, d, t in zip(
            entry["spatial"],
            entry["padding"],
            entry["kernel"],
            entry["dilation"],
            entry["stride"],
        )
    ]


def steps(entry):
    """The attributes of a named convolution."""
    rank = len(entry["spatial"])
    return "{dilations = dense<%s> : tensor<%dxi64>, strides = dense<%s> : tensor<%dxi64>}" % (
        entry["dilation"],
        rank,
        entry["stride"],
        rank,
    )


def convolution(entry):
    if entry.get("transposed"):
        return transposed_convolution(entry)
    if entry.get("capsule", 1) > 1:
        return capsule(entry)
    if entry.get("groups", 1) > 1:
        return grouped(entry)
    if entry.get("layout") == "nchw":
        return channels_first(entry)
    n, ci, co = entry["batch"], entry["in"], entry["out"]
    out = out_extents(entry)
    x, w, y = [n] + entry["spatial"] + [ci], entry["kernel"] + [ci, co], [n] + out + [co]
    f = begin(entry, x, w, co)
    sides = [0] + entry["padding"] + [0]
    image = f.pad(("x", x), sides, sides)
    sums = f.fill("0.0", y, types_of(entry)[2])
    if widens_apart(entry):
        positions, taps = ["h", "v", "u"][: len(out)], ["p", "q", "o"][: len(out)]
        product = f.generic(
            ["n"] + positions + ["f"] + taps + ["c"],
            taps + ["c"],
            [(image, ["n"] + window(positions, taps, entry) + ["c"]), (("w", w), taps + ["c", "f"])],
            (sums, ["n"] + positions + ["f"]),
            multiply_add(entry),
        )
    else:
        name = {1: "conv_1d_nwc_wcf", 2: "conv_2d_nhwc_hwcf", 3: "conv_3d_ndhwc_dhwcf"}
        product = f.named(name[len(out)], [image, ("w", w)], sums, steps(entry))
    return f.text(finish(f, entry, product, len(y) - 1))


def channels_first(entry):
    n, ci, co = entry["batch"], entry["in"], entry["out"]
    x, w = [n, ci] + entry["spatial"], [co, ci] + entry["kernel"]
    y = [n, co] + out_extents(entry)
    f = begin(entry, x, w, co)
    sides = [0, 0] + entry["padding"]
    image = f.pad(("x", x), sides, sides)
    product = f.named("conv_2d_nchw_fchw", [image, ("w", w)], f.fill("0.0", y), steps(entry))
    return f.text(finish(f, entry, product, 1))


def window(positions, taps, entry):
    """Index expressions of an image: position * stride + tap * dilation."""
    return [
        "%s * %d + %s * %d" % (p, s, t, d)
        for p, t, s, d in zip(positions, taps, entry["stride"], entry["dilation"])
    ]


def grouped(entry):
    n, groups, ci, co = entry["batch"], entry["groups"], entry["in"], entry["out"]
    rank, out = len(entry["spatial"]), out_extents(entry)
    x = [n] + entry["spatial"] + [ci]
    sides = [0] + entry["padding"] + [0]
    if groups == ci == co and rank == 2:
        w, y = entry["kernel"] + [ci], [n] + out + [ci]
        f = begin(entry, x, w, co)
        image = f.pad(("x", x), sides, sides)
        product = f.named(
            "depthwise_conv_2d_nhwc_hwc", [image, ("w", w)], f.fill("0.0", y), steps(entry)
        )
        return f.text(finish(f, entry, product, 3))
    w = [groups] + entry["kernel"] + [ci // groups, co // groups]
    f = begin(entry, x, w, co)
    image = f.pad(("x", x), sides, sides)
    split = [[i] for i in range(rank + 1)] + [[rank + 1, rank + 2]]
    image = f.reshape(image, split, image[1][:-1] + [groups, ci // groups])
    y = [n] + out + [groups, co // groups]
    positions, taps = ["h", "v", "u"][:rank], ["p", "q", "o"][:rank]
    product = f.generic(
        ["n"] + positions + ["g", "f"] + taps + ["c"],
        taps + ["c"],
        [
            (image, ["n"] + window(positions, taps, entry) + ["g", "c"]),
            (("w", w), ["g"] + taps + ["c", "f"]),
        ],
        (f.fill("0.0", y), ["n"] + positions + ["g", "f"]),
        multiply_add(entry),
    )
    product = f.reshape(product, split, [n] + out + [co])
    return f.text(finish(f, entry, product, rank + 1))


def transposed_convolution(entry):
    """Weights mirrored in space, as a convolution of the same pixels has them.

    "zeros": a convolution of the image with zeros put between its pixels.
    "phases": for stride 2, kernel 4 and padding 1, one convolution with 2 x 2
    taps for each of the four remainders of a result pixel by the stride, in one
    op: no product with a zero. Result pixel 2 h + r has the mirrored taps
    r + 2 p on image pixels h + r + p - 1, p = 0, 1. The weights are in that
    order, too: linalg has no op that reads them at r + 2 p.
    """
    n, ci, co = entry["batch"], entry["in"], entry["out"]
    phases = entry.get("form") == "phases"
    x = [n] + entry["spatial"] + [ci]
    w = ([2, 2, 2, 2] if phases else entry["kernel"]) + [ci, co]
    f = begin(entry, x, w, co)
    if phases:
        h, v = entry["spatial"]
        image = f.pad(("x", x), [0, 1, 1, 0], [0, 1, 1, 0])
        product = f.generic(
            ["n", "h", "r", "v", "s", "f", "p", "q", "c"],
            ["p", "q", "c"],
            [
                (image, ["n", "h + r + p", "v + s + q", "c"]),
                (("w", w), ["r", "s", "p", "q", "c", "f"]),
            ],
            (f.fill("0.0", [n, h, 2, v, 2, co]), ["n", "h", "r", "v", "s", "f"]),
            multiply_add(entry),
        )
        product = f.reshape(product, [[0], [1, 2], [3, 4], [5]], [n, h * 2, v * 2, co])
        return f.text(finish(f, entry, product, 3))
    low, big, out = [0], [n], [n]
    for extent, stride, kernel, padding in zip(
        entry["spatial"], entry["stride"], entry["kernel"], entry["padding"]
    ):
        side = kernel - 1 - padding
        low.append(side)
        big.append((extent - 1) * stride + 1 + 2 * side)
        out.append(big[-1] - kernel + 1)
    zeros = f.fill("0.0", big + [ci])
    spread = f.add(
        "tensor.insert_slice %%x into %%%s%s %s %s : %s into %s"
        % (zeros[0], low + [0], x, [1] + entry["stride"] + [1], tensor(x), tensor(zeros[1])),
        zeros[1],
    )
    ones = dict(entry, stride=[1] * len(entry["spatial"]))
    product = f.named(
        "conv_2d_nhwc_hwcf", [spread, ("w", w)], f.fill("0.0", out + [co]), steps(ones)
    )
    return f.text(finish(f, entry, product, 3))


def capsule(entry):
    """y[.., i, j, f] = sum x[.., i, q, c] w[.., q, j, c, f]."""
    n, ci, co, e = entry["batch"], entry["in"], entry["out"], entry["capsule"]
    x = [n] + entry["spatial"] + [e, e, ci]
    w = entry["kernel"] + [e, e, ci, co]
    y = [n] + out_extents(entry) + [e, e, co]
    f = begin(entry, x, w, co)
    sides = [0] + entry["padding"] + [0, 0, 0]
    image = f.pad(("x", x), sides, sides)
    product = f.generic(
        ["n", "h", "v", "i", "j", "f", "p", "q", "k", "c"],
        ["p", "q", "k", "c"],
        [
            (image, ["n"] + window("hv", "pq", entry) + ["i", "k", "c"]),
            (("w", w), ["p", "q", "k", "j", "c", "f"]),
        ],
        (f.fill("0.0", y), ["n", "h", "v", "i", "j", "f"]),
        multiply_add(entry),
    )
    return f.text(product)


def product_maps(dims, transposed):
    """The maps that make a named product take B as [n][k]."""
    batch = dims[:-3]
    b = ["n", "k"] if transposed else ["k", "n"]
    maps = [affine(dims, batch + s) for s in (["m", "k"], b, ["m", "n"])]
    return "indexing_maps = [%s]" % ", ".join(maps) if transposed else ""


def multiply(f, entry, name, batch, a, b, c):
    """The product of operands of shapes a and b, by the op of that name if it can."""
    transposed = entry.get("transposed", False)
    dims = batch + ["m", "n", "k"]
    operands, sums = [("x", a), ("w", b)], f.fill("0.0", c, types_of(entry)[2])
    if not widens_apart(entry):
        return f.named(name, operands, sums, product_maps(dims, transposed))
    indices = [batch + ["m", "k"], batch + (["n", "k"] if transposed else ["k", "n"])]
    return f.generic(
        dims, ["k"], list(zip(operands, indices)), (sums, batch + ["m", "n"]), multiply_add(entry)
    )


def batch_matmul(entry):
    z, m, n, k = entry["batch"], entry["m"], entry["n"], entry["k"]
    transposed = entry.get("transposed", False)
    a, b = [z, m, k], [z, n, k] if transposed else [z, k, n]
    f = begin(entry, a, b, n)
    return f.text(multiply(f, entry, "batch_matmul", ["z"], a, b, [z, m, n]))


def linear(entry):
    m, n, k = entry["m"], entry["n"], entry["k"]
    transposed = entry.get("transposed", False)
    a, b = [m, k], [n, k] if transposed else [k, n]
    f = begin(entry, a, b, n)
    product = multiply(f, entry, "matmul", [], a, b, [m, n])
    return f.text(finish(f, entry, product, 1))


def norm(entry):
    """Of a matrix for each row: "matrix" splits the columns in two."""
    rows, columns = entry["rows"], entry["columns"]
    inner = entry.get("matrix", [columns])
    dims = ["i", "j"][: len(inner)]
    x = [rows] + inner
    f = Function(("x", x))
    squares = f.generic(
        ["n"] + dims,
        dims,
        [(("x", x), ["n"] + dims)],
        (f.fill("0.0", [rows]), ["n"]),
        ["%m = arith.mulf %a, %a : f32", "%r = arith.addf %out, %m : f32"],
    )
    return f.text(f.named("sqrt", [squares], f.empty([rows])))


def softmax(entry):
    shape = [entry["rows"], entry["columns"]]
    f = Function(("x", shape))
    return f.text(f.named("softmax", [("x", shape)], f.empty(shape), "dimension(1)"))


def layer_norm(entry):
    rows, columns = entry["rows"], entry["columns"]
    shape, x = [rows, columns], ("x", [rows, columns])
    f = Function(x, ("scale", [columns]), ("shift", [columns]))
    both, row, column = ["m", "n"], ["m"], ["n"]
    share = f.scalar(repr(1.0 / columns))
    small = f.scalar("1.0e-05")

    def mean(value, body, finish=()):
        """Of each row; then what follows on that number, %p, to %r."""
        total = f.generic(
            both, ["n"], [(value, both)], (f.fill("0.0", [rows]), row), body
        )
        steps = ["%%%s = arith.mulf %%a, %%%s : f32" % ("p" if finish else "r", share)]
        return f.generic(
            row, [], [(total, row)], (f.empty([rows]), row), steps + list(finish)
        )

    average = mean(x, ["%r = arith.addf %out, %a : f32"])
    centered = f.generic(
        both,
        [],
        [(x, both), (average, row)],
        (f.empty(shape), both),
        ["%r = arith.subf %a, %b : f32"],
    )
    scale = mean(
        centered,
        ["%m = arith.mulf %a, %a : f32", "%r = arith.addf %out, %m : f32"],
        ["%%s = arith.addf %%p, %%%s : f32" % small, "%r = math.rsqrt %s : f32"],
    )
    result = f.generic(
        both,
        [],
        [
            (centered, both),
            (scale, row),
            (("scale", [columns]), column),
            (("shift", [columns]), column),
        ],
        (f.empty(shape), both),
        [
            "%u = arith.mulf %a, %b : f32",
            "%t = arith.mulf %u, %c : f32",
            "%r = arith.addf %t, %d : f32",
        ],
    )
    return f.text(result)


def attention(entry):
    h, m, n, d = entry["heads"], entry["queries"], entry["keys"], entry["size"]
    q, k, scores = [h, m, d], [h, n, d], [h, m, n]
    f = Function(("q", q), ("k", k), ("v", k))
    maps = product_maps(["z", "m", "n", "k"], True)
    product = f.named("batch_matmul", [("q", q), ("k", k)], f.fill("0.0", scores), maps)
    scale = f.scalar(repr(1 / math.sqrt(d)))
    dims = ["z", "m", "n"]
    scaled = f.generic(
        dims,
        [],
        [(product, dims)],
        (f.empty(scores), dims),
        ["%%r = arith.mulf %%a, %%%s : f32" % scale],
    )
    weights = f.named("softmax", [scaled], f.empty(scores), "dimension(2)")
    return f.text(f.named("batch_matmul", [weights, ("v", k)], f.fill("0.0", q)))


def max_pool(entry):
    n, c = entry["batch"], entry["channels"]
    x, y = [n] + entry["spatial"] + [c], [n] + out_extents(entry) + [c]
    f = Function(("x", x))
    sides = [0] + entry["padding"] + [0]
    lowest = "0xFF800000"  # minus infinity
    image = f.pad(("x", x), sides, sides, lowest)
    shape = f.empty(entry["kernel"])
    return f.text(
        f.named("pooling_nhwc_max", [image, shape], f.fill(lowest, y), steps(entry))
    )


def average_pool(entry):
    n, c = entry["batch"], entry["channels"]
    x = [n] + entry["spatial"] + [c]
    f = Function(("x", x))
    total = f.generic(
        ["n", "h", "v", "c"],
        ["h", "v"],
        [(("x", x), ["n", "h", "v", "c"])],
        (f.fill("0.0", [n, c]), ["n", "c"]),
        ["%r = arith.addf %out, %a : f32"],
    )
    share = f.scalar(repr(1.0 / math.prod(entry["spatial"])))
    return f.text(
        f.generic(
            ["n", "c"],
            [],
            [(total, ["n", "c"])],
            (f.empty([n, c]), ["n", "c"]),
            ["%%r = arith.mulf %%a, %%%s : f32" % share],
        )
    )


def add_relu(entry):
    shape, dims = [entry["rows"], entry["columns"]], ["m", "n"]
    f = Function(("x", shape), ("w", shape))
    zero = f.scalar("0.0")
    return f.text(
        f.generic(
            dims,
            [],
            [(("x", shape), dims), (("w", shape), dims)],
            (f.empty(shape), dims),
            ["%s = arith.addf %a, %b : f32", "%%r = arith.maximumf %%s, %%%s : f32" % zero],
        )
    )


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
WRITERS.update(movement_payloads.WRITERS)


def payload(entry):
    """The module's text, with what it computes on its first line."""
    return "// %s: %s\n%s" % (entry["name"], entry["op"], WRITERS[entry["op"]](entry))
