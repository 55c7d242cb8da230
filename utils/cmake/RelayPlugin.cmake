# relay_add_plugin(<name> <source>...)
#   The library <name>.so for `relay-opt -load-pass-plugin`. It has Relay's and LLVM's headers in sight and links neither:
#   their symbols are those of the program that loads it.
#
# relay_export_symbols(<target>)
#   Lets the program <target> load plugins: links all rooms and LLVM's Support whole and exports the symbols that
#   RelayExports.map names.
#
# A project that has set no build type gets Release, as this tree does: without one, passes of a plugin are not optimized
# and run many times slower.
#
# This file is also part of the installed package.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

function(relay_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Relay::Headers)
  # The program exports all its symbols, and those of a program come first: a function of the plugin's own whose name the
  # program has too, such as a condition of its rules, would never be called. Variables are still looked up in the program:
  # static variables of inline functions and templates, vtables and keys have to be one, since their addresses are compared.
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
  # A program with the C++ runtime in it must not get a second one, which would take over symbols of the first.
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
