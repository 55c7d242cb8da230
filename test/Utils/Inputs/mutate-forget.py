"""Removes the outcomes of two noticed mutants from the state of a run of utils/mutate. usage: UTILS STATE"""
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from relay_mutate.state import State

path = Path(sys.argv[2])
state = State.load(path)
noticed = [number for number, outcome in state.outcomes.items() if outcome.noticed_by]
for number in noticed[-2:]:
    del state.outcomes[number]
state.save(path)
