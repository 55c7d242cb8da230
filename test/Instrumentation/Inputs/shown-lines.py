"""The changes of each pass of a report: lines added, removed, of these omitted; lines shown. What is not shown has to be
counted as omitted."""
import json
import sys

for module in json.load(open(sys.argv[1]))["modules"]:
    for record in module["passes"]:
        shown = 0
        for change in record["changes"]:
            lines = [line for hunk in change["hunks"] for line in hunk["lines"]]
            added, removed, omitted = (change["lines" + what] for what in ("Added", "Removed", "Omitted"))
            assert sum(line[0] != " " for line in lines) + omitted == added + removed, change["function"]
            shown += len(lines)
            print(record["name"], change["function"], added, removed, omitted, len(lines))
        print(f"{record['name']} shows {len(record['changes'])} of {record['functionsChanged']} functions, {shown} lines")
