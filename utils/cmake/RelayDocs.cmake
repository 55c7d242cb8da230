# The references of docs/reference, which relay-tblgen writes.
#
# relay_reference(<file.td> <generator> <page>)
#   Writes <page> below build/<preset>/docs/reference.
#
# The target relay-references writes all pages there, where a test compares them with the pages of the tree;
# update-docs copies them into the tree.

set(built_references ${PROJECT_BINARY_DIR}/docs/reference)
add_custom_target(relay-references)
add_custom_target(update-docs
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_SOURCE_DIR}/docs/reference
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${built_references} ${PROJECT_SOURCE_DIR}/docs/reference
  COMMENT "Refreshing docs/reference"
  VERBATIM)
add_dependencies(update-docs relay-references)

function(relay_reference td generator page)
  string(MAKE_C_IDENTIFIER RelayReference_${page} target)
  relay_tablegen(${target} ${td} ${generator} ${built_references}/${page})
  add_dependencies(relay-references ${target})
endfunction()
