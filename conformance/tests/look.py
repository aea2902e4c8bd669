#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""look.py [FOLDER]: opens the HTML page in a headless browser (chromium), light, dark and as wide as
a phone, and looks at what is there: that the script ran, that the filter shows what is not right,
that a linked case opens with a program, and that nothing is wider than the screen; the same of a site. Both are of a library with
a planted fault. With FOLDER, pictures are left there. Exit code 0 and a line that says
so where there is no chromium."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))
from harness import driver  # noqa: E402
from cases import store  # noqa: E402
from judging.control import find  # noqa: E402
from reports import page, website  # noqa: E402

RECIPE = {"language": "python", "head": "# no library", "body": {"*": "print(values)"}}
SCREENS = {"light": (1200, []), "dark": (1200, ["--blink-settings=preferredColorScheme=0"]),
           "phone": (500, [])}  # narrower windows are not to be had
# Put into the page's copy: writes down what a reader would see.
PROBE = """<script>
addEventListener("load", () => setTimeout(() => {
  const item = document.querySelector(".item[open]");
  document.title = JSON.stringify({
    ready: document.body.dataset.ready || "", count: document.getElementById("count").textContent,
    program: item ? item.textContent.includes("print(values)") : false,
    background: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth - innerWidth});
}, 3000));
</script>"""
SITE_PROBE = """<script>
addEventListener("load", () => {
  document.title = JSON.stringify({background: getComputedStyle(document.body).backgroundColor,
                                   wide: document.documentElement.scrollWidth - innerWidth});
});
</script>"""


def make_page(path):
    cases = list(store.kept().cases(lambda name, group: group in ("structure", "sum", "read")))
    with tempfile.TemporaryDirectory() as folder:
        profile = {"library": "planted", "must_be_right": False, "flags": {}, "adapter": [
            sys.executable, "-B", str(TOP / "adapters/planted_adapter.py"), "ignores-the-first-offset"]}
        options = SimpleNamespace(report=os.path.join(folder, "report"), memory=4096, timeout=60,
                                  start_timeout=60, spw=find())
        report = driver.run_library(profile, cases, options)
    wrong = [result for result in report["results"] if result["outcome"] not in ("right", "unsupported")]
    path.write_text(page.page([report], cases, {"planted": RECIPE}))
    files = website.files_of([report], {case["id"]: case for case in cases}, {"planted": RECIPE})
    website.write(path.parent / "site", files)
    return wrong, report["executed"]


def browse(browser, path, width, options, fragment, picture=None):
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--virtual-time-budget=30000", f"--window-size={width},2600", *options]
    command += [f"--screenshot={picture}"] if picture else ["--dump-dom"]
    done = subprocess.run([*command, f"file://{path}#{fragment}"], capture_output=True, text=True,
                          check=False, timeout=180)
    return done.stdout


def problems(browser, folder, pictures):
    path, probed = Path(folder, "page.html"), Path(folder, "probed.html")
    wrong, executed = make_page(path)
    probed.write_text(path.read_text().replace("</body>", PROBE + "</body>"))
    backgrounds = {}
    for screen, (width, options) in SCREENS.items():
        dom = browse(browser, probed, width, options, "")
        seen = found_in(dom)
        backgrounds[screen] = seen.get("background")
        if seen.get("ready") != "yes" or seen.get("count") != f"{len(wrong)} of {executed} answers":
            yield f"{screen}: {seen}, {len(wrong)} of {executed} answers expected"
        if not seen.get("wide", 1) <= 0:
            yield f"{screen}: {seen.get('wide')} pixels too wide"
        opened = found_in(browse(browser, probed, width, options, f"planted/{wrong[0]['id']}"))
        if opened.get("program") is not True:
            yield f"{screen}: the linked case does not open with its program"
        if pictures:
            browse(browser, path, width, options, f"planted/{wrong[0]['id']}", Path(pictures, screen + ".png"))
    if not backgrounds["light"] == backgrounds["phone"] != backgrounds["dark"]:
        yield f"light and dark look the same: {backgrounds}"
    yield from site_problems(browser, Path(folder, "site"), pictures)


def site_problems(browser, site, pictures):
    """Of its three kinds of pages; style.css lies beside the copies."""
    finding = next(iter(sorted(site.glob("finding-*.html"))))
    for path in (site / "index.html", site / "library-planted.html", finding):
        probed, backgrounds = site / "probed.html", {}
        probed.write_text(path.read_text().replace("</body>", SITE_PROBE + "</body>"))
        for screen, (width, options) in SCREENS.items():
            seen = found_in(browse(browser, probed, width, options, ""))
            backgrounds[screen] = seen.get("background")
            if not seen.get("wide", 1) <= 0:
                yield f"site, {path.name}, {screen}: {seen.get('wide')} pixels too wide"
            if pictures:
                browse(browser, path, width, options, "", Path(pictures, f"{path.stem}-{screen}.png"))
        if not backgrounds["light"] == backgrounds["phone"] != backgrounds["dark"]:
            yield f"site, {path.name}: light and dark look the same: {backgrounds}"


def found_in(dom):
    title = re.search(r"<title>(\{.*?\})</title>", dom, re.S)
    return json.loads(title.group(1).replace("&amp;", "&")) if title else {}


def main(pictures=None):
    browser = shutil.which("chromium")
    if not browser:
        print("look: left out, there is no chromium")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        found = list(problems(browser, folder, pictures and os.path.abspath(pictures)))
    print("\n".join(found) or f"look: page and site are right in {len(SCREENS)} screens, light and dark")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
