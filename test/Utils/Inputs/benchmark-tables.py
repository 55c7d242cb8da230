"""Prints the tables of figures that are made up, what the JSON has of their growth, and what is drawn."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1], "utils")))
from relay_benchmark import chart  # noqa: E402
from relay_benchmark.results import UNREAD, Figure, Results, Task, growth_json  # noqa: E402
from relay_benchmark.table import Table  # noqa: E402

SIZES = (10_000, 100_000, 1_000_000)


def main():
    results = Results(["relay-opt", "mlir-opt", "opt"])

    def put(tool, kind, subject, pass_name, *nanoseconds):
        for ops, value in zip(SIZES, nanoseconds):
            seconds = 1e-9 * value * ops
            runs = (3 * seconds, seconds)  # The minimum counts.
            results.figures[Task(kind, subject, ops, pass_name), tool] = Figure("ok", runs, 10**7, "", seconds)

    put("relay-opt", "text", "chain", None, 400, 400, 500)
    put("mlir-opt", "text", "chain", None, 4000, 6000)
    put("relay-opt", "pass", "chain", "steady", 10, 10, 13)
    put("relay-opt", "pass", "chain", "steep", 10, 15, 21)
    put("relay-opt", "pass", "let", "steep", 10, 10, 20)
    put("relay-opt", "pass", "chain", "flat", 0.9, 0.09, 0.009)
    put("relay-opt", "threads", "1", None, 20)
    put("relay-opt", "threads", "2", None, 10)
    for tool in ("relay-opt", "opt"):
        put(tool, "changes", "", None, 20)
        put(tool, "changes", "-print-changed=quiet", None, 22 if tool == "relay-opt" else 40)
    results.figures[Task("manager", "function(p, p, ...)"), "relay-opt"] = Figure("ok", (62e-9,))
    results.figures[Task("pass", "chain", 10_000, "steep"), "mlir-opt"] = Figure("skipped", note="too slow")
    results.figures[Task("text", "chain", 1_000_000), "mlir-opt"] = Figure("timeout", (30,), note="more than 30 s")
    results.figures[Task("pass", "chain", 1_000_000, "steep"), "mlir-opt"] = Figure("skipped", note=UNREAD)
    for tool, milliseconds in (("relay-run", 50), ("onnxruntime", 40)):
        results.figures[Task("evaluation", "net", 0, "kernels"), tool] = Figure("ok", (milliseconds / 1e3,), 6 * 10**7)
    results.figures[Task("evaluation", "net", 0, "whole"), "relay-run"] = Figure("ok", (0.1,), 7 * 10**7)
    results.figures[Task("evaluation", "net", 0, "whole"), "TVM"] = Figure("timeout", (30,), note="more than 30 s")
    for ops, counted in ((10_000, 200), (100_000, 220)):
        results.instructions["steep", "chain", ops] = counted
        results.instructions["steep", "let", ops] = -1.5
    results.instructions["flat", "chain", 10_000] = 4
    print("\n".join(Table(results).sections().values()))
    for growth in map(growth_json, results.growth()):
        ratios = [f"{growth[key]:.2f}" for key in ("ratio", "whole_ratio")]
        print("growth", growth["subject"], growth["pass"], growth["tool"], *ratios, growth["constant"])
    print("drawn:", "; ".join(re.findall("<title>(.*)</title><path", chart.draw(results))))


main()
