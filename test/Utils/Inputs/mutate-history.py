"""Makes a repository of two commits: the tree without the conditions of isSmall, then with them. usage: TREE"""
import subprocess
import sys
from pathlib import Path

tree = Path(sys.argv[1])
sample = tree / "lib" / "sample.cpp"


def git(*arguments):
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=tree, check=True)


text = sample.read_text()
git("init", "-q", "-b", "main")
sample.write_text(text.replace("X < Limit && Enabled", "Enabled"))
git("add", "-A")
git("commit", "-q", "-m", "one")
sample.write_text(text)
git("commit", "-q", "-a", "-m", "two")
