#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the documentation that gdbus-codegen makes says all that the comments of the interface say.

docs.py XML DOCBOOK: prints what is missing to standard error. gdbus-codegen knows a comment by its first line, "NAME:" and nothing
else; then "@ARGUMENT: text" or "@short_description: text", one line each, an empty line, and paragraphs. Text behind "NAME:" becomes
a paragraph of that line alone.
"""
import collections
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ENDS = tuple(".:;)\"!?")


def text(element):
    return " ".join("".join(element.itertext()).split())


def words(content):
    return collections.Counter(re.findall(r"\w+", content))


def check(source, docbook):
    try:
        root = ElementTree.parse(docbook).getroot()
    except ElementTree.ParseError as error:
        # Comments are copied as they are: they contain no "<" and no "&".
        yield f"the DocBook is not XML: {error}"
        return
    if not text(root.find("refnamediv/refpurpose")):
        yield "the interface has no @short_description"
    sections = [("the interface", root.find("refsect1[@role='desc']"))]
    sections += [(text(section.find("title")), section) for section in root.iter("refsect2")]
    for title, section in sections:
        # Lists of parameters and notes about versions are not the description.
        paragraphs = [text(paragraph) for paragraph in section.findall("para")
                      if text(paragraph) and paragraph.get("role") != "since"]
        if not paragraphs:
            yield f"{title} is not documented"
        for paragraph in paragraphs:
            if not paragraph.endswith(ENDS):
                yield f"{title}: a sentence is broken off: {paragraph[-60:]!r}"
        for entry in section.iter("varlistentry"):
            parameter = entry.find("term/literal/parameter")
            if parameter is None:
                continue
            content = text(entry.find("listitem"))
            if not content:
                yield f"{title}: no line @{parameter.text}"
            elif not content.endswith(ENDS):
                yield f"{title}: the line @{parameter.text} is broken off: {content[-60:]!r}"
    comments = re.findall(r"<!--(.*?)-->", source, re.DOTALL)
    comments = " ".join(comment for comment in comments if "SPDX-License-Identifier" not in comment)
    lost = words(re.sub("@(short_description|since):", "", comments)) - words(" ".join(root.itertext()))
    if lost:
        yield f"words of the comments are lost: {' '.join(sorted(lost))}"


def main():
    source, *docbooks = map(Path, sys.argv[1:])
    found = [problem for docbook in docbooks for problem in check(source.read_text(), docbook)]
    found = found if docbooks else ["no documentation was made"]
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
