# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The database of sweeps, an SQLite file."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import Any, Iterable, Iterator, NamedTuple

from .work import Item, Result

__all__ = ["Row", "Store"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (hash TEXT PRIMARY KEY, name TEXT NOT NULL, path TEXT, text TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
  build TEXT NOT NULL, pipeline TEXT NOT NULL, model TEXT NOT NULL, checks TEXT NOT NULL,
  status TEXT NOT NULL, message TEXT NOT NULL, changed TEXT NOT NULL, output TEXT NOT NULL,
  reproducer TEXT NOT NULL, seconds REAL NOT NULL,
  PRIMARY KEY (build, pipeline, model, checks)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS traces (
  build TEXT NOT NULL, pipeline TEXT NOT NULL, model TEXT NOT NULL, steps TEXT NOT NULL,
  PRIMARY KEY (build, pipeline, model)) WITHOUT ROWID;
"""


class Row(NamedTuple):
    """A result with the name of its model and its reproducer."""

    build: str
    pipeline: str
    model: str
    name: str
    checks: str
    status: str
    message: str
    changed: dict[str, list[int]]
    output: str
    reproducer: str
    seconds: float


class Store:
    """An open database. Each write is one transaction."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        self.connection = sqlite3.connect(self.path, timeout=60)
        with self.connection:
            self.connection.executescript(_SCHEMA)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: Any) -> None:
        self.connection.close()

    def add_models(self, items: Iterable[Item]) -> None:
        """Adds models; of those with the same text, the first name in order of the alphabet stays."""
        rows = {item.model: (item.model, item.name, item.path, item.text) for item in items}
        with self.connection:
            self.connection.executemany(
                "INSERT INTO models VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET name = excluded.name,"
                " path = excluded.path, text = excluded.text WHERE excluded.name < name",
                rows.values(),
            )

    def done(self, build: str, checks: str) -> set[tuple[str, str]]:
        """Returns the models and pipelines that have a result."""
        query = "SELECT model, pipeline FROM results WHERE build = ? AND checks = ?"
        return set(self.connection.execute(query, (build, checks)))

    def forget(self, build: str, checks: str, statuses: Iterable[str]) -> None:
        """Removes the results with these statuses."""
        with self.connection:
            self.connection.executemany(
                "DELETE FROM results WHERE build = ? AND checks = ? AND status = ?", [(build, checks, s) for s in statuses]
            )

    def add(self, build: str, checks: str, results: Iterable[tuple[Result, str]]) -> None:
        """Adds results and their reproducers."""
        rows = [
            (build, r.pipeline, r.model, checks, r.status, r.message, json.dumps(r.changed, sort_keys=True), r.output, reproducer, r.seconds)
            for r, reproducer in results
        ]
        with self.connection:
            self.connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def rows(self, build: str | None = None, statuses: Iterable[str] | None = None) -> Iterator[Row]:
        """Yields results in the order of their keys."""
        query = (
            "SELECT build, pipeline, model, COALESCE(name, ''), checks, status, message, changed, output, reproducer, seconds"
            " FROM results LEFT JOIN models ON model = hash WHERE (?1 IS NULL OR build = ?1)"
            " ORDER BY build, pipeline, model, checks"
        )
        wanted = None if statuses is None else set(statuses)
        for row in self.connection.execute(query, (build,)):
            if wanted is None or row[5] in wanted:
                build_name, pipeline, model, name, checks, status, message, changed, output, reproducer, seconds = row
                counts = json.loads(changed)
                yield Row(build_name, pipeline, model, name, checks, status, message, counts, output, reproducer, seconds)

    def builds(self) -> list[str]:
        """Returns the builds that have results."""
        return [row[0] for row in self.connection.execute("SELECT DISTINCT build FROM results ORDER BY build")]

    def item(self, model: str, pipeline: str) -> Item | None:
        """Returns a model of the database with a pipeline."""
        row = self.connection.execute("SELECT hash, name, path, text FROM models WHERE hash = ?", (model,)).fetchone()
        return None if row is None else Item(row[0], row[1], row[2], row[3], pipeline)

    def trace(self, build: str, pipeline: str, model: str) -> list[list[str]] | None:
        query = "SELECT steps FROM traces WHERE build = ? AND pipeline = ? AND model = ?"
        row = self.connection.execute(query, (build, pipeline, model)).fetchone()
        return None if row is None else json.loads(row[0])

    def add_trace(self, build: str, pipeline: str, model: str, steps: list[list[str]]) -> None:
        with self.connection:
            self.connection.execute("INSERT OR REPLACE INTO traces VALUES (?, ?, ?, ?)", (build, pipeline, model, json.dumps(steps)))

    def merge(self, other: str) -> None:
        """Adds what another database holds."""
        if not os.path.exists(other):
            raise FileNotFoundError(f"there is no database '{other}'")
        self.connection.execute("ATTACH ? AS other", (other,))
        try:
            with self.connection:
                for table in ("models", "results", "traces"):
                    self.connection.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM other.{table}")
        finally:
            self.connection.execute("DETACH other")

    def dump(self) -> Iterator[str]:
        """Yields all results as lines of JSON, without times: equal sweeps have equal lines."""
        for row in self.rows():
            entry = row._asdict()
            del entry["seconds"]
            yield json.dumps(entry, sort_keys=True, ensure_ascii=False)
