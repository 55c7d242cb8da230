"""Shared by scripts that ask the reference: loading each other, and a worker process that answers many questions."""
import importlib.util, json, os, signal, subprocess, sys


def load_script(path):
    spec = importlib.util.spec_from_file_location(path.stem.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def serve(answer, seconds=60):
    """Prints answer(*question) for each question of standard input, one line of JSON each. A child that has imported
    TVM computes the answer: if it crashes or exceeds the time limit, the answer is null, and the next child
    continues."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the reference prints is no answer
    while True:
        child = os.fork()
        if not child:
            for line in iter(sys.stdin.readline, ""):
                signal.alarm(seconds)
                print(json.dumps(answer(*json.loads(line))), file=answers, flush=True)
                signal.alarm(0)
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            return
        print("null", file=answers, flush=True)


class Reference:
    """A process of `script --worker --shared SHARED`, which calls serve() where TVM can be imported."""

    def __init__(self, script, shared):
        argv = [str(shared / "oracle" / "python"), str(script), "--worker", "--shared", str(shared)]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, *question):
        """The answer, or None where the reference crashed."""
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
