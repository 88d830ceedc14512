"""The tool on a terminal of its own: lines of progress fit into the window, whatever its width is, and what a terminal
cannot show is not sent. usage: terminal.py TOOL FOLDER"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

besd, folder = sys.argv[1], sys.argv[2]
STUDY = """theta: [{name: x, low: 0, high: 10}]
tau: [100, 400]
reps: [2]
budget: 6000
initial_designs: 12
targets: 50
draws: 1
command: sleep 0.05; printf '{"scores":[12345.678,12346.789]}'
"""


def set_width(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def read_some(terminal):
    try:
        return os.read(terminal, 65536).decode()
    except OSError:  # nobody has the other end any more
        return ""


def run(columns, *arguments, then=None, **environment):
    """All that came to a terminal of so many columns; after the first line of progress it gets `then` columns."""
    ours, theirs = pty.openpty()
    set_width(ours, columns)
    known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG")}
    child = subprocess.Popen([besd, *arguments], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
                             start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                             env={**known, "TERM": "xterm", **environment})
    os.close(theirs)
    text = ""
    while some := read_some(ours):
        text += some
        if then and "%" in text:
            set_width(ours, then)
            text, then = "", None
    os.close(ours)
    assert child.wait() == 0, text
    return text


def drawn(text):
    """The lines of progress, without escapes."""
    lines = re.split(r"\r|\n", re.sub(r"\033\[[0-9]*[A-Z]", "\r", text))
    return [line for line in lines if re.match(r"(\[[#.]+\] )? *\d+ %", line)]


def study(name):
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(STUDY)
    return name + ".yaml"


WANTED = {30: "trial", 60: "best score 1234", 80: "best score 1234", 200: "of 6000 interactions, best expected"}
for width, wanted in WANTED.items():
    lines = drawn(run(width, "run", study(f"w{width}")))
    assert lines and all(len(line) < width for line in lines), (width, lines)
    assert wanted in lines[-1], (width, lines[-1])
print("4 widths")

after = drawn(run(200, "run", study("narrower"), then=50))
assert after and len(after[-1]) < 50, after
print("a window that becomes narrower")

dumb = run(80, "run", study("dumb"), TERM="dumb")
assert "\033" not in dumb and re.search(r"^ *\d+ %  trial \d+, ", dumb, re.M), dumb
print("TERM=dumb")

show = ("show", "gw10", "--theta", "7.5,3.5,1.5,8.5")
assert "\033[" in run(80, *show, LANG="en_GB.UTF-8") and "\033" not in run(80, *show, NO_COLOR="1")
assert "\033" not in run(80, *show, TERM="dumb")
assert "█" in run(80, *show) and "█" in run(80, *show, LC_ALL="C.UTF-8") and run(80, *show, LC_ALL="C").isascii()
assert run(80, *show, LANG="C", NO_COLOR="1").isascii() and not run(80, *show, LC_CTYPE="de_DE.utf8", LANG="C").isascii()
print("colours and letters")
