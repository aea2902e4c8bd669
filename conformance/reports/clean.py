# SPDX-License-Identifier: Apache-2.0
"""Strangers' words: names, versions, messages and answers of libraries, made fit for what shows them. What is not
printable (control characters, marks of direction, halves of characters, ends of lines) is written as an escape, such
as \\x1b, so that nobody's words move a cursor, end a line or turn a text around; then each format's own signs lose
their meaning."""
import html

LONGEST = 400


def printable(text):
    """With spaces as they are."""
    return text if text.isprintable() else "".join(
        sign if sign.isprintable() else " " if sign in "\n\t" else ascii(sign)[1:-1] for sign in text)


def line(text, longest=LONGEST):
    """One printable line: for a terminal, and for JSON and XML, whose writers mark their own signs."""
    return " ".join(printable(str(text)[:4 * longest]).split())[:longest]  # what is longer is not worth looking at


def block(text):
    """Lines as they are, each of them printable."""
    return "\n".join(map(printable, text.split("\n")))


def of_tap(text):
    """A # would begin a directive."""
    return line(text.replace("#", ""))


def of_html(text, longest=LONGEST):
    """For the text of an element, and for an attribute between quotes of either kind."""
    return html.escape(line(text, longest))


def of_markdown(text):
    """For a cell of a table: nothing is a link, an element or the end of the cell."""
    return "".join("\\" + sign if sign in "\\`*_[]<>|&#~!" else sign for sign in line(text))


def item(found, longest=LONGEST):
    """All texts in a piece of JSON, keys too, for any reader. Elements of arrays may be long."""
    if isinstance(found, str):
        return found if found.isprintable() and len(found) <= longest else line(found, longest)
    if isinstance(found, dict):
        return {item(key): item(value, longest) for key, value in found.items()}
    if isinstance(found, list):
        return [item(part, longest) for part in found]
    return found
