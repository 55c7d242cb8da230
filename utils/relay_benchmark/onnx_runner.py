"""Evaluates a model of utils/relay-models with onnxruntime, without graph optimizations, and prints a line of JSON on
standard error: `seconds`, the time of each run. Runs where onnxruntime and onnx can be imported.

    onnx_runner.py MODEL.relay PARAMETERS IMAGE.npy THREADS RUNS [OUTPUT.npy]

The model is translated line by line, with a node for each binding. PARAMETERS is TVM's parameter dictionary, as written
by relay-opt's -save-params. IMAGE is the value of @main's first parameter.
"""
import json
import re
import struct
import sys
import time

sys.path.pop(0)  # What lies beside this file is not for onnx to import.

BINDING = re.compile(r"^  (?:(%\d+) = )?([\w.]+)\((.*?)\);?$")
PROJECTION = re.compile(r"^  (%\d+) = (%\d+)\.0;$")
ARGUMENT = re.compile(r"\s*(?:(\w+)=)?(\[[^]]*\]|[^,]+),?")


def integers(text):
    return [int(number) for number in re.findall(r"-?\d+", text)]


def windows(attributes):
    found = {"strides": integers(attributes.get("strides", "[1, 1]")),
             "pads": integers(attributes.get("padding", "[0, 0, 0, 0]"))}
    dilations = integers(attributes.get("dilation", ""))
    return {**found, "dilations": dilations} if dilations else found


def conv2d(attributes):
    return "Conv", {**windows(attributes), "kernel_shape": integers(attributes["kernel_size"]),
                    "group": int(attributes.get("groups", "1"))}


def max_pool2d(attributes):
    return "MaxPool", {**windows(attributes), "kernel_shape": integers(attributes["pool_size"])}


def batch_norm(attributes):
    return "BatchNormalization", {"epsilon": float(attributes.get("epsilon", "1e-5f").rstrip("f"))}


# The ONNX node and attributes for each operator with its attributes.
OPERATORS = {
    "nn.conv2d": conv2d,
    "nn.max_pool2d": max_pool2d,
    "nn.batch_norm": batch_norm,
    "nn.relu": lambda _: ("Relu", {}),
    "add": lambda _: ("Add", {}),
    "nn.bias_add": lambda _: ("Add", {}),
    "nn.global_avg_pool2d": lambda _: ("GlobalAveragePool", {}),
    "nn.batch_flatten": lambda _: ("Flatten", {}),
    "nn.dense": lambda _: ("Gemm", {"transB": 1}),
    "nn.softmax": lambda _: ("Softmax", {"axis": -1}),
}


def parameters(path):
    """Arrays by name, from a parameter dictionary that holds float32."""
    import numpy
    with open(path, "rb") as file:
        def word():
            return struct.unpack("<Q", file.read(8))[0]
        file.seek(16)  # The magic number and a reserved one.
        names = [file.read(word()).decode() for _ in range(word())]
        arrays = {}
        for name in names[:word()]:
            file.seek(24, 1)  # As above, and the device.
            rank, _ = struct.unpack("<iI", file.read(8))
            shape = struct.unpack(f"<{rank}q", file.read(8 * rank))
            arrays[name] = numpy.frombuffer(file.read(word()), numpy.float32).reshape(shape)
        return arrays


class Translation:
    """`arrays`: the values of the parameters, by name."""

    def __init__(self, arrays):
        self.arrays = arrays
        self.nodes = []
        self.names = {}

    def operand(self, text):
        name = text.removeprefix("%")
        return self.names.get(text, name)

    def line(self, text):
        from onnx import helper
        if projection := PROJECTION.match(text):
            self.names[projection[1]] = self.operand(projection[2])
        elif binding := BINDING.match(text):
            result, operator, arguments = binding.groups()
            found = ARGUMENT.findall(arguments)
            operands = [self.operand(value) for key, value in found if not key]
            attributes = {key: value for key, value in found if key}
            if attributes.get("scale") == "False":
                self.arrays[operands[1]] = self.arrays[operands[1]] * 0 + 1
            kind, converted = OPERATORS[operator](attributes)
            name = "v" + (result or "%result").removeprefix("%")
            self.names[result] = name
            self.nodes.append(helper.make_node(kind, operands, [name], **converted))

    def model(self, data):
        from onnx import TensorProto, helper, numpy_helper
        constants = [numpy_helper.from_array(array, name) for name, array in self.arrays.items() if name != data]
        inputs = [helper.make_tensor_value_info(data, TensorProto.FLOAT, self.arrays[data].shape)]
        outputs = [helper.make_tensor_value_info("vresult", TensorProto.FLOAT, None)]
        graph = helper.make_graph(self.nodes, "main", inputs, outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def session(model, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def main(relay, dictionary, image, threads, runs, output=None):
    import numpy
    with open(relay, encoding="utf-8") as file:
        lines = file.read().splitlines()
    data = re.search(r"@main\(%(\w+)", "\n".join(lines))[1]
    translation = Translation({data: numpy.load(image), **parameters(dictionary)})
    for line in lines:
        translation.line(line)
    runner = session(translation.model(data).SerializeToString(), int(threads))
    seconds = []
    for _ in range(int(runs)):
        start = time.perf_counter()
        result = runner.run(None, {data: translation.arrays[data]})
        seconds.append(time.perf_counter() - start)
    if output:
        numpy.save(output, result[0])
    print(json.dumps({"seconds": seconds}), file=sys.stderr)


main(*sys.argv[1:])
