"""Weaves mutants into a source: the text with every mutant behind its switch, on the same lines as before."""
from .mutants import Span

PROLOGUE = b'#include "%s"\n#line 1\n'


class Weaver:
    def __init__(self, source, mutants):
        self.source = source
        self.mutants = sorted(mutants, key=lambda mutant: (mutant.span.start, -mutant.span.end))

    def render(self, span, mutants):
        """The text of `span` with `mutants`, which lie within it, outermost first."""
        text, position, rest = b"", span.start, list(mutants)
        while rest:
            outer = rest.pop(0)
            inner = []
            while rest and rest[0].span.start < outer.span.end:
                inner.append(rest.pop(0))
            text += self.source[position:outer.span.start] + self.render_mutant(outer, inner)
            position = outer.span.end
        return text + self.source[position:span.end]

    def render_mutant(self, mutant, inner):
        """The replacement of one mutant. Only the first copy of a span keeps its line breaks, so that lines keep their
        numbers. A mutant outside of all spans is dropped."""
        text, position = b"", mutant.span.start
        for part in mutant.parts:
            if isinstance(part, str):
                text += part.replace("{on}", f"::relay_mutate::on({mutant.number})").encode()
                continue
            copy = self.render(part, [other for other in inner if part.contains(other.span)])
            if part.start >= position:
                text += b"\n" * self.source[position:part.start].count(b"\n")
                position = part.end
            else:
                copy = copy.replace(b"\n", b" ")
            text += copy
        return text + b"\n" * self.source[position:mutant.span.end].count(b"\n")

    def weave(self, header):
        return PROLOGUE % header.encode() + self.render(Span(0, len(self.source)), self.mutants)


def weave(source, mutants, header):
    """The bytes of `source` with `mutants` of it; `header` is the path of runtime.h."""
    return Weaver(source, mutants).weave(header)
