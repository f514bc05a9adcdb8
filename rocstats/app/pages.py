"""The pages of the window, and what they do: a file, a question, its answer."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import pandas as pd
from jinja2 import Environment, PackageLoader, select_autoescape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rocstats._version import __version__
from rocstats.app import forms
from rocstats.app.data import (
    MOST_LABELS,
    Upload,
    histograms_of,
    look_at,
    reading_of,
    require_sane_archive,
    safe_name,
)
from rocstats.app.forms import Command, Field, Values
from rocstats.app.guard import MOST_BYTES, TooLargeError
from rocstats.app.jobs import ANSWER, FIGURE, FOLDER, MOST_JOBS, Job, command_line
from rocstats.app.python_lines import python_lines
from rocstats.commands.options import in_words_of_the_command
from rocstats.datasets.loaders import load_breast_cancer
from rocstats.errors import InputError
from rocstats.frame.make import read_csv
from rocstats.frame.screen import brief
from rocstats.plots.files import PICTURES
from rocstats.tables.markup import printed_table
from rocstats.tables.methods import methods_lines
from rocstats.tables.tables import format_table, save_table

_PAGES = Environment(
    loader=PackageLoader("rocstats.app"),
    autoescape=select_autoescape(),
    trim_blocks=True,
    lstrip_blocks=True,
)
_TABLES = (".docx", ".xlsx", ".csv", ".html", ".tex", ".md")
_PICTURES = tuple(ending for ending in PICTURES if ending != ".tif")
_EXAMPLE = "breast_cancer.csv"


class Window:
    """Files and jobs of one run, in a folder that is removed at its end."""

    def __init__(self, commands: Mapping[str, Command], folder: Path) -> None:
        self.commands = commands
        self.folder = folder
        self.uploads: dict[str, Upload] = {}
        self.jobs: dict[str, Job] = {}
        self.first = "/"

    def pages(self) -> Starlette:
        """Return the pages as an application of ASGI."""
        routes = [
            Route("/", self.start),
            Route("/style.css", self.style),
            Route("/app.js", self.script),
            Route("/file", self.take, methods=["POST"]),
            Route("/example", self.example, methods=["POST"]),
            Route("/file/{upload}", self.file),
            Route("/ask/{command}", self.ask),
            Route("/run/{command}", self.run, methods=["POST"]),
            Route("/job/{job}", self.answer),
            Route("/job/{job}/stop", self.stop, methods=["POST"]),
            Route("/job/{job}/{name}", self.download),
            Route("/choices/{command}", self.choices),
        ]

        @contextlib.asynccontextmanager
        async def until_end(_: Starlette) -> AsyncIterator[None]:
            yield
            for job in self.jobs.values():
                await job.stop()

        handlers: dict[Any, Any] = {InputError: self._refused, TooLargeError: self._refused}
        return Starlette(routes=routes, lifespan=until_end, exception_handlers=handlers)

    # --- A file -----------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Show where a file goes, and the questions that need none."""
        return _page(
            "start.html",
            questions=self._described(forms.questions_without_file(self.commands)),
            most=MOST_BYTES // 2**20,
        )

    async def take(self, request: Request) -> Response:
        """Keep an uploaded file, and show it; with saved choices, show their form instead."""
        async with request.form(max_files=2, max_fields=10) as form:
            sent, saved = form.get("file"), form.get("choices")
            if not isinstance(sent, UploadFile) or not sent.filename:
                raise InputError("`FILE` must be chosen; got none. Choose or drop a file.")
            upload = self._room_for(safe_name(sent.filename))
            with upload.path.open("wb") as kept:
                await run_in_threadpool(shutil.copyfileobj, sent.file, kept)
            choices = b""
            if isinstance(saved, UploadFile) and saved.filename:
                choices = await saved.read(2**20)
        require_sane_archive(upload.path)
        self.uploads[upload.key] = upload
        if choices:
            command, values = self._read_choices(choices)
            return _to(f"/ask/{command}", {**values, "upload": [upload.key]})
        return _to(f"/file/{upload.key}", {})

    async def example(self, request: Request) -> Response:
        """Take the shipped example as the file."""
        upload = self._room_for(_EXAMPLE)
        await run_in_threadpool(load_breast_cancer().to_csv, upload.path, index=False)
        self.uploads[upload.key] = upload
        return _to(f"/file/{upload.key}", {})

    async def file(self, request: Request) -> Response:
        """Show a file as it was understood, and what can be asked of it."""
        upload = self._upload(request.path_params["upload"])
        reading = forms.reading_fields(forms.fields_of(self.commands["auc"]))
        values = _values(request)
        preview, problem = None, ""
        try:
            preview = await run_in_threadpool(look_at, upload, reading_of(reading, values))
        except InputError as error:
            problem = in_words_of_the_command(str(error))
        return _page(
            "file.html",
            upload=upload,
            fields=reading,
            values=values,
            preview=preview,
            problem=problem,
            questions=self._described(forms.questions_of(self.commands)),
            query=urlencode({**_flat(values), "upload": upload.key}, doseq=True),
        )

    # --- A question -------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """Show the form of a command."""
        return await self._form(request.path_params["command"], _values(request))

    async def _form(self, command: str, values: Values, problem: str = "") -> Response:
        fields = self._fields(command, values)
        upload = self._upload(values["upload"][0]) if values.get("upload") else None
        preview = None
        if upload is not None:
            reading = forms.reading_fields(fields)
            try:
                preview = await run_in_threadpool(look_at, upload, reading_of(reading, values))
            except InputError:
                return _to(f"/file/{upload.key}", {f.name: values.get(f.name, ()) for f in reading})
        outcome = _first(values, "outcome")
        labels = (
            next((c.labels for c in preview.columns if c.name == outcome), ()) if preview else ()
        )
        return _page(
            "ask.html",
            status=422 if problem else 200,
            command=command,
            summary=forms.summary_of(self.commands[command]),
            upload=upload,
            preview=preview,
            fields=[f for f in fields if f not in forms.reading_fields(fields)],
            hidden=forms.reading_fields(fields),
            values=values,
            problem=problem,
            wrong=_field_of_problem(fields, problem),
            labels=labels,
            outcomes=[c for c in preview.columns if 1 < len(c.labels) <= MOST_LABELS]
            if preview
            else [],
            histograms=histograms_of(preview, outcome, _first(values, "positive"))
            if preview
            else {},
        )

    async def choices(self, request: Request) -> Response:
        """Return the choices of a form as a small file: all but the data."""
        command, values = request.path_params["command"], _values(request)
        self._fields(command, values)
        kept = {name: list(texts) for name, texts in values.items() if name != "upload"}
        text = json.dumps({"rocstats": __version__, "command": command, "choices": kept}, indent=1)
        named = {"content-disposition": f'attachment; filename="rocstats-{command}.json"'}
        return Response(text, media_type="application/json", headers=named)

    # --- An answer --------------------------------------------------------------------------------

    async def run(self, request: Request) -> Response:
        """Start the command of a form."""
        command = request.path_params["command"]
        async with request.form(max_files=0, max_fields=2000) as form:
            values: dict[str, list[str]] = {}
            for name, text in form.multi_items():
                values.setdefault(name, []).append(str(text))
        fields = self._fields(command, values)
        upload = self._upload(values["upload"][0]) if values.get("upload") else None
        if "preview" in values:  # the button beside the outcome: show the groups, ask nothing yet
            return _to(f"/ask/{command}", {k: v for k, v in values.items() if k != "preview"})
        missing = [f.label for f in fields if f.required and not forms.texts_of(f, values)]
        if missing:
            return await self._form(command, values, f"Choose: {', '.join(missing)}.")
        if sum(job.running for job in self.jobs.values()) >= MOST_JOBS:
            return await self._form(
                command, values, f"{MOST_JOBS} answers are being computed: stop one."
            )
        job = self._job(command, fields, values, upload)
        self.jobs[job.key] = job
        job.start()
        return _to(f"/job/{job.key}", {})

    def _job(
        self, command: str, fields: Sequence[Field], values: Values, upload: Upload | None
    ) -> Job:
        folder = Path(self.folder, f"job-{secrets.token_hex(8)}")
        folder.mkdir()
        asked = forms.arguments_of(fields, values, None if upload is None else upload.path)
        answers = forms.has_option(self.commands[command], "layout")
        out = folder / (ANSWER if answers else FOLDER)
        steps = [[command, "--out", str(out), *asked]]
        figure = str(folder / FIGURE)
        if forms.has_option(self.commands[command], "figure"):
            again = str(folder / "again.csv")
            steps.append([command, "--out", again, "--figure", figure, *asked])
        if answers and {"outcome", "scores", "positive"} <= {f.name for f in fields}:
            known = [f for f in forms.fields_of(self.commands["plot"]) if f.panel]
            drawn = [f for f in known if f.flag] + [f for f in fields if not f.flag]
            places = forms.arguments_of(drawn, values, None if upload is None else upload.path)
            steps.append(["plot", "--out", figure, *places])
        typed = forms.arguments_of(fields, values, None if upload is None else upload.name)
        address = f"/ask/{command}?{urlencode(_flat(values), doseq=True)}"
        shown = command_line(command, typed)
        return Job(command, folder, steps, shown=shown, address=address)

    async def answer(self, request: Request) -> Response:
        """Show an answer, or that it is being computed."""
        job = self._known_job(request)
        values = _values_of_address(job.address)
        if job.status is None:
            return _page("running.html", job=job, pending=True)
        if job.status != 0:
            problem = _problem_of(job.said)
            return await self._form(job.command, values, problem)
        upload = self.uploads.get(_first(values, "upload"))
        made = sorted(path.name for path in Path(job.folder, FOLDER).glob("*"))
        tables, sentences = [], []
        if Path(job.folder, ANSWER).exists():
            frame = await run_in_threadpool(read_csv, job.folder / ANSWER)
            table = _printed(frame, _first(values, "style") or "plain")
            tables.append(table)
            sentences = [] if "estimate" not in frame else methods_lines(frame)
        return _page(
            "answer.html",
            job=job,
            summary=forms.summary_of(self.commands[job.command]),
            tables=tables,
            methods=sentences,
            printed=job.printed if made else "",
            notes=[line.removeprefix("rocstats: ") for line in job.said.splitlines()],
            figure=job.has_figure,
            pending=job.running,
            made=made,
            endings=_TABLES if tables else (),
            pictures=_PICTURES if job.has_figure else (),
            python=python_lines(
                self.commands[job.command], job.command, values, upload.name if upload else None
            ),
            upload=upload,
        )

    async def style(self, request: Request) -> Response:
        """Return the style of all pages."""
        return Response(_asset("app.css"), media_type="text/css")

    async def script(self, request: Request) -> Response:
        """Return the script, without which all pages work too."""
        return Response(_asset("app.js"), media_type="text/javascript")

    async def stop(self, request: Request) -> Response:
        """Stop a command, and show its form again."""
        job = self._known_job(request)
        await job.stop()
        return RedirectResponse(job.address, 303)

    async def download(self, request: Request) -> Response:
        """Return a file of an answer: made by the command, or from its frame on request."""
        job, name = self._known_job(request), request.path_params["name"]
        path = await run_in_threadpool(self._made, job, name)
        if path.suffix == ".html" and path.parent.name == FOLDER:
            text = path.read_text(encoding="utf-8")
            return HTMLResponse(text, headers={"content-security-policy": _policy_of(text)})
        shown = name == FIGURE
        # A picture has styles in its elements.
        policy = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
        return FileResponse(
            path,
            filename=path.name,
            headers=policy if shown else {},
            content_disposition_type="inline" if shown else "attachment",
        )

    def _made(self, job: Job, name: str) -> Path:
        style: Any = _first(_values_of_address(job.address), "style") or "plain"
        of_report = {path.name: path for path in Path(job.folder, FOLDER).glob("*")}
        answer = job.folder / ANSWER
        if name in of_report:
            return of_report[name]
        if name in {f"figure{ending}" for ending in _PICTURES} and job.has_figure:
            if name != FIGURE:
                job.draw(name)
            return job.folder / name
        if name in {f"answer{ending}" for ending in _TABLES} and answer.exists():
            if name != ANSWER:
                save_table(_table_to_save(read_csv(answer)), job.folder / name, style=style)
            return job.folder / name
        raise InputError(f"`FILE` must be one of the files of the answer; got {name!r}.")

    # --- What all pages need ----------------------------------------------------------------------

    def _room_for(self, name: str) -> Upload:
        folder = Path(self.folder, f"file-{secrets.token_hex(8)}")
        folder.mkdir()
        return Upload(name, folder / name)

    def _described(self, questions: Sequence[forms.Question]) -> list[Any]:
        return [
            (q.words, [(name, forms.summary_of(self.commands[name])) for name in q.commands])
            for q in questions
        ]

    def _fields(self, command: str, values: Values) -> list[Field]:
        """Return the fields of a command; without a file those that need none."""
        if command not in self.commands:
            raise InputError(
                f"`COMMAND` must be one of {', '.join(self.commands)}; got {command!r}."
            )
        fields = forms.fields_of(self.commands[command])
        if values.get("upload"):
            return fields
        panels = {"The study", *(field.panel for field in forms.reading_fields(fields))}
        return [f for f in fields if f.panel not in panels and not f.kind.startswith("column")]

    def _upload(self, key: str) -> Upload:
        if key not in self.uploads:
            raise InputError("`FILE` must be one of this window; got another. Choose it again.")
        return self.uploads[key]

    def _known_job(self, request: Request) -> Job:
        key = request.path_params["job"]
        if key not in self.jobs:
            raise InputError("The answer must be one of this window; got another. Ask again.")
        return self.jobs[key]

    def _read_choices(self, text: bytes) -> tuple[str, dict[str, list[str]]]:
        try:
            saved = json.loads(text)
            command, choices = saved["command"], saved["choices"]
            values = {str(name): [str(one) for one in texts] for name, texts in choices.items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                "`choices` must be a file that this window has saved; got another. Choose it again."
            ) from None
        self._fields(command, values)
        return command, values

    async def _refused(self, request: Request, problem: Exception) -> Response:
        text = in_words_of_the_command(str(problem))
        status = 413 if isinstance(problem, TooLargeError) else 422
        return _page("refused.html", status=status, problem=text)


def _asset(name: str) -> str:
    return files("rocstats.app").joinpath("templates", name).read_text(encoding="utf-8")


# --- Parts of pages -------------------------------------------------------------------------------


def _page(name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    return HTMLResponse(_PAGES.get_template(name).render(version=__version__, **values), status)


def _to(path: str, values: Values) -> RedirectResponse:
    query = urlencode(_flat(values), doseq=True)
    return RedirectResponse(f"{path}?{query}" if query else path, 303)


def _flat(values: Values) -> dict[str, list[str]]:
    return {name: [t for t in texts if t] for name, texts in values.items() if any(texts)}


def _values(request: Request) -> dict[str, list[str]]:
    return {name: request.query_params.getlist(name) for name in request.query_params}


def _values_of_address(address: str) -> dict[str, list[str]]:
    return parse_qs(address.partition("?")[2], keep_blank_values=False)


def _first(values: Values, name: str) -> str:
    return next(iter(values.get(name, ())), "")


def _printed(frame: pd.DataFrame, style: Any) -> Any:
    """Return a frame as the table that the command prints."""
    table = _table_to_save(frame, style)
    footnotes = table.attrs.get("rocstats", {}).get("footnotes", [])
    return printed_table(table, caption=None, footnotes=footnotes)


def _table_to_save(frame: pd.DataFrame, style: Any = "plain") -> pd.DataFrame:
    """Return estimates as a table of text in a style; of a curve or a plan its brief form."""
    if "estimate" in frame and "quantity" in frame:
        return format_table(frame, style)
    return brief(frame).map(str)


def _problem_of(said: str) -> str:
    """Return the error among the lines that a command has printed, else all of them."""
    lines = said.splitlines()
    errors = [
        line.removeprefix("rocstats: error: ") for line in lines if "rocstats: error: " in line
    ]
    return errors[0] if errors else "\n".join(lines[-5:]) or "The command failed without a word."


def _field_of_problem(fields: Sequence[Field], problem: str) -> str:
    """Return the name of the field that an error is about: the first one it names."""
    named = re.findall(r"`([^`]+)`", problem)
    return next(
        (f.name for text in named for f in fields if text in (f.flag, f.metavar, f.name)), ""
    )


def _policy_of(page: str) -> str:
    """Return the policy of a page of a report: its own scripts, by their hashes, and no other."""
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{text}'" for text in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:;"
        " frame-ancestors 'self'"
    )
