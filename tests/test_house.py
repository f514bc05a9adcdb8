"""The rules of the package: the order of imports, one maker of frames, the public names."""

from __future__ import annotations

import ast
import inspect
import io
import os
import re
import subprocess
import sys
import tokenize
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, get_args

import pytest

import rocstats as rs
from rocstats import inference
from tests.quick import each

ROOT = Path(rs.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
ORDER = (
    "facts",
    "errors",
    "frame",
    "datasets",
    "study",
    "counts",
    "curves",
    "estimate",
    "inference",
    "studies",
    "tables",
    "plots",
    "explorer",
    "reports",
    "commands",
    "app",
)
"""The folders in the order of imports: each file imports from its own folder and from the left."""
TOP = {
    "__init__",
    "__main__",
    "_version",
    "classifiers",
    "cli",
    "learners",
    "planning",
    "verification",
}
"""The files above all folders; `_version` alone is imported from below."""
TOPICS = ("classifiers", "learners", "planning", "verification")
STUDIES = (
    *(
        rs.Study,
        rs.ItemStudy,
        rs.MetaStudy,
        rs.MulticlassStudy,
        rs.MultilabelStudy,
        rs.OrdinalStudy,
        rs.ReaderStudy,
        rs.DetectionStudy,
    ),
    rs.SurvivalStudy,
)


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path):
    return ast.parse(text_of(path))


@cache
def nodes_of(path):
    return list(ast.walk(tree_of(path)))


def module_of(path):
    name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")


KNOWN = {module_of(file) for file in FILES}


@cache
def imports_of(path):
    """All rocstats modules a file imports, inside functions and TYPE_CHECKING too."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    found = {name for name in found & KNOWN if name.startswith("rocstats")}
    return frozenset(found - {module_of(path)})


def folder_of(module):
    return ([*module.split("."), "__init__"])[1]


def test_every_folder_has_its_place_in_the_order():
    found = {path.stem for path in ROOT.glob("*.py")}
    found |= {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert found == {*ORDER, *TOP}


def test_a_file_imports_from_its_folder_and_from_the_left():
    for path in FILES:
        here = folder_of(module_of(path))
        if here in TOP:
            continue
        allowed = {*ORDER[: ORDER.index(here) + 1], "_version"}
        for other in imports_of(path):
            assert folder_of(other) in allowed, f"{module_of(path)} imports {other}"


def test_a_topic_imports_no_other_topic():
    for path in (ROOT / "inference").rglob("*.py"):
        topic = module_of(path).split(".")[2:3]
        for name in imports_of(path):
            if name.startswith("rocstats.inference."):
                assert name.split(".")[2:3] == topic, f"{path} imports {name}"


def test_no_import_cycle():
    graph = {module_of(path): imports_of(path) - {"rocstats"} for path in FILES}
    assert len(list(TopologicalSorter(graph).static_order())) >= len(FILES) - 1


def test_kernels_know_no_words_of_the_user():
    """A file with a kernel of an interval or a variance takes arrays: no samples, no frames."""
    for name in (
        "intervals",
        "proportions",
        "influence",
        "quantiles",
        "bands",
        "exact_bands",
        "smoothed_band",
    ):
        for other in imports_of(ROOT / "estimate" / f"{name}.py"):
            folder, _, rest = other.removeprefix("rocstats.").partition(".")
            arrays = rest in {"cases", "clusters", "count_tables", "summed"}
            assert folder in {"facts", "curves", "estimate"} or (folder == "study" and arrays), (
                f"{name} imports {other}"
            )


def families():
    from rocstats.estimate import areas, bands, claim, intervals, proportions
    from rocstats.inference.bands import average_limits
    from rocstats.tables import text

    def words(records):
        return [record.word for record in records]

    return {
        "interval": (intervals.Interval, words(intervals.AREA_INTERVALS)),
        "interval of means": (intervals.MeanInterval, intervals.MEAN_INTERVALS),
        "variance": (areas.Variance, words(areas.AREA_VARIANCES)),
        "band": (bands.BandName, words(bands.BANDS)),
        "bars": (average_limits.BarKind, words(average_limits.AVERAGE_BARS)),
        "rate interval": (proportions.RateInterval, words(proportions.RATE_INTERVALS)),
        "adjustment": (claim.Adjustment, words(claim.P_ADJUSTMENTS)),
        "difference test": (claim.ComparisonMethod, words(claim.DIFFERENCE_TESTS)),
        "style": (text.StyleName, list(text.STYLES)),
    }


@pytest.mark.parametrize("family", list(families()))
def test_words_of_a_type_are_the_words_of_its_records(family):
    literal, words = families()[family]
    assert list(get_args(literal)) == list(words)


def test_every_method_says_whom_it_cites_and_which_are_ours():
    from rocstats.estimate.areas import AREA_VARIANCES
    from rocstats.estimate.bands import BANDS
    from rocstats.estimate.intervals import AREA_INTERVALS
    from rocstats.estimate.proportions import RATE_INTERVALS
    from rocstats.tables.wording import ADJUSTMENTS

    records: list[Any] = [*AREA_INTERVALS, *AREA_VARIANCES, *BANDS, *RATE_INTERVALS, *ADJUSTMENTS]
    for record in records:
        for key in record.references:
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*-(19|20)\d\d", key), (record.word, key)
    ours = {record.word for record in records if not record.published}
    assert ours == {"effective-wilson", "smoothed-score"}


def test_frames_are_made_in_one_folder():
    makers = {"DataFrame", "concat", "from_records", "from_dict"}
    # Files that make data, and no answers, are beside it.
    data = {ROOT / "study/files.py", ROOT / "inference/planning/simulate_readers.py"}
    allowed = {*(ROOT / "frame").glob("*.py"), *(ROOT / "datasets").glob("*.py"), *data}
    for path in set(FILES) - allowed:
        for node in nodes_of(path):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                assert name not in makers, f"{path}:{node.lineno} calls {name}"


def test_dataclasses_are_frozen():
    # Answers and caches are shared between questions, so that none may change.
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                made = [d for d in map(ast.unparse, node.decorator_list) if "dataclass" in d]
                assert all("frozen=True" in each for each in made), f"{path}:{node.lineno}"


def test_packages_below_the_top_hold_a_docstring_only():
    for path in ROOT.rglob("__init__.py"):
        if path.parent != ROOT:
            body = tree_of(path).body
            assert len(body) == 1, path
            assert ast.get_docstring(ast.Module(body, []), clean=False) is not None, path


@cache
def comment_lines(path):
    """Lines with a comment of words: directives to tools are none."""
    if "#" not in text_of(path):
        return set()
    tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
    directive = re.compile(r"#\s*(noqa|type:|fmt:|pyright:)")
    return {
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT and not directive.match(token.string)
    }


def is_number(node):
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.Tuple):
        return all(is_number(part) for part in node.elts)
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    return isinstance(node, ast.UnaryOp) and is_number(node.operand)


def test_every_numeric_constant_has_its_reason():
    """In a comment above or behind it, or in a string below it."""
    for path in FILES:
        said = comment_lines(path)
        body = tree_of(path).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and is_number(node.value):
                near = {node.lineno - 1, node.lineno} & said
                assert near or isinstance(after, ast.Expr), f"{path}:{node.lineno} has no reason"


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_offers_public_names_and_says_what_they_are_for(topic):
    module = getattr(rs, topic)
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is getattr(rs, name)
        assert f"``{name}``" in module.__doc__, f"{topic} does not say what {name} is for"


def test_the_citation_names_the_last_release():
    changelog, citation = (
        (ROOT.parent / name).read_text(encoding="utf-8")
        for name in ("CHANGELOG.md", "CITATION.cff")
    )
    released, on = re.search(r"^## (\d\S+) \((\S+)\)$", changelog, re.MULTILINE).groups()
    assert f'\nversion: {released}\ndate-released: "{on}"\n' in citation
    # Between releases the version is that of the next one.
    assert rs.__version__ == released or ".dev" in rs.__version__


def public_functions():
    for name in rs.__all__:
        if inspect.isfunction(getattr(rs, name)):
            yield name, getattr(rs, name)
    for study in STUDIES:
        for name in vars(study):
            if not name.startswith("_"):
                yield f"{study.__name__}.{name}", getattr(study, name)
    for name in dir(rs.Study):
        if name.startswith("from_") and name != "from_tables":
            yield f"Study.{name}", getattr(rs.Study, name)


@each(("name", "function"), list(public_functions()))
def test_public_docstrings_are_complete(name, function):
    text = inspect.getdoc(function)
    assert text, name
    parameters = [p for p in inspect.signature(function).parameters if p not in {"self", "sample"}]
    sections = ["Returns", "References", "Examples"] + (
        ["Parameters", "Raises"] if parameters else []
    )
    for section in sections:
        assert f"\n{section}\n{'-' * len(section)}\n" in text, f"{name} lacks {section}"
    for parameter in parameters:
        documented = text.partition("Parameters\n")[2].partition("\nReturns\n")[0]
        assert parameter in documented, f"{name}: {parameter} is not documented"


@pytest.fixture(scope="module")
def loaded():
    """What one process has loaded after each of three steps; no step can take a module away."""
    steps = (
        "import rocstats as rs; rs.Study",
        "import rocstats.tables.wording",
        "s = rs.Study([1, 1, 0, 0], {'a': [4, 2, 3, 1], 'b': [3, 4, 1, 4]});"
        "s.auc(); s.roc_curve(); s.compare_auc(); s.operating_points(threshold=2);"
        "s.compare_operating_points(threshold=2); s.auc(interval='newcombe');"
        "s.operating_points_versus_random(threshold=2); s.auc(interval='bca', rng=1);"
        "s.test_performance_goals(threshold=2, tpr=0.5, tnr=0.5)",
    )
    code = "".join(f"{step}; print(*sys.modules)\n" for step in steps)
    found = subprocess.run(
        [sys.executable, "-c", "import sys\n" + code],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    modules = [set(line.split()) for line in found.stdout.splitlines()]
    return dict(zip(("package", "methods", "question"), modules, strict=True))


def test_import_leaves_the_heavy_libraries_unloaded(loaded):
    heavy = [
        "scipy",
        "statsmodels",
        "matplotlib",
        "narwhals",
        "typer",
        "jinja2",
        "tqdm",
    ]
    assert "rocstats" in loaded["package"]
    assert not loaded["package"].intersection(heavy)


def test_the_index_of_methods_is_light(loaded):
    heavy = ["scipy.stats", "scipy.optimize", "matplotlib", "statsmodels", "jinja2"]
    assert "rocstats.tables.wording" in loaded["methods"]
    assert not loaded["methods"].intersection(heavy)


def test_a_plain_question_leaves_them_unloaded_too(loaded):
    heavy = ["scipy.stats", "scipy.optimize", "statsmodels", "matplotlib", "narwhals", "tqdm"]
    assert not loaded["question"].intersection(heavy)


def test_every_random_draw_happens_in_the_engines():
    drawing = {
        "integers",
        "choice",
        "permutation",
        "permuted",
        "shuffle",
        "multinomial",
        "binomial",
        "normal",
        "standard_gamma",
        "uniform",
        "random",
    }
    # `resample` also asks a Generator of the user once, for the integer that all draws come from.
    engines = {
        "permute",
        "simulate",
        *(path.stem for path in (ROOT / "estimate").glob("resample*")),
    }
    for path in FILES:
        if path.parent.name == "estimate" and path.stem in engines:
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                source = ast.unparse(node.func.value)
                draws = node.func.attr in drawing and ("rng" in source or "random" in source)
                assert not draws, f"{path}:{node.lineno} draws at random"


def test_cited_pages_and_their_sections_are_in_the_repository():
    """A page in quotes is a file to be written; a section stands in quotes after its page."""
    repository = Path(__file__).parents[1]
    made = {"_build", ".git", ".venv", "build", "node_modules"}
    files = [
        path
        for kind in ("*.py", "*.md", "*.R")
        for path in repository.rglob(kind)
        if not made & set(path.relative_to(repository).parts)
    ]
    for path in files:
        if ".md" not in text_of(path):
            continue
        # a citation may go over the end of a line of a comment
        text = re.sub(r"\s*\n\s*(?:# )?", " ", text_of(path))
        for found in re.finditer(r'(?<!["\'/\w.-])((?:[\w.-]+/|\.\./)*[\w-]+\.md)\b', text):
            places = [folder / found[1] for folder in (repository, path.parent)]
            page = next((place for place in places if place.is_file()), None)
            assert page, f"{path} cites {found[1]}"
            sections = re.match(r'`?, ("[^"]+"(?: and "[^"]+")*)', text[found.end() :])
            lines = page.read_text(encoding="utf-8").splitlines()
            headings = {line.lstrip("#").strip() for line in lines if line.startswith("#")}
            for section in re.findall(r'"([^"]+)"', sections[1]) if sections else []:
                assert section in headings, f"{path} cites {section!r} of {found[1]}"


def test_the_order_of_topics_is_written_once():
    lines = (inference.__doc__ or "").splitlines()[2:]
    listed = [line.split()[0] for line in lines if line[:1].strip()]
    folder = ROOT / "inference"
    there = {path.stem for path in folder.iterdir() if not path.stem.startswith("_")}
    assert len(listed) == len(set(listed))
    assert set(listed) == there
