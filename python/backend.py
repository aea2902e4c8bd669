# SPDX-License-Identifier: Apache-2.0
"""The build backend (PEP 517): a wheel is what the Makefile makes, in a zip; a source distribution is what git lists.

The usual backends need packages that a bare machine has not, and would need the Makefile's flags a second time: the kernels
are compiled for several processors."""
import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = "build/wheel"
NAME = "sparsewright"


def version():
    with open(os.path.join(ROOT, "src", "sparsewright_core.h"), encoding="utf-8") as file:
        return re.search(r'#define SPW_VERSION "(.*)"', file.read())[1]


def metadata():
    with open(os.path.join(ROOT, "python", "README.md"), encoding="utf-8") as file:
        text = file.read()
    head = ("Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {version()}", "Requires-Python: >=3.11", "License: Apache-2.0",
            "Summary: Says whether a sparse tensor is valid, and if not, which rule is broken, where, by which two numbers",
            "Description-Content-Type: text/markdown")
    return "\n".join(head) + "\n\n" + text


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def compiled():
    """The extension module. A warning of another compiler than ours is no reason not to install."""
    core = f"{BUILD}/python/{NAME}/_core.abi3.so"
    subprocess.run(["make", "-s", f"-j{os.cpu_count() or 1}", f"B={BUILD}", "WARN=", "STRIP=1", f"PYTHON={sys.executable}", core],
                   cwd=ROOT, check=True)
    return os.path.join(ROOT, core)


def contents(information):
    package = os.path.join(ROOT, "python", NAME)
    paths = [os.path.join(package, name) for name in sorted(os.listdir(package)) if name.endswith((".py", ".pyi", ".typed"))]
    files = {}
    for path in (*paths, compiled()):
        with open(path, "rb") as file:
            files[f"{NAME}/{os.path.basename(path)}"] = file.read()
    tag = "cp311-abi3-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    files[f"{information}/METADATA"] = metadata().encode()
    files[f"{information}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    with open(os.path.join(ROOT, "LICENSE"), "rb") as file:
        files[f"{information}/licenses/LICENSE"] = file.read()
    files[f"{information}/entry_points.txt"] = f"[pytest11]\n{NAME} = {NAME}.pytest_plugin\n".encode()
    return files, tag


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    information = f"{NAME}-{version()}.dist-info"
    files, tag = contents(information)
    rows = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{information}/RECORD"] = f"{rows}{information}/RECORD,,\n".encode()
    wheel = f"{NAME}-{version()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    folder = f"{NAME}-{version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    information = metadata().encode()
    with tarfile.open(os.path.join(sdist_directory, folder + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in listed.rstrip("\0").split("\0"):
            archive.add(os.path.join(ROOT, name), f"{folder}/{name}", recursive=False)
        entry = tarfile.TarInfo(f"{folder}/PKG-INFO")
        entry.size = len(information)
        archive.addfile(entry, io.BytesIO(information))
    return folder + ".tar.gz"
