"""Checks the tables of -time-passes and the JSON of -time-passes-format=json on standard input: that times are sums of
what they are of, to the last digit but one, and that rows are in order."""
import json
import re
import sys


def check(condition, what):
    if not condition:
        sys.exit(f"wrong: {what}")


def check_table(lines):
    rows = []
    for line in lines:
        if cells := re.findall(r"(\d+\.\d{6}) \( *(\d+\.\d)%\)", line):
            rows.append([(float(time), float(share)) for time, share in cells])
    rows, total = rows[:-1], rows[-1]
    check(len(rows) > 2, "number of rows")
    walls = [row[-1][0] for row in rows]
    check(walls == sorted(walls, reverse=True), "order of rows")
    for column in range(4):
        check(abs(sum(row[column][0] for row in rows) - total[column][0]) < 1e-5, f"sum of column {column}")
        for row in rows if total[column][0] > 1e-4 else []:
            expected = 100 * row[column][0] / total[column][0]
            check(abs(row[column][1] - expected) < 5, f"share in column {column}")
    for user, system, both, _ in rows + [total]:
        check(abs(user[0] + system[0] - both[0]) < 1e-5, "user and system time")


def check_node(node, total, parent):
    inner = sum(part["total_us"] for part in node["passes"])
    check(abs(node["self_us"] + inner - node["total_us"]) < 0.1, "self")
    for key, whole in ("percent", total), ("percent_of_parent", parent):
        check(abs(node[key] - 100 * node["total_us"] / whole) < 0.1, key)
    # There is one thread, and what the system counts comes in steps of milliseconds.
    check(-1 < node["user_us"] + node["system_us"] < node["total_us"] + 20000, "processor time")
    for part in node["passes"]:
        check_node(part, total, node["total_us"])


text = sys.stdin.read()
if text.startswith("{"):
    report = json.loads(text)
    for node in report["passes"]:
        check_node(node, report["total_us"], report["total_us"])
    inner = sum(node["total_us"] for node in report["passes"])
    check(abs(inner - report["total_us"]) < 0.1, "total")
else:
    check_table(text.splitlines())
