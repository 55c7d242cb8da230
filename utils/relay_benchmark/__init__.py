"""The command line of utils/benchmark."""
import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from relay_models.arguments import positive

from . import chart, graphs, markdown
from .evaluation import OnnxRuntime, RelayRun, TvmRun
from .process import Limits
from .results import processor, to_json
from .suite import ENOUGH, PARTS, Suite
from .table import Table
from .tools import MlirOpt, Opt, RelayOpt
from .tvm_tool import Tvm

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = (10_000, 100_000, 1_000_000)


class UsageError(Exception):
    """A tool or file from the command line is missing."""


def sizes(text):
    return sorted({positive(part) for part in text.split(",")})


def names(text):
    return [part for part in text.split(",") if part]


def some_of(what, known):
    def choose(text):
        unknown = [name for name in names(text) if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown {what} '{unknown[0]}'; there are {', '.join(known)}")
        return names(text)
    return choose


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
    parser.add_argument("--parts", type=some_of("part", PARTS), default=list(PARTS), metavar="NAME,...",
                        help=f"what to measure (default: {','.join(PARTS)}); network: the passes on ResNet-50")
    parser.add_argument("--graphs", type=some_of("graph", graphs.SHAPES), default=list(graphs.SHAPES),
                        metavar="NAME,...", help=f"kinds of graph (default: {','.join(graphs.SHAPES)})")
    parser.add_argument("--runs", type=positive, default=10, metavar="N",
                        help=f"runs to take the minimum of, or fewer once they took {ENOUGH} s (default: 10)")
    parser.add_argument("--passes", type=names, metavar="NAME,...",
                        help="passes to time (default: all of -print-passes but print and those that need a file); an empty "
                        "list for none")
    parser.add_argument("--timeout", type=positive, default=30, metavar="S",
                        help="seconds that one run may take (default: 30); a tool that would need more for a size, "
                        "going by a smaller one, is not run there")
    parser.add_argument("--memory", type=positive, default=half_of_memory(), metavar="GB",
                        help="address space that one run may take (default: half of the machine's memory)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the growth here")
    parser.add_argument("--markdown", type=Path, metavar="FILE",
                        help="put the tables between their marks in this page, docs/Benchmarks.md")
    parser.add_argument("--mlir-opt", metavar="PATH", help="mlir-opt 19 (default: found in PATH)")
    parser.add_argument("--opt", metavar="PATH", help="LLVM's opt 19 (default: found in PATH)")
    parser.add_argument("--valgrind", default="valgrind", metavar="PATH", help="(default: found in PATH)")
    parser.add_argument("--oracle", type=Path, default=ROOT.parent / "shared/oracle", metavar="FOLDER",
                        help="where the python is that imports TVM (default: ../shared/oracle)")
    parser.add_argument("--onnxruntime", default=sys.executable, metavar="PYTHON",
                        help="the python that imports onnxruntime and onnx (default: the one that runs this)")
    parser.add_argument("--no-mlir", action="store_true", help="leave mlir-opt and opt out")
    parser.add_argument("--no-tvm", action="store_true", help="leave TVM out")
    parser.add_argument("--no-onnxruntime", action="store_true", help="leave onnxruntime out")
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


def of_llvm(kind, wanted, args):
    """A list with mlir-opt or opt of the version to compare with, or an empty one."""
    if args.no_mlir:
        return []
    path = shutil.which(wanted or f"{kind.name}-19") or (None if wanted else shutil.which(kind.name))
    if not path:
        return absent(kind.name, f"no {wanted or kind.name + '-19'} in PATH")
    tool = kind(path, limits(args))
    return [tool] if " 19." in tool.version else absent(kind.name, f"{path} is no version 19")


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


def onnxruntime(args):
    if args.no_onnxruntime or "evaluation" not in args.parts:
        return []
    try:
        return [OnnxRuntime(args.onnxruntime, limits(args))]
    except OSError as error:
        return absent("onnxruntime", str(error))


def chosen_passes(relay, args):
    known = relay.passes()
    unknown = [name for name in args.passes or () if name not in known]
    if unknown:
        raise UsageError(f"relay-opt -print-passes does not list '{unknown[0]}', or it needs a file")
    return [name for name in known if name != "print"] if args.passes is None else args.passes


def heading(tools, args, load):
    versions = "; ".join(f"{tool.name}: {tool.version}" for tool in tools)
    cores = os.cpu_count()
    busy = " It was busy: long runs suffer more than short ones." if load > cores / 2 else ""
    return (f"{versions}\n{processor()}, {cores} cores, load {load:.1f} before.{busy}\n"
            f"Wall times, minima of up to {args.runs} runs in turns; ratio: by relay-opt's figure. Passes run on one "
            "thread.\nTVM is measured in process, except for start-up.\n")


def measure(tools, opt, peers, args):
    """The results of the requested parts."""
    passes = chosen_passes(tools[0], args)
    with tempfile.TemporaryDirectory(prefix="relay-benchmark-") as folder:
        suite = Suite(tools, opt, args.runs, args.timeout, folder)
        parts = {"network": lambda: suite.network(passes),
                 "graphs": lambda: suite.graphs(args.sizes, args.graphs, passes),
                 "instructions": lambda: instructions(suite, args, passes),
                 "threads": suite.threads, "changes": suite.changes, "walk": lambda: unit_test("IR", suite.walk, args),
                 "manager": lambda: unit_test("Pass", suite.manager, args), "rules": lambda: suite.rules(max(args.sizes)),
                 "evaluation": lambda: evaluation(suite, tools, peers, args)}
        try:
            for part in args.parts:
                parts[part]()
        finally:
            for tool in tools:
                tool.close()
    return suite.results


def instructions(suite, args, passes):
    valgrind = shutil.which(args.valgrind)
    if valgrind:
        suite.instructions(valgrind, args.graphs, passes)
    else:
        absent("instructions", f"no {args.valgrind} in PATH")


def evaluation(suite, tools, peers, args):
    path = args.bin / "relay-run"
    if path.is_file():
        peers = [*peers, *(TvmRun(tool.path, limits(args)) for tool in tools if tool.name == "TVM")]
        suite.evaluation(RelayRun(path, limits(args)), peers)
    else:
        absent("evaluation", f"no {path}")


def unit_test(room, measure_with, args):
    program = args.bin.parent / f"test/Unit/{room}/Relay{room}Tests"
    if program.is_file():
        measure_with(program)
    else:
        absent(measure_with.__name__, f"no {program}")


def fill_page(page, sections, head, is_whole):
    """The head and the notes describe all figures of the page: only a full run writes them."""
    sections = {name: text for name, text in sections.items() if is_whole or name != "notes"}
    if is_whole:
        sections = {"machine": head, "notes": "All was measured.\n", **sections}
    page.write_text(markdown.fill(page.read_text(encoding="utf-8"), sections), encoding="utf-8")


def write(results, tools, args, load):
    head, sections = heading(tools, args, load), Table(results).sections()
    print("\n".join([head, *sections.values()]), end="")
    settings = {"sizes": args.sizes, "graphs": args.graphs, "runs": args.runs, "timeout": args.timeout,
                "memory_gb": args.memory, "load_before": load}
    if args.json:
        args.json.write_text(json.dumps(to_json(results, tools, settings), indent=1) + "\n", encoding="utf-8")
    if args.svg:
        args.svg.write_text(chart.draw(results), encoding="utf-8")
    if args.markdown:
        fill_page(args.markdown, sections, head, args.parts == list(PARTS))


def main(description, argv=None):
    args = parse_arguments(description, argv)
    try:
        if args.markdown and not markdown.marks(args.markdown.read_text(encoding="utf-8")):
            raise UsageError(f"no marks for tables in {args.markdown}")
        tools = [relay_opt(args), *of_llvm(MlirOpt, args.mlir_opt, args), *tvm(args)]
        opt = of_llvm(Opt, args.opt, args) if "changes" in args.parts else []
        peers = onnxruntime(args)
        load = os.getloadavg()[0]
        write(measure(tools, opt, peers, args), [*tools, *opt, *peers], args, load)
    except (UsageError, OSError) as error:
        print(f"benchmark: error: {error}", file=sys.stderr)
        return 1
    return 0
