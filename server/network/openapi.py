"""The description of the HTTP API (OpenAPI 3.1), made from its routes and the types of its bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from starlette.routing import Route


def openapi(routes: Sequence[Route], bodies: Mapping[str, type], version: str) -> dict[str, Any]:
    """Return the description.

    Args:
        routes: of the API; the first line of a handler's docstring says what it does.
        bodies: types of the bodies, by the handlers' names.
        version: of the API.
    """
    types = list(dict.fromkeys(bodies.values()))
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        name = getattr(route.endpoint, "__name__", "")
        for method in sorted((route.methods or set()) - {"HEAD"}):
            operation: dict[str, Any] = {
                "operationId": f"{name}_{method.lower()}" if len((route.methods or set()) - {"HEAD"}) > 1 else name,
                "summary": (route.endpoint.__doc__ or "").strip().splitlines()[0],
                "parameters": [
                    {"name": parameter, "in": "path", "required": True, "schema": {"type": "string"}}
                    for parameter in route.param_convertors
                ],
                "responses": {
                    "200": {"description": "as asked"},
                    "default": {
                        "description": "an error",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                    },
                },
            }
            if name in bodies:
                operation["requestBody"] = {"content": {"application/json": {"schema": schema_of[bodies[name]]}}}
            paths.setdefault(route.path, {})[method.lower()] = operation
    error = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "ggp game manager", "version": version},
        "paths": paths,
        "components": {"schemas": {**components, "Error": error}},
    }
