# lit -D opt=RELAY-OPT -D build=DIRECTORY -D out=DIRECTORY test: the plugins are in the directory build.
import lit.formats

config.name = "Targets"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".relay"]
config.test_exec_root = lit_config.params["out"]
config.substitutions.append(("%opt", lit_config.params["opt"]))
config.substitutions.append(("%build", lit_config.params["build"]))
