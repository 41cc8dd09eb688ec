# Helpers of the build. MLIR and LLVM come as the two shared libraries, so a
# library of ours names only our own libraries below it in the layering. What is
# linked into a program names MLIR and LLVM: the bundle has static ones.

option(SCHED_PCH "Precompile MLIR's headers" ON)
if(SCHED_PCH)
  # One for all: REUSE_FROM asks for the same compile options everywhere, so
  # programs are compiled like libraries.
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
  if(NOT EXISTS ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp "")
  endif()
  add_library(SchedPrecompiled OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
  target_precompile_headers(SchedPrecompiled PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/PrecompiledMLIR.h)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # So that ccache knows it again when it is built anew.
    target_compile_options(SchedPrecompiled PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()

# Gives a target the precompiled headers, where it is marked PCH.
function(sched_precompile name marked)
  if(SCHED_PCH AND marked)
    target_precompile_headers(${name} REUSE_FROM SchedPrecompiled)
  endif()
endfunction()

# In all of them, PCH marks what reads MLIR's headers. The layers that must not
# know MLIR go without.

# sched_add_library(NAME sources... [PCH] [LINK libs...] [DEPENDS targets...])
function(sched_add_library name)
  cmake_parse_arguments(ARG "PCH" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  sched_precompile(${name} "${ARG_PCH}")
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# sched_add_tool(NAME sources... [PCH] [LINK libs...])
function(sched_add_tool name)
  cmake_parse_arguments(ARG "PCH" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  sched_precompile(${name} "${ARG_PCH}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "${LLVM_LIBRARY_DIR}"
                                           INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# sched_add_unittest(NAME sources... [PCH] [LINK libs...])
function(sched_add_unittest name)
  cmake_parse_arguments(ARG "PCH" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  sched_precompile(${name} "${ARG_PCH}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main
                                        MLIR LLVM)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "${LLVM_LIBRARY_DIR}"
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  set_property(GLOBAL APPEND PROPERTY SCHED_UNITTESTS ${name})
endfunction()
