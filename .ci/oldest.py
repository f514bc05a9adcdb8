"""Print the oldest supported versions, the lower bounds of pyproject.toml, as pip constraints."""

import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for requirement in [*project["dependencies"], *extras["files"], *extras["test"]]:
    if ">=" in requirement:
        print(requirement.replace(">=", "=="))
print("pyparsing<3.3")  # later ones deprecate what matplotlib of that age calls
