#!/usr/bin/env python3
"""Writes what `besd options --json` says of a study's options into the manual page, docs/study.md and the
keywords of the Python package. usage: options.py [--check] [besd]; --check only says what is out of date."""
import json
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
check = "--check" in sys.argv
tool = next((a for a in sys.argv[1:] if not a.startswith("--")), str(root / "build/besd"))
options = json.loads(subprocess.run([tool, "options", "--json"], capture_output=True, text=True, check=True).stdout)["options"]
methods = max((o["methods"] for o in options), key=len)


def default(o):
    text = o["default_text"]
    return f"{o['default']:.4g}" if o["kind"] == "number" and o["default"] is not None else text


def limits(o):
    if o["kind"] not in ("number", "count"):
        return ""
    if o["high"] is None or o["high"] >= 1e300:
        return f"from {o['low']:g}"
    return f"{o['low']:g} to {o['high']:g}"


def users(o):
    return "" if len(o["methods"]) == len(methods) else ", ".join(o["methods"])


def man():
    def escaped(text):
        return text.replace("\\", "\\e").replace("-", "\\-")

    for o in options:
        names = ", ".join(escaped(c) for c in o["choices"])
        values = f"one of {names}" if names else "true or false" * (o["kind"] == "switch") or limits(o)
        values = values or "a whole number"
        tail = f" Looked at by {escaped(users(o))}." if users(o) else ""
        text = escaped(o["help"])
        yield f".TP\n.B {escaped(o['name'])}\n{text[0].upper()}{text[1:]}.\n"
        unit = f" ({o['unit']})" if o["unit"] else ""
        yield f"{values[0].upper()}{values[1:]}{unit}; {escaped(default(o))} by default.{tail}\n"


def markdown():
    yield "| option | default | may be | meaning |\n|---|---|---|---|\n"
    for o in options:
        values = ", ".join(f"`{c}`" for c in o["choices"]) or "true, false" * (o["kind"] == "switch") or limits(o)
        unit = f" ({o['unit']})" if o["unit"] else ""
        tail = f"; methods {users(o)}" if users(o) else ""
        help_text = o["help"].replace("|", "\\|").replace("*", "×")
        yield f"| `{o['name']}` | {default(o)} | {values}{unit} | {help_text}{tail} |\n"


def python_default(o):
    """As Python writes it; what besd settles by itself is left out."""
    if o["choices"]:
        return f"Default '{default(o)}'"
    if o["kind"] == "switch":
        return f"Default {default(o).capitalize()}"
    if o["default_text"] == "none":
        return 'Default float("inf"), which is none'
    return "Left to besd by default" if o["default_text"] == "automatic" else f"Default {default(o)}"


def python():
    types = {"number": "float", "count": "int", "seed": "int", "switch": "bool"}
    yield '"""The options of a study; made by scripts/options.py from the library\'s own list."""\n\n'
    yield "from typing import Literal, TypedDict\n\n"
    for o in options:
        if o["choices"]:
            names = ", ".join(f'"{c}"' for c in o["choices"])
            line = f"{o['name'].capitalize()} = Literal[{names}]\n"
            if len(line) > 110:
                names = "".join(f'    "{c}",\n' for c in o["choices"])
                line = f"{o['name'].capitalize()} = Literal[\n{names}]\n"
            yield line
    yield '\n\nclass StudyOptions(TypedDict, total=False):\n    """Keywords of `Study.create`; what is left out has its default."""\n\n'
    for o in options:
        kind = o["name"].capitalize() if o["choices"] else types[o["kind"]]
        text = (o["help"][0].upper() + o["help"][1:]).replace("infinity:", 'float("inf"):')
        text += "" if text.endswith("?") else "."
        tail = f" Looked at by {users(o)}." if users(o) else ""
        unit = f" ({o['unit']})" if o["unit"] else ""
        bounds = f" {limits(o).capitalize()}{unit}." if limits(o) else ""
        yield f"    {o['name']}: {kind}\n"
        words, line = f'"""{text}{bounds} {python_default(o)}.{tail}"""'.split(" "), "    "
        for word in words:
            if len(line) + len(word) > 108:
                yield line.rstrip() + "\n"
                line = "    "
            line += word + " "
        yield line.rstrip() + "\n"


def between(path, begin, end, text):
    whole = path.read_text()
    before, _, rest = whole.partition(begin + "\n")
    _, _, after = rest.partition(end)
    assert rest and after, f"{path}: the marks of the options are missing"
    return before + begin + "\n" + text + end + after


wanted = {
    root / "man/besd-study.5": lambda p: between(
        p, '.\\" options: made by scripts/options.py', '.\\" end of options', "".join(man())
    ),
    root / "docs/study.md": lambda p: between(
        p, "<!-- options: made by scripts/options.py -->", "<!-- end of options -->", "".join(markdown())
    ),
    root / "python/src/besd/_options.py": lambda p: "".join(python()),
}
stale = []
for path, make in wanted.items():
    text = make(path)
    if not path.exists() or path.read_text() != text:
        stale.append(str(path.relative_to(root)))
        if not check:
            path.write_text(text)
if check and stale:
    sys.exit(f"options: {', '.join(stale)} out of date; run scripts/options.py")
print(f"options: {len(options)} options, {len(stale)} files {'to be ' if check else ''}written")
