"""usage: check-benchmark.py FIGURES.json GROWTH.svg: prints what is in the figures and the drawing, but
for the figures themselves; fails where something is missing or no number."""
import json
import sys
import xml.etree.ElementTree as xml

RESULT = {"kind", "subject", "pass", "ops", "tool", "status", "seconds", "median_seconds", "runs", "peak_bytes",
          "process_cpu_seconds", "ratio", "memory_ratio", "note"}
GROWTH = {"kind", "subject", "pass", "tool", "sizes", "ns_per_op", "ratio", "whole_ratio", "constant"}
SVG = "{http://www.w3.org/2000/svg}"


def show_result(result):
    assert set(result) == RESULT, result
    if result["status"] == "ok":
        assert result["process_cpu_seconds"] > 0, result
        assert result["seconds"] > 0 and result["seconds"] == min(result["runs"]), result
        assert result["median_seconds"] >= result["seconds"], result
    own = result["tool"] == "relay-opt"
    assert own or result["status"] != "ok" or result["ratio"] > 0, result
    print(result["kind"], result["subject"], result["pass"], result["ops"], result["tool"], result["status"],
          f"{len(result['runs'])} runs,", "peak," if result["peak_bytes"] else "no peak,",
          "no ratio" if result["ratio"] in (None, 1.0) else "ratio")


def main():
    figures = json.load(open(sys.argv[1]))
    print(figures["schema"], figures["version"])
    assert set(figures) == {"schema", "version", "machine", "settings", "tools", "results", "growth", "instructions"}
    assert set(figures["machine"]) == {"processor", "cores", "memory_bytes", "system"}
    print("tools:", *(tool["name"] for tool in figures["tools"]))
    for result in figures["results"]:
        show_result(result)
    for growth in figures["growth"]:
        assert set(growth) == GROWTH and len(growth["sizes"]) == len(growth["ns_per_op"]), growth
        print("growth", growth["kind"], growth["subject"], growth["pass"], growth["tool"], growth["sizes"])
    drawing = xml.parse(sys.argv[2]).getroot()
    for kind in ("section", "panel"):
        print(f"{kind}s:", "; ".join(text.text for text in drawing.iter(f"{SVG}text") if text.get("class") == kind))
    lines = [group for group in drawing.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    print("lines:", ", ".join(f'{line.get("class")} {line.find(f"{SVG}title").text}' for line in lines))


main()
