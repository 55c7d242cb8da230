"""The models that utils/relay-models can write, and its command line."""
import argparse
import sys

from . import resnet, synthetic

# Each family maps a model's name to (summary, add_arguments(parser), build(args) -> graph.Module).
FAMILIES = [resnet, synthetic]


def parse_arguments(description, argv):
    parser = argparse.ArgumentParser(
        prog="relay-models", description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    models = parser.add_subparsers(dest="model", metavar="MODEL", required=True)
    for family in FAMILIES:
        for name, (summary, add_arguments, build) in family.MODELS.items():
            model = models.add_parser(name, help=summary, description=summary)
            model.add_argument("-o", metavar="FILE", dest="output", help="write here (default: standard output)")
            add_arguments(model)
            model.set_defaults(build=build)
    return parser.parse_args(argv)


def main(description, argv=None):
    args = parse_arguments(description, argv)
    module = args.build(args)
    if args.output:
        with open(args.output, "w", encoding="utf-8") as out:
            module.write(out)
    else:
        module.write(sys.stdout)
    return 0
