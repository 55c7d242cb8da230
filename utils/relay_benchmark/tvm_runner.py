"""Runs where TVM can be imported: compiles a model for this machine's processor and evaluates it once.

    tvm_runner.py MODEL.relay PARAMETERS IMAGE.npy [OUTPUT.npy]
"""
import sys

sys.path.pop(0)  # What lies beside this file is not for TVM to import.


def main(relay_path, parameters, image, output=None):
    import numpy
    import tvm
    from tvm import relay
    from tvm.contrib import graph_executor
    with open(relay_path, encoding="utf-8") as file:
        module = relay.fromtext(file.read())
    with open(parameters, "rb") as file:
        values = relay.load_param_dict(file.read())
    # With an explicit history, TVM does not search for one in the network.
    with tvm.autotvm.apply_history_best([]), tvm.transform.PassContext(opt_level=3):
        built = relay.build(module, target="llvm", params=values)
    executor = graph_executor.GraphModule(built["default"](tvm.cpu()))
    executor.set_input("data", numpy.load(image))
    executor.run()
    result = executor.get_output(0).numpy()
    if output:
        numpy.save(output, result)


main(*sys.argv[1:])
