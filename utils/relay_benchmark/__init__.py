"""The command line of utils/benchmark."""
import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from relay_models.arguments import positive

from . import chart, graphs
from .process import Limits
from .results import to_json
from .suite import Suite
from .table import Table
from .tools import MlirOpt, RelayOpt
from .tvm_tool import Tvm

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = (10_000, 100_000, 1_000_000)


class UsageError(Exception):
    """Something given on the command line is not there."""


def sizes(text):
    return sorted({positive(part) for part in text.split(",")})


def names(text):
    return [part for part in text.split(",") if part]


def shapes(text):
    unknown = [name for name in names(text) if name not in graphs.SHAPES]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown graph '{unknown[0]}'; there are {', '.join(graphs.SHAPES)}")
    return names(text)


def half_of_memory():
    """In GB."""
    return max(1, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (2 * 10**9))


def parse_arguments(description, argv):
    parser = argparse.ArgumentParser(prog="benchmark", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin", metavar="FOLDER",
                        help="where relay-opt is (default: build/release/bin)")
    parser.add_argument("--sizes", type=sizes, default=list(SIZES), metavar="N,...",
                        help="operations of the graphs (default: 10000,100000,1000000)")
    parser.add_argument("--graphs", type=shapes, default=list(graphs.SHAPES), metavar="NAME,...",
                        help=f"kinds of graph (default: {','.join(graphs.SHAPES)})")
    parser.add_argument("--runs", type=positive, default=5, metavar="N", help="runs to take medians of (default: 5)")
    parser.add_argument("--passes", type=names, metavar="NAME,...",
                        help="passes to time (default: all of -print-passes but print); an empty list for none")
    parser.add_argument("--timeout", type=positive, default=120, metavar="S",
                        help="seconds that one run may take (default: 120)")
    parser.add_argument("--memory", type=positive, default=half_of_memory(), metavar="GB",
                        help="address space that one run may take (default: half of the machine's memory)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the growth here")
    parser.add_argument("--mlir-opt", metavar="PATH", help="mlir-opt 19 (default: found in PATH)")
    parser.add_argument("--oracle", type=Path, default=ROOT.parent / "shared/oracle", metavar="FOLDER",
                        help="where the python is that imports TVM (default: ../shared/oracle)")
    parser.add_argument("--no-mlir", action="store_true", help="leave mlir-opt out")
    parser.add_argument("--no-tvm", action="store_true", help="leave TVM out")
    return parser.parse_args(argv)


def absent(name, reason):
    print(f"without {name}: {reason}", file=sys.stderr)
    return []


def limits(args):
    return Limits(args.timeout, int(args.memory * 10**9))


def relay_opt(args):
    path = args.bin / "relay-opt"
    if not path.is_file():
        raise UsageError(f"no relay-opt in {args.bin}; build it, or say with --bin where it is")
    return RelayOpt(path, limits(args))


def mlir_opt(args):
    if args.no_mlir:
        return []
    path = shutil.which(args.mlir_opt or "mlir-opt-19") or (None if args.mlir_opt else shutil.which("mlir-opt"))
    if not path:
        return absent("mlir-opt", f"no {args.mlir_opt or 'mlir-opt-19'} in PATH")
    tool = MlirOpt(path, limits(args))
    return [tool] if " 19." in tool.version else absent("mlir-opt", f"{path} is no version 19")


def tvm(args):
    if args.no_tvm:
        return []
    python = args.oracle / "python"
    if not python.is_file():
        return absent("TVM", f"no {python}")
    try:
        return [Tvm(python, limits(args))]
    except OSError as error:
        return absent("TVM", str(error))


def chosen_passes(relay, args):
    known = relay.passes()
    unknown = [name for name in args.passes or () if name not in known]
    if unknown:
        raise UsageError(f"relay-opt -print-passes does not list '{unknown[0]}'")
    return [name for name in known if name != "print"] if args.passes is None else args.passes


def heading(tools, args, load):
    versions = "; ".join(f"{tool.name}: {tool.version}" for tool in tools)
    cores = os.cpu_count()
    busy = (f"\nThe machine was busy (load {load:.1f} on {cores} cores): long runs suffer more than short ones."
            if load > cores / 2 else "")
    return (f"{versions}\nMedians of up to {args.runs} runs in turns; ratio: by relay-opt's figure. "
            f"TVM is measured in process, but for start-up.{busy}\n")


def measure(tools, args):
    with tempfile.TemporaryDirectory(prefix="relay-benchmark-") as folder:
        suite = Suite(tools, args.runs, folder)
        try:
            return suite.run(args.sizes, args.graphs, chosen_passes(tools[0], args))
        finally:
            for tool in tools:
                tool.close()


def write(results, tools, args, load):
    print(heading(tools, args, load))
    print(Table(results).render(), end="")
    settings = {"sizes": args.sizes, "graphs": args.graphs, "runs": args.runs, "timeout": args.timeout,
                "memory_gb": args.memory, "load_before": load}
    if args.json:
        args.json.write_text(json.dumps(to_json(results, tools, settings), indent=1) + "\n", encoding="utf-8")
    if args.svg:
        args.svg.write_text(chart.draw(results), encoding="utf-8")


def main(description, argv=None):
    args = parse_arguments(description, argv)
    try:
        tools = [relay_opt(args), *mlir_opt(args), *tvm(args)]
        load = os.getloadavg()[0]
        write(measure(tools, args), tools, args, load)
    except (UsageError, OSError) as error:
        print(f"benchmark: error: {error}", file=sys.stderr)
        return 1
    return 0
