# relay_library(<Room> [LINK <room>...])
#   The library of lib/<Room>, from all *.cpp below the calling directory: target Relay<Room>, alias Relay::<Room>,
#   installed and exported. A library without sources is an interface library.
#
# relay_tool(<name> [LINK <room>...] [LLVM <component>...] [EXPORT_SYMBOLS])
#   The program of tools/<name>, from all *.cpp of the calling directory; nothing if there are none. EXPORT_SYMBOLS
#   instead of LINK: it loads plugins and links all libraries (relay_export_symbols).

# The flags for every target that uses Relay's headers. Users of a library of the package get the standard and the
# directories. They may use exceptions and RTTI, except in sources with classes derived from Relay's or LLVM's, which
# have no type information. Users of Relay::Headers, such as plugins, have neither.
function(relay_target_usage target scope)
  target_compile_features(${target} ${scope} cxx_std_17)
  string(REPLACE PUBLIC PRIVATE own_scope ${scope})
  target_compile_options(${target} ${own_scope}
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  # The installed package adds LLVM's directories itself, from the LLVM that it finds (RelayConfig.cmake.in).
  target_include_directories(${target} SYSTEM ${scope} "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>")
endfunction()

# Relay's headers without a library; generated ones come first.
add_library(RelayHeaders INTERFACE)
add_library(Relay::Headers ALIAS RelayHeaders)
relay_target_usage(RelayHeaders INTERFACE)
set_target_properties(RelayHeaders PROPERTIES EXPORT_NAME Headers)
install(TARGETS RelayHeaders EXPORT RelayTargets)

# Compiles the sources of a target as one unit, the sources of a large target as two of the same size. Most of the
# time is spent in reading LLVM's and our headers and instantiating their templates, once per unit, and a precompiled
# header would add to it. Names of static functions and of classes in unnamed namespaces are therefore unique in a
# library. Build with RELAY_UNITY_BUILD=OFF to compile only the sources that changed.
function(relay_unity_build target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources size)
  if(size GREATER 50)
    math(EXPR size "(${size} + 1) / 2")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RELAY_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# Compiles code that is not hot with little optimization in a release build, in about half the time: a target whose
# sources do not themselves evaluate, parse, print or rewrite.
#
# The level is g, or 1 for code that runs once per pass or function. GCC then reports more variables as uninitialized
# than with -O2.
function(relay_compile_quickly target level)
  target_compile_options(${target} PRIVATE "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-O${level}>"
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()

# relay_cold_sources(<Room> <source>...)
#   Compiles these sources of a room like relay_compile_quickly(), as a unit of their own. Called after the options of the
#   room are set.
function(relay_cold_sources name)
  set(target Relay${name})
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE cold)
  get_target_property(sources ${target} SOURCES)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(options ${target} COMPILE_OPTIONS)
  list(REMOVE_ITEM sources ${cold})
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  add_library(${target}Cold OBJECT ${cold})
  target_link_libraries(${target}Cold PRIVATE ${libraries})
  if(options) # ends with -NOTFOUND if the room has none
    target_compile_options(${target}Cold PRIVATE ${options})
  endif()
  target_include_directories(${target}Cold PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  if(TARGET ${target}IncGen)
    add_dependencies(${target}Cold ${target}IncGen)
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}Cold>)
  relay_unity_build(${target})
  relay_unity_build(${target}Cold)
  relay_compile_quickly(${target}Cold g)
endfunction()

function(relay_link_rooms target scope)
  foreach(room ${ARGN})
    target_link_libraries(${target} ${scope} Relay${room})
  endforeach()
endfunction()

function(relay_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(target Relay${name})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:RelayWarnings>)
    # Private headers are included relative to the library's directory; headers of the same folder by their name
    # alone.
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    relay_unity_build(${target})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(Relay::${name} ALIAS ${target})
  relay_target_usage(${target} ${scope})
  relay_link_rooms(${target} ${scope} ${ARG_LINK})
  if(NOT ARG_LINK)
    target_link_libraries(${target} ${scope} LLVMOption LLVMTargetParser LLVMSupport LLVMDemangle Threads::Threads)
  endif()
  # Generated headers come first for a library and its users.
  if(TARGET Relay${name}IncGen)
    add_dependencies(${target} Relay${name}IncGen)
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT RelayTargets OPTIONAL)
  set_property(GLOBAL APPEND PROPERTY RELAY_ROOMS ${name})
endfunction()

function(relay_tool name)
  cmake_parse_arguments(ARG "EXPORT_SYMBOLS" "" "LINK;LLVM" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  relay_target_usage(${name} PRIVATE)
  if(ARG_EXPORT_SYMBOLS)
    get_property(RELAY_ROOMS GLOBAL PROPERTY RELAY_ROOMS)
    relay_export_symbols(${name})
  else()
    relay_link_rooms(${name} PRIVATE ${ARG_LINK})
  endif()
  list(TRANSFORM ARG_LLVM PREPEND LLVM)
  target_link_libraries(${name} PRIVATE RelayWarnings ${ARG_LLVM})
  relay_unity_build(${name})
  if(RELAY_STATIC_RUNTIME)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
    # Comes before the shared library, which --as-needed then omits.
    if(RELAY_STATIC_ZLIB)
      target_link_options(${name} PRIVATE ${RELAY_STATIC_ZLIB})
    endif()
  endif()
  if(NOT RELAY_PIE)
    target_link_options(${name} PRIVATE -no-pie)
  endif()
  target_link_options(${name} PRIVATE ${RELAY_SEGMENT_OPTIONS})
  # Symbols of functions that are not exported are a fifth of the file.
  target_link_options(${name} PRIVATE $<$<CONFIG:Release>:-Wl,-s>)
  install(TARGETS ${name} EXPORT RelayTargets OPTIONAL)
  set_property(GLOBAL APPEND PROPERTY RELAY_TOOLS ${name})
endfunction()
