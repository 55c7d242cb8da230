"""Runs relay-opt on damaged texts; each must give exit status 0, or 1 with a line that has 'error:'.

usage: bad-input.py RELAY-OPT MODEL

The texts: MODEL cut off at every byte, MODEL with bytes changed, dropped and doubled, deep nesting of everything that
nests, and bytes without sense. All are made from fixed seeds.
"""
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

DEEP = 100_000


def damaged(model):
    yield from ((f"cut at byte {i}", model[:i]) for i in range(len(model)))
    rng = random.Random(1)
    for n in range(400):
        text = bytearray(model)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            kind = rng.randrange(3)
            if kind == 0:
                text[at] = rng.randrange(256)
            elif kind == 1:
                del text[at : at + rng.randrange(1, 20)]
            else:
                text[at:at] = text[at : at + rng.randrange(1, 40)]
        yield f"mutation {n}", bytes(text)


def nested():
    head = b'#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) {\n  '
    for name, opening, closing in [
        ("parentheses", b"(", b")"),
        ("calls", b"nn.relu(", b")"),
        ("tuples", b"(%x, ", b")"),
        ("closures", b"fn () { ", b" }"),
        ("conditions", b"if (True) { ", b" } else { %x }"),
        ("lets as values", b"let %a = ", b"; %a"),
        ("references", b"ref(", b")"),
        ("attributes", b"reshape(%x, newshape=" + b"[", b"]"),
        ("comments", b"/* ", b" */"),
    ]:
        yield f"open {name}", head + opening * DEEP
        yield f"deep {name}", head + opening * DEEP + b"%x" + closing * DEEP + b"\n}\n"
    yield "deep types", head[:-3].replace(b"Tensor[(2), float32]", b"(" * DEEP) + b"%x }"
    yield "deep function types", b"def @f(%x: " + b"fn (" * DEEP
    yield "minus signs", head + b"-" * DEEP


def noise():
    rng = random.Random(2)
    for n in range(100):
        yield f"noise {n}", rng.randbytes(rng.randrange(1, 2000))
        words = [b"def", b"@main", b"(", b")", b"{", b"}", b"%0", b"=", b";", b"let", b"fn", b"match", b"[", b"]", b"%x",
                 b"meta[relay.Constant][0]", b"#[metadata]", b'{"root": 1}', b"type", b"->", b",", b"1f", b'"', b"/*"]
        yield f"words {n}", b" ".join(rng.choice(words) for _ in range(rng.randrange(1, 300)))


def run(tool, text):
    return subprocess.run([tool, "-"], input=text, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)


def check(tool, name, text):
    """What is wrong with the answer to `text`, or None."""
    try:
        answer = run(tool, text)
    except subprocess.TimeoutExpired:
        return f"{name}: no answer in a minute"
    if answer.returncode == 0 or (answer.returncode == 1 and b"error:" in answer.stderr):
        return None
    return f"{name}: exit status {answer.returncode}: {answer.stderr[-300:].decode(errors='replace')}"


def main():
    tool, model = sys.argv[1], open(sys.argv[2], "rb").read()
    texts = [*damaged(model), *nested(), *noise()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [w for w in pool.map(lambda t: check(tool, *t), texts) if w]
    print(*wrong, f"{len(texts)} texts, {len(wrong)} answered wrongly", sep="\n")
    return 1 if wrong else 0


sys.exit(main())
