"""Evaluates an expression about the data in a page that besd wrote, and prints what it is.

usage: page_json.py PAGE EXPRESSION

`page` is the data, `inside` its text, `d` its documents; `study(name)` and `of(name, what)` are a study's own and another of its answers,
where the name may be left out when there is one study. `only` is the markup without scripts and styles.
"""
import json
import pathlib
import re
import sys
import urllib.parse

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
inside = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S).group(1)
page = json.loads(inside)
d = page["documents"]
only = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.S)


def path(name=None):
    return "/v1/studies/" + urllib.parse.quote(name or d["/v1/studies"]["studies"][0]["name"], safe="!~*'()")


def study(name=None):
    return d[path(name)]


def of(what, name=None):
    return d.get(path(name) + "/" + what)


print(eval(sys.argv[2]))
