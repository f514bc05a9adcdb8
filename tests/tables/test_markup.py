"""Tables as HTML, LaTeX and Markdown: names with markup in them are printed as they are."""

from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest

from rocstats.tables.latex import escape_latex
from rocstats.tables.markup import escape_markdown
from rocstats.tables.tables import save_table
from tests.tables.hand_frames import area_row, auc_frame

HARD_NAMES = [
    '<b>bold</b> & "quoted"',
    "=cmd|' /C calc'!A0",
    "Kreatinin µmol/l 名前",
    "100%_of$#{x}~^\\",
    "[first]* --- `code`",
    "name_" * 60,
    "<script>alert(1)</script>",
    "🩺 a_b&c%",
]


class Cells(HTMLParser):
    """Collects the texts of cells, and fails on tags that are not those of a table page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.cells, self.tags, self.inside = [], set(), False

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag in ("th", "td"):
            self.cells.append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("th", "td")

    def handle_data(self, data):
        if self.inside:
            self.cells[-1] += data


@pytest.mark.parametrize("name", HARD_NAMES)
def test_hard_names_in_html(tmp_path, name):
    path = save_table(auc_frame(area_row(name, 0.8, 0.7, 0.9)), tmp_path / "a.html", caption=name)
    parser = Cells()
    parser.feed(path.read_text(encoding="utf-8"))
    assert parser.cells[4] == name
    page, table = {"html", "head", "meta", "title", "style", "body"}, {"table", "caption", "tr"}
    assert parser.tags <= page | table | {"thead", "tbody", "tfoot", "th", "td"}


def test_headings_of_other_tables_are_escaped_too(tmp_path):
    table = pd.DataFrame({"<i>P</i> & value": ["<.001"]})
    page = save_table(table, tmp_path / "a.html").read_text(encoding="utf-8")
    assert "&lt;i&gt;P&lt;/i&gt; &amp; value</th>" in page


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        ("\\", r"\textbackslash{}"),
        ("50% & $5 #1 a_b {c}", r"50\% \& \$5 \#1 a\_b \{c\}"),
        ("~^`", r"\textasciitilde{}\textasciicircum{}\textasciigrave{}"),
        ("<0.01 > |x|", "$<$0.01 $>$ $|$x$|$"),
        ("−0.04", "$-$0.04"),
        # Two hyphens would become a dash; "[" and "*" after a row's end would be its argument.
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("[x]*", "{[}x]{*}"),
        ("Ärger 名前", "Ärger 名前"),
    ],
)
def test_latex_characters(raw, printed):
    assert escape_latex(raw) == printed


def test_latex_table(differences, tmp_path):
    text = save_table(
        differences.iloc[[2]], tmp_path / "a.tex", style="jama", caption="100% paired"
    ).read_text(encoding="utf-8")
    assert "\\caption{100\\% paired}\n" in text
    assert "\\begin{tabular}{@{}llrrrr@{}}\n\\toprule\n" in text
    head = r"\begin{tabular}[b]{@{}r@{}}Difference in AUC \\ (95\% CI)\end{tabular}"
    assert (
        f"Predictor & Reference & {head} & P value & Positives & Negatives"
        " \\\\\n\\midrule\n"
        "s100b & ndka & $-$0.03 ($-$0.15 to 0.08) & .60 & 41 & 72 \\\\\n\\bottomrule\n"
    ) in text


def test_rows_of_several_lines_stand_apart_in_latex_and_others_do_not(tmp_path):
    for name, space in (("s100b", False), ("troponin " * 12, True)):
        rows = auc_frame(area_row(name, 0.8, 0.7, 0.9), area_row("ndka", 0.7, 0.6, 0.8))
        text = save_table(rows, tmp_path / f"{space}.tex").read_text(encoding="utf-8")
        assert ("\\\\\\addlinespace[2pt]\n" in text) == space


@pytest.mark.parametrize("name", HARD_NAMES)
def test_hard_names_in_latex_leave_the_table_standing(tmp_path, name):
    path = save_table(auc_frame(area_row(name, 0.8, 0.7, 0.9)), tmp_path / "a.tex")
    body = path.read_text(encoding="utf-8").split("\\midrule\n")[1].split("\\bottomrule")[0]
    assert body.count("\n") == 1
    # A long name is broken into lines, which are a table in its cell.
    start = r"\begin{tabular}[t]{@{}l@{}}"
    cell = body.partition(" & 0.800")[0]
    joined = cell.removeprefix(start).removesuffix(r"\end{tabular}").replace(r" \\ ", "")
    assert joined == escape_latex(name)
    assert cell.startswith(start) == (len(name) > 100)
    bare = body.replace("\\&", "").replace("\\{", "").replace("\\}", "").replace("\\$", "")
    assert bare.count("&") == 3
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        ("a|b", r"a\|b"),
        ("a_b*c*`d` [e](f) ~g~ $h$", r"a\_b\*c\*\`d\` \[e\](f) \~g\~ \$h\$"),
        ("<b>x</b>", r"\<b>x\</b>"),
        ("<0.01 & <.05", "<0.01 & <.05"),
        ("&lt; & &", r"\&lt; & &"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_markdown_characters(raw, printed):
    assert escape_markdown(raw) == printed


def test_markdown_table(differences, tmp_path):
    path = save_table(differences.iloc[[2]], tmp_path / "a.md", style="jama", caption="Pairs")
    assert path.read_text(encoding="utf-8").split("\n")[:5] == [
        "**Pairs**",
        "",
        "| Predictor | Reference | Difference in AUC (95% CI) | P value | Positives | Negatives |",
        "| :--- | :--- | ---: | ---: | ---: | ---: |",
        "| s100b | ndka | −0.03 (−0.15 to 0.08) | .60 | 41 | 72 |",
    ]


@pytest.mark.parametrize("name", HARD_NAMES)
def test_hard_names_in_markdown(tmp_path, name):
    import markdown_it

    path = save_table(auc_frame(area_row(name, 0.8, 0.7, 0.9)), tmp_path / "a.md")
    parser = Cells()
    reader = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.feed(reader.render(path.read_text(encoding="utf-8")))
    assert parser.cells[4] == name


def test_line_breaks_in_names_do_not_break_rows(tmp_path):
    path = save_table(auc_frame(area_row("two\n\nlines", 0.8, 0.7, 0.9)), tmp_path / "a.md")
    assert "| two lines | 0.800 (0.700-0.900) | 41 | 72 |" in path.read_text("utf-8")
