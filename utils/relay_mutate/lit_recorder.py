"""Runs inside lit, in the scratch copy: enables a mutant and records what each test reached.

The scratch copy's test/lit.cfg.py ends with `install(config)`. From the environment of lit itself:

| variable | holds |
| --- | --- |
| RELAY_MUTANT | the number of the mutant that is on |
| RELAY_MUTATE_RECORD | a folder: each test leaves NAME.reached and NAME.result there, `/` of its name as `,` |
| RELAY_MUTATE_SIZE | the bytes of NAME.reached |
| RELAY_MUTATE_SECONDS | the processor time that each process of a test has |
"""
import json
import math
import os
import resource
from pathlib import Path


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limit_processes(seconds):
    """Limits the processor time of processes started from now on to `seconds`. This process gets them in addition to
    its past use."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used.ru_utime + used.ru_stime) + seconds, hard))


class RecordingFormat:
    """A test format around another."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def __getstate__(self):
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)

    def execute(self, test, lit_config):
        environment = test.config.environment
        if "RELAY_MUTANT" in os.environ:
            environment["RELAY_MUTANT"] = os.environ["RELAY_MUTANT"]
        if "RELAY_MUTATE_SECONDS" in os.environ:
            limit_processes(int(os.environ["RELAY_MUTATE_SECONDS"]))
        folder = os.environ.get("RELAY_MUTATE_RECORD")
        if not folder:
            return self.inner.execute(test, lit_config)
        name = "/".join(test.path_in_suite)
        stem = os.path.join(folder, name.replace("/", ","))
        Path(stem + ".reached").write_bytes(bytes(int(os.environ["RELAY_MUTATE_SIZE"])))
        environment["RELAY_MUTANTS_REACHED"] = stem + ".reached"
        before = processor_seconds()
        result = self.inner.execute(test, lit_config)
        code = result[0] if isinstance(result, tuple) else result.code
        Path(stem + ".result").write_text(json.dumps(
            {"name": name, "code": code.name, "seconds": processor_seconds() - before}))
        return result


def install(config):
    config.test_format = RecordingFormat(config.test_format)
