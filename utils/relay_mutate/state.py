"""What a run leaves behind for `--resume` and `--again`."""
import pickle
from dataclasses import dataclass, field


class NoState(Exception):
    """There is no run to continue."""

    def __str__(self):
        return "there is no last run to go on from"


@dataclass
class State:
    built: list   # mutants of the build
    sample: list  # mutants to try, in order
    tests: list
    outcomes: list = field(default_factory=list)  # of the sample, as far as they are known

    def save(self, path):
        """An interrupt leaves the previous file."""
        new = path.with_suffix(".new")
        new.write_bytes(pickle.dumps(self))
        new.replace(path)

    @classmethod
    def load(cls, path):
        if not path.is_file():
            raise NoState
        return pickle.loads(path.read_bytes())
