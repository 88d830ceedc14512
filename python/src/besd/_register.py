"""Tells Gymnasium about the built-in domains, when it is installed."""

from importlib.util import find_spec
from typing import Any, cast

from ._besd import ffi, lib


def names() -> tuple[str, ...]:
    """The built-in domains."""
    found: list[str] = []
    while (name := lib.besd_domain_name(len(found))) != ffi.NULL:
        found.append(ffi.string(name).decode())
    return tuple(found)


def register() -> None:
    """Registers besd/GW10-v0 and the others, and besd/Domain-v0, which is told its `domain`; without Gymnasium
    there is nothing to do."""
    if find_spec("gymnasium") is None:
        return
    from gymnasium.envs import registration

    registry = registration.registry

    known: dict[str, dict[str, str]] = {f"besd/{name.upper()}-v0": {"domain": name} for name in names()}
    for env_id, arguments in {**known, "besd/Domain-v0": {}}.items():
        if env_id not in registry:
            cast(Any, registration).register(id=env_id, entry_point="besd.domains:DomainEnv", kwargs=arguments)
