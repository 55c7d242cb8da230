"""What utils/benchmark needs of TVM, with passes that do not end well."""
from . import relay, transform

__version__ = "0.18.0"
