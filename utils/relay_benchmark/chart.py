"""The growth of the time per operation with the size of the graph, as an SVG."""
from .svg import Chart, Line, Panel, Section, decades, from_zero
from .table import count

UNITS = (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1))


def nanoseconds(value):
    unit, size = next(((unit, size) for unit, size in UNITS if value >= size * 0.999), UNITS[-1])
    return f"{value / size:.3g} {unit}" if value else "0"


def line(series, growth):
    name = " ".join(filter(None, (growth.tool, growth.subject, growth.pass_name)))
    return Line(series, name, [point for point in growth.curve.items() if point[1] > 0])


def panels(curves, title, series):
    """A panel for each title, with a line for each series; both are fields of Growth. Omits constant operators."""
    names = list(dict.fromkeys(getattr(growth, series) for growth in curves))
    lines = {getattr(growth, title): [] for growth in curves}
    for growth in curves:
        if not growth.is_constant():
            lines[getattr(growth, title)].append(line(names.index(getattr(growth, series)), growth))
    return names, [Panel(*entry) for entry in lines.items() if entry[1]]


def text_section(results):
    curves = [growth for growth in results.curves() if growth.kind == "text" and any(growth.curve.values())]
    tools, graphs = panels(curves, "subject", "tool")
    return Section("Parse, infer types, verify, print", "Wall time per operation by operations, start-up subtracted",
                   tools, graphs, decades, True, 150)


def pass_section(results):
    curves = [growth for growth in results.curves()
              if growth.kind == "pass" and growth.tool == results.tools[0] and not growth.subject.endswith("resnet-50")]
    graphs, passes = panels(curves, "pass_name", "subject")
    return Section("Passes of relay-opt", "Time in the pass per operation by operations; each with a scale of its own",
                   graphs, passes, from_zero, False, 90)


def draw(results):
    chart = Chart("relay-opt: growth with the size of the graph", count, nanoseconds)
    return chart.render([section for section in (text_section(results), pass_section(results)) if section.panels])
