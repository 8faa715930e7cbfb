# SPDX-License-Identifier: Apache-2.0
"""The files for a guest: a tar archive, as its second disk, which the guest unpacks over its root."""
import io
import tarfile

BLOCK = 1 << 20                     # disks end at whole sectors


def write_input_disk(path, programs, install_tree, names):
    """programs: {name: file or folder}, of what goes to /opt/vm-tests; install_tree: None, or what goes to the root."""
    with tarfile.open(path, "w") as archive:
        if install_tree:
            archive.add(install_tree, arcname=".", filter=_owned_by_root)
        for name, file in programs.items():
            archive.add(file, arcname=f"./opt/vm-tests/{name}", filter=_owned_by_root)
        _add_text(archive, "./opt/vm-tests/guest/selection", " ".join(names))
    with open(path, "r+b") as file:
        file.truncate(-(-path.stat().st_size // BLOCK) * BLOCK)


def _owned_by_root(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    if entry.isdir():
        entry.mode = 0o755          # these directories are the guest's own
    return None if entry.name.endswith("__pycache__") else entry


def _add_text(archive, name, text):
    entry = tarfile.TarInfo(name)
    entry.size = len(text.encode())
    archive.addfile(entry, io.BytesIO(text.encode()))
