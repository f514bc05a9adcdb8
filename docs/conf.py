"""The documentation: MyST pages whose cells are executed at every build, without the network."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

HERE = Path(__file__).parent
ROOT = HERE.parent
# The pages read the folder validation/ of the repository, share docs/page.py, and call `rocstats`.
sys.path[:0] = [str(ROOT), str(HERE)]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(HERE)])
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

import rocstats  # noqa: E402

logger = logging.getLogger(__name__)

project = "rocstats"
author = "The rocstats developers"
copyright = author  # noqa: A001 (the name Sphinx wants)
version = release = rocstats.__version__
language = "en"
smartquotes = False

extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "captions", "evidence"]
exclude_patterns = ["_build", "jupyter_execute", "paper"]  # the paper is for a journal
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

# Always run: the code under the pages changes more often than the pages do.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_execution_timeout = 120
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
nb_render_markdown_format = "myst"
nb_code_prompt_show = "+ Code of the figure"
nb_code_prompt_hide = "− Code of the figure"

autodoc_typehints = "none"
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"rocstats {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_math_renderer = "mathml"


def _math(translator: Any, node: Any) -> None:
    """Write a formula as MathML, which browsers draw by themselves."""
    block = node.tagname == "math_block"
    try:
        formula = tex2mathml(node.astext(), as_block=block)
    except MathError as problem:
        logger.warning("%s: %s", node.astext(), problem, location=node)
        raise SkipNode from None
    translator.body.append(f'<div class="math-block">{formula}</div>' if block else formula)
    raise SkipNode


def _require_public_names(app: Any, env: Any) -> None:
    """Warn, which fails the build, of a public name or question without its entry."""
    wanted = set(rocstats.__all__)
    for name in rocstats.__all__:
        if isinstance(kind := getattr(rocstats, name), type):
            fields = getattr(kind, "__dataclass_fields__", ())  # described as parameters
            own_names = {own for own in vars(kind) if not own.startswith("_")}
            wanted |= {f"{name}.{own}" for own in own_names.difference(fields)}
    described = {name for name, *_ in env.get_domain("py").get_objects()}
    for name in sorted(wanted):
        if f"rocstats.{name}" not in described:
            logger.warning("docs/reference.md has no entry for %s", name)


def setup(app: Any) -> None:
    app.add_html_math_renderer("mathml", (_math, None), (_math, None))
    app.connect("env-check-consistency", _require_public_names)
