"""The report as a table, JSON and SVG."""
import json
from html import escape
from math import inf, isinf

from relay_benchmark.svg import STYLE, text

from .error import DoctorError

WIDTH, LABELS, BAR, ROW, TOP = 640, 210, 330, 38, 74
RANGE = 80  # Errors of this many dB below the signal have bars of length 0.


def decibels(snr):
    return "exact" if snr == inf else f"{snr:.1f}"


def number(value):
    return f"{value:.3g}"


def print_aligned(rows):
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others in rows:
        cells = [first.ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(others, widths[1:])]
        print("  ".join(cells).rstrip())


def print_layers(diagnosis):
    rows = [["layer", "added dB", "max", "mean", "accumulated dB", "max", "mean"]]
    for layer in sorted(diagnosis.layers, key=lambda layer: layer.added.snr):
        cells = [layer.name]
        for deviation in (layer.added, layer.accumulated):
            cells += [decibels(deviation.snr), number(deviation.maximum), number(deviation.mean)]
        rows.append(cells)
    print_aligned(rows)
    print(f"\noutput: {diagnosis.output}")


def print_skipped(pair):
    if pair.skipped:
        print("\nnot compared:")
        for name, reason in pair.skipped.items():
            print(f"  {name}: {reason}")


def print_floats(pair, stayed):
    if not stayed:
        return
    print("\nfloat operations of the quantized module:")
    for operation in stayed:
        layer = f" in layer '{operation.layer}'" if operation.layer else ""
        at = f" at {pair.quantized.path}:{operation.position}" if operation.position else ""
        print(f"  {operation.operator}{at}{layer}: {operation.reason}")


def print_choice(choice):
    runs = f"{choice.evaluations} evaluation{'s' if choice.evaluations != 1 else ''}"
    if not choice.reached:
        print(f"\n{choice.wanted:g} dB are not reached even if all compared layers stay float ({runs})")
    elif not choice.layers:
        print(f"\n{choice.wanted:g} dB are reached without float layers")
    else:
        print(f"\nleave float for {choice.wanted:g} dB ({runs}):")
        for name in choice.layers:
            print(f"  {name}")
    if choice.evaluations:
        print(f"output then: {choice.output}")


def print_tables(pair, diagnosis, stayed, choice):
    print_layers(diagnosis)
    print_skipped(pair)
    print_floats(pair, stayed)
    if choice:
        print_choice(choice)


def deviation_as_json(deviation):
    ratio = {} if isinf(deviation.snr) else {"snr": deviation.snr}
    return {**ratio, "max": deviation.maximum, "mean": deviation.mean}


def operation_as_json(operation):
    return {name: value for name, value in operation._asdict().items() if value}


def as_json(args, pair, diagnosis, stayed, choice):
    layers = [{"name": layer.name, "added": deviation_as_json(layer.added),
               "accumulated": deviation_as_json(layer.accumulated)} for layer in diagnosis.layers]
    report = {"schema": "relay-quant-doctor", "version": 1, "float": args.float, "quantized": args.quantized,
              "layers": layers, "output": deviation_as_json(diagnosis.output),
              "notCompared": [{"name": name, "reason": reason} for name, reason in pair.skipped.items()],
              "floatOperations": [operation_as_json(operation) for operation in stayed]}
    if choice:
        report["leaveFloat"] = {**choice._asdict(), "output": deviation_as_json(choice.output)}
    return json.dumps(report, indent=2) + "\n"


def bar(top, kind, deviation):
    length = BAR * min(max(RANGE - deviation.snr, 0), RANGE) / RANGE
    label = decibels(deviation.snr) + ("" if deviation.snr == inf else " dB")
    return [f'<rect class="s{kind}" x="{LABELS}" y="{top}" width="{length:.1f}" height="10"/>',
            text(LABELS + length + 6, top + 10, label)]


def shortened(name, length=28):
    return name if len(name) <= length else "…" + name[1 - length:]


def as_svg(diagnosis):
    """Two bars a layer, in the order of the network; a longer bar is a larger error."""
    parts = [text(14, 24, "Noise of the quantized layers, relative to the signal", "section")]
    for kind, (x, name) in enumerate(((14, "added by the layer"), (190, "accumulated"))):
        parts += [f'<rect class="s{kind}" x="{x}" y="40" width="28" height="10"/>', text(x + 34, 50, name)]
    for index, layer in enumerate(diagnosis.layers):
        top = TOP + index * ROW
        parts.append(f"<g><title>{escape(layer.name)}</title>{text(14, top + 17, shortened(layer.name))}</g>")
        parts += bar(top, 0, layer.added) + bar(top + 15, 1, layer.accumulated)
    height = TOP + len(diagnosis.layers) * ROW + 10
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
                      f'height="{height}">', "<title>Errors of quantized layers</title>", f"<style>{STYLE}</style>",
                      '<rect class="paper" width="100%" height="100%" rx="6"/>', *parts, "</svg>"]) + "\n"


def write(path, content):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    except OSError as error:
        raise DoctorError(f"{path}: {error.strerror}") from None
