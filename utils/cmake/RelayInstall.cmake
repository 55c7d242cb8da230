# Installs headers, .td files, the package that find_package(Relay) finds, documentation and the generator of models.
# Targets that have been built install themselves.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Relay)

install(DIRECTORY include/relay ${PROJECT_BINARY_DIR}/include/relay DESTINATION include
  FILES_MATCHING PATTERN *.h PATTERN *.td PATTERN *.patterns PATTERN *.inc PATTERN *.def PATTERN CMakeFiles EXCLUDE)
install(EXPORT RelayTargets NAMESPACE Relay:: DESTINATION ${package_dir})

get_property(RELAY_ROOMS GLOBAL PROPERTY RELAY_ROOMS)
set(PACKAGE_INCLUDE_DIR include)
configure_package_config_file(utils/cmake/RelayConfig.cmake.in ${PROJECT_BINARY_DIR}/RelayConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS PACKAGE_INCLUDE_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RelayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RelayConfig.cmake ${PROJECT_BINARY_DIR}/RelayConfigVersion.cmake
  utils/cmake/RelayTableGen.cmake utils/cmake/RelayPlugin.cmake utils/cmake/RelayExports.map
  DESTINATION ${package_dir})

# The pages have the source tree's links to each other and to the licence.
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(PROGRAMS utils/relay-models DESTINATION ${CMAKE_INSTALL_DATADIR}/relay)
install(DIRECTORY utils/relay_models DESTINATION ${CMAKE_INSTALL_DATADIR}/relay PATTERN __pycache__ EXCLUDE)
