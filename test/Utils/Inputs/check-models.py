"""usage: check-models.py SOURCE FOLDER: writes models of all kinds, prints them with relay-opt and compares both."""
import subprocess
import sys

source, folder = sys.argv[1:]
sys.path.insert(0, f"{source}/utils")

from relay_models import main as write_model  # noqa: E402

MODELS = """
resnet-18 --image 32
resnet-34 --image 32 --layout NHWC
resnet-50
resnet-101 --dtype float16
resnet-152 --batch 2
vgg-11
vgg-13 --layout NHWC
vgg-16
vgg-19 --dtype float16
mobilenet
mobilenet --layout NHWC --multiplier 0.5
lstm
lstm --cell function
lstm --cell function --dtype float16
transformer --layers 2
transformer --layers 1 --dtype float16
chain --ops 50
wide --ops 50
functions --ops 50 --functions 5
let --ops 50
random --ops 500
random --ops 500 --dtype float16
random --ops 500 --functions 10
"""
EVERYTHING = "random --ops 150 --functions 2 --tuples --lets --ifs --closures --seed"
models = [*MODELS.strip().splitlines(), *(f"{EVERYTHING} {seed}" for seed in range(30))]
model, printed = f"{folder}/model.relay", f"{folder}/printed.relay"

for arguments in models:
    write_model(None, [*arguments.split(), "-o", model])
    for command in (["relay-opt", model, "-o", printed], ["relay-diff", model, printed]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{arguments}: {command[0]}: {done.stdout}{done.stderr}")
print(len(models), "models")
