"""Command-line arguments that several models have."""
import argparse

DTYPES = ("float32", "float16")
LAYOUTS = ("NCHW", "NHWC")


def at_least(low):
    """A type for argparse: integers of at least `low`."""
    def convert(text):
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not an integer") from None
        if value < low:
            raise argparse.ArgumentTypeError(f"{value} is less than {low}")
        return value
    return convert


natural = at_least(0)
positive = at_least(1)


def add_number(parser, name, default, help, type=positive, shown=None, **options):
    """An integer; `shown` is the default in the help text."""
    parser.add_argument(f"--{name}", type=type, default=default, metavar="N",
                        help=f"{help} (default: {shown or default})", **options)


def add_batch(parser):
    add_number(parser, "batch", 1, "batch size")


def add_dtype(parser):
    parser.add_argument("--dtype", choices=DTYPES, default=DTYPES[0], help=f"of all tensors (default: {DTYPES[0]})")


def add_spans(parser):
    parser.add_argument("--spans", action="store_true",
                        help="write the layer of each operation: /* span=stage1_unit1_conv1:0:0 */")


def add_image(parser):
    """The arguments of every network for images."""
    add_batch(parser)
    add_spans(parser)
    add_dtype(parser)
    parser.add_argument("--layout", choices=LAYOUTS, default=LAYOUTS[0], help=f"of images (default: {LAYOUTS[0]})")
    add_number(parser, "image", 224, "height and width of the image", at_least(32))
    add_number(parser, "classes", 1000, "number of classes")
