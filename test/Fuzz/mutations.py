"""Mutations of Relay text that use its structure: tokens, numbers, attributes, types, lines, metadata, base64, nesting.

Texts are str in latin-1, so that any bytes are a text.
"""
import re

TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|[%@]?[A-Za-z_][\w.]*|[%@]\d+|-?\d[\w.+-]*|/\*|\*/|->|=>|\S", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.%@])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:[fiu]\d*)?\b")
ATTRIBUTE = re.compile(r"\b([a-z_]\w*)=(\"[^\"\n]*\"|\[[^\]\n]*\]|[\w.+-]+)")
TENSOR = re.compile(r"Tensor\[\(([^()]*)\), ([\w\[\]]+)\]")
EXPRESSION = re.compile(r"%[A-Za-z_0-9][\w.]*|\d+f?\b")
BASE64 = re.compile(r"\"[A-Za-z0-9+/]{24,}={0,2}\"")

NUMBERS = ("0", "1", "-1", "2", "3", "7", "255", "256", "1000000000", "2147483647", "-2147483648", "2147483648",
           "4294967295", "4294967296", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
           "18446744073709551615", "18446744073709551616", "1e39f", "-0f", "nanf", "inff", "1e-320f64", "1i64",
           "3000000000i64", "1f16", "1bf16", "200u8", "-1i8", "?")
DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint1", "uint8", "uint64",
          "bool", "float32x4", "handle", "void", "custom[posit]8", "int4", "float8", "T")
VALUES = ("None", "[]", "[0]", "[-1]", "[1, 1]", "[0, 0, 0, 0]", "[2147483647, 2147483647]", "[[1, 1], [1, 1]]", "\"\"",
          "\"NCHW\"", "\"OIHW\"", "\"NCHW4c\"", "\"float32\"", "\"?\"", "True", "False", "meta[relay.Constant][0]",
          "meta[VirtualDevice][0]", "1.5f", "{}") + NUMBERS
TYPES = ("()", "_", "?", "float32", "Tensor[(), bool]", "Tensor[(?, ?), float32]", "ref(Tensor[(2), float32])", "(int32,)",
         "fn (Tensor[(2), float32]) -> Tensor[(2), float32]", "fn () -> ()", "List[int32]", "meta[IncompleteType][0]",
         "Tensor[(2147483647, 2147483647), float64]", "Tensor[(0), int8]", "Tensor[(1, 3, 224, 224), float32]")
OPENING = ("(", "((", "fn () { ", "[", "{", "let %z = ", "if (True) { ", "/* ", "ref(", "(1, ", "negative(", "Tensor[(",
           "match (%x) { _ => ", "-", "fn [A] (%q: A) { ")
CLOSING = {"(": ")", "((": "))", "fn () { ": "}", "[": "]", "{": "}", "let %z = ": "; %z", "if (True) { ": "} else { 1 }",
           "/* ": " */", "ref(": ")", "(1, ": ")", "negative(": ")", "Tensor[(": "), float32]", "match (%x) { _ => ": "}",
           "-": "", "fn [A] (%q: A) { ": "}"}


def find_tokens(seeds):
    tokens = set()
    for seed in seeds:
        tokens.update(TOKEN.findall(seed))
    return sorted(token for token in tokens if len(token) < 60)


class Mutator:
    def __init__(self, random, seeds, tokens=None):
        self.random = random
        self.seeds = seeds
        self.tokens = find_tokens(seeds) if tokens is None else tokens
        self.kinds = (self.replace_token, self.drop_token, self.repeat_token, self.swap_tokens, self.change_number,
                      self.change_number, self.change_attribute, self.change_attribute, self.drop_attribute,
                      self.add_attribute, self.change_type, self.change_dtype, self.drop_line, self.repeat_line,
                      self.move_line, self.splice_line, self.splice_line, self.nest, self.change_bytes,
                      self.change_base64, self.cut, self.use_other, self.use_other)

    def mutate(self, text):
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 5))):
            text = self.random.choice(self.kinds)(text) or text
        return text

    def pick(self, pattern, text):
        """One match of `pattern`, or None."""
        matches = list(pattern.finditer(text))
        return self.random.choice(matches) if matches else None

    @staticmethod
    def put(text, match, new):
        return text[:match.start()] + new + text[match.end():]

    def replace(self, pattern, text, choices):
        match = self.pick(pattern, text)
        return match and self.put(text, match, self.random.choice(choices))

    def replace_token(self, text):
        return self.replace(TOKEN, text, self.tokens)

    def drop_token(self, text):
        return self.replace(TOKEN, text, ("",))

    def repeat_token(self, text):
        match = self.pick(TOKEN, text)
        return match and self.put(text, match, " ".join([match[0]] * self.random.choice((2, 2, 3, 200))))

    def swap_tokens(self, text):
        first, second = self.pick(TOKEN, text), self.pick(TOKEN, text)
        if not first or first.end() > second.start():
            return None
        return self.put(self.put(text, second, first[0]), first, second[0])

    def change_number(self, text):
        return self.replace(NUMBER, text, NUMBERS)

    def change_attribute(self, text):
        match = self.pick(ATTRIBUTE, text)
        return match and self.put(text, match, f"{match[1]}={self.random.choice(VALUES)}")

    def drop_attribute(self, text):
        match = self.pick(re.compile(r", [a-z_]\w*=(?:\"[^\"\n]*\"|\[[^\]\n]*\]|[\w.+-]+)"), text)
        return match and self.put(text, match, "")

    def add_attribute(self, text):
        """An attribute of another seed, with its value or another."""
        match = self.pick(re.compile(r"(?<=[\w\]\"}])\)"), text)
        other = self.pick(ATTRIBUTE, self.random.choice(self.seeds))
        if not match or not other:
            return None
        value = self.random.choice((other[2], self.random.choice(VALUES)))
        return self.put(text, match, f", {other[1]}={value})")

    def change_type(self, text):
        return self.replace(TENSOR, text, TYPES)

    def change_dtype(self, text):
        match = self.pick(TENSOR, text)
        return match and self.put(text, match, f"Tensor[({match[1]}), {self.random.choice(DTYPES)}]")

    def change_lines(self, text, change):
        lines = text.split("\n")
        change(lines, self.random.randrange(len(lines)))
        return "\n".join(lines)

    def drop_line(self, text):
        return self.change_lines(text, lambda lines, at: lines.pop(at))

    def repeat_line(self, text):
        return self.change_lines(text, lambda lines, at: lines.insert(at, lines[at]))

    def move_line(self, text):
        return self.change_lines(text, lambda lines, at: lines.insert(self.random.randrange(len(lines)), lines.pop(at)))

    def splice_line(self, text):
        other = self.random.choice(self.random.choice(self.seeds).split("\n"))
        return self.change_lines(text, lambda lines, at: lines.insert(at, other))

    def nest(self, text):
        match = self.pick(EXPRESSION, text)
        if not match:
            return None
        opening = self.random.choice(OPENING)
        depth = self.random.choice((1, 1, 2, 5, 50, 1100, 12000))
        return self.put(text, match, opening * depth + match[0] + CLOSING[opening] * depth)

    def use_other(self, text):
        """Replaces a variable, global or number by another one of the text."""
        pattern = re.compile(r"[%@][\w.]+")
        other = self.pick(pattern, text)
        return other and self.replace(pattern, text, (other[0],))

    def change_bytes(self, text):
        at = self.random.randrange(len(text) + 1)
        return text[:at] + chr(self.random.randrange(256)) + text[at + self.random.randrange(2):]

    def change_base64(self, text):
        match = self.pick(BASE64, text)
        if not match:
            return None
        at = match.start() + 1 + self.random.randrange(len(match[0]) - 2)
        new = self.random.choice(("A", "/", "=", "*", "", "AAAA", "////", "\\n"))
        return text[:at] + new + text[at + 1:]

    def cut(self, text):
        at = self.random.randrange(len(text) + 1)
        return text[:at] if self.random.randrange(2) else text[at:]
