"""Checks the parts of utils/mutate that need neither tree-sitter nor a build. usage: mutate-parts.py UTILS"""
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv.pop(1))

from relay_mutate import changes, equivalents, report, scratch, state, suite, trial
from relay_mutate.mutants import Mutant, Span, choose
from relay_mutate.weaving import weave


def mutant(number=1, path="lib/A/F.cpp", span=(0, 1), line=1, last_line=None, change="change", parts=()):
    return Mutant(path, Span(*span), line, last_line or line, "f", change, list(parts), number)


class Changes(unittest.TestCase):
    def test_added_lines_of_a_diff(self):
        diff = ("diff --git a/lib/A.cpp b/lib/A.cpp\n--- a/lib/A.cpp\n+++ b/lib/A.cpp\n"
                "@@ -3 +3,2 @@ f()\n-x\n+y\n+z\n@@ -9,2 +11,0 @@\n-a\n-b\n@@ -20,0 +20 @@\n+c\n"
                "--- a/lib/Gone.cpp\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")
        self.assertEqual(changes.parse_diff(diff), {"lib/A.cpp": {3, 4, 20}})

    def test_sources(self):
        self.assertTrue(changes.is_mutable("lib/Text/Parse/Lexer.cpp"))
        self.assertTrue(changes.is_mutable("include/relay/Text/Lexer.h", "Text"))
        self.assertFalse(changes.is_mutable("lib/Pass/Pass.cpp", "Text"))
        self.assertFalse(changes.is_mutable("lib/Pass/Text.cpp", "Text"))
        self.assertFalse(changes.is_mutable("test/Unit/IR/A.cpp"))
        self.assertFalse(changes.is_mutable("include/relay/Ops/NN.td"))
        self.assertFalse(changes.is_mutable("lib/Python/Bindings/Exprs.cpp"))


class Choice(unittest.TestCase):
    CANDIDATES = [mutant(line=line, span=(10 * line + i, 10 * line + i + 1), change=str(i))
                  for line in range(1, 51) for i in range(3)]

    def test_one_a_line_in_order_and_the_same_for_a_seed(self):
        chosen = choose(self.CANDIDATES, 20, seed=1)
        lines = [m.line for m in chosen]
        self.assertEqual(lines, sorted(set(lines)))
        self.assertEqual([m.number for m in chosen], list(range(1, 21)))
        self.assertEqual([str(m) for m in choose(self.CANDIDATES, 20, seed=1)], [str(m) for m in chosen])
        self.assertNotEqual([str(m) for m in choose(self.CANDIDATES, 20, seed=2)], [str(m) for m in chosen])

    def test_fewer_places_than_asked_for(self):
        self.assertEqual(len(choose(self.CANDIDATES, 1000, seed=1)), 50)


class Weaving(unittest.TestCase):
    def weave(self, source, *mutants):
        return weave(source.encode(), mutants, "runtime.h").decode()

    def test_lines_keep_their_numbers(self):
        source = "if (a <\n    b)\n  f();\n"
        compare = mutant(3, span=(4, 13), line=1, last_line=2,
                         parts=["({on} ? ", Span(4, 5), " <= ", Span(12, 13), " : ", Span(4, 5), " < ", Span(12, 13), ")"])
        self.assertEqual(self.weave(source, compare),
                         '#include "runtime.h"\n#line 1\n'
                         "if ((::relay_mutate::on(3) ? a <= \nb : a < b))\n  f();\n")

    def test_a_mutant_within_a_mutant_is_in_both_copies(self):
        source = "x = p(1) && q;"
        outer = mutant(1, span=(4, 13), parts=["({on} ? ", Span(4, 8), " || ", Span(12, 13), " : ", Span(4, 8), " && ",
                                               Span(12, 13), ")"])
        inner = mutant(2, span=(6, 7), parts=["({on} ? 2 : 1)"])
        text = self.weave(source, outer, inner)
        call = "p((::relay_mutate::on(2) ? 2 : 1))"
        self.assertTrue(text.endswith(f"x = (::relay_mutate::on(1) ? {call} || q : {call} && q);"), text)

    def test_one_behind_the_other(self):
        text = self.weave("f(); g();", *(mutant(i, span=span, parts=["{ if (!{on}) ", Span(*span), " }"])
                                         for i, span in ((1, (0, 4)), (2, (5, 9)))))
        self.assertTrue(text.endswith("{ if (!::relay_mutate::on(1)) f(); } { if (!::relay_mutate::on(2)) g(); }"), text)


class Blame(unittest.TestCase):
    MUTANTS = [mutant(1, "lib/A.cpp", line=5), mutant(2, "lib/A.cpp", line=8, last_line=9), mutant(3, "include/B.h", line=7)]

    def blamed(self, output):
        return scratch.find_blamed(output, self.MUTANTS, "/tree", "/tree/build/release")

    def test_places_of_errors(self):
        self.assertEqual(self.blamed("/tree/lib/A.cpp:9:3: error: no\n/tree/lib/A.cpp:5:1: note: here\n"), {2})
        self.assertEqual(self.blamed("In file included from /tree/lib/A.cpp:5:\n../../include/B.h:7:1: fatal error: no\n"), {3})
        self.assertEqual(self.blamed("/tree/lib/../include/B.h:7:1: error: no\n"), {3})
        self.assertEqual(self.blamed("/tree/lib/A.cpp:6:1: error: no\n"), set())

    def test_other_places_when_no_error_is_at_a_mutant(self):
        self.assertEqual(self.blamed("/tree/lib/A.cpp:5:1:   required from here\n/usr/include/x.h:1:1: error: no\n"), {1})


class Equivalents(unittest.TestCase):
    def test_entries(self):
        reasons = equivalents.parse("# comment\n\nlib/A/F.cpp: in f: change\n    it only\n    reserves\n")
        self.assertEqual(reasons, {"lib/A/F.cpp: in f: change": "it only reserves"})
        self.assertIn(equivalents.key(mutant(line=77)), reasons)

    def test_errors(self):
        for text, error in (("a\nb\n  reason\n", "line 2: the entry before has no reason"), ("a\n", "the last entry has no reason"),
                            ("  reason\n", "line 1: a reason without a mutant"),
                            ("a\n  b\na\n  c\n", "line 3: this mutant has an entry already")):
            with self.assertRaises(equivalents.FormatError) as caught:
                equivalents.parse(text)
            self.assertEqual(str(caught.exception), error)

    def test_the_file_of_the_tree(self):
        equivalents.read()


class Report(unittest.TestCase):
    def test_figures_and_survivors(self):
        def outcome(tests, passed=None, **more):
            return trial.Outcome(mutant(**more), tests, passed=set(tests if passed is None else passed))
        outcomes = [trial.Outcome(mutant(change=f"change {i}"), [f"t{j}" for j in range(6)], "t1") for i in range(9)]
        outcomes += [outcome(["t1", "t2", "t3", "t4", "t5"], line=4, change="a"), outcome([], line=5, change="b"),
                     outcome(["t1"], line=6, change="c"), outcome(["t1", "t2"], ["t2"], line=7, change="d")]
        outcomes[11].equivalent = True
        self.assertEqual(report.make_report(outcomes),
                         ["12 mutants, 1 of them equivalent", "9 noticed, 2 survive: 81.8 %",
                          "1 are not tried to the end; --resume goes on",
                          "", "lib/A/F.cpp:4: in f: a", "    RELAY_MUTANT=1, reached by t1, t2, t3, t4, 1 more",
                          "", "lib/A/F.cpp:5: in f: b", "    RELAY_MUTANT=1, no test reaches it"])


class FakeSuite:
    """`failures`: the tests that fail, by mutant; those of 0 fail always, those of `once` the first time only."""

    def __init__(self, tests, failures, once=()):
        self.tests = tests
        self.failures = failures
        self.once = set(once)
        self.runs = []

    def reaching(self, mutant):
        return [test for test in self.tests if mutant.number in test.reached]

    def find_failure(self, tests, number):
        self.runs.append((number, [test.name for test in tests]))
        failing = self.failures.get(number, set()) | self.failures.get(0, set()) | self.once
        failed = next((test for test in tests if test.name in failing), None)
        if failed is None:
            return None
        self.once.discard(failed.name)
        return suite.Failure(failed)


class Trial(unittest.TestCase):
    def setUp(self):
        sys.stderr = io.StringIO()

    def tearDown(self):
        sys.stderr = sys.__stderr__

    def try_mutants(self, fake, minutes=1, known=(), is_equivalent=lambda mutant: False):
        self.suite = fake
        outcomes = trial.make_outcomes(fake, [mutant(1), mutant(2)], {o.mutant.number: o for o in known}, is_equivalent)
        self.changed = [o.mutant.number for o in trial.try_outcomes(fake, outcomes, minutes)]
        return [(o.mutant.number, o.noticed_by, o.is_open()) for o in outcomes]

    def test_only_tests_that_reach_a_mutant_run_until_one_fails(self):
        tests = [suite.Test(f"t{i}", 1, {1} if i % 2 else {1, 2}) for i in range(30)]
        self.assertEqual(self.try_mutants(FakeSuite(tests, {1: {"t8"}})), [(1, "t8", False), (2, "", False)])
        self.assertEqual([(number, len(names)) for number, names in self.suite.runs],
                         [(1, 2), (2, 2), (1, 8), (1, 1), (0, 1), (2, 8), (2, 5)])
        self.assertEqual(self.changed, [1, 2, 1, 2, 2])

    def test_a_failure_without_the_mutant_means_nothing(self):
        tests = [suite.Test(name, 1, {1, 2}) for name in ("bad", "good")]
        self.assertEqual(self.try_mutants(FakeSuite(tests, {0: {"bad"}, 1: {"good"}})),
                         [(1, "good", False), (2, "", False)])

    def test_a_failure_that_does_not_repeat_means_nothing(self):
        tests = [suite.Test(name, 1, {1, 2}) for name in ("flaky", "good")]
        self.assertEqual(self.try_mutants(FakeSuite(tests, {1: {"good"}}, once=["flaky"])),
                         [(1, "good", False), (2, "", False)])

    def test_a_timeout_counts_at_once(self):
        class Endless(FakeSuite):
            def find_failure(self, tests, number):
                self.runs.append(number)
                return suite.Failure(tests[0], timed_out=True)
        self.assertEqual(self.try_mutants(Endless([suite.Test("t", 1, {1, 2})], {})), [(1, "t", False), (2, "t", False)])
        self.assertEqual(self.suite.runs, [1, 2])

    def test_equivalent_mutants_are_not_run(self):
        fake = FakeSuite([suite.Test("t", 1, {1, 2})], {1: {"t"}, 2: {"t"}})
        self.assertEqual(self.try_mutants(fake, is_equivalent=lambda m: m.number == 1), [(1, "", False), (2, "t", False)])
        self.assertEqual({number for number, _ in fake.runs}, {2, 0})

    def test_an_interrupt_keeps_what_is_known(self):
        class Interrupted(FakeSuite):
            def find_failure(self, tests, number):
                if number == 2:
                    raise KeyboardInterrupt
                return super().find_failure(tests, number)
        tests = [suite.Test("t", 1, {1, 2})]
        self.assertEqual(self.try_mutants(Interrupted(tests, {1: {"t"}})), [(1, "t", False), (2, "", True)])

    def test_the_time_is_over(self):
        self.assertEqual(self.try_mutants(FakeSuite([suite.Test("t", 1, {1})], {}), minutes=-1),
                         [(1, "", True), (2, "", False)])

    def test_a_resumed_run_goes_on_with_the_tests_that_are_left(self):
        tests = [suite.Test(name, 1, {1, 2}) for name in "abcd"]
        known = [trial.Outcome(mutant(1), list("abcd"), passed=set("ab")),
                 trial.Outcome(mutant(2), list("abcd"), "b", passed=set("a"))]
        self.assertEqual(self.try_mutants(FakeSuite(tests, {1: {"d"}}), known=known), [(1, "d", False), (2, "b", False)])
        self.assertEqual(self.suite.runs[0], (1, ["c", "d"]))


class Kept(unittest.TestCase):
    def test_what_is_saved_is_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state"
            with self.assertRaises(state.NoState):
                state.State.load(path)
            kept = state.State([mutant(1), mutant(2)], [mutant(2)], [suite.Test("t", 1, {1})],
                               [trial.Outcome(mutant(2), ["t"], "t", passed={"u"})])
            kept.save(path)
            self.assertEqual(state.State.load(path), kept)
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["state"])


class Order(unittest.TestCase):
    def test_near_and_cheap_tests_come_first(self):
        tests = suite.Suite(None, None)
        tests.tests = [suite.Test(name, seconds, {1}) for name, seconds in
                       (("Driver/a.relay", .1), ("Text/b.relay", .3), ("Text/c.relay", .2), ("Text/lexer-errors.relay", 9),
                        ("Text/attr-values.relay", 9))]
        tests.tests.append(suite.Test("Text/unreached.relay", .1, {2}))
        names = [test.name for test in tests.reaching(mutant(1, "lib/Text/AttrValues.cpp"))]
        self.assertEqual(names, ["Text/attr-values.relay", "Text/c.relay", "Text/b.relay", "Text/lexer-errors.relay",
                                 "Driver/a.relay"])


if __name__ == "__main__":
    unittest.main()
