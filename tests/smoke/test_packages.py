"""The source distribution and the wheel: built, installed into a fresh environment, and used there."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def tracked(*folders: str) -> set[str]:
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return {name for name in listed if (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the source distribution, and the wheel that was built from it.

    They are built from a copy, since setuptools writes beside what it packs and another worker may build at the same
    time, and with the build system of this environment, since one of its own would have to be fetched.
    """
    folder, copy = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("copy")
    pages = {str(path.relative_to(ROOT)) for path in (ROOT / "server/web/built").rglob("*") if path.is_file()}
    for name in tracked() | pages:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, copy], check=True)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def test_the_source_distribution_has_everything_but_the_repositorys_own(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked("ggp", "players", "server", "rules", "studio", "docs", "tests", "benchmarks", "experiments") <= names
    assert {"README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"} <= names


def test_the_wheel_has_the_packages_and_their_data_alone(built: tuple[Path, Path]) -> None:
    names = set(zipfile.ZipFile(built[1]).namelist())
    pages = {name for name in names if name.startswith("server/web/built/")}
    assert "server/web/built/index.html" in pages
    (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    assert "License-Expression: Apache-2.0" in zipfile.ZipFile(built[1]).read(metadata).decode()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    inside = {name for name in names - pages if ".dist-info/" not in name}
    assert inside == tracked("ggp", "players", "server", "rules", "studio")


def test_it_works_in_a_fresh_environment(built: tuple[Path, Path], tmp_path: Path) -> None:
    """Dependencies are those of this environment, since installing them takes minutes; ggp itself is the wheel's."""
    home = tmp_path / "fresh"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    library = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    zipfile.ZipFile(built[1]).extractall(library)
    (library / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    code = "import ggp; print(ggp.__file__, ggp.__version__, ggp.load('tic_tac_toe').initial().legal(0)[0])"
    told = subprocess.run([python, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split()
    assert told[0].startswith(str(library))
    assert told[1:] == ["0.1.0", "a1"]
    arguments = [python, "-m", "ggp", "match", "kuhn_poker", "random", "random", "--games", "2", "--json"]
    subprocess.run(arguments, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    pages = "import importlib.resources as r; print(r.files('server').joinpath('web/built/index.html').is_file())"
    shown = subprocess.run([python, "-c", pages], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert shown.stdout.strip() == "True"
