# relay_library(<Room> [LINK <room>...])
#   The library of lib/<Room>, from all *.cpp below the calling directory: target Relay<Room>, alias Relay::<Room>,
#   installed and exported. A room without sources yet is an interface library.
#
# relay_tool(<name> [LINK <room>...] [LLVM <component>...] [EXPORT_SYMBOLS])
#   The program of tools/<name>, from all *.cpp of the calling directory; nothing while there are none.
#   EXPORT_SYMBOLS instead of LINK: it loads plugins and links all rooms (relay_export_symbols).

# What every target with Relay's headers in sight is compiled with; also passed on to users of the package.
function(relay_target_usage target scope)
  target_compile_features(${target} ${scope} cxx_std_17)
  target_compile_options(${target} ${scope} $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  # The installed package adds LLVM's directories itself, from the LLVM that it finds (RelayConfig.cmake.in).
  target_include_directories(${target} SYSTEM ${scope} "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>")
endfunction()

# Relay's headers and no library; what is generated comes first.
add_library(RelayHeaders INTERFACE)
add_library(Relay::Headers ALIAS RelayHeaders)
relay_target_usage(RelayHeaders INTERFACE)
set_target_properties(RelayHeaders PROPERTIES EXPORT_NAME Headers)
install(TARGETS RelayHeaders EXPORT RelayTargets)

# One precompiled header for all libraries: what nearly every file includes.
function(relay_add_precompiled_header)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/RelayPCH.cpp CONTENT "// Carries the precompiled header.\n")
  add_library(RelayPCH OBJECT ${PROJECT_BINARY_DIR}/RelayPCH.cpp)
  relay_target_usage(RelayPCH PRIVATE)
  target_link_libraries(RelayPCH PRIVATE RelayWarnings Threads::Threads)
  target_precompile_headers(RelayPCH PRIVATE
    <algorithm> <cassert> <cstdint> <functional> <memory> <optional> <string> <utility> <vector>
    <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/STLExtras.h>
    <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h>
    <llvm/ADT/Twine.h> <llvm/Support/Allocator.h> <llvm/Support/Casting.h> <llvm/Support/CommandLine.h>
    <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h> <llvm/Support/SourceMgr.h>
    <llvm/Support/raw_ostream.h>)
endfunction()
relay_add_precompiled_header()

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
    target_precompile_headers(${target} REUSE_FROM RelayPCH)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(Relay::${name} ALIAS ${target})
  relay_target_usage(${target} ${scope})
  relay_link_rooms(${target} ${scope} ${ARG_LINK})
  if(NOT ARG_LINK)
    target_link_libraries(${target} ${scope} LLVMSupport LLVMDemangle Threads::Threads)
  endif()
  # Generated headers come first for a room, and so for all that link it.
  if(TARGET Relay${name}IncGen)
    add_dependencies(${target} Relay${name}IncGen)
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT RelayTargets)
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
  if(RELAY_STATIC_RUNTIME)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  install(TARGETS ${name} EXPORT RelayTargets)
  set_property(GLOBAL APPEND PROPERTY RELAY_TOOLS ${name})
endfunction()
