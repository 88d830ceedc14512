#!/usr/bin/env bash
# Inside an image of manylinux: what the C library needs, from the distribution where it has it, otherwise from source.
# cibuildwheel runs it once before all wheels (pyproject.toml).
set -euo pipefail
shopt -s nullglob
dnf -y install epel-release || true
for package in gcc-gfortran jansson-devel NLopt-devel sqlite-devel libyaml-devel libcyaml-devel libmicrohttpd-devel libpng-devel random123-devel; do
    dnf -y install "$package" || echo "wheel: no package $package"
done

# from_source NAME REPOSITORY TAG COMMAND...: when pkg-config does not know it
work=$(mktemp -d)
from_source() {
    local name=$1 repository=$2 tag=$3
    shift 3
    git clone --depth 1 --branch "$tag" "$repository" "$work/$name"
    (cd "$work/$name" && "$@")
    install -D -m 644 -t "/usr/local/share/licenses/$name" "$work/$name"/{LICENSE,COPYING}* # for wheel_repair.py
}
known() { pkg-config --exists "$1"; }
with_cmake() { cmake -S . -B out -DCMAKE_BUILD_TYPE=Release "$@" && cmake --build out -j && cmake --install out; }

# The distribution's libopenblas.so.0 is not safe to call from several threads. NUM_THREADS bounds how many may call at once.
from_source openblas https://github.com/OpenMathLib/OpenBLAS v0.3.28 bash -c '
    options="DYNAMIC_ARCH=1 USE_THREAD=1 USE_OPENMP=0 NUM_THREADS=128 NO_STATIC=1"
    make -j"$(nproc)" $options libs netlib shared && make $options PREFIX=/usr/local install'
known nlopt || from_source nlopt https://github.com/stevengj/nlopt v2.7.1 \
    with_cmake -DNLOPT_PYTHON=OFF -DNLOPT_OCTAVE=OFF -DNLOPT_MATLAB=OFF -DNLOPT_GUILE=OFF -DNLOPT_SWIG=OFF
known jansson || from_source jansson https://github.com/akheron/jansson v2.14 \
    with_cmake -DJANSSON_BUILD_SHARED_LIBS=ON -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON
known libcyaml || from_source libcyaml https://github.com/tlsa/libcyaml v1.4.2 make install VARIANT=release PREFIX=/usr
[ -e /usr/include/Random123/threefry.h ] || from_source random123 https://github.com/DEShawResearch/random123 v1.14.0 \
    cp -r include/Random123 /usr/include/
ldconfig
