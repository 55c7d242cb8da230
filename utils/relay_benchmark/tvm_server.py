"""Measures TVM in process: requests and answers are lines of JSON. Runs where TVM can be imported.

`{"do": "load", "path": …}` reads a module and infers its types, `"text"` also prints it. `{"do": "pass", "name": …,
"limit": …}` applies a pass to the last module, in a fork, since passes of TVM modify their input, and may crash or
exceed the limit, in seconds. The answer has `status` (as in Sample), `seconds`, `note` and `peak_bytes`.
"""
import json
import os
import resource
import select
import signal
import sys
import time

sys.path.pop(0)  # What lies beside this file is not for TVM to import.


def plain(name):
    return "".join(letter for letter in name.lower() if letter.isalnum())


class Server:
    # Arguments of passes that do nothing without them; tools.py has the same.
    ARGUMENTS = {"etaexpand": {"expand_global_var": True}, "splitargs": {"max_function_args": 10}}

    def __init__(self):
        import tvm
        from tvm import relay
        self.tvm = tvm
        self.relay = relay
        self.passes = {plain(name): getattr(relay.transform, name) for name in dir(relay.transform)
                       if name[0].isupper() and callable(getattr(relay.transform, name))}
        self.passes["qnnlegalize"] = lambda: self.quantization("Legalize")
        self.passes["qnncanonicalize"] = lambda: self.quantization("CanonicalizeOps")
        self.passes["patterntable"] = self.partition

    def quantization(self, name):
        import tvm.relay.qnn.transform
        return getattr(self.relay.qnn.transform, name)()

    def partition(self):
        """The pattern table of dnnl, and the passes that it is for."""
        from tvm.relay.op.contrib import dnnl
        transform = self.relay.transform
        return self.tvm.transform.Sequential([
            transform.MergeComposite(dnnl.pattern_table()), transform.AnnotateTarget("dnnl"),
            transform.MergeCompilerRegions(), transform.PartitionGraph()])

    def load(self, path):
        self.module = None
        start = time.perf_counter()
        with open(path, encoding="utf-8") as file:
            self.module = self.relay.transform.InferType()(self.relay.fromtext(file.read()))
        self.load_seconds = time.perf_counter() - start
        return self.load_seconds

    def text(self, path):
        start = time.perf_counter()
        self.load(path)
        self.module.astext(show_meta_data=True)
        return time.perf_counter() - start

    def make(self, name):
        """The pass with the arguments that it needs; None if TVM has no pass of that name."""
        try:
            made = self.passes[plain(name)](**self.ARGUMENTS.get(plain(name), {}))
        except (KeyError, TypeError):
            return None
        return made if isinstance(made, self.tvm.transform.Pass) else None

    def apply(self, made):
        """Seconds that the pass takes on the module, whose types are inferred again."""
        module = self.relay.transform.InferType()(self.module)
        with self.tvm.transform.PassContext(opt_level=3):
            start = time.perf_counter()
            made(module)
            return time.perf_counter() - start

    def one_pass(self, name, limit):
        made = self.make(name)
        if made is None:
            return {"status": "absent", "note": "no such pass"}
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.write(writer, json.dumps(attempt(lambda: self.apply(made))).encode())
            os._exit(0)
        os.close(writer)
        answer = collect(child, reader, limit, self.load_seconds)
        os.close(reader)
        return answer

    def answer(self, do, **arguments):
        if do == "pass":
            return self.one_pass(**arguments)
        return attempt({"load": self.load, "text": self.text}[do], **arguments)


def attempt(call, **arguments):
    """An answer: the seconds that the call returns, or TVM's error."""
    try:
        return {"status": "ok", "seconds": call(**arguments)}
    except Exception as error:
        return {"status": "failed", "note": (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]}


def collect(child, reader, limit, before):
    """The answer of the child; if it writes none, the failure. `before`: the limit in seconds for the work before the
    limited part starts."""
    ready, _, _ = select.select([reader], [], [], limit + before)
    if not ready:
        os.kill(child, signal.SIGKILL)
    data = os.read(reader, 65536) if ready else b""
    _, status = os.waitpid(child, 0)
    if not ready:
        return {"status": "timeout", "seconds": limit, "note": f"more than {limit:g} s"}
    if not data:
        return {"status": "crashed", "note": signal.Signals(os.WTERMSIG(status)).name}
    return json.loads(data)


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # TVM may print.
    server = Server()
    print(json.dumps({"version": server.tvm.__version__}), file=out, flush=True)
    for line in sys.stdin:
        answer = server.answer(**json.loads(line))
        answer["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps(answer), file=out, flush=True)


main()
