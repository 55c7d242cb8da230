# relay_add_plugin(<name> <source>...)
#   The library <name>.so for `relay-opt -load-pass-plugin`. It uses Relay's and LLVM's headers and links neither: the
#   program that loads it provides their symbols.
#
# relay_export_symbols(<target>)
#   Enables the program <target> to load plugins: links all libraries and LLVM's Support whole and exports the symbols
#   that RelayExports.map names.
#
# A project without a build type gets Release, as this tree does: otherwise passes of a plugin would not be optimized
# and would run many times slower.
#
# This file is also part of the installed package.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

function(relay_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Relay::Headers)
  # The program exports all its symbols, which take precedence: without this flag, a function of the plugin with the
  # name of a function of the program, such as a condition of its rules, would never be called. Variables are still
  # looked up in the program: static variables of inline functions and templates, vtables and keys must be unique, since
  # their addresses are compared.
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
  # A program with a static C++ runtime must not load a second one, which would override symbols of the first.
  if(RELAY_STATIC_RUNTIME)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL)
  endif()
  set_target_properties(${name} PROPERTIES PREFIX "")
endfunction()

function(relay_export_symbols target)
  list(TRANSFORM RELAY_ROOMS PREPEND Relay::)
  target_link_libraries(${target} PRIVATE
    -Wl,--whole-archive ${RELAY_ROOMS} LLVMSupport LLVMDemangle -Wl,--no-whole-archive)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/RelayExports.map)
  target_link_options(${target} PRIVATE -Wl,--version-script=${exports} -Wl,--gc-sections -Wl,--as-needed)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON LINK_DEPENDS ${exports})
endfunction()
