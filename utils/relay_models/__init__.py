"""The models that utils/relay-models can write, and its command line."""
import argparse
import os
import sys

from . import effects, lstm, mobilenet, qnn_resnet, random_graph, resnet, synthetic, transformer, vgg

# Each family maps a model's name to (summary, add_arguments(parser), write(args, out)).
FAMILIES = [resnet, vgg, mobilenet, lstm, transformer, random_graph, effects, synthetic, qnn_resnet]


def parse_arguments(description, argv):
    parser = argparse.ArgumentParser(
        prog="relay-models", description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    models = parser.add_subparsers(dest="name", metavar="MODEL", required=True)
    for family in FAMILIES:
        for name, (summary, add_arguments, write) in family.MODELS.items():
            model = models.add_parser(name, help=summary, description=summary)
            model.add_argument("-o", metavar="FILE", dest="output", help="write here (default: standard output)")
            model.set_defaults(write=write, check=lambda args: None, error=model.error)
            add_arguments(model)
    args = parser.parse_args(argv)
    if message := args.check(args):
        args.error(message)
    return args


def write_model(args):
    if not args.output:
        args.write(args, sys.stdout)
        sys.stdout.flush()
        return
    with open(args.output, "w", encoding="utf-8") as out:
        args.write(args, out)


def main(description, argv=None):
    args = parse_arguments(description, argv)
    try:
        write_model(args)
    except BrokenPipeError:  # The reader has seen enough; let the interpreter flush into nothing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"relay-models: error: {args.output or 'standard output'}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
