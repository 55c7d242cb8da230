"""Evaluation of networks by relay-run, beside onnxruntime, graph optimizations off, and TVM: the programs."""
import array
import json
import random
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from . import graphs
from .process import Sample, run

NETWORKS = ("resnet-18", "resnet-50")
IMAGE = (1, 3, 224, 224)
RUNS_IN_PROCESS = 5  # Of onnxruntime, which is started for each sample.


class Network(NamedTuple):
    """A model, its parameters as TVM's dictionary, and an image."""
    name: str
    relay: str
    parameters: str
    image: str


def write_image(path):
    """Float32 in [-1, 1), as numpy.save would."""
    size = 1
    for extent in IMAGE:
        size *= extent
    header = repr({"descr": "<f4", "fortran_order": False, "shape": IMAGE})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    generator = random.Random(1)
    elements = array.array("f", (generator.uniform(-1, 1) for _ in range(size)))
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + elements.tobytes())


def network(name, relay_opt, folder):
    relay = graphs.network(name, folder).relay
    parameters, image = Path(folder, f"{name}.params"), Path(folder, "image.npy")
    subprocess.run([relay_opt, relay, "-params=random:1", f"-save-params={parameters}", "-o", "/dev/null"], check=True)
    write_image(image)
    return Network(name, relay, str(parameters), str(image))


class RelayRun:
    name = "relay-run"

    def __init__(self, path, limits):
        self.path = path
        self.limits = limits

    def command(self, model, threads):
        return [self.path, model.relay, f"-params={model.parameters}", f"-input=data={model.image}",
                f"-threads={threads}"]

    def whole(self, model, threads):
        return run(self.command(model, threads), self.limits)[0]

    def kernels(self, model, threads):
        sample, errors = run([*self.command(model, threads), "-time-ops"], self.limits)
        if sample.status != "ok":
            return sample
        time, unit = re.search(r"Total Execution Time: ([\d.]+) (s|ms|us) in", errors).groups()
        return sample._replace(seconds=float(time) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit])


class OnnxRuntime:
    """Runs under a Python that imports onnxruntime and onnx."""
    name = "onnxruntime"

    def __init__(self, python, limits):
        """Raises OSError if they cannot be imported."""
        self.path = python
        self.limits = limits
        found = subprocess.run([python, "-c", "import onnx, onnxruntime; print(onnxruntime.__version__)"],
                               capture_output=True, text=True)
        if found.returncode:
            raise OSError(f"{python} cannot import onnxruntime and onnx")
        self.version = found.stdout.strip()

    def kernels(self, model, threads):
        """The best of some runs in one process."""
        script = Path(__file__).with_name("onnx_runner.py")
        sample, errors = run([self.path, str(script), model.relay, model.parameters, model.image, str(threads),
                              str(RUNS_IN_PROCESS)], self.limits)
        if sample.status != "ok":
            return sample
        return sample._replace(seconds=min(json.loads(errors.splitlines()[-1])["seconds"]))


class TvmRun:
    """TVM's compiler and executor, under the oracle's Python."""
    name = "TVM"

    def __init__(self, python, limits):
        self.path = str(python)
        self.limits = limits

    def whole(self, model):
        script = Path(__file__).with_name("tvm_runner.py")
        return run([self.path, str(script), model.relay, model.parameters, model.image], self.limits)[0]
