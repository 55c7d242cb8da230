# relay_tool_files(<tool>)
#   Generates and installs the completion scripts and the manual page of a tool. Files that have not been built are not
#   installed.

set(RELAY_SHARE_DIR ${PROJECT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${RELAY_SHARE_DIR})

function(relay_generate_tool_file tool file)
  add_custom_command(OUTPUT ${RELAY_SHARE_DIR}/${file}
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:${tool}> -DOUTPUT=${RELAY_SHARE_DIR}/${file} ${ARGN}
      -P ${PROJECT_SOURCE_DIR}/utils/cmake/GenerateToolFile.cmake
    DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/utils/cmake/GenerateToolFile.cmake
    COMMENT "Generating share/${file}"
    VERBATIM)
endfunction()

# install(FILES) would create the folder of a missing file.
function(relay_install_tool_file file directory name)
  install(CODE "
    if(EXISTS \"${RELAY_SHARE_DIR}/${file}\")
      file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${directory}\"
        TYPE FILE RENAME ${name} FILES \"${RELAY_SHARE_DIR}/${file}\")
    endif()")
endfunction()

function(relay_tool_files tool)
  foreach(shell bash zsh fish)
    relay_generate_tool_file(${tool} ${tool}.${shell} -DSHELL=${shell})
  endforeach()
  relay_generate_tool_file(${tool} ${tool}.1 -DMAN=ON)
  add_custom_target(${tool}-files ALL DEPENDS ${RELAY_SHARE_DIR}/${tool}.bash ${RELAY_SHARE_DIR}/${tool}.zsh
    ${RELAY_SHARE_DIR}/${tool}.fish ${RELAY_SHARE_DIR}/${tool}.1)
  relay_install_tool_file(${tool}.bash bash-completion/completions ${tool})
  relay_install_tool_file(${tool}.zsh zsh/site-functions _${tool})
  relay_install_tool_file(${tool}.fish fish/vendor_completions.d ${tool}.fish)
  relay_install_tool_file(${tool}.1 man/man1 ${tool}.1)
endfunction()
