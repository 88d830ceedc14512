#!/usr/bin/env python3
"""A wheel for other machines: auditwheel puts the libraries into it, and this their licences.

    python -m build -C cmake.define.BESD_WHEEL=ON python
    python python/wheel_repair.py python/dist/besd-*.whl FOLDER

auditwheel knows only what is linked. OpenBLAS is opened while the program runs, and is in the wheel because of
BESD_WHEEL; a wheel without it is refused here, since it would fail at somebody else's. The licences of what is carried are
those that the packages of Debian and of Fedora's kin install; /usr/local/share/licenses/NAME has those of the rest.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# Of the C library and the compiler, which every machine has: auditwheel leaves them out.
EVERYWHERE = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+))\.so\.\d+")


def said(*command: str) -> str:
    if not shutil.which(command[0]):
        return ""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def libraries(folder: Path) -> dict[str, Path]:
    """What the files of the wheel need and what they carry themselves: name, and where it came from."""
    known = dict(re.findall(r"^\s+(\S+) .*=> (/\S+)$", said("ldconfig", "-p") or said("/sbin/ldconfig", "-p"), re.M))
    found: dict[str, Path] = {}
    for file in [*folder.glob("besd/*.so"), *folder.glob("besd/bin/*"), *folder.glob("besd/lib/*")]:
        found.update((name, Path(place)) for name, place in re.findall(r"(\S+) => (/\S+)", said("ldd", str(file))))
        if file.parent.name == "lib":
            found[file.name] = Path(known.get(file.name, file))
    return {name: place.resolve() for name, place in found.items() if not EVERYWHERE.fullmatch(name)}


def licences(name: str, library: Path) -> list[Path]:
    """The texts that come with a library."""
    owner = ""
    for path in (library, Path("/usr", *library.parts[1:])):  # /lib may be /usr/lib
        owner = owner or said("dpkg-query", "-S", str(path)).split(":")[0]
        owner = owner or said("rpm", "-qf", "--queryformat", "%{NAME}", str(path))
    if owner:
        source = said("rpm", "-q", "--queryformat", "%{SOURCERPM}", owner).rsplit("-", 2)[0]
        packages = [owner, source] if source else [owner]
        texts = [p for o in packages for p in Path("/usr/share/licenses", o).glob("*")]
        texts += [p for p in [Path("/usr/share/doc", owner, "copyright")] if p.exists()]
        if texts:
            return sorted(texts)
    stem = name.removeprefix("lib").split(".so")[0].split("-")[0]
    return sorted(p for p in Path("/usr/local/share/licenses").glob(f"*{stem}*/*") if p.is_file())


def main(wheel: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as work:
        inside, with_licences = Path(work, "inside"), Path(work, wheel.name)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(inside)
        if not list(inside.glob("besd/lib/libopenblas*")):
            raise SystemExit(f"wheel: {wheel.name} does not carry OpenBLAS; build it with -C cmake.define.BESD_WHEEL=ON")
        shutil.copy(wheel, with_licences)
        info = next(inside.glob("*.dist-info")).name
        with zipfile.ZipFile(with_licences, "a") as archive:  # auditwheel writes the list of files anew
            for name, place in sorted(libraries(inside).items()):
                texts = licences(name, place)
                if not texts:
                    raise SystemExit(f"wheel: no licence found for {name} ({place}); put it in /usr/local/share/licenses/NAME/")
                for text in texts:
                    entry = f"{info}/licenses/{name}/{text.name}"
                    archive.writestr(entry, text.read_bytes())
        subprocess.run(["auditwheel", "repair", with_licences, "-w", target], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: wheel_repair.py WHEEL FOLDER")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
