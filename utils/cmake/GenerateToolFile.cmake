# cmake -DTOOL=PROGRAM -DOUTPUT=FILE (-DSHELL=bash|zsh|fish | -DMAN=ON) -P GenerateToolFile.cmake
#   Writes the completion script or the manual page of a tool, both from what the tool itself prints.

# A tool with sanitizers: LLVM's archives are not instrumented, see docs/Testing.md.
set(ENV{ASAN_OPTIONS} detect_leaks=0:allow_user_poisoning=0)

get_filename_component(name ${TOOL} NAME)
if(MAN)
  execute_process(COMMAND ${TOOL} -help OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${TOOL} -version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
  string(STRIP "${version}" version)
  string(REGEX MATCH "OVERVIEW: ([^\n]*)" overview "${text}")
  set(summary ${CMAKE_MATCH_1})
  # A backslash begins an escape sequence, a dot or an apostrophe at the beginning of a line a request.
  string(REPLACE "\\" "\\e" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(TOUPPER ${name} title)
  set(text ".TH ${title} 1 \"\" \"${version}\"\n.SH NAME\n${name} \\- ${summary}\n.SH DESCRIPTION\n.nf\n${text}.fi\n")
else()
  execute_process(COMMAND ${TOOL} -print-completion=${SHELL} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
endif()
file(WRITE ${OUTPUT} "${text}")
