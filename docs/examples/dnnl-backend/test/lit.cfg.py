# lit -D bin=DIRECTORY -D build=DIRECTORY -D out=DIRECTORY test: the tools of relay are in bin, the plugin is in build.
import lit.formats
import sys

config.name = "DNNLBackend"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".relay", ".test"]
config.excludes = ["Inputs"]
config.test_exec_root = lit_config.params["out"]
plugin = lit_config.params["build"] + "/dnnl-backend.so"
for tool in ["relay-opt", "relay-run"]:
    config.substitutions.append(("%" + tool, f"{lit_config.params['bin']}/{tool} -load-pass-plugin={plugin}"))
config.substitutions.append(("%bin", lit_config.params["bin"]))
config.substitutions.append(("%plugin", plugin))
config.substitutions.append(("%python", sys.executable))
