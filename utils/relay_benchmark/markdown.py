"""Replaces marked sections of a page by sections of the report, so that no figure is typed by hand:

    <!-- benchmark: text -->
    …
    <!-- end -->
"""
import re

MARKED = re.compile(r"(<!-- benchmark: ([a-z-]+) -->\n).*?(<!-- end -->)", re.S)


def marks(page):
    return [match[2] for match in MARKED.finditer(page)]


def fill(page, sections):
    """Returns the page with these sections; other sections are unchanged."""
    def block(match):
        text = sections.get(match[2])
        return f"{match[1]}```\n{text}```\n{match[3]}" if text else match[0]
    return MARKED.sub(block, page)
