"""Courses begin together, keep their colours, and survive the journey to the browser."""

from typing import Any

import numpy as np
import pytest
import torch
from sklearn import cluster

import clam_core
from workbench import evolution as evo
from workbench.baselines.dec import DEC
from workbench.baselines.kmeans import lloyd
from workbench.builtin import builtin
from workbench.dataset import DataError, prepare
from workbench.evolution_pack import pack, span_keys, unpack
from workbench.preparation import Preparation
from workbench.progress import Cancelled
from workbench.projection import pca_plane
from workbench.recipe import Builtin, Recipe

Lloyd: Any = cluster.KMeans
METHODS = tuple(evo.KINDS)


def recipes(name="iris", k=3, methods=METHODS, **settings):
    data = Builtin(name=name)
    own: dict = {"n_clusters": k, "n_epochs": 12}
    first = Recipe(data=data, method="clam", settings={**own, **settings})
    each = {m: first.changed(method=m, settings={"n_clusters": k}) for m in METHODS}
    return [first if m == "clam" else each[m] for m in methods]


@pytest.fixture(scope="module")
def iris():
    return prepare(builtin("iris"), Preparation())


@pytest.fixture(scope="module")
def found(iris):
    return evo.evolve(recipes(), iris)


def test_all_begin_on_the_same_rows(found):
    assert [course.recipe.method for course in found.courses] == list(METHODS)
    rows = found.dataset.X
    assert all((np.abs(rows - seed).sum(axis=1) < 1e-9).any() for seed in found.start)
    for course in found.courses:
        gaps = np.linalg.norm(course.prototypes[0][:, None] - found.start[None], axis=2)
        assert sorted(gaps.argmin(axis=1)) == [0, 1, 2] and gaps.min(axis=1).max() < 1e-5


def test_the_first_course_is_numbered_by_size_and_the_others_follow_its_colours(found):
    first = found.courses[0].labels
    sizes = np.bincount(first[-1], minlength=3)
    assert list(sizes) == sorted(sizes, reverse=True)
    for course in found.courses[1:]:
        own = course.labels[np.minimum(np.arange(len(first)), len(course.labels) - 1)]
        agreement = (own == first[: len(own)]).mean() if len(own) == len(first) else None
        if agreement is not None:
            for swap in ([1, 0, 2], [0, 2, 1], [2, 1, 0]):
                assert agreement >= (np.array(swap)[own] == first).mean()


def test_labels_are_what_the_method_would_predict_with_those_prototypes(iris):
    (recipe,) = recipes(methods=("clam",))
    course: Any = evo.evolve([recipe], iris).courses[0]
    for t in (0, 5, 12):
        rows, memories = torch.tensor(iris.X), torch.tensor(course.prototypes[t]).double()
        energy = clam_core.make_energy("euclidean")
        expected = clam_core.assign(rows, memories, energy=energy, beta=course.beta, n_steps=10)
        assert (np.asarray(expected) == course.labels[t]).mean() > 0.99
    for each in evo.evolve(recipes()[1:3], iris).courses:
        gaps = np.linalg.norm(iris.X[:, None] - each.prototypes[-1][None], axis=2)
        assert (gaps.argmin(axis=1) == each.labels[-1]).mean() > 0.99


def test_changes_are_counted(found):
    for course in found.courses:
        slow = [0]
        for before, now in zip(course.labels, course.labels[1:], strict=False):
            slow.append(sum(a != b for a, b in zip(before.tolist(), now.tolist(), strict=True)))
        assert course.changed.tolist() == slow


def test_lloyd_ends_where_scikit_learn_does(iris):
    start = iris.X[[0, 60, 120]]
    moments = list(lloyd(iris.X, start))
    reference = Lloyd(3, init=start, n_init=1, tol=0, algorithm="lloyd").fit(iris.X)
    assert np.allclose(moments[-1].prototypes, reference.cluster_centers_)
    assert moments[-1].objective == pytest.approx(reference.inertia_)
    assert moments[-1].labels.tolist() == reference.labels_.tolist()
    assert all(a.objective >= b.objective for a, b in zip(moments, moments[1:], strict=False))
    assert len(list(lloyd(iris.X, start, max_iter=1))) == 2


def test_a_course_of_dec_ends_where_a_fit_does(iris):
    model = DEC(3, n_init=1, max_iter=700, random_state=0).fit(iris.X)
    seed = model._seeds()[0]
    start = Lloyd(3, n_init=1, random_state=seed).fit(iris.X).cluster_centers_
    last = list(DEC(3, max_iter=700).course(iris.X, start, seed))[-1]
    assert np.allclose(last.prototypes, model.cluster_centers_, atol=1e-5)
    assert last.objective == pytest.approx(model.divergence_, rel=1e-4)


def test_courses_are_thinned_and_keep_both_ends(iris):
    assert evo.thinned(np.arange(1001)).tolist()[:3] == [0, 5, 10]
    assert len(evo.thinned(np.arange(1001))) == 201 and evo.thinned(np.arange(9)).tolist()[-1] == 8
    few = evo.evolve(recipes(), iris, most=4)
    assert few.ticks[0] == 0 and few.ticks[-1] == 12 and len(few.ticks) == 4
    for course in few.courses:
        assert course.steps[0] == 0 and (np.diff(course.steps) > 0).all()
    whole = evo.evolve(recipes(), iris)
    ends = [course.steps[-1] for course in whole.courses]
    assert [course.steps[-1] for course in few.courses] == ends


def test_the_packing_comes_back(found):
    head, arrays = unpack(pack(found, opens=3))
    assert head["opens"] == 3 and head["ticks"] == found.ticks.tolist() and head["k"] == 3
    assert arrays["rows"].tolist() == list(range(1, 151))
    plane = pca_plane(found.dataset.X)
    assert np.allclose(arrays["points"], plane.flatten(found.dataset.X), atol=1e-5)
    for i, course in enumerate(found.courses):
        assert (arrays[f"labels{i}"] == course.labels).all()
        assert np.allclose(arrays[f"keys{i}"], span_keys(plane, course.prototypes), atol=1e-4)
        assert head["courses"][i]["steps"] == course.steps.tolist()
    assert len(pack(found)) < 60_000


def test_coordinates_of_the_span_keep_every_distance():
    rng = np.random.default_rng(0)
    X, prototypes = rng.normal(size=(60, 7)), rng.normal(size=(2, 3, 7))
    plane = pca_plane(X)
    keys, place = span_keys(plane, prototypes), rng.normal(size=(5, 2))
    assert keys.shape == (2, 3, 5)
    lifted, inside = plane.lift(place), np.pad(place, ((0, 0), (0, 3)))
    for full, short in zip(prototypes, keys, strict=True):
        assert np.allclose(
            np.linalg.norm(lifted[:, None] - full, axis=2),
            np.linalg.norm(inside[:, None] - short, axis=2),
        )


@pytest.mark.parametrize("name", ["digits", "moons"])
def test_images_travel_where_rows_are_images(name):
    dataset = prepare(builtin(name), Preparation())
    course = evo.evolve(recipes(name, 2, ("kmeans",)), dataset)
    head, arrays = unpack(pack(course))
    assert head["side"] == (8 if name == "digits" else 0)
    if head["side"]:
        images = arrays["images0"]
        assert images.shape == (len(course.ticks), 2, 64) and images[..., 0].max() == 0
        assert np.abs(images).max() == 127
        ink = dataset.restore(course.courses[0].prototypes[-1])
        ink -= dataset.restore(dataset.X).mean(axis=0)
        shown = images[-1][:, dataset.pixels]
        assert np.corrcoef(shown.ravel(), ink.ravel())[0, 1] > 0.99
    assert head["span"] == (4 if name == "digits" else 2)


def test_one_feature_one_row_of_points():
    dataset = prepare(builtin("iris"), Preparation(features=("sepal length (cm)",)))
    head, arrays = unpack(pack(evo.evolve(recipes(methods=("clam",)), dataset)))
    assert head["flat"] and np.ptp(arrays["points"][:, 1]) > 0
    assert np.abs(arrays["keys0"][..., 1]).max() < 1e-6


def test_what_cannot_be_shown_is_said(iris):
    with pytest.raises(DataError, match="k = 21 is more than the 20 colours"):
        evo.evolve(recipes(k=21), iris)
    with pytest.raises(DataError, match="k = 151 is more than the 150 rows"):
        evo.evolve(recipes(k=151), iris)


def test_stopped_it_keeps_what_was_reached(iris):
    with pytest.raises(Cancelled):
        evo.evolve(recipes(), iris, stop=lambda: True)
    told = []
    some = evo.evolve(recipes(), iris, report=told.append, stop=lambda: len(told) > 5)
    assert some.cancelled and len(some.courses) == 1 and 1 < len(some.ticks) < 12
