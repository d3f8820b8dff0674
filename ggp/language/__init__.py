"""The rules language: text of a rules file to checked, typed tree."""

from ggp.language.check.checker import CheckResult, check, no_files, parameters_of, sent_files
from ggp.language.check.declarations.parameters import ParameterDeclaration
from ggp.language.diagnostics import Diagnostic, suggestions
from ggp.language.library import RulesNotFound, RulesUnreadable, library_names, load_rules
from ggp.language.render import render, render_all
from ggp.language.text.parser import parse
from ggp.language.text.source import SourceFile, Span

__all__ = [
    "CheckResult",
    "Diagnostic",
    "ParameterDeclaration",
    "RulesNotFound",
    "RulesUnreadable",
    "SourceFile",
    "Span",
    "check",
    "library_names",
    "load_rules",
    "no_files",
    "parameters_of",
    "parse",
    "render",
    "render_all",
    "sent_files",
    "suggestions",
]
