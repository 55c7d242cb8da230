# How lit runs the unit tests: every GoogleTest test of every program Relay<Room>Tests counts as one test.
import os

import lit.formats

config.name = "Relay-Unit"
config.suffixes = []
# lit runs the tests that are built, and reports the others.
built = {name for _, _, names in os.walk(os.path.join(config.relay_binary_dir, "test", "Unit")) for name in names}
missing = [name for name in config.relay_unit_tests if name and name not in built]
if missing:
    lit_config.warning("not built, so that their tests do not run: " + ", ".join(missing) +
                       "; build the target relay-test-depends")
config.test_source_root = os.path.join(config.relay_binary_dir, "test", "Unit")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
if config.relay_sanitize:
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
