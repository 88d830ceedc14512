# The page and the service over HTTP, for the tool alone: libbesd and the Python module know nothing of it.
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)
pkg_check_modules(GNUTLS REQUIRED IMPORTED_TARGET gnutls)

# Files of the page, with the names they are served under; a page in a file has them inside.
file(GLOB besd_page_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/page/web/*)
# Charts are drawn with d3 as Debian packages it; without it the page has tables only.
find_file(BESD_D3 d3.min.js PATHS /usr/share/javascript/d3 /usr/share/nodejs/d3/dist)
if(BESD_D3)
  list(APPEND besd_page_files ${BESD_D3})
else()
  message(STATUS "d3.min.js (Debian's libjs-d3) is not here: the live page will have no charts")
endif()
set(besd_asset_files ${besd_page_files} ${PROJECT_SOURCE_DIR}/src/serve/openapi.json
  ${PROJECT_SOURCE_DIR}/docs/schema.json)
set(besd_asset_pairs "")
foreach(path ${besd_asset_files})
  cmake_path(GET path FILENAME name)
  list(APPEND besd_asset_pairs "${name}|${path}")
endforeach()
list(JOIN besd_asset_pairs "," besd_asset_pairs)
set(besd_assets ${PROJECT_BINARY_DIR}/assets.c)
add_custom_command(OUTPUT ${besd_assets}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${besd_assets} -DTABLE=assets "-DFILES=${besd_asset_pairs}"
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${besd_asset_files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)

file(GLOB besd_page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/page/*.c)
add_library(besd_page STATIC ${besd_page_sources} ${besd_assets})
target_include_directories(besd_page PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(besd_page PUBLIC besd_core
  PRIVATE besd_flags PkgConfig::JANSSON PkgConfig::CYAML PkgConfig::GNUTLS)

file(GLOB besd_serve_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/serve/*.c)
add_library(besd_serve STATIC ${besd_serve_sources})
target_include_directories(besd_serve PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(besd_serve PUBLIC besd_page
  PRIVATE besd_flags PkgConfig::JANSSON PkgConfig::SQLITE PkgConfig::MICROHTTPD PkgConfig::GNUTLS)
