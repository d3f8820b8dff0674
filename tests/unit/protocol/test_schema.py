from typing import get_args

from ggp.protocol.messages import ClientMessage, ServerMessage
from ggp.protocol.schema import protocol_schema


def test_every_message_is_in_the_schema_with_its_type():
    definitions = protocol_schema()["$defs"]
    for message in (*get_args(ClientMessage), *get_args(ServerMessage)):
        properties = definitions[message.__name__]["properties"]
        assert properties["type"]["enum"] == [message.__struct_config__.tag]
        assert set(properties) == {"type", *message.__struct_fields__}


def test_clients_may_not_send_unknown_fields_and_servers_may():
    definitions = protocol_schema()["$defs"]
    assert definitions["Move"]["additionalProperties"] is False
    assert "additionalProperties" not in definitions["Act"]


def test_all_references_lead_somewhere():
    schema = protocol_schema()

    def references(node):
        if isinstance(node, dict):
            if "$ref" in node:
                yield node["$ref"]
            for value in node.values():
                yield from references(value)
        elif isinstance(node, list):
            for value in node:
                yield from references(value)

    found = set(references(schema))
    assert found
    assert all(reference.removeprefix("#/$defs/") in schema["$defs"] for reference in found)
