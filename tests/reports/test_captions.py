"""Captions explain their abbreviations, Word counts them, and Methods tell limits of detection."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.reports.contents import report_of
from rocstats.reports.document import FigureBlock, blocks_of
from rocstats.reports.options import read_report_options
from rocstats.tables.methods import limit_sentences

Y = np.tile([1, 0], 30)
SCORE = np.arange(60) % 7 + Y


def test_captions_of_figures_explain_their_abbreviations():
    study = rs.Study(Y, SCORE, group=np.repeat(["F", "M"], 30))
    made = report_of(study, read_report_options(study, criterion=None, rng=1))
    captions = [b.caption for b in blocks_of(made.on_paper) if isinstance(b, FigureBlock)]
    roc = next(text for text in captions if "Empirical ROC curve" in text)
    assert roc.endswith(
        "AUC, area under the receiver operating characteristic curve; ROC, receiver operating"
        " characteristic; CI, confidence interval."
    )
    assert all(text.endswith(".") for text in captions)


def test_word_counts_tables_and_figures(tmp_path):
    docx = pytest.importorskip("docx")
    study = rs.Study(Y, SCORE)
    path = rs.report(study, tmp_path / "a.docx", criterion=None, rng=1)
    document = docx.Document(path)
    captions = [one for one in document.paragraphs if one.text.startswith(("Table ", "Figure "))]
    kinds = [one.text.split(". ")[0] for one in captions]
    assert kinds == ["Table 1", "Figure 1", "Figure 2"]
    for caption, kind in zip(captions, kinds, strict=True):
        assert f"SEQ {kind.split()[0]} " in caption._p.xml
        assert caption._p.xml.count("w:fldChar ") == 3
    # a caption of the user is not counted anew
    path = rs.save_table(study.auc(), tmp_path / "b.docx", caption="Table 2. Areas")
    first = docx.Document(path).paragraphs[0]
    assert first.text == "Table 2. Areas"
    assert "SEQ" not in first._p.xml


def test_methods_tell_limits_of_detection(tmp_path):
    file = tmp_path / "a.csv"
    cells = ["<0.5" if i % 5 == 0 else f"{1 + i % 7 + i % 2}" for i in range(60)]
    file.write_text("y,crp\n" + "\n".join(f"{i % 2},{cell}" for i, cell in enumerate(cells)))
    study = rs.Study("y", "crp", data=rs.read_table(file, below_limit="lowest"))
    said = (
        "Results of crp below a limit of detection (<0.5 in 12) were ranked below all measured"
        " results, tied with one another."
    )
    assert [one.text for one in limit_sentences(study.auc())] == [said]
    made = report_of(study, read_report_options(study, criterion=None, rng=1))
    (methods,) = [one for one in made.on_paper.sections if one.key == "methods"]
    assert said in methods.blocks[0].text
    assert limit_sentences(rs.Study(Y, SCORE).auc()) == []


def test_a_report_crosses_results_with_the_condition_and_draws_their_flow():
    study = rs.Study(Y, {"a": SCORE, "b": np.arange(60) % 5 + Y}, outcome="cancer")
    options = read_report_options(study, prespecified={"a": 4}, criterion=None, rng=1)
    blocks = list(blocks_of(report_of(study, options).on_paper))
    crossed = next(
        b.table for b in blocks if hasattr(b, "table") and "Results of the" in b.table.caption
    )
    assert crossed.heads == ("Test", "Result", "With cancer", "Without cancer", "Total")
    row = study.operating_points(threshold={"a": 4}, quantities=["tpr"]).iloc[0]
    tp, fp = int(row["tp"]), int(row["fp"])
    assert crossed.rows == (
        ("a ≥ 4", "Positive", str(tp), str(fp), str(tp + fp)),
        ("", "Negative", str(30 - tp), str(30 - fp), str(60 - tp - fp)),
    )
    flows = [b for b in blocks if isinstance(b, FigureBlock) and "Flow of patients" in b.caption]
    assert len(flows) == 1
    (ax,) = flows[0].draw().axes
    assert f"With\ncancer\nn = {tp}" in [text.get_text() for text in ax.texts]


def test_weights_have_no_flow():
    study = rs.Study(Y, SCORE, sample_weight=np.arange(60) % 3 + 1.0)
    with pytest.warns(rs.StatisticalWarning):
        made = report_of(study, read_report_options(study, prespecified=4, rng=1))
    captions = [getattr(b, "caption", "") for b in blocks_of(made.on_paper)]
    assert not any("Flow of" in text for text in captions)
    stard = next(one for one in made.on_paper.sections if one.key == "stard")
    assert "19 flow of participants; 20 who" in stard.blocks[0].text


def test_print_never_speaks_of_an_interactive_part():
    study = rs.Study(Y, SCORE)
    made = report_of(study, read_report_options(study, rng=1, prevalence=0.1))
    words = [made.on_paper.title, made.on_paper.subtitle]
    for section in made.on_paper.sections:
        words.append(section.title)
        for block in section.blocks:
            words.append(getattr(block, "text", "") or getattr(block, "caption", ""))
            table = getattr(block, "table", None)
            words += [] if table is None else [table.caption, table.footnote, table.sentences]
    text = " ".join(words).casefold()
    assert not any(word in text for word in ("interactive", "explorer", "slider", "moved", "click"))
    assert "interactive" in " ".join(
        block.text for s in made.document.sections for block in s.blocks if hasattr(block, "text")
    )
