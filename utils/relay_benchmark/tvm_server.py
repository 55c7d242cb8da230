"""Runs where TVM can be imported, and measures it in process: requests and answers are lines of JSON.

`{"do": "load", "path": …}` reads a module and infers its types, `"text"` prints it too; `{"do": "pass", "name": …}`
applies a pass to the module read last. The answer has `peak_bytes` and `seconds` (null: no such pass) or `error`.
"""
import json
import os
import resource
import sys
import time

sys.path.pop(0)  # What lies beside this file is not for TVM to import.


def plain(name):
    return "".join(letter for letter in name.lower() if letter.isalnum())


class Server:
    def __init__(self):
        import tvm
        from tvm import relay
        self.tvm = tvm
        self.relay = relay
        self.passes = {plain(name): getattr(relay.transform, name) for name in dir(relay.transform)
                       if name[0].isupper() and callable(getattr(relay.transform, name))}

    def load(self, path):
        self.module = None
        start = time.perf_counter()
        with open(path, encoding="utf-8") as file:
            self.module = self.relay.transform.InferType()(self.relay.fromtext(file.read()))
        return time.perf_counter() - start

    def text(self, path):
        start = time.perf_counter()
        self.load(path)
        self.module.astext(show_meta_data=True)
        return time.perf_counter() - start

    def make(self, name):
        """The pass that needs no arguments; None where TVM has none of that name."""
        try:
            made = self.passes[plain(name)]()
        except (KeyError, TypeError):
            return None
        return made if isinstance(made, self.tvm.transform.Pass) else None

    def one_pass(self, name):
        made = self.make(name)
        if made is None:
            return None
        with self.tvm.transform.PassContext(opt_level=3):
            start = time.perf_counter()
            made(self.module)
            return time.perf_counter() - start

    def answer(self, request):
        action = {"load": self.load, "text": self.text, "pass": self.one_pass}[request.pop("do")]
        return action(**request)


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # TVM may print.
    server = Server()
    print(json.dumps({"version": server.tvm.__version__}), file=out, flush=True)
    for line in sys.stdin:
        try:
            answer = {"seconds": server.answer(json.loads(line))}
        except Exception as error:  # Whatever TVM says is a result.
            answer = {"error": (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]}
        answer["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps(answer), file=out, flush=True)


main()
