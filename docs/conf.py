"""How Sphinx builds the documentation; `scripts/docs` runs it."""

import os
import sys
from pathlib import Path

# Compiled functions are then plain ones, with their signatures and docstrings, and nothing is compiled.
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import oponente

project = "oponente"
author = "The oponente developers"
project_copyright = author
version = release = oponente.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "commands",
    "reference",
]
exclude_patterns = ["_extensions"]
autosummary_generate = False
nitpicky = True
smartquotes = False  # which would make a dash of the hyphens of options

# Pages. Links are as they work in the repository, so headings have the anchors that it gives them.
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
suppress_warnings = ["myst.strikethrough"]
highlight_language = "text"

# The reference. In docstrings a word between single backticks is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_mock_imports = ["catanatron", "cma", "gymnasium", "pettingzoo", "pyspiel", "torch"]
napoleon_use_rtype = False  # the words before the colon under Returns are not always a type
napoleon_numpy_docstring = False
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"oponente {release}"
html_copy_source = False
html_show_sphinx = False
