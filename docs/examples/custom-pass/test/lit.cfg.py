# lit -D opt=COMMAND -D out=DIRECTORY test: COMMAND is my-relay-opt, or relay-opt with the plugin.
import lit.formats

config.name = "CustomPass"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".relay"]
config.test_exec_root = lit_config.params["out"]
config.substitutions.append(("%opt", lit_config.params["opt"]))
