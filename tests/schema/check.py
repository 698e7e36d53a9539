#!/usr/bin/env python3
"""Checks specs against the JSON Schema that the program prints, as an editor would.

    python3 tests/schema/check.py target/release/doublepu experiments/*.yaml
"""

import json
import re
import subprocess
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2, as the program reads it: only `true` and `false` are booleans."""


BOOLEAN = "tag:yaml.org,2002:bool"
Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != BOOLEAN]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(BOOLEAN, re.compile("^(?:true|false)$"), list("tf"))


def mistakes(validator, path, edit=None):
    with open(path, encoding="utf-8") as file:
        spec = yaml.load(file, Loader)
    if edit:
        edit(spec)
    return [f"{'.'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(spec)]


def main(program, *paths):
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    validator = jsonschema.Draft202012Validator(schema)
    failed = 0
    for path in paths:
        found = mistakes(validator, path)
        failed += bool(found)
        print(f"{path}: {found[0] if found else 'ok'}")
        # The schema can also refuse: a misspelt key, an unknown method, a ridge below zero, a list without values.
        for edit in (
            lambda spec: spec.update(sedes=1),
            lambda spec: spec["methods"].append("naive_up"),
            lambda spec: spec["methods"].append({"double_pu": {"ridge": -1}}),
            lambda spec: spec["methods"].append({"two_stage": {"ridge": []}}),
        ):
            if not mistakes(validator, path, edit):
                failed += 1
                print(f"{path}: a mistake was not noticed")
    print(f"{len(paths) - min(failed, len(paths))} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
