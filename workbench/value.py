"""What all frozen values that travel in links and files share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer

Name = str
"""Of a column or a table, as long as it comes; links and files are limited as a whole."""
Key = TypeVar("Key")
Item = TypeVar("Item")
Frozen = Annotated[
    Mapping[Key, Item],
    AfterValidator(lambda mapping: MappingProxyType(dict(mapping))),
    PlainSerializer(dict),
]
"""A mapping that nobody changes."""
NOTHING: Mapping = MappingProxyType({})


def nothing():
    """Return the empty mapping: a default that nobody has to copy."""
    return NOTHING


class Value(BaseModel):
    """A frozen, checked value without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def __hash__(self):
        """Hash by the JSON, since fields may be mappings."""
        return hash(self.model_dump_json())
