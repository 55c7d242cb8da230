"""Small SVG charts: panels of lines over the logarithm of x, two in a row, in sections with a legend each.

The charts are narrow, so that the text is readable on a phone. They have light and dark colours and their own
background, since the colour scheme of the page may differ from the viewer's.
"""
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH = 520
LEFT, PLOT, INSET = 58, 186, 8  # Of a panel: room for the labels of y, the area for lines, what they leave at its ends.
ABOVE, BELOW = 26, 34           # The panel's title; the labels of x and what parts rows.
HEADING, LEGEND, FOOT = 58, 24, 8
STYLE = """
svg { --paper: #fff; --ink: #1f2328; --grid: #d1d9e0; --s0: #0072b2; --s1: #d55e00; --s2: #00805e; --s3: #b0508a }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #e6edf3; --grid: #3d444d; --s0: #58b4e9; --s1: #f0883e; --s2: #3fc79a; --s3: #e39ac4 }
}
text { fill: var(--ink); font: 13px sans-serif } .section { font-size: 16px; font-weight: bold }
.panel { font-weight: bold } .paper { fill: var(--paper) } .grid { stroke: var(--grid) }
.s0 { fill: var(--s0); stroke: var(--s0) } .s1 { fill: var(--s1); stroke: var(--s1) }
.s2 { fill: var(--s2); stroke: var(--s2) } .s3 { fill: var(--s3); stroke: var(--s3) }
.line { fill: none; stroke-width: 2 }
"""
MARKERS = ('<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>', '<path d="M{x:.1f} {y:.1f}m-3 -3h6v6h-6z"/>',
           '<path d="M{x:.1f} {y:.1f}m0 -4l4 7h-8z"/>', '<path d="M{x:.1f} {y:.1f}m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z"/>')


class Line(NamedTuple):
    """points: (x, y), both positive; `series` is the index in the section's list, `name` is shown at the pointer."""
    series: int
    name: str
    points: list


class Panel(NamedTuple):
    title: str
    lines: list

    def values(self, axis):
        return [point[axis] for line in self.lines for point in line.points]


class Section(NamedTuple):
    """`scale` computes the y axis from values: from those of all panels if `shared`."""
    title: str
    note: str
    series: list
    panels: list
    scale: object
    shared: bool
    height: int


class Scale(NamedTuple):
    """`place` maps a value to its position: 0 (the low end) … 1, or pixels."""
    ticks: list
    place: object


def decades(values):
    """Whole decades around the values."""
    low = floor(log10(min(values)) + 1e-9)
    high = max(ceil(log10(max(values)) - 1e-9), low + 1)
    return Scale([10.0 ** power for power in range(low, high + 1)], lambda value: (log10(value) - low) / (high - low))


def from_zero(values):
    """From 0 to a round number."""
    unit = 10.0 ** floor(log10(max(values)))
    top = next(step * unit for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * unit >= max(values))
    return Scale([0, top / 2, top], lambda value: value / top)


def between(values):
    """The logarithm from the least to the largest value, with a tick at each, in pixels from `LEFT`."""
    ticks = sorted(set(values))
    low, high = log10(ticks[0]), log10(ticks[-1])
    return Scale(ticks, lambda value: INSET + (log10(value) - low) / (high - low or 1) * (PLOT - 2 * INSET))


def text(x, y, content, kind="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(content)}</text>'


def draw_line(line, places):
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    marks = "".join(MARKERS[line.series].format(x=x, y=y) for x, y in places)
    return f'<g class="s{line.series}"><title>{escape(line.name)}</title><path class="line" d="M{path}"/>{marks}</g>'


class Chart:
    """x_unit and y_unit format the values of the axes."""

    def __init__(self, title, x_unit, y_unit):
        self.title = title
        self.x_unit = x_unit
        self.y_unit = y_unit

    def panel(self, panel, left, top, x_scale, y_scale, height):
        """`left` and `top` of the area for lines."""
        parts = [text(left, top - 10, panel.title, "panel")]
        for value in y_scale.ticks:
            y = top + height * (1 - y_scale.place(value))
            parts.append(f'<path class="grid" d="M{left} {y:.1f}h{PLOT}"/>')
            parts.append(text(left - 6, y + 4, self.y_unit(value), anchor="end"))
        for value in x_scale.ticks:
            parts.append(text(left + x_scale.place(value), top + height + 18, self.x_unit(value), anchor="middle"))
        for line in panel.lines:
            parts.append(draw_line(line, [(left + x_scale.place(x), top + height * (1 - y_scale.place(y)))
                                          for x, y in sorted(line.points)]))
        return parts

    def legend(self, section, top):
        parts, x = [], 14
        for index, name in enumerate(section.series):
            parts.append(f'<g class="s{index}"><path class="line" d="M{x} {top}h28"/>'
                         f'{MARKERS[index].format(x=x + 14, y=top)}</g>')
            parts.append(text(x + 34, top + 4, name))
            x += 56 + 8 * len(name)
        return parts

    def section(self, section, top):
        """The section's elements, and its lower end."""
        parts = [text(14, top + 24, section.title, "section"), text(14, top + 44, section.note)]
        parts += self.legend(section, top + HEADING + 4)
        top += HEADING + LEGEND
        x_scale = between([x for panel in section.panels for x in panel.values(0)])
        common = section.scale([y for panel in section.panels for y in panel.values(1)]) if section.shared else None
        pitch = ABOVE + section.height + BELOW
        for index, panel in enumerate(section.panels):
            left = LEFT + index % 2 * WIDTH / 2
            y_scale = common or section.scale(panel.values(1))
            parts += self.panel(panel, left, top + index // 2 * pitch + ABOVE, x_scale, y_scale, section.height)
        return parts, top + ceil(len(section.panels) / 2) * pitch

    def render(self, sections):
        parts, height = [], 0
        for section in sections:
            more, height = self.section(section, height)
            parts += more
        height += FOOT
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
                          f'height="{height}">', f"<title>{escape(self.title)}</title>", f"<style>{STYLE}</style>",
                          '<rect class="paper" width="100%" height="100%" rx="6"/>', *parts, "</svg>"]) + "\n"
