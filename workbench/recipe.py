"""Recipe (what is computed) and View (how it is looked at): frozen values, JSON and link text."""

import base64
import binascii
import hashlib
import json
import math
import zlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, ValidationError, model_validator

from workbench.builtin import BUILTIN
from workbench.methods import complete_settings
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.table import DataError
from workbench.value import Frozen, Name, Value, nothing

LINK_VERSION = 2
LINK_LIMIT = 64_000  # characters of a link, and
INFLATED_LIMIT = 256_000  # bytes that it may unfold to: a small link can hold a very large text

Setting = bool | int | float | str


def _coordinate(value):
    if not math.isfinite(value) or abs(value) > 1e6:
        raise DataError(f"position={value:g} should be from -1e+06 to 1e+06.")
    return value


def _weight(value):
    if not math.isfinite(value) or value <= 0:
        raise DataError(f"weight={value:g} should be > 0.")
    return value


Coordinate = Annotated[float, AfterValidator(_coordinate)]
Weight = Annotated[float, AfterValidator(_weight)]
Position = Annotated[tuple[Coordinate, ...], Field(min_length=2, max_length=3)]
"""A place in the plane, or in space, where the spherical energy looks at its direction."""


def _known_table(field, name):
    if name not in BUILTIN:
        raise DataError(f"{field}={name!r} should be one of {', '.join(map(repr, BUILTIN))}.")


class Builtin(Value):
    """A built-in table, by name and seed."""

    kind: Literal["builtin"] = "builtin"
    name: Name
    seed: int = Field(default=0, ge=0, le=2**32 - 1)

    @model_validator(mode="after")
    def _is_known(self):
        _known_table("name", self.name)
        return self


class Upload(Value):
    """An uploaded table, by the fingerprint of its bytes; neither its name nor its content."""

    kind: Literal["upload"] = "upload"
    fingerprint: str = Field(pattern=r"^[0-9a-f]{32}$")


class Memories(Value):
    """Given memories in the plane or in space, with their weights (none: all equal)."""

    kind: Literal["memories"] = "memories"
    positions: tuple[Position, ...] = Field(min_length=1, max_length=64)
    weights: tuple[Weight, ...] = ()

    @model_validator(mode="after")
    def _are_alike(self):
        if len({len(position) for position in self.positions}) > 1:
            raise DataError("positions should all have two numbers, or all three.")
        return self

    @model_validator(mode="after")
    def _weights_match(self):
        if self.weights and len(self.weights) != len(self.positions):
            raise DataError(
                f"weights={len(self.weights)} should be as many as positions={len(self.positions)}."
            )
        return self


class Recipe(Value):
    """All that decides what is computed: data, preparation, method, settings, device and seed.

    Parameters
    ----------
    data : Builtin, Upload or Memories
        What is clustered, or the memories that are given.
    reading : Reading, default guessed
        How the bytes of an upload are read.
    preparation : Preparation, default guessed
        How its columns become features.
    method : str, default "clam"
        Key in `METHODS`; "recall" goes with memories and only with them.
    settings : mapping, default {}
        Settings of the method; defaults are filled in, so that equal recipes are equal in text.
    device : {"cpu", "cuda", "mps"}, default "cpu"
        Where it is computed.
    dtype : {"float32", "float64"}, default "float32"
        Precision.
    seed : int, default 0
        All randomness of the method.

    Raises
    ------
    pydantic.ValidationError
        Where a value is not legal; `from_json` and `from_link` raise DataError instead.
    """

    data: Builtin | Upload | Memories = Field(discriminator="kind")
    reading: Reading = Field(default_factory=Reading)
    preparation: Preparation = Field(default_factory=Preparation)
    method: str = "clam"
    settings: Frozen[str, Setting] = Field(default_factory=nothing)
    device: Literal["cpu", "cuda", "mps"] = "cpu"
    dtype: Literal["float32", "float64"] = "float32"
    seed: int = Field(default=0, ge=0, le=2**32 - 1)

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: Any):
        if isinstance(values, Mapping) and isinstance(values.get("settings", {}), Mapping):
            method = values.get("method", "clam")
            settings = complete_settings(method, values.get("settings"))
            return {**values, "settings": dict(settings)}
        return values

    @model_validator(mode="after")
    def _data_fit_method(self):
        if isinstance(self.data, Memories) != (self.method == "recall"):
            raise DataError(
                f"method={self.method!r} should be 'recall' for given memories, and only for them."
            )
        return self

    def to_json(self):
        """Write the recipe as JSON in one canonical form.

        Returns
        -------
        str
        """
        return _canonical(self.model_dump(mode="json"))

    @classmethod
    def from_json(cls, text):
        """Read a recipe from JSON.

        Parameters
        ----------
        text : str or bytes
            What `to_json` wrote, or a person in its manner.

        Returns
        -------
        Recipe

        Raises
        ------
        DataError
            In one sentence, where it is not a legal recipe.
        """
        return _legal(cls, _loads(text))

    def key(self):
        """Hash the recipe, the same in every process.

        Returns
        -------
        str
            32 hexadecimal digits.
        """
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:32]

    def changed(self, **values):
        """Return a checked copy with some values changed.

        Parameters
        ----------
        **values
            Fields; `settings` replaces only the settings that it names, unless the method changes,
            and `reading` and `preparation`, given as mappings, only what these name.

        Returns
        -------
        Recipe

        Raises
        ------
        DataError
            In one sentence, where a value is not legal.
        """
        now = {name: getattr(self, name) for name in type(self).model_fields}
        for name in ("reading", "preparation"):
            if isinstance(values.get(name), Mapping):
                values[name] = {**getattr(self, name).model_dump(), **values[name]}
        if "method" not in values or values["method"] == self.method:
            values["settings"] = {**self.settings, **values.get("settings", {})}
        elif "settings" not in values:
            values["settings"] = {}
        return _legal(type(self), {**now, **values})

    def __hash__(self):
        """Hash by `key`, since settings are a mapping."""
        return hash(self.key())


Layer = Literal[
    "voronoi", "entropy", "energy", "disagreement", "attractors", "memories", "pull", "tree"
]
LAYERS: tuple[str, ...] = get_args(Layer)


class View(Value):
    """How a recipe's outcome is looked at; it decides nothing that is computed.

    Parameters
    ----------
    plane : {"pca", "umap"}, default "pca"
        How points are laid out in two dimensions.
    layers : tuple of str, default ("voronoi", "attractors", "memories")
        What is drawn on the basins: any of `LAYERS`.
    epoch : int, optional
        The epoch looked at; None for the one that was kept.
    convention : {"paper", "published"}, default "paper"
        How a shown beta counts: exp(-beta d^2), or the published program's exp(-(beta/2) d^2).
    colour_by : {"cluster", "label"}, default "cluster"
        What the colour of a point says.
    points : {"moons", "circles", "blobs", "elongated2", "elongated3"}, optional
        Built-in points laid over the basins, to be told from their Voronoi cells.
    particle : (float, float) or (float, float, float), optional
        Where the reader dropped the point whose way is followed.
    beside : tuple of {"clam", "kmeans", "dec", "slk"}, default ()
        Methods whose training is seen beside the Recipe's, from the same start.
    """

    plane: Literal["pca", "umap"] = "pca"
    layers: tuple[Layer, ...] = Field(
        default=("voronoi", "attractors", "memories"), max_length=len(LAYERS)
    )
    epoch: int | None = Field(default=None, ge=0, le=1000)
    convention: Literal["paper", "published"] = "paper"
    colour_by: Literal["cluster", "label"] = "cluster"
    points: Literal["moons", "circles", "blobs", "elongated2", "elongated3"] | None = None
    particle: Position | None = None
    beside: tuple[Literal["clam", "kmeans", "dec", "slk"], ...] = Field(default=(), max_length=4)

    def changed(self, **values):
        """Return a checked copy with some values changed.

        Parameters
        ----------
        **values
            Fields of the view.

        Returns
        -------
        View

        Raises
        ------
        DataError
            In one sentence, where a value is not legal.
        """
        return _legal(type(self), {**self.model_dump(), **values})

    def shown_beta(self, beta):
        """Give a beta of the paper in the convention of this view.

        Parameters
        ----------
        beta : float
            Inverse temperature as in equation 1.

        Returns
        -------
        float
        """
        return 2 * beta if self.convention == "published" else beta

    def own_beta(self, shown):
        """Give the paper's beta for one that is shown in the convention of this view.

        Parameters
        ----------
        shown : float
            Inverse temperature as shown.

        Returns
        -------
        float
        """
        return shown / 2 if self.convention == "published" else shown


def to_link(recipe, view=None):
    """Write a recipe and a view as text for a link.

    Defaults are left out and the rest is compressed, so that links stay short.

    Parameters
    ----------
    recipe : Recipe
        What is computed.
    view : View, optional
        How it is looked at.

    Returns
    -------
    str
        Letters, digits, "-" and "_".
    """
    short = recipe.model_dump(mode="json", exclude_defaults=True)
    short["data"] = recipe.data.model_dump(mode="json", exclude_defaults=True)
    short["data"]["kind"] = recipe.data.kind
    defaults = complete_settings(recipe.method)
    short["settings"] = {n: v for n, v in recipe.settings.items() if v != defaults[n]}
    content = {"v": LINK_VERSION, "recipe": short}
    if view is not None:
        content["view"] = view.model_dump(mode="json", exclude_defaults=True)
    return to_text(content)


def to_text(content):
    """Pack plain values as short text for an address: letters, digits, "-" and "_"."""
    packed = zlib.compress(_canonical(content).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def from_text(kind, text):
    """Read a checked value from what `to_text` wrote of its fields.

    Raises
    ------
    DataError
        In one sentence, where the text is forged or cut, or the value is not legal.
    """
    return _legal(kind, _loads(_unpacked(text), "The link"))


def from_link(text):
    """Read the recipe and the view of a link.

    Parameters
    ----------
    text : str
        What `to_link` wrote.

    Returns
    -------
    recipe : Recipe
    view : View

    Raises
    ------
    DataError
        In one sentence, where the text is forged, cut, outdated or too large.
    """
    content = _loads(_unpacked(text), "The link")
    if not isinstance(content, dict) or set(content) - {"v", "recipe", "view"}:
        raise DataError("The link is not one of this app.")
    if content.get("v") != LINK_VERSION:
        raise DataError(
            f"The link's version={content.get('v')!r} should be {LINK_VERSION}: it was made by "
            "another version of this app."
        )
    return _legal(Recipe, content.get("recipe")), _legal(View, content.get("view", {}))


def _unpacked(text):
    if len(text) > LINK_LIMIT:
        raise DataError(f"The link has {len(text)} characters, and {LINK_LIMIT} are allowed.")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        inflater = zlib.decompressobj()
        content = inflater.decompress(packed, INFLATED_LIMIT)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise DataError("The link cannot be read: it was cut or changed.") from error
    if inflater.unconsumed_tail:
        raise DataError(f"The link unfolds to more than {INFLATED_LIMIT} bytes.")
    if not inflater.eof:
        raise DataError("The link cannot be read: it was cut or changed.")
    return content


def _canonical(content):
    return json.dumps(
        content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def _loads(text, what="The recipe"):
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{what} is not JSON.") from error


def _legal(kind, values):
    """Check values, and say the first fault in one sentence."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, DataError):
            raise DataError(str(cause)) from error
        place = ".".join(str(step) for step in first["loc"]) or kind.__name__.lower()
        if first["type"] == "missing":
            raise DataError(f"{place} is missing.") from error
        message = first["msg"][:1].lower() + first["msg"][1:]
        raise DataError(f"{place}={_short(first['input'])} is not legal: {message}.") from error


def _short(value, limit=60):
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}..."
