# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs pipelines on many models, in many processes, with results in a database.

    relay_opt.sweep(["models/"], ["simplify-expr,fuse-ops"], database="sweep.db")

A second start runs only what has no result. `python -m relay_opt.sweep --help`
describes the command line.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import sys
import types
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Iterable, Iterator, NamedTuple, Sequence, Union

from . import _relay_opt as _ext
from ._relay_opt import IRModule
from .sweeps.child import Chunk
from .sweeps.comparison import Comparison, Difference, compare, trace
from .sweeps.schedule import Progress, run_items
from .sweeps.store import Row, Store
from .sweeps.work import NAMED_CHECKS, Item, Result, build_id, check_spec

__all__ = ["Comparison", "Difference", "Row", "Sweep", "build_id", "compare", "sweep", "trace"]

Model = Union[str, "os.PathLike[str]", "tuple[str, str]", "tuple[str, IRModule]", IRModule]

_SUFFIXES = (".relay", ".json")


class Sweep(NamedTuple):
    """The outcome of a sweep."""

    database: str
    build: str
    #: The number of models and pipelines, and how many of them this start ran.
    total: int
    ran: int
    #: The numbers of results by status: ok, failed, crashed, timeout.
    counts: dict[str, int]

    def rows(self, statuses: Iterable[str] | None = None) -> list[Row]:
        """Returns the results, or those with these statuses."""
        with Store(self.database) as store:
            return list(store.rows(self.build, statuses))

    def failures(self) -> list[Row]:
        """Returns the results that are not ok."""
        return self.rows(["failed", "crashed", "timeout"])

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {status}" for status, count in self.counts.items() if count)
        return f"{self.total:,} results in {self.database}: {counts or 'none'}; {self.ran:,} of them new"


def _files(path: Path) -> Iterator[Path]:
    """Yields a file, or the models in a directory."""
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.suffix in _SUFFIXES and file.is_file():
            yield file


def _models(models: Iterable[Model]) -> Iterator[tuple[str, str | None, str | None, str]]:
    """Yields the name, the path or the text, and the digest of each model."""
    for index, model in enumerate(models):
        if isinstance(model, IRModule):
            model = (f"model-{index}", model)
        if isinstance(model, tuple):
            name, value = model
            text = value.astext() if isinstance(value, IRModule) else value
            yield name, None, text, hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
            continue
        for file in _files(Path(model)):
            yield str(file), str(file.resolve()), None, hashlib.sha256(file.read_bytes()).hexdigest()


def _items(models: Iterable[Model], pipelines: Sequence[str]) -> list[Item]:
    """Returns each model with each pipeline, models with the same text once."""
    unique: dict[str, tuple[str, str | None, str | None]] = {}
    for name, path, text, digest in _models(models):
        if digest not in unique or name < unique[digest][0]:
            unique[digest] = (name, path, text)
    return [Item(digest, *model, pipeline) for digest, model in sorted(unique.items()) for pipeline in dict.fromkeys(pipelines)]


def _reproducer(item: Item, checks: Sequence[str], database: str) -> str:
    """Returns a command line that runs an item. A model without a file is written beside the database."""
    path = item.path
    if path is None:
        folder = Path(database + ".models")
        folder.mkdir(exist_ok=True)
        file = folder / f"{item.model[:16]}.relay"
        file.write_text(item.text or "", encoding="utf-8", errors="surrogateescape")
        path = str(file)
    flags = [f"-passes={item.pipeline}", *(NAMED_CHECKS[c] for c in checks if c in NAMED_CHECKS), "-disable-output"]
    return shlex.join(["relay-opt", path, *flags])


def sweep(
    models: Iterable[Model],
    pipelines: Sequence[str] | str,
    checks: Sequence[Any] = (),
    executor: Executor | None = None,
    database: str | os.PathLike[str] = "sweep.db",
    *,
    timeout: float = 60.0,
    build: str | None = None,
    workers: int | None = None,
    chunk_seconds: float = 60.0,
    progress: bool | None = None,
    retry: Iterable[str] = (),
) -> Sweep:
    """Runs each pipeline on each model that has no result in the database.

    models: files, directories of .relay and .json files, modules, or pairs of a name and a text or module.
    checks: "idempotent", "roundtrip", and functions check(before, after) that return None or True, or else a message.
    executor: a concurrent.futures.Executor; by default a process pool of `workers` processes.
    timeout: the seconds that a pipeline may take on a model.
    build: the name of the results in the database, by default that of the library.
    chunk_seconds: the seconds that one call of the executor is to take.
    progress: whether to show a bar on standard error; by default if that is a terminal.
    retry: the statuses of results that are computed anew, for instance ["timeout"].
    """
    pipelines = [pipelines] if isinstance(pipelines, str) else list(pipelines)
    for pipeline in pipelines:
        _ext.Pass(pipeline)  # raises PipelineError
    specs = [check_spec(check) for check in checks]
    name = build or build_id()
    key = ",".join(specs)
    items = _items(models, pipelines)
    with Store(database) as store:
        store.add_models(items)
        store.forget(name, key, retry)
        done = store.done(name, key)
        missing = [item for item in items if (item.model, item.pipeline) not in done]
        by_key = {(item.model, item.pipeline): item for item in missing}
        bar = Progress(len(missing), progress)

        def keep(results: list[Result]) -> None:
            commands = [
                "" if r.status == "ok" else _reproducer(by_key[r.model, r.pipeline], specs, store.path) for r in results
            ]
            store.add(name, key, zip(results, commands))
            bar.add(results)

        try:
            run_items(Chunk([], specs, timeout, build_id()), missing, executor, workers, chunk_seconds, keep)
        finally:
            bar.close()
        counts = dict.fromkeys(["ok", "failed", "crashed", "timeout"], 0)
        wanted = {(item.model, item.pipeline) for item in items}
        for row in store.rows(name):
            if row.checks == key and (row.model, row.pipeline) in wanted:
                counts[row.status] += 1
        return Sweep(store.path, name, len(items), len(missing), counts)


def _shard(text: str) -> tuple[int, int]:
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"expects I/N with 1 <= I <= N, got '{text}'")
    return int(index), int(count)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m relay_opt.sweep", description="Runs pipelines on many models.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    run = commands.add_parser("run", help="run pipelines on models")
    run.add_argument("models", nargs="*", help="files, and directories of .relay and .json files")
    run.add_argument("--models-file", metavar="FILE", help="read more names of models from this file, one a line")
    run.add_argument("--passes", action="append", required=True, metavar="PIPELINE", help="a pipeline; may be repeated")
    run.add_argument("--check", action="append", default=[], help="idempotent, roundtrip or module:function; may be repeated")
    run.add_argument("--database", default="sweep.db", metavar="FILE", help="the SQLite file of the results")
    run.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="the time of a pipeline on a model")
    run.add_argument("--jobs", type=int, metavar="N", help="the number of worker processes")
    run.add_argument("--build", metavar="NAME", help="name the results of this build in the database")
    run.add_argument("--retry", action="append", default=[], choices=["failed", "crashed", "timeout"], help="compute these results anew")
    run.add_argument("--shard", type=_shard, metavar="I/N", help="run only the I-th of N parts of the models")
    run.add_argument("--print-commands", type=int, metavar="N", help="print N commands, for GNU parallel or Slurm, and run nothing")
    dump = commands.add_parser("dump", help="print all results without times, one a line")
    dump.add_argument("database")
    merge = commands.add_parser("merge", help="add the results of other databases to the first")
    merge.add_argument("database")
    merge.add_argument("others", nargs="+")
    for name, text in [("compare", "compare two builds or pipelines"), ("trace", "record the passes of results that differ")]:
        command = commands.add_parser(name, help=text)
        command.add_argument("database")
        command.add_argument("build_a")
        command.add_argument("build_b")
        command.add_argument("--pipelines", nargs=2, metavar=("A", "B"), help="compare these pipelines")
        if name == "compare":
            command.add_argument("--html", metavar="FILE", help="write a page to this file")
    builds = commands.add_parser("builds", help="print the builds that have results")
    builds.add_argument("database")
    return parser


def _print_commands(args: argparse.Namespace) -> None:
    """Prints the commands of shards; each has a database of its own, since network file systems do not lock SQLite's."""
    fixed = [*(x for p in args.passes for x in ("--passes", p)), *(x for c in args.check for x in ("--check", c))]
    fixed += ["--timeout", f"{args.timeout:g}", *(x for r in args.retry for x in ("--retry", r))]
    fixed += ["--jobs", str(args.jobs or 1), *(["--build", args.build] if args.build else [])]
    fixed += ["--models-file", args.models_file] if args.models_file else []
    stem, suffix = os.path.splitext(args.database)
    for index in range(1, args.print_commands + 1):
        shard = ["--shard", f"{index}/{args.print_commands}", "--database", f"{stem}-{index}{suffix}"]
        print(shlex.join([sys.executable, "-m", "relay_opt.sweep", "run", *fixed, *shard, "--", *args.models]))


def _named_models(args: argparse.Namespace) -> Iterator[Model]:
    names = list(args.models)
    if args.models_file:
        names += [line for line in Path(args.models_file).read_text().splitlines() if line]
    if args.shard is None:
        yield from names
        return
    index, count = args.shard
    for name in names:
        for file in _files(Path(name)):
            if int(hashlib.sha256(file.read_bytes()).hexdigest()[:12], 16) % count == index - 1:
                yield str(file)


def _run(args: argparse.Namespace) -> int:
    if args.print_commands:
        _print_commands(args)
        return 0
    result = sweep(
        _named_models(args),
        args.passes,
        args.check,
        database=args.database,
        timeout=args.timeout,
        build=args.build,
        workers=args.jobs,
        retry=args.retry,
    )
    print(result)
    for row in result.failures():
        print(f"{row.status}: {row.name}: {(row.message.splitlines() or [''])[0]}\n  {row.reproducer}")
    return 1 if result.counts["ok"] != result.total else 0


def _compare(args: argparse.Namespace) -> int:
    found = compare(args.database, args.build_a, args.build_b, args.pipelines and tuple(args.pipelines))
    print(found, end="")
    if args.html:
        Path(args.html).write_text(found.html(), encoding="utf-8")
    return 1 if found.differences else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns its status: 1 if a result is not ok or differs, 2 for an error."""
    args = _parser().parse_args(arguments)
    try:
        if args.command == "run":
            return _run(args)
        if args.command == "compare":
            return _compare(args)
        if args.command == "trace":
            pipelines = args.pipelines and tuple(args.pipelines)
            print(f"{trace(args.database, args.build_a, args.build_b, pipelines):,} new traces")
            return 0
        if args.command != "merge" and not os.path.exists(args.database):
            raise FileNotFoundError(f"there is no database '{args.database}'")
        with Store(args.database) as store:
            if args.command == "merge":
                for other in args.others:
                    store.merge(other)
            else:
                for line in store.dump() if args.command == "dump" else store.builds():
                    print(line)
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except (OSError, ValueError) as error:
        print(f"relay_opt.sweep: {error}", file=sys.stderr)
        return 2


class _Callable(types.ModuleType):
    """This module as `relay_opt.sweep`, which is called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Sweep:
        return sweep(*args, **kwargs)


if __name__ == "__main__":
    sys.exit(main())
sys.modules[__name__].__class__ = _Callable
