# SPDX-License-Identifier: MIT
"""Writes the types of the commands: stubs.py RECKON OUTPUT.

`reckon schema` says what each command is asked and what it answers; here that becomes the signature of a method and the
attributes of its answer, so that an editor knows them and a checker of types holds them.
"""
import json
import keyword
import subprocess
import sys

# Methods of a model, and what they take before keywords.
METHODS = {
    "summary": "", "params": "", "flops": "", "memory": "", "derive": "*words: object", "explain": "path: str, *words: object",
    "sweep": "*words: object", "cross": "one: str, other: str, symbol: str", "compare": "*others: object", "fit": "",
    "ranks": "", "train": "", "report": "", "identify": "number: object", "verify": "file: object",
}
LEFT_OUT = {"--format", "--csv", "-o", "--help", "--help-all", "--version"}
OF_EVERY_ANSWER = {"notes"}  # an attribute of the class Answer, which has more than the key of this name
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}

HEAD = '''# Made of `reckon schema`: what each command is asked, and what it answers.
from typing import Any, Callable, Dict, FrozenSet, List, Literal, Mapping, Optional, Sequence, Union

from ._answer import Answer, Row
from ._door import Door

Value = Union[int, float, str]

def options_of(command: str) -> Mapping[str, FrozenSet[str]]: ...
def words_of(command: str, keywords: Mapping[str, Any]) -> List[str]: ...
def with_options(command: str, function: Callable[..., Any], symbols: bool = ...) -> Callable[..., Any]: ...
'''


def schema(program, command):
    run = subprocess.run([program, "schema", command], capture_output=True, check=True)
    return json.loads(run.stdout)


def type_of(field, name, classes):
    kinds = [t for t in field.get("type", []) if t != "null"]
    if kinds == ["array"]:
        return f"List[{type_of(field.get('items', {}), name, classes)}]"
    if kinds == ["object"]:
        if "properties" not in field:
            return "Mapping[str, Any]"
        if not field["properties"]:
            return f"Mapping[str, {type_of(field.get('additionalProperties') or {}, name, classes)}]"
        add_class(name, "Row", field["properties"], classes)
        return name
    return PLAIN.get(kinds[0], "Any") if kinds else "Any"


def add_class(name, base, properties, classes):
    if name in classes:
        return
    classes[name] = lines = [f"class {name}({base}):"]
    for key, field in properties.items():
        if key.isidentifier() and not keyword.iskeyword(key):
            kind = type_of(field, f"{name}{key.title().replace('_', '')}", classes)
            lines.append(f"    {key}: {kind}  # {field.get('description', '')}".rstrip(" #"))
    if len(lines) == 1:
        lines.append("    ...")


def answer_of(command, said, classes):
    """All that a command may answer: of one of its ways, the keys of the others are not there."""
    name = f"{command.title()}Answer"
    properties = {}
    for way in said.get("anyOf", [said]):
        for key, field in way["properties"].items():
            if key not in OF_EVERY_ANSWER:
                properties.setdefault(key, field)
    add_class(name, "Answer", properties, classes)
    return name


def keyword_of(option):
    name = option["name"].lstrip("-").replace("-", "_")
    name += "_" if keyword.iskeyword(name) else ""
    if option["argument"] is None:
        kind = "bool"
    elif option.get("values"):
        kind = f"Literal[{', '.join(map(repr, option['values']))}]"
        kind = f"Union[{kind}, Value]" if any(not v.isalnum() for v in option["values"]) else kind
    else:
        kind = "Value"
    return f"{name}: Optional[{f'Union[{kind}, Sequence[Value]]' if option['argument'] else kind}] = ..."


def main():
    program, output = sys.argv[1:3]
    classes, methods = {}, []
    for command, words in METHODS.items():
        said = schema(program, command)
        answer = answer_of(command, said, classes)
        keywords = [keyword_of(o) for o in said["options"] if o["name"] not in LEFT_OUT]
        star = [] if words.startswith("*") or ", *" in words else ["*"]
        arguments = ", ".join(["self", *([words] if words else []), *star, *keywords, "**symbols: Value"])
        methods.append(f"    def {command}({arguments}) -> {answer}: ...")
    with open(output, "w", encoding="utf-8") as f:
        f.write(HEAD)
        for lines in reversed(list(classes.values())):
            f.write("\n" + "\n".join(lines) + "\n")
        f.write("\nclass Commands:\n    _door: Door\n    _words: Sequence[str]\n")
        f.write("    def ask(self, command: str, *words: object, **keywords: Any) -> Answer: ...\n")
        f.write("\n".join(methods) + "\n")


if __name__ == "__main__":
    main()
