"""Finds candidates for mutants in a C++ source, with tree-sitter."""
import re

import tree_sitter
import tree_sitter_cpp

from .mutants import Mutant, Span

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))

OTHER_OPERATOR = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
# Nodes whose subtrees are not evaluated at run time.
NOT_EVALUATED = {"static_assert_declaration", "template_argument_list", "template_parameter_list", "enumerator",
                 "array_declarator", "bitfield_clause", "decltype", "sizeof_expression", "alignof_expression",
                 "attribute_declaration", "attribute_specifier", "noexcept", "requires_clause", "preproc_include",
                 "preproc_def", "preproc_function_def", "string_literal", "comment"}
# Macros without code in a release build, or whose arguments are not expressions.
MACRO = re.compile(r"^(assert|llvm_unreachable|[A-Z][A-Z0-9_]+)$")
INTEGER = re.compile(r"^\d[\d']*[uUlL]*$")
# Text that a copy must not contain, since copies are written on one line.
NOT_COPIED = re.compile(rb'//|/\*|^\s*#|R"', re.M)
# The value of an early return, by the text of the function's type.
RETURNED = {"void": [""], "LogicalResult": ["::llvm::success()"], "ParseResult": ["::llvm::success()"],
            "Error": ["::llvm::Error::success()"], "bool": ["false", "true"]}
# Early returns are inserted before these statements only; most places would precede other statements.
STATEMENTS = {"if_statement", "for_statement", "for_range_loop", "while_statement", "switch_statement", "declaration"}
# Nodes whose type cannot be named (C++17 has no lambda in decltype), or that have none.
NOT_SWAPPED = {"initializer_list", "lambda_expression"}


def span_of(node):
    return Span(node.start_byte, node.end_byte)


def is_constexpr(node):
    return any(child.type == "type_qualifier" and child.text == b"constexpr" or child.type == "constexpr"
               for child in node.children)


class Finder:
    """Collects the candidates of one source in `mutants`."""

    def __init__(self, path, source, lines):
        self.path = path
        self.source = source
        self.lines = lines
        self.mutants = []

    def find(self):
        stack = [(PARSER.parse(self.source).root_node, None, False)]
        while stack:
            node, function, in_body = stack.pop()
            if node.type in NOT_EVALUATED or self.is_macro_call(node) or (node.type == "declaration" and is_constexpr(node)):
                continue
            if node.type in ("function_definition", "lambda_expression"):
                function, in_body = node, False
            if in_body and not node.has_error:
                self.visit(node, function)
            for child in node.children:
                if node.type == "case_statement" and child == node.child_by_field_name("value"):
                    continue
                stack.append((child, function, in_body or node.type in ("compound_statement", "field_initializer_list")))
        return self.mutants

    @staticmethod
    def is_macro_call(node):
        return node.type == "call_expression" and bool(MACRO.match(node.child_by_field_name("function").text.decode()))

    def visit(self, node, function):
        if node.type == "binary_expression":
            self.change_operator(node, function)
        elif node.type == "number_literal":
            self.change_number(node, function)
        elif node.type == "expression_statement":
            self.drop_statement(node, function)
        elif node.type == "call_expression":
            self.swap_arguments(node, function)
        if node.type in ("if_statement", "while_statement", "do_statement", "for_statement", "conditional_expression"):
            self.negate_condition(node, function)
        if node.type in STATEMENTS and node.parent.type == "compound_statement":
            self.return_early(node, function)

    def add(self, node, function, change, parts):
        line, last_line = node.start_point[0] + 1, node.end_point[0] + 1
        if line not in self.lines:
            return
        copied = [part for index, part in enumerate(parts) if part in parts[:index]]
        if any(isinstance(part, Span) and NOT_COPIED.search(self.source[part.start:part.end]) for part in copied):
            return
        self.mutants.append(Mutant(self.path, span_of(node), line, last_line, self.name_of(function), change, parts))

    def quote(self, text):
        text = " ".join(text.decode(errors="replace").split())
        return f"`{text if len(text) <= 100 else text[:97] + '...'}`"

    @staticmethod
    def name_of(function):
        while function and function.type == "lambda_expression":
            function = function.parent
            while function and function.type not in ("function_definition", "lambda_expression"):
                function = function.parent
        declarator = function and function.child_by_field_name("declarator")
        while declarator and declarator.type != "function_declarator":
            inner = declarator.child_by_field_name("declarator")
            declarator = inner or next((c for c in declarator.children if c.type.endswith("declarator")), None)
        name = declarator and declarator.child_by_field_name("declarator")
        return " ".join(name.text.decode().split()) if name else ""

    def change_operator(self, node, function):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator").text.decode()
        other = OTHER_OPERATOR.get(operator)
        if not other:
            return
        a, b = span_of(left), span_of(right)
        self.add(node, function, f"{self.quote(node.text)}: `{operator}` -> `{other}`",
                 ["({on} ? (", a, f") {other} (", b, ") : (", a, f") {operator} (", b, "))"])
        if operator in ("&&", "||"):
            # Without an operand, its value is the one that leaves the decision to the other.
            neutral = "{on} ||" if operator == "&&" else "!{on} &&"
            for dropped in (left, right):
                self.add(dropped, function, f"drop `{operator}` operand {self.quote(dropped.text)}",
                         [f"({neutral} static_cast<bool>(", span_of(dropped), "))"])

    def change_number(self, node, function):
        text = node.text.decode()
        if not INTEGER.match(text):
            return
        for operator in ["+"] if text[0] == "0" else ["+", "-"]:
            self.add(node, function, f"`{text}` -> `{text} {operator} 1` in {self.quote(node.parent.text)}",
                     [f"({{on}} ? {text} {operator} 1 : {text})"])

    def drop_statement(self, node, function):
        expression = node.named_children[0] if node.named_children else None
        if expression is None or expression.type not in ("call_expression", "assignment_expression", "update_expression"):
            return
        if not self.is_macro_call(expression):
            self.add(node, function, f"drop {self.quote(node.text)}", ["{ if (!{on}) ", span_of(node), " }"])

    def swap_arguments(self, node, function):
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if arguments.type != "argument_list":
            return
        inputs = [child for child in arguments.named_children if child.type != "comment"]
        for first, second in zip(inputs, inputs[1:]):
            if first.text == second.text or NOT_SWAPPED & {first.type, second.type}:
                continue
            a, b = span_of(first), span_of(second)
            head, between = Span(callee.start_byte, a.start), Span(a.end, b.start)
            tail = Span(b.end, node.end_byte)
            # The original call comes first, so that its line breaks remain.
            self.add(node, function, f"swap {self.quote(first.text)} and {self.quote(second.text)} in "
                     f"{self.quote(node.text)}",
                     ["(!{on} ? ", head, a, between, b, tail, " : (::relay_mutate::alike<decltype((", a, ")), decltype((",
                      b, "))>(), ", head, b, between, a, tail, "))"])

    def negate_condition(self, node, function):
        condition = node.child_by_field_name("condition")
        if condition is None or any(child.type == "constexpr" for child in node.children):
            return
        if condition.type == "condition_clause":
            condition = condition.child_by_field_name("value")
        if condition is None or condition.type.endswith("declaration"):
            return
        self.add(condition, function, f"negate {self.quote(condition.text)}",
                 ["({on} != static_cast<bool>(", span_of(condition), "))"])

    def return_early(self, node, function):
        if function.type != "function_definition":
            return
        result = function.child_by_field_name("type")
        declarator = function.child_by_field_name("declarator")
        if result is not None and (declarator is None or declarator.type != "function_declarator"):
            return  # a pointer or reference
        for value in RETURNED.get(result.text.decode(), ["{}"]) if result else [""]:
            returned = f"return {value}".strip()
            self.add(node, function, f"`{returned};` before {self.quote(node.text)}",
                     [f"if ({{on}}) {returned}; ", span_of(node)])


def find_places(path, source, lines):
    """The candidates of `source`, bytes, that begin on `lines`, a set of line numbers."""
    return Finder(path, source, lines).find()
