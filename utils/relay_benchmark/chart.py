"""The growth of time and memory with the size of the graph, as an SVG."""
from .svg import Chart, Line, Panel
from .table import count

# Told apart with any colour vision.
COLOURS = {"relay-opt": "#0072b2", "mlir-opt": "#d55e00", "TVM": "#009e73"}


SECONDS = (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
BYTES = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1))


def formatter(units):
    """Formats a power of ten in the largest unit of which it is a multiple."""
    def form(value):
        unit, size = next(((unit, size) for unit, size in units if value >= size * 0.999), units[-1])
        return f"{value / size:.3g} {unit}"
    return form


def curves(results, kind, field):
    """Lines over the number of operations, one a tool, graph and pass."""
    points = {}
    for (task, tool), found in results.figures.items():
        value = getattr(found, field)
        if task.kind == kind and task.subject != "resnet-50" and found.status == "ok" and value:
            points.setdefault((tool, task.subject, task.pass_name), []).append((task.ops, value))
    return [Line(tool, subject, " ".join(filter(None, (tool, subject, pass_name))), found, bool(pass_name))
            for (tool, subject, pass_name), found in points.items()]


def draw(results):
    colours = {tool: COLOURS[tool] for tool in results.tools}
    chart = Chart("relay-opt: growth with the size of the graph", colours, "operations", count)
    return chart.render([
        Panel("Parse, infer types, verify, print: time", formatter(SECONDS), curves(results, "text", "seconds")),
        Panel("The same: peak memory", formatter(BYTES), curves(results, "text", "peak_bytes")),
        Panel("Each pass: time in the pass", formatter(SECONDS), curves(results, "pass", "seconds")),
    ])
