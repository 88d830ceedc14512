# Writes a C source with files as arrays of bytes: what src/page/bundle.h calls an asset.
# usage: cmake -DOUTPUT=assets.c -DTABLE=assets -DFILES=name|path,name|path -P embed.cmake
cmake_minimum_required(VERSION 3.25)
set(types
  html "text/html; charset=utf-8" js "text/javascript; charset=utf-8" css "text/css; charset=utf-8"
  json "application/json" svg "image/svg+xml" txt "text/plain; charset=utf-8" png "image/png"
  ico "image/x-icon" yaml "text/plain" py "text/plain" sh "text/plain" c "text/plain")

set(arrays "")
set(table "")
set(number 0)
string(REPLACE "," ";" pairs "${FILES}")
foreach(pair ${pairs})
  string(REPLACE "|" ";" parts "${pair}")
  list(GET parts 0 name)
  list(GET parts 1 path)
  cmake_path(GET name EXTENSION LAST_ONLY kind)
  string(SUBSTRING "${kind}" 1 -1 kind)
  list(FIND types "${kind}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${path}: there is no content type for '.${kind}' in cmake/embed.cmake")
  endif()
  math(EXPR place "${place} + 1")
  list(GET types ${place} type)
  file(READ "${path}" hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND arrays "static const unsigned char bytes_${number}[] = {\n${hex}0};\n")
  string(APPEND table
    "    {\"${name}\", \"${type}\", bytes_${number}, sizeof bytes_${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}.new" "/* Made by cmake/embed.cmake. */\n#include \"page/bundle.h\"\n\n${arrays}
const asset ${TABLE}[] = {\n${table}    {0, 0, 0, 0}};\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
