# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest 8 and later, which finds it where the package is installed.

    pytest --spw-check-sparse             every sparse tensor that a fixture gives must be valid
    pytest --sparsewright 'COMMAND'       asks the library behind an adapter every question of the conformance suite

The suite is that of the command `spw`, or of the program that SPW names. Each case is a test: `-k 'csr and matvec'` chooses
among those that ran; --sparsewright-run GLOB asks fewer."""
import os
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import pytest

from .testing import check_all


def pytest_addoption(parser):
    group = parser.getgroup("sparsewright")
    group.addoption("--spw-check-sparse", action="store_true", help="sparse tensors that fixtures give must be valid")
    group.addoption("--sparsewright", metavar="ADAPTER", help="run the conformance suite with this command as the adapter")
    group.addoption("--sparsewright-run", metavar="GLOB", action="append", default=[],
                    help="of --sparsewright: ask only cases whose id or group fits")


# ---- Fixtures ---------------------------------------------------------------------------------------

@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    given = yield
    if request.config.getoption("--spw-check-sparse"):
        try:
            check_all(given)
        except AssertionError as error:
            pytest.fail("fixture %s: %s" % (fixturedef.argname, error), pytrace=False)
    return given


# ---- The suite --------------------------------------------------------------------------------------

class Wrong(Exception):
    """A case of the suite that the library did not get right."""


class Case(pytest.Item):
    def __init__(self, *, result, **keywords):
        super().__init__(**keywords)
        self.result = result

    def runtest(self):
        for kind in ("failure", "error"):
            found = self.result.find(kind)
            if found is not None:
                raise Wrong("%s: %s" % (found.get("type", kind), found.get("message")))
        if self.result.find("skipped") is not None:
            pytest.skip("not in the adapter's manifest")

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if excinfo.errisinstance(Wrong) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, self.name


class Suite(pytest.Collector):
    def collect(self):
        for result in self.ask().iter("testcase"):
            yield Case.from_parent(self, name="%s[%s]" % (result.get("classname"), result.get("name")), result=result)

    def ask(self):
        """The report of `spw conform`, whose progress goes to standard error."""
        spw = os.environ.get("SPW") or shutil.which("spw")
        if not spw:
            raise pytest.UsageError("--sparsewright needs the command spw in PATH, or its path in SPW")
        with tempfile.TemporaryDirectory() as folder:
            command = [spw, "conform", "--adapter=" + self.config.getoption("--sparsewright"), "--out=" + folder,
                       *("--run=" + glob for glob in self.config.getoption("--sparsewright-run"))]
            done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
            report = os.path.join(folder, "report.xml")
            if done.returncode not in (0, 1) or not os.path.exists(report):
                raise pytest.UsageError("spw conform ended with %d: %s" % (done.returncode, (done.stderr or done.stdout).strip()))
            return ElementTree.parse(report)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    """First, so that -k chooses among the cases too."""
    if config.getoption("--sparsewright"):
        items.extend(Suite.from_parent(session, name="sparsewright").collect())
