# relay_tablegen(<target> <file.td> [<generator> <output>]... [INCLUDES <dir>...])
#   Runs relay-tblgen on <file.td> once per pair, e.g.
#
#     relay_tablegen(MyPassesIncGen MyPasses.td -gen-pass-decls MyPasses.h.inc -gen-pass-registry MyPassRegistry.inc)
#     add_dependencies(MyPasses MyPassesIncGen)
#
#   <target> is a new custom target that updates the outputs. Relative outputs are in the current binary directory.
#   Relay's own .td files and <dir>s are on the include path. An edit of an included .td, or of a file of patterns beside
#   <file.td>, runs it again.
#   This file is also part of the installed package.

function(relay_tablegen target td)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "INCLUDES")
  set(tblgen $<TARGET_FILE:${RELAY_TABLEGEN_TOOL}>)
  set(run_tblgen ${tblgen})
  if(RELAY_SANITIZE) # TableGen frees nothing.
    set(run_tblgen ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 ${tblgen})
  endif()
  get_filename_component(td ${td} ABSOLUTE)
  get_filename_component(td_dir ${td} DIRECTORY)
  set(include_flags -I ${td_dir} -I ${RELAY_TABLEGEN_INCLUDE_DIR})
  foreach(dir ${ARG_INCLUDES})
    list(APPEND include_flags -I ${dir})
  endforeach()

  file(GLOB patterns CONFIGURE_DEPENDS ${td_dir}/*.patterns)

  set(pairs ${ARG_UNPARSED_ARGUMENTS})
  set(outputs)
  while(pairs)
    list(POP_FRONT pairs generator output)
    get_filename_component(output ${output} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    set(depfile)
    set(depfile_flags)
    if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
      file(RELATIVE_PATH depfile ${CMAKE_BINARY_DIR} ${output}.d)
      string(MAKE_C_IDENTIFIER ${depfile} depfile)
      set(depfile_flags -d ${CMAKE_BINARY_DIR}/CMakeFiles/${depfile})
      set(depfile DEPFILE ${CMAKE_BINARY_DIR}/CMakeFiles/${depfile})
    endif()
    get_filename_component(output_dir ${output} DIRECTORY)
    file(MAKE_DIRECTORY ${output_dir})
    file(RELATIVE_PATH shown ${CMAKE_BINARY_DIR} ${output})
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${run_tblgen} ${generator} ${include_flags} ${td} --write-if-changed -o ${output} ${depfile_flags}
      DEPENDS ${td} ${patterns} ${tblgen}
      ${depfile}
      COMMENT "Generating ${shown}"
      VERBATIM)
    list(APPEND outputs ${output})
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()
