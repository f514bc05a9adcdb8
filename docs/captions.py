"""Captions: a figure has a caption, which is its alt text too, and the gallery has every figure.

A cell that draws says what its figure shows: ``:caption: ROC curves of two tests.`` A figure
without a caption is a warning, which fails the build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)


class gallery(nodes.General, nodes.Element):  # noqa: N801 (docutils has nodes in lower case)
    """The place of the gallery on its page."""


class Gallery(SphinxDirective):
    """All figures of all pages, in the order of the pages."""

    def run(self) -> list[nodes.Node]:
        """Mark the place; the figures are known when all pages have been read."""
        return [gallery()]


def caption_figures(app: Sphinx, page: nodes.document) -> None:
    """Give each figure that a cell drew its caption, and warn of images without a text."""
    for cell in page.findall(lambda node: _is(node, "cell_code")):
        caption = " ".join(str(cell["cell_metadata"].get("caption", "")).split())
        for image in list(cell.findall(nodes.image)) if caption else []:
            image["alt"] = caption
            number = len(list(page.findall(nodes.figure))) + 1
            figure = nodes.figure("", ids=[f"figure-{number}"])
            image.replace_self(figure)
            figure += [image, nodes.caption(caption, caption)]
    for image in page.findall(nodes.image):
        if not image.get("alt", "").strip():
            logger.warning(
                "a figure has no text for readers who do not see it: give its cell `:caption:`,"
                " one sentence that says what the figure shows",
                location=image.parent,
            )


def _is(node: nodes.Node, element: str) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == element


def fill_gallery(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Put every figure of the other pages, linked to its page, where the gallery is marked."""
    for place in list(page.findall(gallery)):
        place.replace_self(
            [
                _of_page(app, docname, other, figures)
                for other in _in_order(app.env, app.config.root_doc)
                if (figures := list(app.env.get_doctree(other).findall(nodes.figure)))
            ]
        )


def _in_order(env: BuildEnvironment, docname: str) -> Iterator[str]:
    """The pages in the order of the tables of contents."""
    yield docname
    for below in env.toctree_includes.get(docname, ()):
        yield from _in_order(env, below)


def _of_page(app: Sphinx, here: str, page: str, figures: list[nodes.figure]) -> nodes.section:
    title = app.env.titles[page].astext()
    shelf = nodes.container(classes=["gallery"])
    for figure in figures:
        (image,) = (image.deepcopy() for image in figure.findall(nodes.image))
        image["loading"] = "lazy"
        target = f"{app.builder.get_relative_uri(here, page)}#{figure['ids'][0]}"
        link = nodes.reference("", "", image, refuri=target, internal=True)
        label = f"{nodes.make_id(page)}-{figure['ids'][0]}"
        shelf += nodes.figure("", link, nodes.caption("", image["alt"]), ids=[label])
    name = f"of-{nodes.make_id(page)}"
    return nodes.section("", nodes.title("", title), shelf, ids=[name])


def _rewrite_gallery(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Every build writes the gallery again: any page may have other figures."""
    return [name for name in env.found_docs if any(env.get_doctree(name).findall(gallery))]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the captions to Sphinx."""
    app.add_node(gallery)
    app.add_directive("gallery", Gallery)
    app.connect("doctree-read", caption_figures)
    app.connect("env-updated", _rewrite_gallery)
    app.connect("doctree-resolved", fill_gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
