from __future__ import annotations

import pytest

from ggp.cli.commands import lsp as lsp_module
from ggp.cli.commands.lsp import NoLanguageServer


def test_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lsp_module, "find_spec", lambda name: None)
    with pytest.raises(NoLanguageServer) as caught:
        lsp_module.lsp()
    assert str(caught.value) == "the language server needs the package pygls: pip install 'ggp[lsp]'"
