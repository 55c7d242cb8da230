#!/usr/bin/env python3
"""Checks JSON against a JSON Schema, of which it knows what ours use.

usage: validate.py SCHEMA FILE. One line per violation on standard error; exit status 1 when there is any.
"""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
IGNORED = {"$schema", "$defs", "title", "description"}


class Validator:
    def __init__(self, schema):
        self.schema = schema
        self.errors = []

    def expect(self, good, path, message):
        if not good:
            self.errors.append(f"{path}: {message}")
        return good

    def check(self, value, schema, path="$"):
        for keyword, argument in schema.items():
            if keyword not in IGNORED:
                getattr(self, "check_" + keyword.strip("$"))(value, argument, schema, path)

    def check_ref(self, value, name, _, path):
        self.check(value, self.schema["$defs"][name.removeprefix("#/$defs/")], path)

    def check_type(self, value, name, _, path):
        self.expect(isinstance(value, TYPES[name]) and isinstance(value, bool) == (name == "boolean"), path, f"is no {name}")

    def check_const(self, value, constant, _, path):
        self.expect(value == constant, path, f"is not {constant!r}")

    def check_enum(self, value, known, _, path):
        self.expect(value in known, path, f"is none of {known}")

    def check_minimum(self, value, least, _, path):
        self.expect(value >= least, path, f"is less than {least}")

    def check_pattern(self, value, pattern, _, path):
        self.expect(re.search(pattern, value), path, f"does not match {pattern}")

    def check_required(self, value, names, _, path):
        for name in names:
            self.expect(name in value, path, f"has no {name}")

    def check_properties(self, value, properties, _, path):
        for name, schema in properties.items():
            if name in value:
                self.check(value[name], schema, f"{path}.{name}")

    def check_additionalProperties(self, value, schema, whole, path):
        for name in value.keys() - whole.get("properties", {}).keys():
            if schema is False:
                self.expect(False, path, f"has the unknown {name}")
            else:
                self.check(value[name], schema, f"{path}.{name}")

    def check_items(self, value, schema, _, path):
        for index, item in enumerate(value):
            self.check(item, schema, f"{path}[{index}]")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    schema, value = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
    validator = Validator(schema)
    validator.check(value, schema)
    for error in validator.errors:
        print(error, file=sys.stderr)
    return 1 if validator.errors else 0


if __name__ == "__main__":
    sys.exit(main())
