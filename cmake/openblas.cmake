# OpenBLAS without threads of its own where Debian has it (libopenblas-serial-dev): besd computes in
# threads of its own, and the threads of the other kind take hundreds of megabytes of address space
# before main() begins, or wait for them for ever under `ulimit -v`. Elsewhere, whichever there is.
set(besd_serial_openblas /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial/pkgconfig)
set(besd_pkg_config_path "$ENV{PKG_CONFIG_PATH}")
if(EXISTS ${besd_serial_openblas}/openblas.pc)
  set(ENV{PKG_CONFIG_PATH} "${besd_serial_openblas}:$ENV{PKG_CONFIG_PATH}")
endif()
# a build folder that was made before it was there has found another
unset(__pkg_config_checked_OPENBLAS CACHE)
unset(pkgcfg_lib_OPENBLAS_openblas CACHE)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
set(ENV{PKG_CONFIG_PATH} "${besd_pkg_config_path}")
