"""As much of JSON Schema as docs/schema.json and src/serve/openapi.json use; what they use besides is an error."""

from typing import Any

KNOWN = {
    "type", "properties", "required", "additionalProperties", "unevaluatedProperties", "items", "enum", "oneOf", "allOf", "$ref",
    "description", "pattern", "maxLength", "minimum",
}  # fmt: skip


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    return isinstance(value, kinds[kind])


def _parts(schema: dict[str, Any], shapes: dict[str, Any]) -> list[dict[str, Any]]:
    """What a schema refers to, and must hold beside its own words."""
    referred = [shapes["$defs"][schema["$ref"].rpartition("/")[2]]] if "$ref" in schema else []
    return referred + schema.get("allOf", [])


def _members(schema: dict[str, Any], shapes: dict[str, Any]) -> set[str]:
    """The members that a schema and its parts describe."""
    return set(schema.get("properties", {})).union(*(_members(part, shapes) for part in _parts(schema, shapes)))


def _complaints_of_object(
    value: dict[str, Any], schema: dict[str, Any], shapes: dict[str, Any], at: str
) -> list[str]:
    found = [f"{at}: no {name}" for name in schema.get("required", []) if name not in value]
    more = schema.get("additionalProperties", True)
    for name, member in value.items():
        if name in schema.get("properties", {}):
            found += complaints(member, schema["properties"][name], shapes, f"{at}.{name}")
        elif more is False:
            found.append(f"{at}: {name} is not described")
        elif isinstance(more, dict):
            found += complaints(member, more, shapes, f"{at}.{name}")
    if schema.get("unevaluatedProperties", True) is False:
        found += [f"{at}: {name} is not described" for name in value.keys() - _members(schema, shapes)]
    return found


def complaints(value: Any, schema: dict[str, Any], shapes: dict[str, Any], at: str = "$") -> list[str]:
    """What is wrong with a value; an empty list when nothing is. `shapes` has the $defs that are referred to."""
    if unknown := set(schema) - KNOWN:
        return [f"{at}: the schema has {unknown}"]
    found = [one for part in _parts(schema, shapes) for one in complaints(value, part, shapes, at)]
    if "oneOf" in schema:
        each = [complaints(value, one, shapes, at) for one in schema["oneOf"]]
        if sum(not one for one in each) != 1:
            found.append(f"{at}: not exactly one of {len(each)}: {each}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return [*found, f"{at}: expected {kinds}, got {value!r}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is none of {schema['enum']}")
    if isinstance(value, dict):
        found += _complaints_of_object(value, schema, shapes, at)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += complaints(item, schema["items"], shapes, f"{at}[{i}]")
    return found
