"""The explorer as a fragment of a page: its data, scripts and styles, without a network."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


# The scripts share one scope and are joined in this order: numbers first, the page last.
SCRIPTS = (
    "model/numbers.js",
    "model/counts.js",
    "model/limits.js",
    "model/worth.js",
    "model/state.js",
    "model/address.js",
    "model/view.js",
    "model/bins.js",
    "model/texts.js",
    "model/sentences.js",
    "model/csv.js",
    "screen/dom.js",
    "screen/marks.js",
    "screen/axes.js",
    "screen/card.js",
    "screen/scores.js",
    "screen/dots.js",
    "screen/stacked.js",
    "screen/scores_card.js",
    "screen/roc.js",
    "screen/roc_card.js",
    "screen/people.js",
    "screen/results.js",
    "screen/worth.js",
    "screen/comparison.js",
    "screen/answer.js",
    "screen/dial.js",
    "screen/choice.js",
    "screen/prevalence.js",
    "screen/alarms.js",
    "screen/tools.js",
    "screen/controls.js",
    "screen/page.js",
    "screen/main.js",
)
STYLES = ("style/page.css", "style/controls.css", "style/figures.css", "style/print.css")

# A script element ends at "</script", even within quotes; U+2028 and U+2029 end a line
# of JavaScript but none of JSON.
_UNSAFE = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})

_FRAGMENT = """\
<section class="explorer" id="explorer">
<style>
{styles}</style>
<div data-part="static">
{static}
</div>
<script type="application/json" id="explorer-data">{data}</script>
<script>
(function () {{
"use strict";
{scripts}}}());
</script>
</section>
"""


def explorer_fragment(payload: Mapping[str, object], static: str) -> str:
    """Return the explorer as HTML, with the static view that replaces it where no script runs.

    Parameters
    ----------
    payload : mapping
        Data of the explorer: text, numbers, lists and mappings; None for unknown values.
    static : str
        HTML of the chosen view, trusted: shown until the explorer takes its place.

    Returns
    -------
    str
        One ``section``, which loads nothing.

    Examples
    --------
    >>> from rocstats.explorer.html import explorer_fragment
    >>> page = explorer_fragment({"tests": []}, "<p>No view.</p>")
    >>> page.splitlines()[0]
    '<section class="explorer" id="explorer">'
    """
    return _FRAGMENT.format(
        styles=_joined_explorer_files(STYLES),
        static=static,
        data=_json_for_script_element(payload),
        scripts=_joined_explorer_files(SCRIPTS),
    )


def _json_for_script_element(payload: Mapping[str, object]) -> str:
    """Return JSON for a script element; NaN raises an error."""
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE)


def _joined_explorer_files(names: Iterable[str]) -> str:
    room = files("rocstats.explorer")
    return "\n".join(room.joinpath(name).read_text(encoding="utf-8") for name in names)
