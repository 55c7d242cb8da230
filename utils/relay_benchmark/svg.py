"""Small SVG charts: lines over logarithmic axes, panels side by side, a legend below."""
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 360, 300       # Of a panel's area for lines.
LEFT, TOP, GAP, BELOW = 62, 44, 78, 48
LEGEND_ROW = 20
MARKERS = ("circle", "square", "triangle", "diamond")


class Line(NamedTuple):
    """points: (x, y), both positive; `tool` gives the colour, `graph` the marker, `name` is shown at the pointer."""
    tool: str
    graph: str
    name: str
    points: list
    faint: bool = False


class Panel(NamedTuple):
    title: str
    unit: object  # Formats a value of the y axis.
    lines: list


class Axis:
    """Whole decades around the values, along `length` pixels."""

    def __init__(self, values, length):
        self.low = floor(log10(min(values)) + 1e-9)
        self.high = max(ceil(log10(max(values)) - 1e-9), self.low + 1)
        self.length = length

    def place(self, value):
        return (log10(value) - self.low) / (self.high - self.low) * self.length

    def decades(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def text(x, y, content, **attributes):
    rest = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{rest}>{escape(content)}</text>'


def marker(kind, x, y, size=3.5):
    shapes = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>',
        "square": f'<path d="M{x - size:.1f} {y - size:.1f}h{2 * size}v{2 * size}h{-2 * size}z"/>',
        "triangle": f'<path d="M{x:.1f} {y - size - 1:.1f}l{size + 1} {2 * size}h{-2 * size - 2}z"/>',
        "diamond": f'<path d="M{x:.1f} {y - size - 1:.1f}l{size + 1} {size + 1}l{-size - 1} {size + 1}'
                   f'l{-size - 1} {-size - 1}z"/>',
    }
    return shapes[kind]


class Chart:
    """colours: by tool; the graphs' markers are given in the order in which they come up."""

    def __init__(self, title, colours, x_label, x_unit):
        self.title = title
        self.colours = colours
        self.x_label = x_label
        self.x_unit = x_unit
        self.markers = {}

    def marker_of(self, graph):
        return self.markers.setdefault(graph, MARKERS[len(self.markers) % len(MARKERS)])

    def grid(self, left, x_axis, y_axis, unit):
        parts = ['<g stroke="#ddd">']
        for value in x_axis.decades():
            parts.append(f'<path d="M{left + x_axis.place(value):.1f} {TOP}v{HEIGHT}"/>')
        for value in y_axis.decades():
            parts.append(f'<path d="M{left} {TOP + HEIGHT - y_axis.place(value):.1f}h{WIDTH}"/>')
        parts.append("</g>")
        for value in x_axis.decades():
            parts.append(text(left + x_axis.place(value), TOP + HEIGHT + 17, self.x_unit(round(value)),
                              text_anchor="middle"))
        for value in y_axis.decades():
            parts.append(text(left - 7, TOP + HEIGHT - y_axis.place(value) + 4, unit(value), text_anchor="end"))
        return parts

    def line(self, line, left, x_axis, y_axis):
        places = [(left + x_axis.place(x), TOP + HEIGHT - y_axis.place(y)) for x, y in sorted(line.points)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        colour = self.colours[line.tool]
        shape = self.marker_of(line.graph)
        opacity = ' opacity="0.45"' if line.faint else ""
        return [f'<g fill="{colour}" stroke="{colour}"{opacity}><title>{escape(line.name)}</title>',
                f'<path d="M{path}" fill="none" stroke-width="{1 if line.faint else 2}"/>',
                *(marker(shape, x, y, 2.5 if line.faint else 3.5) for x, y in places), "</g>"]

    def panel(self, panel, left):
        xs = [x for line in panel.lines for x, _ in line.points]
        ys = [y for line in panel.lines for _, y in line.points]
        x_axis, y_axis = Axis(xs, WIDTH), Axis(ys, HEIGHT)
        parts = [text(left, TOP - 14, panel.title, font_weight="bold")]
        parts += self.grid(left, x_axis, y_axis, panel.unit)
        parts.append(f'<path d="M{left} {TOP}v{HEIGHT}h{WIDTH}" fill="none" stroke="#555"/>')
        parts.append(text(left + WIDTH / 2, TOP + HEIGHT + 36, self.x_label, text_anchor="middle"))
        for line in panel.lines:
            parts += self.line(line, left, x_axis, y_axis)
        return parts

    def legend(self, y):
        parts, x = [], LEFT
        for tool, colour in self.colours.items():
            parts.append(f'<path d="M{x} {y - 4}h24" stroke="{colour}" stroke-width="3"/>')
            parts.append(text(x + 30, y, tool))
            x += 50 + 8 * len(tool)
        x += 20
        for graph, shape in self.markers.items():
            parts.append(f'<g fill="#555">{marker(shape, x, y - 4)}</g>')
            parts.append(text(x + 10, y, graph))
            x += 30 + 8 * len(graph)
        return parts

    def render(self, panels):
        panels = [panel for panel in panels if any(line.points for line in panel.lines)]
        width = LEFT + len(panels) * (WIDTH + GAP) - GAP + 24 if panels else LEFT + WIDTH
        height = TOP + HEIGHT + BELOW + LEGEND_ROW + 8
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                 f'height="{height}" font-family="sans-serif" font-size="12" fill="#222">',
                 f"<title>{escape(self.title)}</title>", '<rect width="100%" height="100%" fill="#fff"/>']
        for index, panel in enumerate(panels):
            parts += self.panel(panel, LEFT + index * (WIDTH + GAP))
        parts += self.legend(TOP + HEIGHT + BELOW + LEGEND_ROW - 4)
        return "\n".join([*parts, "</svg>"]) + "\n"
