"""Which methods are compared, and on what terms: all that a comparison needs beside its data."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainSerializer, field_validator

from workbench.comparison import entrants
from workbench.methods import METHODS, RULES
from workbench.parameter import in_words
from workbench.recipe import Setting, from_text, to_text
from workbench.table import DataError
from workbench.value import Value, nothing

MOST_SEEDS = 20
USUAL = ("clam", "kmeans", "slk", "mixture", "agglomerative", "spectral", "hdbscan")
"""Methods to begin with: one of each kind that most people know, and both engines."""

Settings = Annotated[
    Mapping[str, Mapping[str, Setting]],
    AfterValidator(
        lambda told: MappingProxyType({key: MappingProxyType(dict(told[key])) for key in told})
    ),
    PlainSerializer(lambda told: {key: dict(told[key]) for key in told}),
]
"""Settings by method; nobody changes them."""


class Contest(Value):
    """The terms on which methods meet.

    Parameters
    ----------
    methods : tuple of str
        Keys in `METHODS`, in its order and each once; by default the usual ones.
    seeds : int, default 3
        How often each method is fitted, from 1 to 20.
    rule : {"own", "silhouette"}, default "own"
        By what each method keeps one outcome of several.
    settings : mapping of str to mapping, default {}
        By method, what differs from its defaults.
    null : bool, default True
        Whether each method is fitted to rows drawn without clusters, too.
    """

    methods: tuple[str, ...] = Field(
        default_factory=lambda: tuple(key for key in METHODS if key in USUAL), max_length=64
    )
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = 3
    rule: Literal["own", "silhouette"] = "own"
    settings: Settings = Field(default_factory=nothing)
    null: bool = True

    @field_validator("methods")
    @classmethod
    def _are_known(cls, methods):
        for key in methods:
            if key not in METHODS or METHODS[key].needs == "memories":
                raise DataError(f"method={key!r} should be one of {in_words(contestants())}.")
        return tuple(key for key in METHODS if key in methods)

    @field_validator("settings")
    @classmethod
    def _are_legal(cls, settings):
        for key, asked in settings.items():
            if key not in METHODS:
                raise DataError(f"method={key!r} should be one of {in_words(contestants())}.")
            METHODS[key].complete(asked)
        return settings

    def taking_part(self, dataset):
        """Return the keys of the methods that can be fitted to a Dataset under this rule."""
        return tuple(key for key in self.methods if not unfit(METHODS[key], dataset, self.rule))

    def recipes(self, recipe, dataset):
        """Return the Recipes to fit, see `workbench.comparison.entrants`.

        Parameters
        ----------
        recipe : Recipe
            Its data, preparation, number of clusters and first seed.
        dataset : Dataset
            Methods that cannot be fitted to it are left out.

        Returns
        -------
        tuple of Recipe
        """
        return entrants(
            recipe,
            self.taking_part(dataset),
            k=recipe.settings["n_clusters"],
            seeds=self.seeds,
            rule=self.rule,
            settings=self.settings,
        )

    def changed(self, **values):
        """Return a checked copy with some values changed."""
        return type(self)(**{**self.model_dump(), **values})

    def to_text(self):
        """Write it as text for a link; from defaults nothing is written."""
        return to_text(self.model_dump(mode="json", exclude_defaults=True))

    @classmethod
    def of_text(cls, text):
        """Read the text of a link.

        Raises
        ------
        DataError
            In one sentence, where the text is forged or cut, or its terms are not legal.
        """
        return from_text(cls, text)


def contestants():
    """Return the keys of all methods that cluster rows, in the registry's order."""
    return tuple(key for key, method in METHODS.items() if method.needs != "memories")


def unfit(method, dataset, rule):
    """Say why a method cannot take part.

    Parameters
    ----------
    method : Method
    dataset : Dataset
    rule : {"own", "silhouette"}

    Returns
    -------
    str
        One sentence, or nothing where it can.
    """
    if method.images and dataset.pixels is None:
        return (
            f"{method.name} needs rows that are square images, and {dataset.X.shape[1]} "
            f"column{'s make' if dataset.X.shape[1] != 1 else ' makes'} none."
        )
    if method.rules and rule not in method.rules:
        return f"{method.name} cannot keep its outcome by the {RULES[rule]}."
    return ""
