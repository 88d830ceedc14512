# What `cmake --install` puts down: the tool, libbesd shared and static, headers, besd.pc, the CMake
# package, manual pages and completions. Everything finds its neighbours by relative paths, so that
# an installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What the public functions stand on: studies, runs, domains and subgoals. Learners, experiments
# (threads, MPI) and drawings belong to the tool; a program that links libbesd does not pay for them.
set(besd_objects
  "$<FILTER:$<TARGET_OBJECTS:besd_core>,EXCLUDE,/src/(learn|run)/>"
  "$<FILTER:$<TARGET_OBJECTS:besd_core>,INCLUDE,/src/run/(loop|claims|command)\\.c>"
  "$<FILTER:$<TARGET_OBJECTS:besd_core>,INCLUDE,/src/learn/subgoals\\.c>")
set(besd_needs m PkgConfig::JANSSON PkgConfig::NLOPT PkgConfig::SQLITE PkgConfig::CYAML
  ${CMAKE_DL_LIBS})

# The shared library offers the functions marked BESD_API and nothing else.
add_library(besd_shared SHARED ${besd_objects})
target_link_libraries(besd_shared PRIVATE besd_flags ${besd_needs})
target_link_options(besd_shared PRIVATE -Wl,--as-needed
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/besd.map)
set_property(TARGET besd_shared PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/besd.map)
if(NOT BESD_SANITIZE) # a sanitizer's symbols come with the program
  target_link_options(besd_shared PRIVATE -Wl,--no-undefined)
endif()
file(STRINGS include/besd/besd.h besd_abi REGEX "^#define BESD_ABI [0-9]+$")
string(REGEX REPLACE "[^0-9]" "" besd_abi "${besd_abi}")
set_target_properties(besd_shared PROPERTIES OUTPUT_NAME besd EXPORT_NAME besd
  VERSION ${PROJECT_VERSION} SOVERSION ${besd_abi})

# The static library is one object in which every hidden name has become local: inside, functions
# have plain names (rng_open, grid_create), and a program that links libbesd.a may use them too.
set(besd_object ${PROJECT_BINARY_DIR}/besd.o)
add_custom_command(OUTPUT ${besd_object}
  COMMAND ${CMAKE_LINKER} -r -d -o ${besd_object} ${besd_objects}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --keep-global-symbol=besd_*
    ${besd_object}
  DEPENDS besd_core ${besd_objects} COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${besd_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(besd_static STATIC ${besd_object})
target_link_libraries(besd_static PUBLIC ${besd_needs})
set_target_properties(besd_static PROPERTIES OUTPUT_NAME besd LINKER_LANGUAGE C)

install(TARGETS besd RUNTIME)
install(TARGETS besd_shared EXPORT besd_shared LIBRARY
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS besd_static EXPORT besd_static ARCHIVE
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/besd DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

# find_package(besd) gives besd::besd; COMPONENTS static adds besd::besd_static and what it needs.
set(besd_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/besd)
foreach(kind shared static)
  install(EXPORT besd_${kind} NAMESPACE besd:: FILE besd-${kind}.cmake
    DESTINATION ${besd_package_dir})
endforeach()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/besdConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/besdConfig.cmake ${PROJECT_BINARY_DIR}/besdConfigVersion.cmake
  DESTINATION ${besd_package_dir})

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}
  OUTPUT_VARIABLE besd_include_from_lib)
configure_file(cmake/besd.pc.in besd.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/besd.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# besd.1 and besd.3 are made from the tool's help and the headers, so that they cannot disagree.
set(besd_pages ${PROJECT_BINARY_DIR}/besd.1 ${PROJECT_BINARY_DIR}/besd.3)
file(GLOB besd_headers CONFIGURE_DEPENDS include/besd/*.h)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/besd.1
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_tool.sh ${PROJECT_SOURCE_DIR}/man/besd.1.in
    $<TARGET_FILE:besd> > ${PROJECT_BINARY_DIR}/besd.1
  DEPENDS besd man/besd.1.in scripts/man_tool.sh)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/besd.3
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_library.sh ${PROJECT_SOURCE_DIR}/man/besd.3.in
    ${PROJECT_VERSION}
    ${besd_headers} > ${PROJECT_BINARY_DIR}/besd.3
  DEPENDS ${besd_headers} man/besd.3.in scripts/man_library.sh)
add_custom_target(besd_man ALL DEPENDS ${besd_pages})
file(GLOB besd_written_pages CONFIGURE_DEPENDS man/*.[1357])
foreach(page ${besd_pages} ${besd_written_pages})
  cmake_path(GET page EXTENSION LAST_ONLY section)
  string(REPLACE . man section ${section})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/${section})
endforeach()

install(FILES completions/besd DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES completions/_besd DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/besd.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
