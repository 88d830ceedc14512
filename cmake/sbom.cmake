# What besd is made of, with the versions that this build has found: cmake --build build --target sbom writes
# besd-VERSION.spdx.json into the build folder.
find_program(besd_sbom_python python3)
set(besd_parts
  "DYNAMIC_LINK:jansson=${JANSSON_VERSION}"
  "DYNAMIC_LINK:nlopt=${NLOPT_VERSION}"
  "DYNAMIC_LINK:sqlite3=${SQLITE_VERSION}"
  "DYNAMIC_LINK:libcyaml=${CYAML_libcyaml_VERSION}"
  "DYNAMIC_LINK:libyaml=${CYAML_yaml-0.1_VERSION}"
  "DYNAMIC_LINK:libmicrohttpd=${MICROHTTPD_VERSION}"
  "DYNAMIC_LINK:gnutls=${GNUTLS_VERSION}"
  "RUNTIME_DEPENDENCY_OF:openblas=${OPENBLAS_VERSION}"
  "BUILD_DEPENDENCY_OF:random123=")
if(BESD_MPI AND MPI_C_FOUND)
  list(APPEND besd_parts "DYNAMIC_LINK:mpi=${MPI_C_VERSION}")
endif()
if(BESD_D3)
  list(APPEND besd_parts "CONTAINS:d3==${BESD_D3}")
endif()
if(besd_sbom_python)
  add_custom_target(sbom
    COMMAND ${besd_sbom_python} ${PROJECT_SOURCE_DIR}/scripts/sbom.py ${PROJECT_VERSION}
      ${PROJECT_BINARY_DIR}/besd-${PROJECT_VERSION}.spdx.json ${besd_parts}
    VERBATIM)
endif()
