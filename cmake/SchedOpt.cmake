# Helpers of the build. MLIR and LLVM come as the two shared libraries, so a
# library of ours names only our own libraries below it in the layering.

# sched_add_library(NAME sources... [LINK libs...] [DEPENDS targets...])
function(sched_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# sched_add_tool(NAME sources... [LINK libs...])
function(sched_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "${LLVM_LIBRARY_DIR}"
                                           INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# sched_add_unittest(NAME sources... [LINK libs...])
function(sched_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main
                                        MLIR LLVM)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "${LLVM_LIBRARY_DIR}"
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  set_property(GLOBAL APPEND PROPERTY SCHED_UNITTESTS ${name})
endfunction()
