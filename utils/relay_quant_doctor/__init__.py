"""The command line of utils/relay-quant-doctor."""
import argparse
import sys
import tempfile
from pathlib import Path

from . import floats, report
from .diagnosis import diagnose
from .error import DoctorError
from .layers import Pair
from .search import search
from .tools import Tools

BIN = Path(__file__).resolve().parents[2] / "build" / "release" / "bin"


def decibels(text):
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if not 0 < value < 1000:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1000")
    return value


def seed(text):
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least 0")
    return int(text)


def parse_arguments(description, argv):
    parser = argparse.ArgumentParser(prog="relay-quant-doctor", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("float", metavar="FLOAT.relay", help="the float model")
    parser.add_argument("quantized", metavar="QUANTIZED.relay", help="the quantized model")
    parser.add_argument("--params", metavar="FILE", help="values of parameters of both models, by name: a parameter "
                        "dictionary of TVM or a .npz file")
    parser.add_argument("--inputs", metavar="FILE", nargs="+", default=[],
                        help="further values: .npz files, and NAME=FILE.npy")
    parser.add_argument("--seed", metavar="N", type=seed, help="give parameters without values random ones "
                        "(default: 0 without --params and --inputs)")
    parser.add_argument("--snr", metavar="DB", type=decibels,
                        help="search for layers to leave float for this signal-to-noise ratio of the outputs")
    parser.add_argument("--json", metavar="FILE", help="write the report here (docs/schemas/quant-doctor.schema.json)")
    parser.add_argument("--svg", metavar="FILE", help="write a picture of the errors here")
    parser.add_argument("--bin", metavar="DIR", type=Path, default=BIN,
                        help="where relay-opt and relay-run are (default: build/release/bin)")
    args = parser.parse_args(argv)
    for name in args.inputs:
        if not name.endswith(".npz") and not ("=" in name and name.endswith(".npy")):
            parser.error(f"argument --inputs: '{name}' is neither FILE.npz nor NAME=FILE.npy")
    return args


def examine(args, directory):
    """Prints the report and writes the files; returns true if the signal-to-noise ratio is reached."""
    tools = Tools(args, directory)
    pair = Pair(tools.read(args.float), tools.read(args.quantized))
    diagnosis = diagnose(tools, pair)
    stayed = floats.find(tools, pair)
    choice = search(tools, pair, diagnosis, args.snr) if args.snr is not None else None
    report.print_tables(pair, diagnosis, stayed, choice)
    if args.json:
        report.write(args.json, report.as_json(args, pair, diagnosis, stayed, choice))
    if args.svg:
        report.write(args.svg, report.as_svg(diagnosis))
    return not choice or choice.reached


def main(description, argv=None):
    args = parse_arguments(description, argv)
    try:
        with tempfile.TemporaryDirectory(prefix="relay-quant-doctor-") as directory:
            return 0 if examine(args, Path(directory)) else 1
    except DoctorError as error:
        print(f"relay-quant-doctor: error: {error}", file=sys.stderr)
        return 1
