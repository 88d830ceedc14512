"""As much of JSON Schema as src/serve/openapi.json uses; what it uses besides is an error."""

from typing import Any

KNOWN = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "oneOf", "$ref", "description", "pattern",
    "maxLength", "minimum",
}  # fmt: skip


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    return isinstance(value, kinds[kind])


def complaints(value: Any, schema: dict[str, Any], document: dict[str, Any], at: str = "$") -> list[str]:
    """What is wrong with a value; an empty list when nothing is."""
    if unknown := set(schema) - KNOWN:
        return [f"{at}: the schema has {unknown}"]
    if "$ref" in schema:
        return complaints(value, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document, at)
    if "oneOf" in schema:
        each = [complaints(value, one, document, at) for one in schema["oneOf"]]
        return [] if sum(not one for one in each) == 1 else [f"{at}: not exactly one of {len(each)}: {each}"]
    found = []
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return [f"{at}: expected {kinds}, got {value!r}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is none of {schema['enum']}")
    if isinstance(value, dict):
        found += [f"{at}: no {name}" for name in schema.get("required", []) if name not in value]
        more = schema.get("additionalProperties", True)
        for name, member in value.items():
            if name in schema.get("properties", {}):
                found += complaints(member, schema["properties"][name], document, f"{at}.{name}")
            elif more is False:
                found.append(f"{at}: {name} is not described")
            elif isinstance(more, dict):
                found += complaints(member, more, document, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += complaints(item, schema["items"], document, f"{at}[{i}]")
    return found
