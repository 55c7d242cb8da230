"""Mutation testing of the C++ sources: see docs/Testing.md, "Mutants".

| module | holds |
| --- | --- |
| command | the flags, and the order of the steps |
| environment | the virtual environment that holds tree-sitter |
| changes | the lines that changed since a commit |
| places | candidates for mutants in a source, found with tree-sitter |
| mutants | the mutant itself, and the choice of some at random |
| weaving | a source with all of its mutants behind a switch |
| runtime.h | the switch, and the record of the mutants that a process reached |
| scratch | the scratch copy of the tree, its build, and the mutants that do not compile |
| suite | the tests: what each reaches, and whether it notices a mutant |
| lit_recorder | the part that runs inside lit |
| trial | runs mutants against the tests that reach them |
| state | what a run leaves behind, to go on from |
| equivalents | mutants that are known to change nothing, with the reason |
| report | figures and survivors |
"""
from .command import main

__all__ = ["main"]
