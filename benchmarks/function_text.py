"""Writes a function of linalg ops, as text, op by op."""


def tensor(shape, element="f32"):
    return "tensor<%sx%s>" % ("x".join(map(str, shape)), element)


def affine(dims, results):
    return "affine_map<(%s) -> (%s)>" % (", ".join(dims), ", ".join(results))


def gelu_lines(f, value, result):
    """Lines of a body of `f` that compute gelu of %value, by the error function."""
    half, one = f.scalar("0.5"), f.scalar("1.0")
    root = f.scalar("0.707106769")  # 1 / sqrt(2)
    return [
        "%%g0 = arith.mulf %%%s, %%%s : f32" % (value, root),
        "%g1 = math.erf %g0 : f32",
        "%%g2 = arith.addf %%g1, %%%s : f32" % one,
        "%%g3 = arith.mulf %%%s, %%%s : f32" % (value, half),
        "%%%s = arith.mulf %%g3, %%g2 : f32" % result,
    ]


class Function:
    """The text of @f, op by op; values are (name, shape)."""

    def __init__(self, *operands, elements=None):
        """operands: (name, shape) or (name, shape, attribute).

        elements: of the operands, by name, that are not of f32.
        """
        self.elements = dict(elements or {})
        self.arguments = ", ".join(
            "%%%s: %s%s" % (o[0], self.kind(o), " " + o[2] if len(o) > 2 else "")
            for o in operands
        )
        self.lines = []
        self.count = 0

    def element(self, value):
        return self.elements.get(value[0], "f32")

    def kind(self, value):
        """The type of a value."""
        return tensor(value[1], self.element(value))

    def add(self, text, shape, element="f32"):
        """`%N = text`; the value."""
        self.count += 1
        name = "v%d_" % self.count
        self.lines.append("  %%%s = %s" % (name, text))
        self.elements[name] = element
        return (name, shape)

    def scalar(self, number, element="f32"):
        if element[0] == "i":
            number = number.split(".")[0]
        return self.add("arith.constant %s : %s" % (number, element), None)[0]

    def empty(self, shape, element="f32"):
        return self.add("tensor.empty() : %s" % tensor(shape, element), shape, element)

    def fill(self, number, shape, element="f32"):
        kind = tensor(shape, element)
        scalar, empty = self.scalar(number, element), self.empty(shape, element)
        return self.add(
            "linalg.fill ins(%%%s : %s) outs(%%%s : %s) -> %s"
            % (scalar, element, empty[0], kind, kind),
            shape,
            element,
        )

    def pad(self, value, low, high, number="0.0"):
        if not any(low + high):
            return value
        source, shape = value
        element = self.element(value)
        padded = [a + b + c for a, b, c in zip(low, shape, high)]
        places = ", ".join("%%i%d: index" % i for i in range(len(shape)))
        text = "tensor.pad %%%s low%s high%s {\n  ^bb0(%s):\n" % (source, low, high, places)
        zero = self.scalar(number, element)
        text += "    tensor.yield %%%s : %s\n  } : %s to %s" % (
            zero,
            element,
            self.kind(value),
            tensor(padded, element),
        )
        return self.add(text, padded, element)

    def named(self, op, inputs, output, attributes=""):
        return self.add(
            "linalg.%s%s ins(%s : %s) outs(%%%s : %s) -> %s"
            % (
                op,
                " " + attributes if attributes else "",
                ", ".join("%" + name for name, _ in inputs),
                ", ".join(self.kind(value) for value in inputs),
                output[0],
                self.kind(output),
                self.kind(output),
            ),
            output[1],
            self.element(output),
        )

    def generic(self, dims, reductions, inputs, output, body):
        """inputs, output: (value, [index expression...]); body: lines.

        The body's arguments are %a, %b, ... for the inputs and %out; it yields
        %r.
        """
        maps = [affine(dims, indices) for _, indices in inputs + [output]]
        kinds = ['"reduction"' if d in reductions else '"parallel"' for d in dims]
        names = ["abcdefg"[i] for i in range(len(inputs))] + ["out"]
        names = [
            "%%%s: %s" % (name, self.element(value))
            for name, (value, _) in zip(names, inputs + [output])
        ]
        shape, element, kind = output[0][1], self.element(output[0]), self.kind(output[0])
        text = "linalg.generic {indexing_maps = [%s], iterator_types = [%s]}" % (
            ", ".join(maps),
            ", ".join(kinds),
        )
        if inputs:
            text += " ins(%s : %s)" % (
                ", ".join("%" + value[0] for value, _ in inputs),
                ", ".join(self.kind(value) for value, _ in inputs),
            )
        text += " outs(%%%s : %s) {\n  ^bb0(%s):\n" % (
            output[0][0],
            kind,
            ", ".join(names),
        )
        text += "".join("    %s\n" % line for line in body)
        text += "    linalg.yield %%r : %s\n  } -> %s" % (element, kind)
        return self.add(text, shape, element)

    def reshape(self, value, groups, shape):
        """expand_shape or collapse_shape, by the number of dimensions."""
        kinds = "[%s]" % ", ".join("[%s]" % ", ".join(map(str, g)) for g in groups)
        if len(shape) > len(value[1]):
            text = "tensor.expand_shape %%%s %s output_shape [%s] : %s into %s" % (
                value[0],
                kinds,
                ", ".join(map(str, shape)),
                tensor(value[1]),
                tensor(shape),
            )
        else:
            text = "tensor.collapse_shape %%%s %s : %s into %s" % (
                value[0],
                kinds,
                tensor(value[1]),
                tensor(shape),
            )
        return self.add(text, shape)

    def text(self, result):
        kind = self.kind(result)
        return "func.func @f(%s) -> %s {\n%s\n  return %%%s : %s\n}\n" % (
            self.arguments,
            kind,
            "\n".join(self.lines),
            result[0],
            kind,
        )
