# How everything in this tree is compiled and linked. Settings that users of the installed package also need are on
# the targets themselves (RelayTargets.cmake).

include(CheckCXXSourceRuns)
include(CheckLinkerFlag)

option(RELAY_WERROR "Treat warnings as errors" OFF)
option(RELAY_UNITY_BUILD "Compile several sources of a library as one" ON)
set(RELAY_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# GCC collects garbage from 128 MB on and again at each doubling. With this floor, one of the larger units of
# Instrumentation took 15.3 s instead of 16.4, and 787 MB instead of 643.
add_compile_options($<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:Release>>:--param=ggc-min-heapsize=524288>)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# The extension module of the Python package and users' shared libraries are linked from the same objects as the tools. Calls
# within a library are inlined and direct nevertheless.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)

# ccache, if it is available.
find_program(RELAY_CCACHE ccache)
if(RELAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RELAY_CCACHE})
endif()

# lld, if it is available. Debian installs the plain name next to LLVM's other tools, which is not in PATH.
find_program(RELAY_LLD ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR})
if(RELAY_LLD)
  get_filename_component(lld_dir ${RELAY_LLD} DIRECTORY)
  add_link_options(-fuse-ld=lld -B${lld_dir})
endif()

# LLVMSupport names libz3, libz and libzstd as dependencies; --as-needed omits unused ones.
add_link_options(-Wl,--gc-sections -Wl,--as-needed)

# Relocations take 3 KB instead of 300, if linker and loader support the format.
set(CMAKE_REQUIRED_LINK_OPTIONS ${CMAKE_EXE_LINKER_FLAGS} -Wl,-z,pack-relative-relocs)
if(RELAY_LLD)
  list(APPEND CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=lld -B${lld_dir})
endif()
check_cxx_source_runs("int X; int *volatile P = &X; int main() { return *P; }" RELAY_PACKS_RELOCATIONS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(RELAY_PACKS_RELOCATIONS)
  add_link_options(-Wl,-z,pack-relative-relocs)
endif()
add_compile_options(-ffunction-sections -fdata-sections)

# Programs that load plugins need not export inline functions, which each plugin compiles for itself. LLVM is built so, too.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
if(RELAY_SANITIZE)
  # The vptr check needs RTTI.
  set(sanitize -fsanitize=${RELAY_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()

# Loading libstdc++ costs a third of the time from start to exit (1.24 ms against 0.82 for a tool that does nothing).
if(RELAY_SANITIZE)
  set(static_runtime OFF)
else()
  set(static_runtime ON)
endif()
option(RELAY_STATIC_RUNTIME "Link the tools with a static libstdc++ and zlib" ${static_runtime})
find_library(RELAY_STATIC_ZLIB ${CMAKE_STATIC_LIBRARY_PREFIX}z${CMAKE_STATIC_LIBRARY_SUFFIX})

# A position-independent program is relocated at start: 150,000 of its instructions and 40 page faults, a tenth of the time
# from start to exit. The libraries stay position-independent.
check_linker_flag(CXX -no-pie RELAY_HAS_NO_PIE)
if(RELAY_SANITIZE OR NOT RELAY_HAS_NO_PIE)
  set(pie ON)
else()
  set(pie OFF)
endif()
option(RELAY_PIE "Link the tools as position-independent executables" ${pie})

# One segment of the file for code and constants instead of three: a tenth of the page faults less.
set(RELAY_SEGMENT_OPTIONS)
if(RELAY_LLD)
  set(RELAY_SEGMENT_OPTIONS -Wl,--no-rosegment)
endif()

# Warnings are for our own sources: targets generated from other sources (GoogleTest) do not link this.
add_library(RelayWarnings INTERFACE)
target_compile_options(RelayWarnings INTERFACE -Wall -Wextra $<$<BOOL:${RELAY_WERROR}>:-Werror>)
