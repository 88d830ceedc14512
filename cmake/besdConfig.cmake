# find_package(besd): besd::besd, the shared library, which needs nothing else.
# find_package(besd COMPONENTS static): also besd::besd_static, and the libraries it is linked with.
include(CMakeFindDependencyMacro)
include(${CMAKE_CURRENT_LIST_DIR}/besd-shared.cmake)

foreach(component ${besd_FIND_COMPONENTS})
  if(component STREQUAL "static")
    find_dependency(PkgConfig)
    pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
    pkg_check_modules(NLOPT REQUIRED IMPORTED_TARGET nlopt)
    pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
    pkg_check_modules(CYAML REQUIRED IMPORTED_TARGET libcyaml yaml-0.1)
    include(${CMAKE_CURRENT_LIST_DIR}/besd-static.cmake)
  elseif(besd_FIND_REQUIRED_${component})
    set(besd_FOUND FALSE)
    set(besd_NOT_FOUND_MESSAGE "besd has no component '${component}'; it has 'static'")
  endif()
endforeach()
