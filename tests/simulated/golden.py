"""Golden recordings: one gzipped JSON file each with layout, rules, observations and what is due.

    python tests/simulated/golden.py FOLDER NAME [NEW_NAME]

packs FOLDER/NAME.obs.jsonl and its layout, rules and expectations (as `check --save` writes them) into recordings/.
"""

import gzip
import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "recordings"


def pack(folder: Path, name: str, new_name: str) -> Path:
    """Write one recording from the four files of a session."""
    parts = {
        key: (folder / f"{name}.{end}").read_text()
        for key, end in (("layout", "layout.toml"), ("rules", "rules.toml"), ("lines", "obs.jsonl"))
    }
    expected = json.loads((folder / f"{name}.expect.json").read_text())
    expected.pop("note", None)
    target = FOLDER / f"{new_name}.json.gz"
    target.write_bytes(gzip.compress(json.dumps(parts | {"expected": expected}).encode(), 9, mtime=0))
    return target


def unpack(path: Path):
    """A recording as a dictionary of layout, rules and lines (texts) and expectations."""
    return json.loads(gzip.decompress(path.read_bytes()))


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]), sys.argv[2], sys.argv[-1]))
