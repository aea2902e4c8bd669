# SPDX-License-Identifier: Apache-2.0
"""A pack: the cases as files that need neither driver nor adapter, with their version and their hashes."""
import base64
import hashlib
import json
from pathlib import Path

from cases import generate
from schemas.vocabulary import SUITE

TOP = Path(__file__).resolve().parents[1]
COPIED = {"LICENSE": next(path for path in (TOP / "LICENSE", TOP.parent / "LICENSE") if path.exists()),
          "README.md": "packs/README.md", "use_pack.py": "packs/use_pack.py", "use_pack.c": "packs/use_pack.c",
          "case.schema.json": "schemas/case.schema.json"}


def export(folder):
    """Raises OSError: a folder that is there and not empty is left as it is."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    cases = list(generate.all_cases())
    files = {name: (TOP / source).read_bytes() for name, source in COPIED.items()}
    files["cases.jsonl"] = "".join(json.dumps(case) + "\n" for case in cases).encode()
    for case in cases:
        if "file" in case:
            name = f"files/{case['id'].replace('/', '-')}.{case['file']['format']}"
            files[name] = base64.b64decode(case["file"]["base64"])
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    pack = {"suite": SUITE, "cases": len(cases), "license": "Apache-2.0",
            "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}}
    (folder / "pack.json").write_text(json.dumps(pack, indent=1) + "\n", encoding="utf-8")
    return pack
