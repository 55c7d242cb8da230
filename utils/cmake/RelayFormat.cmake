# The target format: clang-format over our C++.

find_program(RELAY_CLANG_FORMAT NAMES clang-format-19 HINTS ${LLVM_TOOLS_BINARY_DIR})
if(RELAY_CLANG_FORMAT)
  add_custom_target(format
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/utils/format.py --clang-format ${RELAY_CLANG_FORMAT}
    USES_TERMINAL VERBATIM)
endif()
