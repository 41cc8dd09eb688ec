# Target `sched-docs`: the reference pages of the dialect and the passes, out of
# the .td files, and of the features, out of the .def files, into <build>/docs.
# `./dev docs` copies them to docs/.
#
# A page is a title and the output of mlir-tblgen for one or more .td files.
# Passes.md follows the layers, so a new Passes.td below include/SchedOpt/ shows
# up at the next configuration without a line here. The pipelines, which have no
# .td file, precede: include/SchedOpt/Pipelines/Pipelines.md.

find_program(SCHED_MLIR_TBLGEN NAMES mlir-tblgen mlir-tblgen-22
             HINTS ${LLVM_TOOLS_BINARY_DIR} ${MLIR_INSTALL_PREFIX}/bin)

# sched_add_doc_part(TD COMMAND OUT-VARIABLE options...): one run of mlir-tblgen;
# its output file is appended to OUT-VARIABLE.
function(sched_add_doc_part td command out)
  string(REPLACE "/" "-" name ${td})
  set(part ${PROJECT_BINARY_DIR}/docs/parts/${name}${command}.md)
  set(include_flags ${PROJECT_SOURCE_DIR}/include ${MLIR_INCLUDE_DIRS})
  list(TRANSFORM include_flags PREPEND "-I")
  add_custom_command(
    OUTPUT ${part}
    COMMAND ${SCHED_MLIR_TBLGEN} ${command} ${ARGN} ${include_flags}
            ${PROJECT_SOURCE_DIR}/include/${td} -d ${part}.d -o ${part}
    DEPENDS ${PROJECT_SOURCE_DIR}/include/${td} ${SCHED_MLIR_TBLGEN}
    DEPFILE ${part}.d
    COMMENT "Documenting ${td}" VERBATIM)
  set(${out} ${${out}} ${part} PARENT_SCOPE)
endfunction()

# sched_add_doc_page(NAME TITLE parts...): TITLE may be empty.
function(sched_add_doc_page name title)
  set(page ${PROJECT_BINARY_DIR}/docs/${name}.md)
  set(joiner ${PROJECT_SOURCE_DIR}/cmake/JoinDocs.cmake)
  add_custom_command(
    OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} "-DTITLE=${title}" "-DPARTS=${ARGN}" -DPAGE=${page}
            -P ${joiner}
    DEPENDS ${ARGN} ${joiner}
    COMMENT "Writing ${name}.md" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY SCHED_DOC_PAGES ${page})
endfunction()

function(sched_add_docs)
  set(ops SchedOpt/Dialect/Schedule/IR/ScheduleOps.td)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/${ops})
    set(parts)
    sched_add_doc_part(${ops} -gen-dialect-doc parts -dialect=schedule)
    foreach(td SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.td
               SchedOpt/Model/LoopModelInterface.td)
      if(EXISTS ${PROJECT_SOURCE_DIR}/include/${td})
        sched_add_doc_part(${td} -gen-op-interface-docs parts)
      endif()
    endforeach()
    sched_add_doc_page(ScheduleDialect "" ${parts})
  endif()

  file(GLOB_RECURSE passes CONFIGURE_DEPENDS
       RELATIVE ${PROJECT_SOURCE_DIR}/include
       ${PROJECT_SOURCE_DIR}/include/SchedOpt/Passes.td
       ${PROJECT_SOURCE_DIR}/include/SchedOpt/*/Passes.td)
  list(SORT passes)
  set(parts)
  foreach(td ${passes})
    sched_add_doc_part(${td} -gen-pass-doc parts)
  endforeach()
  if(parts)
    sched_add_doc_page(
      Passes "Passes"
      ${PROJECT_SOURCE_DIR}/include/SchedOpt/Pipelines/Pipelines.md ${parts})
  endif()

  add_executable(sched-feature-docs EXCLUDE_FROM_ALL
                 ${PROJECT_SOURCE_DIR}/cmake/FeatureDocs.cpp)
  target_link_libraries(sched-feature-docs PRIVATE LLVM)
  set_target_properties(sched-feature-docs PROPERTIES
    BUILD_RPATH "${LLVM_LIBRARY_DIR}"
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
  set(part ${PROJECT_BINARY_DIR}/docs/parts/Features.md)
  add_custom_command(
    OUTPUT ${part}
    COMMAND sched-feature-docs > ${part}
    DEPENDS sched-feature-docs
    COMMENT "Documenting features" VERBATIM)
  sched_add_doc_page(Features "Features" ${part})

  get_property(pages GLOBAL PROPERTY SCHED_DOC_PAGES)
  add_custom_target(sched-docs DEPENDS ${pages})
endfunction()

sched_add_docs()
